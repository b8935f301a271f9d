"""Bodies made of numbers: a person, a dog, a spider, a bird and a snake, facing +Z, with the truth of each joint."""

from __future__ import annotations

import numpy as np

from kinema import Skeleton, rotations

# name (the role, a dot and a mark), parent, world position
Rows = list[tuple[str, str, tuple[float, float, float]]]


def person() -> Rows:
    rows: Rows = [
        ("root", "", (0, 0, 0)),
        ("hips", "root", (0, 1, 0)),
        ("spine", "hips", (0, 1.1, 0)),
        ("spine.2", "spine", (0, 1.25, 0)),
        ("spine.3", "spine.2", (0, 1.38, 0)),
        ("neck", "spine.3", (0, 1.5, 0)),
        ("head", "neck", (0, 1.6, 0.02)),
    ]
    for side, x in (("left", 1), ("right", -1)):
        rows += [
            (f"{side}_thigh", "hips", (0.1 * x, 0.95, 0)),
            (f"{side}_shin", f"{side}_thigh", (0.1 * x, 0.52, 0.01)),
            (f"{side}_foot", f"{side}_shin", (0.1 * x, 0.09, -0.02)),
            (f"{side}_toe", f"{side}_foot", (0.1 * x, 0.02, 0.11)),
            (f"{side}_shoulder", "spine.3", (0.04 * x, 1.44, 0)),
            (f"{side}_upper_arm", f"{side}_shoulder", (0.18 * x, 1.43, 0)),
            (f"{side}_forearm", f"{side}_upper_arm", (0.46 * x, 1.43, -0.01)),
            (f"{side}_hand", f"{side}_forearm", (0.71 * x, 1.43, 0)),
        ]
        for number, finger in enumerate(("index", "middle", "ring", "little")):
            at, above = np.array([0.8 * x, 1.43, 0.03 - 0.02 * number]), f"{side}_hand"
            for bone in range(3):
                rows.append((f"{side}_{finger}.{bone}", above, tuple(at)))  # type: ignore[arg-type]
                above, at = (
                    f"{side}_{finger}.{bone}",
                    at + np.array([0.033 * x if finger == "middle" else 0.03 * x, 0, 0]),
                )
        at, above = np.array([0.74 * x, 1.42, 0.03]), f"{side}_hand"
        for bone in range(3):
            rows.append((f"{side}_thumb.{bone}", above, tuple(at)))  # type: ignore[arg-type]
            above, at = f"{side}_thumb.{bone}", at + np.array([0.02 * x, -0.01, 0.025])
    return rows


def on_floor_root() -> Rows:
    """The person with hips and thighs side by side on the root, which is on the floor."""
    return [(name, "root" if name.endswith("_thigh") else above, at) for name, above, at in person()]


def rerooted(rows: Rows, root: str) -> Rows:
    """The rows as a tree below another joint; what was above the hips is left out."""
    rows = [row for row in rows if row[0] != "root"]
    above = {name: parent if parent != "root" else "" for name, parent, _ in rows}
    run = [root]
    while above[run[-1]]:
        run.append(above[run[-1]])
    above |= dict(zip(run[1:], run, strict=False)) | {root: ""}
    order = sorted(rows, key=lambda row: run.index(row[0]) if row[0] in run else len(run))
    return [(name, above[name], at) for name, _, at in order]


def dog() -> Rows:
    rows: Rows = [
        ("hips", "", (0, 0.6, -0.3)),
        ("spine", "hips", (0, 0.62, -0.1)),
        ("spine.2", "spine", (0, 0.62, 0.1)),
        ("spine.3", "spine.2", (0, 0.6, 0.25)),
        ("neck", "spine.3", (0, 0.7, 0.38)),
        ("head", "neck", (0, 0.85, 0.5)),
        ("tail", "hips", (0, 0.6, -0.42)),
        ("tail.2", "tail", (0, 0.56, -0.56)),
        ("tail.3", "tail.2", (0, 0.5, -0.68)),
    ]
    for side, x in (("left", 1), ("right", -1)):
        rows += [
            (f"{side}_thigh", "hips", (0.08 * x, 0.55, -0.3)),
            (f"{side}_shin", f"{side}_thigh", (0.09 * x, 0.35, -0.22)),
            (f"{side}_foot", f"{side}_shin", (0.09 * x, 0.16, -0.36)),
            (f"{side}_toe", f"{side}_foot", (0.09 * x, 0.03, -0.31)),
            (f"{side}_upper_arm", "spine.3", (0.08 * x, 0.5, 0.27)),
            (f"{side}_forearm", f"{side}_upper_arm", (0.09 * x, 0.33, 0.2)),
            (f"{side}_hand", f"{side}_forearm", (0.09 * x, 0.12, 0.24)),
            (f"{side}_ear", "head", (0.05 * x, 0.93, 0.5)),
            (f"{side}_ear.2", f"{side}_ear", (0.07 * x, 1.0, 0.49)),
        ]
    return rows


def spider() -> Rows:
    rows: Rows = [
        ("hips", "", (0, 0.3, 0)),
        ("neck", "hips", (0, 0.32, 0.1)),
        ("head", "neck", (0, 0.33, 0.25)),
        ("tail", "hips", (0, 0.32, -0.2)),
        ("tail.2", "tail", (0, 0.3, -0.4)),
        ("tail.3", "tail.2", (0, 0.27, -0.55)),
    ]
    for side, x in (("left", 1), ("right", -1)):
        rows.append((f"{side}_eye", "head", (0.03 * x, 0.36, 0.3)))
        for number in range(4):
            z, above = 0.12 - 0.08 * number, "hips"
            reach = 0.6 + 0.02 * number
            for bone, (out, up) in enumerate(((0.1, 0.3), (0.4, 0.5), (reach, 0.25), (reach + 0.1, 0.0))):
                name = f"{side}_leg.{number}{bone}"
                rows.append((name, above, (out * x, up, z + (0.15 - 0.1 * number) * out * 4)))
                above = name
    return rows


