from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.worlds.files import splat

from ..conftest import drawn


def test_a_row_is_32_bytes_and_the_most_conspicuous_come_first() -> None:
    scene = drawn(50, 4)
    data = b"".join(splat.write(scene))
    assert len(data) == 50 * 32
    found = splat.read(data)
    size = found.opacities * found.scales.prod(axis=-1)
    assert np.corrcoef(size, -np.arange(50))[0, 1] > 0.3
    assert size[0] == pytest.approx((scene.opacities * scene.scales.prod(axis=-1)).max(), rel=0.02)


def test_rows_of_nothing_have_a_rotation_and_a_size() -> None:
    found = splat.read(bytes(24) + bytes([0, 0, 0, 255, 128, 128, 128, 128]))
    np.testing.assert_array_equal(found.rotations[0], [1, 0, 0, 0])
    assert np.isfinite(found.log_scales).all()
    with pytest.raises(FormatError, match="31 bytes"):
        splat.read(bytes(31))
