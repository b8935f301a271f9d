"""Body plans that sprawl, crawl, swim or have more than four legs."""

from __future__ import annotations

import numpy as np

from kinema.arrays import Floats
from kinema.mocap.creatures.dice import Dice
from kinema.mocap.creatures.rig import RigDraft
from kinema.mocap.creatures.shapes import arc, arthropod_legs, head, limb, line, root, tail, vec, wings


def lizard(rig: RigDraft, dice: Dice) -> None:
    """A long low body on four legs that reach sideways."""
    length = dice.size("length", 0.5, 1.1)
    low = length * dice.size("height", 0.22)
    width = length * dice.size("width", 0.12)
    hips = root(rig, dice, vec(0, low, -0.5 * length))
    spines = dice.count("spine_joints", 4, 3, 7)
    back = line(vec(0, low, -0.5 * length), vec(0, low, 0.5 * length), spines)
    trunk = rig.chain("trunk", ["spine"] * spines, hips, back[1:])
    necks = dice.count("neck_joints", 1, 1, 3)
    neck_line = arc(back[-1] + vec(0, 0, 0.08 * length), length * dice.size("neck", 0.2), 0.25, -0.1, necks)
    neck = rig.chain("neck", ["neck"] * necks, trunk[-1], neck_line[:-1])
    head(rig, dice, neck[-1], neck_line[-1], length * dice.size("head", 0.28), -0.1)
    tail(rig, dice, hips, vec(0, low, -0.58 * length), length * dice.size("tail", 1.2, 1.4), -0.12, 0.05, 7)
    reach = length * dice.size("leg", 0.26, 1.6)
    for kind, parent, at, ahead in (("front_leg", trunk[-1], 0.5, 0.12), ("leg", hips, -0.5, 0.05)):
        hip = vec(width, 0.9 * low, at * length)
        knee = hip + vec(0.75 * reach, 0.15 * low, (-0.25 if kind == "front_leg" else 0.3) * reach)
        ankle = vec(knee[0] + 0.12 * reach, 0.12 * low, at * length + ahead * reach)
        toe = ankle + vec(0.12 * reach, -0.1 * low, 0.2 * reach)
        parts = ["upper_arm", "forearm", "hand"] if kind == "front_leg" else ["thigh", "shin", "foot"]
        limb(rig, dice, kind, parts, parent, [hip, knee, ankle, toe])


def _antennae(rig: RigDraft, dice: Dice, parent: int, length: float) -> None:
    count = dice.count("antenna_joints", 3, 2, 4)
    base = rig.places[parent] + vec(0.1, 0.12, 0.3) * length
    rig.pair("antenna", ["antenna"] * count, parent, line(base, base + vec(0.4, 0.35, 0.9) * length, count))


def hexapod(rig: RigDraft, dice: Dice) -> None:
    """Head, thorax with three pairs of legs, abdomen, antennae and mandibles, and wings on some; some are in flight."""
    aloft = dice.has("aloft", False, 0.2)
    reach = dice.size("leg", 0.45, 1.1)
    body = reach * dice.size("body", 0.9, 1.6)
    low = body * dice.size("droop", 1.0) if aloft else reach * dice.size("height", 0.38)
    hips = root(rig, dice, vec(0, low, 0))
    skull = vec(0, low + 0.05 * body, 0.38 * body)
    trunk = rig.chain("trunk", ["thorax"], hips, [vec(0, low, 0.2 * body)])
    front = rig.chain("head", ["head"], trunk[-1], [skull, skull + vec(0, -0.05, 0.22) * body])[0]
    if dice.has("wings", aloft, 1.0 if aloft else 0.35):
        shoulder, span = vec(0.07, low + 0.09 * body, 0.12 * body), body * dice.size("wing", 0.9, 1.5)
        if dice.has("stiff_wings", False, 0.5):
            limb(rig, dice, "wing", ["wing"], trunk[-1], [shoulder, shoulder + span * vec(0.9, 0.1, -0.3)])
        else:
            wings(rig, dice, trunk[-1], shoulder, span)
    if dice.has("mandibles", True, 0.6):
        rig.pair(
            "jaw", ["mandible"], front, [skull + vec(0.06, -0.03, 0.2) * body, skull + vec(0.03, -0.06, 0.4) * body]
        )
    if dice.has("antennae", True, 0.8):
        _antennae(rig, dice, front, 0.5 * body)
    abdomens = dice.count("abdomen_joints", 2, 1, 4)
    size, pitch, bend = (1.05 * low, -1.0, -0.8) if aloft else (body * dice.size("abdomen", 0.6), 0.15, -0.3)
    rear = arc(vec(0, low, -0.22 * body), size, pitch, bend, abdomens, back=True)
    rig.chain("tail", ["abdomen"] * abdomens, hips, rear)
    at = body * np.asarray([[0.1, 0, 0.24], [0.11, 0, 0.02], [0.1, 0, -0.18]]) + vec(0, 0.95 * low, 0)
    parents = [trunk[-1], hips, hips]
    fans = np.asarray([0.8, 1.6, 2.4]) + dice.angle("fan", 0.0, 0.1)
    if aloft:
        _hanging_legs(rig, dice, parents, at, 0.45 * low, fans)
    else:
        knee = reach * dice.size("knee", 0.25)
        arthropod_legs(rig, dice, parents, at, reach * dice.size("spread", 0.75, 1.15), fans, knee)


