"""Inverse kinematics: analytic two-bone chains, and the full body by least squares."""

from kinema.ik.full_body import Above, Capsules, Coordinates, Face, Reach, Solution, full_body
from kinema.ik.two_bone import reach, two_bone, two_bone_positions

__all__ = [
    "Above",
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
