"""Attacks: what a body strikes with decides how."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kinema.arrays import Floats
from kinema.mocap.creatures.course import Deed
from kinema.mocap.creatures.scene import Scene
from kinema.mocap.creatures.steps import arch, bump
from kinema.mocap.procedural.script import smooth_step

Attack = Callable[[Scene, Floats, float, int], None]
"""Adds one strike: scene, share of its time `[N]` (0 to 1), strength, and number of the strike."""


def attack(scene: Scene, deed: Deed) -> None:
    """One way of attacking, as often as there is time for."""
    ways = _ways(scene)
    way = ways[int(scene.rng.integers(len(ways)))]
    strength = scene.rng.uniform(0.85, 1.15) * (1 + 0.25 * deed.act.pace)
    starts, period = scene.beats(deed, 6.0)
    first = int(scene.rng.integers(2))
    for number, start in enumerate(starts):
        way(scene, (scene.times - start) / period, strength, number + first)


def _ways(scene: Scene) -> list[Attack]:
    """What this body can strike with."""
    body, plan = scene.body, scene.kind.plan
    if scene.kind.medium == "crawl":
        return [_snake_strike]
    if scene.kind.medium == "swim":
        return [_dash]
    if plan == "tentacled":
        return [_front_legs]
    if plan in ("spider", "hexapod"):
        return [_front_legs, _bite, *([_sting] if body.anatomy.tails else [])]
    if plan == "crab" or (body.upright and body.anatomy.arms):
        return [_arms]
    if plan == "bird":
        return [_peck, _bite]
    if plan == "unguligrade":
        return [_rear, _bite, _kick]
    ways: list[Attack] = [_bite]
    if len(body.legs) == 4 and not body.sprawled:
        ways += [_paw, _pounce]
    if body.anatomy.tails and plan in ("theropod", "lizard", "winged"):
        ways.append(_tail)
    return ways


def _parts(share: Floats) -> tuple[Floats, Floats]:
    """Drawing back, and the strike itself."""
    return bump(share / 0.6), bump((share - 0.38) / 0.42)


def _bite(scene: Scene, share: Floats, strength: float, number: int) -> None:
    """Draw back, lunge with open jaws, snap."""
    back, hit = _parts(share)
    channels, leg = scene.channels, scene.body.leg
    channels.surge += strength * leg * (0.28 * hit - 0.14 * back)
    channels.lift -= 0.1 * leg * (back + 0.5 * hit)
    channels.pitch += strength * (0.1 * hit - 0.06 * back)
    channels.neck_pitch += strength * (0.3 * hit - 0.55 * back)
    channels.reach += strength * (0.45 * hit - 0.2 * back)
    channels.head_roll += (0.35 if number % 2 else -0.35) * hit
    channels.jaw += 0.7 * bump((share - 0.25) / 0.4)
    channels.tail_pitch += 0.4 * hit


def _peck(scene: Scene, share: Floats, strength: float, number: int) -> None:
    """A stab with the beak, wings half open."""
    back, hit = _parts(share)
    channels = scene.channels
    channels.neck_pitch += strength * (0.75 * hit - 0.4 * back)
    channels.reach += strength * (0.5 * hit - 0.25 * back)
    channels.pitch += strength * (0.35 * hit - 0.15 * back)
    channels.surge += 0.15 * scene.body.leg * hit
    channels.jaw += 0.3 * hit
    channels.fold -= 0.55 * bump(share)
    channels.flap += 0.5 * bump(share)


def _paw(scene: Scene, share: Floats, strength: float, number: int) -> None:
    """A swipe with one front foot after the other."""
    at = number % 2
    side = scene.body.legs[at].side
    leg = scene.body.leg
    up, across = bump(share / 0.75), bump((share - 0.3) / 0.6)
    scene.lift_foot(at, up, 0.12 * side * leg, 0.62 * strength * leg, 0.3 * leg)
    scene.lift_foot(at, across, -0.35 * side * leg, 0.0, 0.3 * strength * leg)
    channels = scene.channels
    channels.sway -= 0.35 * side * scene.body.girth * up
    channels.roll += 0.1 * side * up
    channels.surge += 0.12 * leg * (across - 0.6 * up)
    channels.bend -= 0.2 * side * across
    channels.neck_pitch -= 0.25 * up
    channels.jaw += 0.35 * across


def _rear(scene: Scene, share: Floats, strength: float, number: int) -> None:
    """Rise on the hind legs, and strike with the front feet."""
    up = bump(share) ** 0.6
    body, channels = scene.body, scene.channels
    front = [at for at, leg in enumerate(body.legs) if leg.order == 0]
    half = abs(float(body.legs[front[0]].hip[2] - body.pivot[2]))
    angle = 0.62 * strength
    channels.pitch -= angle * up
    channels.lift += 0.85 * half * np.sin(angle) * up
    channels.surge -= 0.35 * half * up
    channels.neck_pitch += 0.45 * angle * up
    channels.jaw += 0.25 * up
    for at in front:
        scene.free_foot(at, np.clip(1.6 * up, 0.0, 1.0))
        late = 0.06 if body.legs[at].side > 0 else -0.06
        scene.lift_foot(at, bump((share - 0.3 - late) / 0.5), 0.0, 0.0, 0.3 * body.leg)
    channels.curl += 0.8 * up


def _kick(scene: Scene, share: Floats, strength: float, number: int) -> None:
    """Weight on the front legs, then both hind feet thrown back and up."""
    body, channels = scene.body, scene.channels
    up, out = bump(share / 0.9), bump((share - 0.28) / 0.4)
    hind = [at for at, leg in enumerate(body.legs) if leg.order > 0]
    half = abs(float(body.legs[hind[0]].hip[2] - body.pivot[2]))
    angle = 0.4 * strength
    channels.pitch += angle * up
    channels.lift += 0.8 * half * np.sin(angle) * up
    channels.neck_pitch += 0.3 * up
    channels.tail_pitch += 0.8 * out
    for at in hind:
        scene.lift_foot(at, up, 0.0, 0.4 * body.leg, 0.1 * body.leg)
        scene.lift_foot(at, out, 0.0, 0.3 * strength * body.leg, -0.75 * strength * body.leg)


def _pounce(scene: Scene, share: Floats, strength: float, number: int) -> None:
    """Crouch, leap forward with the paws ahead, land on the prey, and step back."""
    body, channels = scene.body, scene.channels
    far = 0.9 * strength * body.leg
    crouch, flight = bump(share / 0.42), arch((share - 0.32) / 0.26)
    there = smooth_step((share - 0.32) / 0.24) * smooth_step((1.0 - share) / 0.26)
    channels.surge += far * there - 0.12 * body.leg * crouch
    channels.lift += body.leg * (0.38 * strength * flight - 0.22 * crouch - 0.15 * bump((share - 0.5) / 0.3))
    channels.pitch += -0.22 * bump((share - 0.28) / 0.22) + 0.2 * bump((share - 0.42) / 0.26) + 0.08 * crouch
    channels.neck_pitch += 0.35 * bump((share - 0.5) / 0.4) - 0.2 * crouch
    channels.jaw += 0.6 * bump((share - 0.35) / 0.35)
    channels.tail_pitch += 0.4 * flight
    for at, leg in enumerate(body.legs):
        ahead = 0.14 if leg.order == 0 else 0.0
        landed = smooth_step((share - 0.30 + 0.3 * ahead) / 0.25) * smooth_step((1.0 - share) / 0.22)
        scene.lift_foot(at, landed, 0.0, 0.0, far + ahead * body.leg)
        scene.lift_foot(at, arch((share - 0.29) / 0.3), 0.0, (0.3 + ahead) * body.leg, 0.0)
        scene.lift_foot(at, arch((share - 0.78) / 0.22), 0.0, 0.08 * body.leg, 0.0)


def _sting(scene: Scene, share: Floats, strength: float, number: int) -> None:
    """Rise on the legs, and thrust the end of the abdomen down and forward."""
    back, hit = _parts(share)
    channels, leg = scene.channels, scene.body.leg
    channels.lift += 0.12 * leg * bump(share)
    channels.pitch -= strength * (0.35 * hit + 0.1 * back)
    channels.tail_pitch += strength * (0.4 * back - 1.3 * hit)
    channels.surge += leg * (0.1 * hit - 0.05 * back)
    channels.neck_pitch += 0.2 * hit
    channels.flap += 0.4 * np.sin(24.0 * share) * bump(share)


def _tail(scene: Scene, share: Floats, strength: float, number: int) -> None:
    """Swing the body round and lash with the tail."""
    back, hit = _parts(share)
    side = 1.0 if number % 2 else -1.0
    channels = scene.channels
    channels.yaw += side * strength * (0.45 * hit - 0.2 * back)
    channels.tail_yaw += side * strength * (1.5 * hit - 1.2 * back)
    channels.neck_yaw += side * 0.5 * hit
    channels.lift -= 0.08 * scene.body.leg * (back + hit)
    channels.tail_pitch += 0.25 * (back + hit)


def _arms(scene: Scene, share: Floats, strength: float, number: int) -> None:
    """One arm or claw after the other: raised, then thrown forward."""
    back, hit = _parts(share)
    side = 1.0 if number % 2 else -1.0
    channels, body = scene.channels, scene.body
    upright = body.upright
    channels.arm_swing += side * strength * (1.35 * hit - 0.7 * back) * (1.0 if upright else 0.6)
    channels.arm_bend += strength * (1.2 * back - 0.1 * hit)
    channels.arm_raise += strength * (0.35 * back + (0.2 if upright else 0.9) * hit)
    channels.bend += -side * strength * 0.5 * (hit - 0.7 * back)
    channels.surge += body.leg * (0.16 * hit - 0.08 * back)
    channels.pitch += strength * (0.18 * hit - 0.08 * back)
    channels.jaw += 0.6 * hit


def _front_legs(scene: Scene, share: Floats, strength: float, number: int) -> None:
    """Raise the front pair in threat, then strike down with it."""
    back, hit = bump(share / 0.7), bump((share - 0.42) / 0.4)
    channels, leg = scene.channels, scene.body.leg
    raised = np.maximum(back, 0.5 * hit)
    for at, limb in enumerate(scene.body.legs):
        if limb.order == 0:
            scene.lift_foot(at, raised, 0.05 * limb.side * leg, 0.55 * strength * leg, 0.12 * leg)
            scene.lift_foot(at, hit, -0.08 * limb.side * leg, -0.1 * leg, 0.16 * strength * leg)
    channels.pitch += 0.3 * hit - 0.4 * strength * back
    channels.surge += leg * (0.16 * hit - 0.1 * back)
    channels.lift += 0.05 * leg * (back - hit)
    channels.jaw += 0.6 * back
    channels.tail_pitch += 0.3 * hit


def _snake_strike(scene: Scene, share: Floats, strength: float, number: int) -> None:
    """Raise the front, draw back, and shoot forward with open jaws."""
    raised = bump(share / 0.85) ** 0.5
    hit = bump((share - 0.42) / 0.3)
    channels = scene.channels
    channels.neck_pitch -= strength * (0.95 * raised - 0.75 * hit)
    channels.surge += scene.body.length * (0.12 * hit - 0.06 * raised)
    channels.jaw += 1.0 * bump((share - 0.35) / 0.35)
    channels.head_pitch += 0.7 * raised * (1 - hit)


def _dash(scene: Scene, share: Floats, strength: float, number: int) -> None:
    """A burst forward with a snap, and back."""
    hit = bump((share - 0.2) / 0.7)
    channels = scene.channels
    channels.surge += 0.45 * strength * scene.body.length * hit
    channels.wave += 0.7 * bump(share / 0.7)
    channels.jaw += 0.8 * bump((share - 0.3) / 0.4)
    channels.head_yaw += (0.3 if number % 2 else -0.3) * hit
