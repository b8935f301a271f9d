"""Captured scenes: `kinema.scene` opens and makes them, and what `kinema scene` does with them."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from kinema.character import Character
from kinema.errors import SceneError, UsageError, listed
from kinema.face.files import Note, Progress, ignore
from kinema.formats import FORMATS, Asset, load, open_source
from kinema.worlds.files import FORMATS as SCENE_FORMATS
from kinema.worlds.files import check_written, is_scene_file, read_scene, write_scene
from kinema.worlds.gaussians import GaussianScene

if TYPE_CHECKING:
    from kinema.rendering.film.shoot import RenderReport

PathLike = str | os.PathLike[str]
SceneSource = PathLike | GaussianScene | Character | Asset
"""A file, the name of a made world, or what was loaded from a file."""

_CORE = 0.01  # share of the splats that the core of a scene leaves out on each side
_SIZE, _GIF_SIZE = (1280, 720), (640, 360)
_SECONDS = 8.0
_BACKGROUND = (0.93, 0.93, 0.93)


@dataclass(frozen=True)
class SceneFacts:
    """What a file of a scene holds.

    Attributes:
        path: of the file. splats: their number. degree: of the spherical harmonics of colours, 0 to 3.
        low_m, high_m: corners x, y, z of the box around all centres, metres.
        core_m: width, height and depth of the box around 98 of 100 centres on each axis, metres.
        opacity: median, 0 to 1. scale_m: median of the largest standard deviation of each splat, metres.
        megabytes: of the file. notes: what was left out when it was read.
    """

    path: str
    splats: int
    degree: int
    low_m: tuple[float, ...]
    high_m: tuple[float, ...]
    core_m: tuple[float, ...]
    opacity: float
    scale_m: float
    megabytes: float
    notes: tuple[str, ...]

    @property
    def row(self) -> dict[str, Any]:
        """As `kinema scene info --json` prints it."""
        return asdict(self)


def scene(source: SceneSource, *, seed: int = 0, spacing: float | None = None) -> GaussianScene:
    """A scene of Gaussian splats: read from its file, made by rules, or made of the meshes of a character or room.

    Args:
        source: a file of a scene (`.ply`, `.compressed.ply`, `.splat`, `.spz`, `.sog`), the name of a made world
            ("street", "room", "park", "hills"), or a file with meshes (`.glb`, `.fbx`, ...), which are covered with
            discs in their own colours; or what was loaded from one.
        seed: of made worlds, and of the places of discs.
        spacing: metres between discs; None is 5 cm in made worlds, and about 150,000 discs on meshes.

    Raises:
        FormatError: the file is not there, damaged, or of no known format.
        SceneError: there is no surface, or far too many discs would be needed.
        UsageError: there is no world of this name.
    """
    from kinema.worlds.covering import covered
    from kinema.worlds.made import SPACING, WORLDS, make_world

    if isinstance(source, GaussianScene):
        return source
    if isinstance(source, str | os.PathLike):
        if str(source) in WORLDS:
            return make_world(str(source), seed).scene(SPACING if spacing is None else spacing, seed)
        if is_scene_file(source):
            return read_scene(source)
        _check_mesh_file(source)
    thing = load(source) if isinstance(source, str | os.PathLike) else source
    character = thing.character if isinstance(thing, Asset) else thing
    if character is None or not character.meshes:
        raise SceneError(f"{_named(source)} has no meshes that discs could cover")
    return covered(character, spacing, seed)


def scene_facts(path: PathLike) -> SceneFacts:
    """What a file of a scene holds.

    Raises:
        FormatError: it is not there, damaged, or of no known format.
    """
    found = read_scene(path)
    places = found.means.astype(np.float64)
    core = np.quantile(places, (_CORE, 1.0 - _CORE), axis=0)
    return SceneFacts(
        os.fspath(path),
        len(found),
        found.degree,
        _rounded(places.min(axis=0)),
        _rounded(places.max(axis=0)),
        _rounded(core[1] - core[0]),
        round(float(np.median(found.opacities)), 4),
        round(float(np.median(found.scales.max(axis=-1))), 6),
        round(_bytes(path) / 1e6, 3),
        found.notes,
    )


def changed_scene(
    source: SceneSource,
    *,
    clean: bool = False,
    level: bool = False,
    crop: Sequence[float] | None = None,
    scale: float = 1.0,
    turn: float = 0.0,
    move: Sequence[float] = (0.0, 0.0, 0.0),
    degree: int | None = None,
    note: Note = ignore,
) -> GaussianScene:
    """A scene, cleaned, levelled, cropped, scaled, turned, moved, and with simpler colours: in this order.

    Args:
        source: see `scene`.
        clean: leave out what can hardly be seen, fog, and what floats alone; see `kinema.worlds.cleaning`.
        level: put the ground at height 0, level.
        crop: `x0, y0, z0, x1, y1, z1`, metres: two corners of the box that is kept; infinite leaves a side open.
        scale: factor about the origin.
        turn: radians about +Y through the origin; positive from +Z to +X.
        move: `x, y, z`, metres.
        degree: 0 to 3, of the spherical harmonics of colours; those of a higher degree are left out.
        note: called with a line on each step.

    Raises:
        SceneError: nothing would be left, there is no ground, or the scale is not positive.
        UsageError: a number is missing, not finite or out of range.
    """
    _check_changes(crop, turn, move, degree)
    found = scene(source)
    if clean:
        found = _cleaned(found, note)
    if level:
        found = _levelled(found, note)
    if crop is not None:
        found = _cropped(found, crop, note)
    if scale != 1.0 or turn or any(move):
        found = _moved(found, scale, turn, move, note)
    if degree is not None:
        kept = min(degree, found.degree)
        note(f"colours: degree {found.degree} before, {kept} now")
        found = found.with_coefficients((kept + 1) ** 2)
    return found


def convert_scene(
    source: SceneSource,
    output: PathLike,
    *,
    seed: int = 0,
    spacing: float | None = None,
    note: Note = ignore,
    **changes: Any,
) -> GaussianScene:
    """Write a scene into a file of any format that is written, with changes if there are any; returns it.

    `convert_scene("street", "street.spz", seed=3)` makes a world, `convert_scene("room.glb", "room.ply")` covers
    meshes, `convert_scene("garden.ply", "garden.spz", clean=True, level=True)` changes a capture.

    Args:
        source, seed, spacing: see `scene`.
        output: `.ply`, `.compressed.ply`, `.splat` or `.spz`; overwritten if it exists.
        note: called with a line on each step.
        changes: those of `changed_scene`.

    Raises:
        FormatError: the source cannot be read, or the format cannot hold the scene.
        SceneError, UsageError: see `scene` and `changed_scene`; or no format that is written has this suffix.
        WriteError: the file cannot be written.
    """
    check_written(output)
    found = changed_scene(scene(source, seed=seed, spacing=spacing), note=note, **changes)
    write_scene(found, output)
    return found


def render_scene(
    source: SceneSource,
    output: PathLike,
    *,
    size: tuple[int, int] | None = None,
    seconds: float | None = None,
    fps: float | None = None,
    eye: ArrayLike | None = None,
    target: ArrayLike | None = None,
    fov: float | None = None,
    background: ArrayLike = _BACKGROUND,
    progress: Progress | None = None,
) -> RenderReport:
    """A picture of a scene, or a film of a turn around it, drawn by the processor.

    Args:
        source: see `scene`.
        output: `.png` for a picture; `.mp4`, `.webm`, `.gif`, or a name such as `garden_%04d.png` for a film.
        size: width and height in pixels; None is 1280x720, 640x360 for a GIF.
        seconds: of a film, for one turn; None is 8. fps: frames per second; None is 30, 25 for a GIF.
        eye, target: `[3]`, metres: where the camera is, and what it looks at and turns around; None chooses both.
        fov: vertical angle of view, radians; None is 0.8.
        background: `[3]`, sRGB, 0 to 1.
        progress: called with the number of pictures done and of all pictures.

    Raises:
        MissingError: there is no encoder on this machine.
        KinemaError: the suffix is unknown, or the size does not suit it.
        UsageError: a length for a picture, an angle out of range, or only one of `eye` and `target`.
        WriteError: the file cannot be written.
    """
    from kinema.rendering.film.shoot import RenderReport
    from kinema.rendering.film.writers import check_name, is_moving, open_writer
    from kinema.rendering.splats.rasterise import rasterise
    from kinema.rendering.splats.viewpoint import FOV, camera_path

    check_name(output)
    moving, gif = is_moving(output), Path(output).suffix.lower() == ".gif"
    if not moving and (seconds is not None or fps is not None):
        raise UsageError(f"{os.fspath(output)}: seconds and frames per second are those of a film (.mp4, .webm, .gif)")
    angle = FOV if fov is None else fov
    if not 0 < angle < np.pi:
        raise UsageError(f"an angle of view is between 0 and 180 degrees, not {np.degrees(angle):g}")
    width, height = size or (_GIF_SIZE if gif else _SIZE)
    rate = fps or (25.0 if gif else 30.0)
    found = scene(source)
    path = camera_path(found, width / height, angle, eye, target)
    count = max(round((_SECONDS if seconds is None else seconds) * rate), 1) if moving else 1
    begun = time.perf_counter()
    with open_writer(output, width, height, rate) as writer:
        for number in range(count):
            drawn = rasterise(found, path(number / count), width, height, background=background).colour
            writer.write(np.rint(255.0 * np.clip(drawn, 0.0, 1.0)).astype(np.uint8))
            if progress is not None:
                progress(number + 1, count)
    return RenderReport(count, time.perf_counter() - begun, "processor", outputs=tuple(writer.outputs))


def _cleaned(found: GaussianScene, note: Note) -> GaussianScene:
    from kinema.worlds.cleaning import cleaned

    after = cleaned(found)
    said = after.notes[len(found.notes) :]
    note(f"cleaned: {said[0] if said else 'nothing was left out'}")
    return after


def _levelled(found: GaussianScene, note: Note) -> GaussianScene:
    from kinema.worlds.levelling import ground_plane, levelled

    plane = ground_plane(found)
    tilt = float(np.degrees(np.arccos(np.clip(plane.up[1], -1.0, 1.0))))
    note(
        f"levelled: the ground, {100 * plane.share:.0f} percent of what is seen, was tilted by {tilt:.1f} degrees "
        f"and {abs(plane.height):.3g} m {'above' if plane.height > 0 else 'below'} the origin"
    )
    return levelled(found, plane=plane)


def _cropped(found: GaussianScene, crop: Sequence[float], note: Note) -> GaussianScene:
    from kinema.worlds.cleaning import cropped

    after = cropped(found, crop[:3], crop[3:])
    note(f"cropped: {len(found) - len(after):,} of {len(found):,} splats left out")
    return after


def _moved(found: GaussianScene, scale: float, turn: float, move: Sequence[float], note: Note) -> GaussianScene:
    from kinema import rotations

    after = found.moved(rotations.from_yaw(np.asarray(turn)), move, scale)
    steps = [f"scaled by {scale:g}"] if scale != 1.0 else []
    steps += [f"turned by {np.degrees(turn):g} degrees"] if turn else []
    steps += [f"moved by {', '.join(f'{part:g}' for part in move)} m"] if any(move) else []
    for step in steps:
        note(step)
    return after


def _check_changes(crop: Sequence[float] | None, turn: float, move: Sequence[float], degree: int | None) -> None:
    if crop is not None and len(crop) != 6:
        raise UsageError(f"a box to keep is six numbers, two corners x, y, z in metres, not {len(crop)}")
    if len(move) != 3 or not np.isfinite([turn, *move]).all():
        raise UsageError("a scene is turned by a finite angle and moved by three numbers of metres, x, y and z")
    if degree is not None and degree not in range(4):
        raise UsageError(f"colours are of degree 0, 1, 2 or 3, not {degree}")


def _check_mesh_file(path: PathLike) -> None:
    from kinema.worlds.made import WORLDS

    if Path(path).suffix.lower() not in FORMATS:
        scenes, meshes = (", ".join(names) for names in ([form.suffix for form in SCENE_FORMATS], _mesh_suffixes()))
        raise UsageError(
            f"{os.fspath(path)!r} is no scene: give a world ({listed(WORLDS)}), a file of a scene ({scenes}) or a file "
            f"with meshes ({meshes})"
        )


def _mesh_suffixes() -> list[str]:
    return [suffix for suffix in (".glb", ".gltf", ".vrm", ".fbx", ".usd") if suffix in FORMATS]


def _named(source: object) -> str:
    return os.fspath(source) if isinstance(source, str | os.PathLike) else getattr(source, "name", "") or "this"


def _rounded(numbers: np.ndarray) -> tuple[float, ...]:
    return tuple(round(number, 4) for number in numbers.tolist())


def _bytes(path: PathLike) -> int:
    """Of a file, with the pictures beside a meta.json."""
    file = Path(path)
    beside = file.parent.glob("*.webp") if file.name.lower() == "meta.json" and file.is_file() else ()
    return open_source(path).size + sum(picture.stat().st_size for picture in beside)
