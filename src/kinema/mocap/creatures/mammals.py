"""Body plans that stand on two or four upright legs."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats
from kinema.mocap.creatures.dice import Dice
from kinema.mocap.creatures.rig import RigDraft
from kinema.mocap.creatures.shapes import arc, head, limb, line, root, tail, vec, wings

# Joints of legs on all fours as shares of the shoulder height: (height, distance ahead of the hip).
_HIND = {
    "digitigrade": ((0.94, 0.0), (0.60, 0.13), (0.27, -0.14), (0.035, -0.06), (0.0, 0.05)),
    "unguligrade": ((0.94, 0.0), (0.66, 0.12), (0.40, -0.12), (0.15, -0.09), (0.045, -0.03), (0.0, 0.02)),
    "plantigrade": ((0.90, 0.0), (0.48, 0.14), (0.10, -0.08), (0.03, 0.12), (0.0, 0.20)),
}
_FRONT = {
    "digitigrade": ((1.0, -0.05), (0.74, 0.10), (0.50, -0.05), (0.18, 0.02), (0.035, 0.06), (0.0, 0.15)),
    "unguligrade": ((1.02, -0.06), (0.78, 0.09), (0.60, -0.05), (0.34, 0.0), (0.045, 0.02), (0.0, 0.07)),
    "plantigrade": ((0.98, -0.05), (0.72, 0.10), (0.42, -0.06), (0.09, 0.02), (0.03, 0.15), (0.0, 0.23)),
}
_PARTS = {
    "digitigrade": (["thigh", "shin", "foot", "toe"], ["shoulder", "upper_arm", "forearm", "hand", "digit"]),
    "unguligrade": (["thigh", "shin", "cannon", "foot", "toe"], ["shoulder", "upper_arm", "forearm", "hand", "digit"]),
    "plantigrade": (["thigh", "shin", "foot", "toe"], ["shoulder", "upper_arm", "forearm", "hand", "digit"]),
}


def _leg(rows: tuple[tuple[float, float], ...], at: float, width: float, height: float) -> list[Floats]:
    return [vec(width, up * height, at + ahead * height) for up, ahead in rows]


def quadruped(rig: RigDraft, dice: Dice, posture: str) -> int:
    """A body on four upright legs; returns the last joint of the chest."""
    height = dice.size("height", 0.6, 1.1)
    length = height * dice.size("trunk", 1.0, 1.4)
    width = height * dice.size("width", 0.16)
    neck_length, neck_pitch = height * dice.size("neck", 0.4, 1.5), dice.angle("neck_pitch", 0.7)
    skull = height * dice.size("head", 0.38)
    croup = dice.size("croup", 1.0, 1.06)  # height of the hips relative to the shoulders
    hips = root(rig, dice, vec(0, 0.97 * height * croup, -0.5 * length))
    spines = dice.count("spine_joints", 3, 2, 6)
    chest = vec(0, 0.97 * height, 0.5 * length)
    back = line(vec(0, 0.97 * height * croup, -0.5 * length), chest, spines + 1)[1:-1]
    trunk = rig.chain("trunk", ["spine"] * spines, hips, [*back, chest][:spines])
    necks = dice.count("neck_joints", 2, 1, 4)
    throat = chest + vec(0, 0.02, 0.12) * height
    curve = arc(throat, neck_length, neck_pitch, dice.angle("neck_bend", -0.15), necks)
    neck = rig.chain("neck", ["neck"] * necks, trunk[-1], curve[:-1])
    head(rig, dice, neck[-1], curve[-1], skull, dice.angle("head_pitch", -0.35), dice.size("ears", 0.4, 1.5))
    tail_length = height * dice.size("tail", 0.7, 1.4)
    pitch, bend = dice.angle("tail_pitch", -0.6, 0.3), dice.angle("tail_bend", 0.2, 0.4)
    tail(rig, dice, hips, vec(0, 0.98 * height * croup, -0.5 * length - 0.1 * height), tail_length, pitch, bend, 4)
    hind_parts, front_parts = _PARTS[posture]
    hind = _leg(_HIND[posture], -0.5 * length, width, height)
    for place in hind:
        place[1] *= croup
    front = _leg(_FRONT[posture], 0.5 * length, 0.9 * width, height)
    if not dice.has("scapula", True, 0.8):
        front, front_parts = front[1:], front_parts[1:]
    if not dice.has("end_tips", True, 0.8):
        hind, front = hind[:-1], front[:-1]
    limb(rig, dice, "front_leg", front_parts, trunk[-1], front)
    limb(rig, dice, "leg", hind_parts, hips, hind)
    if dice.has("mane", False, 0.15):
        for order, joint in enumerate(neck):
            base = rig.places[joint] + vec(0, 0.08, 0) * height
            rig.chain("mane", ["mane"], joint, [base, base + vec(0, 0.1, -0.02) * height], 0, order)
    return trunk[-1]


def biped(rig: RigDraft, dice: Dice) -> None:
    """A body on two legs with arms and an upright trunk."""
    leg = dice.size("leg", 0.85, 1.1)
    width = leg * dice.size("width", 0.11)
    trunk_length = leg * dice.size("trunk", 0.55)
    hips = root(rig, dice, vec(0, 1.07 * leg, 0))
    spines = dice.count("spine_joints", 3, 1, 5)
    places = line(vec(0, 1.07 * leg, 0), vec(0, 1.07 * leg + trunk_length, 0), spines + 1)
    trunk = rig.chain("trunk", ["spine"] * spines, hips, places[1:-1])
    necks = dice.count("neck_joints", 1, 1, 3)
    neck_line = line(places[-1], places[-1] + vec(0, 0.14, 0.03) * leg, necks)
    neck = rig.chain("neck", ["neck"] * necks, trunk[-1], neck_line[:-1])
    skull = leg * dice.size("head", 0.22)
    joint = rig.chain("head", ["head"], neck[-1], [neck_line[-1], neck_line[-1] + vec(0, skull, 0)])[0]
    if dice.has("jaw", False, 0.4):
        hinge = neck_line[-1] + vec(0, 0.1, 0.2) * skull
        rig.chain("jaw", ["jaw"], joint, [hinge, hinge + vec(0, -0.2, 0.5) * skull])
    slope = dice.angle("arms_down", 0.3, 0.5)
    way = vec(np.cos(slope), -np.sin(slope), 0.0)
    shoulder = places[-1] + vec(0.24 * leg, -0.03 * leg, 0)
    upper, lower = leg * dice.size("upper_arm", 0.33), leg * dice.size("forearm", 0.3)
    elbow = shoulder + upper * way
    wrist = elbow + lower * (way + vec(0, 0, 0.12))
    limb(
        rig, dice, "arm", ["shoulder", "upper_arm", "forearm", "hand"], trunk[-1],
        [places[-1] + vec(0.05 * leg, -0.04 * leg, 0), shoulder, elbow, wrist, wrist + 0.15 * leg * way],
    )  # fmt: skip
    bent = 0.02 if dice.has("straight", True, 0.5) else 0.1
    hip, knee = vec(width, leg, 0), vec(width, 0.52 * leg, bent * leg)
    ankle, ball, tip = vec(width, 0.09 * leg, -0.03 * leg), vec(width, 0.02 * leg, 0.11 * leg), vec(width, 0, 0.2 * leg)
    limb(rig, dice, "leg", ["thigh", "shin", "foot", "toe"], hips, [hip, knee, ankle, ball, tip])
    length = leg * dice.size("tail", 0.6, 1.3)
    if dice.has("tailed", False, 0.2):
        tail(rig, dice, hips, vec(0, 1.03 * leg, -0.08 * leg), length, -0.8, 0.3, 4)


def theropod(rig: RigDraft, dice: Dice) -> None:
    """A body on two legs, level, balanced by a heavy tail, with small arms."""
    height = dice.size("height", 1.0, 1.1)
    length = height * dice.size("trunk", 0.8, 1.5)
    width = height * dice.size("width", 0.16)
    rise = dice.angle("trunk_pitch", 0.25, 0.15)
    hips = root(rig, dice, vec(0, height, 0))
    spines = dice.count("spine_joints", 3, 2, 5)
    back = arc(vec(0, height, 0), length, rise, 0.1, spines + 1)
    trunk = rig.chain("trunk", ["spine"] * spines, hips, back[1:-1])
    necks = dice.count("neck_joints", 3, 2, 6)
    neck_line = arc(back[-1], height * dice.size("neck", 0.45), dice.angle("neck_pitch", 0.8), -0.3, necks)
    neck = rig.chain("neck", ["neck"] * necks, trunk[-1], neck_line[:-1])
    head(rig, dice, neck[-1], neck_line[-1], height * dice.size("head", 0.4), dice.angle("head_pitch", -0.2))
    tail(rig, dice, hips, vec(0, height, -0.15 * height), height * dice.size("tail", 1.2, 1.5), 0.05, 0.0, 6)
    if dice.has("arms", True, 0.8):
        shoulder, arm = back[-1] + vec(0.13, -0.16, -0.05) * height, height * dice.size("arm", 0.25, 1.5)
        elbow = shoulder + vec(0.1, -0.7, -0.25) * arm
        wrist = elbow + vec(-0.05, -0.25, 0.55) * arm
        parts = ["upper_arm", "forearm", "hand"]
        limb(rig, dice, "arm", parts, trunk[-1], [shoulder, elbow, wrist, wrist + vec(0, -0.15, 0.2) * arm])
    bird_legs(rig, dice, hips, vec(width, 0.97 * height, 0.02 * height))


def bird_legs(rig: RigDraft, dice: Dice, hips: int, hip: Floats) -> None:
    """A pair of legs whose ankles are high above the ground, with long toes."""
    tall = hip[1]
    knee = hip + vec(0.01, -0.36, 0.2) * tall
    ankle = vec(hip[0], 0.33 * tall, hip[2] - 0.12 * tall)
    ball = vec(hip[0], 0.04 * tall, hip[2] + 0.04 * tall)
    tip = vec(hip[0], 0.0, hip[2] + 0.2 * tall)
    limb(rig, dice, "leg", ["thigh", "shin", "foot", "toe"], hips, [hip, knee, ankle, ball, tip])


def bird(rig: RigDraft, dice: Dice) -> None:
    """A body on two legs with wings."""
    leg = dice.size("leg", 0.2, 2.2)
    body = dice.size("body", 0.25, 1.1)
    pitch = dice.angle("trunk_pitch", 0.4, 0.4)
    hips = root(rig, dice, vec(0, leg + 0.1 * body, -0.2 * body))
    spines = dice.count("spine_joints", 2, 1, 3)
    back = arc(vec(0, leg + 0.1 * body, -0.2 * body), body, pitch, 0.0, spines + 1)
    trunk = rig.chain("trunk", ["spine"] * spines, hips, back[1:-1])
    necks = dice.count("neck_joints", 3, 2, 6)
    neck_line = arc(back[-1], body * dice.size("neck", 0.4), dice.angle("neck_pitch", 1.1, 0.8), 0.1, necks)
    neck = rig.chain("neck", ["neck"] * necks, trunk[-1], neck_line[:-1])
    head(rig, dice, neck[-1], neck_line[-1], body * dice.size("head", 0.35), -0.1)
    tails = dice.count("tail_joints", 2, 1, 4)
    stern = vec(0, leg + 0.12 * body, -0.32 * body)
    rig.chain("tail", ["tail"] * tails, hips, arc(stern, body * dice.size("tail", 0.5), 0.1, 0.0, tails, back=True))
    span = body * dice.size("wing", 1.5, 1.9)
    wings(rig, dice, trunk[-1], back[-1] + vec(0.14, 0.0, -0.1) * body, span)
    bird_legs(rig, dice, hips, vec(body * dice.size("width", 0.14), leg, 0.0))


def winged(rig: RigDraft, dice: Dice) -> None:
    """A body on four legs with wings on its back."""
    chest = quadruped(rig, dice, "digitigrade")
    place = rig.places[chest]
    height = place[1]
    wings(rig, dice, chest, place + vec(0.1, 0.1, 0.0) * height, height * dice.size("wing", 1.9))
