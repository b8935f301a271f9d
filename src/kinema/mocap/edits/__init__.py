"""Cut, label, correct contacts and choose what is mirrored, beside the motion file and without touching it.

`model` says what edits are, `change` makes new ones, `history` undoes them, `files` keeps them beside the clip,
`cutting` makes motions of them, and `session` is what an editor holds.
"""

from kinema.mocap.edits.assets import edited_asset, edits_of
from kinema.mocap.edits.cutting import apply, mirror_pairs
from kinema.mocap.edits.edited import EditedClip, EditedFile
from kinema.mocap.edits.files import FileEdits, clip_keys, edits_path, read_edits, unique_names, write_edits
from kinema.mocap.edits.history import History
from kinema.mocap.edits.model import Contacts, EditError, Edits, Label, Piece

__all__ = [
    "Contacts",
    "EditError",
    "EditedClip",
    "EditedFile",
    "Edits",
    "FileEdits",
    "History",
    "Label",
    "Piece",
    "apply",
    "clip_keys",
    "edited_asset",
    "edits_of",
    "edits_path",
    "mirror_pairs",
    "read_edits",
    "unique_names",
    "write_edits",
]
