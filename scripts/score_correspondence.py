"""How well joints and moments of two bodies are matched, on bodies that nothing was tuned with.

    .venv/bin/python scripts/score_correspondence.py [--seeds 8] [--first 1000] [--model RUN] [--wrong] [--data FOLDER]

Joints: a joint is right if its counterpart is on the same limb and side, at most one joint from the one at the same
share of that limb. The truth is the anatomy of generated bodies, and the roles of real animals; both are withheld:
joints are renamed, so that not even the hips are known by name. Beside the matcher: the nearest joint of the rest pose
after scaling and the most similar features of a network.

Moments: walks of the same gait with different bodies. Errors are shares of a stride.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import permutations
from pathlib import Path

import numpy as np

from kinema.arrays import Indices
from kinema.formats import load
from kinema.generation.correspondence import correspond_joints, facing_alike
from kinema.generation.moments import correspond_moments
from kinema.generation.named import without_names
from kinema.generation.rig import AnyRig
from kinema.mocap.creatures import PLANS, Act, Creature, make_creature, perform
from kinema.skeleton import Skeleton

ROOT = Path(__file__).parents[1]

Key = tuple[str, int, int]
"""A limb or line: kind, side (1 left, -1 right), order from the front."""

Matcher = Callable[[AnyRig, AnyRig], Indices]
"""The joint of the second rig for each of the first, -1 for none."""

RELATED = (
    ("biped", "theropod"),
    ("biped", "digitigrade"),
    ("theropod", "unguligrade"),
    ("theropod", "bird"),
    ("bird", "winged"),
    ("lizard", "digitigrade"),
    ("winged", "plantigrade"),
    ("spider", "crab"),
)
"""Plans whose limbs have counterparts."""


@dataclass(frozen=True, eq=False)
class Body:
    """A skeleton with the truth of its joints.

    Attributes:
        limbs: joints of the skeleton of each limb, from the body outwards.
        rig: of the skeleton. nameless: of the same skeleton with names that say nothing.
    """

    name: str
    skeleton: Skeleton
    limbs: dict[Key, tuple[int, ...]]
    rig: AnyRig
    nameless: AnyRig

    @staticmethod
    def of(name: str, skeleton: Skeleton, limbs: dict[Key, tuple[int, ...]]) -> Body:
        return Body(name, skeleton, limbs, AnyRig.of(skeleton), without_names(skeleton))


def limbs_of(creature: Creature) -> dict[Key, tuple[int, ...]]:
    """Limbs of a generated body, from its anatomy."""
    body = creature.anatomy
    limbs: dict[Key, tuple[int, ...]] = {("line", 0, 0): (body.root, *body.front)}
    if creature.plan == "snake":
        behind = body.tails[0][::-1] if body.tails else ()
        return {("line", 0, 0): (*behind, body.root, *body.front)}
    if body.tails:
        limbs["tail", 0, 0] = body.tails[0]
    for leg in body.legs:
        kind = ("fore", "hind")[leg.order] if len(body.legs) == 4 else "hind" if len(body.legs) == 2 else "leg"
        limbs[kind, leg.side, 0 if kind != "leg" else leg.order] = leg.joints
    arms = "claw" if creature.plan == "crab" else "fore"
    for kind, found in ((arms, body.arms), ("wing", body.wings), ("fin", body.fins), ("tentacle", body.tentacles)):
        limbs |= {(kind, limb.side, limb.order): limb.joints for limb in found}
    return limbs


def limbs_by_roles(skeleton: Skeleton) -> dict[Key, tuple[int, ...]]:
    """Limbs of a real animal, from its roles."""
    roles = skeleton.roles
    sides = {"left": 1, "right": -1, None: 0}
    middle = {chain.kind: chain.joints for chain in roles.chains if chain.side is None}
    line = (roles.hips, *middle.get("spine", ()), *middle.get("neck", ()), *middle.get("head", ()))
    limbs: dict[Key, tuple[int, ...]] = {("line", 0, 0): tuple(dict.fromkeys(line))}

    def whole(joints: tuple[int, ...], side: str | None) -> tuple[int, ...]:
        """A limb with girdles and twist joints, which roles leave out."""
        above = [joint for joint in skeleton.ancestors(joints[-1])[::-1] if roles.sides[joint] == side]
        return (*above, joints[-1]) if side else joints

    legs = sum(chain.kind == "leg" for chain in roles.chains)
    for chain in roles.chains:
        side = sides[chain.side]
        if chain.kind == "tail" and chain.order == 0:
            limbs["tail", 0, 0] = chain.joints
        elif chain.kind == "leg":
            limbs["hind" if legs == 2 else "leg", side, chain.order] = whole(chain.joints, chain.side)
        elif chain.kind in ("front_leg", "arm"):
            limbs["fore", side, chain.order] = whole(chain.joints, chain.side)
        elif chain.kind in ("wing", "fin") and side:
            limbs[chain.kind, side, chain.order] = chain.joints
    return limbs


def shares(skeleton: Skeleton, joints: Sequence[int]) -> np.ndarray:
    """Shares of the length of a limb at its joints."""
    places = skeleton.rest_pose.global_positions[list(joints)]
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=-1))])
    return lengths / max(float(lengths[-1]), 1e-9)


@dataclass
class Score:
    """Counts over pairs of bodies."""

    joints: int = 0
    right: int = 0
    exact: int = 0
    swapped: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    def row(self, name: str) -> str:
        share = 100.0 / max(self.joints, 1)
        return (
            f"{name:<34} {self.right * share:6.1f} % right {self.exact * share:6.1f} % exact "
            f"{self.swapped:5d} swapped of {self.joints}"
        )


def score(first: Body, second: Body, matcher: Matcher, facing: bool, wrong: list[str]) -> Score:
    """How many joints of the first body that have a counterpart got it; those that are wrong are listed.

    Args:
        facing: whether names said where the hips are and which way the body faces.
    """
    one, two = (body.rig if facing else body.nameless for body in (first, second))
    found = matcher(one, two)
    place = {joint: number for number, joint in enumerate(one.joints.tolist())}
    side_of = {joint: key[1] for key, joints in second.limbs.items() for joint in joints}
    result = Score()
    for key, joints in first.limbs.items():
        right = counterparts(key, first, second)
        if not right:
            continue
        mine = shares(first.skeleton, joints)
        for joint, share in zip(joints, mine, strict=True):
            if joint not in place:
                continue
            result.joints += 1
            number = int(found[place[joint]])
            other = int(two.joints[number]) if number >= 0 else -1
            result.swapped += key[1] * side_of.get(other, 0) < 0
            away = min(distance(second, other, limb, share) for limb in right)
            result.right += away <= 1
            result.exact += distance(second, other, right[0], share) == 0
            if away > 1:
                named = "nothing" if other < 0 else second.skeleton.names[other]
                wrong.append(f"{first.name} {first.skeleton.names[joint]} {key} -> {second.name} {named}")
    return result


def counterparts(key: Key, first: Body, second: Body) -> list[tuple[int, ...]]:
    """Limbs of the second body that are right for one of the first, the best before others.

    In rows of different numbers of limbs, that is the one at the same share of the row, and its neighbours.
    """
    kind, side, order = key
    counts = [1 + max((other[2] for other in body.limbs if other[0] == kind), default=-1) for body in (first, second)]
    if counts[0] == counts[1]:
        return [second.limbs[key]] if key in second.limbs else []
    same = order * (counts[1] - 1) / max(counts[0] - 1, 1)
    orders = sorted(range(counts[1]), key=lambda other: abs(other - same))
    return [
        second.limbs[kind, side, other]
        for other in orders
        if abs(other - same) <= 1 and (kind, side, other) in second.limbs
    ]


def distance(body: Body, joint: int, limb: tuple[int, ...], share: float) -> int:
    """How many joints a joint is from the one at a share of a limb; many if it is not on the limb."""
    if joint not in limb:
        return 99
    return abs(limb.index(joint) - int(np.abs(shares(body.skeleton, limb) - share).argmin()))


def nearest(first: AnyRig, second: AnyRig) -> Indices:
    """The nearest joint of the rest pose, where units are sizes."""
    apart = np.linalg.norm(first.rest_positions[:, None] - second.rest_positions[None], axis=-1)
    return apart.argmin(axis=1).astype(np.int32)


def by_shape(first: AnyRig, second: AnyRig) -> Indices:
    """The matcher, without a network."""
    return correspond_joints(first, second).second_of


def with_turns(matcher: Matcher) -> Matcher:
    """The matcher for rigs that may face other ways."""
    return lambda first, second: matcher(*facing_alike(first, second))


def network_matchers(model: str) -> dict[str, Matcher]:
    """The most similar features of a network alone, and the matcher with them; names and roles withheld."""
    from kinema.generation.generator import Generator
    from kinema.generation.joint_features import network_evidence

    generator = Generator.load(model)

    def alone(first: AnyRig, second: AnyRig) -> Indices:
        return network_evidence(generator, first, second).argmin(axis=1).astype(np.int32)

    def both(first: AnyRig, second: AnyRig) -> Indices:
        return correspond_joints(first, second, network_evidence(generator, first, second)).second_of

    return {"network alone": alone, "shape and network": both}


def generated(name: str, seed: int) -> Body:
    creature = make_creature(name, seed)
    return Body.of(creature.name, creature.skeleton, limbs_of(creature))


ANIMALS = {
    "four legs": (
        "khronos/Fox.glb", "quaternius/Fox.glb", "quaternius/Cow.glb", "quaternius/Horse.glb", "quaternius/Husky.glb",
        "quaternius/Triceratops.glb", "mesh2motion/rig-fox.glb", "dog_mocap_nc/D1_007_KAN01_001.bvh",
    ),
    "two legs": (
        "quaternius/Trex.glb", "truebones/Chicken_TPOSE.bvh", "mesh2motion/rig-kaiju.glb", "mesh2motion/rig-bird.glb",
    ),
    "eight legs": ("quaternius/Spider.glb", "mesh2motion/rig-spider.glb"),
    "fish": ("quaternius/Shark.glb", "quaternius/Dolphin.glb", "quaternius/Anglerfish.glb"),
}  # fmt: skip
"""Real animals in the folder any_topology of the data."""


def real(data: Path) -> dict[str, list[Body]]:
    """Real animals with the truth of their roles; those that are missing are left out."""
    found: dict[str, list[Body]] = {}
    for kind, files in ANIMALS.items():
        for file in files:
            skeleton = load(data / "any_topology" / file).skeleton if (data / "any_topology" / file).is_file() else None
            if skeleton is not None:
                name = Path(file).parent.name + "/" + Path(file).stem
                found.setdefault(kind, []).append(Body.of(name, skeleton, limbs_by_roles(skeleton)))
    return found


def pairs(seeds: Sequence[int], data: Path) -> Iterator[tuple[str, str, Body, Body]]:
    """Group, kind and bodies."""
    for group, kinds in (("same plan", [(plan, plan) for plan in PLANS]), ("related plans", RELATED)):
        for one, two in kinds:
            for seed in seeds:
                yield group, f"{one} - {two}", generated(one, seed), generated(two, seed + 1)
    for kind, bodies in real(data).items():
        for one, two in permutations(bodies, 2):
            yield "real animals", kind, one, two


STEPS = [(plan, plan) for plan in PLANS] + [
    ("biped", "theropod"), ("theropod", "bird"), ("digitigrade", "unguligrade"), ("biped", "digitigrade"),
]  # fmt: skip
"""Plans whose walks, or strokes, are of the same gait; phase 0 is where the left foot of the last pair strikes."""


def off(first: np.ndarray, second: np.ndarray) -> float:
    """Mean difference of phases, shares of a cycle."""
    return float(np.abs((first - second + 0.5) % 1.0 - 0.5).mean())


def moments(seeds: Sequence[int]) -> None:
    """Print how far moments are from the same phase, beside the same time and the best constant shift of time."""
    totals = []
    for one, two in STEPS:
        rows = []
        for seed in seeds:
            act = [Act("swim" if one == "fish" else "walk", 6.0)]
            bodies = [make_creature(one, seed), make_creature(two, seed + 1)]
            takes = [perform(body, act, seed=seed + number) for number, body in enumerate(bodies)]
            rigs = facing_alike(*(without_names(body.skeleton) for body in bodies), (takes[0], takes[1]))
            joints = correspond_joints(*rigs)
            frames = correspond_moments(joints, *takes)
            mine, theirs = (take.labels["phase"] for take in takes)
            at = np.arange(len(mine))
            shifts = [off(mine, theirs[np.clip(at + shift, 0, len(theirs) - 1)]) for shift in range(-60, 61)]
            rows.append((off(mine, theirs[frames]), shifts[60], min(shifts)))
        found = np.mean(rows, axis=0)
        totals.append(found)
        print(f"  {one} - {two}: {found[0]:.3f}; same time {found[1]:.3f}, best shift {found[2]:.3f}")
    found = np.mean(totals, axis=0)
    print(f"  all: {found[0]:.3f} of a cycle; same time {found[1]:.3f}, best shift {found[2]:.3f}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seeds", type=int, default=8, help="pairs of bodies of each kind")
    options.add_argument("--first", type=int, default=1000, help="first seed")
    options.add_argument("--model", metavar="RUN", help="a model of any skeleton whose features are used, too")
    options.add_argument("--moments", action="store_true", help="moments of motions instead of joints")
    options.add_argument("--wrong", action="store_true", help="list joints that are wrong")
    options.add_argument("--data", type=Path, default=os.environ.get("KINEMA_DATA", ROOT / "shared" / "data"))
    chosen = options.parse_args()
    seeds = range(chosen.first, chosen.first + 2 * chosen.seeds, 2)
    if chosen.moments:
        moments(seeds)
        return
    matchers: dict[str, Matcher] = {"nearest in the rest pose": nearest, "shape": by_shape}
    matchers |= network_matchers(chosen.model) if chosen.model else {}
    ways = {f"{name}, facing known": (matcher, True) for name, matcher in matchers.items()}
    ways |= {f"{name}, facing not known": (with_turns(matcher), False) for name, matcher in matchers.items()}
    scores: dict[tuple[str, str, str], Score] = {}
    for group, kind, first, second in pairs(seeds, Path(chosen.data)):
        for way, (matcher, facing) in ways.items():
            wrong: list[str] = []
            found = score(first, second, matcher, facing, wrong)
            if chosen.wrong and matcher is by_shape:
                print(*wrong, sep="\n")
            scores[group, kind, way] = scores.get((group, kind, way), Score()) + found
    for group in dict.fromkeys(key[0] for key in scores):
        for way in ways:
            mine = {kind: found for (one, kind, two), found in scores.items() if (one, two) == (group, way)}
            print(f"\n{group}, {way}")
            for kind, found in mine.items():
                print("  " + found.row(kind))
            print("  " + sum(mine.values(), Score()).row("all"))


if __name__ == "__main__":
    main()
