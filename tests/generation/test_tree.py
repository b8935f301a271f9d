from __future__ import annotations

import numpy as np
import torch

from kinema import rotations
from kinema.generation import tree
from kinema.generation.rig import AnyRig


def test_different_skeletons_of_a_batch_have_the_positions_that_each_has_alone(dog: AnyRig, spider: AnyRig) -> None:
    rng = np.random.default_rng(0)
    rigs, count, frames = [dog, spider], max(dog.count, spider.count), 3
    matrices = np.tile(np.eye(3, dtype=np.float32), (2, frames, count, 1, 1))
    offsets = np.zeros((2, frames, count, 3), np.float32)
    wanted = []
    for number, rig in enumerate(rigs):
        local = rotations.normalize(rng.standard_normal((frames, rig.count, 4))).astype(np.float32)
        hips = rng.standard_normal((frames, 3)).astype(np.float32)
        matrices[number, :, : rig.count] = rotations.to_matrix(local)
        offsets[number, :, : rig.count] = rig.offsets
        offsets[number, :, 0] = hips
        wanted.append(rig.forward(local, hips))
    above = torch.from_numpy(tree.jumps(rigs, count))
    turned, placed = tree.forward(torch.from_numpy(matrices), torch.from_numpy(offsets), above)
    for number, rig in enumerate(rigs):
        np.testing.assert_allclose(placed[number, :, : rig.count], wanted[number][1], atol=1e-5)
        np.testing.assert_allclose(turned[number, :, : rig.count], rotations.to_matrix(wanted[number][0]), atol=1e-5)


def test_gradients_flow_to_every_joint_above(dog: AnyRig) -> None:
    matrices = torch.eye(3).repeat(1, 1, dog.count, 1, 1).requires_grad_()
    offsets = torch.from_numpy(dog.offsets)[None, None].clone()
    leaf = int(np.argmax(dog.depths))
    _, placed = tree.forward(matrices, offsets, torch.from_numpy(tree.jumps([dog], dog.count)))
    placed[0, 0, leaf].sum().backward()
    touched = matrices.grad.abs().sum((-1, -2))[0, 0] > 0
    line = leaf
    above = []
    while (line := int(dog.parents[line])) >= 0:
        above.append(line)
    assert set(np.flatnonzero(touched.numpy())) == set(above)
