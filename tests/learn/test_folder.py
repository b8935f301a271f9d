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
from kinema.learn.folder import load_model, pack_model, save_model
from kinema.learn.run import Run


@pytest.fixture
def saved(new_run, tmp_path: Path) -> tuple[Path, Run, torch.nn.Module]:
    run = new_run()
    network = run.task.model(run.data.setting)
    folder = tmp_path / "model"
    folder.mkdir()
    save_model(folder, run.name, run.task, network, {"data": {"licence": "ours"}})
    return folder, run, network


def test_a_model_survives_its_folder(saved):
    folder, run, network = saved
    model = load_model(folder, skeleton=run.source.skeleton, specs={"x": run.data.dataset.x_spec})
    x = torch.from_numpy(run.data.dataset[:8].x)
    assert torch.equal(model.model(x), network.eval()(x))
    assert model.task.options == run.task.options and model.setting.skeleton.names == run.source.skeleton.names
    document = json.loads((folder / "spec.json").read_text())
    assert document["data"] == {"licence": "ours"} and document["versions"]["torch"] == torch.__version__
    assert {path.name for path in folder.iterdir()} == {"model.safetensors", "spec.json"}


def test_the_same_network_is_the_same_bytes(saved, tmp_path):
    folder, run, network = saved
    again = tmp_path / "again"
    again.mkdir()
    save_model(again, run.name, run.task, network, {"data": {"licence": "ours"}})
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
        ({"version": 9}, "not a kinema.model of version 3"),
        ({"task": "gan"}, "no task is named 'gan'"),
        ({"options": {"latent": 7, "hidden": 24, "layers": 1}}, r"is \[6, .*, the model needs \[7, "),
        ({"options": {"size": 3}}, "no option is named 'size'"),
        ({"setting": {"skeleton": 3}}, "damaged"),
        ({"setting": {}}, "damaged"),
        ({"setting": 3}, "damaged"),
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
    own = run.source.skeleton
    stretched = own.rest_translations.copy()
    stretched[own.roles.legs[0].lower] *= 1.5
    other = Skeleton.create(own.names, own.parents, stretched, own.rest_rotations)
    with pytest.raises(LearningError, match=r"made for something else: bone .* differs by"):
        load_model(folder, skeleton=other)
    spec = FeatureSpec((Feature("positions", "position"),), own)
    with pytest.raises(LearningError, match="made for something else: features 'x': extra 'rotations'"):
        load_model(folder, specs={"x": spec})
    assert np.isfinite(load_model(folder, skeleton=own).setting.fps)


def test_a_model_of_another_joint_order_is_refused(saved):
    folder, run, _ = saved
    own = run.source.skeleton
    left, right = (own.names.index(own.names[limb.upper]) for limb in own.roles.legs)
    names = list(own.names)
    names[left], names[right] = names[right], names[left]
    other = Skeleton.create(tuple(names), own.parents, own.rest_translations, own.rest_rotations)
    at, there = min(left, right), max(left, right)
    said = f"the order of joints differs: joint {at} is '{own.names[at]}' in the model, '{own.names[there]}' here"
    with pytest.raises(LearningError, match=said):
        load_model(folder, skeleton=other)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_refused_with_their_name(saved, value):
    folder, run, network = saved
    with torch.no_grad():
        network.encoder.straight.weight[2, 3:5] = value
    save_model(folder, run.name, run.task, network, {})
    said = r"tensor 'encoder\.straight\.weight' has 2 of \d+ values that are not finite"
    with pytest.raises(LearningError, match=said):
        load_model(folder)


def test_a_spec_of_other_features_than_its_weights_is_refused(saved):
    folder, run, _ = saved
    document = json.loads((folder / "spec.json").read_text())
    short = FeatureSpec((Feature("positions", "position"), Feature("rotations", "rotation6d")), run.source.skeleton)
    edit(folder, setting={**document["setting"], "specs": {"x": short.to_dict(), "y": short.to_dict()}})
    with pytest.raises(LearningError, match=r"tensor '.*' is \[\d+.*\], the model needs \["):
        load_model(folder)
    with pytest.raises(LearningError, match="features 'z': it has no such features"):
        edit(folder, setting=document["setting"])
        load_model(folder, specs={"z": short})


def test_files_never_name_code_to_load(saved, tmp_path):
    folder, run, network = saved
    (tmp_path / "mine.py").write_text("raise RuntimeError('was run')")
    edit(folder, task=f"{tmp_path}/mine.py:Task")
    with pytest.raises(LearningError, match="for one of your own, pass its class: task="):
        load_model(folder)
    model = load_model(folder, task=type(run.task)).model
    x = torch.from_numpy(run.data.dataset[:2].x)
    assert torch.equal(model(x), network.eval()(x))


def test_packed_weights_take_half_the_room_and_say_the_same(saved, tmp_path):
    folder, run, network = saved
    out = tmp_path / "packed"
    out.mkdir()
    pack_model(folder, out, {"command": "a script", "card": {"licence": "CC0-1.0"}})
    sizes = [(each / "model.safetensors").stat().st_size for each in (folder, out)]
    assert 0.5 < sizes[1] / sizes[0] < 0.6
    packed = load_model(out)
    assert packed.document["command"] == "a script" and packed.document["card"] == {"licence": "CC0-1.0"}
    x = torch.from_numpy(run.data.dataset[:8].x)
    torch.testing.assert_close(packed.model(x), network.eval()(x), atol=5e-3, rtol=5e-3)


def test_weights_too_large_for_half_precision_are_not_packed(saved, tmp_path):
    folder, run, network = saved
    with torch.no_grad():
        network.encoder.straight.weight[0, 0] = 1e6
    save_model(folder, run.name, run.task, network, {})
    with pytest.raises(LearningError, match=r"'encoder\.straight\.weight' is too large for half precision"):
        pack_model(folder, tmp_path, {})
