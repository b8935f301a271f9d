"""Inputs of the benchmarks, all generated. The same seed gives the same numbers on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.mocap.procedural import STYLES, Segment, generate, humanoid
from kinema.motion import Motion
from kinema.skeleton import Skeleton

JOINTS = 27


def body() -> Skeleton:
    """A person with 27 joints: the generator's humanoid with thumbs, fingers and a joint at the top of the head."""
    person = humanoid()
    extra = [
        ("LeftHandThumb", "LeftHand", (0.03, 0.0, 0.03)),
        ("LeftHandMiddle", "LeftHand", (0.09, 0.0, 0.0)),
        ("RightHandThumb", "RightHand", (-0.03, 0.0, 0.03)),
        ("RightHandMiddle", "RightHand", (-0.09, 0.0, 0.0)),
        ("HeadTop", "Head", (0.0, 0.15, 0.0)),
    ]
    names = [*person.names, *(name for name, _, _ in extra)]
    parents = [*person.parents.tolist(), *(person.index(parent) for _, parent, _ in extra)]
    offsets = np.concatenate([person.rest_translations, np.array([offset for _, _, offset in extra], np.float32)])
    tips = [(int(joint), offset) for joint, offset in zip(person.tip_joints, person.tip_offsets, strict=True)]
    return Skeleton.create(names, parents, offsets, tips=tips)


def rig() -> Skeleton:
    """A character rig with 65 joints: another size, slanted arms, a long spine, twist joints and all fingers."""
    person = humanoid(1.55, arms_down=0.7)
    names, parents, offsets = list(person.names), person.parents.tolist(), person.rest_translations.tolist()

    def add(name: str, parent: str, offset: NDArray[np.float32]) -> None:
        names.append(name)
        parents.append(names.index(parent))
        offsets.append(offset.tolist())

    for side in ("Left", "Right"):
        hand = person.rest_translations[person.index(f"{side}Hand")]
        along, front = hand / np.linalg.norm(hand), np.array([0, 0, 1], np.float32)
        for bone, end in (("Arm", "ForeArm"), ("ForeArm", "Hand"), ("UpLeg", "Leg"), ("Leg", "Foot")):
            half = 0.5 * person.rest_translations[person.index(f"{side}{end}")]
            add(f"{side}{bone}Twist", f"{side}{bone}", half)
        for place, finger in enumerate(("Thumb", "Index", "Middle", "Ring", "Pinky")):
            for joint in (1, 2, 3):
                start = 0.07 * along + (0.03 - 0.02 * (place - 1)) * front
                parent = f"{side}Hand" if joint == 1 else f"{side}Hand{finger}{joint - 1}"
                add(f"{side}Hand{finger}{joint}", parent, start if joint == 1 else 0.03 * along)
    for name in ("Jaw", "LeftEye", "RightEye", "Hair", "HeadTop"):
        add(name, "Head", np.array([0.0, 0.08, 0.05], np.float32))
    order = sorted(range(len(names)), key=lambda joint: (parents[joint] >= 0, joint))
    return Skeleton.create([names[j] for j in order], [parents[j] for j in order], [offsets[j] for j in order])


def wander(frames: int, fps: float = 30.0, seed: int = 1) -> Motion:
    """A body with 27 joints that swings every joint smoothly while it drifts over the ground."""
    skeleton = body()
    swings = rotations.exp(_smooth((frames, skeleton.joint_count, 3), seed) * np.float32(0.4))
    drift = _smooth((frames, 3), seed + 1) * np.array([0.3, 0.05, 0.3], np.float32)
    return Motion.create(
        skeleton, swings, (skeleton.rest_translations[0] + drift)[:, None], translated=[0], fps=fps, name="wander"
    )


def locomotion(frames: int, fps: float = 30.0, seed: int = 1) -> list[Motion]:
    """Generated takes of a minute each in all styles, changing direction and pace every few seconds."""
    rng = np.random.default_rng(seed)
    styles = sorted(STYLES)
    takes: list[Motion] = []
    while sum(take.frames for take in takes) < frames:
        script = [Segment("idle", 1.0)]
        while sum(segment.seconds for segment in script) < 60.0:
            kind = str(rng.choice(("idle", "walk", "jog", "run", "strafe", "backward", "turn", "crouch")))
            script.append(
                Segment(
                    kind,
                    float(rng.uniform(1.5, 4.0)),
                    turn=float(rng.uniform(-1.5, 1.5)),
                    curve=float(rng.uniform(-0.6, 0.6)),
                )
            )
        takes.append(generate(script=script, style=styles[len(takes) % len(styles)], fps=fps, seed=len(takes)))
    return takes


def _smooth(shape: tuple[int, ...], seed: int, every: int = 15) -> NDArray[np.float32]:
    """Unit noise with a new value every `every` frames, interpolated smoothly."""
    rng = np.random.default_rng(seed)
    knots = rng.standard_normal((shape[0] // every + 2, *shape[1:])).astype(np.float32)
    place = np.arange(shape[0]) / np.float32(every)
    step = place.astype(np.int64)
    t = (place - step).astype(np.float32)
    ease = (t * t * (3 - 2 * t)).reshape(-1, *[1] * (len(shape) - 1))
    return (knots[step] * (1 - ease) + knots[step + 1] * ease).astype(np.float32)
