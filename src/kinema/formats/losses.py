"""What a kind of file has no place for, so that nothing is left out in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from kinema.character import Character
from kinema.errors import FormatError, listed
from kinema.formats import FORMATS, Asset, written_suffixes


def losses(asset: Asset, suffix: str) -> tuple[str, ...]:
    """What of an asset a file of a kind (".bvh") cannot keep, in at most one line.

    Not counted is what is obvious: images without meshes, and stated roles, which are mostly found again.
    """
    suffix = suffix.lower()
    lost = list(_lost(asset, FORMATS[suffix].keeps))
    return (f"{suffix} has no place for {_joined(lost)}",) if lost else ()


def refuse_nothing_kept(asset: Asset, suffix: str) -> None:
    """FormatError if a kind of file (".bvh") would hold nothing of an asset; names the kinds that would."""
    if asset.motions and asset.character is None:
        refuse_without_clips(suffix)
    elif not asset.motions and "clip" in FORMATS[suffix.lower()].keeps:
        what, part = ("a character", "meshes") if asset.character is not None else ("a skeleton", "clips")
        known = _kinds(lambda keeps: part in keeps and "clip" not in keeps)
        raise FormatError(f"a {suffix.lower()} holds a motion, and there is only {what} to write; use {known}")


def refuse_without_clips(suffix: str) -> None:
    """FormatError for a kind of file that holds no clip, if nothing else is to be written."""
    if not holds_clips(suffix):
        known = _kinds(lambda keeps: bool(keeps & {"clip", "clips"}))
        raise FormatError(f"a {suffix.lower()} holds no motion, which is all there is to write; use {known}")


def _kinds(fit: Callable[[frozenset[str]], bool]) -> str:
    return " ".join(sorted(suffix for suffix in written_suffixes() if fit(FORMATS[suffix].keeps)))


def holds_clips(suffix: str) -> bool:
    """Whether files of a kind hold a motion."""
    return bool(FORMATS[suffix.lower()].keeps & {"clip", "clips"})


def _lost(asset: Asset, keeps: frozenset[str]) -> Iterator[str]:
    if asset.character is not None:
        yield from _of_character(asset.character, keeps)
    if keeps & {"clip", "clips"}:
        yield from _labels(asset, keeps)
        if "tags" not in keeps and any(motion.tags for motion in asset.motions):
            yield "tags"
        if "empty" not in keeps and (empty := sum(not motion.frames for motion in asset.motions)):
            yield f"{_count(empty, 'clip', 'clips')} without frames"
    elif asset.motions:
        yield _count(len(asset.motions), "clip", "clips")
    if asset.skeleton is not None and asset.skeleton.hinges and "hinges" not in keeps:
        yield "the hinges and their limits"


def _of_character(character: Character, keeps: frozenset[str]) -> Iterator[str]:
    if character.meshes and "meshes" not in keeps:
        yield _count(len(character.meshes), "mesh", "meshes")
    parts = {
        "expressions": character.expressions,
        "springs": character.springs,
        "constraints": character.constraints,
        "gaze": character.gaze,
        "terms": character.meta,
    }
    if "avatar" not in keeps:
        yield from (name for name, part in parts.items() if part)


def _labels(asset: Asset, keeps: frozenset[str]) -> Iterator[str]:
    """The labels that are lost, by name, in the order in which they appear."""
    labels = chain.from_iterable(motion.labels.items() for motion in asset.motions)
    names = list(dict.fromkeys(name for name, v in labels if ("labels" if v.ndim == 1 else "arrays") not in keeps))
    if names:
        yield f"{'label' if len(names) == 1 else 'labels'} {listed(map(repr, names), 4)}"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _joined(parts: Iterable[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
