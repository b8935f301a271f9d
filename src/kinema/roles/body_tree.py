"""The tree of a body: feet hang on their legs and the root is at the hips, however the file connects its joints.

Everything that finds roles works on this tree. Joints stay where they are; only what they hang on changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from kinema import rotations
from kinema.arrays import Indices
from kinema.roles.model import Chain, Roles

if TYPE_CHECKING:
    from kinema.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class BodyTree:
    """A skeleton whose joints hang on each other as those of a body.

    Attributes:
        skeleton: all joints of the file, where they stand in its rest pose.
        joints: int `[J]`: the file's index of each joint.
    """

    skeleton: Skeleton
    joints: Indices

    @staticmethod
    def of(skeleton: Skeleton) -> BodyTree:
        """The joints as the file connects them."""
        return BodyTree(skeleton, np.arange(skeleton.joint_count, dtype=np.int32))

    def joined(self, parents: Mapping[int, int]) -> BodyTree:
        """This body with other parents for some joints; -1 makes a root."""
        changed = self.skeleton.parents.copy()
        changed[list(parents)] = list(parents.values())
        order = _parents_first(changed.tolist())
        return BodyTree(_reordered(self.skeleton, changed, order), self.joints[order])

    def in_file(self, roles: Roles, file: Skeleton) -> Roles:
        """Roles of this body by the indices of the file. Chains are runs of joints that the file connects."""
        if self.skeleton is file:
            return roles
        place = np.argsort(self.joints)
        return replace(
            roles,
            hips=int(self.joints[roles.hips]),
            parts=tuple(roles.parts[at] for at in place),
            sides=tuple(roles.sides[at] for at in place),
            partners=self.joints[roles.partners[place]],
            confidence=roles.confidence[place],
            chains=_connected(roles.chains, self.joints, file),
        )


def _parents_first(parents: list[int]) -> Indices:
    """The joints level by level, otherwise in their old order."""
    children: dict[int, list[int]] = {}
    for joint, parent in enumerate(parents):
        children.setdefault(parent, []).append(joint)
    order = list(children.get(-1, ()))
    for joint in order:
        order.extend(children.get(joint, ()))
    return np.array(order, np.int32)


def _reordered(skeleton: Skeleton, parents: Indices, order: Indices) -> Skeleton:
    """A skeleton with other parents and in another order, in the same rest pose."""
    place = np.argsort(order).astype(np.int32)
    turns = skeleton.rest_pose.global_rotations.astype(np.float64)[order]
    at = skeleton.rest_pose.global_positions.astype(np.float64)[order]
    above = np.where(parents[order] < 0, -1, place[parents[order]])
    inner = above >= 0
    local_turns, offsets = turns.copy(), at.copy()
    back = rotations.inverse(turns[above[inner]])
    local_turns[inner] = rotations.multiply(back, turns[inner])
    offsets[inner] = rotations.rotate(back, at[inner] - at[above[inner]])
    hinges = (replace(hinge, joint=int(place[hinge.joint])) for hinge in skeleton.hinges)
    return replace(
        skeleton,
        names=tuple(skeleton.names[joint] for joint in order),
        parents=above.astype(np.int32),
        rest_translations=offsets.astype(np.float32),
        rest_rotations=rotations.normalize(local_turns).astype(np.float32),
        tip_joints=place[skeleton.tip_joints],
        hinges=tuple(sorted(hinges, key=lambda hinge: hinge.joint)),
        known_roles=None,
    )


def _connected(chains: tuple[Chain, ...], joints: Indices, file: Skeleton) -> tuple[Chain, ...]:
    """The chains by the indices of the file: of each, the longest run in which all joints are ancestors of the next."""
    found = []
    for chain in chains:
        runs: list[list[int]] = []
        for joint in joints[list(chain.joints)].tolist():
            if runs and runs[-1][-1] in file.ancestors(joint):
                runs[-1].append(joint)
            else:
                runs.append([joint])
        longest = max(runs, key=len)
        if len(longest) > 1 or len(chain.joints) == 1:
            found.append(replace(chain, joints=tuple(longest)))
    return tuple(found)


def turned_over(parents: list[int], root: int) -> dict[int, int]:
    """New parents that make a joint the root of its tree."""
    found, above, joint = {root: -1}, root, parents[root]
    while joint >= 0:
        found[joint] = above
        above, joint = joint, parents[joint]
    return found
