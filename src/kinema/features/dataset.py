"""Training data on disk: samples of a database as input and output vectors, memory-mapped.

The dataset stores single frames, a few hundred numbers each. Windows over time are gathered when a batch is made.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kinema.arrays import Bools, Indices, Ints, Singles
from kinema.errors import DatabaseError, SkeletonError
from kinema.features.dataset_write import FORMAT, INDEX, VERSION, fingerprint, write
from kinema.features.extract import RowLayout, gather_windows
from kinema.features.frames import FeatureSource
from kinema.features.kernels import Rows
from kinema.features.spec import FeatureSpec, Normalizer
from kinema.features.statistics import Statistics

Split = Literal["train", "validation", "all"]


class Batch(NamedTuple):
    """Samples: x `[B, D_x]`, y `[B, D_y]`, the clip of each `[B]` and its frame in the database `[B]`."""

    x: Singles
    y: Singles
    clip: Indices
    frame: Ints


@dataclass(frozen=True, eq=False)
class Dataset:
    """Samples with the specs that give them meaning. `build` makes a dataset, `open` opens it.

    Attributes:
        path: its folder. x_spec, y_spec: what the vectors mean. fps: frame rate of the database.
        clip, frame: clip index `[S]` and database frame `[S]` of each sample.
        validation: which samples `[S]` are held out: whole takes, a mirrored copy with its original.
        x_statistics, y_statistics: statistics of the training samples only.
    """

    path: Path
    x_spec: FeatureSpec
    y_spec: FeatureSpec
    fps: float
    clip: Indices
    frame: Ints
    validation: Bools
    x_statistics: Statistics
    y_statistics: Statistics
    index: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]

    @staticmethod
    def build(
        source: FeatureSource,
        x_spec: FeatureSpec,
        y_spec: FeatureSpec,
        path: str | os.PathLike[str],
        *,
        frames: ArrayLike | None = None,
        validation: float = 0.1,
        seed: int = 0,
        force: bool = False,
    ) -> Dataset:
        """Write a dataset to a folder and open it. The folder appears only when it is complete.

        Args:
            source: the motion database.
            frames: samples; all frames if None (`np.flatnonzero(valid_frames(source, y_spec))` leaves out those whose
                windows reach beyond the end of a clip).
            validation: share of the frames whose takes are held out.
            seed: seed of the split.
            force: replace a dataset that is there.

        Raises:
            DatabaseError: the folder exists, the disk is full, or a feature cannot be computed.
        """
        write(source, (x_spec, y_spec), Path(path), frames, validation, seed, force)
        return Dataset.open(path)

    @staticmethod
    def open(
        path: str | os.PathLike[str],
        *,
        x_spec: FeatureSpec | None = None,
        y_spec: FeatureSpec | None = None,
        source: FeatureSource | None = None,
    ) -> Dataset:
        """Open a dataset; its arrays stay on disk.

        Args:
            x_spec, y_spec, source: what the dataset should have been made with; None skips the check.

        Raises:
            DatabaseError: it is missing, damaged, of another version, or made with something else; the message says
                what differs.
        """
        folder = Path(path)
        dataset = _parsed(folder, _read_index(folder))
        for side, spec, wanted in (("input", dataset.x_spec, x_spec), ("output", dataset.y_spec, y_spec)):
            difference = spec.difference(wanted) if wanted is not None else None
            if difference:
                raise DatabaseError(f"{folder}: made with other {side} features: {difference}")
        if source is not None and fingerprint(source) != dataset.index["database"]:
            raise DatabaseError(f"{folder}: made from another database; build the dataset again")
        return dataset

    def __len__(self) -> int:
        return len(self.frame)

    def samples(self, split: Split = "all") -> Ints:
        """Indices of the samples of a split."""
        if split == "all":
            return np.arange(len(self))
        return np.flatnonzero(self.validation if split == "validation" else ~self.validation)

    def __getitem__(self, samples: ArrayLike | slice) -> Batch:
        """Samples by index `[B]` or slice, copied into memory."""
        chosen = np.arange(len(self))[samples] if isinstance(samples, slice) else np.asarray(samples, np.int64)
        chosen = chosen.reshape(-1)
        clip, frame = np.asarray(self.clip[chosen]), np.asarray(self.frame[chosen])
        vectors = []
        for spec in (self.x_spec, self.y_spec):
            out = np.empty((len(chosen), spec.dim), np.float32)
            gather_windows(self._rows, frame, self._layout, spec, self.fps, out)
            vectors.append(out)
        return Batch(vectors[0], vectors[1], clip, frame)

    def batches(self, size: int, seed: int, split: Split = "train", *, drop_last: bool = True) -> Iterator[Batch]:
        """One pass over a split in random order, the same for the same seed.

        Args:
            drop_last: skip the last batch if it is smaller than `size`.
        """
        order = np.random.default_rng(seed).permutation(self.samples(split))
        for begin in range(0, len(order), size):
            chosen = order[begin : begin + size]
            if len(chosen) == size or not drop_last:
                yield self[chosen]

    def normalizers(self, *, allow_constant: bool = False) -> tuple[Normalizer, Normalizer]:
        """Normalizers of x and y from the training samples; see `FeatureSpec.normalizer`."""
        return tuple(  # type: ignore[return-value]
            spec.normalizer(seen.mean, seen.std, allow_constant=allow_constant)
            for spec, seen in ((self.x_spec, self.x_statistics), (self.y_spec, self.y_statistics))
        )

    @cached_property
    def _layout(self) -> RowLayout:
        return RowLayout((self.x_spec, self.y_spec))

    @cached_property
    def _rows(self) -> Rows:
        starts, stops = (np.asarray(self.index[key], np.int64) for key in ("clip_starts", "clip_stops"))
        low, high = np.repeat(starts, stops - starts), np.repeat(stops - 1, stops - starts)
        return Rows(np.asarray(self.arrays["rows"]), np.asarray(self.arrays["roots"]), low, high)


def _read_index(folder: Path) -> dict[str, Any]:
    try:
        index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    except OSError:
        raise DatabaseError(f"{folder}: no dataset there (it has no {INDEX})") from None
    except ValueError:
        raise DatabaseError(f"{folder / INDEX}: damaged; build the dataset again") from None
    if not isinstance(index, dict) or (index.get("format"), index.get("version")) != (FORMAT, VERSION):
        raise DatabaseError(f"{folder / INDEX}: not a {FORMAT} of version {VERSION}; build the dataset again")
    return index


def _parsed(folder: Path, index: Mapping[str, Any]) -> Dataset:
    """The dataset that an index describes, its arrays mapped into memory."""
    from kinema.mocap.assemble import skeleton_from_json

    try:
        skeleton = skeleton_from_json(index["skeleton"])
        x_spec, y_spec = (FeatureSpec.from_dict(index[side], skeleton) for side in ("x", "y"))
        arrays = {name: _load(folder, name, entry) for name, entry in index["arrays"].items()}
        count = int(index["training_samples"])
        return Dataset(
            folder,
            x_spec,
            y_spec,
            float(index["fps"]),
            arrays["clip"],
            arrays["frame"],
            np.asarray(arrays["validation"], bool),
            Statistics.known(count, arrays["x_mean"], arrays["x_std"]),
            Statistics.known(count, arrays["y_mean"], arrays["y_std"]),
            index,
            arrays,
        )
    except (KeyError, TypeError, ValueError, SkeletonError) as error:
        raise DatabaseError(f"{folder / INDEX}: damaged ({error!r}); build the dataset again") from None


def _load(folder: Path, name: str, entry: Mapping[str, Any]) -> NDArray[Any]:
    path = folder / f"{name}.npy"
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        raise DatabaseError(f"{path}: missing or damaged; build the dataset again") from None
    if array.dtype.str != entry["dtype"] or list(array.shape) != list(entry["shape"]):
        raise DatabaseError(f"{path}: is not the array that {INDEX} describes; build the dataset again")
    return array
