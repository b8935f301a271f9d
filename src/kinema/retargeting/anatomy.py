"""What retargeting knows of one skeleton: its roles, how it stands, and what its joints mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kinema.motion import Motion
from kinema.retargeting.alignment import Alignment, align
from kinema.retargeting.body_plan import with_body_plan
from kinema.retargeting.detached import detached_ends, detached_joints
from kinema.retargeting.stance import StandingPose, find_stance
from kinema.roles import Chain
from kinema.skeleton import Skeleton


@dataclass(frozen=True, eq=False)
class Anatomy:
    """A skeleton and its standing pose.

    Attributes:
        skeleton: a skeleton with the roles that retargeting uses.
        standing: how it stands.
        alignment: the frames of its joints.
        detached: joints that are not children of the body, each with the limb that it follows.
        ends: feet and hands among them, by the name of their limb's chain.
    """

    skeleton: Skeleton
    standing: StandingPose
    alignment: Alignment
    detached: Mapping[int, Chain]
    ends: Mapping[str, int]

    @staticmethod
    def of(skeleton: Skeleton, motions: Sequence[Motion] = ()) -> Anatomy:
        """Anatomy of a skeleton.

        Args:
            motions: on it; at least one is needed if its rest pose is not a standing pose.

        Raises:
            SkeletonError: the rest pose is not a standing pose and there is no motion.
        """
        skeleton = with_body_plan(skeleton, motions)
        standing = find_stance(skeleton, motions)
        detached = detached_joints(standing.pose)
        ends = detached_ends(standing.pose, detached)
        return Anatomy(skeleton, standing, align(skeleton, standing, ends), detached, ends)
