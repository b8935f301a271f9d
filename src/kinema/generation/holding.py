"""Holds travel to the speeds, rates of turning and places that are asked for in numbers, while motion is sampled.

The network is told of them, too, but a step that begins near noise decides how far a body goes before legs show it. So
the travel of each prediction is shifted: its mean over a second is as asked, or it leads to the places of a path. The
network sees that in its next step, and legs follow. Where nothing is asked in numbers, nothing is changed.

Through a gap whose two sides are known, a body mostly goes on as it went, and passes evenly to how it goes afterwards;
with each stride it swings as in those that are known. The nearer that leads to where it has to be behind the gap, the
more of the course is taken from it instead of from the network, which wanders.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from kinema.arrays import Bools
from kinema.generation.carrying import Carried, Gap, gaps
from kinema.generation.channels import FPS, TRAVEL
from kinema.generation.conditions import PATH_SCALE, SECOND, SPEED, TURNING
from kinema.generation.model import Scales

_AHEAD = 0.1
"""Share of the asked speed that counts as going ahead where a prediction goes nowhere."""

_FAR = 0.2
"""Share of its way by which an even course through a gap may miss the other side, so that it counts for half."""


class Holding:
    """Shifts travel towards what is asked.

    Args:
        asked: `[B, P, ASKED]`, see `conditions.asked`. path: `[B, P, PATH]`, see `conditions.places`; where it is
            given, it decides. patch: frames of a patch.
        scales: of the flow.
        known: bool `[T]`: frames whose travel is known; None for none.
        carried: what strides make of the gaps of known frames; None leaves them to the network.
    """

    def __init__(
        self,
        asked: Tensor,
        path: Tensor,
        patch: int,
        scales: Scales,
        known: Bools | None = None,
        carried: Carried | None = None,
    ) -> None:
        self._path, self._patch = path, patch
        self._gaps = [] if known is None or carried is None else gaps(known, patch)
        self._carried = [] if carried is None else [torch.from_numpy(each[:, 0, TRAVEL]).to(path) for each in carried]
        numbers = asked.repeat_interleave(patch, 1)
        self._scales = scales
        self._speed, self._moves = numbers[..., SPEED].square(), numbers[..., SPEED + 1] > 0
        self._turn, self._turns = numbers[..., TURNING], numbers[..., TURNING + 1] > 0

    @property
    def holds(self) -> bool:
        """Whether anything is asked for in numbers."""
        return bool(self._moves.any() or self._turns.any() or self._path[..., -1].any())

    def __call__(self, flowing: Tensor) -> Tensor:
        """Channels `[B, T, K, CHANNELS]`, as the flow has them, with the travel that is asked for."""
        channels = self._scales.restored(flowing)
        travel = channels[:, :, 0, TRAVEL]
        if self._path[..., -1].any():
            channels[:, :, 0, TRAVEL] = self._along_path(travel)
            return self._scales.normalised(channels)
        mean = _averaged(travel)
        course, rate = mean[..., :2], mean[..., 2]
        ahead = course.new_tensor([0.0, 1.0]) * (_AHEAD * self._speed)[..., None]
        wanted = functional.normalize(course + ahead, dim=-1) * self._speed[..., None]
        shift = torch.cat(
            [
                torch.where(self._moves[..., None], wanted - course, 0.0),
                torch.where(self._turns, self._turn - rate, 0.0)[..., None],
            ],
            -1,
        )
        channels[:, :, 0, TRAVEL] = travel + _averaged(shift)
        return self._scales.normalised(channels)

    def _along_path(self, travel: Tensor) -> Tensor:
        """Travel `[B, T, 3]` that leads to the places that are given: first the headings, then the positions."""
        path = self._path.expand(len(travel), -1, -1)
        given = path[..., -1] > 0
        for gap in self._gaps:
            travel = self._through(gap, travel, path)
        heading = _sums(travel[..., 2])
        ends = slice(self._patch - 1, None, self._patch)
        off = torch.atan2(path[..., 2], path[..., 3]) - heading[:, ends]
        off = torch.remainder(off + torch.pi, 2.0 * torch.pi) - torch.pi
        rate = travel[..., 2] + self._made_up(off, given)
        sine, cosine = torch.sin(_sums(rate)), torch.cos(_sums(rate))
        x, z = travel[..., 0] * cosine + travel[..., 1] * sine, travel[..., 1] * cosine - travel[..., 0] * sine
        x = x + self._made_up(path[..., 0] / PATH_SCALE - _sums(x)[:, ends], given)
        z = z + self._made_up(path[..., 1] / PATH_SCALE - _sums(z)[:, ends], given)
        return torch.stack([x * cosine - z * sine, x * sine + z * cosine, rate], -1)

    def _through(self, gap: Gap, travel: Tensor, path: Tensor) -> Tensor:
        """Travel `[B, T, 3]` whose course through a gap is more or less even."""
        patch, inside = self._patch, slice(gap.begin, gap.end)
        first, last = gap.begin // patch - 1, -(-(gap.end + 1) // patch) - 1  # patches with places before and behind
        if first < 0 or last >= path.shape[1] or not bool((path[:, (first, last), -1] > 0).all()):
            return travel
        even = travel.clone()
        even[:, inside] = self._even(gap, travel)
        here = slice((first + 1) * patch - 1, (last + 1) * patch)
        missed, way = _missed(even[:, here], path[:, first], path[:, last])
        trusted = 1.0 / (1.0 + (missed / (_FAR * way).clamp(min=1e-6)).square())
        return torch.lerp(travel, even, trusted[:, None, None])

    def _even(self, gap: Gap, travel: Tensor) -> Tensor:
        """Travel `[B, N, 3]` inside a gap: with the swings of strides; what these do not explain, as the network."""
        inside = slice(gap.begin, gap.end)
        mean, swung, trust = (each[inside] for each in self._carried)
        return torch.lerp(mean + (travel - _averaged(travel))[:, inside], swung, trust)

    def _made_up(self, off: Tensor, given: Tensor) -> Tensor:
        """Velocities `[B, T]` that make up for being off by `[B, P]` at the ends of patches, evenly in between."""
        count = given.shape[1]
        number = torch.arange(count, device=off.device)
        before = torch.cummax(torch.where(given, number, -1), 1)[0]
        behind = torch.flip(torch.cummin(torch.flip(torch.where(given, number, count), (1,)), 1)[0], (1,))
        known = torch.where(before >= 0, off.gather(1, before.clamp(min=0)), 0.0)
        coming = torch.where(behind < count, off.gather(1, behind.clamp(max=count - 1)), known)
        share = torch.where(behind > before, (number - before) / (behind - before).clamp(min=1), 0.0)
        between = torch.lerp(known, coming, share)
        steps = torch.diff(between, dim=1, prepend=torch.zeros_like(between[:, :1]))
        frames = torch.full_like(steps, self._patch)
        frames[:, 0] = self._patch - 1
        made_up = (steps / frames * FPS).repeat_interleave(self._patch, 1)
        return torch.cat([made_up[:, 1:], made_up[:, -1:]], 1)


def _missed(travel: Tensor, start: Tensor, goal: Tensor) -> tuple[Tensor, Tensor]:
    """How far `[B]` travel `[B, N, 3]` ends from a place, units, and how long its way is.

    Args:
        start, goal: `[B, PATH]`: where it begins and where its last frame should be, see `conditions.places`.
    """
    heading = torch.atan2(start[:, 2], start[:, 3])[:, None] + _sums(travel[..., 2])
    sine, cosine = torch.sin(heading), torch.cos(heading)
    x, z = travel[..., 0] * cosine + travel[..., 1] * sine, travel[..., 1] * cosine - travel[..., 0] * sine
    made = torch.stack([x, z], -1)[:, :-1].sum(1) / FPS
    wanted = (goal[:, :2] - start[:, :2]) / PATH_SCALE
    return (made - wanted).norm(dim=-1), travel[:, :-1, :2].norm(dim=-1).sum(1) / FPS


def _sums(rates: Tensor) -> Tensor:
    """What rates `[B, T]`, a second, have added up to at the beginning of each frame."""
    sums = torch.cumsum(rates, 1) / FPS
    return torch.cat([torch.zeros_like(sums[:, :1]), sums[:, :-1]], 1)


def _averaged(values: Tensor) -> Tensor:
    """Means `[B, T, C]` over a second around each frame, or what there is of it."""
    window = min(SECOND, values.shape[1])
    means = functional.avg_pool1d(values.transpose(1, 2), window, 1, window // 2, count_include_pad=False)
    return means[..., : values.shape[1]].transpose(1, 2)
