"""From motion files to a database: ingest, contacts, ground, mirroring, procedural motion."""

from kinema.mocap.build import BuildReport, Skipped, build
from kinema.mocap.database import Clip, MotionDatabase
from kinema.mocap.ingest import ingest

__all__ = ["BuildReport", "Clip", "MotionDatabase", "Skipped", "build", "ingest"]
