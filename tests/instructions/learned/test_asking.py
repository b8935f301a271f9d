from __future__ import annotations

import pytest

from kinema.instructions.grammar.reader import parse
from kinema.instructions.learned.asking import accounted, filmed, mentioned
from kinema.instructions.learned.notation import END, REFUSED

WAVES = ("do wave", "side left", "seconds", "#3", "times", "#2", END)


@pytest.mark.parametrize(
    "said, symbols, whole",
    [
        ("wave the left hand twice for 3 seconds", WAVES, True),
        ("wave the left hand twice for 4 seconds", WAVES, False),
        ("wave the right hand twice for 3 seconds", WAVES, False),
        ("wave 3 degrees left", WAVES, False),
        ("walk 3 metres", ("go walk", "seconds", "#3", END), False),
        ("1. wave left 2. wave left", WAVES, True),
        ("1 bow 2 yawn 3 nod", ("do bow", "then", "do yawn", "then", "do nod", END), True),
        ("bow 2 times", ("do bow", END), False),
        ("walk to the 2 nd tree", ("go walk", "place to", "<", "number 2", "=tree", ">", END), True),
        ("open the gray box", ("handle open", "<", "=box", ">", END), False),
        ("open the gray box", ("handle open", "<", "colour grey", "=box", ">", END), True),
        ("open the gray box", ("handle open", "<", "=gray", "=box", ">", END), True),
        ("walk to box 12", ("go walk", "place to", "<", "=box", ">", END), False),
        ("wave both hands", ("do wave", END), False),
        ("wave both hands", ("do wave", "side both", END), True),
        ("wave in a wide shot", ("do wave", "with", "camera", "view above", END), False),
        ("walk through the wide gate", ("go walk", "place through", "<", "quality", "=wide", "=gate", ">", END), True),
        ("wave at the camera", ("do wave", END), False),
        ("wave at the camera", ("do wave", "place at", "<", "=camera", ">", END), True),
    ],
)
def test_what_a_sentence_says_must_be_in_what_is_read(said: str, symbols: tuple[str, ...], whole: bool) -> None:
    assert accounted(said.split() if "." not in said else said.replace(".", " .").split(), symbols) is whole


def test_what_is_named_again_is_meant_again() -> None:
    said = "take the cup to the bench and sit on the bench".split()
    sit = ("handle carry", "<", "=cup", ">", "place to", "<", "=bench", ">", "then", "do sit", "place on", "<")
    assert mentioned(said, (*sit, "=bench", ">", END)) and not mentioned(said, (*sit, "=cup", ">", END))


@pytest.mark.parametrize(
    "steps, said, meant",
    [
        ("seen from above. then wave. then bow", "seen from above , wave and bow", "wave seen from above. then bow"),
        (
            "wave. then bow. then zoom out",
            "wave and bow . camera zooms out .",
            "wave. then bow while the camera zooms out",
        ),
        ("wave. then zoom out", "wave , then zoom out", "wave. then zoom out"),
        ("wave. then zoom in on the tree", "wave . zoom in on the tree", "wave. then zoom in on the tree"),
        ("zoom out. then wave seen from above", "zoom out , wave from above", "zoom out. then wave seen from above"),
        ("zoom out", "zoom out", "zoom out"),
        ("wave. then bow while zooming out", "wave , bow , zoom out throughout", "wave while zooming out. then bow"),
        ("wave. then bow while zooming out", "wave , bow while zooming out", "wave. then bow while zooming out"),
    ],
)
def test_a_camera_films_what_stands_beside_it_unless_it_is_said_to_come_after(
    steps: str, said: str, meant: str
) -> None:
    assert filmed(parse(steps), said.split()) == parse(meant)


def test_the_network_that_comes_with_kinema_reads_what_it_has_never_seen() -> None:
    pytest.importorskip("torch")
    from kinema.instructions.learned.asking import ask

    found, long, foreign = ask(
        ["she strolls over to the quibblet, then blows it a kiss", "walk " * 200, "idź do drzewa"]
    )
    assert long is None and foreign is None
    assert found is not None and found.programme is not None
    assert "quibblet" in found.programme.describe()
    assert 0.0 < found.probability <= 1.0


def test_the_next_guess_is_taken_where_the_likeliest_leaves_something_out() -> None:
    pytest.importorskip("torch")
    from kinema.instructions.learned.asking import _answer
    from kinema.instructions.learned.model import Guess

    left_out, whole = Guess(("do wave", END), 0.6), Guess(("do wave", "times", "#2", END), 0.3)
    found = _answer(["wave", "2", "times"], [left_out, whole])
    assert found.programme is not None and found.programme.describe() == "Wave 2 times."
    assert found.probability == pytest.approx(0.3 / 0.4)
    refused = _answer(["wave", "2", "times"], [Guess((REFUSED, END), 0.6), whole])
    assert refused.programme is None
