"""What the JSON files of packs hold, as JSON Schema: for programs that read packs, and for `check_pack`.

`points.json` is what ComfyUI calls POSE_KEYPOINT; `camera.json` and `pack.json` are Kinema's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kinema.keypoints.points import BODY_COUNT, FACE_COUNT, HAND_COUNT

Schema = Mapping[str, Any]


def _numbers(count: int) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "number"}, "minItems": count, "maxItems": count}


def _rows(rows: int, columns: int) -> dict[str, Any]:
    return {"type": "array", "items": _numbers(columns), "minItems": rows, "maxItems": rows}


def _object(properties: Mapping[str, Schema]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


_TEXT, _WHOLE, _NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}
_NAMES = {"type": "object", "additionalProperties": _TEXT}

MANIFEST_SCHEMA: Schema = _object(
    {
        "format": _TEXT,
        "target": _TEXT,
        "width": _WHOLE,
        "height": _WHOLE,
        "frames": _WHOLE,
        "fps": _NUMBER,
        "character": _TEXT,
        "motion": _TEXT,
        "maps": _NAMES,
        "videos": _NAMES,
        "depth_range_m": _numbers(2),
        "person": {"type": "boolean"},
        "made_of": _TEXT,
    }
)
"""`pack.json`."""

POINTS_SCHEMA: Schema = {
    "type": "array",
    "items": _object(
        {
            "people": {
                "type": "array",
                "items": _object(
                    {
                        "pose_keypoints_2d": _numbers(3 * BODY_COUNT),
                        "hand_left_keypoints_2d": _numbers(3 * HAND_COUNT),
                        "hand_right_keypoints_2d": _numbers(3 * HAND_COUNT),
                        "face_keypoints_2d": _numbers(3 * FACE_COUNT),
                    }
                ),
            },
            "canvas_width": _WHOLE,
            "canvas_height": _WHOLE,
        }
    ),
}
"""`points.json`: x, y and confidence of each point, pixels; a picture after the other."""

CAMERA_SCHEMA: Schema = _object(
    {
        "convention": _TEXT,
        "width": _WHOLE,
        "height": _WHOLE,
        "fps": _NUMBER,
        "frames": {"type": "array", "items": _object({"K": _rows(3, 3), "world_to_camera": _rows(4, 4)})},
    }
)
"""`camera.json`."""

OF_TARGETS: Mapping[str, Schema] = {
    "scail": _object({"videos": _object({"cylinders": {"const": "rendered.mp4"}})}),
    "comfyui": _object(
        {"videos": {"type": "object", "maxProperties": 0}, "maps": {"type": "object", "minProperties": 1}}
    ),
}
"""What `pack.json` says of packs for models that no library here reads: SCAIL's own code opens `rendered.mp4`, nodes of
ComfyUI read folders of pictures."""

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "number": (int, float), "integer": int, "boolean": bool,
}  # fmt: skip
_MOST = 8  # faults that are listed


def found_faults(value: Any, schema: Schema, where: str = "") -> list[str]:
    """Where a value is not what a schema of this module says, at most eight lines; nothing if it is.

    Knows the words of JSON Schema that are used here.
    """
    kind = schema.get("type")
    if kind is not None and not _is(value, kind):
        return [f"{where}is no {kind}"]
    if "const" in schema and value != schema["const"]:
        return [f"{where}is {value!r}, not {schema['const']!r}"]
    faults: list[str] = []
    if isinstance(value, dict):
        size = len(value)
        if not schema.get("minProperties", 0) <= size <= schema.get("maxProperties", size):
            faults.append(f"{where}has {size} entries")
        inner = schema.get("properties", {})
        for key in schema.get("required", ()):
            if key not in value or not _is(value[key], inner[key].get("type")):
                faults.append(f"{where}{key!r} is missing or of the wrong type")
        for key, item in value.items():
            if key in inner and _is(item, inner[key].get("type")):
                faults += found_faults(item, inner[key], f"{where}{key}: ")
            elif key not in inner and "additionalProperties" in schema:
                faults += found_faults(item, schema["additionalProperties"], f"{where}{key}: ")
    elif isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return [f"{where}has {len(value)} numbers or rows, not {schema.get('minItems', 0)}"]
        for number, item in enumerate(value):
            faults += found_faults(item, schema.get("items", {}), f"{where}[{number}] ")
            if len(faults) >= _MOST:
                break
    return faults[:_MOST]


def _is(value: Any, kind: str | None) -> bool:
    if kind is None:
        return True
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
