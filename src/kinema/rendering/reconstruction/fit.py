"""Fits a scene of Gaussians to pictures whose cameras are known."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Ints, Singles
from kinema.errors import FormatError, SceneError, UsageError
from kinema.rendering.reconstruction import density, planes, similarity, tiles
from kinema.rendering.reconstruction.anchoring import Planes
from kinema.rendering.reconstruction.beginning import DOME, Around, begun, laid, sky, swept
from kinema.rendering.reconstruction.keeping import FitState
from kinema.rendering.reconstruction.numbers import NAMES, Adam, Numbers
from kinema.rendering.reconstruction.photos import Capture, Lens, Photo
from kinema.rendering.reconstruction.picture import NEAR, draw, pull
from kinema.worlds.gaussians import GaussianScene

Step = Callable[[int, float], bool]
"""Called with the number of steps done and the loss; whether to go on."""

Keep = Callable[[FitState], None]
"""Called now and then, and where a fit ends early, with all that is needed to go on."""

_RATES = {"quaternions": 2e-3, "log_scales": 8e-3, "logits": 3e-2, "harmonics": 8e-3}
_FIRST, _FIRST_KNOWN, _LAST = 1e-3, 1.6e-4, 1e-5  # rates of places, over the size of the scene: at first, also of
# those that begin at known points, which are good already; and at last
_REFINED = 100  # steps between changes of the number of Gaussians
_HELD = 10  # steps between moves onto planes through known points
_GROWING = 0.6  # share of the steps in which it rises
_FEWEST = 2000  # points that it begins with
_SHARE = 0.25  # of the budget that it begins with
_KNOWN = 0.7  # of the budget that known points may take
_CLOSE = 0.4  # depth over the size of the scene, below which what cameras see is not refined for being large
_FADING = 0.005  # how strongly opacities are pulled to 0
_KEPT = 60.0  # seconds from one state that is kept to the next


@dataclass(frozen=True, kw_only=True)
class FitRecipe:
    """How a scene is fitted.

    Attributes:
        steps: pictures that are compared. splats: Gaussians at most, with those of the sky.
        degree: of the harmonics of colours, 0 to 3.
        flat: how strongly surfaces without texture are taken to be planes; thin: and to be one behind each pixel.
        seed: of everything random.

    Raises:
        UsageError: a number is out of range.
    """

    steps: int = 3000
    splats: int = 30_000
    degree: int = 0
    flat: float = 0.05
    thin: float = 0.2
    seed: int = 0

    def __post_init__(self) -> None:
        if self.steps < 1 or self.splats < 1 or self.degree not in range(4) or self.flat < 0 or self.thin < 0:
            raise UsageError("a fit needs steps, splats and a degree of colours from 0 to 3, and no negative numbers")


@dataclass(frozen=True, eq=False)
class Fit:
    """A scene that was fitted.

    Attributes:
        scene: the scene. sky: what is far behind it, at no true distance. near: metres, below which nothing is drawn.
        steps: that were taken. losses: float32 `[steps]`.
    """

    scene: GaussianScene
    sky: GaussianScene
    near: float
    steps: int
    losses: Singles


def fitted(
    capture: Capture,
    recipe: FitRecipe | None = None,
    step: Step | None = None,
    *,
    keep: Keep | None = None,
    begin: FitState | None = None,
) -> Fit:
    """Fit a scene to pictures.

    It begins at the points of the capture, and at places that the pictures agree on where these are too few. Gaussians
    follow the gradients of one picture after the other; their number rises up to a budget. Those near planes through
    known points are held on them.

    Args:
        step: called after each step; the fit ends early, and is good, where it returns False.
        keep: called each minute and where the fit ends early.
        begin: a state that was kept of a fit of the same pictures and recipe, from which it goes on.

    Raises:
        SceneError: there are fewer than two pictures, or all were taken from one place.
        FormatError: the state is not of this fit.
    """
    recipe = recipe or FitRecipe()
    if len(capture.photos) < 2:
        raise SceneError(f"a scene is fitted to two pictures at least, not {len(capture.photos)}")
    return _Fitting(capture, recipe).run(step, keep, begin)


_KEPT_ARRAYS = ("on", "pulled", "met", "losses", "order")


class _Fitting:
    def __init__(self, capture: Capture, recipe: FitRecipe) -> None:
        self.recipe, self.capture = recipe, capture
        self.rng = np.random.default_rng(recipe.seed)
        self.around = Around.of(capture.photos)
        self.near = NEAR * self.around.size
        self.numbers = self._begun()
        self.adam = Adam(self.numbers)
        self.on = self.planes.nearest(self.numbers.means)
        self.pulled, self.met = (np.zeros(len(self.numbers), np.float32) for _ in range(2))

    def _begun(self) -> Numbers:
        recipe, around, (points, colours) = self.recipe, self.around, self._known()
        most = max(min(recipe.splats, max(_FEWEST, int(_SHARE * recipe.splats), len(points) + DOME)), 1)
        dome = sky(self.capture.photos, around, recipe.degree, points)
        dome = dome.taken(self.rng.permutation(len(dome))[: most // 4])
        self.planes = Planes.through(points[: most - len(dome)])
        known = laid(self.planes, colours[: most - len(dome)], recipe.degree, around.size)
        left = most - len(dome) - len(known)
        if left > most // 2:
            found, painted = swept(self.capture, around, left, self.rng)
            known = known.joined(begun(found[:left], painted[:left], recipe.degree, around.size))
        return known.joined(dome)

    def _known(self) -> tuple[Singles, Singles]:
        """Known points and their colours; of many, some."""
        kept = ~Planes.through(self.capture.points).astray
        points, colours = self.capture.points[kept], self.capture.colours[kept]
        most = int(_KNOWN * self.recipe.splats)
        if len(points) <= most:
            return points, colours
        chosen = self.rng.choice(len(points), most, replace=False)
        return points[chosen], colours[chosen]

    def run(self, step: Step | None, keep: Keep | None, begin: FitState | None) -> Fit:
        """All steps, or as many as are wanted."""
        self.losses = np.zeros(self.recipe.steps, np.float32)
        self.order: Ints = np.zeros(0, np.int64)
        begun = done = 0 if begin is None else self._restored(begin)
        kept_at = time.monotonic()
        for done in range(begun + 1, self.recipe.steps + 1):
            if not len(self.order):
                self.order = self.rng.permutation(len(self.capture.photos))
            number, self.order = int(self.order[-1]), self.order[:-1]
            self.losses[done - 1] = self._step(self.capture.photos[number], done)
            if done % _REFINED == 0:
                self._refine(done)
            goes_on = step is None or step(done, float(self.losses[done - 1]))
            if keep is not None and done < self.recipe.steps and not (goes_on and time.monotonic() < kept_at + _KEPT):
                keep(self._state(done))
                kept_at = time.monotonic()
            if not goes_on:
                break
        kept = self.numbers.taken(density.thinned(self.numbers, self.around))
        far = self.around.far(kept.means)
        return Fit(kept.taken(~far).scene(), kept.taken(far).scene("sky"), self.near, done, self.losses[:done])

    def _state(self, done: int) -> FitState:
        parts = {"numbers": self.numbers, "first": self.adam.first, "second": self.adam.second}
        arrays = {f"{part}.{name}": getattr(of, name) for part, of in parts.items() for name in NAMES}
        arrays |= {name: getattr(self, name) for name in _KEPT_ARRAYS}
        return FitState(arrays, self.rng.bit_generator.state, done)

    def _restored(self, state: FitState) -> int:
        """Take up a state; the steps that are done."""
        arrays = state.arrays
        try:
            for name, here in self._state(0).arrays.items():
                if (arrays[name].dtype, arrays[name].shape[1:]) != (here.dtype, here.shape[1:]):
                    raise ValueError
            lengths = {len(array) for name, array in arrays.items() if name not in ("losses", "order")}
            whole = len(lengths) == 1 and len(arrays["losses"]) == self.recipe.steps
            if not whole or not 0 < state.steps < self.recipe.steps:
                raise ValueError
            parts = [Numbers(*(arrays[f"{part}.{name}"] for name in NAMES)) for part in ("numbers", "first", "second")]
            self.rng.bit_generator.state = dict(state.random)
        except (KeyError, ValueError, TypeError, IndexError):
            raise FormatError("the state of a fit that was kept is not whole; begin anew") from None
        self.numbers, self.adam.first, self.adam.second = parts
        self.adam.steps = state.steps
        for name in _KEPT_ARRAYS:
            setattr(self, name, arrays[name])
        return state.steps

    def _step(self, photo: Photo, done: int) -> float:
        drawn = draw(self.numbers, photo.lens, self.near)
        target = photo.picture.astype(np.float32) / np.float32(255.0)
        background = self.rng.random(3, np.float32)  # what is opaque in pictures must be so in the scene
        shown = drawn.over(background)
        if photo.mask is not None:
            target = np.where(photo.mask[..., None], target, shown)
        loss, gradient = similarity.loss(shown, target)
        weights = planes.bend_weights(target)
        to_mean, to_square, to_clear = planes.prior(
            drawn.sums, drawn.clear, weights, self.recipe.flat, self.recipe.thin
        )
        wanted = np.concatenate([gradient, to_mean[..., None], to_square[..., None]], axis=-1)
        of_clear = gradient @ background + to_clear
        gradients, pulled = pull(self.numbers, drawn, wanted, of_clear)
        opacities = 1.0 / (1.0 + np.exp(-self.numbers.logits))
        gradients.logits += np.float32(_FADING / len(self.numbers)) * opacities * (1.0 - opacities)
        near = np.minimum(drawn.seen[:, tiles.DEPTH] / np.float32(_CLOSE * self.around.size), 1.0)
        pulled[drawn.named] *= near * near
        self.pulled += pulled * np.float32(max(photo.lens.width, photo.lens.height))
        self.met[drawn.named] += 1.0
        share = (done - 1) / max(self.recipe.steps - 1, 1)
        first = _FIRST_KNOWN if self.planes.flat.any() else _FIRST
        pace = self.around.size * first * (_LAST / first) ** share
        self.adam.step(self.numbers, gradients, {"means": pace, **_RATES})
        if done % _HELD == 0:
            self.planes.hold(self.numbers, self.on)
        return loss

    def _refine(self, done: int) -> None:
        kept = density.thinned(self.numbers, self.around)
        numbers = self.numbers.taken(kept)
        pulls = (self.pulled / np.maximum(self.met, np.float32(1.0))).astype(np.float32)[kept]
        new = np.zeros(len(kept), np.bool_)
        left = max((_GROWING * self.recipe.steps - done) / _REFINED, 0.0)
        if left > 0.0:
            wanted = len(numbers) * (self.recipe.splats / max(len(numbers), 1)) ** (1.0 / max(left, 1.0))
            more = int(min(wanted, self.recipe.splats) - len(numbers))
            if more > 0:
                numbers, of = density.grown(numbers, pulls, more)
                new = np.arange(len(of)) >= len(kept)
                new[of[new]] = True
                kept = kept[of]
        self.numbers = numbers
        self.adam.kept(kept, new)
        self.on = self.planes.nearest(self.numbers.means)
        self.pulled, self.met = (np.zeros(len(numbers), np.float32) for _ in range(2))


def foretold(fit: Fit, lens: Lens) -> Singles:
    """What a camera would see of a fit and its sky `[H, W, 3]`, sRGB."""
    return draw(Numbers.of(fit.scene.joined(fit.sky)), lens, fit.near).over(np.full(3, 0.5, np.float32))


def decibels_of(fit: Fit, photos: tuple[Photo, ...]) -> float:
    """Mean peak signal-to-noise ratio of a fit in photos, which it may have seen or not; masked pixels do not count."""
    found = []
    for photo in photos:
        shown, target = foretold(fit, photo.lens), photo.picture.astype(np.float32) / np.float32(255.0)
        counted = slice(None) if photo.mask is None else photo.mask
        found.append(similarity.decibels(shown[counted], target[counted]))
    return float(np.mean(found))
