"""Inverse kinematics: analytic two-bone chains, and the whole body by least squares."""

from kinema.ik.full_body import Capsules, Coordinates, Face, Reach, Solution, full_body
from kinema.ik.two_bone import reach, two_bone, two_bone_positions

__all__ = [
    "Capsules",
    "Coordinates",
    "Face",
    "Reach",
    "Solution",
    "full_body",
    "reach",
    "two_bone",
    "two_bone_positions",
]
