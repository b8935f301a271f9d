"""Every clip of the shared data that moves a person or an animal on four legs, onto a person, a horse and a fox."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from kinema import Motion, formats
from kinema.errors import KinemaError
from kinema.retargeting import Retargeted, Retargeter

LONG = 1500  # frames
CLIPS = 12  # of each file, at most
MOST_BYTES = 60_000_000
OFF = 0.15 / 0.82  # of the leg: as far as a foot may be in the ground or above it, 15 cm of an adult
PEOPLE = ("characters/mesh2motion/human-zombie.glb",)
ANIMALS = ("any_topology/quaternius/Horse.glb", "any_topology/quaternius/Fox.glb")
KNOWN = {  # what falls short, as the documentation says
    "hips are": (
        "bird-animations.glb", "kaiju-animations.glb", "cyberpunk_pack_Enemy_2Legs.glb",  # two legs as no person has
        "D1_010_KAN01_004.bvh D1_010_KAN01_004 -> Fox",  # jumps and turns
        "Monster.glb",  # whose roles are wrong
    ),
    "skates": ("Frog.glb", "Triceratops_Jump -> Fox"),  # on splayed legs
    "in the ground": ("D1_049_KAN01_001.bvh D1_049_KAN01_001 -> Fox",),  # sits on long feet
}  # fmt: skip
NO_PEOPLE = ("bird-animations.glb", "kaiju-animations.glb", "cyberpunk_pack_Enemy_2Legs.glb", "Chicken_")
SMOOTH, SMOOTH_SHARE = 1.1, 0.97  # jerk ratio of most clips of people
SUFFIXES = (".bvh", ".fbx", ".glb", ".npz", ".vrma", ".amc")


def clips(folder: Path) -> Iterator[tuple[str, Motion]]:
    """Clips of the files below a folder that can be read and move somebody on two or four legs."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in SUFFIXES or path.stat().st_size > MOST_BYTES or "broken" in path.parts:
            continue
        try:
            motions = formats.load(path).motions
        except KinemaError:
            continue  # refused files are the business of the formats' tests
        for motion in motions[:CLIPS]:
            if motion.frames >= 10:
                yield f"{path.relative_to(folder)} {motion.name[-16:]}", motion.cut(0, LONG)


def is_known(title: str, line: str) -> bool:
    """Whether this is known to be wrong about this clip."""
    return any(what in line and any(name in title for name in names) for what, names in KNOWN.items())


def wrong(setup: Retargeter, motion: Motion, result: Retargeted) -> list[str]:
    """What is wrong about a result. Feet are compared with those of the source: some climb, some lie."""
    report, found = result.report, []
    pose, source = result.motion[:], motion[:]
    if not np.isfinite(pose.global_positions).all():
        return ["not finite"]
    if (report.direction_error_deg or 0.0) >= 15.0:
        found.append(f"bones point {report.direction_error_deg:.0f} degrees elsewhere")
    states = setup.contacts(source, motion.fps)
    floating = []
    for leg, state in zip(setup.legs, states, strict=True):
        limb = leg.target
        above = limb.path(pose)[:, 1] - leg.clearance
        depth = float((above - np.minimum(state.heights, 0.0)).min())
        if depth < -OFF * limb.top:
            found.append(f"{limb.chain} is {-100 * depth:.0f} cm in the ground")
        floating.append((above - np.maximum(state.heights, 0.0)) / limb.top)
    stands = np.any([state.stands for state in states], axis=0)
    if stands.any() and (high := float(np.median(np.min(floating, axis=0)[stands]))) > OFF:
        found.append(f"feet are {high:.2f} legs above the ground")
    tops = [setup.legs[index] for index in setup.tops]
    lift = float(np.mean([setup.lift(index, states[index].ground) for index in setup.tops]))
    wanted = setup.scale * np.mean([source.global_positions[:, leg.source.upper, 1] for leg in tops], axis=0) + lift
    height = np.mean([pose.global_positions[:, leg.target.upper, 1] for leg in tops], axis=0)
    if (off := float(np.median(np.abs(height - wanted)))) > 0.3 * float(np.mean([leg.target.top for leg in tops])):
        found.append(f"hips are {100 * off:.0f} cm off")
    before, after = report.skate_before_legs_s, report.skate_after_legs_s
    if before is not None and after is not None and after > before + 1e-3:
        found.append(f"skates {before:.3f} before, {after:.3f} after")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["people", "animals"])
def test_no_clip_collapses(data_dir: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    targets = {name: formats.load(data_dir / name) for name in (PEOPLE if kind == "people" else ANIMALS)}
    rows: list[str] = []
    bad: list[str] = []
    jerks: list[tuple[str, float, float]] = []
    for name, motion in clips(data_dir):
        roles = motion.skeleton.roles
        four = roles.plan == "quadruped"
        if four != (kind == "animals") or not (four or roles.is_biped):
            continue
        for target, asset in targets.items():
            title = f"{name} -> {Path(target).stem}"
            setup = Retargeter(motion.skeleton, asset, motions=[motion])
            if not setup.tops:
                rows.append(f"{title}: no legs")
                continue
            result = setup(motion)
            found, report = wrong(setup, motion, result), result.report
            figures = (
                report.direction_error_deg,
                report.skate_before_legs_s,
                report.skate_after_legs_s,
                report.jerk_ratio,
                report.jerk_ratio_by_size,
            )
            shown = " ".join("-" if x is None else f"{x:.3f}" for x in figures)
            rows.append(f"{title}: {shown} {'; '.join(found)}")
            bad += [f"{title}: {line}" for line in found if not is_known(title, line)]
            if report.jerk_ratio is not None and report.jerk_ratio_by_size is not None:
                jerks.append((title, report.jerk_ratio, report.jerk_ratio_by_size))
    of_their_kind = [row for row in jerks if not any(name in row[0] for name in NO_PEOPLE)]
    with capsys.disabled():
        print(
            "\nclip -> target: direction, degrees; skate before and after, legs a second; jerk; by size; what is wrong"
        )
        print("\n".join(rows))
        print(f"{len(rows)} {kind}, {len(bad)} wrong")
        for which, chosen in (("all", jerks), ("birds and the like left out", of_their_kind)):
            ratios = np.array([row[1:] for row in chosen])
            for column, name in enumerate(("jerk", "jerk by size")):
                median, most = np.median(ratios[:, column]), np.quantile(ratios[:, column], 0.95)
                over = np.count_nonzero(ratios[:, column] > SMOOTH)
                print(f"{name}, {which}: {len(chosen)}, median {median:.2f}, 95 % {most:.2f}, {over} above {SMOOTH}")
    assert len(rows) > (100 if kind == "people" else 30)
    assert not bad, "\n".join(bad)
    if kind == "people":
        rough = [row for row in of_their_kind if row[1] > SMOOTH]
        assert len(rough) <= (1.0 - SMOOTH_SHARE) * len(of_their_kind), rough
