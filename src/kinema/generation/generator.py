"""A trained model put to use: new motion, motion around what is known, and motion without an end."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from kinema.arrays import Bools, Floats, Singles
from kinema.errors import LearningError
from kinema.generation import conditions
from kinema.generation.cadence import bridged_beat
from kinema.generation.carrying import Carried, carried
from kinema.generation.channels import CHANNELS, FPS, ROOT, TRAVEL
from kinema.generation.conditions import patch_seconds
from kinema.generation.encoding import NAMED, ROLED, RigEncoding, encode_rig
from kinema.generation.holding import Holding
from kinema.generation.model import AnySkeletonModel, given
from kinema.generation.rig import AnyRig
from kinema.generation.said_turns import with_turns
from kinema.generation.sampling import Progress, SamplingSettings, flow, looped
from kinema.generation.sentences import sentence_encoder
from kinema.generation.smoothing import smooth
from kinema.generation.text import padded, tokens
from kinema.generation.windows import vectors
from kinema.generation.wishes import Asked, Wish, ask, shared, times_of
from kinema.learn.folder import load_model
from kinema.learn.networks.joint_patches import WINDOW, BodyBatch, EncodedBodies
from kinema.mocap.creatures.acts import ACTIONS, LOCOMOTION
from kinema.mocap.creatures.words import concepts_of

_BATCH = 8  # samples at once: more would only take more memory
_TOKENS = 30_000  # joints times patches of the samples that are made at once

PIECE, AROUND = 32, 16
"""Patches of longer clips that are cleaned at a time, and patches on each side of them that the network sees."""


@dataclass(frozen=True, eq=False)
class Known:
    """What is given of a clip of `F` frames.

    Attributes:
        channels: `[F, K, CHANNELS]`. joints: bool `[F, K]`: whose channels are given.
        root: bool `[F]`: of which frames the travel is given.
    """

    channels: Singles
    joints: Bools
    root: Bools

    @property
    def whole(self) -> Bools:
        """Frames `[F]` whose joints are all given."""
        return np.asarray(self.joints.all(axis=1))

    def padded(self, frames: int) -> Known:
        """The same in a clip of so many frames, of which the last are not given."""
        more = (0, frames - len(self.root))
        channels = np.pad(self.channels, (more, (0, 0), (0, 0)))
        return Known(channels, np.pad(self.joints, (more, (0, 0))), np.pad(self.root, more))


class Generator:
    """Makes motion for any rig.

    Args:
        model: a trained one. device: where it works.
    """

    def __init__(self, model: AnySkeletonModel, device: str = "cpu") -> None:
        self.model = model.to(device).eval()
        self.device = device
        self._encoding = lru_cache(maxsize=32)(encode_rig)
        self._sentences = sentence_encoder(model.setting)

    @staticmethod
    def load(path: str | os.PathLike[str], device: str = "cpu") -> Generator:
        """Read a trained model.

        Raises:
            LearningError: it is not there, damaged, or a model of something else.
        """
        trained = load_model(path)
        if not isinstance(trained.model, AnySkeletonModel):
            raise LearningError(
                f"{os.fspath(path)}: a model of the task {trained.document['task']!r}; motion of any skeleton needs "
                "one of any-skeleton (kinema train any-skeleton)"
            )
        return Generator(trained.model, device)

    @property
    def patch(self) -> int:
        """Frames of a patch; clips are whole numbers of them."""
        return self.model.patch

    def encode(self, rig: AnyRig, nameless: bool = False) -> EncodedBodies:
        """What the network knows of a rig. `nameless` withholds names and roles."""
        encoding: RigEncoding = self._encoding(rig)
        static = encoding.joints.copy()
        if nameless:
            static[:, NAMED] = static[:, ROLED] = 0.0
        bodies = BodyBatch(
            self._tensor(static)[None],
            self._tensor(encoding.hops.astype(np.int64))[None],
            self._tensor(encoding.relations.astype(np.int64))[None],
            torch.ones(1, rig.count, dtype=torch.bool, device=self.device),
            torch.tensor([encoding.size], device=self.device),
        )
        with torch.inference_mode():
            return self.model.network.encode(bodies)

    def sample(
        self,
        rig: AnyRig,
        frames: int,
        wishes: Sequence[Wish] = (),
        *,
        count: int = 1,
        seed: int = 0,
        settings: SamplingSettings | None = None,
        path: Singles | None = None,
        loop: bool = False,
        known: Known | None = None,
        progress: Progress | None = None,
    ) -> Singles:
        """Channels `[count, F, K, CHANNELS]`.

        Args:
            frames: length; whole patches are made, and cut.
            wishes: one after the other.
            seed: of the noise: sample `i` of a seed is the same however many are made.
            path: `[P, PATH]`, see `conditions.places`.
            loop: whether the last frame leads to the first.
            known: what is kept.
        """
        settings = settings or SamplingSettings()
        patches = -(-frames // self.patch)
        wishes = wishes or (Wish(),)
        durations, whole = [each.seconds for each in wishes], patch_seconds(self.patch)
        if path is None:  # which decides how a body turns
            wishes = with_turns(wishes, rig, shared(durations, patches * whole, whole))
        times = times_of(durations, patches, whole, around=loop or known is not None)
        known = None if known is None else known.padded(patches * self.patch)
        strides = carried_strides(rig, known) if known is not None and all(map(_goes_on, wishes)) else None
        rhythm = None if strides is None else _rhythm(strides, self.patch)
        asked = ask(wishes, rig, patches, self.patch, path, times, rhythm, whole=loop)
        on = self.encode(rig)
        made = []
        most = int(np.clip(_TOKENS // (rig.count * min(patches, PIECE + 2 * AROUND)), 1, _BATCH))
        for begin in range(0, count, most):
            numbers = range(begin, min(begin + most, count))
            made.append(self._batch(rig, patches, asked, strides, numbers, seed, settings, loop, known, on, progress))
        return np.concatenate(made)[:, :frames]

    @torch.inference_mode()
    def _batch(
        self,
        rig: AnyRig,
        patches: int,
        asked: Asked,
        strides: Floats | None,
        numbers: range,
        seed: int,
        settings: SamplingSettings,
        loop: bool,
        known: Known | None,
        on: EncodedBodies,
        progress: Progress | None,
    ) -> Singles:
        frames, count = patches * self.patch, len(numbers)
        chance = [np.random.default_rng([seed, number]) for number in numbers]

        def noise() -> Tensor:
            drawn = np.stack([each.standard_normal((frames, rig.count, CHANNELS), np.float32) for each in chance])
            drawn[:, :, 1:, ROOT] = 0.0
            return self._tensor(drawn)

        values, joints, root = self._known(rig, frames, known)
        kept = given(joints, root).expand(count, -1, -1, -1)
        body = on.repeated(count)
        begun = strides is None
        heeded = self.condition(asked, [clock_start(each) * begun for each in chance])
        path = self._tensor(asked.path)[None].expand(count, -1, -1)

        def clean(x: Tensor, time: Tensor, heed: bool) -> Tensor:
            around = (x.shape[1] // self.patch - patches) // 2
            places = torch.arange(-around, patches + around, device=x.device) % patches
            condition, way = heeded[:, places], path[:, places]
            if not heed:
                condition = torch.zeros_like(condition)
            frames_seen = (places[:, None] * self.patch + torch.arange(self.patch, device=x.device)).flatten()
            shown = (joints.expand(count, -1, -1)[:, frames_seen], root.expand(count, -1)[:, frames_seen])
            return self._clean(x, *shown, way, time, condition, body)

        network = looped(clean, self.patch, min(WINDOW, patches)) if loop else clean
        given_values = values.expand(count, -1, -1, -1)
        ahead = None if known is None else carried(known.channels, known.whole, known.root, strides, self.patch)
        holding = self.holding(asked, None if known is None else known.root, ahead)
        carry = None if ahead is None or strides is None else self._carry(ahead)
        x = flow(network, noise, kept, given_values, patches, settings, progress, holding, carry)
        made = smooth(self.model.scales.restored(x).cpu().numpy(), loop)
        return made if known is None else np.where(kept[0].cpu().numpy() > 0, known.channels, made)  # exactly as given

    def _clean(
        self, x: Tensor, joints: Tensor, root: Tensor, path: Tensor, time: Tensor, condition: Tensor, on: EncodedBodies
    ) -> Tensor:
        """Clean channels; those of long clips piece by piece, so that memory does not grow with them.

        Places on a path count from where the surroundings of a piece begin, as they do in training.
        """
        patches = time.shape[1]
        if patches <= PIECE + 2 * AROUND:
            return self.model.clean(x, joints, root, path, time, condition, on)
        made = []
        for begin in range(0, patches, PIECE):
            first, last = max(begin - AROUND, 0), min(begin + PIECE + AROUND, patches)
            frames = slice(first * self.patch, last * self.patch)
            way = seen_from(path[:, first:last], path[:, first - 1]) if first else path[:, first:last]
            cleaned = self.model.clean(
                x[:, frames],
                joints[:, frames],
                root[:, frames],
                way,
                time[:, first:last],
                condition[:, first:last],
                on,
            )
            made.append(cleaned[:, (begin - first) * self.patch : (begin - first + PIECE) * self.patch])
        return torch.cat(made, 1)

    def _carry(self, ahead: Carried) -> Callable[[Tensor], Tensor]:
        """Lets predictions `[B, F, K, CHANNELS]` go on as known strides do, but for travel, which has to lead there."""
        made, trust = self.model.scales.normalised(self._tensor(ahead.made)), self._tensor(ahead.trust.copy())
        trust[..., TRAVEL] = 0.0
        return lambda predicted: torch.lerp(predicted, made, trust)

    def holding(self, asked: Asked, known: Bools | None = None, ahead: Carried | None = None) -> Holding | None:
        """What holds travel to the numbers that are asked for; None where there are none.

        Args:
            known: bool `[F]`: frames whose travel is known. ahead: what strides make of its gaps.
        """
        numbers, path = self._tensor(asked.asked)[None], self._tensor(asked.path)[None]
        found = Holding(numbers, path, self.patch, self.model.scales, known, ahead)
        return found if found.holds else None

    def condition(self, asked: Asked, strides: Sequence[float] = (0.0,)) -> Tensor:
        """Conditions `[B, P, C]` of the same wishes for `B` samples, whose clocks are so many strides further."""
        numbers = np.stack([conditions.shifted_clock(asked.asked, each) for each in strides])
        said = padded([tokens(text) for text in asked.texts]), vectors(self._sentences, asked.texts), asked.wish
        with torch.inference_mode():
            same = (self._tensor(each).expand(len(numbers), *each.shape) for each in said)
            return self.model.condition(self._tensor(numbers), *same)

    def _known(self, rig: AnyRig, frames: int, known: Known | None) -> tuple[Tensor, Tensor, Tensor]:
        """Scaled channels `[1, F, K, CHANNELS]` and masks `[1, F, K]` and `[1, F]` of what is given."""
        if known is None:
            nothing = torch.zeros(1, frames, rig.count, CHANNELS, device=self.device)
            return nothing, nothing[..., 0], nothing[:, :, 0, 0]
        scaled = self.model.scales.normalised(self._tensor(known.channels))
        joints, root = self._tensor(known.joints.astype(np.float32)), self._tensor(known.root.astype(np.float32))
        return scaled[None], joints[None], root[None]

    def _tensor(self, array: np.ndarray) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device)


def clock_start(rng: np.random.Generator) -> float:
    """Strides of a sample's clock when it begins: the first number that is drawn for the sample."""
    return float(rng.random())


