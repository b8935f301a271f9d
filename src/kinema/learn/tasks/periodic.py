"""Phases of any motion: the periodic autoencoder on joint velocities (Starke et al., DeepPhase, 2022).

A sample is a window of joint velocities around its frame. The network sees it as a few sine waves, and makes it again
from these. Amplitude and phase of each wave are a vector on the phase manifold: `learned_phases` makes them a label.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from kinema.arrays import Singles
from kinema.errors import DatabaseError, LearningError
from kinema.features import Dataset, Feature, FeatureSpec, extract
from kinema.features.kinds import LEARNED_PHASES
from kinema.features.spec import Specs
from kinema.learn.linear import principal_components
from kinema.learn.model import Model, TrainingStep
from kinema.learn.networks.gates import phase_vectors
from kinema.learn.networks.periodic import PeriodicAutoencoder
from kinema.learn.setting import Setting
from kinema.learn.task import TrainingData
from kinema.learn.vector_task import VectorTask
from kinema.learn.vectors import Predict, Samples, VectorData, VectorModel
from kinema.mocap import MotionDatabase
from kinema.mocap.labels import Labels
from kinema.motion import Motion

CHUNK = 1024
"""Windows that are read at a time."""


@dataclass(frozen=True)
class Options:
    """Attributes:
    waves: sine waves of a window, and so phases of a frame.
    seconds: length of a window, half of it before its frame.
    """

    waves: int = 5
    seconds: float = 2.0

    def __post_init__(self) -> None:
        if self.waves < 1:
            raise LearningError(f"option waves is {self.waves}; it must be at least 1")
        if not 0.2 <= self.seconds <= 20:
            raise LearningError(f"option seconds is {self.seconds:g}; it must be 0.2 to 20")


class Network(VectorModel):
    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting)
        (window,) = setting.specs["x"].features
        self.frames = window.samples
        channels = setting.specs["x"].dim // self.frames
        self.net = PeriodicAutoencoder(channels, self.frames, setting.fps, options.waves)

    def windows(self, x: Tensor) -> Tensor:
        """Normalised windows `[B, 3 J, T]` of inputs `[B, D_x]`."""
        return self.x_scaling.normalize(x).unflatten(-1, (self.frames, -1)).transpose(1, 2)

    def phases(self, x: Tensor) -> Tensor:
        """Phase vectors `[B, waves, 2]` of inputs `[B, D_x]`: amplitude times sine and cosine."""
        waves = self.net.waves(self.windows(x))
        return phase_vectors(waves.phase, waves.amplitude)

    def forward(self, x: Tensor) -> Tensor:
        return self.x_scaling.denormalize(self.net(self.windows(x)).transpose(1, 2).flatten(1))

    def loss(self, batch: Samples, step: TrainingStep) -> dict[str, Tensor]:
        windows = self.windows(batch.x)
        return {"velocities": (self.net(windows) - windows).square().mean()}


class PeriodicTask(VectorTask):
    Options = Options
    shown = ()

    def specs(self, source: MotionDatabase) -> Specs:
        reach = round(0.5 * self.options.seconds * source.fps)
        times = tuple(round(frame / source.fps, 9) for frame in range(-reach, reach + 1))
        window = Feature("velocities", "velocity", times=times, frame="root@t")
        now = Feature("velocities", "velocity")
        return FeatureSpec((window,), source.skeleton), FeatureSpec((now,), source.skeleton)

    def model(self, setting: Setting) -> Network:
        return Network(setting, self.options)

    def baselines(self, dataset: Dataset) -> dict[str, Predict]:
        """As many sine waves along the directions in which velocities vary most."""
        components = torch.from_numpy(principal_components(dataset, self.options.waves))
        normalizer = dataset.normalizers()[0]
        offset, scale = torch.from_numpy(normalizer.offset), torch.from_numpy(normalizer.scale)
        frames = dataset.x_spec.features[0].samples
        fourier = PeriodicAutoencoder(1, frames, dataset.fps, 1).fourier

        def waves(x: Tensor) -> Tensor:
            windows = ((x - offset) / scale).unflatten(-1, (frames, -1))
            mean = windows.mean(1, keepdim=True)
            signals = ((windows - mean) @ components).transpose(1, 2)
            made = fourier.signals(fourier(signals)).transpose(1, 2) @ components.T
            return (made + mean).flatten(1) * scale + offset

        return {f"{self.options.waves} waves along principal components": waves}

    def evaluate(self, model: Model, data: TrainingData, source: MotionDatabase) -> list[dict[str, float | str]]:
        """The share of the variance within held-out windows that is made again, in percent."""
        assert isinstance(model, Network) and isinstance(data, VectorData)
        rows: list[dict[str, float | str]] = []
        batches = [
            data.held_batch(range(begin, min(begin + CHUNK, data.held))).x for begin in range(0, data.held, CHUNK)
        ]
        spread = sum(float(model.windows(x).var(-1, correction=0).sum()) for x in batches) * model.frames
        for name, predict in {"model": model, **self.baselines(data.dataset)}.items():
            with torch.no_grad():
                left = sum(float(((predict(x) - x) / model.x_scaling.scale).square().sum()) for x in batches)
            rows.append({"name": name, "explained_percent": 100.0 * (1.0 - left / spread)})
        return rows

    def show(self, model: Model, database: MotionDatabase, clip: int) -> Motion:
        raise LearningError("phases are no motion to watch; `kinema label --learned RUN --picture` draws them")


@torch.no_grad()
def learned_phases(model: Model, database: MotionDatabase) -> Labels:
    """The phase vectors `[N, waves, 2]` of all frames of a database, as a label.

    Windows that reach beyond a clip go on with its first or last velocity.

    Args:
        model: of the task `periodic`, for a body like that of the database.

    Raises:
        DatabaseError: the database has another frame rate than the model was trained at.
    """
    assert isinstance(model, Network)
    if abs(database.fps - model.setting.fps) > 1e-6:
        raise DatabaseError(
            f"the phases were learned at {model.setting.fps:g} frames per second, the database has {database.fps:g}"
        )
    spec = model.setting.specs["x"]
    found: list[Singles] = []
    for start in range(0, database.frames, CHUNK):
        frames = list(range(start, min(start + CHUNK, database.frames)))
        found.append(model.phases(torch.from_numpy(extract(database, spec, frames))).numpy())
    return {LEARNED_PHASES: torch.cat([torch.from_numpy(part) for part in found]).numpy()}
