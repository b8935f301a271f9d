from __future__ import annotations

import pytest

from kinema.instructions.grammar.reader import parse
from kinema.instructions.learned.asking import filmed
from kinema.instructions.learned.notation import END, REFUSED


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
