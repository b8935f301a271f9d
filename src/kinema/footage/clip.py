"""Films one training clip: who, what, where and from where, and the maps of every picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from kinema.arrays import Floats, Singles
from kinema.errors import KinemaError, SceneError
from kinema.footage.camera_choice import KINDS, Shots, choose_cameras, in_frame
from kinema.footage.cast import Actor, Member, hire
from kinema.footage.licences import joined_class
from kinema.footage.plan import ClipPlan
from kinema.footage.scenery import GRADED, PLAIN, Scenery, backdrop, captured, made
from kinema.footage.takes import Take, take
from kinema.motion import Motion
from kinema.rendering.camera import Camera
from kinema.rendering.conditions.body_points import BodyPoints, joined
from kinema.rendering.conditions.map_film import MapFrame, MapMaker
from kinema.rendering.conditions.pack import extrinsics, intrinsics
from kinema.rendering.conditions.targets import OF_PEOPLE
from kinema.rendering.film.output import Pixels
from kinema.rendering.frame import Renders
from kinema.rendering.view import Instances, View
from kinema.worlds.placing import placed

_PLACES = 8  # places where a clip may begin that are tried in each scene
_SPOTS = 400  # of which these are drawn
_BEFORE, _BEHIND = (
    0.97,
    10.0,
)  # share of the nearest distance to the body that is white in depth, and times as far: black
_BEHIND_PLAIN = 3.0
_GIVEN_UP = 3  # scenes that are tried
_SKIN = 0.12  # metres that the scene may be before a point of the surface that is still seen


@dataclass(frozen=True, eq=False)
class Footage:
    """A clip.

    Attributes:
        maps: uint8 `[F, H, W, 3]` by name.
        points: key points of all pictures; None for a body that is no person.
        intrinsics: `[F, 3, 3]`, pixels. extrinsics: `[F, 4, 4]`, world to camera, metres, in OpenCV's axes; None if
            they are not known.
        facts: what is known of it, as JSON has it.
    """

    maps: Mapping[str, Pixels]
    points: BodyPoints | None
    intrinsics: Singles | None
    extrinsics: Singles | None
    facts: dict[str, Any]


def film_clip(plan: ClipPlan, number: int, renderer: Renders) -> Footage:
    """Clip `number` of a plan; it depends on the plan and its number alone.

    Raises:
        KinemaError: something of it cannot be read, or there is no place for it.
    """
    rng = np.random.default_rng([plan.seed, 0, number])
    actor = _hired(plan.cast[number % len(plan.cast)])
    source = plan.motions[int(rng.integers(len(plan.motions)))]
    done = take(actor, source, plan.frames, plan.fps, rng)
    around, motion, shots = _staged(plan, actor, done, rng)
    frames = _drawn(plan, actor, motion, around, shots, renderer)
    maps = {name: np.stack([frame.maps[name] for frame in frames]) for name in frames[0].maps}
    points = joined([frame.points for frame in frames if frame.points is not None]) if actor.rig else None
    cameras = shots.cameras
    k = np.stack([intrinsics(camera, plan.size, plan.size) for camera in cameras]).astype(np.float32)
    world = np.stack([extrinsics(camera) for camera in cameras]).astype(np.float32)
    facts = _facts(plan, number, actor, done, around, shots) | _seen(actor, motion, cameras, frames)
    facts["maps"] = list(maps)
    return Footage(maps, points, k, world, facts)


@lru_cache(maxsize=48)
def _hired(member: Member) -> Actor:
    return hire(member)


@lru_cache(maxsize=32)
def _opened(name: str, seed: int, size: int) -> Scenery:
    """A made world or a captured scene; its ground, its light and what hides in it are found once."""
    if seed >= 0:
        return made(name, seed, size)
    from kinema.worlds.files import read_scene

    return captured(read_scene(name), name)


# ---- where -----------------------------------------------------------------------------------------------------------


def _staged(plan: ClipPlan, actor: Actor, done: Take, rng: np.random.Generator) -> tuple[Scenery, Motion, Shots]:
    """Where it takes place, the motion there, and the cameras."""
    kind = KINDS[int(rng.integers(len(KINDS)))]
    for around in _scenes(plan, rng):
        for place, heading in _places(done.motion, around, _size(actor, done.motion), rng):
            motion = placed(done.motion, around.ground, place, heading, done.floor)
            points = np.asarray(actor.surface(motion[:]), np.float64)
            shots = choose_cameras(points, around, kind, rng, plan.seconds)
            if shots is not None:
                return around, motion, shots
    raise SceneError(f"no place and no camera was found for {done.action!r} of {actor.name}")


def _scenes(plan: ClipPlan, rng: np.random.Generator) -> list[Scenery]:
    """Scenes to try, the wanted one first."""
    if not plan.scenes or rng.random() >= plan.scene_share:
        return [backdrop(rng)]
    order = rng.permutation(len(plan.scenes))[:_GIVEN_UP].tolist()
    return [_opened(plan.scenes[at].name, plan.scenes[at].seed, plan.size) for at in order]


def _size(actor: Actor, motion: Motion) -> float:
    """Room that the body needs to each side of its way, metres."""
    points = actor.surface(motion[:: max(motion.frames // 4, 1)])
    middles = motion.root_frame()[0][:: max(motion.frames // 4, 1)]
    away = np.hypot(points[..., 0] - middles[:, None, 0], points[..., 2] - middles[:, None, 2])
    return float(np.quantile(away, 0.98))


def _places(
    motion: Motion, around: Scenery, size: float, rng: np.random.Generator
) -> list[tuple[tuple[float, float], float]]:
    """Places (x, z) and headings, radians, from which the whole motion has room."""
    if around.room is None:
        return [((0.0, 0.0), float(rng.uniform(-np.pi, np.pi)))]
    way, turns = motion.root_frame()
    path = way[:, [0, 2]].astype(np.float64) - way[0, [0, 2]]
    first = 2.0 * np.arctan2(float(turns[0, 2]), float(turns[0, 0]))
    rows, columns = np.nonzero(around.room > size)
    if not len(rows):
        return []
    which = rng.integers(len(rows), size=_SPOTS)
    spots = np.stack([columns[which], rows[which]], axis=-1) * around.cell + np.asarray(around.origin)
    headings = rng.uniform(-np.pi, np.pi, _SPOTS)
    turned = headings - first
    sine, cosine = np.sin(turned)[:, None], np.cos(turned)[:, None]
    x = spots[:, :1] + cosine * path[:, 0] + sine * path[:, 1]
    z = spots[:, 1:] - sine * path[:, 0] + cosine * path[:, 1]
    free = (around.room_at(np.stack([x, z], axis=-1)) > size).all(axis=1)
    good = np.flatnonzero(free)[:_PLACES].tolist()
    return [((float(spots[at, 0]), float(spots[at, 1])), float(headings[at])) for at in good]


# ---- pictures --------------------------------------------------------------------------------------------------------


def _drawn(
    plan: ClipPlan, actor: Actor, motion: Motion, around: Scenery, shots: Shots, renderer: Renders
) -> list[MapFrame]:
    names = tuple(name for name in plan.maps if actor.person or name not in OF_PEOPLE)
    maker = MapMaker(names, plan.size, plan.size, actor.rig, _depth_range(actor, motion, around, shots))
    frames, background = [], None
    poses, floor = motion[:], around.floor
    if floor is not None:  # it fades around one place in all pictures
        x, y, z = np.asarray(poses.global_positions).mean(axis=(0, 1)).tolist()
        floor = replace(floor, centre=(x, y, z))
    background_known = shots.kind == "still"
    weights = actor.character.morph_weights({n: v for n, v in motion.labels.items() if v.ndim == 1})
    if not (weights == actor.character.rest_weights).all():
        poses = poses.replace(morph_weights=weights)
    for number, camera in enumerate(shots.cameras):
        body = Instances(actor.character, poses[number])
        view = View(camera, (body,), around.sun, sky=around.sky, floor=floor, splats=around.scene)
        frame = maker.frame(view, renderer, background)
        background = frame.maps.get("background") if background_known else None
        frames.append(frame)
    return frames


def _depth_range(actor: Actor, motion: Motion, around: Scenery, shots: Shots) -> tuple[float, float]:
    points = np.asarray(actor.surface(motion[:]), np.float64)
    nearest = min(
        float(((seen - camera.position) @ camera.ahead).min())
        for seen, camera in zip(points, shots.cameras, strict=True)
    )
    nearest = max(_BEFORE * nearest, 1e-3)
    return nearest, nearest * (_BEHIND_PLAIN if around.scene is None else _BEHIND)


# ---- facts -----------------------------------------------------------------------------------------------------------


def _facts(plan: ClipPlan, number: int, actor: Actor, done: Take, around: Scenery, shots: Shots) -> dict[str, Any]:
    origins = {"character": actor.origin, "motion": done.origin}
    return {
        "id": f"{number:06d}",
        "seed": [plan.seed, number],
        "character": actor.name,
        "person": actor.person,
        "scene": around.name,
        "scene_kind": around.kind,
        "camera": shots.kind,
        "action": done.action,
        "actions": list(done.actions),
        "caption": _caption(actor, done, around, shots),
        "licence_class": joined_class(origin.licence_class for origin in origins.values()),
        "sources": {name: origin.row for name, origin in origins.items()},
        "frames": plan.frames,
        "fps": plan.fps,
        "size": plan.size,
    }


_WHERE = {
    PLAIN: "before a plain background",
    GRADED: "on a wide floor",
    "captured": "in a captured place",
    "room": "in a room",
    "street": "on a street",
    "park": "in a park",
    "hills": "on hills",
}
_CAMERAS = {
    "follow": "the camera follows",
    "orbit": "the camera goes around",
    "rail": "the camera rolls past",
    "still": "the camera stands still",
}


def _caption(actor: Actor, done: Take, around: Scenery, shots: Shots) -> str:
    told = done.words.rstrip(".!") if done.told else f"{actor.words} {done.words}"
    text = f"{told} {_WHERE[around.kind]}; {_CAMERAS[shots.kind]}."
    return text[:1].upper() + text[1:]


def _seen(actor: Actor, motion: Motion, cameras: Sequence[Camera], frames: Sequence[MapFrame]) -> dict[str, Any]:
    """How much of the body is in the frame and not behind the scene, in the worst picture; how tall it is; its way."""
    points = np.asarray(actor.surface(motion[:]), np.float64)
    inside = in_frame(points, cameras)
    tall, clear = [], []
    for number, (camera, frame) in enumerate(zip(cameras, frames, strict=True)):
        clear.append(_clear(points[number][inside[number]], camera, frame))
        heights = camera.project(points[number], 1, 1)[:, 1]
        tall.append(float(np.ptp(heights)))
    return {
        "in_frame": round(float(inside.mean(axis=1).min()), 3),
        "unhidden": round(float(min(clear)), 3),
        "height": round(float(np.median(tall)), 3),
        "way": _way(points, cameras),
    }


def _clear(points: Floats, camera: Camera, frame: MapFrame) -> float:
    """Share of points of the surface before which there is no scene."""
    seen = frame.seen
    if seen is None or seen.depth is None or seen.entities is None or not len(points):
        raise KinemaError("a clip is judged by its depth")
    height, width = seen.depth.shape
    pixels = camera.project(points, width, height)
    column, row = (np.clip(pixels[:, axis], 0, side - 1).astype(int) for axis, side in ((0, width), (1, height)))
    hidden = (seen.entities[row, column] == 0) & (seen.depth[row, column] < pixels[:, 2] - _SKIN)
    return float(1.0 - hidden.mean())


def _way(points: Floats, cameras: Sequence[Camera]) -> str:
    """Where the body goes as the first camera sees it: "left", "right", "toward", "away", or "nowhere"."""
    moved = points[-1].mean(axis=0) - points[0].mean(axis=0)
    moved[1] = 0.0
    first = cameras[0]
    if np.linalg.norm(moved) < 0.3:
        return "nowhere"
    aside, ahead = float(moved @ first.left), float(moved @ first.ahead)
    if abs(aside) > abs(ahead):
        return "left" if aside > 0 else "right"
    return "away" if ahead > 0 else "toward"
