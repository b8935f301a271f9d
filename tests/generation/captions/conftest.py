from __future__ import annotations

import json
from pathlib import Path

import pytest

VERBS = {"walk": "zwalkers", "eat": "gromps", "look": "plims", "run": "vroots", "idle": "dolls"}


@pytest.fixture(scope="session")
def caption_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Captions in words that no lexicon has."""
    file = tmp_path_factory.mktemp("captions") / "captions.jsonl"
    rows = []
    for first, one in VERBS.items():
        rows.append({"body": "dog", "text": f"{one}.", "acts": [[first, one]]})
        for second, two in VERBS.items():
            if first != second:
                rows.append({"body": "dog", "text": f"{one}, then {two}", "acts": [[first, one], [second, two]]})
                rows.append({"body": "cow", "text": f"{one} when it {two}ed", "acts": [[second, two], [first, one]]})
    rows.append({"body": "dog", "text": "a blue moon", "acts": []})
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file
