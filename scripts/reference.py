"""The reference on the site: links between its entries, and the table of what `kinema` itself holds.

Docstrings are written in Markdown, with plain backticks around code. mkdocstrings loads this extension of Griffe, which
looks up each such name as Python would where the docstring stands. So `Pose`, `step` and `kinema.motion.Motion` lead to
their entries, while arguments, values and names of other libraries stay code. On the pages of the site, the hook at the
end does the same for names that begin with `kinema.`, and fills in the table.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import griffe

import kinema

NAME = re.compile(r"(?<!`)`([A-Za-z_][\w.]*)(\(\))?`(?!`)")
ABSOLUTE = re.compile(r"(?<![`\[])`(kinema\.[\w.]+)`(?![`\]])")
ENTRY = re.compile(r"( +)(\w+(?:, \w+)*): ")
SECOND = re.compile(r"(?<=[.;]) (\w+(?:, \w+)*): ")
GROUPED = re.compile(r"^( +)(\w+(?:, \w+)+):( .*(?:\n\1 +.*)*)", re.MULTILINE)
TABLE = "<!-- names of kinema -->"
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


class DocstringLinks(griffe.Extension):
    def on_package(self, *, pkg: griffe.Module, loader: griffe.GriffeLoader, **_: Any) -> None:
        link_docstrings(pkg)


def link_docstrings(thing: griffe.Object) -> None:
    """Rewrite the docstrings of an object and of all that it holds."""
    if thing.docstring is not None:
        text = GROUPED.sub(one_argument_each, one_line_each(thing.docstring.value, documented(thing)))
        thing.docstring.value = NAME.sub(lambda match: linked(match, thing), text)
    for member in thing.members.values():
        if not member.is_alias:
            link_docstrings(member)  # type: ignore[arg-type]


def documented(thing: griffe.Object) -> set[str]:
    """Names that the sections of a docstring may list: arguments of a function, attributes of a class."""
    own = {one.name for one in thing.parameters} if thing.is_function else set()
    return own | (set(thing.members) if thing.is_class else set())


def one_line_each(text: str, names: set[str]) -> str:
    """Entries that share a line, `a: text. b: text.`, on a line each."""
    lines, indent = [], ""
    for line in text.splitlines():
        entry = ENTRY.match(line)
        if entry and set(entry[2].split(", ")) <= names:
            indent = entry[1]
        elif not line.startswith(indent + " "):
            indent = ""
        for second in SECOND.findall(line) if indent else ():
            if set(second.split(", ")) <= names:
                line = line.replace(f" {second}: ", f"\n{indent}{second}: ")
        lines.append(line)
    return "\n".join(lines)


def one_argument_each(match: re.Match[str]) -> str:
    """`a, b: text` of an `Args` section as one entry for each argument, as the parser wants it."""
    return "\n".join(f"{match[1]}{name}:{match[3]}" for name in match[2].split(", "))


def linked(match: re.Match[str], scope: griffe.Object) -> str:
    path = resolved(match[1], scope)
    return match[0] if path is None else reference(path, match[0])


def reference(path: str, text: str) -> str:
    """A link to the entry of `path` where the reference has one, else the text alone."""
    return f'<autoref identifier="{path}" optional>{text}</autoref>'


def resolved(name: str, scope: griffe.Object) -> str | None:
    """Full path of `name`, seen from the docstring of `scope`; None for arguments and for names of other libraries."""
    first, *rest = name.split(".")
    if name == scope.name or (scope.is_function and first in {one.name for one in scope.parameters}):
        return None
    if first == "kinema":
        return name
    try:
        path = ".".join([scope.resolve(first), *rest])
    except griffe.NameResolutionError:
        return None
    return path if path.startswith("kinema.") else None


def entry(name: str) -> str:
    """Full path under which the reference lists a name of `kinema`."""
    thing = getattr(kinema, name)
    return f"{thing.__module__}.{thing.__qualname__}" if callable(thing) else f"kinema.{name}"


def names_of_kinema() -> str:
    """A table of the public classes and functions of `kinema`, with the first line of each docstring."""
    rows = ["| name | what it is |", "|---|---|"]
    for name in sorted(kinema.__all__, key=str.lower):
        thing = getattr(kinema, name)
        if callable(thing):
            summary = (inspect.getdoc(thing) or "").partition("\n")[0].replace("|", "\\|")
            rows.append(f"| {reference(entry(name), f'`{name}`')} | {summary} |")
    return "\n".join(rows)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Hook of MkDocs: full names of Kinema on a page become links."""
    parts = FENCED.split(markdown)
    parts[::2] = [ABSOLUTE.sub(lambda match: reference(match[1], match[0]), part) for part in parts[::2]]
    text = "".join(parts)
    return text.replace(TABLE, names_of_kinema()) if TABLE in text else text
