"""The recogniser: every joint's part, side and partner, from names, shape and, if given, motion.

It goes from the whole to the joint: mirror partners, then limbs and plan, then the middle, then the segments of each
limb, digits and side branches, and last which side is left. Names are heard at every step as evidence among the
evidence of shape, so a skeleton without names takes the same way.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from kinema.motion import Motion
from kinema.roles import view
from kinema.roles.body import Body, find_body
from kinema.roles.digits import name_digits
from kinema.roles.facing import Facing, face
from kinema.roles.limbs import Limb, find_limbs, find_middle
from kinema.roles.model import PARTS, Chain, Roles, Side
from kinema.roles.segments import Reading, read_limb, translate
from kinema.roles.symmetry import Plane, find_plane, pair_up
from kinema.roles.tree import Tree, look
from kinema.roles.trunk import Trunk, find_trunk
from kinema.roles.vocabulary import Evidence, read_name
from kinema.skeleton import Skeleton

_DIGITS = ("thumb", "index", "middle", "ring", "little", "finger")
_OWN = ("twist", "helper", "prop", "hair", "face", "jaw", "eye", "ear", "tail", "wing", "fin", *_DIGITS, "toes")
_COUNTED = ("upper_arm", "thigh", "shin", "leg", "hand", "foot")
_NUMBER = re.compile("[0-9]+")
_JOINTED = ("leg", "arm", "front_leg", "wing")
_BY_NAME, _AGREED, _ALONE = 0.9, 0.98, 0.35


def find_roles(skeleton: Skeleton, motion: Motion | None = None) -> Roles:
    """The roles of a skeleton's joints. Never fails: what is not found is "", empty or None.

    Args:
        skeleton: any; its ``hints`` overrule.
        motion: of that skeleton; tells up, forward and sides where the rest pose does not.
    """
    return _Recogniser(skeleton, motion).roles()


def hinted(skeleton: Skeleton) -> dict[int, tuple[str, Side | None]]:
    """Part and side by joint that the skeleton's hints state; hints that are no roles are left out."""
    found: dict[int, tuple[str, Side | None]] = {}
    for name, role in skeleton.hints.items():
        side, _, part = role.partition("_")
        told: tuple[str, Side | None] = (part, side) if side in ("left", "right") and part else (role, None)  # type: ignore[assignment]
        if told[0] in PARTS:
            found[skeleton.index(name)] = told
    return found


