"""Kinema: motion files in; a character that obeys you out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kinema.character import Character
from kinema.errors import KinemaError
from kinema.motion import Motion
from kinema.pose import Pose
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.control.command import Command
    from kinema.engine.world import World
    from kinema.face.acting import act
    from kinema.face.checks import bench, demo, doctor
    from kinema.face.clips import clips, convert_clips, read_clips
    from kinema.face.conditions import condition
    from kinema.face.correspondence import correspond
    from kinema.face.drivers import lift
    from kinema.face.files import convert, info, retarget, retarget_files
    from kinema.face.films import as_html, picture, render
    from kinema.face.fits import fit_scene, view_scene
    from kinema.face.generation import edit, generate
    from kinema.face.live_generation import play_generated, view_generated
    from kinema.face.models import augment, build, controller, evaluate, label, perform, train
    from kinema.face.scenes import changed_scene, convert_scene, render_scene, scene, scene_facts
    from kinema.face.screens import play, view
    from kinema.face.walking import walk
    from kinema.formats import Asset, load, load_character, load_motion, save
    from kinema.mocap.database import MotionDatabase
    from kinema.mocap.procedural import Segment

__version__ = "0.1.0"
__all__ = [
    "Asset",
    "Character",
    "Command",
    "KinemaError",
    "Motion",
    "MotionDatabase",
    "Pose",
    "Segment",
    "Skeleton",
    "World",
    "__version__",
    "act",
    "as_html",
    "augment",
    "bench",
    "build",
    "changed_scene",
    "clips",
    "condition",
    "controller",
    "convert",
    "convert_clips",
    "convert_scene",
    "correspond",
    "demo",
    "doctor",
    "edit",
    "evaluate",
    "fit_scene",
    "generate",
    "info",
    "label",
    "lift",
    "load",
    "load_character",
    "load_motion",
    "perform",
    "picture",
    "play",
    "play_generated",
    "read_clips",
    "render",
    "render_scene",
    "retarget",
    "retarget_files",
    "save",
    "scene",
    "scene_facts",
    "train",
    "view",
    "view_generated",
    "view_scene",
    "walk",
]

_MODULES = {
    "kinema.formats": ("Asset", "load", "load_character", "load_motion", "save"),
    "kinema.face.acting": ("act",),
    "kinema.face.checks": ("bench", "demo", "doctor"),
    "kinema.face.clips": ("clips", "convert_clips", "read_clips"),
    "kinema.face.conditions": ("condition",),
    "kinema.face.correspondence": ("correspond",),
    "kinema.face.drivers": ("lift",),
    "kinema.face.files": ("convert", "info", "retarget", "retarget_files"),
    "kinema.face.films": ("as_html", "picture", "render"),
    "kinema.face.fits": ("fit_scene", "view_scene"),
    "kinema.face.generation": ("edit", "generate"),
    "kinema.face.live_generation": ("play_generated", "view_generated"),
    "kinema.face.models": ("augment", "build", "controller", "evaluate", "label", "perform", "train"),
    "kinema.face.scenes": ("changed_scene", "convert_scene", "render_scene", "scene", "scene_facts"),
    "kinema.face.screens": ("play", "view"),
    "kinema.face.walking": ("walk",),
    "kinema.mocap.database": ("MotionDatabase",),
    "kinema.mocap.procedural": ("Segment",),
    "kinema.control.command": ("Command",),
    "kinema.engine.world": ("World",),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    # Subpackages load on first use, so that importing the package stays fast.
    if name in _MODULE_OF:
        return getattr(import_module(_MODULE_OF[name]), name)
    raise AttributeError(f"module 'kinema' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
