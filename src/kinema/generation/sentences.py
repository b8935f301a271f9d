"""The encoder of sentences that a model of any skeleton was trained with, if it was trained with one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from kinema.errors import LearningError
from kinema.learn.sentences import SentenceEncoder
from kinema.learn.setting import Setting

FOLDER = "KINEMA_SENTENCES"
"""Environment variable: the folder of the encoder, where it is no longer where it was."""


def described(encoder: SentenceEncoder | None) -> dict[str, Any]:
    """What a setting says of an encoder: nothing without one."""
    if encoder is None:
        return {}
    return {"sentences": encoder.folder, "sentence_width": encoder.width, "sentence_hash": encoder.hash}


def sentence_encoder(setting: Setting) -> SentenceEncoder | None:
    """The encoder of a setting; None if there is none.

    Raises:
        LearningError: it is not there, or another one.
        MissingError: a package that it needs is not installed.
    """
    if not setting.more.get("sentence_width"):
        return None
    folder = os.environ.get(FOLDER) or str(setting.more["sentences"])
    if not Path(folder).is_dir():
        raise LearningError(
            f"the model reads texts with the sentence encoder in {folder}, which is not there; put it back, or say "
            f"where it is: {FOLDER}=FOLDER"
        )
    found = SentenceEncoder.load(folder)
    if found.hash != setting.more["sentence_hash"]:
        raise LearningError(
            f"{folder}: another sentence encoder than the one that the model was trained with (hash {found.hash[:12]}, "
            f"not {str(setting.more['sentence_hash'])[:12]})"
        )
    return found
