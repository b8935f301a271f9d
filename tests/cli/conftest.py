"""A busy machine must not make the commands of these tests write lines of progress."""

import pytest

from kinema.cli import progress


@pytest.fixture(autouse=True)
def silent_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LINE_SECONDS", 600.0)
