"""What a kind of file has no place for, so that nothing is left out in silence."""

from __future__ import annotations

from collections.abc import Iterable

from kinema.formats import Asset

_GLTF, _USD = (".glb", ".gltf"), (".usd", ".usda", ".usdc", ".usdz")
_ROBOTS = (".mjcf", ".xml")
_SCENES = (*_GLTF, ".fbx", *_USD)
_MESHES = (*_SCENES, ".vrm")  # a model of MuJoCo gets capsules, one a bone
_CLIPS = (*_SCENES, *_ROBOTS, ".bvh", ".npz", ".csv", ".vrma")
_LABELS = (*_SCENES, ".vrma")  # with one number a frame
_TAGS = (*_LABELS, ".npz")
_HINGES = (*_ROBOTS, ".npz")
_MOST = 4  # names that are listed


def losses(asset: Asset, suffix: str) -> tuple[str, ...]:
    """What of an asset a file of a kind (".bvh") cannot keep, in at most one line.

    Not counted is what goes without saying: pictures where there are no meshes, and roles that are stated, which are
    mostly found again.
    """
    suffix = suffix.lower()
    lost: list[str] = []
    character = asset.character
    if character is not None and character.meshes and suffix not in _MESHES:
        lost.append(_count(len(character.meshes), "mesh", "meshes"))
    if character is not None and suffix != ".vrm":
        parts = {
            "expressions": character.expressions,
            "springs": character.springs,
            "constraints": character.constraints,
            "gaze": character.gaze,
            "terms": character.meta,
        }
        lost += [name for name, part in parts.items() if part]
    if asset.motions and suffix not in _CLIPS:
        lost.append(_count(len(asset.motions), "clip", "clips"))
    elif asset.motions:
        lost += _labels(asset, suffix)
        if suffix not in _TAGS and any(motion.tags for motion in asset.motions):
            lost.append("tags")
    if asset.skeleton is not None and asset.skeleton.hinges and suffix not in (*_HINGES, ".csv"):
        lost.append("the hinges and their limits")
    return (f"{suffix} has no place for {_joined(lost)}",) if lost else ()


def keeps_labels(path: str) -> bool:
    """Whether a file of that name has a place for labels."""
    return path.lower().endswith((*_LABELS, ".npz"))


def _labels(asset: Asset, suffix: str) -> list[str]:
    """The labels that are lost, by name, in the order in which they appear."""
    names: dict[str, None] = {}
    for motion in asset.motions:
        for name, values in motion.labels.items():
            if suffix != ".npz" and not (suffix in _LABELS and values.ndim == 1):
                names[name] = None
    if not names:
        return []
    listed = list(names)[:_MOST]
    more = f" and {len(names) - len(listed)} more" if len(names) > len(listed) else ""
    return [f"{'label' if len(names) == 1 else 'labels'} {', '.join(map(repr, listed))}{more}"]


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _joined(parts: Iterable[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
