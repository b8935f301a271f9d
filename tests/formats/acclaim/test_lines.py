"""Words and where they stand."""

from __future__ import annotations

import pytest

from kinema.errors import FormatError
from kinema.formats.acclaim.lines import lines_of


def test_brackets_commas_and_comments_are_blanks():
    found = list(lines_of(b"# all of it\n\n limits (-1, 2) # degrees\r\nname\ta\n"))
    assert [(line.number, line.words) for line in found] == [(3, ["limits", "-1", "2"]), (4, ["name", "a"])]
    assert found[0].numbers(1, 2) == [-1, 2]
    with pytest.raises(FormatError, match=r"line 3: 'limits' needs 3 numbers"):
        found[0].numbers(1, 3)
    with pytest.raises(FormatError, match="line 4"):
        found[1].numbers(1, 1)
