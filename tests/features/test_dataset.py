from __future__ import annotations

import json

import numpy as np
import pytest

from kinema.errors import DatabaseError
from kinema.features import Dataset, extract, presets


@pytest.fixture(scope="module")
def large(biped, make_source):
    return make_source(biped, lengths=(40, 30, 50, 20, 60), seed=9)


@pytest.fixture(scope="module")
def dataset(large, tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "set"
    return Dataset.build(large, *presets.locomotion(large.skeleton), path, validation=0.2)


def test_vectors_are_those_of_extraction(dataset, large):
    samples = np.array([5, 199, 0, 120, 5])
    batch = dataset[samples]
    np.testing.assert_allclose(batch.x, extract(large, dataset.x_spec, samples), atol=1e-6)
    np.testing.assert_allclose(batch.y, extract(large, dataset.y_spec, samples), atol=1e-6)
    assert batch.frame.tolist() == samples.tolist()
    assert batch.clip.tolist() == [0, 4, 0, 3, 0]
    assert len(dataset[10:13].x) == 3


def test_windows_are_not_on_disk(dataset):
    size = sum(file.stat().st_size for file in dataset.path.iterdir() if file.name[0] in "xyr")
    assert size < len(dataset) * 2000 + 60_000


def test_splits_are_by_clip(dataset):
    held = set(dataset.clip[dataset.samples("validation")].tolist())
    train = set(dataset.clip[dataset.samples("train")].tolist())
    assert held and train and not held & train
    assert 0.1 < dataset.validation.mean() < 0.5
    assert len(dataset.samples("all")) == len(dataset) == 200


def test_statistics_are_of_training_samples_only(dataset):
    train = dataset[dataset.samples("train")]
    np.testing.assert_allclose(dataset.x_statistics.mean, train.x.mean(0, np.float64), atol=1e-5)
    np.testing.assert_allclose(dataset.y_statistics.std, train.y.std(0, dtype=np.float64), atol=1e-5)
    x, _ = dataset.normalizers(allow_constant=True)
    place = dataset.x_spec["positions"]
    assert x.normalize(train.x)[:, place].std(axis=0).mean() == pytest.approx(1.0, rel=1e-3)


def test_batches_pass_once_over_a_split_and_repeat_with_the_seed(dataset):
    one = [batch.frame.tolist() for batch in dataset.batches(16, seed=4, drop_last=False)]
    two = [batch.frame.tolist() for batch in dataset.batches(16, seed=4, drop_last=False)]
    other = [batch.frame.tolist() for batch in dataset.batches(16, seed=5, drop_last=False)]
    assert one == two != other
    assert sorted(frame for batch in one for frame in batch) == dataset.frame[dataset.samples("train")].tolist()
    assert {len(batch.x) for batch in dataset.batches(16, seed=4)} == {16}


def test_opening_says_what_differs(dataset, large, make_source):
    path, codebook = dataset.path, presets.codebook(large.skeleton)
    Dataset.open(path, x_spec=dataset.x_spec, y_spec=dataset.y_spec, source=large)
    with pytest.raises(DatabaseError, match="made with other input features: no 'axes'"):
        Dataset.open(path, x_spec=codebook[0])
    with pytest.raises(DatabaseError, match="made from another database"):
        Dataset.open(path, source=make_source(large.skeleton, lengths=(40, 30, 50, 20, 60), seed=10))


def test_damage_is_one_clear_line(large, tmp_path):
    specs = presets.locomotion(large.skeleton)
    with pytest.raises(DatabaseError, match="no dataset there"):
        Dataset.open(tmp_path / "nothing")
    path = Dataset.build(large, *specs, tmp_path / "set").path
    index = json.loads((path / "dataset.json").read_text())
    rows = (path / "rows.npy").read_bytes()
    (path / "rows.npy").write_bytes(rows[:-100])
    with pytest.raises(DatabaseError, match=r"rows\.npy: missing or damaged"):
        Dataset.open(path)
    (path / "rows.npy").write_bytes(rows)
    for change, words in (({"version": 7}, "version 2"), ({"x": {}}, "version None"), ({"arrays": {}}, "damaged")):
        (path / "dataset.json").write_text(json.dumps(index | change))
        with pytest.raises(DatabaseError, match=words) as caught:
            Dataset.open(path)
        assert "\n" not in str(caught.value)
    (path / "dataset.json").write_text("{")
    with pytest.raises(DatabaseError, match="damaged"):
        Dataset.open(path)
