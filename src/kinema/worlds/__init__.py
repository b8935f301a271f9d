"""Captured scenes: Gaussian splats, their files, and what is made of them."""

from kinema.worlds.files import read_scene, write_scene
from kinema.worlds.gaussians import GaussianScene

__all__ = ["GaussianScene", "read_scene", "write_scene"]
