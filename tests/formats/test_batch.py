"""Many files at once."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, Skeleton
from kinema.character import Character
from kinema.errors import FormatError
from kinema.formats import Asset, batch, load_motion, open_source, save
from kinema.formats.gltf.bones import bone_mesh


@pytest.fixture
def walk(biped: Skeleton) -> Motion:
    rotations = np.zeros((12, biped.joint_count, 4), np.float32)
    rotations[..., 0] = 1
    translations = np.repeat(biped.rest_translations[None], 12, axis=0)
    translations[:, 0, 2] = np.linspace(0, 1, 12)
    return Motion.create(biped, rotations, translations, fps=30, name="walk")


@pytest.fixture
def takes(tmp_path: Path, walk: Motion) -> Path:
    """A folder with a file, a file in a subfolder, and a broken file."""
    folder = tmp_path / "takes"
    (folder / "sub").mkdir(parents=True)
    save(walk, folder / "a.bvh")
    save(walk, folder / "sub" / "b.bvh")
    (folder / "broken.bvh").write_text("HIERARCHY\nROOT Hips\n{\n")
    (folder / "notes.txt").write_text("not motion")
    return folder


def by_name(outcomes) -> dict[str, batch.Outcome]:
    return {Path(outcome.path).name: outcome for outcome in outcomes}


def test_folders_are_kept_and_the_broken_one_is_told(takes: Path, tmp_path: Path, walk: Motion) -> None:
    jobs = batch.plan([takes], tmp_path / "out", ".npz")
    outcomes = by_name(batch.convert_all(jobs))
    assert {name: outcome.status for name, outcome in outcomes.items()} == {
        "a.bvh": "written",
        "b.bvh": "written",
        "broken.bvh": "failed",
    }
    assert outcomes["broken.bvh"].reason and "broken.bvh" in outcomes["broken.bvh"].reason
    assert sorted(str(p.relative_to(tmp_path / "out")) for p in (tmp_path / "out").rglob("*.*")) == [
        "a.npz",
        os.path.join("sub", "b.npz"),
    ]
    read = load_motion(tmp_path / "out" / "sub" / "b.npz")
    np.testing.assert_allclose(read[:].global_positions, walk[:].global_positions, atol=1e-4)


def test_processes_give_the_same(takes: Path, tmp_path: Path) -> None:
    alone = list(batch.convert_all(batch.plan([takes], tmp_path / "one", ".npz"), workers=1))
    together = list(batch.convert_all(batch.plan([takes], tmp_path / "two", ".npz"), workers=2))
    assert {o.path: (o.status, o.reason) for o in alone} == {o.path: (o.status, o.reason) for o in together}
    for file in (tmp_path / "one").rglob("*.npz"):
        assert (tmp_path / "two" / file.relative_to(tmp_path / "one")).read_bytes() == file.read_bytes()


def test_an_archive_is_a_folder(takes: Path, tmp_path: Path) -> None:
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(takes / "a.bvh", "deep/a.bvh")
    (job,) = batch.plan([archive], tmp_path / "out", ".npz")
    assert job.output == tmp_path / "out" / "deep" / "a.npz"
    (inside,) = batch.plan([tmp_path], tmp_path / "out", ".npz")[:1]
    assert inside.output == tmp_path / "out" / "packed" / "deep" / "a.npz"
    assert batch.convert(job).status == "written"


def test_second_run_skips_and_force_writes_again(takes: Path, tmp_path: Path) -> None:
    (job,) = batch.plan([takes / "a.bvh"], tmp_path / "out", ".npz")
    assert batch.convert(job).status == "written"
    job.output.write_bytes(b"mine")
    assert batch.convert(job).status == "skipped"
    assert job.output.read_bytes() == b"mine"
    assert batch.convert(job, batch.ConvertOptions(force=True)).status == "written"
    assert job.output.read_bytes() != b"mine"


def test_resampling(takes: Path, tmp_path: Path) -> None:
    (job,) = batch.plan([takes / "a.bvh"], tmp_path, ".npz")
    assert batch.convert(job, batch.ConvertOptions(fps=60)).status == "written"
    assert load_motion(job.output).fps == 60


def test_unit_is_handed_to_bvh(takes: Path, tmp_path: Path) -> None:
    job = batch.Job(open_source(takes / "a.bvh"), tmp_path / "a.npz")
    batch.convert(job, batch.ConvertOptions(unit="m"))
    metres = load_motion(job.output).skeleton.height
    batch.convert(job, batch.ConvertOptions(unit="cm", force=True))
    assert load_motion(job.output).skeleton.height == pytest.approx(metres / 100, rel=1e-4)


def test_two_inputs_for_one_output_are_refused_before_anything_is_written(takes: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.bvh").write_bytes((takes / "a.bvh").read_bytes())
    with pytest.raises(FormatError, match="as would"):
        batch.plan([takes / "a.bvh", tmp_path / "other" / "a.bvh"], tmp_path / "out", ".npz")
    assert not (tmp_path / "out").exists()


def test_empty_folder_and_unknown_suffix(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no supported files"):
        batch.plan([tmp_path], tmp_path / "out", ".npz")
    with pytest.raises(FormatError, match="supported are"):
        batch.plan([tmp_path], tmp_path / "out", ".docx")


def test_missing_file_is_a_failed_job(tmp_path: Path) -> None:
    (job,) = batch.plan([tmp_path / "gone.bvh"], tmp_path / "out", ".npz")
    outcome = batch.convert(job)
    assert outcome.status == "failed" and "no such file" in (outcome.reason or "")


def test_output_folder_that_is_a_file(takes: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("in the way")
    (job,) = batch.plan([takes / "a.bvh"], tmp_path / "out", ".npz")
    outcome = batch.convert(job)
    assert outcome.status == "failed" and "\n" not in (outcome.reason or "\n")
    assert (tmp_path / "out").read_text() == "in the way"


def test_several_clips_become_one_bvh_each(tmp_path: Path, walk: Motion) -> None:
    from kinema.formats import Asset

    clips = (walk, walk.replace(name="run fast"), walk.replace(name="run/fast"))
    save(Asset("x", "npz", walk.skeleton, clips), tmp_path / "many.glb")
    job = batch.Job(open_source(tmp_path / "many.glb"), tmp_path / "many.bvh")
    outcome = batch.convert(job)
    assert outcome.status == "written", outcome.reason
    assert [Path(path).name for path in outcome.outputs] == [
        "many.walk.bvh",
        "many.run_fast.bvh",
        "many.run_fast.2.bvh",
    ]
    assert batch.convert(job).status == "skipped"


def test_a_name_too_long_for_the_disk_is_one_failed_job(takes: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "long.zip", "w") as archive:
        archive.writestr(f"{'a' * 300}.bvh", b"HIERARCHY")
    outcome = batch.convert(batch.plan([tmp_path / "long.zip"], tmp_path / "out", ".npz")[0])
    assert outcome.status == "failed" and outcome.reason


def test_one_name_in_two_formats_makes_two_files(takes: Path, tmp_path: Path, walk: Motion) -> None:
    save(walk, takes / "a.glb")
    jobs = batch.plan([takes], tmp_path / "out", ".npz")
    assert {job.source.name: job.output.name for job in jobs if job.source.stem == "a"} == {
        "a.bvh": "a.npz",
        "a.glb": "a.glb.npz",
    }


def test_outcomes_say_how_much_was_read(takes: Path, tmp_path: Path) -> None:
    (job,) = batch.plan([takes / "a.bvh"], tmp_path / "out", ".npz")
    outcome = batch.convert(job)
    assert (outcome.clips, outcome.frames) == (1, 12) and outcome.seconds > 0


def test_readers_and_writers_are_given_their_options(takes: Path, tmp_path: Path) -> None:
    (job,) = batch.plan([takes / "a.bvh"], tmp_path / "out", ".bvh")
    options = batch.ConvertOptions(reading={".bvh": {"unit": "m"}}, writing={".bvh": {"unit": "cm"}})
    assert batch.convert(job, options).status == "written"
    plain = load_motion(takes / "a.bvh", unit="m").skeleton.rest_translations
    np.testing.assert_allclose(load_motion(job.output, unit="m").skeleton.rest_translations, plain * 100, rtol=1e-4)


@pytest.mark.parametrize("suffix", [".npz", ".NPZ", ".vrma", ".bvh"])
def test_several_clips_become_a_file_each_where_the_format_holds_one(tmp_path: Path, walk: Motion, suffix: str) -> None:
    asset = Asset("a", "gltf", walk.skeleton, (walk, walk.replace(name="läuf/x 2")))
    save(asset, tmp_path / "a.glb")
    outcome = batch.convert(batch.Job(open_source(tmp_path / "a.glb"), tmp_path / f"out{suffix}"))
    assert outcome.reason is None
    assert [Path(path).name for path in outcome.outputs] == [f"out.walk{suffix}", f"out.läuf_x_2{suffix}"]
    assert [load_motion(path).frames for path in outcome.outputs] == [12, 12]


def test_what_is_left_out_is_a_warning(tmp_path: Path, walk: Motion) -> None:
    save(walk.replace(labels={"phase": np.zeros(12, np.float32)}), tmp_path / "a.glb")
    outcome = batch.convert(batch.Job(open_source(tmp_path / "a.glb"), tmp_path / "a.bvh"))
    assert outcome.losses == outcome.warnings == (".bvh has no place for label 'phase'",)
    avatar = Asset("a", "gltf", walk.skeleton, (walk,), Character("a", walk.skeleton, (bone_mesh(walk.skeleton),)))
    save(avatar, tmp_path / "b.glb")
    outcome = batch.convert(batch.Job(open_source(tmp_path / "b.glb"), tmp_path / "b.vrm"))
    assert outcome.status == "written" and outcome.losses == (".vrm has no place for 1 clip",)


def test_motions_alone_are_refused_where_a_format_holds_none(tmp_path: Path, walk: Motion) -> None:
    save(walk, tmp_path / "a.glb")
    job = batch.Job(open_source(tmp_path / "a.glb"), tmp_path / "a.vrm")
    for options in (batch.ConvertOptions(motions_only=True), batch.ConvertOptions()):
        outcome = batch.convert(job, options)
        assert outcome.status == "failed" and not job.output.exists()
        assert "a .vrm holds no motion, which is all there is to write; use .bvh .csv" in str(outcome.reason)


def test_any_trouble_with_a_file_is_that_file_s_own(tmp_path: Path, walk: Motion) -> None:
    save(walk, tmp_path / "a.bvh")

    def breaks(asset: Asset) -> Asset:
        raise AttributeError("faces\nare missing")

    job = batch.Job(open_source(tmp_path / "a.bvh"), tmp_path / "a.glb")
    outcome = batch.convert(job, batch.ConvertOptions(change=breaks))
    assert outcome.reason == f"{tmp_path / 'a.bvh'}: AttributeError: faces\\nare missing"
    assert outcome.trace is not None and "in breaks" in outcome.trace


def test_a_character_at_rest_is_no_motion_file(tmp_path: Path, biped: Skeleton) -> None:
    save(Character("a", biped, (bone_mesh(biped),)), tmp_path / "a.glb")
    outcome = batch.convert(batch.Job(open_source(tmp_path / "a.glb"), tmp_path / "a.bvh"))
    said = "a.bvh: a .bvh holds a motion, and there is only a character to write; use .fbx .glb"
    assert outcome.reason is not None and said in outcome.reason and not (tmp_path / "a.bvh").exists()
