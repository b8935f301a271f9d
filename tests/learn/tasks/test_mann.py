"""Plans by Mode-Adaptive Neural Networks."""

from __future__ import annotations

import torch

from kinema.mocap.contacts import contact_joints


def test_the_gate_looks_at_feet_and_path_alone(begin):
    run, network = begin("mann")
    seen = network.seen(run.data.batch(range(4)).x[:, 0]).requires_grad_()
    network.activations(seen)[:, 0].sum().backward()
    spec, moved = run.data.setting.specs["x"], seen.grad.abs().sum(0) > 0
    feet = contact_joints(spec.skeleton).tolist()
    for name, place in spec.slices.items():
        found = moved[place].reshape(-1)
        if name == "velocities":
            assert sorted(set((found.nonzero()[:, 0] // 3).tolist())) == sorted(feet)
        else:
            assert bool(found.all() if name.startswith(("trajectory", "contacts")) else not found.any()), name
    assert torch.isfinite(seen.grad).all()
