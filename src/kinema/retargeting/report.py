"""How well a retargeted motion fits: directions, ends of limbs, feet, smoothness."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.metrics.feet import DEEP
from kinema.motion import Motion
from kinema.retargeting.limbs import Limb
from kinema.retargeting.mapping import Match
from kinema.retargeting.stance import LIMBS, segments
from kinema.roles import Chain
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.retargeting.retargeter import Retargeter

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Footing:
    """One leg: of source and target, when it stands `[F]`, and how high both touch while it does, metres."""

    source: Limb
    target: Limb
    stands: NDArray[np.bool_]
    ground: float
    clearance: float


@dataclass(frozen=True)
class Report:
    """Figures of one motion; None where something does not apply.

    Attributes:
        frames: of the motion. wall_seconds: of the work without measuring it. frames_per_second: of both.
        direction_error_deg: median over matched limb bones and frames of the angle between the bone in the source and
            in the target; of bodies of other build between what they do from how they stand.
        direction_error_p95_deg: the 95th percentile of the same.
        position_error_cm: mean distance of hands and feet from where the source has them, as seen from the top of
            their limb in the target's size; position_error_limbs: the same in lengths of the limb.
        skate_before_cm_s, skate_after_cm_s: mean speed of standing feet in source and target, the same frames.
        skate_before_legs_s, skate_after_legs_s: the same in leg lengths a second.
        penetration_before_percent, penetration_after_percent: frames with a touching joint more than 1 cm (of an
            adult) below where it stands.
        jerk_ratio: mean jerk of matched joints in the target over that in the source, both in sizes of the body; in
            chains of other counts of joints, of places as far along.
        limit_hits: frames and hinges at which a robot's joint is outside its limits.
        unmatched: target joints with a known role that nothing moves.
        unmatched_source: source joints with a known role whose motion went nowhere.
        warnings: what was repaired or assumed.
    """

    frames: int
    wall_seconds: float
    frames_per_second: float
    direction_error_deg: float | None = None
    direction_error_p95_deg: float | None = None
    position_error_cm: float | None = None
    position_error_limbs: float | None = None
    skate_before_cm_s: float | None = None
    skate_after_cm_s: float | None = None
    skate_before_legs_s: float | None = None
    skate_after_legs_s: float | None = None
    penetration_before_percent: float | None = None
    penetration_after_percent: float | None = None
    jerk_ratio: float | None = None
    limit_hits: int = 0
    unmatched: tuple[str, ...] = ()
    unmatched_source: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @staticmethod
    def of(match: Match, frames: int, wall: float, warnings: Sequence[str]) -> Report:
        """What is known without measuring."""
        return Report(
            frames,
            wall,
            frames / max(wall, 1e-9),
            unmatched=match.unmatched_target,
            unmatched_source=match.unmatched_source,
            warnings=tuple(dict.fromkeys(warnings)),
        )

    def to_dict(self) -> dict[str, Any]:
        """The report as `kinema retarget --json` prints it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def measure(
    report: Report,
    setup: Retargeter,
    motion: Motion,
    source: tuple[Floats, Floats],
    result: Motion,
    footing: Sequence[Footing],
) -> Report:
    """The report with everything measured.

    Args:
        setup: of the pair.
        motion, source: the source and its global rotations and positions.
        result: the motion on the target.
        footing: the legs and when they stand.
    """
    world = result[:]
    target = world.global_rotations, world.global_positions
    angles = _directions(setup, source[1], target[1])
    errors, lengths = _positions(setup, source[1], target[1])
    return replace(
        report,
        **_feet(footing, source, target, motion.fps),
        direction_error_deg=float(np.median(angles)) if angles.size else None,
        direction_error_p95_deg=float(np.percentile(angles, 95)) if angles.size else None,
        position_error_cm=100.0 * float(errors.mean()) if errors.size else None,
        position_error_limbs=float((errors / lengths).mean()) if errors.size else None,
        jerk_ratio=_jerk_ratio(setup, source, target),
        limit_hits=_limit_hits(result),
    )


