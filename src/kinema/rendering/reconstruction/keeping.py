"""The state of a fit in a file, from which it goes on as if it had not been interrupted."""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kinema.errors import FormatError, UsageError
from kinema.formats.atomic import atomic_write
from kinema.rendering.reconstruction.photos import Capture

if TYPE_CHECKING:
    from kinema.rendering.reconstruction.fit import FitRecipe

_ABOUT = "about"
_VERSION = 1


@dataclass(frozen=True)
class FitState:
    """Where a fit stands after a step.

    Attributes:
        arrays: all numbers, by name. random: the state of the random numbers. steps: that are done.
    """

    arrays: Mapping[str, NDArray[Any]]
    random: Mapping[str, Any]
    steps: int


@dataclass(frozen=True)
class FitFile:
    """A file that keeps the state of one fit.

    Attributes:
        path: of the file. digest: of the pictures and the recipe, which are not in it.
    """

    path: Path
    digest: str

    @staticmethod
    def beside(output: str | os.PathLike[str], capture: Capture, recipe: FitRecipe) -> FitFile:
        """The file of a fit that is to be written to `output`."""
        return FitFile(Path(f"{os.fspath(output)}.partial"), _digest(capture, recipe))

    def write(self, state: FitState) -> None:
        """Replace what was kept before.

        Raises:
            WriteError: the file cannot be written.
        """
        about = {"version": _VERSION, "digest": self.digest, "steps": state.steps, "random": state.random}
        text = np.frombuffer(json.dumps(about).encode(), np.uint8)
        data = io.BytesIO()
        parts: dict[str, Any] = {_ABOUT: text, **state.arrays}
        np.savez(data, **parts)
        atomic_write(self.path, data.getbuffer())

    def read(self) -> FitState:
        """What was kept.

        Raises:
            UsageError: nothing was, or it is of other pictures or another recipe.
            FormatError: the file is damaged.
        """
        if not self.path.exists():
            raise UsageError(f"{self.path}: there is no fit to go on with; leave --resume out to begin one")
        try:
            with np.load(self.path, allow_pickle=False) as kept:
                about = json.loads(kept[_ABOUT].tobytes())
                own = about["digest"] == self.digest and about["version"] == _VERSION
                arrays = {name: kept[name] for name in kept.files if own and name != _ABOUT}
            found = FitState(arrays, about["random"], int(about["steps"]))
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
            raise FormatError(
                f"{self.path}: no state of a fit can be read ({error}); begin anew without --resume"
            ) from None
        if not own:
            raise UsageError(
                f"{self.path}: is of other pictures or options; give those it began with, or leave --resume out"
            )
        return found

    def remove(self) -> None:
        """Forget what was kept."""
        self.path.unlink(missing_ok=True)


def _digest(capture: Capture, recipe: FitRecipe) -> str:
    found = hashlib.sha256(json.dumps(asdict(recipe), sort_keys=True).encode())
    for photo in capture.photos:
        lens = photo.lens
        parts = (photo.picture, lens.position, lens.axes, lens.focal, lens.middle, photo.mask)
        for part in parts:
            found.update(b"-" if part is None else np.ascontiguousarray(part).tobytes())
    for part in (capture.points, capture.colours):
        found.update(np.ascontiguousarray(part).tobytes())
    return found.hexdigest()
