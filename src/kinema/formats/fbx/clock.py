"""Units of time of FBX files."""

from __future__ import annotations

TICKS = 46_186_158_000  # per second, in all files except those that say otherwise
COARSE_TICKS = 141_120_000  # per second, in files whose header says so
# Frames per second of each time mode; 0 is "default" and 14 "custom".
RATES = (
    30.0, 120.0, 100.0, 60.0, 50.0, 48.0, 30.0, 30.0, 30000 / 1001, 30000 / 1001,
    25.0, 24.0, 1000.0, 24000 / 1001, 0.0, 96.0, 72.0, 60000 / 1001, 120000 / 1001,
)  # fmt: skip
CUSTOM = 14
