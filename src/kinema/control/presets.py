"""Ready-made controllers."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kinema import plugins
from kinema.control.adjust import Adjustment
from kinema.control.augment import subject_of
from kinema.control.controller import Controller, Settings
from kinema.control.family import Family, FollowsGround
from kinema.control.foot_lock import FootLock
from kinema.control.footfall import HipDrop
from kinema.control.leg_reach import knee_hinges, sole_ends
from kinema.control.motion_matching import MotionMatching
from kinema.control.paces import paces_of
from kinema.control.subject import open_subject
from kinema.control.trajectory import Trajectory
from kinema.errors import UsageError
from kinema.features.presets import motion_matching
from kinema.features.spec import FeatureSpec
from kinema.mocap.contacts import relative_size, swing_time, tempo
from kinema.mocap.creatures import CREATURES, PLANS
from kinema.mocap.database import MotionDatabase
from kinema.mocap.legs import find_legs
from kinema.mocap.styles import mix_of
from kinema.roles import require_legs
from kinema.skeleton import Skeleton

if TYPE_CHECKING:
    from kinema.control.networks import NetworkFamily

WEIGHTS = Path(__file__).parents[1] / "weights"
"""Networks that come with Kinema, a folder each."""

_SAMPLED = 4096
_SWING = 0.45  # seconds that a foot of an adult is off the ground in a step, at least
_QUICKEST = 0.2  # tempo, relative to an adult
_SINKING = 0.25  # share of their height by which hips sink at most; those of legs that reach sideways are low
_PARTS = [name for name in (*Family.__annotations__, *vars(Family)) if not name.startswith("_")]


FamilyMaker = Callable[..., Family | Controller]
"""The class of a family, or a function. Called with a database, and with `spec=` if features were chosen."""

SpecMaker = Callable[[Skeleton], FeatureSpec]
"""Makes the features that a family uses for a skeleton."""


def motion_matching_controller(
    database: MotionDatabase,
    settings: Settings | None = None,
    allowed: NDArray[np.bool_] | None = None,
    spec: FeatureSpec | None = None,
) -> Controller:
    """A controller with motion matching, adjustment and foot lock for a database of a body with legs.

    Args:
        spec: the features to search; see `MotionMatching`.
        allowed: bool `[N]`, frames that may be played; default all. Selects one style, for example.

    Raises:
        SkeletonError: the skeleton has no legs.
    """
    require_legs(database.skeleton)
    return with_stages(MotionMatching(database, spec, allowed=allowed), database, settings)


FAMILIES: dict[str, FamilyMaker] = {"motion-matching": motion_matching_controller}
SPECS: dict[str, SpecMaker] = {"motion-matching": motion_matching}


@dataclass(frozen=True)
class ControllerMaker:
    """Makes controllers of a family from databases; see `controller_maker`.

    Attributes:
        family: as it was named. maker, describe: what the names stand for. style: as for `controller_maker`.
        weights: the folder of the family's network, if it has one.
    """

    family: object
    maker: FamilyMaker
    describe: SpecMaker | None = None
    style: str | None = None
    weights: Path | None = None

    def __call__(self, database: MotionDatabase) -> Controller:
        options = {} if self.describe is None else {"spec": self.describe(database.skeleton)}
        made = self.maker(database, **options)
        if isinstance(made, Controller):
            return self._styled(made)
        missing = [name for name in _PARTS if not hasattr(made, name)]
        if missing:
            raise UsageError(
                f"{self.family} makes a {type(made).__name__}, not a controller family: no {', '.join(missing)}"
            )
        return self._styled(with_stages(made, database))

    def subject(self) -> MotionDatabase | None:
        """Poses of the body that the family's network was trained for; None for families that need data."""
        return None if self.weights is None else subject_of(_network(self.weights))

    def _styled(self, controller: Controller) -> Controller:
        file = Path(self.style or "")
        if file.suffix and file.is_file():
            controller.style = _guided(controller, file)
        elif self.style:
            check_styles(controller, [self.style])
            controller.style = self.style
        return controller


def _guided(controller: Controller, path: Path) -> str:
    """Give a family the style of a file, whose poses are held as it should be; returns the name of the style."""
    guide = getattr(controller.family, "guide", None)
    if guide is None:
        raise UsageError(f"{path}: only networks that are guided by poses take a file as a style")
    with open_subject([path]) as database:
        plain = database.only([not clip.mirrored for clip in database.clips])
        guide(path.stem, plain.pose(slice(0, plain.frames)))
    return path.stem


def check_styles(controller: Controller, words: Sequence[str]) -> None:
    """UsageError for a style, or a mix of styles, that the family of a controller does not have."""
    there = getattr(controller.family, "styles", ())
    unknown = [name for one in words for name in mix_of(one) if name not in there]
    if unknown:
        listed = f"there are {', '.join(there)}" if there else "it has no styles"
        raise UsageError(f"no style is named {unknown[0]!r}; {listed}")