def _limb_pairs(setup: Retargeter) -> list[tuple[tuple[int, int, int], tuple[int, int, int], bool]]:
    """Upper, lower joint and end of matched limbs in source and target, and whether their bones run alike."""
    a, b = setup.source.roles, setup.target.roles
    straight = {leg.chain for pair in setup.legs for leg in pair if pair[0].straight and pair[1].straight}
    found = []
    for name, wanted in setup.match.chains.items():
        ours, theirs = b.chain(name), a.chain(wanted)
        if ours is None or theirs is None or ours.kind not in LIMBS or min(len(ours.joints), len(theirs.joints)) < 3:
            continue
        mine, yours = segments(b, ours), segments(a, theirs)
        if mine[2] is not None and yours[2] is not None:
            alike = ours.kind == theirs.kind and (ours.kind == "arm" or name in straight)
            found.append((yours, mine, alike))
    return found


def _directions(setup: Retargeter, source: Floats, target: Floats) -> Floats:
    """Angles in degrees between limb bones `[F, B]`, where those run alike."""
    angles = []
    for theirs, ours, alike in _limb_pairs(setup):
        for start, end in ((0, 1), (1, 2)) if alike else ():
            a = rotations.normalize_vector(source[:, theirs[end]] - source[:, theirs[start]])
            b = rotations.normalize_vector(target[:, ours[end]] - target[:, ours[start]])
            angles.append(np.degrees(np.arccos(np.clip(np.sum(a * b, axis=-1), -1.0, 1.0))))
    return np.stack(angles, axis=-1) if angles else np.zeros((0, 0), np.float32)


def _positions(setup: Retargeter, source: Floats, target: Floats) -> tuple[Floats, Floats]:
    """Distances `[F, L]` of the ends of limbs from those of the source, in metres, and the limbs' lengths `[L]`."""
    errors, lengths = [], []
    for theirs, ours, alike in _limb_pairs(setup):
        if alike:
            sizes = [_length(positions, joints) for positions, joints in ((source, theirs), (target, ours))]
            wanted = (source[:, theirs[2]] - source[:, theirs[0]]) * (sizes[1] / max(sizes[0], 1e-9))
            errors.append(np.linalg.norm(target[:, ours[2]] - target[:, ours[0]] - wanted, axis=-1))
            lengths.append(max(sizes[1], 1e-9))
    if not errors:
        return np.zeros((0, 0), np.float32), np.zeros(0, np.float32)
    return np.stack(errors, axis=-1), np.array(lengths, np.float32)


def _length(positions: Floats, joints: tuple[int, int, int]) -> float:
    upper, lower, end = positions[0, list(joints)]
    return float(np.linalg.norm(lower - upper) + np.linalg.norm(end - lower))


def _feet(
    footing: Sequence[Footing], source: tuple[Floats, Floats], target: tuple[Floats, Floats], fps: float
) -> dict[str, float | None]:
    speeds: dict[str, list[Floats]] = {"before": [], "after": []}
    scaled: dict[str, list[Floats]] = {"before": [], "after": []}
    depths: dict[str, list[Floats]] = {"before": [], "after": []}
    for foot in footing:
        points = foot.target.path(*target)
        for when, path, ground, length in (
            ("before", foot.source.path(*source), foot.ground, foot.source.length),
            ("after", points, foot.clearance, foot.target.length),
        ):
            both = foot.stands[1:] & foot.stands[:-1]
            speed = np.linalg.norm(np.diff(path, axis=0), axis=-1)[both] * fps
            speeds[when].append(speed)
            scaled[when].append(speed / max(length, 1e-9))
            depths[when].append((ground - path[:, 1]) / max(length, 1e-9))
    figures: dict[str, float | None] = {}
    for when in ("before", "after"):
        pooled = np.concatenate(speeds[when]) if speeds[when] else np.zeros(0)
        in_legs = np.concatenate(scaled[when]) if scaled[when] else np.zeros(0)
        figures[f"skate_{when}_cm_s"] = 100.0 * float(pooled.mean()) if pooled.size else None
        figures[f"skate_{when}_legs_s"] = float(in_legs.mean()) if pooled.size else None
        deep = np.max(depths[when], axis=0) > DEEP / 0.82 if depths[when] else np.zeros(0)
        figures[f"penetration_{when}_percent"] = 100.0 * float(deep.mean()) if deep.size else None
    return figures


