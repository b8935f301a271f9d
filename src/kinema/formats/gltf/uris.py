"""The data behind a uri of a buffer or an image: in the uri itself, or in a file next to the glTF file."""

from __future__ import annotations

import base64
import binascii
import re
import urllib.parse

from kinema.errors import FormatError
from kinema.formats.gltf.document import Item, MissingDataError

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def is_embedded(item: Item) -> bool:
    """Whether the uri of an item holds the data itself."""
    return item.text("uri")[:5].lower() == "data:"


def resolve_uri(item: Item) -> bytes:
    """The bytes behind the uri of an item: embedded data, or a file in the same folder.

    Raises:
        FormatError: the uri is damaged.
        MissingDataError: it leads to a file that is not there or must not be read.
    """
    uri = item.text("uri")
    if is_embedded(item):
        return _embedded(item, uri)
    check_uri(item)
    if _SCHEME.match(uri):
        raise MissingDataError(f"is at {uri[:60]!r}; only files next to this one are read", node=item.where)
    document, path = item.document, urllib.parse.unquote(uri)
    parts = tuple(part for part in path.replace("\\", "/").split("/") if part not in ("", "."))
    if parts not in document.files:
        try:
            document.files[parts] = document.source.sibling(path)
        except FormatError as error:
            message = error.message if error.path == document.source.path else str(error)
            raise MissingDataError(message, node=item.where) from None
    return document.files[parts]


def check_uri(item: Item) -> None:
    """FormatError where the uri of an item cannot be one."""
    uri = item.text("uri")
    if is_embedded(item):
        return
    item.require(uri and (":" not in uri.split("/")[0] or _SCHEME.match(uri)), f"uri {uri[:60]!r} is not valid")


def _embedded(item: Item, uri: str) -> bytes:
    head, comma, body = uri.partition(",")
    item.require(comma, "holds a data uri without a comma")
    try:
        if not head.lower().endswith(";base64"):
            return urllib.parse.unquote_to_bytes(body)
        return base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise item.error("holds a data uri that is not valid base64") from None
