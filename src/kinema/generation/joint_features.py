"""How alike joints of two rigs are by what a network makes of them.

A trained network has to know what a joint does before it can move it: the activations that it has of a joint, as it
cleans noise on the rest pose, are features of it (L. Tang et al., "Emergent Correspondence from Image Diffusion", 2023;
I. Gat et al., "AnyTop", 2025).
"""

from __future__ import annotations

import numpy as np
import torch

from kinema.arrays import Floats, Singles
from kinema.generation.channels import CHANNELS, ROOT
from kinema.generation.generator import Generator
from kinema.generation.rig import AnyRig
from kinema.generation.wishes import Wish, ask

_PATCHES = 4
_TIME = 0.5
"""How far the motion is from noise: the features of a joint are clearest in between."""

_DRAWS = 4


def joint_features(generator: Generator, rig: AnyRig, nameless: bool = True, block: int | None = None) -> Singles:
    """Features `[K, d]` of joints, less their mean over the joints.

    Args:
        nameless: whether names and roles are withheld.
        block: of the network, after which activations are taken; None takes the one in the middle.
    """
    network, frames = generator.model.network, _PATCHES * generator.patch
    noise = np.random.default_rng(0).standard_normal((_DRAWS, frames, rig.count, CHANNELS)).astype(np.float32)
    noise[:, :, 1:, ROOT] = 0.0
    x = torch.from_numpy(noise).to(generator.device) * (1.0 - _TIME)
    asked = ask((Wish(),), rig, _PATCHES, generator.patch)
    on = generator.encode(rig, nameless).repeated(_DRAWS)
    with torch.inference_mode():
        _, _, seen = network(
            x[..., : ROOT.start],
            x[:, :, 0, ROOT],
            x.new_zeros(x.shape[:3]),
            x.new_zeros(x.shape[:2]),
            torch.from_numpy(asked.path).to(x)[None].expand(_DRAWS, -1, -1),
            x.new_full((_DRAWS, _PATCHES), _TIME),
            torch.zeros_like(generator.condition(asked)).expand(_DRAWS, -1, -1),
            on,
        )
    tokens = seen[len(seen) // 2 if block is None else block].float().mean((0, 1))
    return (tokens - tokens.mean(0)).cpu().numpy()


def network_evidence(generator: Generator, first: AnyRig, second: AnyRig, nameless: bool = True) -> Floats:
    """How unlike joints are `[K1, K2]` by the features of a network: 1 - cosine, from 0 to 2."""
    one, two = (joint_features(generator, rig, nameless).astype(np.float64) for rig in (first, second))
    one, two = (each / np.maximum(np.linalg.norm(each, axis=-1, keepdims=True), 1e-9) for each in (one, two))
    return 1.0 - one @ two.T
