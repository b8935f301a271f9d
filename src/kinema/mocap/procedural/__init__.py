"""Procedural motion: a footstep-planned generator of labelled locomotion for any skeleton with two legs."""

from kinema.mocap.procedural.bipeds import humanoid
from kinema.mocap.procedural.coverage import locomotion_set, random_script
from kinema.mocap.procedural.generate import generate
from kinema.mocap.procedural.script import GAITS, Segment
from kinema.mocap.procedural.styles import STYLES, Style

__all__ = ["GAITS", "STYLES", "Segment", "Style", "generate", "humanoid", "locomotion_set", "random_script"]
