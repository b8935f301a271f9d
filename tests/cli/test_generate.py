"""`kinema generate` and `kinema edit`, with a model that has learned nothing."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

import kinema
from kinema.cli.main import main
from kinema.formats import Asset, load, load_motion
from kinema.generation.task import AnySkeletonTask, Options
from kinema.learn.folder import save_model
from kinema.learn.setting import Setting
from kinema.mocap.creatures import Act, make_creature, perform


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    task, folder = AnySkeletonTask(Options("XS")), tmp_path_factory.mktemp("run")
    network = task.model(Setting(more={"size": "XS"}))
    chance = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for weights in network.parameters():  # an untrained network answers with the rest pose
            weights.add_(0.02 * torch.randn(weights.shape, generator=chance))
    save_model(folder, "any-skeleton", task, network, {})
    return str(folder)


@pytest.mark.slow
def test_samples_of_a_creature_go_into_one_file(model: str, tmp_path: Path, capsys) -> None:
    out = tmp_path / "walks.glb"
    words = ["--rig", "dog", "--text", "walks slowly, then jumps", "--seconds", "2", "--count", "3", "--steps", "2"]
    assert main(["generate", *words, "--model", model, "-o", str(out), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["outputs"] == [str(out)]
    assert report["steps"] == 2
    assert report["seconds_generated"] == pytest.approx(6.0, abs=0.2)
    motions = load(out).motions
    assert len(motions) == 3
    assert motions[0].seconds == pytest.approx(2.0, abs=0.1)
    assert main(["generate", *words, "--model", model, "-o", str(out)]) == 1
    assert "give --force" in capsys.readouterr().err


def test_a_file_of_one_clip_is_numbered_and_has_the_rate_that_was_asked_for(model: str, tmp_path: Path) -> None:
    kinema.save(perform(make_creature("spider"), [Act("idle", 1.0)]), tmp_path / "spider.bvh")
    words = ["--rig", str(tmp_path / "spider.bvh"), "--action", "attack", "--seconds", "1", "--fps", "60"]
    out = str(tmp_path / "a.bvh")
    assert main(["generate", *words, "--count", "2", "--steps", "1", "--model", model, "-o", out]) == 0
    for number in (1, 2):
        motion = load_motion(tmp_path / f"a_{number}.bvh")
        assert motion.fps == pytest.approx(60, rel=1e-3)
        assert motion.seconds == pytest.approx(1.0, abs=0.1)


@pytest.mark.slow
def test_a_body_without_motion_is_learned_from_clips_that_are_acted_out(tmp_path: Path, capsys) -> None:
    rig, few, run = (str(tmp_path / name) for name in ("crab.glb", "few.col", "run"))
    kinema.save(Asset("", "", make_creature("crab").skeleton, (), None), rig)
    assert main(["build", rig, "--any-skeleton", "-o", few]) == 1
    assert "--perform N makes some" in capsys.readouterr().err
    assert main(["build", rig, "--any-skeleton", "--perform", "3", "-o", few]) == 0
    assert "3 clips of 1 skeletons" in capsys.readouterr().out
    recipe = ["--steps", "1", "--batch", "2", "--set", "size=XS"]
    assert main(["train", "any-skeleton", "--data", few, "-o", run, *recipe]) == 0
    out = tmp_path / "a.bvh"
    asked = ["--action", "walk", "--cadence", "2", "--seconds", "1", "--steps", "1"]
    assert main(["generate", "--rig", rig, *asked, "--model", run, "-o", str(out)]) == 0
    assert load_motion(out).seconds == pytest.approx(1.0, abs=0.1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--text", "xyzzy plugh"], "walk, run, jump"),
        (["--text", "el caballo corre por el campo"], "English"),
        (["--path", "0,0"], "two points or more"),
        (["--path", "a,b"], "points such as"),
        (["--path", "0,0", "1e9,0"], "can be asked of it"),
        (["--speed", "1e6"], "can be asked of it"),
        (["--turn", "1e6"], "up to 720 degrees"),
        (["--turn", "nan"], "is not a number"),
        (["--count", "1000000"], "up to 120,000 are made at once"),
        (["--fps", "100000"], "up to 120,000 are made at once"),
        (["--guidance", "1e30"], "from 0 to 100"),
        (["--rig", "unicorn"], "the creatures are: person"),
        (["--text", "walks, then jumps, then runs", "--seconds", "0.3"], "need 0.8 s"),
        (["--seconds", "9999"], "kinema play --generate"),
        (["--model", "/nowhere"], "no trained model there"),
    ],
)
def test_what_cannot_be_done_is_one_line(model: str, tmp_path: Path, capsys, words: list[str], said: str) -> None:
    given = [] if "--model" in words else ["--model", model]
    assert main(["generate", "--rig", "dog", *words, *given, "-o", str(tmp_path / "x.bvh")]) in (1, 2)
    err = capsys.readouterr().err.strip()
    assert said in err
    assert len(err.splitlines()) == 1


def test_an_edit_keeps_what_it_keeps(model: str, tmp_path: Path) -> None:
    source, out = tmp_path / "walk.bvh", tmp_path / "out.bvh"
    kinema.save(perform(make_creature("dog"), [Act("walk", 3.0)], fps=60), source)
    words = ["edit", str(source), "--between", "1", "2", "--model", model, "--steps", "2", "-o", str(out)]
    assert main(words) == 0
    before, after = load_motion(source), load_motion(out)
    assert after.fps == pytest.approx(before.fps)
    apart = np.abs(before[:].global_positions - after[:].global_positions).max(axis=(1, 2))
    assert apart[:58].max() < 1e-4
    assert apart[124:].max() < 1e-4
    assert apart[70:110].max() > 1e-3


def test_an_edit_goes_on_where_a_clip_ends(model: str, tmp_path: Path) -> None:
    source, out = tmp_path / "walk.bvh", tmp_path / "out.bvh"
    kinema.save(perform(make_creature("dog"), [Act("walk", 2.0)]), source)
    more = ["--more", "1.5", "--text", "runs", "--model", model, "--steps", "1"]
    assert main(["edit", str(source), *more, "-o", str(out)]) == 0
    assert load_motion(out).seconds == pytest.approx(3.5, abs=0.1)


def test_an_edit_must_say_what_is_new(model: str, tmp_path: Path, capsys) -> None:
    source = tmp_path / "walk.bvh"
    kinema.save(perform(make_creature("dog"), [Act("walk", 2.0)]), source)
    assert main(["edit", str(source), "--model", model, "-o", str(tmp_path / "o.bvh")]) == 2
    assert "say what is to be new" in capsys.readouterr().err
