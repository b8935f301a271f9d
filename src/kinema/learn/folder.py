"""A trained model on disk: `model.safetensors` (weights, normalisation) and `spec.json` (what they mean)."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor, nn

import kinema
from kinema.errors import DatabaseError, LearningError, SkeletonError
from kinema.features import FeatureSpec
from kinema.formats.atomic import atomic_write
from kinema.learn.model import Model, kept_random_state, own_state, used_state
from kinema.learn.options import make_options
from kinema.learn.setting import Setting
from kinema.learn.task import Task
from kinema.learn.tasks import TASKS, find_task
from kinema.skeleton import Skeleton

WEIGHTS, SPEC = "model.safetensors", "spec.json"
FORMAT, VERSION = "kinema.model", 3


@dataclass(frozen=True, eq=False)
class TrainedModel:
    """A model with its task; `load_model` reads one.

    Attributes:
        model: on the CPU, in evaluation mode.
        document: all of `spec.json`.
        nbytes, parameters: of what is needed to use it, as it is stored; encoders that only training needs are left
            out.
        whole: whether what only training needs is there, too.
    """

    task: Task
    model: Model
    document: Mapping[str, Any]
    nbytes: int
    parameters: int
    whole: bool

    @property
    def setting(self) -> Setting:
        """What the numbers of the model mean."""
        return self.model.setting


def save_model(folder: Path, name: str, task: Task, model: Model, about: Mapping[str, Any]) -> None:
    """Write weights and spec, each atomically. Frozen modules are left out.

    Args:
        name: name of the task.
        about: further entries of the spec: training, data, validation, metrics.

    Raises:
        WriteError: the disk is full or the folder cannot be written to.
    """
    own = own_state(model)
    content = encode(own)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "task": name,
        "options": asdict(task.options),
        "parameters": sum(weights.numel() for each, weights in model.named_parameters() if each in own),
        "hash": hashlib.sha256(content).hexdigest(),
        "setting": model.setting.to_dict(),
        "versions": {
            "kinema": kinema.__version__,
            "torch": torch.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
        },
        **about,
    }
    atomic_write(folder / WEIGHTS, content)
    write_json(folder / SPEC, document)


def pack_model(source: Path, out: Path, about: Mapping[str, Any]) -> None:
    """Copy a trained model in half precision and without what only training needs: for weights that are handed on.

    Args:
        about: entries that replace those of the spec, such as credits, or a command without the paths of a machine.

    Raises:
        LearningError: there is no model, or a weight is too large for half precision.
        WriteError: the disk is full or the folder cannot be written to.
    """
    trained = load_model(source)
    packed = {
        name: tensor.half() if tensor.is_floating_point() else tensor
        for name, tensor in used_state(trained.model).items()
    }
    for name, tensor in packed.items():
        if not bool(torch.isfinite(tensor).all()):
            raise LearningError(f"{source / WEIGHTS}: tensor {name!r} is too large for half precision")
    content = encode(packed)
    sizes = {"hash": hashlib.sha256(content).hexdigest(), "parameters": trained.parameters}
    document = {**trained.document, **sizes, **about}
    atomic_write(out / WEIGHTS, content)
    write_json(out / SPEC, document)


def load_model(
    path: str | os.PathLike[str],
    *,
    task: type[Task] | None = None,
    skeleton: Skeleton | None = None,
    specs: Mapping[str, FeatureSpec] | None = None,
) -> TrainedModel:
    """Read a trained model.

    Args:
        task: class of its task; needed only for tasks that are not Kinema's, since files never name code to load.
        skeleton, specs: what it is to be used with, if that is to be checked; specs by their names in the setting.

    Raises:
        LearningError: it is not there, damaged, of another version, or made for something else; says what differs.
    """
    folder = Path(path)
    document = read_json(folder / SPEC, "no trained model there; make one with `kinema train`")
    if (document.get("format"), document.get("version")) != (FORMAT, VERSION):
        raise LearningError(f"{folder / SPEC}: not a {FORMAT} of version {VERSION}")
    try:
        content = (folder / WEIGHTS).read_bytes()
    except OSError as error:
        raise LearningError(f"{folder / WEIGHTS}: cannot be read, {error.strerror}") from None
    found = hashlib.sha256(content).hexdigest()
    if found != document.get("hash"):
        raise LearningError(
            f"{folder / WEIGHTS}: has hash {found[:12]}, {SPEC} says {str(document.get('hash'))[:12]}: the weights are "
            "not those it describes"
        )
    try:
        kind = task or _listed_task(document["task"])
        made = kind(make_options(kind.Options, document["options"]))
        setting = Setting.from_dict(document["setting"])
        with kept_random_state():
            model = made.model(setting)
    except (KeyError, TypeError, ValueError, SkeletonError, DatabaseError) as error:
        raise LearningError(f"{folder / SPEC}: damaged ({error!r})") from None
    tensors = model.upgraded(decode(content, folder / WEIGHTS))
    fill(model, tensors, folder / WEIGHTS)
    difference = setting.difference(skeleton, specs or {})
    if difference:
        raise LearningError(f"{folder}: the model was made for something else: {difference}")
    used = used_state(model)
    nbytes = sum(tensors[name].nbytes for name in used)
    parameters = sum(weights.numel() for name, weights in model.named_parameters() if name in used)
    whole = all(name in tensors for name in own_state(model))
    return TrainedModel(made, model.eval(), document, nbytes, parameters, whole)


def _listed_task(name: Any) -> type[Task]:
    if name not in TASKS:
        raise LearningError(
            f"no task is named {name!r}; the tasks are: {', '.join(TASKS)}; for one of your own, pass its class: task="
        )
    return find_task(name)


def fill(model: nn.Module, tensors: Mapping[str, Tensor], where: Path) -> None:
    """Put tensors into a model; LearningError names the first that does not fit or is not finite.

    Tensors that only training needs may all be missing.
    """
    own, used = own_state(model), used_state(model)
    if not any(name in tensors for name in own if name not in used):
        own = used
    for name in [*own, *tensors]:
        if name not in tensors or name not in own or own[name].shape != tensors[name].shape:
            has, needs = (list(group[name].shape) if name in group else "none" for group in (tensors, own))
            raise LearningError(f"{where}: tensor {name!r} is {has}, the model needs {needs}")
        bad = int((~torch.isfinite(tensors[name])).sum())
        if bad:
            raise LearningError(
                f"{where}: tensor {name!r} has {bad} of {tensors[name].numel()} values that are not finite"
            )
    model.load_state_dict({**model.state_dict(), **tensors})


def encode(tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None = None) -> bytes:
    """Tensors as a safetensors file."""
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    return save_tensors(plain, None if metadata is None else dict(metadata))


def decode(content: bytes, where: Path) -> dict[str, Tensor]:
    """The inverse of `encode`; LearningError when it is not a safetensors file."""
    try:
        return load_tensors(content)
    except (SafetensorError, ValueError, KeyError) as error:
        raise LearningError(f"{where}: damaged ({error})") from None


def write_json(path: Path, document: Mapping[str, Any]) -> None:
    """Write plain values; NaN has no place in them."""
    atomic_write(path, (json.dumps(document, indent=1, allow_nan=False) + "\n").encode())


def read_json(path: Path, absent: str) -> dict[str, Any]:
    """A JSON object; LearningError saying `absent` when there is no file, or that it is damaged."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise LearningError(f"{path.parent}: {absent}") from None
    except ValueError:
        raise LearningError(f"{path}: damaged") from None
    if not isinstance(document, dict):
        raise LearningError(f"{path}: damaged")
    return document
