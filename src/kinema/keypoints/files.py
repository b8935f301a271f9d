"""Key points of a video as JSON: OpenPose's and DWPose's `people`, and COCO's `annotations`, as arrays and back.

```python
tracks = read_points("points.json")
tracks.points.body[..., 2] > 0.3  # which points were seen, [N, 18]
```

A file holds the pictures of a video as a list, or one picture; a folder holds one file per picture, in the order of
their names, as OpenPose writes them (`walk_000000000012_keypoints.json`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kinema.arrays import Singles
from kinema.errors import FormatError
from kinema.keypoints.points import BODY, BODY_COUNT, FACE_COUNT, HAND_COUNT, TOES, BodyPoints
from kinema.keypoints.tracking import main_person

_COCO = (
    "nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder", "left_elbow",
    "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip", "left_knee", "right_knee", "left_ankle",
    "right_ankle",
)  # fmt: skip
_BODY_25 = (*BODY[:8], "mid_hip", *BODY[8:14], *BODY[14:], "left_big_toe", "left_small_toe", "left_heel",
            "right_big_toe", "right_small_toe", "right_heel")  # fmt: skip
_LARGEST = 1 << 28  # bytes of a file
_MOST = 1_000_000  # pictures
_CROWD = 256  # people in a picture
_FARTHEST = 1e6  # pixels
_COCO_SEEN = 2  # COCO's flag of a point that is seen; 1 is a point that is known to be behind something
_COCO_WHOLE = 133  # points of COCO-WholeBody: body 17, feet 6, face 68, hands 21 each


@dataclass(frozen=True, eq=False)
class PointTracks:
    """One person's points in the pictures of a video.

    Attributes:
        points: of `N` pictures, pixels; a picture without a person has confidence 0.
        width, height: of the pictures, pixels; 0 if the file does not say.
    """

    points: BodyPoints
    width: int = 0
    height: int = 0


def points_as_json(points: BodyPoints, width: int, height: int) -> list[dict[str, Any]]:
    """The points of `N` pictures as DWPose's nodes write them: each has `people`, `canvas_width`, `canvas_height`."""
    names = ("pose_keypoints_2d", "hand_left_keypoints_2d", "hand_right_keypoints_2d", "face_keypoints_2d")
    flat = [np.round(array.astype(np.float64), 3).reshape(len(array), -1).tolist() for array in points.arrays[:4]]
    return [
        {"people": [dict(zip(names, values, strict=True))], "canvas_width": width, "canvas_height": height}
        for values in zip(*flat, strict=True)
    ]


def read_points(path: str | os.PathLike[str], person: int | None = 0) -> PointTracks:
    """The points of a person in a JSON file or a folder of them, one for each picture.

    Args:
        path: OpenPose or DWPose (`people`), or COCO (`annotations` of 17 or 133 points).
        person: which of the people of each picture, in the file's order; None follows people from picture to picture
            and takes the one who is largest and longest there, see `kinema.keypoints.tracking`.

    Raises:
        FormatError: the file is none of these, or states numbers that cannot be.
    """
    place = Path(path)
    files = sorted(place.glob("*.json")) if place.is_dir() else [place]
    if not files:
        raise FormatError("holds no .json files", path=str(path))
    return points_of([_load(file) for file in files], str(path), person)


def points_of(documents: Sequence[Any], path: str, person: int | None = 0) -> PointTracks:
    """The points of a person in documents that were read, see `read_points`; `path` is for messages."""
    people, width, height = _people(documents, path)
    if person is None:
        chosen = main_person([[one[0] for one in picture] for picture in people])
        found = [picture[at] if at >= 0 else _empty() for picture, at in zip(people, chosen, strict=True)]
    else:
        found = [picture[person] if 0 <= person < len(picture) else _empty() for picture in people]
    return PointTracks(_stacked(found), width, height)


def _people(documents: Sequence[Any], path: str) -> tuple[list[list[list[Singles]]], int, int]:
    """The people of each picture: body, left hand, right hand, face and toes; and the size of the pictures."""
    if len(documents) == 1 and isinstance(documents[0], Mapping) and "annotations" in documents[0]:
        return _from_coco(documents[0], path)
    frames = [frame for document in documents for frame in (document if isinstance(document, list) else [document])]
    if not frames or len(frames) > _MOST:
        raise FormatError(f"holds {len(frames):,} pictures; 1 to {_MOST:,} can be read", path=path)
    people = [_from_openpose(frame, path) for frame in frames]
    return people, *_size(frames, "canvas_width", "canvas_height", path)


def _size(pictures: Sequence[Mapping[str, Any]], width: str, height: str, path: str) -> tuple[int, int]:
    """Width and height that all pictures state; 0 if they do not, or not the same."""
    try:
        sizes = {(int(one.get(width, 0)), int(one.get(height, 0))) for one in pictures}
    except (TypeError, ValueError, OverflowError):
        raise FormatError("states a size that is no number", path=path) from None
    return sizes.pop() if len(sizes) == 1 else (0, 0)


def _load(file: Path) -> Any:
    try:
        if file.stat().st_size > _LARGEST:
            raise FormatError(f"is larger than {_LARGEST:,} bytes", path=str(file))
        return json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise FormatError(f"is not JSON: {error}", path=str(file)) from None
    except OSError as error:
        raise FormatError(error.strerror or str(error), path=str(file)) from None


