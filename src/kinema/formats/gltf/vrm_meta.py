"""Title, authors and terms of VRM files."""

from __future__ import annotations

from typing import Any

from kinema.avatar import Meta
from kinema.formats.checks import strings
from kinema.formats.gltf.document import Item

LICENCE = "https://vrm.dev/licenses/1.0/"
"""The licence of VRM 1.0 files that state no other; its terms are strict unless a file loosens them."""

TERMS = (
    "copyrightInformation", "thirdPartyLicenses", "avatarPermission", "allowExcessivelyViolentUsage",
    "allowExcessivelySexualUsage", "commercialUsage", "allowPoliticalOrReligiousUsage", "allowAntisocialOrHateUsage",
    "creditNotation", "allowRedistribution", "modification", "otherLicenseUrl",
)  # fmt: skip
"""Every other statement of a VRM 1.0 file."""

_OLD_LICENCE = "vrm0.licenseName"  # VRM 1.0 requires an address, VRM 0 has a word
_KNOWN = {
    "name", "title", "version", "author", "authors", "contactInformation", "reference", "references", "licenseUrl",
    "licenseName", "texture", "thumbnailImage",
}  # fmt: skip


def read_meta(owner: Item, thumbnail: int | None) -> Meta:
    """The meta of VRMC_vrm."""
    item = owner.object("meta")
    title, licence, authors = _text(item, "name"), _text(item, "licenseUrl"), tuple(strings(item.get("authors")))
    for key, value in (("name", title), ("authors", authors), ("licenseUrl", licence)):
        if not value:
            item.warn(f"does not state {key}, which VRM requires")
    terms = _terms(item.values) | {k: v for k, v in item.notes.items() if isinstance(v, str | bool)}
    licence = str(terms.pop(_OLD_LICENCE, licence))
    version, contact = _text(item, "version"), _text(item, "contactInformation")
    return Meta(title, authors, version, licence, contact, tuple(strings(item.get("references"))), thumbnail, terms)


def read_old_meta(owner: Item, thumbnail: int | None) -> Meta:
    """The meta of VRM 0."""
    item = owner.object("meta")
    terms = {f"vrm0.{key}": value for key, value in _terms(item.values).items()}
    title, author, version, licence, contact, reference = (
        _text(item, key) for key in ("title", "author", "version", "licenseName", "contactInformation", "reference")
    )
    authors, references = (author,) if author else (), (reference,) if reference else ()
    return Meta(title, authors, version, licence, contact, references, thumbnail, terms)


def thumbnail_image(owner: Item) -> int | None:
    """Index of the image that shows a VRM 1.0 avatar."""
    item = owner.object("meta")
    return None if item.get("thumbnailImage") in (None, -1) else item.index("thumbnailImage", "images")


def old_thumbnail_image(owner: Item) -> int | None:
    """Index of the image that shows a VRM 0 avatar."""
    item = owner.object("meta")
    texture = None if item.get("texture") in (None, -1) else item.index("texture", "textures")
    return None if texture is None else owner.document.all("textures")[texture].index("source", "images")


def written(meta: Meta | None, name: str) -> dict[str, Any]:
    """The meta of VRMC_vrm, with all that it requires. Textures of a character are written as images in their order."""
    given = meta or Meta(name)
    terms, licence = dict(given.terms), given.licence or LICENCE
    if not licence.startswith("http"):
        terms[_OLD_LICENCE], licence = licence, LICENCE
    optional = {
        "version": given.version,
        "contactInformation": given.contact,
        "references": list(given.references),
        "thumbnailImage": given.thumbnail,
    }
    stated = {key: terms.pop(key) for key in TERMS if key in terms}
    return {
        "name": given.title or name,
        "authors": list(given.authors) or ["unknown"],
        "licenseUrl": licence,
        **{key: value for key, value in optional.items() if value not in ("", [], None)},
        **stated,
        **({"extras": {"kinema": terms}} if terms else {}),
    }


def _terms(values: dict[str, Any]) -> dict[str, str | bool]:
    return {key: value for key, value in values.items() if key not in _KNOWN and isinstance(value, str | bool)}


def _text(item: Item, key: str) -> str:
    value = item.get(key)
    return value if isinstance(value, str) else ""
