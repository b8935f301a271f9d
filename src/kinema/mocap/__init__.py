"""From motion files to a database: ingest, contacts, ground, mirroring, procedural motion."""

from kinema.mocap.build import BuildReport, Skipped, build
from kinema.mocap.database import Clip, FrameArrays, MotionDatabase
from kinema.mocap.ingest import ingest

__all__ = ["BuildReport", "Clip", "FrameArrays", "MotionDatabase", "Skipped", "build", "ingest"]