def controller_maker(
    family: str | FamilyMaker = "motion-matching",
    features: str | SpecMaker | None = None,
    style: str | None = None,
    creature: str | None = None,
) -> ControllerMaker:
    """A function that makes controllers of a family from databases.

    Args:
        family: a name in `FAMILIES`, your own class or function, or a reference to it: `my_family.py:MyFamily`,
            `mypkg.families:MyFamily`, or an entry point of the group `kinema.families`; or a trained network: one that
            comes with Kinema (`shipped`), or the folder of a run (`kinema train mann`). It gets the stages of
            `with_stages`, unless it returns a controller.
        features: makes the `spec` for a skeleton: a name in `SPECS`, your own function, or a reference to it; entry
            points are of the group `kinema.features`. None leaves the choice to the family.
        style: how the characters move: a style of the family, for motion matching a tag of clips, or a mix of styles;
            see `kinema.mocap.styles.mix_of`. For networks that are guided by poses also a motion file, whose mean pose
            is the style; see `kinema.control.learned.Learned.guide`.
        creature: whose network is meant where one that comes with Kinema is named; None for people.

    Raises:
        UsageError: a name does not exist, or refers to something else; or features are chosen for a network; or there
            is no such network for the creature. Making a controller raises it for a style that the family does not
            have.
    """
    weights = _weights(family, creature) if isinstance(family, str) else None
    if weights is not None and features is not None:
        raise UsageError(f"{family} is a network: it sees the features that it was trained with, not {features}")
    if weights is not None:
        maker: FamilyMaker = functools.partial(_network, weights)
    elif isinstance(family, str):
        # Names of networks were found above; here they are listed if nothing is found.
        maker = plugins.find(family, "kinema.families", FAMILIES | dict.fromkeys((*shipped(), *shipped_of_creatures())))
    else:
        maker = family
    describe = plugins.find(features, "kinema.features", SPECS) if isinstance(features, str) else features
    for name, found in ((family, maker), (features, describe or motion_matching)):
        if not callable(found):
            raise UsageError(f"{name} is a {type(found).__name__}, not a class or a function")
    return ControllerMaker(family, maker, describe, style, weights)


def shipped(creature: str | None = None) -> list[str]:
    """Names of the networks that come with Kinema: those of people, or of a creature."""
    return sorted(path.parent.name for path in (WEIGHTS / (creature or "")).glob("*/spec.json"))


def shipped_of_creatures() -> list[str]:
    """Names of the networks of all creatures, such as `horse/perceptron`; they are names of families, too."""
    found = [path.parent.relative_to(WEIGHTS) for path in WEIGHTS.glob("*/*/spec.json")]
    return sorted(path.as_posix() for path in found if path.parts[0] in {*CREATURES, *PLANS})


def _weights(name: str, creature: str | None) -> Path | None:
    """The folder of the network of a name; None if it is of something else.

    Raises:
        UsageError: it comes with Kinema, but not for the creature.
    """
    if creature and name in shipped(creature):
        return WEIGHTS / creature / name
    if creature and name in shipped():
        there = " ".join(shipped_of_creatures())
        raise UsageError(
            f"no {name} for the body of a {creature} comes with Kinema; there are {there}; leave the family out for "
            "motion matching, or train one: kinema train"
        )
    folder = WEIGHTS / name if name in (*shipped(), *shipped_of_creatures()) else Path(name)
    return folder if name not in FAMILIES and folder.is_dir() else None


def _network(weights: Path, database: MotionDatabase | None = None) -> NetworkFamily:
    """The family of a network, for a body like that of a database."""
    from kinema.control.networks import load_family

    return load_family(weights, None if database is None else database.skeleton)


def with_stages(family: Family, database: MotionDatabase, settings: Settings | None = None) -> Controller:
    """A controller of any family with adjustment and foot lock, for bodies with any number of legs.

    Args:
        database: poses of the family's skeleton, used to estimate the ground and the knees.
        settings: None takes the usual ones, with the turning of the database for bodies that are no people.

    Raises:
        SkeletonError: a contact joint of the database does not end a leg.
    """
    paces, trajectory = paces_of(database), Trajectory.start(1)
    trajectory.sideways = paces.sideways
    adjustment = Adjustment(trajectory, size=relative_size(database.skeleton))
    own = settings or Settings(heading_halflife=paces.heading_halflife)
    return Controller(family, own, trajectory, [adjustment, foot_lock(database, family, trajectory)])


def foot_lock(database: MotionDatabase, family: Family | None = None, trajectory: Trajectory | None = None) -> FootLock:
    """The foot lock for a database's skeleton. The knees are estimated from its poses.

    Args:
        family: the family whose plans predict which feet are about to touch the ground.
        trajectory: the simulated objects of the controller, for feet that come down where the command leads.
    """
    frames = np.linspace(0, database.frames - 1, min(database.frames, _SAMPLED)).astype(np.int64)
    legs = find_legs(database.skeleton, database.contact_joints)
    heights = np.full(len(legs), database.clearance, np.float32)
    ahead = None if family is None else family.sample
    poses = database.pose(frames)
    hinges, ends = knee_hinges(poses, legs), sole_ends(poses, legs, heights)
    size = relative_size(database.skeleton)
    hips = poses.global_positions[:, legs[:, 0], 1] - poses.root_positions[:, None, 1]
    sinking = min(HipDrop.most, _SINKING * float(np.median(hips)) / size)
    adapted = isinstance(family, FollowsGround) and family.follows_ground
    return FootLock(
        database.skeleton,
        legs,
        heights,
        hinges,
        ahead,
        size,
        _tempo(database),
        trajectory=trajectory,
        adapted=adapted,
        ends=ends,
        hips=HipDrop(sinking),
    )


def _tempo(database: MotionDatabase) -> float:
    """The tempo of the steps of a body: that of its size, unless its feet are back on the ground sooner."""
    usual = tempo(database.skeleton)
    swing = swing_time((database.contacts[clip.start : clip.stop] for clip in database.clips), database.fps)
    return usual if swing is None else min(usual, max(swing / _SWING, _QUICKEST))
