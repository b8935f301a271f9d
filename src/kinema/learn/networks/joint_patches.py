"""A transformer over joints and stretches of time, for any skeleton and any duration.

A token is one joint over a patch of a few frames. In each block, the joints of a patch attend to each other, biased by
how they are related in the tree (W. Park et al., "GRPE", 2022); then the patches of a joint attend to their neighbours
in time, with rotary positions (J. Su et al., "RoFormer", 2021) and a window, so that a longer clip is nothing new.
Layer norms are modulated by the condition of the patch (W. Peebles and S. Xie, "Scalable Diffusion Models with
Transformers", 2023), with one network for all blocks (J. Chen et al., "PixArt-alpha", 2023). That is the same for all
joints of a patch, so what a clock says, which is something else for each leg, goes to each joint by itself: as products
of what is known of the joint and of functions of the clock. Joints are padded to the
largest skeleton of a batch, and masked: what a skeleton is batched with does not change its result.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

WINDOW = 8
"""Patches in each direction that a patch attends to."""

_NEVER = -1e4  # a logit; not infinite, since a padded joint attends to padded joints only


@dataclass(frozen=True)
class BodyBatch:
    """The skeletons of a batch, padded to `K` joints.

    Attributes:
        joints: `[B, K, S]`: what is known of each joint.
        hops, relations: int `[B, K, K]` of each pair.
        valid: bool `[B, K]`: which joints there are; the first is the root.
        size: `[B]`: logarithm of the size of the body.
    """

    joints: Tensor
    hops: Tensor
    relations: Tensor
    valid: Tensor
    size: Tensor


@dataclass(frozen=True)
class EncodedBodies:
    """`BodyBatch` after the encoder; it is worked out once for all steps of sampling.

    Attributes:
        tokens: `[B, K, d]`. whole: `[B, d]`: the body as a whole. bias: for each block `[B, heads, K, K]`.
        valid: bool `[B, K]`.
    """

    tokens: Tensor
    whole: Tensor
    bias: tuple[Tensor, ...]
    valid: Tensor

    def repeated(self, count: int) -> EncodedBodies:
        """Bodies of a batch of one, `count` times."""
        return EncodedBodies(
            self.tokens.expand(count, -1, -1),
            self.whole.expand(count, -1),
            tuple(bias.expand(count, -1, -1, -1) for bias in self.bias),
            self.valid.expand(count, -1),
        )

    def doubled(self) -> EncodedBodies:
        """Twice the batch."""
        return EncodedBodies(
            torch.cat([self.tokens, self.tokens]),
            torch.cat([self.whole, self.whole]),
            tuple(torch.cat([bias, bias]) for bias in self.bias),
            torch.cat([self.valid, self.valid]),
        )


@dataclass(frozen=True)
class Shape:
    """Sizes of the network.

    Attributes:
        width: `d`, of a token. layers, heads: of the transformer. patch: frames of a token.
        joint_channels: numbers of a joint and frame. root_channels: further ones of the root.
        path_channels: numbers that the root is told of where it is to be, a patch.
        static: numbers known of a joint. hops, relations: kinds of pairs. conditions: numbers of a patch's condition.
        clock: where among them those of a clock are; the last two are cosine and sine, both 0 without one.
    """

    width: int
    layers: int
    heads: int
    patch: int
    joint_channels: int
    root_channels: int
    path_channels: int
    static: int
    hops: int
    relations: int
    conditions: int
    clock: slice


class JointPatches(nn.Module):
    """Cleans noisy motion: from channels between noise and data to the data."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        d, patch = shape.width, shape.patch
        self.enter = nn.Linear(patch * (shape.joint_channels + 1), d)
        self.enter_root = nn.Linear(patch * (shape.root_channels + 1) + shape.path_channels, d)
        self.body = nn.Sequential(nn.Linear(shape.static, 2 * d), nn.SiLU(), nn.Linear(2 * d, d))
        self.whole = nn.Linear(d + 1, d)
        self.times = nn.Sequential(nn.Linear(_TIMES, d), nn.SiLU(), nn.Linear(d, d))
        self.condition = nn.Sequential(nn.Linear(shape.conditions, d), nn.SiLU(), nn.Linear(d, d))
        self.clock = nn.Sequential(nn.Linear(shape.clock.stop - shape.clock.start, d), nn.SiLU(), nn.Linear(d, d))
        self.beat, self.strike = nn.Linear(d, d, bias=False), nn.Linear(d, d, bias=False)
        self.modulate = nn.Linear(d, 9 * d)
        self.hops = nn.Parameter(torch.zeros(shape.layers, shape.hops, shape.heads))
        self.relations = nn.Parameter(torch.zeros(shape.layers, shape.relations, shape.heads))
        self.blocks = nn.ModuleList(_Block(d, shape.heads) for _ in range(shape.layers))
        self.norm = nn.LayerNorm(d, elementwise_affine=False)
        self.last = nn.Linear(d, 2 * d)
        self.leave = nn.Linear(d, patch * shape.joint_channels)
        self.leave_root = nn.Linear(d, patch * shape.root_channels)
        for layer in (self.modulate, self.last, self.leave, self.leave_root):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)
        nn.init.zeros_(self.strike.weight)

    def encode(self, bodies: BodyBatch) -> EncodedBodies:
        """What follows from the skeletons alone."""
        valid = bodies.valid[..., None]
        tokens = self.body(bodies.joints)
        mean = (tokens * valid).sum(1) / valid.sum(1)
        whole = self.whole(torch.cat([mean, bodies.size[:, None]], -1))
        missing = torch.where(bodies.valid, 0.0, _NEVER)[:, None, None]
        bias = tuple(
            (hops[bodies.hops] + relations[bodies.relations]).permute(0, 3, 1, 2) + missing
            for hops, relations in zip(self.hops, self.relations, strict=True)
        )
        return EncodedBodies(tokens, whole, bias, bodies.valid)

    def forward(
        self,
        joints: Tensor,
        root: Tensor,
        known: Tensor,
        known_root: Tensor,
        path: Tensor,
        time: Tensor,
        condition: Tensor,
        bodies: EncodedBodies,
    ) -> tuple[Tensor, Tensor, tuple[Tensor, ...]]:
        """Clean channels `[B, T, K, joint_channels]` and `[B, T, root_channels]`, and the tokens after each block.

        Args:
            joints, root: noisy channels, of `T` frames: a whole number of patches.
            known: `[B, T, K]`, 1 where the channels of a joint are given, not noisy. known_root: `[B, T]`, likewise.
            path: `[B, P, path_channels]`. time: `[B, P]`, 0 at noise, 1 at data.
            condition: `[B, P, conditions]`.
        """
        patch = self.shape.patch
        batch, frames, count = known.shape
        patches = frames // patch
        tokens = torch.cat([joints, known[..., None]], -1).unflatten(1, (patches, patch))
        tokens = self.enter(tokens.permute(0, 1, 3, 2, 4).flatten(3)) + bodies.tokens[:, None]
        tokens = tokens + self._moments(condition[..., self.shape.clock], bodies)
        rooted = torch.cat([root, known_root[..., None]], -1).unflatten(1, (patches, patch)).flatten(2)
        rooted = self.enter_root(torch.cat([rooted, path], -1))
        tokens = torch.cat([tokens[:, :, :1] + rooted[:, :, None], tokens[:, :, 1:]], 2)
        given = self.times(_waves(time)) + self.condition(condition) + bodies.whole[:, None]
        given = functional.silu(given)
        modulation = self.modulate(given)
        turns = _rotary(patches, self.shape.width // self.shape.heads, tokens.device)
        near = _near(patches, tokens.device)
        seen: list[Tensor] = []
        kind = _precision(tokens)
        tokens, modulation, near = tokens.to(kind), modulation.to(kind), near.to(kind)
        with torch.autocast(tokens.device.type, enabled=False):
            for block, bias in zip(self.blocks, bodies.bias, strict=True):
                tokens = block(tokens, modulation, bias.to(kind), turns, near)
                seen.append(tokens)
        scale, shift = self.last(given)[:, :, None].chunk(2, -1)
        tokens = self.norm(tokens) * (1.0 + scale) + shift
        cleaned = self.leave(tokens).float().unflatten(-1, (patch, -1)).permute(0, 1, 3, 2, 4)
        travel = self.leave_root(tokens[:, :, 0]).float().unflatten(-1, (patch, -1))
        return (
            cleaned.reshape(batch, frames, count, -1),
            travel.reshape(batch, frames, -1),
            tuple(seen),
        )

    def _moments(self, clock: Tensor, bodies: EncodedBodies) -> Tensor:
        """What each joint is told `[B, P, K, d]` of a clock `[B, P, N]`; 0 without one."""
        told = self.clock(clock) * clock[..., -2:].square().sum(-1, keepdim=True)
        return self.strike(self.beat(bodies.tokens)[:, None] * told[:, :, None])


class _Block(nn.Module):
    """Attention among the joints of a patch, among the patches of a joint, and a layer for each token."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.own = nn.Parameter(torch.zeros(9 * width))
        self.across, self.along = nn.Linear(width, 3 * width), nn.Linear(width, 3 * width)
        self.join_across, self.join_along = nn.Linear(width, width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(
        self, x: Tensor, modulation: Tensor, bias: Tensor, turns: tuple[Tensor, Tensor], near: Tensor
    ) -> Tensor:
        parts = (modulation + self.own.to(x.dtype))[:, :, None].chunk(9, -1)
        x = torch.addcmul(x, 1.0 + parts[2], self._among_joints(_modulated(x, parts[0], parts[1]), bias))
        x = torch.addcmul(x, 1.0 + parts[5], self._in_time(_modulated(x, parts[3], parts[4]), turns, near))
        h = functional.gelu(_linear(self.wide, _modulated(x, parts[6], parts[7])))
        return torch.addcmul(x, 1.0 + parts[8], _linear(self.narrow, h))

    def _among_joints(self, x: Tensor, bias: Tensor) -> Tensor:
        q, k, v = _linear(self.across, x).unflatten(-1, (3, self.heads, -1)).permute(3, 0, 1, 4, 2, 5)
        weights = torch.softmax(_alike(q, k) + bias[:, None], -1)  # [B, P, heads, K, K]
        return _linear(self.join_across, (weights @ v).transpose(2, 3).flatten(3))

    def _in_time(self, x: Tensor, turns: tuple[Tensor, Tensor], near: Tensor) -> Tensor:
        q, k, v = _linear(self.along, x).unflatten(-1, (3, self.heads, -1)).permute(3, 0, 2, 4, 1, 5)
        weights = torch.softmax(_alike(_turned(q, turns), _turned(k, turns)) + near, -1)  # [B, K, heads, P, P]
        return _linear(self.join_along, (weights @ v).permute(0, 3, 1, 2, 4).flatten(3))


def _precision(x: Tensor) -> torch.dtype:
    """The number type of tokens: that of mixed precision, where it is on."""
    kind = x.device.type
    return torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else x.dtype


def _linear(layer: nn.Linear, x: Tensor) -> Tensor:
    return functional.linear(x, layer.weight.to(x.dtype), layer.bias.to(x.dtype))


def _modulated(x: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    return torch.addcmul(shift, functional.layer_norm(x, x.shape[-1:]), 1.0 + scale)


def _alike(q: Tensor, k: Tensor) -> Tensor:
    return (q / math.sqrt(q.shape[-1])) @ k.transpose(-1, -2)


_TIMES = 32


def _waves(time: Tensor) -> Tensor:
    """Features `[..., 32]` of a time of the flow."""
    return torch.cos(math.pi * time[..., None] * torch.arange(_TIMES, dtype=time.dtype, device=time.device))


def _rotary(patches: int, width: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Cosines and sines `[P, width / 2]` of the places of patches."""
    rates = 100.0 ** (-torch.arange(width // 2, device=device) / (width // 2))
    angles = torch.arange(patches, device=device)[:, None] * rates
    return torch.cos(angles), torch.sin(angles)


def _turned(x: Tensor, turns: tuple[Tensor, Tensor]) -> Tensor:
    cosine, sine = (part.to(x.dtype) for part in turns)
    a, b = x.chunk(2, -1)
    return torch.cat([a * cosine - b * sine, a * sine + b * cosine], -1)


def _near(patches: int, device: torch.device) -> Tensor:
    """Bias `[P, P]` that keeps attention within the window."""
    places = torch.arange(patches, device=device)
    return torch.where((places[:, None] - places).abs() <= WINDOW, 0.0, _NEVER)
