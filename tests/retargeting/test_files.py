"""Files onto a target, one by one and many at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kinema import Motion, Skeleton, formats
from kinema.errors import SkeletonError
from kinema.formats import batch
from kinema.retargeting.files import RetargetOptions, retarget_all, retarget_asset


@pytest.fixture
def files(tmp_path: Path, walk: Motion, small: Skeleton) -> tuple[Path, Path]:
    takes = tmp_path / "takes"
    takes.mkdir()
    for name, part in (("a", walk.cut(0, 50)), ("b", walk.cut(50, 90))):
        formats.save(part.replace(name=name), takes / f"{name}.bvh")
    (takes / "broken.bvh").write_text("HIERARCHY\n")
    target = tmp_path / "small.npz"
    formats.save(Motion.create(small, walk.local_rotations[:2] * 0 + small.rest_rotations), target)
    return takes, target


def test_a_folder_goes_into_a_folder_and_is_taken_up_again(files: tuple[Path, Path], tmp_path: Path) -> None:
    takes, target = files
    jobs = batch.plan([takes], tmp_path / "out", ".glb")
    done = {Path(one.outcome.path).name: one for one in retarget_all(jobs, RetargetOptions(str(target)), 1)}
    assert [done[name].outcome.status for name in ("a.bvh", "b.bvh", "broken.bvh")] == ["written", "written", "failed"]
    assert done["a.bvh"].reports[0].frames == 50 and not done["broken.bvh"].reports
    written = formats.load(tmp_path / "out" / "a.glb").motion()
    assert written.frames == 50 and written.skeleton.joint_count == formats.load(target).skeleton.joint_count  # type: ignore[union-attr]
    again = list(retarget_all(jobs, RetargetOptions(str(target)), 1))
    assert sorted(one.outcome.status for one in again) == ["failed", "skipped", "skipped"]


def test_one_clip_can_be_chosen(files: tuple[Path, Path]) -> None:
    takes, target = files
    asset = formats.load(takes / "a.bvh")
    moved, reports, pairs = retarget_asset(asset, RetargetOptions(str(target), clip=0))
    assert len(moved.motions) == len(reports) == len(pairs) == 1
    with pytest.raises(formats.FormatError, match="no clip 'jump'"):
        retarget_asset(asset, RetargetOptions(str(target), clip="jump"))
    with pytest.raises(SkeletonError, match="holds no motion"):
        retarget_asset(formats.Asset("x.glb", "gltf"), RetargetOptions(str(target)))


def test_what_the_finish_says_is_in_the_report(files: tuple[Path, Path], tmp_path: Path) -> None:
    takes, target = files

    def finish(asset: formats.Asset) -> formats.Asset:
        return replace(asset, warnings=(*asset.warnings, "joints keep their names"))

    jobs = [batch.Job(formats.open_source(takes / "a.bvh"), tmp_path / "a.glb")]
    (done,) = retarget_all(jobs, RetargetOptions(str(target), finish=finish), 1)
    assert done.reports[0].warnings[-1] == "joints keep their names"