def _hanging_legs(rig: RigDraft, dice: Dice, parents: list[int], hips: Floats, length: float, fans: Floats) -> None:
    """Legs that hang below a body in flight, the ends ahead."""
    parts = ["femur", "tibia", "claw"]
    ahead = dice.angle("dangle", 0.2, 0.3)
    for order, (parent, hip, fan) in enumerate(zip(parents, hips, fans, strict=True)):
        out = vec(np.sin(fan), 0, np.cos(fan))
        knee = hip + 0.45 * length * (0.7 * out - vec(0, 0.7, 0))
        foot = knee + 0.45 * length * vec(0, -np.cos(ahead), np.sin(ahead))
        limb(rig, dice, "leg", parts, parent, [hip, knee, foot, foot + 0.1 * length * vec(0, -0.6, 0.8)], order)


def spider(rig: RigDraft, dice: Dice) -> None:
    """A front body with four pairs of long legs and pedipalps, and an abdomen."""
    reach = dice.size("leg", 0.6, 1.1)
    body = reach * dice.size("body", 0.45)
    low = reach * dice.size("height", 0.35)
    hips = root(rig, dice, vec(0, low, 0))
    chest = vec(0, low, 0.15 * body)
    front = rig.chain("head", ["head"], hips, [chest + vec(0, 0, 0.2) * body, chest + vec(0, 0, 0.45) * body])[0]
    rig.pair("jaw", ["fang"], front, [chest + vec(0.1, -0.05, 0.35) * body, chest + vec(0.08, -0.3, 0.45) * body])
    if dice.has("palps", True, 0.7):
        base = chest + vec(0.2, -0.02, 0.35) * body
        rig.pair(
            "antenna",
            ["palp"] * 2,
            front,
            [base, base + vec(0.1, 0.15, 0.35) * body, base + vec(0.1, -0.2, 0.65) * body],
        )
    abdomens = dice.count("abdomen_joints", 1, 1, 3)
    rear = arc(vec(0, low, -0.3 * body), body * dice.size("abdomen", 0.9), 0.15, -0.2, abdomens, back=True)
    rig.chain("tail", ["abdomen"] * abdomens, hips, rear)
    along = np.asarray([0.35, 0.14, -0.07, -0.28])
    at = np.stack([np.full(4, 0.22), np.full(4, low / body), along], axis=-1) * body
    fans = np.asarray([0.55, 1.2, 1.85, 2.6]) + dice.angle("fan", 0.0, 0.1)
    arthropod_legs(
        rig, dice, [hips] * 4, at, reach * dice.size("spread", 0.85, 1.15), fans, reach * dice.size("knee", 0.35)
    )


