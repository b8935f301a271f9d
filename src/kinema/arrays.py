"""Short names for the types of arrays in signatures; comments and docstrings give their shapes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Reals = NDArray[np.floating]
"""Floating-point numbers of any precision."""

Ints = NDArray[np.int64]
Indices = NDArray[np.int32]
"""Numbers of joints, clips or parts."""

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
