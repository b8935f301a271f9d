"""Writing a dataset: chunk by chunk beside its place, renamed when complete."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from kinema.arrays import Ints, Singles
from kinema.errors import DatabaseError
from kinema.features.extract import RowLayout, extract_all
from kinema.features.frames import FeatureSource, Frames, clip_limits
from kinema.features.spec import Specs
from kinema.features.statistics import Statistics
from kinema.mocap import store
from kinema.mocap.held_out import held_out

FORMAT, VERSION, INDEX = "kinema.dataset", 2, "dataset.json"
CHUNK = 4096


def fingerprint(source: FeatureSource) -> str:
    """16 hexadecimal digits that identify a database: clips, rate, joints, root paths and contacts."""
    digest = hashlib.sha256()
    clips = [[c.name, c.source, int(c.start), int(c.stop), bool(c.mirrored)] for c in source.clips]
    digest.update(json.dumps([float(source.fps), list(source.skeleton.names), clips]).encode())
    for array in (source.root_positions, source.contacts):
        for begin in range(0, len(array), 65_536):
            digest.update(np.ascontiguousarray(array[begin : begin + 65_536]).tobytes())
    return digest.hexdigest()[:16]


def write(
    source: FeatureSource, specs: Specs, path: Path, frames: ArrayLike | None, validation: float, seed: int, force: bool
) -> None:
    """See `kinema.features.dataset.Dataset.build`."""
    store.recover(path)
    _check_target(path, force)
    try:
        with store.replacing(path) as folder:
            _write(source, specs, folder, _chosen(source, frames), validation, seed)
    except OSError as error:
        raise store.describe(error, path, kept=False) from None


def _check_target(path: Path, force: bool) -> None:
    if path.exists() and not (path / INDEX).is_file():
        raise DatabaseError(f"{path}: exists and is not a dataset; choose another name")
    if path.exists() and not force:
        raise DatabaseError(f"{path}: a dataset is there already; use force to replace it")


def _chosen(source: FeatureSource, frames: ArrayLike | None) -> Ints:
    """The frames `[S]` of the samples; all of the source if None."""
    total = len(source.root_positions)
    chosen = np.arange(total) if frames is None else np.asarray(frames, np.int64).reshape(-1)
    if not len(chosen):
        raise DatabaseError("a dataset needs at least one sample; all its clips may be shorter than the windows")
    if not 0 <= chosen.min() <= chosen.max() < total:
        raise DatabaseError(f"frames {chosen.min()} to {chosen.max()} are not all in the database of {total} frames")
    return chosen


def _write(source: FeatureSource, specs: Specs, folder: Path, chosen: Ints, validation: float, seed: int) -> None:
    from kinema.mocap.assemble import skeleton_to_json

    stops = np.array([clip.stop for clip in source.clips], np.int64)
    clip = np.searchsorted(stops, chosen, side="right").astype(np.int32)
    held = held_out(source.clips, validation, seed)[clip]
    arrays = {"clip": clip, "frame": chosen, "validation": held}
    for side, moments in zip(("x", "y"), _statistics(source, specs, chosen[~held]), strict=True):
        arrays |= {f"{side}_mean": moments.mean.astype(np.float32), f"{side}_std": moments.std.astype(np.float32)}
    entries = _write_rows(source, RowLayout(specs), folder)
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", values, allow_pickle=False)
        entries[name] = {"dtype": values.dtype.str, "shape": list(values.shape)}
    index = {
        "format": FORMAT,
        "version": VERSION,
        "fps": float(source.fps),
        "samples": len(chosen),
        "training_samples": int(np.count_nonzero(~held)),
        "database": fingerprint(source),
        "skeleton": skeleton_to_json(source.skeleton),
        "x": specs[0].to_dict(),
        "y": specs[1].to_dict(),
        "clip_starts": [int(c.start) for c in source.clips],
        "clip_stops": stops.tolist(),
        "takes": [c.source or c.name for c in source.clips],
        "split_seed": seed,
        "arrays": entries,
    }
    (folder / INDEX).write_text(json.dumps(index, indent=1), encoding="utf-8")


def _statistics(source: FeatureSource, specs: Specs, frames: Ints) -> list[Statistics]:
    """Statistics of both sides at the training samples' frames `[S]`, in chunks."""
    found = [Statistics(spec.dim) for spec in specs]
    for begin in range(0, len(frames), CHUNK):
        for values, moments in zip(extract_all(source, specs, frames[begin : begin + CHUNK]), found, strict=True):
            moments.update(values)
    return found


def _write_rows(source: FeatureSource, layout: RowLayout, folder: Path) -> dict[str, Any]:
    """Write the rows and root frames of all frames; returns what the index says of these arrays."""
    widths = {"rows": layout.width, "roots": 5}
    entries: dict[str, Any] = {}
    with ExitStack() as stack:
        streams = {}
        for name, width in widths.items():
            streams[name] = stack.enter_context(open(folder / f"{name}.npy", "wb"))
            shape = (len(source.root_positions), width)
            header = {"descr": "<f4", "fortran_order": False, "shape": shape}
            np.lib.format.write_array_header_1_0(streams[name], header)
            entries[name] = {"dtype": "<f4", "shape": list(shape)}
        # Plain writes: a full disk raises, where a writable memory map would kill the process.
        for block in _rows(source, layout):
            for stream, values in zip(streams.values(), block, strict=True):
                stream.write(np.ascontiguousarray(values, "<f4").data)
    return entries


def _rows(source: FeatureSource, layout: RowLayout) -> Iterator[tuple[Singles, Singles]]:
    """Rows and root frames of all frames, in chunks; each computed with enough frames around it."""
    low, high = clip_limits(source)
    total = len(low)
    before, after = layout.reach(source.fps)
    for begin in range(0, total, CHUNK):
        end = min(begin + CHUNK, total)
        first, last = max(int(low[begin]), begin - before), min(int(high[end - 1]), end - 1 + after) + 1
        run = Frames(source, first, last, low, high)
        yield layout.compute(run)[begin - first : end - first], run.roots[begin - first : end - first]
