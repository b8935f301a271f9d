"""Motion of any skeleton that flows from noise, for what is asked in words or numbers and around what is known.

Flow matching along straight lines (Y. Lipman et al., "Flow Matching for Generative Modeling", 2023), with a network
that predicts the clean motion, over channels that need no statistics of a skeleton (`kinema.generation.channels`).
Samples in which later patches are noisier than earlier ones (B. Chen et al., "Diffusion Forcing", 2024) make streaming
a case of the same model. Losses compare rotations, positions and also the positions that the rotations lead to.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from kinema.generation import conditions, text, tree
from kinema.generation.acceptance import FASTEST
from kinema.generation.batch import RigBatch
from kinema.generation.channels import CHANNELS, CONTACT, FPS, HEIGHT, PLACE, ROOT, TRAVEL, TURN
from kinema.generation.collection import OWN_CHANNELS
from kinema.generation.encoding import FARTHEST, RELATIONS, WIDTH
from kinema.generation.sampling import shifted
from kinema.generation.windows import RigWindow
from kinema.learn.model import Model, TrainingStep
from kinema.learn.muon import MatrixOptimizer
from kinema.learn.networks.joint_patches import EncodedBodies, JointPatches, Shape
from kinema.learn.recipe import Recipe
from kinema.learn.setting import Setting
from kinema.rotations import matrix_from_6d

SIZES = {"XS": (96, 4, 4, 8), "S": (128, 6, 4, 8), "M": (256, 8, 8, 4), "L": (384, 12, 8, 4)}
"""Width, layers, heads and frames of a patch."""

_TEXT = 64
_OF_CLOCK = ("network.clock.", "network.beat.", "network.strike.")
_CLOCK = slice(conditions.CADENCE, conditions.CLOCK + 2)
_SPREAD = 1.4  # of the logit of how far on its way a sample is
_STREAMED = 0.3  # share of samples with later patches noisier
_NEAR_NOISE = 0.06  # time of the flow before which next to nothing shows, so that what is asked decides
_SEEN = 0.1  # weight of what is known
_STEEPEST = 10.0
_SLOW = 0.25  # units/s and rad/s below which travel counts as it is, above as its logarithm
_MOST = float(np.arcsinh(4.0 * FASTEST / _SLOW))
_CREEP = 0.1  # units/s above which the loss of planted feet grows with their speed, below with its square
_REST = 0.3  # mean square of scaled channels that counts as calm


class Scales(nn.Module):
    """Makes each kind of channels of order one: all are divided by a number a kind.

    Travel is compressed first, as asinh: a fifth too slow is as wrong for what creeps as for what flies.
    """

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("value", torch.ones(CHANNELS))
        self.register_buffer("change", torch.ones(CHANNELS))
        self.value: Tensor
        self.change: Tensor

    def take(self, windows: Sequence[RigWindow]) -> None:
        """Measure windows: `value` is the size of channels, `change` that of their change from frame to frame."""
        every = [_compressed(torch.as_tensor(window.channels)).numpy() for window in windows]
        for part, root in ((TURN, False), (PLACE, False), (CONTACT, False), (ROOT, True)):
            chosen = [channels[:, :1] if root else channels for channels in every]
            values = np.concatenate([each[..., part].reshape(-1, part.stop - part.start) for each in chosen])
            changes = np.concatenate([np.diff(each[..., part], axis=0).reshape(-1) for each in chosen])
            columns = np.sqrt(np.mean(np.square(values), axis=0)) if root else np.sqrt(np.mean(np.square(values)))
            self.value[part] = torch.as_tensor(np.maximum(columns, 1e-3), dtype=torch.float32)
            self.change[part] = float(max(np.sqrt(np.mean(np.square(changes))), 1e-3))

    def normalised(self, channels: Tensor) -> Tensor:
        """Channels `[..., CHANNELS]` as the flow has them."""
        return _compressed(channels) / self.value

    def restored(self, flowing: Tensor) -> Tensor:
        """The inverse of `normalised`; what is far beyond any speed that can be asked for is cut."""
        channels = flowing * self.value
        travel = channels[..., TRAVEL].clamp(-_MOST, _MOST).sinh() * _SLOW
        return torch.cat([channels[..., : TRAVEL.start], travel, channels[..., TRAVEL.stop :]], -1)


def _compressed(channels: Tensor) -> Tensor:
    travel = (channels[..., TRAVEL] / _SLOW).asinh()
    return torch.cat([channels[..., : TRAVEL.start], travel, channels[..., TRAVEL.stop :]], -1)


class AnySkeletonModel(Model):
    """The network with what surrounds it: scales, words, noise."""

    def __init__(self, setting: Setting, size: str) -> None:
        super().__init__(setting)
        width, layers, heads, patch = SIZES[size]
        self.patch = patch
        self.scales = Scales()
        self.words = nn.Embedding(text.TOKENS, _TEXT, padding_idx=0)
        nn.init.normal_(self.words.weight, std=0.3)
        with torch.no_grad():
            self.words.weight[0] = 0.0
        asked = conditions.ASKED + _TEXT + int(setting.more.get("sentence_width", 0))
        sizes = (OWN_CHANNELS, CHANNELS - OWN_CHANNELS, conditions.PATH)
        self.network = JointPatches(
            Shape(width, layers, heads, patch, *sizes, WIDTH, FARTHEST + 1, len(RELATIONS), asked, _CLOCK)
        )

    def upgraded(self, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
        """Weights from before patches were told of a clock, or of a clock and times: those weigh nothing in them."""
        own = self.state_dict()
        name, added = "network.condition.0.weight", (4, 4 + 2 * conditions.WAVES)
        given = tensors.get(name)
        missing = 0 if given is None or given.ndim != 2 else own[name].shape[1] - given.shape[1]
        clockless = {each: own[each] for each in own if each.startswith(_OF_CLOCK) and each not in tensors}
        if given is None or missing not in (0, *added) or not (missing or clockless):
            return tensors
        before, after = given[:, : conditions.CADENCE], given[:, conditions.CADENCE :]
        wider = torch.cat([before, given.new_zeros(len(given), missing), after], 1)
        return {**tensors, name: wider, **clockless}

    def optimizers(self, recipe: Recipe) -> dict[str, Optimizer]:
        matrices = [weights for weights in self.network.blocks.parameters() if weights.ndim == 2]
        taken = {id(weights) for weights in matrices}
        others = [weights for weights in self.parameters() if id(weights) not in taken]
        return {"": MatrixOptimizer(matrices, others, recipe)}

    def condition(self, asked: Tensor, texts: Tensor, sentences: Tensor, stretch: Tensor) -> Tensor:
        """Conditions `[B, P, C]` from `asked` `[B, P, ASKED]`, tokens `[B, S, L]`, vectors of sentences `[B, S, E]` and
        the stretch `[B, P]` of each patch."""
        said = self.words(texts)
        said = said.sum(2) / (texts > 0).sum(2, keepdim=True).clamp(min=1).sqrt()
        said = torch.cat([said, sentences], -1)
        return torch.cat([asked, said.gather(1, stretch[..., None].expand(-1, -1, said.shape[-1]))], -1)

    def clean(
        self,
        x: Tensor,
        known: Tensor,
        known_root: Tensor,
        path: Tensor,
        time: Tensor,
        condition: Tensor,
        on: EncodedBodies,
    ) -> Tensor:
        """Clean channels from noisy ones, both scaled, `[B, T, K, CHANNELS]`; see `JointPatches.forward`."""
        joints, root, _ = self.network(
            x[..., :OWN_CHANNELS], x[:, :, 0, ROOT], known, known_root, path, time, condition, on
        )
        return together(joints, root)

    def loss(self, batch: RigBatch, step: TrainingStep) -> dict[str, Tensor]:
        truth = self.scales.normalised(batch.channels)
        time = _times(batch.told, truth.shape[1] // self.patch)
        spread = time.repeat_interleave(self.patch, 1)
        known = given(batch.known, batch.known_root)
        noisy = torch.lerp(torch.randn_like(truth), truth, spread[..., None, None])
        noisy = torch.where(known > 0, truth, noisy)
        on = self.network.encode(batch.bodies)
        condition = self.condition(batch.asked, batch.texts, batch.sentences, batch.stretch)
        cleaned = self.clean(noisy, batch.known, batch.known_root, batch.path, time, condition, on)
        with torch.autocast(truth.device.type, enabled=False):
            return self._terms(cleaned.float(), truth, known, spread, batch)

    def _terms(self, cleaned: Tensor, truth: Tensor, known: Tensor, time: Tensor, batch: RigBatch) -> dict[str, Tensor]:
        steep = (1.0 / (1.0 - time).clamp(min=1.0 / _STEEPEST))[..., None, None]
        seen = torch.where(known > 0, _SEEN, 1.0)
        wrong = (cleaned - truth).square() * seen * steep
        moving = (cleaned.diff(dim=1) - truth.diff(dim=1)).square() * seen[:, 1:] * steep[:, 1:]
        moving = moving * (self.scales.value / self.scales.change).square()
        calm = _calm(truth, batch.valid)
        terms = {
            "turns": _mean(wrong[..., TURN], batch.valid, calm),
            "places": _mean(wrong[..., PLACE], batch.valid, calm),
            "contacts": 0.3 * _mean(wrong[..., CONTACT], batch.valid),
            "travel": 0.5 * wrong[:, :, 0, TRAVEL].mean(),
            "height": 0.2 * wrong[:, :, 0, HEIGHT].mean(),
            "changes": 0.1 * _mean(moving[..., : PLACE.stop], batch.valid, calm),
        }
        return terms | self._drawn(cleaned, truth, time, batch)

    def _drawn(self, cleaned: Tensor, truth: Tensor, time: Tensor, batch: RigBatch) -> dict[str, Tensor]:
        """Terms of the positions that the rotations lead to, over some frames of each sample.

        They count as much as there is motion in the noise: where all of it is open, nothing can stand still.
        """
        length = 2 * self.patch if self.patch > 4 else 4 * self.patch
        begin = int(torch.randint(truth.shape[1] - length + 1, ()))
        some = slice(begin, begin + length)
        late = (time / (1.0 - time).clamp(min=1.0 / _STEEPEST))[:, some, None, None]
        scale = self.scales.value[PLACE.start]
        mine, right = self.scales.restored(cleaned[:, some]), batch.channels[:, some]
        calm = _calm(truth, batch.valid)
        drawn = self._positions(mine, batch)
        true = right[..., PLACE] + batch.rest[:, None]
        said = mine[..., PLACE] + batch.rest[:, None]
        speeds = slide(drawn + _upward(mine[:, :, :1, HEIGHT]), mine).square().sum(-1, keepdim=True)
        slides = (1.0 + speeds / _CREEP**2).sqrt() - 1.0
        slides = slides * right[:, 1:, :, CONTACT] * right[:, :-1, :, CONTACT]
        return {
            "drawn": 2.0 * _mean(late * ((drawn - true) / scale).square(), batch.valid, calm),
            "agreement": 3.0 * _mean(late * ((drawn - said) / scale).square(), batch.valid, calm),
            "feet": 0.35 * _mean(late[:, 1:] * slides, batch.valid),
        }

    def _positions(self, channels: Tensor, batch: RigBatch) -> Tensor:
        """Positions `[B, T, K, 3]` in the heading frame, in units, of rotations, with the hips as at rest."""
        upright = channels.new_tensor([1.0, 0, 0, 0, 1.0, 0])
        matrices = matrix_from_6d(channels[..., TURN] + upright)
        offsets = batch.offsets[:, None].expand(-1, channels.shape[1], -1, -1)
        return tree.forward(matrices, offsets, batch.above)[1]


def together(joints: Tensor, root: Tensor) -> Tensor:
    """Channels `[B, T, K, CHANNELS]` from those of joints and those of the root's travel."""
    count = joints.shape[2]
    travel = torch.nn.functional.pad(root[:, :, None], (0, 0, 0, count - 1))
    return torch.cat([joints, travel], -1)


