"""The palette kernel against the plain skinning of a mesh."""

import numpy as np

from kinema import rotations
from kinema.rendering import palette


def test_matrices_agree_with_quaternions(rng):
    count, joints = 5, 4
    turned = rotations.normalize(rng.normal(size=(count, joints, 4))).astype(np.float32)
    placed = rng.normal(size=(count, joints, 3)).astype(np.float32)
    binds = rng.normal(size=(6, 3, 4)).astype(np.float32)
    which = np.int32([0, 3, 1, 1, -1, 2])
    order = np.array([4, 2, 0, 1, 3])
    out = np.full((count, palette.stride(6), 4), 7, np.float32)
    palette.fill_matrices(out, turned, placed, which, binds, order)
    point = rng.normal(size=3)
    for row, pose in enumerate(order):
        for slot, joint in enumerate(which):
            expected = binds[slot, :, :3] @ point + binds[slot, :, 3]
            if joint >= 0:
                expected = rotations.rotate(turned[pose, joint].astype(float), expected) + placed[pose, joint]
            matrix = out[row, 2 + 3 * slot : 5 + 3 * slot]
            np.testing.assert_allclose(matrix[:, :3] @ point + matrix[:, 3], expected, atol=1e-5)
    assert (out[:, :2] == 7).all()


def test_heads_hold_tints_and_exact_ids():
    out = np.zeros((3, palette.stride(1), 4), np.float32)
    ids = np.int32([1, 2**31 - 1, 65536 + 7])
    palette.fill_heads(out, np.float32([[1, 2, 3, 4]] * 3), ids)
    assert (out[:, 0] == [1, 2, 3, 4]).all()
    assert (out[:, 1, 0].astype(np.int64) + 65536 * out[:, 1, 1].astype(np.int64) == ids).all()
