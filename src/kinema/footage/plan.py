"""The plan of a folder of training clips: what was asked for, and everything that clips are made of."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kinema.errors import UsageError
from kinema.footage.cast import Member, recruit
from kinema.footage.takes import MotionSource, gather_motions
from kinema.rates import RATES, is_rate
from kinema.rendering.conditions.targets import MAPS
from kinema.worlds.files import is_scene_file
from kinema.worlds.made import WORLDS

USUAL_MAPS = (
    "picture", "pose", "depth", "normals", "parts", "mask", "edges", "blurred", "background", "body", "cylinders",
)  # fmt: skip
"""Maps that clips have if no others are asked for."""

IDENTITIES = 256
"""People of the generator in a set of clips."""

WORLDS_EACH = 4
"""Made worlds of each kind."""

SMALLEST, LARGEST = 16, 1024
"""Pixels to each side of clips."""

MOST_FRAMES = 1024
MADE = "made"
"""The word for made worlds of every kind."""

Paths = Sequence[str | os.PathLike[str]]


@dataclass(frozen=True)
class SceneSource:
    """A scene: a kind of made world with its seed, or the path of a captured one with -1."""

    name: str
    seed: int = -1


@dataclass(frozen=True)
class ClipPlan:
    """Everything that decides what clips look like.

    Attributes:
        frames: pictures of a clip. size: pixels to each side. fps: pictures per second. seed: of everything.
        maps: names of `kinema.rendering.conditions.targets.MAPS`.
        cast, motions, scenes: what is drawn from. scene_share: share of clips in a scene.
        skipped: motions that cannot be used, with the reason.
    """

    frames: int
    size: int
    fps: float
    seed: int
    maps: tuple[str, ...]
    cast: tuple[Member, ...]
    motions: tuple[MotionSource, ...]
    scenes: tuple[SceneSource, ...]
    scene_share: float
    skipped: tuple[tuple[str, str], ...] = field(default=(), compare=False)

    @property
    def seconds(self) -> float:
        """Length of a clip."""
        return self.frames / self.fps

    @property
    def facts(self) -> dict[str, Any]:
        """What a folder of its clips states, as JSON has it; two plans with the same facts make the same clips."""
        made_of = hashlib.sha256(repr((self.cast, self.motions, self.scenes)).encode()).hexdigest()[:16]
        return {
            "frames": self.frames,
            "size": self.size,
            "fps": self.fps,
            "seed": self.seed,
            "maps": list(self.maps),
            "scene_share": self.scene_share,
            "bodies": len(self.cast),
            "motions": len(self.motions),
            "scenes": len(self.scenes),
            "made_of": made_of,
        }


def plan_clips(
    *,
    frames: int = 16,
    size: int = 64,
    fps: float = 12.0,
    seed: int = 0,
    maps: Sequence[str] | None = None,
    characters: Paths = (),
    identities: int = IDENTITIES,
    motions: Paths = (),
    scenes: Paths | None = None,
    scene_share: float = 0.6,
    licence: str = "",
) -> ClipPlan:
    """The plan of a set of clips. Files are looked at here: what cannot be used is known before anything is drawn.

    Args:
        See `kinema.clips`.

    Raises:
        UsageError: a number is out of range, or a name is unknown.
        FormatError: a file cannot be read.
    """
    _check(frames, size, fps, seed, identities, scene_share)
    chosen = tuple(dict.fromkeys(maps)) if maps is not None else USUAL_MAPS
    if unknown := [name for name in chosen if name not in MAPS or name == "face"]:
        known = ", ".join(name for name in MAPS if name != "face")
        raise UsageError(f"clips have no map {unknown[0]!r}; there are {known}")
    if not chosen:
        raise UsageError("name at least one map")
    cast = recruit(characters, identities, seed, licence)
    found, skipped = gather_motions(motions, frames / fps, licence)
    return ClipPlan(
        frames, size, float(fps), seed, chosen, tuple(cast), tuple(found), _scenes(scenes, seed), float(scene_share),
        tuple(skipped),
    )  # fmt: skip


def _check(frames: int, size: int, fps: float, seed: int, identities: int, scene_share: float) -> None:
    if not 1 <= frames <= MOST_FRAMES:
        raise UsageError(f"clips have 1 to {MOST_FRAMES} frames, not {frames}")
    if not SMALLEST <= size <= LARGEST:
        raise UsageError(f"clips are {SMALLEST} to {LARGEST} pixels wide and high, not {size}")
    if not is_rate(fps):
        raise UsageError(f"clips have {RATES} frames per second, not {fps}")
    if seed < 0 or identities < 1:
        raise UsageError(f"a seed is not negative, and there is at least one identity: not {seed} and {identities}")
    if not 0 <= scene_share <= 1:
        raise UsageError(f"the share of clips in scenes is 0 to 1, not {scene_share}")


def _scenes(scenes: Paths | None, seed: int) -> tuple[SceneSource, ...]:
    """Made worlds by their kinds, and files of captured scenes."""
    found: list[SceneSource] = []
    for given in (MADE,) if scenes is None else scenes:
        text = os.fspath(given)
        kinds = tuple(WORLDS) if text == MADE else (text,) if text in WORLDS else ()
        if kinds:
            found += [
                SceneSource(kind, 1000 * (seed % 1000) + number) for number in range(WORLDS_EACH) for kind in kinds
            ]
        elif os.path.isdir(text):
            files = sorted(os.path.join(text, name) for name in os.listdir(text) if is_scene_file(name))
            if not files:
                raise UsageError(f"{text}: no file in it is a captured scene")
            found += [SceneSource(name) for name in files]
        elif os.path.isfile(text) and is_scene_file(text):
            found.append(SceneSource(text))
        else:
            raise UsageError(
                f"{text} is neither a captured scene nor a made world; made worlds are {', '.join(WORLDS)}"
            )
    return tuple(found)
