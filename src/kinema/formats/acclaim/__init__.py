"""Acclaim: skeletons (ASF) and the motions that need them (AMC), the format of the CMU database."""

from kinema.formats.acclaim.reader import read

__all__ = ["read"]
