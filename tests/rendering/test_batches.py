"""Arrays that grow, and are used again."""

import numpy as np

from kinema.rendering.batches import KINDS, Batches, as_colors


def test_rows_survive_growth_and_memory_survives_a_clear():
    batches = Batches()
    for value in range(200):
        batches.add("sphere", 1, False)["center"] = value
    rows = batches.rows("sphere")
    assert rows["center"][:, 0].tolist() == list(range(200))
    batches.clear()
    batches.add("sphere", 100, False)["center"] = -1
    assert np.shares_memory(batches.rows("sphere"), rows)
    assert len(batches.rows("sphere")) == 100


def test_rows_have_no_padding_so_that_they_can_be_uploaded_as_they_are():
    for dtype in KINDS.values():
        assert dtype.itemsize == sum(dtype[name].itemsize for name in dtype.names)
        assert dtype.itemsize % 4 == 0


def test_colours_become_bytes_once():
    np.testing.assert_array_equal(as_colors((1, 0.5, -3), (2,)), [[255, 128, 0, 255]] * 2)
    np.testing.assert_array_equal(as_colors(np.array([1, 2, 3, 4], np.uint8), ()), [1, 2, 3, 4])
