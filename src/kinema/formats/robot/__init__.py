"""Robots: models (URDF, MJCF) as skeletons with hinges, and tables of their joint angles (CSV)."""

from kinema.formats.robot.model import Robot
from kinema.formats.robot.reader import load_robot, read
from kinema.formats.robot.table import hinge_angles, write

__all__ = ["Robot", "hinge_angles", "load_robot", "read", "write"]
