"""Looking around and eating."""

from __future__ import annotations

import numpy as np

from kinema import rotations
from kinema.arrays import Floats
from kinema.mocap.creatures.course import Deed
from kinema.mocap.creatures.scene import Scene
from kinema.mocap.creatures.standing import Standing
from kinema.mocap.procedural.script import smooth_step

_LOOKS = ((1.0, 0.0), (-1.0, 0.0), (0.8, -0.35), (-0.8, -0.35), (0.0, -0.6), (0.7, 0.25), (-0.7, 0.25))
"""Directions to look at: left in shares of the widest look, down in radians."""
_NECK_DOWN = 1.7  # most that a neck bends down in all, radians
_FRONT = 0.4  # share of the head that counts as its front
_STRETCH = 0.35  # by which the lower neck bends more and the head less, so that the neck stays long


def look(scene: Scene, deed: Deed) -> None:
    """Turn the head, or the whole front of a body without neck, to one side after the other."""
    window, rng = scene.over(deed), scene.rng
    count = max(round(deed.act.seconds / max(4.0 * scene.unit, 0.7)), 1)
    picks = rng.permutation(len(_LOOKS))
    first = int(rng.integers(4))
    directions = np.asarray([_LOOKS[first], *(_LOOKS[pick] for pick in picks)])[:count]
    wide = rng.uniform(0.75, 1.15) * (1.0 + 0.2 * deed.act.pace)
    yaw, pitch = scene.zero, scene.zero
    last = np.zeros(2)
    for number, direction in enumerate(directions):
        start = deed.start + deed.act.seconds * number / count
        step = smooth_step((scene.times - start) / (2.2 * scene.unit))
        yaw = yaw + (direction[0] - last[0]) * step
        pitch = pitch + (direction[1] - last[1]) * step
        last = direction
    yaw, pitch = wide * yaw * window, pitch * window
    channels, anatomy = scene.channels, scene.body.anatomy
    if anatomy.neck or (anatomy.head is not None and scene.kind.medium == "crawl"):
        channels.neck_yaw += yaw
        channels.neck_pitch += pitch - (0.3 * window if scene.kind.medium == "crawl" else 0.0)
        channels.bend += 0.25 * yaw
    else:
        channels.yaw += 0.45 * yaw
        channels.pitch += 0.4 * pitch
        channels.neck_yaw += 0.4 * yaw
        channels.roll += 0.08 * yaw
    channels.tail_yaw += 0.2 * yaw


def eat(scene: Scene, deed: Deed) -> None:
    """Head to the ground and nibble; upright bodies with arms bring food to the mouth."""
    window = scene.over(deed, 3.0, 2.5)
    rng, channels = scene.rng, scene.channels
    rate = rng.uniform(0.16, 0.26) / scene.unit
    chew = 0.5 - 0.5 * np.cos(2 * np.pi * rate * (scene.times - deed.start))
    pause = smooth_step(3.0 * np.sin(0.6 * rate * (scene.times - deed.start)) + 1.5)
    bite = window * chew * pause
    channels.jaw += 0.35 * bite
    body = scene.body
    if body.upright and body.anatomy.arms:
        channels.arm_raise += window * (0.75 + 0.25 * chew * pause)
        channels.arm_bend += window * (1.5 + 0.5 * chew * pause)
        channels.neck_pitch += 0.2 * window + 0.15 * bite
        return
    if scene.kind.medium == "swim":
        channels.pitch += 0.5 * window
        channels.surge += 0.06 * body.length * bite
        channels.wave -= 0.4 * channels.wave * window
        return
    if scene.kind.medium == "crawl":
        channels.jaw += 0.4 * bite
        channels.neck_pitch -= 0.35 * window * (0.6 + 0.4 * chew)
        channels.neck_yaw += 0.35 * window * np.sin(np.pi * rate * (scene.times - deed.start))
        return
    neck, pitch, drop = head_down(body)
    channels.neck_pitch += window * (neck - 0.6 * channels.neck_pitch) - 0.12 * bite * (neck > 0.3)
    channels.reach += _STRETCH * neck * window
    channels.neck_yaw += (
        0.25 * window * np.sin(0.35 * rate * (scene.times - deed.start)) - 0.7 * window * channels.neck_yaw
    )
    channels.pitch += window * (pitch + 0.06 * chew * pause * (neck <= 0.3))
    channels.lift -= window * drop
    channels.head_pitch -= 0.7 * 0.35 * bite  # the upper jaw opens, as the lower one is on the ground
    channels.arm_bend += 0.6 * bite
    channels.arm_raise += 0.5 * bite


def head_down(body: Standing) -> tuple[float, float, float]:
    """How far to bend the neck and pitch the body, radians, and to sink, metres, until the head is at the ground."""
    anatomy = body.anatomy
    neck = [*anatomy.neck, *(() if anatomy.head is None else (anatomy.head,))]
    if not neck:
        return 0.0, 0.3, 0.15 * body.leg
    chain = [body.positions[joint] for joint in neck]
    mouth = _mouth(body, neck[-1])
    ground = 0.04 * body.leg
    best = (0.0, 0.0, 0.0)
    for effort in np.linspace(0.0, 1.0, 41):
        angle = _NECK_DOWN * min(effort * 1.6, 1.0) if len(neck) > 1 else 0.7 * effort
        pitch = 0.32 * max(effort - 0.4, 0.0) / 0.6
        drop = 0.3 * body.leg * max(effort - 0.5, 0.0) / 0.5
        best = (angle, pitch, drop)
        if _mouth_height(body, chain, mouth, angle, pitch) - drop < ground:
            break
    return best


def _mouth(body: Standing, head: int) -> Floats:
    """The lowest point `[3]` of the front of the head: the end of the jaw if there is one."""
    points = body.below(head)
    front = points[:, 2].max()
    near = points[points[:, 2] >= front - _FRONT * (front - body.positions[head, 2])]
    return near[np.argmin(near[:, 1])]


def _mouth_height(body: Standing, chain: list[Floats], mouth: Floats, angle: float, pitch: float) -> float:
    """Height of the mouth with the neck bent by an angle and the body pitched about its pivot."""
    points = [*chain, mouth]
    place = body.pivot + _pitched(points[0] - body.pivot, pitch)
    for at in range(len(chain)):
        forth = sum(1 - 2 * k / max(len(chain) - 1, 1) for k in range(at + 1)) * _STRETCH
        place = place + _pitched(points[at + 1] - points[at], pitch + angle * ((at + 1) / len(chain) + forth))
    return float(place[1])


def _pitched(vector: Floats, angle: float) -> Floats:
    return rotations.rotate(rotations.from_axis_angle(np.asarray([1.0, 0.0, 0.0]), np.asarray(angle)), vector)
