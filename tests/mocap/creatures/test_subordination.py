import pytest

from kinema.mocap.creatures.words import concepts_of, phrases


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("The dog walks home, dreaming of running", "walk"),
        ("The man walks past the sleeping baby", "walk"),
        ("A crab eats a dead fish", "eat"),
        ("A servant walks backwards, still facing the throne", "back"),
        ("As the sun sets and night falls, the wolf runs", "run"),
        ("The dog stares about, wondering where the squirrel went", "look"),
        ("a deer hit by an arrow collapses", "die"),
        ("The salmon battles its way along", "walk"),
        ("She runs round the park before breakfast", "run"),
        ("The raptor jumps, claws slashing", "jump"),
    ],
)
def test_what_accompanies_is_no_movement_of_its_own(text, action):
    assert len(phrases(text)) == 1
    said = [name for name in concepts_of(text) if name not in ("slow", "fast", "forward", "left", "right")]
    assert said == [action] or (action == "walk" and said == ["swim"])


@pytest.mark.parametrize(
    "text",
    ["walks, then eats", "it walks and jumps", "walking, jumping and eating", "It runs. It eats.", "runs to attack"],
)
def test_what_follows_in_time_stays(text):
    assert len(phrases(text)) >= 2
