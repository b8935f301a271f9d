"""The world: entities, components, systems, clock, run modes, profiler."""

from kinema.engine.components import (
    Command,
    Controlled,
    Eye,
    Figure,
    Lamp,
    Name,
    Playing,
    Recorder,
    SunLight,
    Tint,
    Transform,
)
from kinema.engine.groups import Group, Groups
from kinema.engine.modes import RunReport, Surface, run_headless, run_standalone
from kinema.engine.poses import Figures, Poses
from kinema.engine.systems import PHASES, Phase, System, system
from kinema.engine.world import STANDARD, World

__all__ = [
    "PHASES",
    "STANDARD",
    "Command",
    "Controlled",
    "Eye",
    "Figure",
    "Figures",
    "Group",
    "Groups",
    "Lamp",
    "Name",
    "Phase",
    "Playing",
    "Poses",
    "Recorder",
    "RunReport",
    "SunLight",
    "Surface",
    "System",
    "Tint",
    "Transform",
    "World",
    "run_headless",
    "run_standalone",
    "system",
]