def _from_openpose(frame: Any, path: str) -> list[list[Singles]]:
    people = frame.get("people") if isinstance(frame, Mapping) else None
    if not isinstance(people, list):
        raise FormatError("has no people, as OpenPose and DWPose write them, and no COCO annotations", path=path)
    if len(people) > _CROWD:
        raise FormatError(f"has {len(people):,} people in a picture; up to {_CROWD} are read", path=path)
    return [_person(one, path) for one in people]


def _person(one: Any, path: str) -> list[Singles]:
    """Body, left hand, right hand, face and toes."""
    if not isinstance(one, Mapping):
        raise FormatError("a person is not an object", path=path)
    pose = _triples(one.get("pose_keypoints_2d"), path)
    if len(pose) not in (0, BODY_COUNT, len(_BODY_25)):
        raise FormatError(f"a body has {len(pose)} points; 18 (COCO) and 25 (BODY_25) are known", path=path)
    names = _BODY_25 if len(pose) == len(_BODY_25) else BODY
    body, toes = _picked(pose, names)
    rest = [("hand_left", HAND_COUNT), ("hand_right", HAND_COUNT), ("face", FACE_COUNT)]
    parts = [_padded(_triples(one.get(f"{name}_keypoints_2d"), path), count, path) for name, count in rest]
    return [body, *parts, toes]


def _from_coco(document: Mapping[str, Any], path: str) -> tuple[list[list[list[Singles]]], int, int]:
    """Annotations of a COCO document by its pictures, in the order of their names."""
    images, annotations = document.get("images", []), document["annotations"]
    if not (_is_list_of_objects(images) and _is_list_of_objects(annotations)) or len(images) > _MOST:
        raise FormatError("images and annotations of COCO are lists of objects", path=path)
    order = [image.get("id") for image in sorted(images, key=lambda image: str(image.get("file_name", "")))]
    order = order or sorted({str(one.get("image_id")) for one in annotations})
    if not order:
        raise FormatError("has no annotations", path=path)
    by_image: dict[str, list[Mapping[str, Any]]] = {}
    for one in annotations:
        by_image.setdefault(str(one.get("image_id")), []).append(one)
    people = [[_coco_person(one, path) for one in by_image.get(str(image), [])[:_CROWD]] for image in order]
    return people, *_size(images, "width", "height", path)


def _coco_person(one: Mapping[str, Any], path: str) -> list[Singles]:
    points = _triples(one.get("keypoints"), path)
    if len(points) not in (len(_COCO), _COCO_WHOLE):
        raise FormatError(f"an annotation has {len(points)} points; 17 and 133 are known", path=path)
    if points[:, 2].max(initial=0) > 1:  # flags, not scores
        points[:, 2] /= _COCO_SEEN
    left, right, face, toes = _empty()[1:]
    body = _picked(points[: len(_COCO)], _COCO)[0]
    if len(points) == _COCO_WHOLE:
        face, left, right = _padded(points[23:91], FACE_COUNT, path), points[91:112], points[112:133]
        toes = np.stack([_mean(points[17:19]), _mean(points[20:22])])
    shoulders = body[[BODY.index("left_shoulder"), BODY.index("right_shoulder")]]
    body[BODY.index("neck")] = _mean(shoulders)
    return [body, left, right, face, toes]


def _mean(points: Singles) -> Singles:
    """The middle of points `[K, 3]`; absent if one of them is."""
    return points.mean(axis=0) if np.all(points[:, 2] > 0) else np.zeros(3, np.float32)


def _picked(points: Singles, names: Sequence[str]) -> tuple[Singles, Singles]:
    """The points of a body and of its toes, from points with these names."""
    body, toes = np.zeros((BODY_COUNT, 3), np.float32), np.zeros((len(TOES), 3), np.float32)
    for name, point in zip(names, points, strict=False):
        if name in BODY:
            body[BODY.index(name)] = point
    for number, side in enumerate(("left", "right")):
        if f"{side}_big_toe" in names and len(points):
            toes[number] = _mean(points[[names.index(f"{side}_big_toe"), names.index(f"{side}_small_toe")]])
    return body, toes


def _triples(values: Any, path: str) -> Singles:
    """Numbers as `[K, 3]`; nothing for what is missing. Points that are not finite are absent."""
    if values is None or values == []:
        return np.zeros((0, 3), np.float32)
    try:
        points = np.asarray(values, np.float64).reshape(-1, 3)
    except (ValueError, TypeError):
        raise FormatError("key points are numbers in threes: x, y and confidence", path=path) from None
    points[~(np.abs(points).max(axis=1) <= _FARTHEST)] = 0.0
    return points.astype(np.float32)


def _padded(points: Singles, count: int, path: str) -> Singles:
    """Points `[count, 3]`: files may have a face of 68 points, or no hands."""
    if len(points) > count:
        raise FormatError(f"has {len(points)} points where {count} are known", path=path)
    return np.concatenate([points, np.zeros((count - len(points), 3), np.float32)])


def _empty() -> list[Singles]:
    return [np.zeros((count, 3), np.float32) for count in (BODY_COUNT, HAND_COUNT, HAND_COUNT, FACE_COUNT, len(TOES))]


def _stacked(found: Sequence[Sequence[Singles]]) -> BodyPoints:
    return BodyPoints(*(np.stack(arrays) for arrays in zip(*found, strict=True)))


def _is_list_of_objects(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, Mapping) for value in values)