def _goes_on(wish: Wish) -> bool:
    """Whether a wish leaves how a body gets on to what is known around it."""
    actions = [wish.action] if wish.action else [each for each in concepts_of(wish.text) if each in ACTIONS]
    return wish.cadence is None and all(action in LOCOMOTION for action in actions)


def carried_strides(rig: AnyRig, known: Known) -> Floats:
    """Strides `[F]` of what is known on both sides, carried on between them; NaN beyond."""
    whole = known.whole
    strides, inside = bridged_beat(rig, known.channels, whole).phase.copy(), np.flatnonzero(whole)
    strides[: inside.min(initial=len(whole))] = strides[inside.max(initial=-1) + 1 :] = np.nan
    return strides


def _rhythm(strides: Floats, patch: int) -> tuple[Floats, Floats]:
    """Cadence, Hz, and strides `[P]` in the middle of patches."""
    middles = slice(patch // 2, None, patch)
    return FPS * np.gradient(strides)[middles], strides[middles]


def seen_from(path: Tensor, place: Tensor) -> Tensor:
    """Places `[B, P, PATH]` seen from another `[B, PATH]`; all are open where that one is."""
    x, z, sine, cosine, given = path.unbind(-1)
    x0, z0, sine0, cosine0, known = place[:, None].unbind(-1)
    x, z = x - x0, z - z0
    seen = torch.stack(
        [
            x * cosine0 - z * sine0,
            x * sine0 + z * cosine0,
            sine * cosine0 - cosine * sine0,
            cosine * cosine0 + sine * sine0,
            torch.ones_like(given),
        ],
        -1,
    )
    return seen * (given * known)[..., None]
