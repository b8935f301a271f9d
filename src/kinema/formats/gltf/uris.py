"""Where the data of a glTF file lies: in the uri itself, or in a file beside it."""

from __future__ import annotations

import base64
import binascii
import urllib.parse

from kinema.errors import FormatError
from kinema.formats.gltf.document import Document


def resolve_uri(document: Document, uri: str, where: str) -> bytes:
    """The bytes behind a uri: embedded data, or a file in the same folder."""
    if uri[:5].lower() == "data:":
        head, comma, body = uri.partition(",")
        if not comma:
            raise document.error("holds a data uri without a comma", where)
        try:
            if head.lower().endswith(";base64"):
                return base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
            return urllib.parse.unquote_to_bytes(body)
        except (binascii.Error, ValueError):
            raise document.error("holds a data uri that is not valid base64", where) from None
    check_uri(document, uri, where)
    if _scheme(uri):
        raise document.error(f"is at {uri[:60]!r}; only files beside this one are read", where)
    path = urllib.parse.unquote(uri)
    parts = tuple(part for part in path.replace("\\", "/").split("/") if part not in ("", "."))
    if parts not in document.files:
        try:
            document.files[parts] = document.source.sibling(path)
        except FormatError as error:
            raise document.error(error.message if error.path == document.source.path else str(error), where) from None
    return document.files[parts]


def _scheme(uri: str) -> str:
    head, colon, _ = uri.partition(":")
    return head if colon and head[:1].isalpha() and all(c.isalnum() or c in "+-." for c in head) else ""


def check_uri(document: Document, uri: str, where: str) -> None:
    """FormatError for what cannot be a uri."""
    if not uri or (":" in uri.split("/")[0] and not _scheme(uri)):
        raise document.error(f"uri {uri[:60]!r} is not valid", where)
