"""Opening layers and stages, in the sandbox: what a file names is looked up before anything is composed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kinema.errors import FormatError
from kinema.formats.checks import require
from kinema.formats.usd.openusd import Sdf, Usd

MAX_SPECS = 2_000_000


def dependencies(layer_file: Path) -> list[str]:
    """Asset paths of everything that composing a layer would open: sublayers, references and payloads.

    Raises:
        FormatError: it uses value clips, whose files are only known while they play.
        Tf.ErrorException: the layer cannot be parsed.
    """
    layer = _open(layer_file)
    paths = list(layer.GetCompositionAssetDependencies())
    specs: list[Any] = []
    layer.Traverse(Sdf.Path.absoluteRootPath, specs.append)  # what is raised in there would be lost
    require(len(specs) <= MAX_SPECS, f"has more than {MAX_SPECS} prims and properties")
    for path in specs:
        if path.IsPrimPath() or path.IsPrimVariantSelectionPath():
            spec = layer.GetPrimAtPath(path)
            if spec is not None and spec.HasInfo("clips"):
                raise FormatError(
                    "uses value clips, which are not read; flatten it first (usdcat --flatten)", node=f"<{path}>"
                )
    return [path for path in dict.fromkeys(paths) if path]


def open_stage(layer_file: Path) -> Any:
    """The composed stage of a layer whose dependencies all lie where they should."""
    return Usd.Stage.Open(_open(layer_file), None, Usd.Stage.LoadAll)


def _open(layer_file: Path) -> Any:
    layer = Sdf.Layer.FindOrOpen(str(layer_file))
    if layer is None:
        raise FormatError("is not a USD layer")
    return layer
