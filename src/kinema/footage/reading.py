"""Reads folders of training clips, any clip at any time: for training loops."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, overload

import numpy as np

from kinema.arrays import Singles
from kinema.errors import FormatError, KinemaError
from kinema.footage.making import MANIFEST, check_index
from kinema.footage.store import POINTS, read_arrays
from kinema.keypoints.points import BodyPoints


class StoredClip:
    """A clip of a folder; what it holds is read when it is asked for.

    Attributes:
        facts: its line of the manifest. path: of its file.
    """

    def __init__(self, path: Path, facts: Mapping[str, Any]) -> None:
        self.path, self.facts = path, facts

    def __repr__(self) -> str:
        return f"<StoredClip {self.facts.get('id')}: {self.caption}>"

    @property
    def caption(self) -> str:
        """A sentence."""
        return str(self.facts.get("caption", ""))

    @property
    def actions(self) -> tuple[str, ...]:
        """What each picture shows."""
        return tuple(self.facts.get("actions", ()))

    def __getitem__(self, name: str) -> np.ndarray:
        """A map, uint8 `[F, H, W, 3]`, or `[F, H, W]` of depth, mask and edges.

        Raises:
            KinemaError: the clip has no such map. FormatError: its file is damaged.
        """
        found = read_arrays(self.path, (name,))
        if name not in found:
            raise KinemaError(f"clip {self.facts.get('id')} has no map {name!r}; it has {', '.join(self.maps)}")
        return found[name]

    @property
    def maps(self) -> tuple[str, ...]:
        """Names of its maps."""
        return tuple(self.facts.get("maps", ()))

    def read(self, *names: str) -> dict[str, np.ndarray]:
        """Several maps, read at once; those that it does not have are left out."""
        return read_arrays(self.path, names)

    @property
    def points(self) -> BodyPoints | None:
        """Key points of all pictures; None for a body that is no person."""
        found = read_arrays(self.path, tuple(f"points_{name}" for name in POINTS))
        return BodyPoints(*(found[f"points_{name}"] for name in POINTS)) if len(found) == len(POINTS) else None

    @property
    def cameras(self) -> tuple[Singles, Singles] | None:
        """`K` `[F, 3, 3]`, pixels, and `world_to_camera` `[F, 4, 4]`, metres, with OpenCV's axes; None if not known."""
        found = read_arrays(self.path, ("K", "world_to_camera"))
        return (found["K"], found["world_to_camera"]) if len(found) == 2 else None


class ClipFolder(Sequence[StoredClip]):
    """The clips of a folder, in their order.

    Attributes:
        folder: where they are. stated: what was asked for.

    Raises:
        FormatError: it is no folder of clips, or its manifest is damaged.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder, self.stated = Path(folder), check_index(folder)
        self._rows = list(_rows(self.folder / MANIFEST))

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<ClipFolder {self.folder}: {len(self)} clips>"

    @overload
    def __getitem__(self, number: int) -> StoredClip: ...
    @overload
    def __getitem__(self, number: slice) -> list[StoredClip]: ...
    def __getitem__(self, number: int | slice) -> StoredClip | list[StoredClip]:
        if isinstance(number, slice):
            return [self[at] for at in range(*number.indices(len(self)))]
        row = self._rows[number]
        return StoredClip(self.folder / row["path"], row)

    @property
    def manifest(self) -> Sequence[Mapping[str, Any]]:
        """The lines of the manifest."""
        return self._rows

    def batch(self, numbers: Sequence[int], maps: Sequence[str] = ("picture", "pose", "mask")) -> dict[str, np.ndarray]:
        """Maps of several clips `[B, F, H, W, ...]`. A map that a clip lacks, such as the pose of an animal, is 0.

        Raises:
            KinemaError: none of the clips has one of the maps, or they differ in size.
        """
        found = [self[number].read(*maps) for number in numbers]
        stacked = {}
        for name in maps:
            like = next((one[name] for one in found if name in one), None)
            if like is None:
                raise KinemaError(f"none of these clips has a map {name!r}")
            rows = [one.get(name, np.zeros_like(like)) for one in found]
            if any(row.shape != like.shape for row in rows):
                raise KinemaError(f"clips of {sorted({row.shape for row in rows})} do not fit into one batch")
            stacked[name] = np.stack(rows)
        return stacked


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a manifest. FormatError for one that is damaged or leads elsewhere."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"cannot be read: {error}", path=str(path)) from None
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise FormatError("is not JSON", path=str(path), line=number) from None
        name = row.get("path") if isinstance(row, dict) else None
        if not isinstance(name, str) or os.path.isabs(name) or ".." in Path(name).parts:
            raise FormatError("names no file in this folder", path=str(path), line=number)
        yield row