def given(known: Tensor, known_root: Tensor) -> Tensor:
    """Which channels `[B, T, K, CHANNELS]` are known, 0 or 1."""
    root = torch.cat([known_root[..., None].expand(-1, -1, 3), known[:, :, :1]], -1)
    return together(known[..., None].expand(-1, -1, -1, OWN_CHANNELS), root)


def slide(positions: Tensor, channels: Tensor) -> Tensor:
    """Velocity in the world `[B, T - 1, K, 3]`, units a second, of joints at positions `[B, T, K, 3]` in heading
    frames."""
    travel = channels[:, :-1, 0, TRAVEL] / FPS
    sine, cosine = torch.sin(travel[..., 2:]), torch.cos(travel[..., 2:])
    x, y, z = positions[:, 1:].unbind(-1)
    x, z = x * cosine + z * sine + travel[..., :1], z * cosine - x * sine + travel[..., 1:2]
    return (torch.stack([x, y, z], -1) - positions[:, :-1]) * FPS


def _upward(height: Tensor) -> Tensor:
    """Vectors `[..., 3]` that point up by heights `[..., 1]`."""
    return torch.nn.functional.pad(height, (1, 1))


def _mean(values: Tensor, valid: Tensor, weight: Tensor | None = None) -> Tensor:
    """The mean of `[B, T, K, C]` over the joints that there are, so that large skeletons count no more than small ones.

    Args:
        weight: `[B]`, of each sample.
    """
    of_joints = values.mean((1, 3)) * valid
    of_samples = of_joints.sum(1) / valid.sum(1)
    return (of_samples if weight is None else of_samples * weight).mean()


def _calm(truth: Tensor, valid: Tensor) -> Tensor:
    """Weights `[B]` of samples: less for those far from rest, such as a coiled snake beside a walking spider."""
    posture = (truth[..., : PLACE.stop].square().mean((1, 3)) * valid).sum(1) / valid.sum(1)
    return 1.0 / (_REST + posture)


def _times(told: Tensor, patches: int) -> Tensor:
    """Times of the flow `[B, P]`: the same for all patches, or falling, from clean patches to noise, for streaming.

    Those of samples that are told all that is asked, bool `[B]`, are near noise.
    """
    batch, device = len(told), told.device
    same = torch.sigmoid(_SPREAD * torch.randn(batch, 1, device=device)).expand(-1, patches)
    width = 1.0 + 7.0 * torch.rand(batch, 1, device=device)
    begin = torch.rand(batch, 1, device=device) * (patches + width) - width
    falling = 1.0 - (torch.arange(patches, device=device) - begin) / width
    streamed = torch.rand(batch, 1, device=device) < _STREAMED
    times = shifted(torch.where(streamed, falling.clamp(0.0, 1.0), same))
    return torch.where(told[:, None], _NEAR_NOISE * torch.rand(batch, 1, device=device), times)
