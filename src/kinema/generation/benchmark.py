"""A small, honest benchmark of generated motion.

For each rig, the ground truth is cut into pieces, and a generator is asked for what some of them do, so that what it
makes can be compared with them window by window. Then it is asked for speeds and turns, and to fill gaps. The ground
truth itself, one half of it against the other, a frozen mean pose and the rest pose are measured beside it: they say
what a figure is worth; beside gaps that it fills stand those filled by known strides alone, without a network. The feet
of what is made are planted, as `kinema.generate` does by default, and the same motion without that is measured, too;
agreement is always that of what the network says. The ground truth covers a little less than all of itself where clips
are no whole number of pieces. Its skate ratio may be below 1, since ratios are to
`kinema.generation.measures.LEAST_SKATE` at least.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kinema.errors import DatabaseError
from kinema.generation import measures
from kinema.generation.bridging import GAPS, gap_error, interpolated
from kinema.generation.channels import FPS
from kinema.generation.classifier import FRAMES, ActionModel, judged
from kinema.generation.classifier_task import accuracy
from kinema.generation.collection import MotionCollection
from kinema.generation.compatibility import compatibility
from kinema.generation.likeness import coverage, diversity, frame_features, off_manifold
from kinema.generation.measures import Skate
from kinema.generation.planting import plant
from kinema.generation.request import Request, Sampler, carried_on
from kinema.generation.rig_truth import AskedPiece, RigTruth, joined
from kinema.generation.takes import Takes, mean_pose, rest_pose
from kinema.generation.wishes import Wish

MODEL, LOOSE, TRUTH = "model", "model, feet not planted", "ground truth"
HALVES, FROZEN, RESTING = "half against half", "frozen pose", "rest pose"
CARRIED = "known strides carried on"
"""Names of rows."""

SEEN, HELD = "seen", "held out"
"""Groups of rigs: trained with, and not."""

Figures = dict[str, float | None]
"""Figures by name; None where one does not apply."""

_SETTLED = 10  # frames after the beginning of a wish before its action is judged


@dataclass(frozen=True)
class Protocol:
    """How much is measured.

    Attributes:
        samples: pieces of the ground truth a rig that are asked for. frames: their length.
        seeds: of the noise and of every choice. clips: of the ground truth, a rig, at most.
        bridges: gaps of each length a rig.
        texts: whether texts are asked for; else actions, speeds and yaw rates.
        compatible: whether to add the figures of `kinema.generation.compatibility`.
    """

    samples: int = 20
    frames: int = 120
    seeds: tuple[int, ...] = (0, 1, 2)
    clips: int = 40
    bridges: int = 4
    texts: bool = False
    compatible: bool = False


@dataclass(frozen=True, eq=False)
class Benchmark:
    """A benchmark on rigs of a collection.

    Attributes:
        rigs: indices of the rigs that are measured; None for all.
        classifier: what tells whether the action is the one that was asked; None leaves that out.
    """

    collection: MotionCollection
    rigs: tuple[int, ...] | None = None
    protocol: Protocol = Protocol()
    classifier: ActionModel | None = None

    def run(self, sample: Sampler) -> list[dict[str, Any]]:
        """Rows by name and group of rigs: see `summary`."""
        return summary(list(self.details(sample)))

    def details(self, sample: Sampler) -> Iterator[dict[str, Any]]:
        """Figures of each row, rig and seed, with keys `name`, `group`, `rig`, `plan` and `seed`.

        Raises:
            DatabaseError: a rig has too few clips, or none was chosen.
        """
        rigs = range(len(self.collection.rigs)) if self.rigs is None else self.rigs
        if not rigs:
            raise DatabaseError(f"{self.collection.path}: no rig to measure")
        ruler = {group: self._ruler(group == HELD) for group in (SEEN, HELD)}
        for rig in rigs:
            record = self.collection.rigs[rig]
            group = HELD if record.held else SEEN
            protocol = self.protocol
            truth = RigTruth.of(self.collection, rig, protocol.frames, protocol.clips, protocol.texts)
            about = {"group": group, "rig": record.name, "plan": record.plan}
            for seed in protocol.seeds:
                for name, figures in self._rows(truth, sample, seed):
                    yield {"name": name, **about, "seed": seed, **figures, **ruler[group]}

    def _ruler(self, unseen: bool) -> Figures:
        """How good the classifier itself is on held-out ground truth of a group, which is said wherever it judges."""
        if self.classifier is None:
            return {}
        return {"classifier_percent": accuracy(self.classifier, self.collection, unseen)}

    def _rows(self, truth: RigTruth, sample: Sampler, seed: int) -> Iterator[tuple[str, Figures]]:
        pieces = truth.drawn_pieces(self.protocol.samples, seed)
        began = time.perf_counter()
        made = [
            sample(Request(truth.rig, truth.frames, piece.wishes, _seed(seed, number)))
            for number, piece in enumerate(pieces)
        ]
        takes = joined(truth.rig, made, truth.frames)
        held = Takes(truth.rig, np.stack([plant(truth.rig, channels) for channels in takes.channels]))
        seconds = (time.perf_counter() - began) / (len(pieces) * truth.frames / FPS)
        loose = self._figures(takes, pieces, truth, seed)
        yield (
            MODEL,
            {
                **self._figures(held, pieces, truth, seed),
                "agreement_percent": loose["agreement_percent"],
                **control(truth, sample, seed),
                **bridging(truth, sample, self.protocol.bridges, seed),
                "seconds_per_second": seconds,
            },
        )
        yield LOOSE, loose
        yield CARRIED, bridging(truth, carried_on, self.protocol.bridges, seed)
        yield TRUTH, self._figures(truth.takes, truth.pieces, truth, seed)
        yield HALVES, self._halves(truth, seed)
        for name, pose in (
            (FROZEN, mean_pose(truth.channels, truth.frames)),
            (RESTING, rest_pose(truth.rig, truth.frames)),
        ):
            still = Takes(truth.rig, np.repeat(pose[None], len(pieces), axis=0))
            yield name, self._figures(still, pieces, truth, seed)

    def _figures(self, takes: Takes, pieces: Sequence[AskedPiece], truth: RigTruth, seed: int) -> Figures:
        return {
            "agreement_percent": measures.agreement(takes),
            "jerk_ratio": measures.jerk(takes) / max(truth.jerk, 1e-6),
            **standing(takes, pieces, truth),
            **self._likeness(takes, truth, np.arange(len(truth.clips)), seed),
            **({} if self.classifier is None else actions(self.classifier, takes, pieces)),
        }

    def _halves(self, truth: RigTruth, seed: int) -> Figures:
        """One half of the ground truth, as if it were generated, against the other."""
        first, second = truth.halves(seed)
        mine = [at for at, piece in enumerate(truth.pieces) if piece.clip in second]
        return self._likeness(Takes(truth.rig, truth.takes.channels[mine]), truth, first, seed)

    def _likeness(self, takes: Takes, truth: RigTruth, clips: np.ndarray, seed: int) -> Figures:
        """Figures of `kinema.generation.likeness` against some clips of the ground truth."""
        made = list(frame_features(takes))
        right, still = ([every[at] for at in clips.tolist()] for every in (truth.features, truth.still))
        usual = diversity(list(frame_features(truth.takes)), seed)
        mine = diversity(made, seed) if len(made) > 1 else (None, None)
        figures: Figures = {
            "coverage": coverage(right, still, made),
            "nearest_ratio": off_manifold(made, right, truth.usual_distance(seed)),
            **{
                f"{name}_ratio": None if value is None else value / max(other, 1e-6)
                for name, value, other in zip(("inter", "intra"), mine, usual, strict=True)
            },
        }
        if self.protocol.compatible:
            published = compatibility(truth.rig, [truth.channels[at] for at in clips.tolist()], takes.channels, seed)
            figures |= {f"published {name}": value for name, value in published.items()}
        return figures


def standing(takes: Takes, pieces: Sequence[AskedPiece], truth: RigTruth) -> Figures:
    """Figures of feet; all None for rigs without.

    Something should stand in actions in which the ground truth always does, and when the motion says so itself.
    """
    names = ("skate_ratio", "skate_excess_percent", "contact_ratio", "low_ratio", "float_percent")
    if truth.feet is None or truth.skate is None:
        return dict.fromkeys(names)
    skate = Skate.of(takes, truth.feet)
    done = np.stack([piece.actions for piece in pieces])
    stands = (truth.standing[done] & (done >= 0)) | truth.feet.planted(takes).any(axis=-1)
    excess = None if skate.low is None or truth.skate.low is None else measures.percent(skate.low - truth.skate.low)
    return {
        "skate_ratio": skate.ratio_to(truth.skate),
        "skate_excess_percent": excess,
        "contact_ratio": skate.planted_share / max(truth.skate.planted_share, 1e-6),
        "low_ratio": skate.low_share / max(truth.skate.low_share, 1e-6),
        "float_percent": measures.float_error(takes, truth.feet, stands),
    }


def actions(classifier: ActionModel, takes: Takes, pieces: Sequence[AskedPiece]) -> Figures:
    """Share of the actions asked for that the classifier finds, in percent; None if none lasts long enough."""
    windows, asked = [], []
    for channels, piece in zip(takes.channels, pieces, strict=True):
        for start, stop in _runs(piece.actions):
            begin = start + _SETTLED * (start > 0)
            if piece.actions[start] >= 0 and stop - begin >= FRAMES:
                begin += (stop - begin - FRAMES) // 2
                windows.append(channels[begin : begin + FRAMES])
                asked.append(piece.actions[start])
    if not windows:
        return {"action_percent": None}
    found = judged(classifier, Takes(takes.rig, np.stack(windows))).argmax(-1)
    return {"action_percent": 100.0 * float((found == np.asarray(asked)).mean())}


def _runs(values: np.ndarray) -> list[tuple[int, int]]:
    """First and behind the last index of stretches of equal values."""
    ends = np.concatenate([np.flatnonzero(np.diff(values)) + 1, [len(values)]]).tolist()
    return list(zip([0, *ends[:-1]], ends, strict=True))


def control(truth: RigTruth, sample: Sampler, seed: int) -> Figures:
    """How speeds and yaw rates are obeyed; None where the ground truth has none."""
    asked = truth.controls()
    speeds, turns = np.asarray(asked).reshape(-1, 2).T
    made = [
        sample(Request(truth.rig, truth.frames, (Wish(speed=speed * truth.rig.unit, turn=turn),), _seed(seed, number)))
        for number, (speed, turn) in enumerate(asked)
    ]
    takes, turned = joined(truth.rig, made, truth.frames), turns != 0
    around = joined(truth.rig, [each for each, on in zip(made, turned, strict=True) if on], truth.frames)
    return {
        "speed_error_percent": float(measures.speed_errors(takes, speeds).mean()) if asked else None,
        "turn_obeyed_percent": 100.0 * float(measures.turns_obeyed(around, turns[turned]).mean())
        if turned.any()
        else None,
    }


def bridging(truth: RigTruth, sample: Sampler, most: int, seed: int) -> Figures:
    """Errors in gaps over those of interpolation, and whether what was known is kept; None without locomotion."""
    figures: Figures = {}
    kept: list[float] = []
    for gap in GAPS:
        errors = []
        for request, right, missing in truth.bridges(gap, most, seed):
            made = sample(request)
            takes = Takes(truth.rig, made)
            plain = gap_error(interpolated(right, missing), right, missing)
            errors.append((gap_error(takes.global_positions[:, missing], right, missing), plain))
            if request.known is not None:
                known = request.known
                kept.append(measures.exactness(made, known.channels, known.joints, known.root))
        mine, plain = np.asarray(errors).reshape(-1, 2).sum(axis=0)
        figures[f"bridge_{gap}_ratio"] = float(mine / max(plain, 1e-6)) if errors else None
    return {**figures, "kept_error": max(kept, default=None)}


def chosen_rigs(collection: MotionCollection, count: int) -> list[int]:
    """`count` rigs of each plan that were trained with, and as many that were not, as far as there are."""
    chosen: list[int] = []
    for held in (False, True):
        for plan in dict.fromkeys(rig.plan for rig in collection.rigs):
            matching = [n for n, rig in enumerate(collection.rigs) if (rig.plan, rig.held) == (plan, held)]
            chosen += matching[:count]
    return chosen


def summary(details: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows by name and group: means of figures over rigs and seeds, with `<figure>_spread`.

    The spread is the standard deviation, over seeds, of means over rigs; None with one seed. Rigs to which a figure
    does not apply are left out of it.
    """
    keys = {"name", "group", "rig", "plan", "seed"}
    rows = []
    for name, group in dict.fromkeys((each["name"], each["group"]) for each in details):
        mine = [each for each in details if (each["name"], each["group"]) == (name, group)]
        row: dict[str, Any] = {"name": name, "group": group, "rigs": len({each["rig"] for each in mine})}
        for figure in dict.fromkeys(key for each in mine for key in each if key not in keys):
            row[figure], row[f"{figure}_spread"] = _over_seeds(mine, figure)
        rows.append(row)
    return rows


def _over_seeds(details: Sequence[Mapping[str, Any]], figure: str) -> tuple[float | None, float | None]:
    by_seed: dict[int, list[float]] = {}
    for each in details:
        if each.get(figure) is not None:
            by_seed.setdefault(each["seed"], []).append(each[figure])
    means = [float(np.mean(values)) for values in by_seed.values()]
    if not means:
        return None, None
    return float(np.mean(means)), float(np.std(means, ddof=1)) if len(means) > 1 else None


def _seed(seed: int, number: int) -> int:
    """A seed for each request."""
    return 1000 * seed + number
