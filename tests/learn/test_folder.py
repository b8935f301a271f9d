"""Model folders: what is written is what is read, and what differs is said."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from kinema import Skeleton
from kinema.errors import LearningError
from kinema.features import Feature, FeatureSpec
from kinema.learn.folder import load_model, save_model
from kinema.learn.model import Setting
from kinema.learn.run import Run


@pytest.fixture
def saved(new_run, tmp_path: Path) -> tuple[Path, Run, torch.nn.Module]:
    run = new_run()
    setting = Setting.of(run.dataset, run.database.translated)
    network = run.task.Network(setting, run.options)
    folder = tmp_path / "model"
    folder.mkdir()
    save_model(folder, network, run.name, run.options, setting, {"data": {"licence": "ours"}})
    return folder, run, network


def test_a_model_survives_its_folder(saved):
    folder, run, network = saved
    model = load_model(folder, skeleton=run.database.skeleton, x_spec=run.dataset.x_spec)
    x = torch.from_numpy(run.dataset[:8].x)
    assert torch.equal(model.network(x), network.eval()(x))
    assert model.options == run.options and model.skeleton.names == run.database.skeleton.names
    document = json.loads((folder / "spec.json").read_text())
    assert document["data"] == {"licence": "ours"} and document["versions"]["torch"] == torch.__version__
    assert {path.name for path in folder.iterdir()} == {"model.safetensors", "spec.json"}


def test_the_same_network_is_the_same_bytes(saved, tmp_path):
    folder, run, network = saved
    again = tmp_path / "again"
    again.mkdir()
    setting = Setting.of(run.dataset, run.database.translated)
    save_model(again, network, run.name, run.options, setting, {"data": {"licence": "ours"}})
    for name in ("model.safetensors", "spec.json"):
        assert (again / name).read_bytes() == (folder / name).read_bytes()


def test_weights_that_are_not_those_of_the_spec_are_refused(saved):
    folder, _, _ = saved
    content = bytearray((folder / "model.safetensors").read_bytes())
    content[-1] ^= 1
    (folder / "model.safetensors").write_bytes(content)
    with pytest.raises(LearningError, match=r"has hash .*, spec\.json says .*: the weights are not those it describes"):
        load_model(folder)


def edit(folder: Path, **changes: object) -> None:
    document = json.loads((folder / "spec.json").read_text())
    (folder / "spec.json").write_text(json.dumps({**document, **changes}))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"version": 9}, "not a kinema.model of version 2"),
        ({"task": "gan"}, "no task is named 'gan'"),
        ({"options": {"latent": 7, "hidden": 24, "layers": 1}}, r"is \[6, .*, the network needs \[7, "),
        ({"options": {"size": 3}}, "no option is named 'size'"),
        ({"skeleton": 3}, "damaged"),
        ({"y": {}}, "damaged"),
        ({"fps": "x"}, "damaged"),
    ],
)
def test_specs_that_make_no_sense_are_one_line(saved, changes, said):
    folder, _, _ = saved
    edit(folder, **changes)
    with pytest.raises(LearningError, match=said) as caught:
        load_model(folder)
    assert "\n" not in str(caught.value)


def test_absent_and_damaged_files_are_one_line(saved, tmp_path):
    folder, _, _ = saved
    with pytest.raises(LearningError, match="no trained model there; make one with `kinema train`"):
        load_model(tmp_path / "nowhere")
    (folder / "model.safetensors").unlink()
    with pytest.raises(LearningError, match=r"model\.safetensors: cannot be read"):
        load_model(folder)
    for text in ("{", "[]", "\x00"):
        (folder / "spec.json").write_text(text)
        with pytest.raises(LearningError, match=r"spec\.json: damaged"):
            load_model(folder)


def test_a_pickle_in_place_of_weights_is_refused_before_it_is_read(saved):
    import hashlib
    import pickle

    folder, _, _ = saved
    content = pickle.dumps({"weights": 1})
    (folder / "model.safetensors").write_bytes(content)
    edit(folder, hash=hashlib.sha256(content).hexdigest())
    with pytest.raises(LearningError, match=r"model\.safetensors: damaged"):
        load_model(folder)


def test_what_differs_from_its_use_is_said(saved):
    folder, run, _ = saved
    own = run.database.skeleton
    stretched = own.rest_translations.copy()
    stretched[own.roles.legs[0].lower] *= 1.5
    other = Skeleton.create(own.names, own.parents, stretched, own.rest_rotations)
    with pytest.raises(LearningError, match=r"made for something else: bone .* differs by"):
        load_model(folder, skeleton=other)
    spec = FeatureSpec((Feature("positions", "position"),), own)
    with pytest.raises(LearningError, match="made for something else: extra 'rotations'"):
        load_model(folder, x_spec=spec)
    assert np.isfinite(load_model(folder, skeleton=own).setting.fps)