class _Recogniser:
    """One run over one skeleton."""

    def __init__(self, skeleton: Skeleton, motion: Motion | None) -> None:
        self.skeleton = skeleton
        self.hints = hinted(skeleton)
        self.evidence = [self._hear(joint, name) for joint, name in enumerate(skeleton.names)]
        self.tree: Tree = look(skeleton, motion)
        self.plane: Plane | None = find_plane(self.tree)
        self.partners = pair_up(self.tree, skeleton.names, self.evidence, self.plane)
        self._pair_hinted()
        self.middle = find_middle(self.tree, self.partners)
        self.limbs: list[Limb] = find_limbs(self.tree, self.partners, self.evidence)
        self.body: Body = find_body(self.tree, self.limbs, self.middle, self.evidence)
        for limb in self.limbs:
            self._forget_counted(limb)
        self.read = {limb.roots: self._read(limb) for limb in self.limbs if limb.kind in _JOINTED}
        self.body.tipped = any(
            "toe" in self.read[limb.roots].joints and self.tree.next[self.read[limb.roots].joints["toe"]] >= 0
            for limb in self.body.of("leg") if limb.roots in self.read
        )  # fmt: skip
        self.trunk: Trunk = find_trunk(self.tree, self.body, self.middle, self.partners, self.evidence)
        count = skeleton.joint_count
        self.parts = [""] * count
        self.done = [False] * count
        self.confidence = np.zeros(count, np.float32)
        self.chains: list[Chain] = []  # of one limb of each pair, without side
        self.thumbs: list[int] = []
        self.readings: dict[tuple[int, int], tuple[Reading, dict[str, int], dict[str, int]]] = {}

    def _hear(self, joint: int, name: str) -> Evidence:
        if joint in self.hints:
            part, side = self.hints[joint]
            return Evidence({part: 1.0} if part else {}, side, read_name(name).level, False, name)
        said = read_name(name)
        if said.end and not self.skeleton.children[joint]:
            return said
        return replace(said, end=False) if said.end else said

    def _forget_counted(self, limb: Limb) -> None:
        """Drop names that say the same of a whole limb, ``arm_1`` to ``arm_4``: they do not tell its segments."""
        groups: dict[str, list[int]] = {}
        for joint in limb.path:
            if self.evidence[joint].best in _COUNTED:
                groups.setdefault(_NUMBER.sub("", self.skeleton.names[joint]), []).append(joint)
        for joint in (joint for group in groups.values() if len(group) >= 3 for joint in group):
            for at in (joint, self.partners[joint]):
                if at not in self.hints:
                    self.evidence[at] = replace(self.evidence[at], parts={})

    def _pair_hinted(self) -> None:
        """Make partners of the only two joints that are stated to be the left and the right of a part."""
        stated: dict[tuple[str, Side | None], list[int]] = {}
        for joint, role in self.hints.items():
            stated.setdefault(role, []).append(joint)
        for (part, side), joints in stated.items():
            others = stated.get((part, "right"), []) if side == "left" else []
            if len(joints) == len(others) == 1:
                one, other = joints[0], others[0]
                for joint in (one, other):
                    self.partners[self.partners[joint]] = self.partners[joint]
                self.partners[one], self.partners[other] = other, one

    def roles(self) -> Roles:
        self._middle()
        for limb in self.limbs:
            if limb.kind:
                self._limb(limb)
        self._branches()
        facing, known = self._facing()
        self.forward = facing.forward
        sides = self._sides(facing, known)
        silent = [not said.parts for said in self.evidence]  # calibrated on bodies whose roles are known
        self.confidence[silent] = np.sqrt(self.confidence[silent])
        for joint, (part, side) in self.hints.items():
            self.parts[joint], sides[joint], self.confidence[joint] = part, side, 1.0
        partners = np.asarray(self.partners, np.int32)
        chains = tuple(self._sided(sides))
        found_by = "hints" if self.hints else "names" if self._named() else "shape"
        roles = Roles(self.body.hips, (), None, None, (), (), tuple(self.parts), tuple(sides), partners,
                      self.confidence, chains, self.body.plan, found_by)  # fmt: skip
        return view.with_view(roles, self.skeleton, self.tree)

    def _named(self) -> bool:
        return sum(bool(said.parts) for said in self.evidence) > 0.3 * len(self.evidence)

    def _put(self, joint: int, part: str, sure: float, certain: bool = False) -> None:
        """Give a joint its part. ``sure``: how sure shape is; a name that agrees makes it surer."""
        said = self.evidence[joint].parts
        if said.get(part, 0.0) >= 0.5:
            sure = _AGREED
        elif said and not certain:
            sure *= 0.8
        self.parts[joint], self.confidence[joint], self.done[joint] = part, sure, True

    # the middle

    def _middle(self) -> None:
        trunk, sure = self.trunk, 0.45 + 0.4 * self.body.margin
        for part, joints in (("root", trunk.root), ("hips", trunk.hips), ("spine", trunk.spine), ("neck", trunk.neck)):
            for joint in joints:
                said = self.evidence[joint]
                if said.best in ("helper", "prop") and part in ("spine", "neck", "root"):
                    self._put(joint, "root" if part == "root" else said.best, sure)
                else:
                    self._put(joint, part, sure)
        if trunk.head is not None:
            self._put(trunk.head, "head", sure)
        for order, tail in enumerate(trunk.tails):
            for joint in tail:
                self._put(joint, "spine" if self.evidence[joint].best == "spine" else "tail", 0.6)
            self.chains.append(Chain("tail", None, tuple(tail), order))
        run = trunk.hips[-1:] + trunk.spine
        if len(run) > 1:
            self.chains.append(Chain("spine", None, tuple(run)))
        if trunk.neck:
            self.chains.append(Chain("neck", None, tuple(trunk.neck)))
        if trunk.head is not None:
            self.chains.append(Chain("head", None, (trunk.head,)))

    # limbs

    def _limb(self, limb: Limb) -> None:
        if limb.kind in ("fin",) or (limb.kind == "wing" and limb.named("arm") < 0.3):
            self._fill(limb, limb.kind)
            return
        if self.body.plan == "many-legged" and limb.kind == "leg":
            self._fill(limb, "leg")
            return
        kind = limb.kind
        reading = self.read[limb.roots]
        sure = float(np.clip(0.45 + 0.3 * self.body.margin + 0.25 * reading.margin, 0, 0.95))
        ours = dict(reading.joints)
        theirs = {part: self.partners[joint] for part, joint in ours.items() if self.partners[joint] != joint}
        self.readings[limb.roots] = (reading, ours, theirs)
        path = limb.path
        self._segments(path, ours, kind, sure)
        mirrored = [self.partners[joint] for joint in path if self.partners[joint] != joint]
        if theirs:
            self._segments(mirrored, theirs, kind, sure)

    def _read(self, limb: Limb) -> Reading:
        one, other = limb.roots
        apart = float(np.linalg.norm(self.tree.placed[one] - self.tree.placed[other]))
        return read_limb(self.tree, limb.path, limb.kind, [self._said(at, limb.kind) for at in limb.path], apart,
                         self.body.up)  # fmt: skip

    def _said(self, joint: int, kind: str) -> dict[str, float]:
        """What the names of a joint and its partner say, in the words of the limb's kind."""
        own = translate(self.evidence[joint].parts, kind)
        other = translate(self.evidence[self.partners[joint]].parts, kind)
        if self.evidence[joint].end:
            return {"helper": 1.0}
        if kind == "leg" and self._in_row(joint):
            return {"toes": 1.0}
        return {part: max(own.get(part, 0.0), other.get(part, 0.0)) for part in {*own, *other}}

    def _in_row(self, joint: int) -> bool:
        """Whether a joint is one of three or more digits that begin side by side."""
        parent = self.tree.parents[joint]
        if parent < 0 or self.middle[parent] or len(self.tree.children[parent]) < 3:
            return False
        total = self.tree.reach[joint] + self.tree.lengths[joint]
        alike = [at for at in self.tree.children[parent] if self.evidence[at].best in ("", "toe", "toes")
                 and 0.4 * total < self.tree.reach[at] + self.tree.lengths[at] < 2.5 * total]  # fmt: skip
        return joint in alike and len(alike) >= 3

    def _segments(self, path: list[int], joints: dict[str, int], kind: str, sure: float) -> None:
        """Parts of all joints on a limb's path, given the chosen ones, and its chain."""
        chosen = {joint: part for part, joint in joints.items()}
        above = "hips" if kind == "leg" else "shoulder"
        current, run = "", []
        waiting = [chosen[joint] for joint in path if joint in chosen]
        for joint in path:
            said = self._said(joint, kind)
            if joint in chosen:
                current = waiting.pop(0)
                self._put(joint, current, sure, certain=True)
                if said.get(current, 0.0) >= 0.5:
                    self.confidence[joint] = _AGREED
                run.append(joint)
                continue
            best = max(said, key=lambda part: said[part]) if said else ""
            if waiting and said.get(waiting[0], 0.0) >= 0.9 and best == waiting[0]:  # a robot's hip has three joints
                self._put(joint, waiting[0], sure)
            elif not current:
                part = best if best in ("hips", "shoulder", "helper", "prop") else above
                self._put(joint, part, sure * 0.9)
                if part == "shoulder":
                    run.append(joint)
            elif current in ("toe", "hand") or (current == "foot" and "toe" not in joints) or best in _DIGITS:
                break
            elif best == current or (best and said.get(current, 0) >= 0.5):
                self._put(joint, current, sure)
            else:
                self._put(joint, "foot" if current == "foot" else "twist", sure * 0.85)
        self._beyond(joints, kind, sure)
        self.chains.append(Chain(kind, None, tuple(run)))

    def _beyond(self, joints: dict[str, int], kind: str, sure: float) -> None:
        """Digits below the last segment."""
        last = joints.get("toe", joints.get("foot")) if kind == "leg" else joints.get("hand")
        if last is None:
            return
        if kind == "leg":
            foot = joints.get("foot", last)
            if last != foot:
                self._toes(last, sure)
            self._toes(foot, sure)
            return
        if kind == "wing":
            return
        self._fingers(last, kind, sure)

    def _toes(self, parent: int, sure: float) -> None:
        """What hangs on a foot or its ball and has no part yet: digits, or the one joint that marks the end."""
        tops = [top for top in self.tree.children[parent] if not self.done[top]]
        single = len(tops) == 1 and self.tree.size[tops[0]] == 1 and self.tree.reach[tops[0]] <= 0
        for joint in (at for top in tops for at in self.tree.below(top)):
            said = self.evidence[joint]
            if said.best in ("twist", "helper", "prop") or said.end or (single and not said.parts):
                self._put(joint, "twist" if said.best == "twist" else "helper", 0.6 if not said.parts else _BY_NAME)
            else:
                self._put(joint, "foot" if said.best == "foot" else "toes", sure * 0.9)

    def _fingers(self, hand: int, kind: str, sure: float) -> None:
        top, roots = hand, list(self.tree.children[hand])
        while len(roots) == 1 and len(self.tree.children[roots[0]]) > 1:  # a palm below the wrist
            self._put(roots[0], "hand", sure)
            top, roots = roots[0], list(self.tree.children[roots[0]])
        roots = [root for root in roots if not self._aside(root)]
        if not roots:
            return
        single = len(roots) == 1 and self.tree.size[roots[0]] <= 2
        says = self.evidence[roots[0]].best if single else ""
        if single and (says == "hand" or (not says and self.tree.size[roots[0]] == 1)):
            leaf = self.evidence[roots[0]].end or not says
            self._put(roots[0], "helper" if leaf else "hand", 0.6)
            roots = [root for root in self.tree.children[roots[0]] if not self._aside(root)] if says == "hand" else []
            if not roots:
                return
        named, told = name_digits(self.tree, top, roots, self.evidence)
        for root, digit in named.items():
            if kind == "front_leg" and not told:
                digit = "finger"
            if digit == "thumb":
                self.thumbs.append(root)
            path = []
            for joint in self.tree.below(root):
                said = self.evidence[joint]
                if self.done[joint]:
                    continue
                tip = not said.parts and self.body.tipped and len(path) >= 3 and self.tree.reach[joint] <= 0
                if said.end or tip or said.best in ("helper", "prop", "twist"):
                    self._put(joint, "helper" if said.end or tip else said.best, _BY_NAME)
                else:
                    best = said.best if said.best in _DIGITS[:5] else digit
                    self._put(joint, best, sure * (0.97 if told else 0.8))
                    path.append(joint)
            if path:
                self.chains.append(Chain(digit, None, tuple(path)))

    def _aside(self, joint: int) -> bool:
        said = self.evidence[joint]
        if said.best in ("helper", "twist", "prop") or said.end:
            return True
        return not said.parts and self.tree.reach[joint] <= 0 and self.tree.lengths[joint] <= 1e-6

    def _fill(self, limb: Limb, part: str) -> None:
        """Every joint of both sides is the same part: legs of spiders, fins, small wings."""
        for root in limb.roots:
            path = self.tree.path(root)
            for joint in self.tree.below(root):
                said = self.evidence[joint].best
                self._put(joint, said if said in ("helper", "twist", "prop") else part, 0.75 if joint in path else 0.6)
            self.chains.append(Chain(limb.kind, None, tuple(path)))

    # what hangs on the rest

    def _branches(self) -> None:
        """Joints that are on no chain: by their names, else by what they hang on."""
        self._loose_feet()
        for joint, parent in enumerate(self.tree.parents):
            if self.done[joint]:
                continue
            said = self.evidence[joint]
            leaf = self.tree.size[joint] == 1
            if said.end and leaf:
                self._put(joint, "helper", _BY_NAME)
            elif said.best in _OWN or (said.best and parent < 0):
                self._put(joint, said.best, _BY_NAME)
            elif said.best:
                self._put(joint, self._weigh(joint, parent), 0.75)
            else:
                self._put(joint, self._by_place(joint, parent), _ALONE)

    def _weigh(self, joint: int, parent: int) -> str:
        """A joint off the chains whose name has a part of the body: muscles and second bones of a segment."""
        said, on = self.evidence[joint], self.parts[parent] if parent >= 0 else ""
        if said.best == "head" and self.trunk.head is not None and on in ("head", "face"):
            return "helper"
        if said.best == on and self.tree.size[joint] == 1 and on in ("upper_arm", "forearm", "thigh", "shin"):
            return "twist"
        return said.best

    def _by_place(self, joint: int, parent: int) -> str:
        on = self.parts[parent] if parent >= 0 else ""
        leaf = self.tree.size[joint] == 1
        if on in ("head", "jaw", "eye", "ear", "face", "hair"):
            return self._on_head(joint, parent, leaf)
        paired = parent >= 0 and self.middle[parent] and self.partners[joint] != joint
        if paired and self.body.plan == "legless" and on != "head":
            return "fin"
        if on in ("tail", "wing", "fin", "toes", "twist", *_DIGITS, "hair", "prop", "leg"):
            return on
        if on in ("upper_arm", "forearm", "thigh", "shin", "shoulder"):
            return "twist" if self.tree.size[joint] <= 3 else "wing" if self.body.plan == "winged" else "helper"
        if on == "hand" and self.body.plan == "winged":
            return "wing"
        return "helper"

    def _on_head(self, joint: int, parent: int, leaf: bool) -> str:
        if self.parts[parent] != "head":
            return self.parts[parent]
        paired = self.partners[joint] != joint
        if paired:
            if self.tree.size[parent] > 20:
                return "face"
            return "eye" if leaf else "ear" if self.tree.size[joint] <= 5 else "face"
        if leaf and len(self.tree.children[parent]) == 1:
            return "helper"
        drop = float((self.tree.placed[joint] - self.tree.placed[parent]) @ self.body.up)
        crowded = self.tree.size[parent] > 6
        return "helper" if leaf and drop > 0.5 * self.tree.lengths[joint] else "face" if crowded else "jaw"

    def _loose_feet(self) -> None:
        """Feet that hang on no leg, as rigs for games have that move them by inverse kinematics."""
        for limb in self.limbs:
            if limb.kind not in ("leg", "front_leg") or limb.roots not in self.readings:
                continue
            _, ours, theirs = self.readings[limb.roots]
            last = "foot" if limb.kind == "leg" else "hand"
            for joints in (ours, theirs):
                if last in joints or len(joints) < 2:
                    continue
                knee = joints["shin" if limb.kind == "leg" else "forearm"]
                near = 0.75 * max(self.tree.lengths[knee], 1e-9)
                options = [joint for joint in range(len(self.parts))
                           if not self.done[joint] and not self.middle[joint] and self.tree.size[joint] <= 4
                           and self.evidence[joint].best in ("", "foot", "hand")
                           and self.tree.parents[joint] not in (knee,)] if len(self.parts) < 2000 else []  # fmt: skip
                if not options:
                    continue
                tip = self.tree.placed[knee] - self.body.up * self.tree.lengths[knee]
                best = min(options, key=lambda joint: float(np.linalg.norm(self.tree.placed[joint] - tip)))
                if float(np.linalg.norm(self.tree.placed[best] - tip)) < near:
                    self._put(best, last, 0.55)

    # sides

    def _votes(self, root: int) -> int:
        """How many more names of a subtree say left than right."""
        votes = 0
        for joint in self.tree.below(root, 60):
            votes += {"left": 1, "right": -1}.get(self.evidence[joint].side or "", 0)
        return votes

    def _facing(self) -> tuple[Facing, dict[tuple[int, int], int]]:
        """Where the body faces, and for each pair of limbs what names say of the first: +1 left, -1 right."""
        known = {limb.roots: int(np.sign(self._votes(limb.roots[0]) - self._votes(limb.roots[1])))
                 for limb in self.limbs}  # fmt: skip
        limbs = [limb for limb in self.limbs if limb.kind] or self.limbs
        if not limbs:
            normal = self.plane.normal if self.plane is not None else None
            return face(self.tree, self.body, self.trunk, [], [], [], [], normal), known
        legs, arms = [], []
        ones = self._one_side(limbs, known)
        for limb, turn in ones:
            if limb.roots in self.readings:
                _, ours, theirs = self.readings[limb.roots]
                (legs if limb.kind == "leg" else arms).append((theirs, ours) if turn < 0 else (ours, theirs))
        pairs = [limb.roots if turn > 0 else (limb.roots[1], limb.roots[0]) for limb, turn in ones]
        told = sum(known[limb.roots] * turn for limb, turn in ones)
        normal = self.plane.normal if self.plane is not None and self.tree.posed else None
        facing = face(self.tree, self.body, self.trunk, pairs, legs, arms, self.thumbs, normal, float(np.sign(told)))
        return facing, known

    def _one_side(self, limbs: list[Limb], known: dict[tuple[int, int], int]) -> list[tuple[Limb, int]]:
        """The limbs with +1 or -1, so that the first (+1) or second (-1) of each are on the same side."""
        return [(limb, self._turn(*limb.roots)) for limb in limbs]

    def _turn(self, one: int, other: int) -> int:
        """+1 or -1: on which side of the mirror plane the first of a pair is."""
        tree = self.tree
        normal = self.plane.normal if self.plane is not None else np.array([1.0, 0.0, 0.0])
        apart = tree.placed[one] - tree.placed[other]
        across = float(apart @ normal)
        if abs(across) < max(0.3 * float(np.linalg.norm(apart)), 1e-4 * tree.extent):
            across = float((tree.centres[one] - tree.centres[other]) @ normal)
        return -1 if across < 0 else 1

    def _sides(self, facing: Facing, known: dict[tuple[int, int], int]) -> list[Side | None]:
        sides: list[Side | None] = [None] * len(self.parts)
        for joint, partner in enumerate(self.partners):
            parent = self.tree.parents[joint]
            if self.middle[joint]:
                continue
            if parent >= 0 and sides[parent] is not None:  # a limb's joints are on the side of its root
                sides[joint] = sides[parent]
            elif partner != joint:
                sides[joint] = self._side_of(joint, partner, facing, known)
            else:
                sides[joint] = self.evidence[joint].side
        for joint, said in enumerate(self.evidence):
            if sides[joint] is None and said.side and self.partners[joint] == joint:
                sides[joint] = said.side
            if sides[joint] is not None and not said.side:
                self.confidence[joint] *= 0.6 + 0.4 * facing.sure
        return sides

    def _side_of(self, joint: int, partner: int, facing: Facing, known: dict[tuple[int, int], int]) -> Side:
        told = self._votes(joint) - self._votes(partner)
        if told:
            return "left" if told > 0 else "right"
        return "left" if self._turn(joint, partner) * facing.sign > 0 else "right"

    def _sided(self, sides: list[Side | None]) -> list[Chain]:
        """The chains with sides and counted: limbs from front to back, others as they come."""
        order: dict[tuple[str, Side | None], list[Chain]] = {}
        for chain in self.chains:
            if chain.joints:
                side = sides[chain.joints[0]]
                order.setdefault((chain.kind, side), []).append(replace(chain, side=side))
        found: list[Chain] = []
        for (kind, _), group in order.items():
            if kind in ("leg", "front_leg", "wing", "fin") and len(group) > 1:
                group = sorted(group, key=lambda chain: -float(self.tree.placed[chain.joints[-1]] @ self.forward))
            found.extend(replace(chain, order=number) for number, chain in enumerate(group))
        return found