def crab(rig: RigDraft, dice: Dice) -> None:
    """A wide shell with four pairs of legs to the sides and two claws in front."""
    reach = dice.size("leg", 0.5, 1.1)
    shell = reach * dice.size("body", 0.75)
    low = reach * dice.size("height", 0.32)
    hips = root(rig, dice, vec(0, low, 0))
    if dice.has("eyes", True, 0.6):
        rig.pair(
            "antenna",
            ["eye_stalk"],
            hips,
            [vec(0.15 * shell, low + 0.1 * shell, 0.3 * shell), vec(0.15 * shell, low + 0.3 * shell, 0.34 * shell)],
        )
    arm = reach * dice.size("claw", 0.75)
    shoulder = vec(0.4 * shell, low, 0.32 * shell)
    elbow = shoulder + vec(0.35, 0.25, 0.2) * arm
    wrist = elbow + vec(-0.15, 0.05, 0.4) * arm
    left, right = rig.pair(
        "claw", ["upper_arm", "forearm", "hand"], hips, [shoulder, elbow, wrist, wrist + vec(-0.15, 0.05, 0.35) * arm]
    )
    for sign, joint in ((1, left[-1]), (-1, right[-1])):
        base = wrist + vec(-0.02, -0.04, 0.08) * arm
        mirror = vec(sign, 1, 1)
        rig.chain("pincer", ["pincer"], joint, np.asarray([base, base + vec(-0.1, -0.05, 0.25) * arm]) * mirror, sign)
    along = np.asarray([0.2, 0.05, -0.1, -0.25])
    at = np.stack([np.asarray([0.46, 0.5, 0.48, 0.42]), np.full(4, low / shell), along], axis=-1) * shell
    fans = np.asarray([1.2, 1.5, 1.8, 2.1]) + dice.angle("fan", 0.0, 0.08)
    arthropod_legs(
        rig, dice, [hips] * 4, at, reach * dice.size("spread", 0.75, 1.15), fans, reach * dice.size("knee", 0.3)
    )


def centipede(rig: RigDraft, dice: Dice) -> None:
    """A chain of segments with a pair of legs each."""
    segments = dice.count("segments", 9, 5, 14)
    step = dice.size("segment", 0.12, 1.15)
    low = step * dice.size("height", 0.7)
    reach = step * dice.size("leg", 1.2)
    hips = root(rig, dice, vec(0, low, -step * (segments - 1)))
    places = [vec(0, low, -step * (segments - 1 - k)) for k in range(1, segments)]
    trunk = rig.chain("trunk", ["segment"] * (segments - 1), hips, places)
    skull = vec(0, low, 0.8 * step)
    front = rig.chain("head", ["head"], trunk[-1], [skull, skull + vec(0, 0, 0.6 * step)])[0]
    rig.pair("jaw", ["mandible"], front, [skull + vec(0.2, -0.1, 0.4) * step, skull + vec(0.1, -0.15, 0.9) * step])
    if dice.has("antennae", True, 0.9):
        _antennae(rig, dice, front, 1.2 * step)
    if dice.has("tailed", True, 0.6):
        rig.chain("tail", ["tail"] * 2, hips, arc(vec(0, low, -step * segments), 1.2 * step, -0.2, 0.2, 2, back=True))
    parents = [hips, *trunk][::-1]
    hip = np.asarray([rig.places[joint] + vec(0.25, -0.05, 0.0) * step for joint in parents])
    arthropod_legs(rig, dice, parents, hip, reach, np.full(segments, 1.6), 0.3 * reach)


def snake(rig: RigDraft, dice: Dice) -> None:
    """A chain of joints on the ground."""
    length = dice.size("length", 2.0, 1.2)
    count = dice.count("joints", 18, 10, 26)
    high = 0.02 * length
    middle = dice.has("middle_root", False, 0.3)
    behind = count // 2 if middle else 0
    hips = root(rig, dice, vec(0, high, -0.5 * length + length * behind / count))
    places = line(vec(0, high, -0.5 * length), vec(0, high, 0.5 * length), count)
    trunk = rig.chain("trunk", ["spine"] * (count - behind - 1), hips, places[behind + 1 : -1])
    if middle:
        rig.chain("tail", ["tail"] * (behind - 1), hips, places[:behind][::-1])
    head(rig, dice, trunk[-1], places[-1], 0.05 * length * dice.size("head", 1.0), 0.0)


