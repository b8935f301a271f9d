"""ASF text, right and wrong."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.acclaim import skeleton
from kinema.formats.acclaim.skeleton import about_fixed_axes, parse_skeleton

from .conftest import Take, fixed


def bone(name: str = "a", direction: str = "direction 0 1 0", length: str = "length 2", more: str = "") -> str:
    return f"begin\nname {name}\n{direction}\n{length}\n{more}\nend\n"


def asf(bones: str, hierarchy: str = "root a", head: str = "") -> bytes:
    return f"{head}\n:bonedata\n{bones}:hierarchy\nbegin\n{hierarchy}\nend\n".encode()


def test_fixed_axes_are_turned_about_in_order():
    angles = np.array([0.3, -1.1, 0.7])
    for order in ("xyz", "zyx", "yxz"):
        from kinema import rotations

        want = fixed(dict(zip(order, angles, strict=True)), order)
        assert np.allclose(rotations.to_matrix(about_fixed_axes(angles, order)), want)
    assert about_fixed_axes(np.zeros((4, 0)), "").shape == (4, 4)


def test_bones_come_depth_first_with_their_ends(take: Take):
    figure = parse_skeleton(take.asf)
    assert [b.name for b in figure.bones] == ["root", "lhip", "lknee", "lfoot", "spine", "head", "stub", "Hand"]
    assert figure.bones[3].channels == ("rx", "rz") and figure.bones[6].channels == ()
    assert figure.position.tolist() == [1, 2, 3] and figure.length == 0.45
    assert figure.longest_chain() > 6


def test_loose_bones_are_left_out_with_a_line():
    figure = parse_skeleton(asf(bone("a") + bone("b")))
    assert [b.name for b in figure.bones] == ["root", "a"] and "left out: b" in figure.warnings[0]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "has no bone below the root: :bonedata is missing"),
        (asf(bone(), ""), "has no bone below the root"),
        (asf(bone(direction="")), "line 8: the bone 'a' lacks its direction"),
        (asf(bone(direction="direction 0 0 0")), "direction of the bone 'a' is zero"),
        (asf(bone(direction="direction 1 2")), "line 5: 'direction' needs 3 numbers"),
        (asf(bone(length="length nan")), "'length' needs a number"),
        (asf(bone(more="dof rx rx")), "each once"),
        (asf(bone(more="dof rq")), "should name some of"),
        (asf(bone(more="axis 0 0 0 XXY")), "order of axes is like XYZ"),
        (asf(bone() + bone()), "no name of its own"),
        (asf(bone(), "root a\na root"), "no bone 'root'"),
        (asf(bone() + bone("b"), "root a b\na b"), "has a parent already"),
        (asf(bone() + bone("b") + bone("c"), "root c\na b\nb a"), None),
        (asf("name a\n"), "outside of begin and end"),
        (asf(bone(), head=":units\nangle turns"), "angles are in deg or rad"),
        (asf(bone(), head=":units\nlength 0"), "above 0"),
    ],
)
def test_refusals_name_the_line(data: bytes, said: str | None):
    if said is None:  # a loop hangs on nothing
        assert [b.name for b in parse_skeleton(data).bones] == ["root", "c"]
        return
    with pytest.raises(FormatError, match=said):
        parse_skeleton(data)


def test_a_huge_file_is_refused_before_it_is_taken_apart(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(skeleton, "MOST_BYTES", 100)
    with pytest.raises(FormatError, match=r"^has 101 bytes; at most 100 of a skeleton"):
        parse_skeleton(b" " * 101)
