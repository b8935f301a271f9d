"""Components as JSON and back. Numbers stay bit-exact, arrays become bytes, characters and motions references."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import math
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from kinema.character import Character
from kinema.errors import KinemaError, WorldError
from kinema.motion import Motion

_DTYPE = re.compile(r"([<>]?[iuf][248]|[|]?[biu]1)\Z")
_ODD = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class Unfit(Exception):
    """A value in a file does not fit the component. The message says what was expected. Used only while reading."""


def encode(value: Any, asset: Callable[[Character | Motion], str]) -> Any:
    """Encode a value as JSON.

    Args:
        asset: saves a character or motion to a file and returns the file's name.

    Raises:
        WorldError: values of this type cannot be encoded.
    """
    # One independent branch for each kind of value.
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, np.generic):
        return encode(value.item(), asset)
    if isinstance(value, float):
        return value if math.isfinite(value) else {"number": repr(value)}
    if isinstance(value, np.ndarray):
        return encode_array(value)
    if isinstance(value, Character | Motion):
        return {"asset": asset(value)}
    if isinstance(value, list | tuple):
        return [encode(item, asset) for item in value]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {"map": {key: encode(item, asset) for key, item in value.items()}}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        given = [field.name for field in dataclasses.fields(value) if field.init]  # others are derived
        return {name: encode(getattr(value, name), asset) for name in given}
    raise WorldError(f"a {type(value).__name__} cannot be saved; numbers, text, arrays, lists and dataclasses can")


def encode_array(array: np.ndarray) -> dict[str, Any]:
    """Encode an array of numbers as JSON. WorldError for arrays of any other type."""
    if not _DTYPE.match(array.dtype.str):
        raise WorldError(f"an array of {array.dtype} cannot be saved, only numbers")
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
    return {"dtype": array.dtype.str, "shape": list(array.shape), "data": data}


def hints(kind: type) -> dict[str, Any]:
    """The types of a dataclass's fields. WorldError when an annotation cannot be resolved."""
    try:
        found = typing.get_type_hints(kind)
    except (NameError, TypeError) as error:
        raise WorldError(f"the field types of {kind.__name__} cannot be resolved: {error}") from None
    return {field.name: found[field.name] for field in dataclasses.fields(kind) if field.init}


def build(kind: type, value: Any, assets: Mapping[str, Character | Motion]) -> Any:
    """Build a dataclass from the output of `encode`. Missing fields take their defaults.

    Raises:
        Unfit: the JSON does not describe such a dataclass.
    """
    if not isinstance(value, dict):
        raise Unfit("expected an object of fields")
    fields = hints(kind)
    for name in value:
        if name not in fields:
            raise Unfit(f"has no field {name[:40]!r} (its fields: {', '.join(fields)})")
    made: dict[str, Any] = {}
    for name, hint in fields.items():
        if name in value:
            try:
                made[name] = decode(value[name], hint, assets)
            except Unfit as error:
                raise Unfit(f"{name}: {error}") from None
    try:
        return kind(**made)
    except (TypeError, ValueError, KinemaError) as error:
        raise Unfit(" ".join(str(error).split())) from None


def decode(value: Any, hint: Any, assets: Mapping[str, Character | Motion]) -> Any:
    """Decode JSON to a value of the type that a hint names.

    Raises:
        Unfit: the JSON is not of that type.
    """
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _first_that_fits(value, arguments, assets)
    if origin is typing.Literal:
        return _one_of(value, arguments)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        if not isinstance(value, dict) or not isinstance(value.get("map"), dict):
            raise Unfit("expected a map")
        return {key: decode(item, arguments[1], assets) for key, item in value["map"].items()}
    if np.ndarray in (hint, origin):
        return decode_array(value)
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return _items(value, origin, arguments, assets)
    if hint in (Character, Motion):
        return _asset(value, hint, assets)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return build(hint, value, assets)
    return _scalar(value, hint)


def _scalar(value: Any, hint: Any) -> Any:
    if hint is float:
        return _number(value)
    if hint in (None, type(None)):
        if value is None:
            return None
        raise Unfit("expected null")
    if hint in (bool, int, str):
        if type(value) is hint:
            return value
        raise Unfit(f"expected {hint.__name__}")
    if hint is Any:
        raise Unfit("has no declared type and cannot be read back")
    raise Unfit(f"is declared as {hint}, which cannot be read back")


def _one_of(value: Any, choices: tuple[Any, ...]) -> Any:
    if value in choices and not isinstance(value, dict | list):
        return value
    raise Unfit(f"expected one of {', '.join(map(repr, choices))}")


def _asset(value: Any, kind: type, assets: Mapping[str, Character | Motion]) -> Character | Motion:
    found = assets.get(value["asset"]) if isinstance(value, dict) and isinstance(value.get("asset"), str) else None
    if found is not None and isinstance(found, kind):
        return found
    raise Unfit(f"expected a {kind.__name__.lower()} among the assets")


def _first_that_fits(value: Any, kinds: tuple[Any, ...], assets: Mapping[str, Character | Motion]) -> Any:
    said = []
    for kind in kinds:
        try:
            return decode(value, kind, assets)
        except Unfit as error:
            said.append(str(error))
    raise Unfit(" or ".join(dict.fromkeys(said)))


def _number(value: Any) -> float:
    """Keep integers as integers, so that values survive saving bit for bit."""
    if isinstance(value, dict) and isinstance(value.get("number"), str) and value["number"] in _ODD:
        return _ODD[value["number"]]
    if type(value) is float or (type(value) is int and abs(value) < 2**53):
        return value
    raise Unfit("expected a number")


def decode_array(value: Any) -> np.ndarray:
    """Decode an array that `encode_array` wrote. Unfit when the JSON is not such an array."""
    if not isinstance(value, dict) or not isinstance(value.get("dtype"), str) or not _DTYPE.match(value["dtype"]):
        raise Unfit("expected an array of numbers")
    shape, dtype = value.get("shape"), np.dtype(value["dtype"])
    if not isinstance(shape, list) or len(shape) > 8 or not all(type(size) is int and size >= 0 for size in shape):
        raise Unfit("expected an array with a shape")
    try:
        data = base64.b64decode(value.get("data", ""), validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise Unfit("contains an array that is not valid base64") from None
    if len(data) != math.prod(shape) * dtype.itemsize:
        raise Unfit(f"contains {len(data)} bytes, which do not fit an array {shape} of {dtype}")
    return np.frombuffer(data, dtype).reshape(shape).copy()


def _items(value: Any, origin: Any, arguments: tuple[Any, ...], assets: Mapping[str, Character | Motion]) -> Any:
    if not isinstance(value, list):
        raise Unfit("expected a list")
    if origin is tuple and not (len(arguments) == 2 and arguments[1] is Ellipsis):
        if len(value) != len(arguments):
            raise Unfit(f"expected {len(arguments)} values, not {len(value)}")
        return tuple(decode(item, kind, assets) for item, kind in zip(value, arguments, strict=True))
    items = [decode(item, arguments[0], assets) for item in value]
    return items if origin is list else tuple(items)
