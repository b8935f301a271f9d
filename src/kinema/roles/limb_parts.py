"""The parts of the joints of limbs: segments, what stands above, between and beyond them, fingers and toes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kinema.roles.digits import FINGERS, name_digits
from kinema.roles.draft import AGREED, BY_NAME, Draft
from kinema.roles.limb_reading import Hearing
from kinema.roles.limbs import Limb
from kinema.roles.model import Chain

DIGITS = (*FINGERS, "finger")
_ASIDE = ("helper", "twist", "prop")


def name_limbs(draft: Draft) -> None:
    """Give the joints of all limbs their parts, and make their chains."""
    for limb in draft.limbs:
        if limb.kind:
            _Namer(draft, limb).name()


class _Namer:
    """One pair of limbs."""

    def __init__(self, draft: Draft, limb: Limb) -> None:
        self.draft, self.limb, self.tree = draft, limb, draft.tree
        self.hearing = Hearing(draft.tree, draft.evidence, draft.partners, draft.middle)
        self.sure = 0.0

    def name(self) -> None:
        limb, draft = self.limb, self.draft
        if not draft.body.segmented(limb):
            self._fill()
            return
        reading = draft.readings[limb.roots]
        self.sure = float(np.clip(0.45 + 0.3 * draft.body.margin + 0.25 * reading.margin, 0, 0.95))
        self._segments(limb.path, reading.ours, reading.followers)
        mirrored = [draft.partners[joint] for joint in limb.path if draft.partners[joint] != joint]
        if reading.theirs:
            self._segments(mirrored, reading.theirs, reading.followers)

    def _fill(self) -> None:
        """Every joint of both sides is the same part."""
        for root in self.limb.roots:
            path = self.tree.path(root)
            for joint in self.tree.below(root):
                said = self.draft.evidence[joint].best
                self.draft.put(joint, said if said in _ASIDE else self.limb.kind, 0.75 if joint in path else 0.6)
            self.draft.chains.append(Chain(self.limb.kind, None, tuple(path)))

    def _segments(self, path: list[int], joints: Mapping[str, int], followers: Mapping[int, int]) -> None:
        """Parts of all joints on a limb's path, given the chosen ones, and its chain."""
        kind, sure, draft = self.limb.kind, self.sure, self.draft
        chosen = {joint: part for part, joint in joints.items()}
        above = "hips" if kind == "leg" else "shoulder"
        current, run = "", []
        waiting = [chosen[joint] for joint in path if joint in chosen]
        for joint in path:
            said = self.hearing.said(joint, kind)
            if joint in chosen:
                current = waiting.pop(0)
                draft.put(joint, current, sure, certain=True)
                if said.get(current, 0.0) >= 0.5:
                    draft.confidence[joint] = AGREED
                run.append(joint)
                continue
            first = followers.get(joint)
            if first is not None and draft.done[first]:
                draft.put(joint, draft.parts[first], sure, certain=True)
                continue
            best = max(said, key=lambda part: said[part]) if said else ""
            if waiting and best == waiting[0] and said[best] >= 0.9:  # a robot's hip, where no hinges are stated
                draft.put(joint, best, sure)
            elif not current:
                part = best if best in ("hips", "shoulder", "helper", "prop") else above
                draft.put(joint, part, sure * 0.9)
                if part == "shoulder":
                    run.append(joint)
            elif current == "hand" and kind == "wing":  # on to the tip of the wing
                draft.put(joint, "wing", sure)
                run.append(joint)
            elif current in ("toe", "hand") or (current == "foot" and "toe" not in joints) or best in DIGITS:
                break
            elif best == current or (best and said.get(current, 0) >= 0.5):
                draft.put(joint, current, sure)
            else:
                draft.put(joint, "foot" if current == "foot" else "twist", sure * 0.85)
        self._beyond(joints, followers)
        draft.chains.append(Chain(kind, None, tuple(run)))

    def _beyond(self, joints: Mapping[str, int], followers: Mapping[int, int]) -> None:
        """Digits below the last segments."""
        ends = {first: joint for joint, first in followers.items()}  # the last hinge of each joint of the body
        if self.limb.kind == "leg":
            for part in ("toe", "foot"):
                if part in joints:
                    self._toes(ends.get(joints[part], joints[part]), part)
        elif self.limb.kind != "wing" and "hand" in joints:
            self._fingers(ends.get(joints["hand"], joints["hand"]))

    def _toes(self, parent: int, part: str) -> None:
        """What hangs on a foot or its ball and has no part yet: digits, or the one joint that marks the end."""
        draft, tree = self.draft, self.tree
        tops = [top for top in tree.children[parent] if not draft.done[top]]
        single = len(tops) == 1 and tree.size[tops[0]] == 1 and tree.reach[tops[0]] <= 0
        for joint in (at for top in tops for at in tree.below(top)):
            said = draft.evidence[joint]
            if said.best in _ASIDE or said.end or (single and not said.parts):
                draft.put(joint, "twist" if said.best == "twist" else "helper", 0.6 if not said.parts else BY_NAME)
            else:
                draft.put(joint, "foot" if said.best == part == "foot" else "toes", self.sure * 0.9)

    def _fingers(self, hand: int) -> None:
        draft, tree = self.draft, self.tree
        top, roots = hand, list(tree.children[hand])
        while len(roots) == 1 and len(tree.children[roots[0]]) > 1:  # a palm below the wrist
            draft.put(roots[0], "hand", self.sure)
            top, roots = roots[0], list(tree.children[roots[0]])
        roots = [root for root in roots if not self._aside(root)]
        if not roots:
            return
        single = len(roots) == 1 and tree.size[roots[0]] <= 2
        says = draft.evidence[roots[0]].best if single else ""
        if single and (says == "hand" or (not says and tree.size[roots[0]] == 1)):
            leaf = draft.evidence[roots[0]].end or not says
            draft.put(roots[0], "helper" if leaf else "hand", 0.6)
            roots = [root for root in tree.children[roots[0]] if not self._aside(root)] if says == "hand" else []
            if not roots:
                return
        named, told = name_digits(tree, top, roots, draft.evidence)
        for root, digit in named.items():
            if self.limb.kind == "front_leg" and not told:
                digit = "finger"
            if digit == "thumb":
                draft.thumbs.append(root)
            self._finger(root, digit, told)

    def _finger(self, root: int, digit: str, told: bool) -> None:
        """One finger and its chain. `told`: names say which it is."""
        draft, tree = self.draft, self.tree
        path: list[int] = []
        named: dict[int, str] = {}
        for joint in tree.below(root):
            said = draft.evidence[joint]
            if draft.done[joint]:
                continue
            tip = not said.parts and draft.body.tipped and len(path) >= 3 and tree.reach[joint] <= 0
            if said.end or tip or said.best in _ASIDE:
                draft.put(joint, "helper" if said.end or tip else said.best, BY_NAME)
            else:
                above = named.get(tree.parents[joint], "")
                own = said.best if said.best in FINGERS else ""
                if above and len(tree.children[tree.parents[joint]]) == 1:  # the "Mid" of an index is no middle finger
                    own = above
                if own:
                    named[joint] = own
                draft.put(joint, own or digit, self.sure * (0.97 if told else 0.8))
                path.append(joint)
        if path:
            draft.chains.append(Chain(digit, None, tuple(path)))

    def _aside(self, joint: int) -> bool:
        """Whether a joint below a hand is no digit."""
        said = self.draft.evidence[joint]
        if said.best in _ASIDE or said.end:
            return True
        return not said.parts and self.tree.reach[joint] <= 0 and self.tree.lengths[joint] <= 1e-6
