from __future__ import annotations

import numpy as np

from kinema.generation.batch import to_batch
from kinema.generation.windows import WindowSource


def test_small_rigs_are_padded_and_said_to_be(windows: WindowSource) -> None:
    rng = np.random.default_rng(0)
    drawn = [windows.window(next(c for c in windows.clips if c.rig == rig), 6, rng) for rig in (0, 1)]
    batch = to_batch(drawn)
    counts = [window.rig.count for window in drawn]
    assert batch.channels.shape[:3] == (2, 48, max(counts))
    assert batch.valid.sum(1).tolist() == counts
    small = int(np.argmin(counts))
    assert float(batch.channels[small, :, counts[small] :].abs().max()) == 0
    np.testing.assert_array_equal(batch.channels[small, :, : counts[small]], drawn[small].channels)


def test_texts_of_all_stretches_are_there(windows: WindowSource) -> None:
    drawn = windows.draw(4, np.random.default_rng(0), length=6, plain=True)
    batch = to_batch(drawn)
    assert batch.texts.shape[:2] == (len(drawn), 2)
    assert batch.stretch.shape == (len(drawn), 6)
    assert int(batch.stretch.max()) <= 1
