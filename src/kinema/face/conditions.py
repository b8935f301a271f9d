"""Control packs for video models: `kinema.condition`."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kinema.character import Character
from kinema.errors import FormatError, KinemaError, UsageError
from kinema.face.files import Progress
from kinema.formats import Asset, load, load_motion
from kinema.motion import Motion
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.face.staging import Staging
    from kinema.keypoints.files import PointTracks
    from kinema.rendering.conditions.map_film import MapFilm
    from kinema.rendering.conditions.pack import Pack
    from kinema.rendering.conditions.targets import Target
    from kinema.rendering.film.camera_work import CameraWork
    from kinema.rendering.film.film import Film, FilmSettings
    from kinema.rendering.film.performance import Shot
    from kinema.rendering.frame import Renders
    from kinema.rendering.view import View

PathLike = str | os.PathLike[str]
Body = PathLike | Character | Skeleton | Asset
"""A file, or what was loaded from one. A skeleton gets a mannequin; "mannequin" is one for the joints of the motion."""

MANNEQUIN = "mannequin"
_PLAIN = (0.62, 0.62, 0.62)  # linear colour behind the views of a character
_VIEWS = {"front": 0.0, "back": np.pi, "left": np.pi / 2, "right": -np.pi / 2}  # where the camera stands
_VIEW_ELEVATION = 0.05


@dataclass(frozen=True)
class ConditionReport:
    """What became of a control pack.

    Attributes:
        folder: of the pack.
        target: the model that it is for.
        frames: pictures in it.
        drawn: pictures that were drawn now; the others were there already.
        width, height: pixels.
        fps: frames per second.
        wall_seconds: time taken.
        maps: names of the maps, each a folder of numbered pictures.
        videos: names of the MP4 files.
        faults: what a check of the finished pack finds; nothing if all is well.
    """

    folder: str
    target: str
    frames: int
    drawn: int
    width: int
    height: int
    fps: float
    wall_seconds: float
    maps: tuple[str, ...]
    videos: tuple[str, ...]
    faults: tuple[str, ...] = ()


def condition(
    character: Body,
    motion: PathLike | Motion | None,
    output: PathLike,
    *,
    points: PathLike | PointTracks | None = None,
    target: str = "controlnet",
    clip: str | int | None = None,
    maps: Sequence[str] | None = None,
    size: tuple[int, int] | None = None,
    frames: int | None = None,
    fps: float | None = None,
    start: float = 0.0,
    camera: str = "follow",
    azimuth: float | None = None,
    elevation: float | None = None,
    staging: Staging | None = None,
    caption: str | None = None,
    quality: str = "standard",
    force: bool = False,
    progress: Progress | None = None,
    note: Callable[[str], None] = lambda line: None,
    renderer: Renders | None = None,
) -> ConditionReport:
    """The pictures that a video model is steered with, of a motion on a character, in a folder that the model takes.

    A pack that was interrupted is continued; one that is complete is left as it is.

    Args:
        character: whose body is drawn; if its joints differ from those of the motion, the motion is retargeted to it.
        motion: a motion, or a file with one; None for `points`, or for what `staging` says.
        output: folder of the pack.
        points: a person in a video instead, see `kinema.lift`; seen from where the video was taken, unless `camera` or
            `azimuth` says otherwise.
        target: the video model, one of `kinema.rendering.conditions.targets.TARGETS`.
        clip: name or number of the clip, for files with several.
        maps: some of `kinema.rendering.conditions.targets.MAPS`; None takes those that the model wants.
        size: width and height, pixels; None is usual for the model.
        frames: number of pictures; None is usual for the model, or as many as the motion has.
        fps: frames per second; None is what the model was trained with.
        start: first second of the motion.
        camera: what the camera does, see `kinema.rendering.film.camera_work.CameraWork`.
        azimuth, elevation: where the camera stands, radians.
        staging: a scene, and where the body is in it or what it does there; None is a plain floor.
        caption: the sentence of `caption.txt`; None makes one of the motion's name.
        quality: of the renderer.
        force: begin again, in place of what is there.
        progress: called with the number of pictures done and of all pictures.
        note: called with a line about what a walk in a scene is made of.
        renderer: draws; None opens one and closes it again.

    Raises:
        UsageError: the model takes no such size, number of frames or map; or not exactly one thing says what is done.
        SceneError: the scene has no ground, or none where the body is to be.
        SkeletonError: the body is no person and a map of people is wanted, or the motion does not fit the character.
        KinemaError: the folder holds something else.
        MissingError: no renderer, or no encoder, on this machine.
    """
    from kinema.rendering.conditions.map_film import MapFilm
    from kinema.rendering.conditions.pack import Pack
    from kinema.rendering.conditions.targets import FORMAT, check_pack, find_target
    from kinema.rendering.film.film import Film, FilmSettings
    from kinema.rendering.film.performance import Performance

    began, wanted = time.perf_counter(), find_target(target)
    wanted = _chosen(wanted, maps)
    width, height = size or wanted.size
    wanted.check_size(width, height)
    rate = wanted.fps if fps is None else fps
    driven = _driven(motion, points, staging)
    shot = _shot(character, driven, clip, staging, note)
    moved = shot.motion
    assert moved is not None
    if points is not None and azimuth is None and camera == "follow" and staging is None:
        azimuth, elevation = -Performance(shot).heading, 0.0 if elevation is None else elevation
    settings = FilmSettings(width, height, rate, start, camera=_camera(camera, azimuth, elevation))
    settings = replace(settings, stop=start + _count(wanted, moved, rate, start, frames) / rate)
    film = MapFilm(Film(shot, settings), wanted.maps, wanted.style)
    manifest = {
        "format": FORMAT,
        "target": target,
        "width": width,
        "height": height,
        "frames": len(film),
        "fps": rate,
        "character": film.film.performance.character.name,
        "motion": shot.title,
        "maps": {name: name for name in wanted.maps},
        "videos": dict(wanted.videos),
        "depth_range_m": list(film.depth_range),
        "person": film.rig is not None,
        "made_of": _fingerprint(film, settings, staging),
    }
    pack = Pack(output, manifest, force)
    with ExitStack() as stack:
        if renderer is None:
            from kinema.rendering.renderer import Renderer

            renderer = stack.enter_context(Renderer(width, height, quality))
        drawn = _draw(pack, film, renderer, progress)
        _draw_views(pack, film, settings, renderer, wanted)
    cameras = [film.film.camera(float(moment)) for moment in film.film.times]
    pack.finish(cameras, caption if caption is not None else _caption(moved))
    wall, videos = time.perf_counter() - began, tuple(wanted.videos.values())
    faults = () if maps is not None else tuple(check_pack(output))
    return ConditionReport(
        os.fspath(output), target, len(film), drawn, width, height, rate, wall, wanted.maps, videos, faults
    )


def _chosen(target: Target, maps: Sequence[str] | None) -> Target:
    """The target with these maps instead of its own."""
    from kinema.rendering.conditions.targets import MAPS

    if maps is None:
        return target
    if unknown := [name for name in maps if name not in MAPS]:
        raise UsageError(f"there is no map {unknown[0]!r}; there are {', '.join(MAPS)}")
    if not maps:
        raise UsageError(f"name at least one map of {', '.join(MAPS)}")
    kept = tuple(dict.fromkeys(maps))
    return replace(target, maps=kept, videos={name: file for name, file in target.videos.items() if name in kept})


def _camera(kind: str, azimuth: float | None, elevation: float | None) -> CameraWork:
    from kinema.rendering.film.camera_work import CameraWork

    return CameraWork(kind, azimuth, elevation)


def _count(target: Target, motion: Motion, fps: float, start: float, frames: int | None) -> int:
    """Number of pictures."""
    there = max(int(np.floor((motion.seconds - start) * fps + 1e-6)), 1)
    if frames is None:
        return target.fitting(min(there, target.frames))
    target.check_frames(frames)
    if frames > there:
        raise UsageError(
            f"{frames} frames at {fps:g} per second are {frames / fps:.2f} s, and {motion.name or 'the motion'!r} has "
            f"{motion.seconds - start:.2f} s from there; up to {target.fitting(there)} can be made"
        )
    return frames


def _on_character(body: Body, motion: PathLike | Motion, clip: str | int | None) -> tuple[Character | None, Motion]:
    """The character, None for a mannequin, and the motion of its joints."""
    moved = motion if isinstance(motion, Motion) else load_motion(motion, clip)
    if isinstance(body, str) and body == MANNEQUIN:
        return None, moved
    character, skeleton = _body(body)
    if not skeleton.same_topology(moved.skeleton):
        from kinema.retargeting import retarget

        moved = retarget(moved, character if character is not None else skeleton).motion
    return character, moved


def _body(body: Body) -> tuple[Character | None, Skeleton]:
    """A character, None if it has no mesh, and its skeleton."""
    thing = load(body) if isinstance(body, str | os.PathLike) else body
    character = thing.character if isinstance(thing, Asset) else thing if isinstance(thing, Character) else None
    skeleton = thing if isinstance(thing, Skeleton) else thing.skeleton
    if skeleton is None:
        raise FormatError("holds neither a character nor a skeleton", path=getattr(thing, "path", None))
    return character, skeleton


def _driven(
    motion: PathLike | Motion | None, points: PathLike | PointTracks | None, staging: Staging | None
) -> PathLike | Motion | None:
    """What the body does; None if that is what the staging says."""
    staged = staging is not None and (staging.way is not None or staging.text is not None)
    if sum((motion is not None, points is not None, staged)) != 1:
        raise UsageError("say what the body does with one of these: a motion, points of a video, or a way in a scene")
    if points is None:
        return motion
    from kinema.face.drivers import lift

    return lift(points)


def _shot(
    character: Body,
    motion: PathLike | Motion | None,
    clip: str | int | None,
    staging: Staging | None,
    note: Callable[[str], None],
) -> Shot:
    """What is filmed: the body with its motion, in the scene if there is one."""
    from kinema.rendering.film.performance import Shot

    if motion is None:
        shots = [] if character == MANNEQUIN else [_standing(character)]
    else:
        body, moved = _on_character(character, motion, clip)
        shots = [Shot(moved.name or "motion", moved.skeleton, moved, body)]
    if staging is None:
        return shots[0]
    from kinema.face.staging import staged

    return staged(shots, staging, note)[0]


def _standing(body: Body) -> Shot:
    """A character that a scene is to tell what it does."""
    from kinema.rendering.film.performance import Shot

    character, skeleton = _body(body)
    return Shot("walk", skeleton, None, character)


def _draw(pack: Pack, film: MapFilm, renderer: Renders, progress: Progress | None) -> int:
    """Draw the pictures that are not there yet; returns their number."""
    drawn = 0
    for number in range(len(film)):
        if not pack.has_picture(number):
            pack.write_picture(number, film.frame(number, renderer))
            drawn += 1
        if progress is not None:
            progress(number + 1, len(film))
    return drawn


def _draw_views(pack: Pack, film: MapFilm, settings: FilmSettings, renderer: Renders, target: Target) -> None:
    """The character from four sides, in its own stance on plain ground."""
    from kinema.formats.atomic import atomic_write
    from kinema.rendering.film.camera_work import CameraWork
    from kinema.rendering.film.film import Film
    from kinema.rendering.film.performance import Shot
    from kinema.rendering.mannequin.modelling_pose import modelling_pose

    names = {view: f"reference/{view}.png" for view in _VIEWS}
    if not all((pack.folder / name).is_file() for name in names.values()):
        performance = film.film.performance
        stance = modelling_pose(performance.skeleton, performance.motion)
        still = Motion.create(
            performance.skeleton, stance.local_rotations[None], stance.local_translations[None], fps=1
        )
        shot = Shot("stance", performance.skeleton, still, performance.character)
        plain = replace(settings, start=0.0, stop=None, background=_PLAIN, camera=CameraWork("fixed"))
        for view, shown in _from_all_sides(Film(shot, plain)).items():
            frame = renderer.render(shown, ("color",))
            pack.write_png(names[view], np.ascontiguousarray(frame.color[..., :3]))
    if target.reference:
        atomic_write(pack.folder / target.reference, (pack.folder / names["front"]).read_bytes())


def _from_all_sides(film: Film) -> dict[str, View]:
    """What a standing body's four views show: it is as large in all of them, and the floor has no grid."""
    from kinema.rendering.camera import Camera
    from kinema.rendering.film.camera_work import CameraWork

    works = {view: CameraWork("fixed", azimuth, _VIEW_ELEVATION, moment=0.0) for view, azimuth in _VIEWS.items()}
    shown = {view: film.seen_by(work).at(0.0) for view, work in works.items()}
    body = film.performance.surface[0].astype(np.float64)
    middle = (body.min(axis=0) + body.max(axis=0)) / 2
    away = {view: float(np.linalg.norm(one.camera.position - middle)) for view, one in shown.items()}
    found = {}
    for name, one in shown.items():
        camera, floor = one.camera, one.floor
        eye = middle + (camera.position - middle) * (max(away.values()) / away[name])
        moved = Camera.look_at(eye, middle, camera.fov, camera.near, 2 * camera.far)
        found[name] = replace(one, camera=moved, floor=None if floor is None else replace(floor, cell=0.0))
    return found


def _caption(motion: Motion) -> str:
    name = motion.name.replace("_", " ").strip()
    return f"A character moves: {name}." if name else "A character moves."


def _fingerprint(film: MapFilm, settings: FilmSettings, staging: Staging | None) -> str:
    """Tells packs apart that are made of other things: a hash of motion, body, camera and scene."""
    performance, digest = film.film.performance, hashlib.sha256()
    motion, character = performance.motion, performance.character
    if motion is None:
        raise KinemaError("a control pack is of a motion")
    for array in (motion.local_rotations, motion.local_translations):
        digest.update(np.ascontiguousarray(array, np.float32).tobytes())
    for mesh in character.meshes:
        digest.update(np.ascontiguousarray(mesh.positions, np.float32).tobytes())
    scene = None if staging is None else staging.scene
    place = os.fspath(Path(scene).resolve()) if isinstance(scene, os.PathLike) else repr(scene)
    digest.update(repr((motion.fps, motion.skeleton.names, settings, film.style, place)).encode())
    return digest.hexdigest()[:16]
