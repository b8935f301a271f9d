"""Errors that callers can handle. Each message is one line: what is wrong, where, and what would have worked."""

from __future__ import annotations

from collections.abc import Iterable


def one_line(text: str) -> str:
    """Text with non-printable characters as escapes: `\\n`, `\\x1b`, `\\xff`.

    File names may contain line breaks, control codes of terminals and bytes that are not UTF-8.
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escaped(character) for character in text)


def _escaped(character: str) -> str:
    undecodable = 0xDC80 <= ord(character) <= 0xDCFF  # a byte that is not UTF-8, as Python stores it
    return f"\\x{ord(character) - 0xDC00:02x}" if undecodable else character.encode("unicode_escape").decode("ascii")


def listed(names: Iterable[str], most: int = 5) -> str:
    """The first `most` names and how many more there are, for messages."""
    found = [one_line(name) for name in names]
    return ", ".join(found[:most]) + (f" and {len(found) - most} more" if len(found) > most else "")


def reason(error: Exception, path: str) -> str:
    """Why a file of many failed, in one line; errors in the program count as well.

    Raises:
        KeyboardInterrupt: the error is what compiled code made of one.
    """
    if isinstance(error.__cause__, KeyboardInterrupt):
        raise error.__cause__
    if isinstance(error, KinemaError):
        return str(error)
    if isinstance(error, OSError):
        return one_line(f"{error.filename or path}: {error.strerror or error}")
    problem = "out of memory" if isinstance(error, MemoryError) else f"{type(error).__name__}: {error}"
    return one_line(f"{path}: {problem}")


class KinemaError(Exception):
    """Base class of all errors that Kinema raises on purpose."""

    def __str__(self) -> str:
        return one_line(super().__str__())


class FormatError(KinemaError):
    """A file cannot be read correctly.

    Args:
        message: what is wrong and what would have worked.
        path: the file, as given by the user.
        line: line number in a text file, from 1.
        node: place in a structured file, such as `accessors[3]`.
    """

    def __init__(
        self, message: str, *, path: str | None = None, line: int | None = None, node: str | None = None
    ) -> None:
        self.message, self.path, self.line, self.node = message, path, line, node
        place = ", ".join(
            part for part in (path, f"line {line}" if line is not None else None, node) if part is not None
        )
        super().__init__(f"{place}: {message}" if place else message)

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword arguments do not survive the default pickling, and errors cross process pools.
        return _rebuild_format_error, (self.message, self.path, self.line, self.node)


def _rebuild_format_error(message: str, path: str | None, line: int | None, node: str | None) -> FormatError:
    return FormatError(message, path=path, line=line, node=node)


class SkeletonError(KinemaError):
    """A skeleton is malformed, or lacks a joint or limb that the caller needs."""


class DatabaseError(KinemaError):
    """A motion database cannot be built, opened or used."""


class ControlError(KinemaError):
    """A controller was asked for something it cannot do."""


class LearningError(KinemaError):
    """A model cannot be trained, loaded or used."""


class SceneError(KinemaError):
    """A captured scene cannot be made, changed or used as asked; the message says what would work."""


class WorldError(KinemaError):
    """A world cannot do what was asked: an entity or component does not exist, parents form a cycle, and so on."""


class MissingError(KinemaError):
    """An optional package or system part is missing; the message says what to install."""


class UsageError(KinemaError):
    """Arguments do not fit together, or a value is not allowed. Commands end with exit code 2."""
