"""Dying: the body falls to a side, onto its face or its belly, and stays down."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.mocap.creatures.channels import NAMES
from kinema.mocap.creatures.course import Deed
from kinema.mocap.creatures.scene import Scene
from kinema.mocap.creatures.standing import Standing
from kinema.mocap.procedural.script import smooth_step

_KEPT = ("fold",)
_SHUT = 0.9  # fold of the wings of a body on its side
_BACK = 2.7  # roll of an arthropod on its back


def die(scene: Scene, deed: Deed) -> None:
    """Collapse; the body stays down to the end of the clip."""
    rng, channels = scene.rng, scene.channels
    seconds = min(rng.uniform(3.5, 6.0) * scene.unit * 2.0 ** (-0.5 * deed.act.pace), 0.8 * deed.act.seconds)
    seconds = max(seconds, _falling(scene, deed))
    share = (scene.times - deed.start) / seconds
    fall = smooth_step(share)
    limp = smooth_step(share * 1.2 - 0.1)
    for name in NAMES:
        if name not in _KEPT:
            setattr(channels, name, getattr(channels, name) * (1 - fall))
    side = 1.0 if rng.random() < 0.5 else -1.0
    pitch, roll = _fallen(scene, side)
    body = scene.body
    if scene.kind.medium in ("crawl", "swim"):
        channels.roll += roll * fall
        channels.lift += (0.12 * body.length * fall) if scene.kind.medium == "swim" else 0.0
        channels.jaw += 0.35 * fall
        channels.wave *= 1 - fall
        return
    if body.anatomy.wings:
        _drop_wings(scene, limp, abs(roll) > 2.0)
    knee = smooth_step(share * 2.0) * (1 - fall)
    channels.pitch += pitch * fall + 0.12 * knee
    channels.roll += roll * fall
    channels.lift += _lying(body, pitch, roll) * _dropping(share)
    channels.slack += limp
    channels.curl += limp * _curl(scene, abs(roll) > 1.0)
    if body.upright and abs(roll) > 1.0:  # arms come to lie in front of the body, not under it
        channels.arm_raise += 1.3 * limp
    channels.jaw += 0.25 * fall
    channels.tail_yaw += 0.3 * side * fall
    channels.head_yaw += 0.15 * side * fall


def _curl(scene: Scene, turned_over: bool) -> float:
    """How far the legs of the dead are drawn in."""
    if len(scene.body.legs) <= 4:
        return 0.25
    return 1.0 if turned_over else float(scene.rng.uniform(0.35, 1.0))


def _drop_wings(scene: Scene, limp: Floats, on_back: bool) -> None:
    """Wings fold, or lie half open on the ground beside a body on its back."""
    channels = scene.channels
    folded = scene.rng.uniform(0.1, 0.6) if on_back else _SHUT
    channels.fold += (folded - channels.fold) * limp
    channels.flap -= 0.25 * on_back * limp
    channels.neck_pitch += 0.8 * on_back * limp


def _falling(scene: Scene, deed: Deed) -> float:
    """How long a body falls that dies in the air."""
    airborne = float(np.interp(deed.start, scene.times, scene.course.airborne))
    return scene.kind.pacing.fall_seconds(airborne)


def _dropping(share: Floats) -> Floats:
    """Share of the fall in height: slow at first, then faster, with a small rebound."""
    return smooth_step(share * 1.05) - 0.04 * np.sin(np.pi * np.clip((share - 0.95) / 0.35, 0, 1))


def _fallen(scene: Scene, side: float) -> tuple[float, float]:
    """Pitch and roll of the body when it is down."""
    body, rng = scene.body, scene.rng
    if scene.kind.medium == "crawl":
        return 0.0, 2.6 * side
    if scene.kind.medium == "swim":
        return 0.0, 2.8 * side
    if body.upright:
        choice = int(rng.integers(3))
        return ((1.5, 0.0), (-1.5, 0.0), (0.0, 1.45 * side))[choice]
    if body.anatomy.tentacles:
        return 0.0, 0.0
    if body.hovers:  # what hangs below it is in the way of its belly
        return 0.0, 1.42 * side
    if len(body.legs) > 4:  # on the belly, tilted to a side, or on the back, where claws would be in the way
        tilted = rng.uniform(0.2, 0.4 if body.anatomy.arms else 0.7)
        return 0.0, side * float(rng.choice((0.08, tilted, tilted if body.anatomy.arms else _BACK)))
    if body.sprawled:
        return 0.0, 0.12 * side
    if body.anatomy.wings and len(body.legs) == 2:  # birds lie on their backs
        return -_slope(body), 3.05 * side
    return 0.0, 1.42 * side


def _slope(body: Standing) -> float:
    """How steeply the trunk rises to the front, radians."""
    way = body.positions[body.anatomy.front[-1] if not body.anatomy.trunk else body.anatomy.trunk[-1]] - body.pivot
    return float(np.arctan2(way[1], max(way[2], 1e-6)))


def _lying(body: Standing, pitch: float, roll: float) -> float:
    """Change of height of the pivot, metres, that lays the fallen body on the ground."""
    spin = rotations.from_euler(np.asarray([0.0, pitch, roll]), "YXZ")
    flesh = 0.35 * body.girth
    if (abs(roll) < 0.3 and abs(pitch) < 0.3) or (len(body.legs) > 4 and abs(roll) < 1.0):
        trunk = [body.anatomy.root, *body.anatomy.trunk, *(leg.joints[0] for leg in body.legs)]
        return flesh - float(body.positions[trunk, 1].min()) + body.sag
    under = body.skeleton.below([body.anatomy.root])
    if body.upright:  # arms give way
        under &= ~body.skeleton.below([arm.joints[-2] for arm in body.anatomy.arms])
    if body.anatomy.wings:
        under &= ~body.skeleton.below([wing.joints[0] for wing in body.anatomy.wings])
    if len(body.legs) > 4:  # legs curl over the body
        under &= ~body.skeleton.below([leg.joints[0] for leg in body.legs])
    points = rotations.rotate(spin, body.positions[under] - body.pivot)
    return 0.5 * flesh - float(points[:, 1].min()) - float(body.pivot[1]) + body.sag
