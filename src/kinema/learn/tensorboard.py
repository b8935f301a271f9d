"""The log of a training for TensorBoard, beside the run's own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kinema.errors import MissingError

FOLDER = "tensorboard"


class Board:
    """Writes entries of the log as scalars.

    Args:
        folder: folder of the run. step: where the run is taken up; later entries of before are hidden.

    Raises:
        MissingError: tensorboard is not installed.
    """

    def __init__(self, folder: Path, step: int) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            raise MissingError("TensorBoard is not installed: pip install 'kinema[learn]'") from None
        self._writer = SummaryWriter(str(folder / FOLDER), purge_step=step + 1)

    def write(self, entry: Mapping[str, Any]) -> None:
        """Add an entry of the log: numbers by name, those of terms under the name of their loss."""
        kind = "validation" if "validation" in entry else "training"
        figures = {name: value for name, value in entry.items() if isinstance(value, float)}
        figures |= {f"term {name}": value for name, value in entry.get("terms", {}).items()}
        for name, value in figures.items():
            label = "loss" if name == "validation" else name
            self._writer.add_scalar(f"{kind}/{label}", value, entry["step"])
        self._writer.flush()

    def close(self) -> None:
        """Close the file."""
        self._writer.close()
