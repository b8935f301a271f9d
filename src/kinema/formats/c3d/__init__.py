"""C3D: the markers of optical motion capture. Read with NumPy alone; analog channels are left aside."""

from kinema.formats.c3d.reader import read

__all__ = ["read"]
