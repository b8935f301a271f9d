"""What our files say beside what FBX has a place for."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Motion, load, save
from kinema.formats import Asset
from kinema.formats.fbx.notes import is_ours, noted_rate
from kinema.formats.fbx.objects import open_document
from kinema.formats.fbx.settings import read_settings
from kinema.formats.fbx.takes import read_takes
from kinema.formats.sources import open_source


@pytest.fixture
def motion(biped, rng) -> Motion:
    turned = np.tile(biped.rest_rotations, (30, 1, 1))
    labels = {
        "contact.left": np.arange(30) % 3 == 0,
        "phase": np.linspace(0, 1, 30, dtype=np.float32),
        "wide": np.zeros((30, 2), np.float32),
    }
    return Motion.create(biped, turned, fps=37.5, name="walk", labels=labels, tags=("old man", "slow"))


def test_rates_tags_and_labels_come_back(tmp_path, motion) -> None:
    save(Asset("", "fbx", motion.skeleton, (motion, motion.resample(120).replace(name="b"))), tmp_path / "a.fbx")
    asset = load(tmp_path / "a.fbx")
    assert asset.warnings == ()
    assert [(m.name, m.fps, m.frames, m.tags) for m in asset.motions] == [
        ("walk", 37.5, 30, motion.tags),
        ("b", 120.0, 93, motion.tags),
    ]
    assert sorted(asset.motions[0].labels) == ["contact.left", "phase"]
    for name, values in asset.motions[0].labels.items():
        assert values.dtype == motion.labels[name].dtype
        np.testing.assert_allclose(values, motion.labels[name], atol=1e-6)
    assert load(tmp_path / "a.fbx", fps=60).motions[0].fps == 60


def test_files_of_others_are_not_ours(fbx_text, tmp_path, motion) -> None:
    made = fbx_text()
    made.model(1, "root")
    made.take(100)
    made.animate(101, 1, "phase", [[(0, 0), (1, 1)]])
    made.animate(101, 1, "Lcl Rotation", [[(0, 0), (1, 90)], None, None])
    document = made.document()
    (take,) = read_takes(document, read_settings(document))
    assert not is_ours(document) and noted_rate(document, take) is None
    assert made.read(scale=1).motions[0].labels == {}
    save(motion, tmp_path / "a.fbx")
    assert is_ours(open_document(open_source(tmp_path / "a.fbx")))


def test_a_rate_beyond_reason_is_not_believed(fbx_text) -> None:
    for rate, expected in ((24.0, 24.0), (0.0, None), (1e9, None), (-5.0, None)):
        made = fbx_text()
        made.object("AnimationStack", 100, "AnimStack::a", KinemaRate=rate)
        document = made.document()
        (take,) = read_takes(document, read_settings(document))
        assert noted_rate(document, take) == expected
