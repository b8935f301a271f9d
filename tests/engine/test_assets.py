"""Characters and motions beside a scene."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kinema.engine.assets import Keeper, Origins, assets_folder, read_assets
from kinema.errors import FormatError
from kinema.formats.atomic import WriteError


def test_things_are_written_once_and_named_by_what_is_in_them(tmp_path, arm, swing):
    keeper = Keeper(tmp_path / "hall.json")
    files = [keeper.keep(thing) for thing in (arm, swing, arm, swing.replace())]
    assert files[0] == files[2] and files[1] == files[3] and len(set(files)) == 2
    assert sorted(path.name for path in assets_folder(tmp_path / "hall.json").iterdir()) == sorted(set(files))
    origins = read_assets(keeper.names, str(tmp_path / "hall.json"))
    back = origins.by_file()
    assert back[files[0]].name == "arm" and back[files[0]].skeleton.names == arm.skeleton.names
    np.testing.assert_array_equal(back[files[1]].local_rotations, swing.local_rotations)
    again = Keeper(tmp_path / "other.json", origins)
    assert [again.keep(back[file]) for file in files[:2]] == files[:2]


def test_a_character_without_meshes_is_kept(tmp_path, arm):
    keeper = Keeper(tmp_path / "hall.json")
    file = keeper.keep(dataclasses.replace(arm, meshes=(), name="bare"))
    back = read_assets(keeper.names, str(tmp_path / "hall.json")).by_file()[file]
    assert back.name == "bare" and back.skeleton.names == arm.skeleton.names


def test_files_that_were_changed_or_lost_are_refused(tmp_path, swing):
    scene = str(tmp_path / "hall.json")
    keeper = Keeper(scene)
    file = keeper.keep(swing)
    path = assets_folder(scene) / file
    data = path.read_bytes()
    path.write_bytes(data[:-1] + b"x")
    with pytest.raises(FormatError, match="its content has changed"):
        read_assets(keeper.names, scene)
    assert Keeper(scene).keep(swing) == file and path.read_bytes() == data
    path.unlink()
    with pytest.raises(FormatError, match=file):
        read_assets(keeper.names, scene)


@pytest.mark.parametrize("names", [None, [], {"../secret.glb": "a"}, {"/etc/passwd": "a"}, {"a" * 32 + ".glb": 3}])
def test_names_that_lead_elsewhere_are_refused(tmp_path, names):
    with pytest.raises(FormatError, match="assets"):
        read_assets(names, str(tmp_path / "hall.json"))


def test_only_files_of_assets_that_nobody_uses_are_removed(tmp_path, swing):
    scene = tmp_path / "hall.json"
    Keeper(scene).keep(swing.replace(name="old"))
    (assets_folder(scene) / "notes.txt").write_text("mine")
    keeper = Keeper(scene, Origins())
    file = keeper.keep(swing)
    keeper.prune()
    assert sorted(path.name for path in assets_folder(scene).iterdir()) == sorted(["notes.txt", file])


def test_a_folder_that_cannot_be_made_is_said(tmp_path, swing):
    (tmp_path / "hall.assets").write_text("a file")
    with pytest.raises(WriteError, match=r"hall\.assets"):
        Keeper(tmp_path / "hall.json").keep(swing)
