"""Motion without an end, patch by patch, that follows commands while it runs.

Behind what was made come a few patches on their way from noise, the later the noisier. Each step cleans all of them a
little, hands out the first, and appends noise (B. Chen et al., "Diffusion Forcing", 2024): one evaluation of the
network a patch, however many steps of the flow each patch goes through, and no seams.
"""

from __future__ import annotations

from copy import copy, deepcopy
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from kinema.arrays import Singles
from kinema.generation.channels import CHANNELS, ROOT
from kinema.generation.conditions import LONGEST, PATH, patch_seconds
from kinema.generation.generator import Generator, clock_start
from kinema.generation.rig import AnyRig
from kinema.generation.sampling import SamplingSettings, guided, onward, shifted
from kinema.generation.smoothing import LiveSmoothing
from kinema.generation.wishes import Wish, ask, cadence_of, counted

CONTEXT = 6
"""Patches of the past that the network sees."""

FORESEEN = 16
"""Frames that are foreseen at most."""

STREAMING = SamplingSettings(steps=4, guidance=1.5)


class Stream:
    """A motion of one rig that goes on for ever.

    Args:
        wish: what it begins with.
        seed: of the noise.
        settings: as many patches are on their way as there are steps.

    Attributes:
        expected: `[E, K, CHANNELS]`: what will probably follow the patch that was made last.
    """

    def __init__(
        self,
        generator: Generator,
        rig: AnyRig,
        wish: Wish | None = None,
        seed: int = 0,
        settings: SamplingSettings = STREAMING,
    ) -> None:
        self.generator, self.rig, self.settings = generator, rig, settings
        self._rng = np.random.default_rng([seed, 1])
        self._on = generator.encode(rig)
        self._known = torch.zeros(1, self._frames, rig.count, device=generator.device)
        self._known_root = torch.zeros(1, self._frames, device=generator.device)
        self._path = torch.zeros(1, self._patches, PATH, device=generator.device)
        self._time = torch.ones(1, self._patches, device=generator.device)
        ahead = torch.linspace(1.0, 0.0, settings.steps + 1, device=generator.device)
        self._time[0, CONTEXT:] = shifted(ahead[1:])
        self._then = torch.ones_like(self._time)
        self._then[0, CONTEXT:] = shifted(ahead[:-1])
        self._seconds = patch_seconds(generator.patch)
        first = wish or Wish(action="idle")
        self._wishes = [first] * self._patches
        self._since = [(patch + 0.5) * self._seconds for patch in range(self._patches)]
        begun = clock_start(np.random.default_rng([seed, 0]))
        self._phases = counted(np.full(self._patches, cadence_of(first, rig)), self._seconds, begun).tolist()
        endless = replace(first, seconds=self._patches * self._seconds + LONGEST)
        made = generator.sample(rig, self._frames, (endless,), seed=seed, settings=settings)
        clean = generator.model.scales.normalised(torch.from_numpy(made).to(generator.device))
        self._x = torch.lerp(self._noise(self._patches), clean, self._of_frames(self._time))
        self._smoothing = LiveSmoothing()
        self.expected: Singles = np.zeros((0, rig.count, CHANNELS), np.float32)

    def fork(self) -> Stream:
        """A stream that goes on from here by itself."""
        other = copy(self)
        other._rng, other._smoothing = deepcopy(self._rng), copy(self._smoothing)
        return other

    @property
    def _patches(self) -> int:
        return CONTEXT + self.settings.steps

    @property
    def _frames(self) -> int:
        return self._patches * self.generator.patch

    @torch.inference_mode()
    def next(self, wish: Wish) -> Singles:
        """The channels `[F, K, CHANNELS]` of the next patch.

        All patches on their way heed the new wish, the less the cleaner they are: it has its full effect `steps`
        patches later.
        """
        patch, steps, model = self.generator.patch, self.settings.steps, self.generator.model
        last, before = self._wishes[CONTEXT], self._since[CONTEXT]
        goes_on = (wish.action, wish.text) == (last.action, last.text)
        begun = before + self._seconds if goes_on else 0.5 * self._seconds
        self._wishes = [*self._wishes[1 : CONTEXT + 1], *[wish] * steps]
        self._since = [*self._since[1 : CONTEXT + 1], *(begun + number * self._seconds for number in range(steps))]
        timed = [replace(each, seconds=self._seconds) for each in self._wishes]
        times = np.asarray(self._since), np.full(self._patches, np.nan)
        phase = self._phases[CONTEXT] + 0.5 * self._seconds * cadence_of(last, self.rig)
        coming = np.full(steps, cadence_of(wish, self.rig))
        gone = counted(coming, self._seconds, phase if np.isfinite(phase) else 0.0)
        self._phases = [*self._phases[1 : CONTEXT + 1], *gone.tolist()]
        rhythm = np.asarray([cadence_of(each, self.rig) for each in self._wishes]), np.asarray(self._phases)
        asked = ask(timed, self.rig, self._patches, patch, times=times, rhythm=rhythm)
        condition, holding = self.generator.condition(asked), self.generator.holding(asked)

        def clean(x: Tensor, time: Tensor, heed: bool) -> Tensor:
            heeded = condition if heed else torch.zeros_like(condition)
            return model.clean(x, self._known, self._known_root, self._path, time, heeded, self._on)

        predicted = guided(clean, self._x, self._time, self.settings.guidance)
        predicted = predicted if holding is None else holding(predicted)
        ahead = CONTEXT * patch
        now, then = (self._of_frames(times[:, CONTEXT:]) for times in (self._time, self._then))
        x = torch.cat(
            [self._x[:, :ahead], onward(self._x[:, ahead:], predicted[:, ahead:], now, then, self._noise(steps))], 1
        )
        done = model.scales.restored(x[:, CONTEXT * patch : (CONTEXT + 1) * patch])
        following = model.scales.restored(predicted[:, (CONTEXT + 1) * patch : (CONTEXT + 1) * patch + FORESEEN])
        self.expected = following[0].cpu().numpy()
        self._x = torch.cat([x[:, patch:], self._noise(1)], 1)
        return self._smoothing.next(done[0].cpu().numpy(), self.expected)

    def _of_frames(self, values: Tensor) -> Tensor:
        """Values `[1, P]` of patches as `[1, F, 1, 1]`."""
        return values.repeat_interleave(self.generator.patch, 1)[..., None, None]

    def _noise(self, patches: int) -> Tensor:
        noise = self._rng.standard_normal((1, patches * self.generator.patch, self.rig.count, CHANNELS), np.float32)
        noise[:, :, 1:, ROOT] = 0.0
        return torch.from_numpy(noise).to(self.generator.device)
