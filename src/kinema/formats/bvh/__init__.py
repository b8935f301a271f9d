"""Biovision Hierarchy (.bvh): one skeleton, one motion, text."""

from kinema.formats.bvh.reader import read
from kinema.formats.bvh.writer import write

__all__ = ["read", "write"]
