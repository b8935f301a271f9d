"""Inverse kinematics: analytic two-bone chains, and the full body by least squares."""

from kinema.ik.coordinates import Coordinates
from kinema.ik.full_body import Solution, full_body
from kinema.ik.limits import Cone, Limit
from kinema.ik.tasks import Above, Balance, Capsules, Hold, LookAt, Orient, Posture, Reach, Task
from kinema.ik.two_bone import reach, two_bone, two_bone_positions

__all__ = [
    "Above",
    "Balance",
    "Capsules",
    "Cone",
    "Coordinates",
    "Hold",
    "Limit",
    "LookAt",
    "Orient",
    "Posture",
    "Reach",
    "Solution",
    "Task",
    "full_body",
    "reach",
    "two_bone",
    "two_bone_positions",
]