def _jerk_ratio(setup: Retargeter, source: tuple[Floats, Floats], target: tuple[Floats, Floats]) -> float | None:
    if len(source[1]) < 4:
        return None
    jerks = np.zeros(2)
    for pair in _alike(setup, source, target):
        for index, positions in enumerate(pair):
            jerks[index] += np.linalg.norm(np.diff(positions.astype(np.float64), n=3, axis=0), axis=-1).mean(0).sum()
    still = 1e-7 * setup.source.height * len(setup.match.links)
    ratio = _size_ratio(setup, source, target)
    return float(jerks[1] / (ratio * jerks[0])) if jerks[0] > still and ratio > 0 else None


def _alike(
    setup: Retargeter, source: tuple[Floats, Floats], target: tuple[Floats, Floats]
) -> Iterator[tuple[Floats, Floats]]:
    """Places `[F, N, 3]` of the source and those of the target that are alike.

    In limbs and chains of as many joints these are joints; in others, of the target's joints, each with the place of
    the source that is as far along the chain, which goes to its tip.
    """
    linked = {link.target: link for link in setup.match.links}
    for name, wanted in setup.match.chains.items():
        ours, theirs = setup.target.roles.chain(name), setup.source.roles.chain(wanted)
        if ours is None or theirs is None or ours.kind in LIMBS or len(ours.joints) == len(theirs.joints):
            continue
        (line, along), (joints, places) = _line(setup.source, theirs, *source), _line(setup.target, ours, *target)
        kept = [index for index, joint in enumerate(ours.joints) if linked.pop(joint, None) is not None]
        after = np.clip(np.searchsorted(along, places[kept] - 1e-6), 1, len(along) - 1)
        spans = np.maximum(along[after] - along[after - 1], 1e-9)
        share = np.clip((places[kept] - along[after - 1]) / spans, 0.0, 1.0)[:, None]
        alike = (1 - share) * line[:, after - 1] + share * line[:, after]
        yield alike.astype(np.float32), joints[:, kept]
    links = [link for link in linked.values() if link.share == 0.0]
    yield source[1][:, [link.first for link in links]], target[1][:, [link.target for link in links]]


def _line(skeleton: Skeleton, chain: Chain, turned: Floats, placed: Floats) -> tuple[Floats, Floats]:
    """The joints of a chain and its tip, `[F, N, 3]`, and how far along each is, `[N]`, 0 to 1."""
    points = [placed[:, joint] for joint in chain.joints]
    last = chain.joints[-1]
    tips = skeleton.tip_offsets[skeleton.tip_joints == last]
    if len(tips) or len(points) == 1:
        tip = tips[0] if len(tips) else np.zeros(3, np.float32)
        points.append(placed[:, last] + rotations.rotate(turned[:, last], tip))
    line = np.stack(points, axis=1)
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line[0], axis=0), axis=-1))])
    return line, (along / max(float(along[-1]), 1e-9)).astype(np.float32)


def _size_ratio(setup: Retargeter, source: tuple[Floats, Floats], target: tuple[Floats, Floats]) -> float:
    """Length of all matched limbs, spines and necks of the target over that of the source's; legs to the ground."""
    lengths = np.zeros(2)
    legs = {other.chain: pair for pair in setup.legs for other in pair[1:]}
    for name, wanted in setup.match.chains.items():
        ours, theirs = setup.target.roles.chain(name), setup.source.roles.chain(wanted)
        if ours is None or theirs is None or ours.kind not in (*LIMBS, "spine", "neck"):
            continue
        for index, ((turned, placed), chain) in enumerate(((source, theirs), (target, ours))):
            if name in legs:
                leg = legs[name][index]
                first = turned[:1], placed[:1]
                line = np.stack([placed[0, leg.upper], placed[0, leg.lower], leg.ends(*first)[0], leg.path(*first)[0]])
            else:
                line = placed[0, list(chain.joints)]
            lengths[index] += np.linalg.norm(np.diff(line, axis=0), axis=-1).sum()
    return float(lengths[1] / lengths[0]) if lengths.min() > 1e-6 else setup.scale


def _limit_hits(motion: Motion) -> int:
    hits = 0
    for hinge in motion.skeleton.hinges:
        axis = np.asarray(hinge.axis, np.float32)
        turned = rotations.relative(motion.skeleton.rest_rotations[hinge.joint], motion.local_rotations[:, hinge.joint])
        twist = rotations.log(rotations.swing_twist(turned, axis)[1]) @ axis
        hits += int(np.count_nonzero((twist < hinge.lower - 1e-3) | (twist > hinge.upper + 1e-3)))
    return hits
