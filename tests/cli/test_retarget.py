"""`kinema retarget`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, formats
from kinema.benchmarks import data
from kinema.cli.main import main
from kinema.mocap.creatures import make_creature
from kinema.mocap.edits import EditedFile, change
from kinema.mocap.procedural import Segment, generate


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    walk, rig = tmp_path / "walk.bvh", tmp_path / "rig.npz"
    formats.save(generate(script=[Segment("walk", 1.0)], fps=30.0), walk)
    skeleton = data.rig()
    formats.save(Motion.create(skeleton, np.tile(skeleton.rest_rotations, (2, 1, 1))), rig)
    return walk, rig


def test_one_file(pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.glb"
    assert main(["retarget", str(pair[0]), "--to", str(pair[1]), "-o", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["outputs"] == [str(out)] and said["frames"] == 30 and said["jerk_ratio"] < 1.2
    assert said["skate_after_cm_s"] <= said["skate_before_cm_s"] and "LeftHandIndex1" in said["unmatched"]
    assert formats.load(out).motion().skeleton.joint_count == 65
    assert main(["retarget", str(pair[0]), "--to", str(pair[1]), "-o", str(out)]) == 1
    assert "--force" in capsys.readouterr().err


def test_what_the_source_has_nothing_for_is_generated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'kinema[learn]'")
    from kinema.generation.task import AnySkeletonTask, Options
    from kinema.learn.folder import save_model
    from kinema.learn.setting import Setting

    task, run = AnySkeletonTask(Options("XS")), tmp_path / "run"
    run.mkdir()
    model = task.model(Setting(more={"size": "XS"}))
    with torch.no_grad():
        for weights in model.parameters():  # an untrained network answers with the rest pose
            weights.add_(0.02 * torch.randn(weights.shape, generator=torch.Generator().manual_seed(0)))
    save_model(run, "any-skeleton", task, model, {})
    walk, rig = tmp_path / "walk.bvh", tmp_path / "trex.bvh"
    formats.save(generate(script=[Segment("walk", 1.0)], fps=30.0), walk)
    target = make_creature("trex").skeleton
    formats.save(Motion.create(target, np.tile(target.rest_rotations, (2, 1, 1))), rig)
    command = ["retarget", str(walk), "--to", str(rig), "--force"]
    assert main([*command, "-o", str(tmp_path / "plain.bvh")]) == 0
    capsys.readouterr()
    made = tmp_path / "made.bvh"
    assert main([*command, "-o", str(made), "--generate", "--model", str(run), "--seed", "4"]) == 0
    assert "joints that the source has nothing for are moved by the model: " in capsys.readouterr().err
    plain, moved = (formats.load_motion(path) for path in (tmp_path / "plain.bvh", made))
    apart = np.abs(plain.local_rotations - moved.local_rotations).max(axis=(0, 2))
    changed = {plain.skeleton.names[joint] for joint in np.flatnonzero(apart > 1e-4)}
    assert any(name.startswith("tail") for name in changed)
    assert not any(name.startswith(("leg", "hips", "spine")) for name in changed)
    assert main([*command, "-o", str(made), "--model", str(run)]) == 2
    assert "--model and --seed belong to --generate" in capsys.readouterr().err
    assert main([*command, "-o", str(made), "--generate", "--model", str(tmp_path)]) == 1
    assert "no trained model there" in capsys.readouterr().err


def test_edits_are_applied_when_asked_for(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = formats.open_source(pair[0])
    session = EditedFile.open(source, formats.load(source).motions)
    (clip,) = session.clips.values()
    clip.do(change.keep(clip.edits, 5, 25, "middle"))
    session.save()
    out = tmp_path / "out.glb"
    command = ["retarget", str(pair[0]), "--to", str(pair[1]), "-o", str(out), "--force"]
    assert main(command) == 0
    assert "1 of the files have edits beside them; --edits applies them" in capsys.readouterr().err
    assert formats.load(out).motion().frames == 30
    assert main([*command, "--edits"]) == 0
    assert formats.load(out).motion().frames == 20
    assert "edits beside them" not in capsys.readouterr().err
    assert main([*command, "--edits-folder", str(tmp_path)]) == 2


def test_a_format_without_motion_is_refused_and_losses_are_told(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.vrm"
    assert main(["retarget", str(pair[0]), "--to", str(pair[1]), "-o", str(out)]) == 1
    assert "a .vrm holds no motion, which is all there is to write" in capsys.readouterr().err and not out.exists()
    stated = formats.load(pair[0]).motion()
    formats.save(stated.replace(labels={"phase": np.zeros(stated.frames)}), tmp_path / "walk.glb")
    assert main(["retarget", str(tmp_path / "walk.glb"), "--to", str(pair[1]), "-o", str(tmp_path / "out.bvh")]) == 0
    assert ".bvh has no place for label 'phase'" in capsys.readouterr().err


def test_a_folder_and_its_table(pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    takes = tmp_path / "takes"
    takes.mkdir()
    pair[0].rename(takes / "walk.bvh")
    arguments = ["retarget", str(takes), "--to", str(pair[1]), "-o", str(tmp_path / "out"), "--workers", "1"]
    assert main(arguments) == 2
    assert "--to-format" in capsys.readouterr().err
    assert main([*arguments, "--to-format", "bvh"]) == 0
    assert "1 retargeted, 0 skipped, 0 failed" in capsys.readouterr().out
    assert main([*arguments, "--to-format", "bvh"]) == 0
    assert "0 retargeted, 1 skipped, 0 failed" in capsys.readouterr().out


def test_what_does_not_fit_is_one_line(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "map.json"
    broken.write_text("{")
    arguments = ["retarget", str(pair[0]), "--to", str(pair[1]), "-o", str(tmp_path / "x.glb")]
    assert main([*arguments, "--map", str(broken)]) == 1
    assert main([*arguments, "--clip", "jump"]) == 1
    assert main(["retarget", str(pair[0]), "--to", str(tmp_path / "no.glb"), "-o", str(tmp_path / "x.glb")]) == 1
    assert len(capsys.readouterr().err.strip().splitlines()) == 3


def test_for_a_program(pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    arguments = ["retarget", str(pair[0]), "--to", str(pair[1]), "-o", str(out)]
    assert main(arguments) == 2
    assert "--to-format FORMAT or --for PROGRAM" in capsys.readouterr().err
    assert main([*arguments, "--for", "unreal", "--names", "standard"]) == 0
    skeleton = formats.load(out / "walk.fbx").skeleton
    assert skeleton is not None and skeleton.names[:2] == ("root", "pelvis") and "calf_l" in skeleton.names
    arguments[-1] = str(tmp_path / "walk.bvh.bvh")
    assert main([*arguments, "--for", "maya"]) == 0
    assert "maya reads no .bvh files" in capsys.readouterr().err
    arguments[-1] = str(tmp_path / "walk.txt")
    assert main(arguments) == 1
    assert "cannot write .txt files" in capsys.readouterr().err


def test_stated_roles_of_the_target(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A finger that nothing moves is named, unless somebody states that it is no finger."""
    stated = tmp_path / "mine.toml"
    arguments = ["retarget", str(pair[0]), "--to", str(pair[1]), "-o", str(tmp_path / "out.npz"), "--json", "--force"]
    stated.write_text('[roles]\nLeftHandIndex1 = "left_prop"\n')
    assert main([*arguments, "--roles-file", str(stated)]) == 0
    unmatched = json.loads(capsys.readouterr().out)["unmatched"]
    assert "LeftHandIndex1" not in unmatched and "LeftHandIndex2" in unmatched
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('[roles]\nLeftHandIndex9 = "left_prop"\n')
    assert main([*arguments, "--roles-file", str(wrong)]) == 1
    assert "did you mean" in capsys.readouterr().err


def test_roles_beside_a_motion_are_heard(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Arms that are stated to be props move no arms."""
    arguments = ["retarget", str(pair[0]), "--to", str(pair[1]), "-o", str(tmp_path / "out.npz"), "--json", "--force"]
    assert main(arguments) == 0
    assert "LeftArm" not in json.loads(capsys.readouterr().out)["unmatched"]
    arm = ("Shoulder", "Arm", "ForeArm", "Hand")
    lines = [f'{side}{part} = "{side.lower()}_prop"' for side in ("Left", "Right") for part in arm]
    pair[0].with_name("walk.roles.toml").write_text("[roles]\n" + "\n".join(lines))
    assert main(arguments) == 0
    assert "LeftArm" in json.loads(capsys.readouterr().out)["unmatched"]
