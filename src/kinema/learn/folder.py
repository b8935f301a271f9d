"""A trained model on disk: `model.safetensors` (weights and normalisation) and `spec.json` (what they mean)."""

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
from torch import Tensor

import kinema
from kinema.errors import DatabaseError, LearningError, SkeletonError
from kinema.features import FeatureSpec
from kinema.formats.atomic import atomic_write
from kinema.learn.model import Model, Setting, Task, kept_random_state, make_options
from kinema.learn.poses import check_skeletons
from kinema.learn.tasks import find_task
from kinema.mocap.assemble import skeleton_from_json, skeleton_to_json
from kinema.skeleton import Skeleton

WEIGHTS, SPEC = "model.safetensors", "spec.json"
FORMAT, VERSION = "kinema.model", 2


@dataclass(frozen=True, eq=False)
class TrainedModel:
    """A network with what its numbers mean; `load_model` reads one.

    Attributes:
        name: name of its task. network: on the CPU, in evaluation mode.
        document: all of `spec.json`.
    """

    name: str
    task: Task
    options: Any
    setting: Setting
    network: Model
    document: Mapping[str, Any]

    @property
    def skeleton(self) -> Skeleton:
        return self.setting.y_spec.skeleton


def save_model(
    folder: Path, network: Model, name: str, options: Any, setting: Setting, about: Mapping[str, Any]
) -> None:
    """Write weights and spec, each atomically.

    Args:
        about: further entries of the spec: training, data, validation, metrics.

    Raises:
        WriteError: the disk is full or the folder cannot be written to.
    """
    content = encode(network.state_dict())
    document = {
        "format": FORMAT,
        "version": VERSION,
        "task": name,
        "options": asdict(options),
        "parameters": sum(weights.numel() for weights in network.parameters()),
        "hash": hashlib.sha256(content).hexdigest(),
        "fps": setting.fps,
        "x": setting.x_spec.to_dict(),
        "y": setting.y_spec.to_dict(),
        "skeleton": skeleton_to_json(setting.y_spec.skeleton),
        "translated": setting.translated.tolist(),
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


def load_model(
    path: str | os.PathLike[str], *, skeleton: Skeleton | None = None, x_spec: FeatureSpec | None = None
) -> TrainedModel:
    """Read a trained model.

    Args:
        skeleton, x_spec: what it is to be used with, if that is to be checked.

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
        task = find_task(document["task"])
        options = make_options(task, document["options"])
        own = skeleton_from_json(document["skeleton"])
        given, wanted = (FeatureSpec.from_dict(document[side], own) for side in ("x", "y"))
        setting = Setting.bare(given, wanted, float(document["fps"]), np.asarray(document["translated"], np.int32))
        with kept_random_state():
            network = task.Network(setting, options)
    except (KeyError, TypeError, ValueError, SkeletonError, DatabaseError) as error:
        raise LearningError(f"{folder / SPEC}: damaged ({error!r})") from None
    fill(network, decode(content, folder / WEIGHTS), folder / WEIGHTS)
    _check(folder, own, given, skeleton, x_spec)
    return TrainedModel(document["task"], task, options, setting, network.eval(), document)


def _check(
    folder: Path, own: Skeleton, own_spec: FeatureSpec, skeleton: Skeleton | None, x_spec: FeatureSpec | None
) -> None:
    difference = check_skeletons(own, skeleton) if skeleton is not None else None
    if difference is None and x_spec is not None:
        difference = own_spec.difference(x_spec)
    if difference:
        raise LearningError(f"{folder}: the model was made for something else: {difference}")


def fill(network: Model, tensors: Mapping[str, Tensor], where: Path) -> None:
    """Put tensors into a network; LearningError names the first that does not fit."""
    own = network.state_dict()
    for name in [*own, *tensors]:
        if name not in tensors or name not in own or own[name].shape != tensors[name].shape:
            has, needs = (list(group[name].shape) if name in group else "none" for group in (tensors, own))
            raise LearningError(f"{where}: tensor {name!r} is {has}, the network needs {needs}")
    network.load_state_dict(dict(tensors))


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
