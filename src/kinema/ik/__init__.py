"""Inverse kinematics: tasks and limits, solved in closed form, by FABRIK, or by least squares for the whole body."""

from kinema.ik.coordinates import Coordinates
from kinema.ik.fabrik import fabrik, fabrik_positions
from kinema.ik.full_body import Solution, full_body
from kinema.ik.limits import Cone, Limit
from kinema.ik.look_at import look_at
from kinema.ik.solve import solve
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
    "fabrik",
    "fabrik_positions",
    "full_body",
    "look_at",
    "reach",
    "solve",
    "two_bone",
    "two_bone_positions",
]
