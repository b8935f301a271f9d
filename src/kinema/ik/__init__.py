"""Inverse kinematics: analytic two-bone chains."""

from kinema.ik.two_bone import reach, two_bone, two_bone_positions

__all__ = ["reach", "two_bone", "two_bone_positions"]
