"""Roles files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats import Source, open_source
from kinema.roles import rest_pose
from kinema.roles.overrides import asset_with, beside, read, write

from .rigs import build, person


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    skeleton, _ = build(person(), seed=1)
    path = tmp_path / "rig.roles.toml"
    write(skeleton.roles, skeleton, path)
    stated = read(path)
    assert stated.roles == {name: skeleton.roles.role(joint) for joint, name in enumerate(skeleton.names)}
    certain = stated.applied(skeleton).roles
    assert (certain.confidence == 1).all() and certain.parts == skeleton.roles.parts


@pytest.mark.parametrize("name", ["rig.roles.toml", "rig.json", "rig.JSON"])
def test_any_names_can_be_written(tmp_path: Path, name: str) -> None:
    skeleton, _ = build(person(), seed=1)
    odd = ("手\U0001f600", "q\"uo'te\\", "line\nend\x7f\x1b", "= #[x]", "")
    skeleton = replace(skeleton, names=(*odd, *skeleton.names[len(odd) :]))
    write(skeleton.roles, skeleton, tmp_path / name)
    assert tuple(read(tmp_path / name).roles) == skeleton.names


def test_json_and_a_plain_table(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"j1": "left_thigh"}))
    (tmp_path / "a.toml").write_text('j1 = "left_thigh"\n')
    assert read(tmp_path / "a.json").roles == read(tmp_path / "a.toml").roles == {"j1": "left_thigh"}


def test_partners_and_axes(tmp_path: Path) -> None:
    skeleton, truth = build(person())
    left, other = (skeleton.names[truth.index(name)] for name in ("left_hand", "right_forearm"))
    path = tmp_path / "x.toml"
    path.write_text(
        f'[roles]\n{left} = "left_prop"\n[partners]\n{left} = "{other}"\n[rest]\nup = "+Z"\nforward = "-Y"\n'
    )
    stated = read(path)
    roles = stated.applied(skeleton).roles
    assert roles.role(skeleton.index(other)) == "right_prop"
    assert roles.partners[skeleton.index(left)] == skeleton.index(other)
    rest = stated.stood(rest_pose(skeleton))
    assert np.allclose(rest.up, [0, 0, 1]) and np.allclose(rest.forward, [0, -1, 0])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[roles]\nj1 = "left_thig"', "did you mean 'thigh'"),
        ('[roles]\nj1 = "left_"', "is not a role"),
        ('[rols]\nj1 = "hips"', "unknown table 'rols'"),
        ("[roles]\nj1 = 3", "holds texts"),
        ('[rest]\nup = "Y"', "up and forward"),
        ("[roles\n", "is not a roles file"),
    ],
)
def test_mistakes_are_one_clear_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "x.toml").write_text(text)
    with pytest.raises(FormatError, match=said) as caught:
        read(tmp_path / "x.toml")
    assert "\n" not in str(caught.value)


def test_missing_files_and_joints_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        read(tmp_path / "none.toml")
    (tmp_path / "x.toml").write_text('[roles]\nHip = "hips"\n')
    skeleton, _ = build(person(), names=True)
    with pytest.raises(FormatError, match="did you mean 'hips'"):
        read(tmp_path / "x.toml").applied(skeleton)


def test_a_file_beside_is_found(tmp_path: Path) -> None:
    rig = tmp_path / "rig.glb"
    rig.write_bytes(b"")
    assert beside(rig) is None and beside(Source.from_bytes(b"", "rig.glb")) is None
    (tmp_path / "rig.roles.toml").write_text('[roles]\nj1 = "hips"\n')
    assert beside(rig) is not None and beside(open_source(rig)) is not None


def test_an_asset_without_a_skeleton_or_overrides_stays() -> None:
    from kinema import Asset

    asset = Asset("x", "bvh")
    assert asset_with(asset, None) is asset