def bird() -> Rows:
    rows: Rows = [
        ("hips", "", (0, 0.5, 0)),
        ("spine", "hips", (0, 0.55, 0.1)),
        ("spine.2", "spine", (0, 0.62, 0.22)),
        ("neck", "spine.2", (0, 0.72, 0.32)),
        ("head", "neck", (0, 0.85, 0.4)),
        ("jaw", "head", (0, 0.83, 0.46)),
        ("tail", "hips", (0, 0.48, -0.15)),
        ("tail.2", "tail", (0, 0.45, -0.3)),
        ("tail.3", "tail.2", (0, 0.43, -0.42)),
    ]
    for side, x in (("left", 1), ("right", -1)):
        rows += [
            (f"{side}_thigh", "hips", (0.07 * x, 0.45, 0.02)),
            (f"{side}_shin", f"{side}_thigh", (0.08 * x, 0.3, 0.08)),
            (f"{side}_foot", f"{side}_shin", (0.08 * x, 0.15, -0.02)),
            (f"{side}_toe", f"{side}_foot", (0.08 * x, 0.02, 0.03)),
            (f"{side}_eye", "head", (0.03 * x, 0.88, 0.42)),
            (f"{side}_upper_arm", "spine.2", (0.08 * x, 0.64, 0.2)),
            (f"{side}_forearm", f"{side}_upper_arm", (0.4 * x, 0.68, 0.14)),
            (f"{side}_hand", f"{side}_forearm", (0.75 * x, 0.68, 0.2)),
        ]
        for part, above, out in (("upper_arm", 0.2, 0.25), ("forearm", 0.55, 0.6), ("hand", 0.8, 0.9)):
            rows.append((f"{side}_wing.{part}", f"{side}_{part}", (above * x, 0.66, 0.0)))
            rows.append((f"{side}_wing.{part}2", f"{side}_wing.{part}", (out * x, 0.65, -0.2)))
    return rows


def snake() -> Rows:
    return [(f"spine.{n}", "" if n == 0 else f"spine.{n - 1}", (0.05 * np.sin(n), 0.05, 0.2 * n)) for n in range(14)]


def role_of(name: str) -> str:
    return name.partition(".")[0]


def build(
    rows: Rows,
    *,
    seed: int | None = None,
    names: bool = False,
    scale: float = 1.0,
    mirrored: bool = False,
    frames: bool = False,
) -> tuple[Skeleton, list[str]]:
    """A skeleton of the rows and the role of each joint.

    Args:
        rows: name, parent and position of each joint.
        seed: shuffle the order of joints (parents stay before children) and of their names.
        names: keep the names; otherwise joints are called `j3`.
        scale: of all lengths.
        mirrored: mirror the body and swap the sides, which is the same body again.
        frames: give every joint a rest frame of its own, turned at random.
    """
    rng = np.random.default_rng(0 if seed is None else seed)
    order = [row[0] for row in rows]
    if seed is not None:
        waiting, order = {row[0]: row[1] for row in rows}, []
        while waiting:
            ready = sorted(name for name, parent in waiting.items() if parent not in waiting)
            chosen = ready[int(rng.integers(len(ready)))]
            order.append(chosen)
            del waiting[chosen]
    place = {name: index for index, name in enumerate(order)}
    by_name = {row[0]: row for row in rows}
    at = np.array([by_name[name][2] for name in order], np.float64) * scale
    truth = [role_of(name) for name in order]
    if mirrored:
        at[:, 0] *= -1
        swap = {"left": "right", "right": "left"}
        split = [role.partition("_") for role in truth]
        truth = [f"{swap[side]}_{part}" if side in swap else side for side, _, part in split]
    parents = [place.get(by_name[name][1], -1) for name in order]
    turned = rotations.normalize(rng.normal(size=(len(order), 4))) if frames else np.tile([1.0, 0, 0, 0], (len(at), 1))
    local_turns, local_moves = turned.copy(), at.copy()
    for joint, parent in enumerate(parents):
        if parent >= 0:
            back = rotations.inverse(turned[parent])
            local_turns[joint] = rotations.multiply(back, turned[joint])
            local_moves[joint] = rotations.rotate(back, at[joint] - at[parent])
    labels = order if names else [f"j{number}" for number in rng.permutation(len(order))]
    return Skeleton.create(labels, parents, local_moves, local_turns), truth


def turned(rows: Rows, rotation: object) -> Rows:
    """The rows with positions rotated by a quaternion `[4]`."""
    return [
        (name, parent, tuple(rotations.rotate(np.asarray(rotation, float), np.asarray(at, float))))
        for name, parent, at in rows
    ]  # type: ignore[misc]


def renamed(rows: Rows, words: dict[str, str]) -> Rows:
    """The rows with other words for parts: `{"thigh": "leg_1"}` makes `left_thigh` `left_leg_1`."""
    names = {}
    for name, _, _ in rows:
        role, dot, mark = name.partition(".")
        side, split, part = role.partition("_") if role.startswith(("left_", "right_")) else ("", "", role)
        names[name] = side + split + words.get(part, part) + dot + mark
    return [(names[name], names.get(above, ""), at) for name, above, at in rows]


def right(roles: list[str], truth: list[str]) -> float:
    return float(np.mean([a == b for a, b in zip(roles, truth, strict=True)]))
