"""The axes of files: stated, turned to +Y up and +Z ahead."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema import Character, Motion, Skeleton, rotations
from kinema.character import Mesh, Morph
from kinema.cli.main import main
from kinema.formats import Asset
from kinema.formats.axes import axis_of, turn_of, turned
from kinema.formats.units import UnitError
from kinema.mocap.procedural import Segment, generate

AXES = ("x", "y", "z", "-x", "-y", "-z")
Z_UP = turn_of("z", None)


@pytest.fixture(scope="module")
def walk() -> Motion:
    return generate(script=[Segment("idle"), Segment("walk", 2.0)], fps=30).replace(labels={})


def tipped(motion: Motion, turn: np.ndarray, rest: bool) -> Motion:
    """A motion as a file with other axes holds it, the rest pose with it or not."""
    back = turned(Asset("x", "toy", motion.skeleton, (motion,)), rotations.inverse(turn)).motions[0]
    if not rest:
        return back.replace(skeleton=motion.skeleton)
    lying = turned(Asset("x", "toy", motion.skeleton), rotations.inverse(turn)).skeleton
    return back.replace(skeleton=lying)


@pytest.mark.parametrize("up", AXES)
@pytest.mark.parametrize("forward", [None, *AXES])
def test_every_pair_of_axes(up: str, forward: str | None) -> None:
    if forward is not None and forward[-1] == up[-1]:
        with pytest.raises(UnitError, match="along one line"):
            turn_of(up, forward)
        return
    turn = turn_of(up, forward)
    np.testing.assert_allclose(rotations.rotate(turn, axis_of(up)), [0, 1, 0], atol=1e-9)
    if forward is not None:
        np.testing.assert_allclose(rotations.rotate(turn, axis_of(forward)), [0, 0, 1], atol=1e-9)


def test_axes_that_do_not_exist() -> None:
    assert axis_of("+Z").tolist() == [0, 0, 1]
    for wrong in ("w", "", "--x", "xy"):
        with pytest.raises(UnitError, match="no axis"):
            axis_of(wrong)


def test_nothing_stated_changes_nothing(walk: Motion) -> None:
    asset = Asset("x", "toy", walk.skeleton, (walk,))
    assert turned(asset, turn_of(None, None)) is asset and turned(asset, turn_of("+Y", "z")) is asset


@pytest.mark.parametrize("up", ["z", "-x", "-y"])
@pytest.mark.parametrize("rest", [False, True])
def test_a_file_with_another_axis_up_is_mended(walk: Motion, tmp_path: Path, up: str, rest: bool) -> None:
    file = tmp_path / "walk.glb"
    kinema.save(tipped(walk, turn_of(up, None), rest), file)
    wrong, right = kinema.load(file).motion(), kinema.load(file, up=up).motion()
    assert np.abs(wrong[:].global_positions - walk[:].global_positions).max() > 0.5
    np.testing.assert_allclose(right[:].global_positions, walk[:].global_positions, atol=1e-4)
    if up != "-y" or rest:  # a rest pose on its head is not told from one on its feet
        rested = right.skeleton.rest_pose.global_positions
        np.testing.assert_allclose(rested, walk.skeleton.rest_pose.global_positions, atol=1e-4)


def test_forward_alone_turns_the_body_about_the_vertical(walk: Motion, tmp_path: Path) -> None:
    kinema.save(walk, tmp_path / "walk.glb")
    motion = kinema.load(tmp_path / "walk.glb", forward="x").motion()
    before, after = walk[:].global_positions, motion[:].global_positions
    np.testing.assert_allclose(after[..., 1], before[..., 1], atol=1e-4)
    np.testing.assert_allclose(after[..., 2], before[..., 0], atol=1e-4)


def test_meshes_turn_with_the_body(biped: Skeleton) -> None:
    points = np.eye(3, dtype=np.float32)
    shape = {"positions": points, "normals": points, "indices": np.array([0, 1, 2], np.uint32)}
    hung = Mesh("hung", **shape, joint=0)
    loose = Mesh("loose", **shape, morphs=(Morph("m", points, None, 1.0),))
    character = Character("c", biped, (hung, loose))
    found = turned(Asset("x", "toy", biped, (), character), Z_UP).character
    assert found is not None
    for before, after in zip(character.meshes, found.meshes, strict=True):
        turned_points = rotations.rotate(Z_UP, before.skin(biped.rest_pose).astype(np.float64))
        np.testing.assert_allclose(after.skin(found.skeleton.rest_pose), turned_points, atol=1e-5)


def test_the_readers_own_guess_gives_way(walk: Motion, tmp_path: Path) -> None:
    file = tmp_path / "walk.bvh"
    kinema.save(tipped(walk, Z_UP, rest=True), file)
    guessed, stated = kinema.load(file).motion(), kinema.load(file, up="z").motion()
    for motion in (stated, guessed):
        order = [walk.skeleton.index(name) for name in motion.skeleton.names]
        np.testing.assert_allclose(motion[:].global_positions, walk[:].global_positions[:, order], atol=1e-3)
    lying = kinema.load(file, up="y").motion()
    assert np.ptp(lying[0].global_positions[:, 2]) > 1.2


@pytest.mark.parametrize("command", ["convert", "retarget", "info", "build"])
def test_commands_take_the_axes(walk: Motion, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    source, output = tmp_path / "walk.bvh", tmp_path / ("db" if command == "build" else "out.bvh")
    kinema.save(tipped(walk, Z_UP, rest=False), source)
    kinema.save(walk, tmp_path / "target.glb")
    told = {"retarget": ["--to", str(tmp_path / "target.glb"), "-o", str(output)], "info": []}
    rest = told.get(command, ["-o", str(output)] if command == "build" else [str(output)])
    assert main([command, str(source), *rest, "--up", "z"]) == 0
    shown = capsys.readouterr()
    assert "lies along" not in shown.out + shown.err
    if command in ("convert", "retarget"):
        after = kinema.load(output).motion()
        head = after.skeleton.roles.head
        assert head is not None and np.median(after[:].global_positions[:, head, 1]) > 1.2
    assert main([command, str(source), *rest, "--up", "w"]) == 2
    assert "no axis 'w'" in capsys.readouterr().err
