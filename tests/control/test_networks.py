"""Folders of trained networks: the task says which family drives, and what does not fit is refused."""

from __future__ import annotations

import numpy as np
import pytest
from safetensors.torch import load_file, save_file

import kinema
from kinema import Skeleton
from kinema.control.learned import Learned
from kinema.control.learned_matching import LearnedMatching
from kinema.control.networks import driving_tasks, load_family
from kinema.errors import LearningError
from kinema.learn.folder import pack_model


@pytest.mark.parametrize(
    ("task", "kind"),
    [pytest.param("perceptron", Learned, marks=pytest.mark.slow), ("learned-matching", LearnedMatching)],
)
def test_the_task_of_a_folder_says_which_family_drives(network, database, task, kind):
    family = load_family(network(task), database.skeleton)
    assert type(family) is kind
    assert family.clearance == pytest.approx(database.clearance)
    np.testing.assert_array_equal(family.contact_joints, database.contact_joints)
    np.testing.assert_array_equal(family.translated, database.translated)


@pytest.mark.parametrize("task", ["perceptron", "learned-matching", pytest.param("codebook", marks=pytest.mark.slow)])
def test_what_a_network_takes_leaves_out_what_only_training_needs(network, tmp_path, task):
    weights = load_file(network(task) / "model.safetensors")
    taught_by = {"codebook": "net.encoder.", "learned-matching": "compressor."}.get(task, "none")
    used = {name: tensor for name, tensor in weights.items() if not name.startswith(taught_by)}
    cost = load_family(network(task)).cost
    assert cost.megabytes is not None
    assert cost.megabytes == sum(tensor.nbytes for tensor in used.values()) / 1e6 > 0
    assert cost.parameters_m is not None and cost.training_cpu_min is not None
    assert 0 < cost.parameters_m < cost.megabytes / 4  # single precision; scalings are not learned
    assert cost.training_cpu_min > 0
    (tmp_path / "packed").mkdir()
    pack_model(network(task), tmp_path / "packed", {})
    assert set(load_file(tmp_path / "packed" / "model.safetensors")) == set(used)
    packed = load_family(tmp_path / "packed").cost
    assert packed.megabytes == pytest.approx(cost.megabytes / 2) and packed.parameters_m == cost.parameters_m


def test_models_that_drive_nobody_are_refused(database, tmp_path):
    kinema.train("autoencoder", database, tmp_path / "run", options={"hidden": 16}, steps=2, batch=16)
    with pytest.raises(LearningError, match="of the task 'autoencoder' drives no character; those of these tasks do: "):
        load_family(tmp_path / "run")
    assert {"perceptron", "learned-matching"} <= set(driving_tasks()) and "autoencoder" not in driving_tasks()


def test_another_body_is_refused(network, database, biped):
    own = database.skeleton
    longer = Skeleton.create(own.names, own.parents, own.rest_translations * 1.2)
    for other, said in ((biped, "are not in both"), (longer, r"differs by \d")):
        with pytest.raises(LearningError, match=said):
            load_family(network("learned-matching"), other)


def test_weights_that_are_not_numbers_are_refused(network, tmp_path):
    import hashlib
    import json

    source = network("learned-matching")
    weights = load_file(source / "model.safetensors")
    weights["projector.net.0.weight"][3, 5] = float("nan")
    save_file(weights, tmp_path / "model.safetensors")
    spec = json.loads((source / "spec.json").read_text())
    spec["hash"] = hashlib.sha256((tmp_path / "model.safetensors").read_bytes()).hexdigest()
    (tmp_path / "spec.json").write_text(json.dumps(spec))
    with pytest.raises(LearningError, match=r"tensor 'projector.net.0.weight' has 1 of \d+ values that are not finite"):
        load_family(tmp_path)
