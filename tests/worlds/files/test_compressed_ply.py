from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.worlds.files import compressed_ply, ply

from ..conftest import drawn


def test_neighbours_share_chunks() -> None:
    scene = drawn(3000, 1)
    tables = ply.read(b"".join(compressed_ply.encode(scene)))
    assert len(tables["chunk"]) == 12
    wide = [tables["chunk"][f"max_{axis}"] - tables["chunk"][f"min_{axis}"] for axis in "xyz"]
    whole = scene.means.max(axis=0) - scene.means.min(axis=0)
    assert np.prod(wide, axis=0).mean() < 0.2 * whole.prod()


def test_colours_without_bounds_are_bytes() -> None:
    tables = ply.read(b"".join(compressed_ply.encode(drawn(10, 1))))
    plain = {
        "chunk": tables["chunk"][[name for name in tables["chunk"].dtype.names if name[-2:] not in ("_r", "_g", "_b")]]
    }
    found = compressed_ply.decode({**tables, **plain})
    assert found.colours.min() > -1e-6 and found.colours.max() < 1.0 + 1e-6


def test_too_few_chunks_and_missing_properties_are_refused() -> None:
    tables = ply.read(b"".join(compressed_ply.encode(drawn(300, 4))))
    with pytest.raises(FormatError, match="1 chunks of 256 for 300"):
        compressed_ply.decode({**tables, "chunk": tables["chunk"][:1]})
    with pytest.raises(FormatError, match="no packed_scale"):
        compressed_ply.decode(
            {**tables, "vertex": tables["vertex"][["packed_position", "packed_rotation", "packed_color"]]}
        )
    with pytest.raises(FormatError, match="colours of 9 numbers for 200 of 300"):
        compressed_ply.decode({**tables, "sh": tables["sh"][:200]})
    with pytest.raises(FormatError, match="colours of 1 numbers"):
        compressed_ply.decode({**tables, "sh": tables["sh"][["f_rest_0"]]})


def test_tables_without_rows_are_refused() -> None:
    tables = ply.read(b"".join(compressed_ply.encode(drawn(10, 4))))
    with pytest.raises(FormatError, match="has no Gaussians"):
        compressed_ply.decode({**tables, "vertex": tables["vertex"][:0]})
