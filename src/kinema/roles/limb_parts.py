"""The parts of joints in limbs: segments, joints above, between and beyond them, fingers and toes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kinema.roles.digits import DIGITS, FINGERS, name_digits
from kinema.roles.draft import AGREED, BY_NAME, Draft
from kinema.roles.limb_reading import LimbReading
from kinema.roles.limbs import ASIDE, LimbPair
from kinema.roles.tree import JointTree


def name_limbs(draft: Draft) -> None:
    """Decide the parts of all joints of limbs, and add their chains."""
    for limb in draft.limbs:
        if limb.kind and draft.body.segmented(limb):
            _name_segmented(draft, limb, draft.readings[limb.roots])
        elif limb.kind:
            _fill(draft, limb)


def _fill(draft: Draft, limb: LimbPair) -> None:
    """Make every joint of both sides the same part."""
    for root in limb.roots:
        path = draft.tree.path(root)
        for joint in draft.tree.below(root):
            said = draft.evidence[joint].best
            draft.put(joint, said if said in ASIDE else limb.kind, 0.75 if joint in path else 0.6)
        draft.add_chain(limb.kind, path)


def _name_segmented(draft: Draft, limb: LimbPair, reading: LimbReading) -> None:
    sure = float(np.clip(0.45 + 0.3 * draft.body.margin + 0.25 * reading.margin, 0, 0.95))
    _Limb(draft, limb.kind, sure, limb.path, reading.ours, reading.followers).name()
    if reading.theirs:
        mirrored = [draft.partners[joint] for joint in limb.path if draft.partners[joint] != joint]
        _Limb(draft, limb.kind, sure, mirrored, reading.theirs, reading.followers).name()


@dataclass(frozen=True, eq=False)
class _Limb:
    """One limb whose joints get parts.

    Attributes:
        draft: the skeleton.
        kind: kind of the limb.
        sure: confidence in its segments.
        path: its joints from the trunk outwards.
        joints: the joint of each segment.
        followers: hinges that share the part of an earlier hinge.
    """

    draft: Draft
    kind: str
    sure: float
    path: list[int]
    joints: Mapping[str, int]
    followers: Mapping[int, int]

    @property
    def tree(self) -> JointTree:
        return self.draft.tree

    def name(self) -> None:
        """Decide the parts along the path and of the digits, and add the limb's chain."""
        draft = self.draft
        chosen = {joint: part for part, joint in self.joints.items()}
        waiting = [chosen[joint] for joint in self.path if joint in chosen]
        current, run = "", []
        for joint in self.path:
            first = self.followers.get(joint)
            if joint in chosen:
                current = waiting.pop(0)
                self._put_segment(joint, current)
                run.append(joint)
            elif first is not None and draft.done[first]:
                draft.put(joint, draft.parts[first], self.sure, certain=True)
            else:
                decided = self._between(joint, current, waiting[0] if waiting else "")
                if decided is None:
                    break
                part, share = decided
                draft.put(joint, part, self.sure * share)
                if (part == "shoulder" and not current) or part == "wing":
                    run.append(joint)
        self._name_digits()
        draft.add_chain(self.kind, run)

    def _put_segment(self, joint: int, part: str) -> None:
        self.draft.put(joint, part, self.sure, certain=True)
        if self.draft.said(joint, self.kind).get(part, 0.0) >= 0.5:
            self.draft.confidence[joint] = AGREED

    def _between(self, joint: int, current: str, following: str) -> tuple[str, float] | None:
        """Part and share of the confidence of a joint that is not a chosen segment; None for the first digit.

        Args:
            joint: its index.
            current: the segment above it; "" above the first.
            following: the next segment; "" after the last.
        """
        said = self.draft.said(joint, self.kind)
        best = max(said, key=lambda part: said[part], default="")
        if following and said.get(following, 0.0) >= 0.9 and best == following:
            return best, 1.0  # a robot's hip whose hinges the file does not state
        if not current:
            if self.draft.on(joint) == "hips" and joint != self.path[0] and said.get(following, 0.0) >= 0.5:
                return following, 1.0  # half a pelvis is a single joint
            above = "hips" if self.kind == "leg" else "shoulder"
            return best if best in ("hips", "shoulder", "helper", "prop") else above, 0.9
        if current == "hand" and self.kind == "wing":  # on to the tip of the wing
            return "wing", 1.0
        if self._is_last(current) or best in DIGITS:
            return None
        if best == current or said.get(current, 0) >= 0.5:
            return current, 1.0
        return "foot" if current == "foot" else "twist", 0.85

    def _is_last(self, segment: str) -> bool:
        return segment in ("toe", "hand") or (segment == "foot" and "toe" not in self.joints)

    def _name_digits(self) -> None:
        """Decide the parts of joints beyond the last segments."""
        last_hinges = {first: joint for joint, first in self.followers.items()}
        if self.kind == "leg":
            for part in ("toe", "foot"):
                if part in self.joints:
                    self._toes(last_hinges.get(self.joints[part], self.joints[part]), part)
        elif self.kind != "wing" and "hand" in self.joints:
            self._fingers(last_hinges.get(self.joints["hand"], self.joints["hand"]))

    def _toes(self, parent: int, part: str) -> None:
        """Decide the joints below a foot or its ball: digits, or a single joint that marks the end."""
        draft, tree = self.draft, self.tree
        tops = [top for top in tree.children[parent] if not draft.done[top]]
        single = len(tops) == 1 and tree.size[tops[0]] == 1 and tree.reach[tops[0]] <= 0
        for joint in (at for top in tops for at in tree.below(top)):
            said = draft.evidence[joint]
            if said.best == "twist":
                draft.put(joint, "twist", BY_NAME)
            elif said.best in ASIDE or said.end or (single and not said.parts):
                draft.put(joint, "helper", BY_NAME if said.parts else 0.6)
            else:
                draft.put(joint, "foot" if said.best == part == "foot" else "toes", self.sure * 0.9)

    def _fingers(self, hand: int) -> None:
        """Decide the joints below a hand."""
        draft, tree = self.draft, self.tree
        while len(tree.children[hand]) == 1 and len(tree.children[tree.children[hand][0]]) > 1:
            hand = tree.children[hand][0]  # a palm below the wrist
            draft.put(hand, "hand", self.sure)
        roots = self._digit_roots(hand)
        if len(roots) == 1 and tree.size[roots[0]] <= 2:
            roots = self._beyond_single(roots[0])
        if not roots:
            return
        named, by_name = name_digits(tree, hand, roots, draft.evidence)
        for root, digit in named.items():
            if self.kind == "front_leg" and not by_name:
                digit = "finger"
            if digit == "thumb":
                draft.thumbs.append(root)
            self._finger(root, digit, self.sure * (0.97 if by_name else 0.8))

    def _beyond_single(self, joint: int) -> list[int]:
        """The roots of digits if a hand has one child with at most one child: that may be a second hand or an end."""
        said = self.draft.evidence[joint]
        if said.best == "hand":
            self.draft.put(joint, "helper" if said.end else "hand", 0.6)
            return self._digit_roots(joint)
        if not said.best and self.tree.size[joint] == 1:
            self.draft.put(joint, "helper", 0.6)
            return []
        return [joint]

    def _digit_roots(self, hand: int) -> list[int]:
        """Children of a hand that can be digits."""
        tree, found = self.tree, []
        for joint in tree.children[hand]:
            said = self.draft.evidence[joint]
            empty = not said.parts and tree.reach[joint] <= 0 and tree.lengths[joint] <= 1e-6
            if said.best not in ASIDE and not said.end and not empty:
                found.append(joint)
        return found

    def _finger(self, root: int, digit: str, sure: float) -> None:
        """Decide the joints of one finger, and add its chain."""
        draft, tree = self.draft, self.tree
        path: list[int] = []
        named: dict[int, str] = {}
        for joint in tree.below(root):
            if draft.done[joint]:
                continue
            said = draft.evidence[joint]
            if said.end or self._is_tip(joint, len(path)):
                draft.put(joint, "helper", BY_NAME)
            elif said.best in ASIDE:
                draft.put(joint, said.best, BY_NAME)
            else:
                own = self._finger_name(joint, named)
                if own:
                    named[joint] = own
                draft.put(joint, own or digit, sure)
                path.append(joint)
        draft.add_chain(digit, path)

    def _is_tip(self, joint: int, before: int) -> bool:
        """Whether an unnamed joint after `before` others marks the end of a finger."""
        unnamed = not self.draft.evidence[joint].parts
        return unnamed and self.draft.body.tipped and before >= 3 and self.tree.reach[joint] <= 0

    def _finger_name(self, joint: int, named: Mapping[int, str]) -> str:
        """The finger by name; that of the parent for an only child: the "Mid" of an index is not a middle finger."""
        parent = self.tree.parents[joint]
        if parent in named and len(self.tree.children[parent]) == 1:
            return named[parent]
        said = self.draft.evidence[joint].best
        return said if said in FINGERS else ""
