"""The middle of a body: hips, spine, neck, head and tails."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kinema.roles.body import BodyLayout
from kinema.roles.clues import Clues

_MUZZLE, _NECK = 0.3, 0.4  # sine of the angle of a level bone, and of a rising one
_NO_HEAD = ("face", "jaw", "helper", "prop", "hair")


@dataclass(eq=False)
class Trunk:
    """Joints of the middle by part; `tails` are runs from the body outwards."""

    root: list[int] = field(default_factory=list)
    hips: list[int] = field(default_factory=list)
    spine: list[int] = field(default_factory=list)
    neck: list[int] = field(default_factory=list)
    head: int | None = None
    tails: list[list[int]] = field(default_factory=list)


def find_trunk(clues: Clues, body: BodyLayout) -> Trunk:
    """The parts of the joints in the middle."""
    finder = _Finder(clues, body)
    above = clues.tree.up_from(body.hips)[1:]
    to_chest = clues.tree.up_from(body.chest)
    to_chest = to_chest[: to_chest.index(body.hips)][::-1] if body.hips in to_chest else []
    used = {body.hips, *above, *to_chest}
    chain = finder.head_chain(used)
    used.update(chain)
    tails = finder.tails(used, headed=bool(chain))
    place = finder.head_place(chain)
    beyond = chain[:place] if place is not None else chain
    start = finder.neck_place(beyond, headed=place is not None)
    found = Trunk(
        root=above[::-1],
        hips=[body.hips],
        spine=to_chest + beyond[:start],
        neck=beyond[start:],
        head=chain[place] if place is not None else None,
        tails=tails,
    )
    _apply_names(clues, found, beyond)
    return found


def _apply_names(clues: Clues, found: Trunk, above_chest: list[int]) -> None:
    """Move the limits between root, hips, spine and neck where names say so."""
    best = [said.best for said in clues.evidence]
    spine = [best[joint] for joint in found.spine]
    if "neck" in spine and not any(best[joint] == "neck" for joint in above_chest):
        place = spine.index("neck")  # the collar bones of 3ds Max Biped hang on the neck
        found.spine, found.neck = found.spine[:place], found.spine[place:] + found.neck
    while found.spine and best[found.spine[0]] == "hips":
        found.hips.append(found.spine.pop(0))
    named = [joint for joint in found.root if clues.evidence[joint].parts.get("hips", 0) > 0.8]
    found.hips = named + found.hips
    found.root = [joint for joint in found.root if joint not in named]


class _Finder:
    """Finds the chains of the middle."""

    def __init__(self, clues: Clues, body: BodyLayout) -> None:
        self.clues, self.body, self.tree = clues, body, clues.tree
        self.best = [said.best for said in clues.evidence]
        self.longest = max((limb.total for limb in body.limbs), default=0.0)

    def head_chain(self, used: set[int]) -> list[int]:
        """The run of middle joints from the chest to the head and beyond it."""
        body, middle = self.body, self.clues.middle
        if body.plan == "unknown" and not any(part in ("head", "neck") for part in self.best):
            return []
        options = [child for child in self.tree.children[body.chest] if middle[child] and child not in used]
        if not options:
            run = self._run_to_named_head(used)
            if run:
                return run
        scores = [self._head_points(option, options) for option in options]
        if not scores or max(scores) <= -0.5:
            return []
        return self._run_from(options[scores.index(max(scores))])

    def _run_to_named_head(self, used: set[int]) -> list[int]:
        """From the first joint named head up to the trunk, wherever it hangs."""
        for joint, said in enumerate(self.clues.evidence):
            if self.clues.middle[joint] and said.best == "head" and not said.end:
                run = self.tree.up_from(joint)
                return run[: next((place for place, at in enumerate(run) if at in used), len(run))][::-1]
        return []

    def _run_from(self, joint: int) -> list[int]:
        """The run of middle joints that leads to head or neck by name, else the longest."""
        tree, run = self.tree, [joint]
        while len(run) < 400:
            further = [child for child in tree.children[run[-1]] if self.clues.middle[child]]
            if not further:
                break
            run.append(max(further, key=lambda child: (self._head_rank(child), tree.total(child))))
        return run

    def _head_rank(self, joint: int) -> float:
        named = any(self.best[at] in ("neck", "head") for at in self.tree.path(joint, 8))
        return int(named) + 0.3 * (self.tree.size[joint] > 1)

    def _head_points(self, option: int, options: list[int]) -> float:
        """How much a chain of the middle looks like neck and head."""
        tree, body = self.tree, self.body
        below = tree.below(option, 60)
        names = {self.best[joint] for joint in below}
        points = 4.0 * bool(names & {"head", "neck"}) - 4.0 * ("tail" in names) + 1.0 * ("spine" in names)
        aside = self.best[option] in ("helper", "prop", "face", "jaw") or self.clues.evidence[option].end
        points += 0.5 * (len(below) > 1) - 1.5 * aside
        points += 0.8 * any(self.clues.partners[joint] != joint for joint in below)  # eyes, ears
        longest = self.longest if body.limbs else tree.reach[tree.roots[0]]
        points += float(np.clip(tree.total(option) / max(longest, 1e-9), 0, 1)) * 0.6
        if body.chest == body.hips and self._tapers(option):  # a tail may begin at the same joint
            points -= 0.4
        return points + self._height_points(option, options)

    def _height_points(self, option: int, options: list[int]) -> float:
        """Points for a chain that rises from the chest, and above the others: the head is above the tail."""
        tree, body, points = self.tree, self.body, 0.0
        if not tree.posed or body.plan == "many-legged":
            return points
        if body.limbs:
            rise = float((tree.centres[option] - tree.positions[body.chest]) @ body.up)
            points += 0.8 if rise > 0.02 * self.longest else -0.4
        if len(options) > 1:
            heights = [float(tree.centres[other] @ body.up) for other in options]
            points += 0.6 if float(tree.centres[option] @ body.up) >= max(heights) - 1e-9 else 0.0
        return points

    def _tapers(self, joint: int) -> bool:
        """Whether the bones of a chain get shorter, as those of a tail do."""
        lengths = [self.tree.lengths[at] for at in self.tree.path(joint)[1:]]
        return len(lengths) > 2 and lengths[-1] < 0.8 * lengths[0]

    def head_place(self, chain: list[int]) -> int | None:
        """Where in the chain the head is."""
        places = [place for place, joint in enumerate(chain) if not self.clues.evidence[joint].end]
        for place in places:
            if self.best[chain[place]] == "head":
                return place
        if not self.body.limbs and any(self.best[joint] for joint in chain):
            return None
        places = [place for place in places if self.best[chain[place]] not in _NO_HEAD]
        for place in places:
            if (self._has_face(chain, place) or self._has_jaw(chain, place)) and (
                len(places) > 1 or self.best[chain[place]] != "neck"
            ):
                return place
        found = self._last_as_head(chain, places)
        return found if found is None else self._before_muzzle(chain[: found + 1])

    def _before_muzzle(self, chain: list[int]) -> int:
        """The place of the head in a chain that rises to it and may go on, level or down, to a beak or a jaw."""
        tree, places = self.tree, len(chain)
        if not tree.posed or self.body.plan not in ("biped", "quadruped", "winged"):
            return places - 1
        starts = [tree.positions[tree.parents[joint]] for joint in chain]
        bones = [tree.positions[joint] - start for joint, start in zip(chain, starts, strict=True)]
        rises = [float(bone @ self.body.up) / max(float(np.linalg.norm(bone)), 1e-9) for bone in bones]
        place = places - 1
        while place > 0 and rises[place] < _MUZZLE:
            place -= 1
        beyond, before = (sum(tree.lengths[joint] for joint in run) for run in (chain[place + 1 :], chain[: place + 1]))
        return place if rises[place] > _NECK and beyond < before else places - 1

    def _last_as_head(self, chain: list[int], places: list[int]) -> int | None:
        """The last of the places that can be the head, or the one before it if the last marks the end of the head."""
        if not places or not self.body.limbs or self.body.plan == "legless":
            return None
        last = places[-1]
        if len(places) == 1 and self.best[chain[last]] == "neck":
            return None
        return last - 1 if last >= 2 and self._is_top_of_head(chain, last) else last

    def _has_face(self, chain: list[int], place: int) -> bool:
        """Whether eyes, ears or a jaw hang on a joint. Fins do not: most of the body lies beyond them."""
        tree, joint = self.tree, chain[place]
        before = sum(tree.lengths[at] for at in chain[: place + 1])
        if self.body.plan == "legless" and tree.reach[joint] > before:
            return False
        fins = {root for limb in self.body.of("fin") for root in limb.roots}
        beside = (child for child in tree.children[joint] if child not in chain and child not in fins)
        return any(self.clues.partners[child] != child for child in beside)

    def _has_jaw(self, chain: list[int], place: int) -> bool:
        """Whether a joint beyond the first branches in the middle into short runs, as into the halves of a beak."""
        tree, joint = self.tree, chain[place]
        before = sum(tree.lengths[at] for at in chain[: place + 1])
        runs = [child for child in tree.children[joint] if self.clues.middle[child]]
        return place > 0 and len(runs) > 1 and max(tree.total(child) for child in runs) < before

    def _is_top_of_head(self, chain: list[int], last: int) -> bool:
        """Whether the last joint of the chain marks the end of the head."""
        tree, body, joint = self.tree, self.body, chain[last]
        if self.clues.evidence[joint].parts or tree.reach[joint] > 0:
            return False
        far = tree.lengths[joint] > max(0.11 * self.longest, 1.15 * tree.lengths[chain[last - 1]])
        return far or body.tipped if body.plan == "biped" else body.tipped and not far

    def neck_place(self, beyond: list[int], headed: bool) -> int:
        """Where the neck begins in the run from the chest to the head; what stands before is spine.

        Args:
            beyond: joints between chest and head.
            headed: whether there is a head.
        """
        body, count = self.body, len(beyond)
        names = [self.best[joint] for joint in beyond]
        if "neck" in names:
            return names.index("neck")
        on_hips = body.chest == body.hips
        if "spine" in names and on_hips:
            return count - names[::-1].index("spine") if headed else count
        if not headed:
            return count if not body.limbs or body.plan == "legless" else 0
        if not body.limbs:
            return count if count <= 2 else count - 1
        return count - 1 if on_hips and count > 2 else 0

    def tails(self, used: set[int], headed: bool) -> list[list[int]]:
        """Runs in the middle that leave the trunk: those named as tails, and long ones near the hips.

        Args:
            used: joints of the trunk.
            headed: whether there is a run to the head.
        """
        tops = (top for joint in sorted(used) for top in self.tree.children[joint] if top not in used)
        runs = ([at for at in self.tree.path(top, 200) if self.clues.middle[at]] for top in tops)
        found = [run for run in runs if self._is_tail(run) or (headed and self._is_long(run))]
        if headed or self.body.limbs:
            return found
        return [run for run in found if self.best[run[0]] == "tail"]

    def _is_tail(self, run: list[int]) -> bool:
        return any(self.best[joint] == "tail" for joint in run)

    def _is_long(self, run: list[int]) -> bool:
        """Whether an unnamed run at the hips is long enough for a tail."""
        tree, hips = self.tree, self.body.hips
        if len(run) < 2 or tree.parents[run[0]] not in (hips, tree.parents[hips]) or any(self.best[at] for at in run):
            return False
        longest = max((limb.total for limb in self.body.limbs if limb.kind), default=tree.extent)
        return tree.reach[run[0]] > 0.15 * longest