def fish(rig: RigDraft, dice: Dice) -> None:
    """A body that swims with its tail, with fins; that of a whale beats up and down."""
    length = dice.size("length", 1.0, 1.2)
    deep = length * dice.size("depth", 0.14)
    up = vec(0, length * 0.5, 0)
    hips = root(rig, dice, up)
    skull = up + vec(0, 0, 0.22 * length)
    fronts = dice.count("front_joints", 1, 1, 2)
    trunk = rig.chain("trunk", ["spine"] * fronts, hips, line(up + vec(0, 0, 0.05 * length), skull, fronts)[:-1])
    head(rig, dice, trunk[-1], skull, 0.24 * length, 0.0)
    count = dice.count("tail_joints", 5, 3, 9)
    tail_line = line(up + vec(0, 0, -0.08 * length), up + vec(0, 0, -0.5 * length), count)
    rear = rig.chain("tail", ["tail"] * count, hips, tail_line)
    level = dice.size("level", 0.0) > 0.5
    end = tail_line[-2]
    if level:  # the flukes of whales lie flat
        tip = end + vec(1.1, 0, -0.9) * deep
        rig.pair("fluke", ["tail_fin"], rear[-1], [end + vec(0.1, 0, -0.05) * deep, tip])
    elif dice.has("flukes", True, 0.5):
        for order, sign in enumerate((1, -1)):
            rig.chain(
                "fluke",
                ["tail_fin"],
                rear[-1],
                [end + vec(0, 0.1 * sign, -0.05) * deep, end + vec(0, 0.9 * sign, -0.9) * deep],
                0,
                order,
            )
    fins = dice.count("fin_joints", 2, 1, 3)
    base = up + vec(0.5 * deep, -0.4 * deep, 0.14 * length)
    limb(
        rig,
        dice,
        "fin",
        ["fin"] * fins,
        trunk[-1],
        list(line(base, base + vec(0.9, -0.4, -0.5) * 0.16 * length * dice.size("fin", 1.0, 1.4), fins)),
    )
    if not level and dice.has("pelvic", True, 0.5):
        base = up + vec(0.3 * deep, -0.5 * deep, -0.15 * length)
        limb(rig, dice, "fin", ["fin"], rear[0], [base, base + vec(0.6, -0.5, -0.6) * 0.1 * length], 1)
    if dice.has("dorsal", True, 0.7):
        base = up + vec(0, 0.9 * deep, 0)
        rig.chain("crest", ["dorsal_fin"], hips, [base, base + vec(0, 0.8, -0.5) * deep])


def tentacled(rig: RigDraft, dice: Dice) -> None:
    """A mantle with tentacles all around."""
    reach = dice.size("tentacle", 0.8, 1.15)
    low = reach * dice.size("height", 0.22)
    hips = root(rig, dice, vec(0, low, 0))
    size = reach * dice.size("mantle", 0.45)
    mantles = dice.count("mantle_joints", 2, 1, 3)
    places = line(vec(0, low + 0.15 * size, -0.1 * size), vec(0, low + size, -0.45 * size), mantles)
    rig.chain("mantle", ["mantle"] * mantles, hips, places)
    pairs = dice.count("pairs", 4, 3, 5)
    joints = dice.count("tentacle_joints", 6, 4, 9)
    for order in range(pairs):
        fan = (order + 0.5) * np.pi / pairs
        out = vec(np.sin(fan), 0, np.cos(fan))
        base = vec(0, 0.8 * low, 0) + 0.12 * reach * out
        along = np.linspace(0, 1, joints + 1)[:, None]
        rise = 0.45 * low * np.sin(np.pi * np.minimum(along * 1.6, 1.0))
        drop = base[1] * np.clip(1 - along * 1.6, 0.0, 1.0)
        places = base * vec(1, 0, 1) + reach * along * out + (rise + drop + 0.02 * reach) * vec(0, 1, 0)
        rig.pair("tentacle", ["tentacle"] * joints, hips, places, order)
