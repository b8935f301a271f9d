import pytest

from kinema.mocap.creatures.clauses import read


def actions(text):
    return [[hit.action for hit in phrase.hits if hit.action] for phrase in read(text)[1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("walks then eats", [["walk"], ["eat"]]),
        ("walks; eats", [["walk"], ["eat"]]),
        ("eats after walking", [["walk"], ["eat"]]),
        ("eats after walking, then dies", [["walk"], ["eat"], ["die"]]),
        ("after it walks and jumps, it eats", [["walk"], ["jump"], ["eat"]]),
        ("before eating it walks", [["walk"], ["eat"]]),
        ("before eating, it walks", [["walk"], ["eat"]]),
        ("walks before it eats and dies", [["walk"], ["eat"], ["die"]]),
        ("once the dog has walked it jumps", [["walk"], ["jump"]]),
        ("walks, followed by turning left", [["walk"], ["turn"]]),
        ("walks until it dies", [["walk"], ["die"]]),
        ("walks and jumps", [["walk"], ["jump"]]),
        ("runs to attack", [["run"], ["attack"]]),
        ("walks while looking around", [["walk", "look"]]),
        ("walks, looking around", [["walk", "look"]]),
        ("Looking around, it walks", [["look", "walk"]]),
        ("walks and turns around", [["walk"], ["turn"]]),
        ("turns left and walks", [["turn"], ["walk"]]),
        ("jumps once and dies", [["jump"], ["die"]]),
        ("walks next to the house", [["walk"]]),
        ("runs after the rabbit", [["run"]]),
        ("stands before the gate", [["idle"]]),
        ("runs like a dying swan and jumps", [["run"], ["jump"]]),
        ("eats because it wants to fly", [["eat"]]),
        ("having a drink", [["eat"]]),
    ],
)
def test_texts_are_split_in_order_of_time(text, expected):
    assert actions(text) == expected
