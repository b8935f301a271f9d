"""Title, authors and terms of VRM files."""

from __future__ import annotations

from typing import Any

from kinema.avatar import Meta
from kinema.formats.gltf.document import Document

LICENCE = "https://vrm.dev/licenses/1.0/"
"""The licence that VRM 1.0 files without another one stand under; its terms are strict unless a file loosens them."""

TERMS = (
    "copyrightInformation", "thirdPartyLicenses", "avatarPermission", "allowExcessivelyViolentUsage",
    "allowExcessivelySexualUsage", "commercialUsage", "allowPoliticalOrReligiousUsage", "allowAntisocialOrHateUsage",
    "creditNotation", "allowRedistribution", "modification", "otherLicenseUrl",
)  # fmt: skip
"""Every other statement of a VRM 1.0 file."""

_OLD_LICENCE = "vrm0.licenseName"  # VRM 1.0 wants an address, VRM 0 has a word
_KNOWN = {
    "name",
    "title",
    "version",
    "author",
    "authors",
    "contactInformation",
    "reference",
    "references",
    "licenseUrl",
    "licenseName",
    "texture",
    "thumbnailImage",
}


def read_meta(document: Document, owner: dict[str, Any], where: str, thumbnail: int | None) -> Meta:
    """The meta of VRMC_vrm."""
    item, place = document.object(owner, "meta", where), f"{where}.meta"
    title, licence = _said(item, "name"), _said(item, "licenseUrl")
    authors = _listed(item, "authors")
    for key, value in (("name", title), ("authors", authors), ("licenseUrl", licence)):
        if not value:
            document.warn(f"{place} does not state {key}, which VRM requires")
    terms = {key: value for key, value in item.items() if key not in _KNOWN and isinstance(value, str | bool)}
    extras = item.get("extras")
    noted = extras.get("kinema") if isinstance(extras, dict) else None
    if isinstance(noted, dict):
        terms |= {key: value for key, value in noted.items() if isinstance(value, str | bool)}
        licence = str(terms.pop(_OLD_LICENCE, licence))
    return Meta(
        title,
        authors,
        _said(item, "version"),
        licence,
        _said(item, "contactInformation"),
        _listed(item, "references"),
        thumbnail,
        terms,
    )


def read_old_meta(document: Document, owner: dict[str, Any], where: str, thumbnail: int | None) -> Meta:
    """The meta of VRM 0."""
    item = document.object(owner, "meta", where)
    terms = {f"vrm0.{key}": value for key, value in item.items() if key not in _KNOWN and isinstance(value, str | bool)}
    author, reference = _said(item, "author"), _said(item, "reference")
    return Meta(
        _said(item, "title"),
        (author,) if author else (),
        _said(item, "version"),
        _said(item, "licenseName"),
        _said(item, "contactInformation"),
        (reference,) if reference else (),
        thumbnail,
        terms,
    )


def thumbnail_image(document: Document, owner: dict[str, Any], where: str, old: bool) -> int | None:
    """Index of the image that shows the avatar."""
    item, place = document.object(owner, "meta", where), f"{where}.meta"
    key = "texture" if old else "thumbnailImage"
    if item.get(key) in (None, -1):
        return None
    if not old:
        return document.index(item, key, "images", place)
    texture = document.index(item, key, "textures", place)
    return (
        None
        if texture is None
        else document.index(document.all("textures")[texture], "source", "images", f"textures[{texture}]")
    )


def written(meta: Meta | None, name: str) -> dict[str, Any]:
    """The meta of VRMC_vrm, with all that it requires. Textures of a character are written as images in their order."""
    given = meta or Meta(name)
    terms = dict(given.terms)
    result: dict[str, Any] = {
        "name": given.title or name,
        "authors": list(given.authors) or ["unknown"],
        "licenseUrl": given.licence if given.licence.startswith("http") else LICENCE,
    }
    if given.licence and not given.licence.startswith("http"):
        terms[_OLD_LICENCE] = given.licence
    if given.version:
        result["version"] = given.version
    if given.contact:
        result["contactInformation"] = given.contact
    if given.references:
        result["references"] = list(given.references)
    if given.thumbnail is not None:
        result["thumbnailImage"] = given.thumbnail
    result.update({key: terms.pop(key) for key in TERMS if key in terms})
    if terms:
        result["extras"] = {"kinema": terms}
    return result


def _said(item: dict[str, Any], key: str) -> str:
    value = item.get(key)
    return value if isinstance(value, str) else ""


def _listed(item: dict[str, Any], key: str) -> tuple[str, ...]:
    values = item.get(key)
    return tuple(value for value in values if isinstance(value, str)) if isinstance(values, list) else ()
