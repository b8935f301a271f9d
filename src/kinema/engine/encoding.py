"""Components as JSON and back: numbers bit for bit, arrays as bytes, characters and motions by reference to a file."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import math
import re
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from kinema.character import Character
from kinema.errors import KinemaError, WorldError
from kinema.motion import Motion

_DTYPE = re.compile(r"([<>]?[iuf][248]|[|]?[biu]1)\Z")
_ODD = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class Unfit(Exception):
    """What a file holds is not what the component wants; says what it wants. Never leaves this package's reader."""


def encode(value: Any, asset: Callable[[Character | Motion], str]) -> Any:
    """JSON of a value.

    Args:
        asset: keeps a character or motion in a file and returns the name of that.

    Raises:
        WorldError: the value is of a kind that has no JSON here.
    """
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
        given = [field.name for field in dataclasses.fields(value) if field.init]  # the others follow from these
        return {name: encode(getattr(value, name), asset) for name in given}
    raise WorldError(f"a {type(value).__name__} cannot be saved; numbers, text, arrays, lists and dataclasses can")


def encode_array(array: np.ndarray) -> dict[str, Any]:
    """JSON of an array of numbers; WorldError for one of something else."""
    if not _DTYPE.match(array.dtype.str):
        raise WorldError(f"an array of {array.dtype} cannot be saved, only numbers")
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
    return {"dtype": array.dtype.str, "shape": list(array.shape), "data": data}


def hints(kind: type) -> dict[str, Any]:
    """Types of the fields of a dataclass. WorldError when they are named but not to be found."""
    try:
        found = typing.get_type_hints(kind)
    except (NameError, TypeError) as error:
        raise WorldError(f"the types of the fields of {kind.__name__} cannot be found: {error}") from None
    return {field.name: found[field.name] for field in dataclasses.fields(kind) if field.init}


def build(kind: type, value: Any, assets: Mapping[str, Character | Motion]) -> Any:
    """A dataclass out of what `encode` made of one; fields that are missing take their defaults.

    Raises:
        Unfit: it was something else.
    """
    if not isinstance(value, dict):
        raise Unfit("expected an object of fields")
    fields = hints(kind)
    for name in value:
        if name not in fields:
            raise Unfit(f"has a field {name[:40]!r} that {kind.__name__} does not have (it has {', '.join(fields)})")
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
    """A value of the type that a hint names.

    Raises:
        Unfit: the JSON is not of that type.
    """
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        raise Unfit("is of no declared type and cannot be read back")
    if origin is typing.Union or origin is types.UnionType:
        return _first_that_fits(value, arguments, assets)
    if origin is typing.Literal:
        if value in arguments and not isinstance(value, dict | list):
            return value
        raise Unfit(f"expected one of {', '.join(map(repr, arguments))}")
    if hint is None or hint is type(None):
        if value is None:
            return None
        raise Unfit("expected nothing")
    if hint is float:
        return _number(value)
    if hint in (bool, int, str):
        if type(value) is hint:
            return value
        raise Unfit(f"expected {hint.__name__}")
    if hint is np.ndarray or origin is np.ndarray:
        return decode_array(value)
    if hint in (Character, Motion):
        found = assets.get(value["asset"]) if isinstance(value, dict) and isinstance(value.get("asset"), str) else None
        if isinstance(found, hint):
            return found
        raise Unfit(f"expected a {hint.__name__.lower()} among the assets")
    if origin is dict or origin is Mapping or getattr(origin, "__name__", "") == "Mapping":
        if not isinstance(value, dict) or not isinstance(value.get("map"), dict):
            raise Unfit("expected a map")
        return {key: decode(item, arguments[1], assets) for key, item in value["map"].items()}
    if origin is tuple or origin is list or getattr(origin, "__name__", "") == "Sequence":
        return _items(value, origin, arguments, assets)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return build(hint, value, assets)
    raise Unfit(f"is declared as {hint}, which cannot be read back")


def _first_that_fits(value: Any, kinds: tuple[Any, ...], assets: Mapping[str, Character | Motion]) -> Any:
    said = []
    for kind in kinds:
        try:
            return decode(value, kind, assets)
        except Unfit as error:
            said.append(str(error))
    raise Unfit(" or ".join(dict.fromkeys(said)))


def _number(value: Any) -> float:
    """A whole number stays one: what was saved is what is read, bit for bit."""
    if isinstance(value, dict) and isinstance(value.get("number"), str) and value["number"] in _ODD:
        return _ODD[value["number"]]
    if type(value) is float or (type(value) is int and abs(value) < 2**53):
        return value
    raise Unfit("expected a number")


def decode_array(value: Any) -> np.ndarray:
    """The array that `encode_array` wrote. Unfit when it is none."""
    if not isinstance(value, dict) or not isinstance(value.get("dtype"), str) or not _DTYPE.match(value["dtype"]):
        raise Unfit("expected an array of numbers")
    shape, dtype = value.get("shape"), np.dtype(value["dtype"])
    if not isinstance(shape, list) or len(shape) > 8 or not all(type(size) is int and size >= 0 for size in shape):
        raise Unfit("expected an array with a shape")
    try:
        data = base64.b64decode(value.get("data", ""), validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise Unfit("holds an array whose bytes are no base64") from None
    if len(data) != math.prod(shape) * dtype.itemsize:
        raise Unfit(f"holds {len(data)} bytes, which is no array {shape} of {dtype}")
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
