from __future__ import annotations

import pytest

from kinema.errors import UsageError
from kinema.instructions.grammar.drafts import ClauseDraft, Reading, measure, once
from kinema.instructions.grammar.words import Words


def test_what_is_said_twice_is_the_same() -> None:
    reading, draft = Reading(Words(["wait"])), ClauseDraft()
    measure(reading, draft, "seconds", 2.0)
    measure(reading, draft, "seconds", 2.0)
    assert draft.amounts == {"seconds": 2.0}
    with pytest.raises(UsageError, match="contradicts"):
        measure(reading, draft, "seconds", 3.0)


def test_laps_are_times() -> None:
    reading, draft = Reading(Words(["run"])), ClauseDraft()
    measure(reading, draft, "laps", 2.0)
    assert draft.amounts == {"times": 2.0}
    assert once(reading, "side", "", "left") == "left"
