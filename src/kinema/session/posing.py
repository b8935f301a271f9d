"""Poses a character by hand: handles on its body, and the pose in which they are where they were put.

The pose follows from that of the clip and from where handles were put, not from the way there: it does not drift. It
belongs to one frame and is gone when the playhead moves. The clip stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kinema import ik, rotations
from kinema.arrays import Floats
from kinema.errors import ControlError
from kinema.ik import Task
from kinema.ik.masses import mass_centre
from kinema.pose import Pose
from kinema.roles.rest import rest_pose
from kinema.session.loading import Loader
from kinema.session.log import Log
from kinema.session.playhead import Playhead
from kinema.session.settings import Action, SessionSetting, Switch
from kinema.skeleton import Skeleton

ENDS = {"arm": "hand", "leg": "foot", "front_leg": "front_foot"}
"""What is at the end of a limb, by the kind of its chain; handles are named after it."""

TRUNK = ("spine", "neck", "head")

GAZE = 0.3
"""Distance of the handle that the head looks at from the head, in heights of the character."""

FURTHEST = 1e3
"""Metres from the origin within which a handle may be put."""

STIFF = 0.01
"""Weight of the posture, per radian."""

SUPPLE = 0.001
"""Weight of the posture of an arm whose hand is dragged, per radian: it moves first."""

HIPS = 0.03
"""Weight of the place of the hips, per metre."""

BALANCE = 0.05
"""Weight of the centre of mass, per metre: the trunk does not lean to where a foot is lifted."""


@dataclass(frozen=True, eq=False)
class Rig:
    """The handles of a skeleton, and what moves when they are dragged.

    Attributes:
        joints: the joint of each handle, by name. The head has a second one, `gaze`, which it looks at.
        feet: those that stay where they are until they are dragged.
        moving: the joints that rotate.
        arms: the joints of each arm, by the name of its handle.
        sight: unit vector `[3]` in the head's frame, toward the gaze.
        size: height of the character, metres.
    """

    joints: Mapping[str, int]
    feet: frozenset[str]
    moving: frozenset[int]
    arms: Mapping[str, tuple[int, ...]]
    sight: Floats
    size: float

    @staticmethod
    def of(skeleton: Skeleton) -> Rig:
        """The handles of any body."""
        roles, stance = skeleton.roles, rest_pose(skeleton)
        joints, moving, sight = {"hips": roles.hips}, {roles.hips}, stance.forward.astype(np.float64)
        feet, arms = set[str](), dict[str, tuple[int, ...]]()
        for chain in roles.chains:
            if chain.kind in TRUNK:
                moving.update(chain.joints)
            if chain.kind not in ENDS:
                continue
            name = replace(chain, kind=ENDS[chain.kind]).name
            ends = [at for at, joint in enumerate(chain.joints) if roles.parts[joint] in ("hand", "foot")]
            limb = chain.joints[: ends[-1] + 1] if ends else chain.joints
            joints[name] = limb[-1]
            moving.update(limb)
            if chain.kind == "arm":
                arms[name] = limb
            else:
                feet.add(name)
        if roles.head is not None:
            joints |= {"head": roles.head, "gaze": roles.head}
            moving.add(roles.head)
            turned = skeleton.rest_pose.global_rotations[roles.head].astype(np.float64)
            sight = rotations.inverse_rotate(turned, sight)
        return Rig(joints, frozenset(feet), frozenset(moving), arms, sight, stance.height)

    @property
    def hips(self) -> int:
        """The joint that carries the body; it translates."""
        return self.joints["hips"]

    def places(self, pose: Pose) -> dict[str, Floats]:
        """Where the handles of a pose are, `[3]` each, metres."""
        placed, turned = pose.global_positions.astype(np.float64), pose.global_rotations.astype(np.float64)
        found = {name: placed[joint] for name, joint in self.joints.items()}
        if "gaze" in found:
            found["gaze"] = found["gaze"] + GAZE * self.size * rotations.rotate(turned[self.joints["gaze"]], self.sight)
        return found

    def solve(self, pose: Pose, put: Mapping[str, Floats]) -> Pose:
        """The pose near a given one in which handles are where they were put, as far as the body reaches.

        Feet that were not moved stay, whatever the others ask for. If they came first from the start, the solver would
        creep; so all tasks are alike at first.

        Args:
            put: positions `[3]` of handles by name, metres. Where one is further away than the body is tall, only its
                direction counts.
        """
        tasks = self._tasks(pose, put)
        start = ik.solve(pose, [replace(task, level=0) for task in tasks], moving=self.moving, sliding=[self.hips])
        return ik.solve(start, tasks, moving=self.moving, sliding=[self.hips])

    def _tasks(self, pose: Pose, put: Mapping[str, Floats]) -> list[Task]:
        now, turned = self.places(pose), pose.global_rotations
        stiffness = np.full(pose.skeleton.joint_count, STIFF)
        stiffness[[joint for name in self.arms.keys() & put.keys() for joint in self.arms[name]]] = SUPPLE
        tasks: list[Task] = [
            ik.Posture(pose.local_rotations, stiffness, level=1),
            ik.Balance(mass_centre(pose), BALANCE, level=1),
        ]
        if "hips" not in put:
            tasks.append(ik.Reach(self.hips, now["hips"], HIPS, level=1))
        for name, joint in self.joints.items():
            if name not in put and name not in self.feet:
                continue
            level = int(name in put)
            way = put.get(name, now[name]) - now[name]
            target = now[name] + way * min(1.0, self.size / max(float(np.linalg.norm(way)), 1e-9))
            if name == "gaze":
                tasks.append(ik.LookAt(joint, target, direction=self.sight, level=level))
            else:
                tasks.append(ik.Reach(joint, target, level=level))
            if name in self.feet:
                tasks.append(ik.Orient(joint, turned[joint], level=level))
        return tasks


class Posing:
    """Handles on the character of a clip, while they are on.

    Attributes:
        on: whether there are handles. places: where they are, `[3]` each, by name; empty until they are ready.
        put: where handles were put, by name.
        version: increases with every change.
    """

    def __init__(self, playhead: Playhead, log: Log) -> None:
        self.on = False
        self.places: dict[str, Floats] = {}
        self.put: dict[str, Floats] = {}
        self.version = 0
        self._playhead, self._log = playhead, log
        self._rig: tuple[Skeleton, Rig] | None = None
        self._moment: tuple[object, float] | None = None
        self._solved: tuple[int, Pose] | None = None
        self._loader: Loader[tuple[Skeleton, Rig]] = Loader()

    @property
    def waiting(self) -> str:
        """What is being prepared; empty if nothing is."""
        return self._loader.what

    def switch(self, on: bool) -> None:
        """Pause and show the handles, or hide them and show the clip again."""
        self.on, self._playhead.playing = on, self._playhead.playing and not on
        self.reset()

    def reset(self) -> None:
        """Return to the pose of the clip."""
        self.put, self._solved, self.version = {}, None, self.version + 1

    def drag(self, name: str, position: object) -> None:
        """Put a handle somewhere, and pause.

        Args:
            position: `[3]`, metres.

        Raises:
            ControlError: there is no such handle, or the position is not three numbers within `FURTHEST`.
        """
        if name not in self.places:
            raise ControlError(f"there is no handle {name!r:.40}")
        if not _is_place(position):
            raise ControlError(f"a handle is put at three numbers up to {FURTHEST:g} m, not {position!r:.60}")
        self._playhead.playing = False
        self.put[name], self.version = np.array(position, np.float64), self.version + 1

    def release(self, name: str) -> None:
        """Let a handle go: it stays where the body reached, however far it was dragged."""
        if name in self.put:
            self.put[name], self.version = self.places[name], self.version + 1

    def follow(self, pose: Pose, clip: object) -> Pose:
        """The pose to show in place of one of a clip."""
        moment = clip, self._playhead.time
        if moment != self._moment:
            self._moment = moment
            self.reset()
        rig = self._rig_of(pose) if self.on else None
        if rig is None:
            self.places = {}
            return pose
        if self.put and (self._solved is None or self._solved[0] != self.version):
            self._solved = self.version, rig.solve(pose, self.put)
        shown = pose if self._solved is None else self._solved[1]
        self.places = rig.places(shown)
        return shown

    def _rig_of(self, pose: Pose) -> Rig | None:
        """The handles of a skeleton; None until they are ready, because the solver is compiled when first used."""
        found, error = self._loader.take() or (None, None)
        if found is not None:
            self._rig, self.version = found, self.version + 1
        if error is not None:
            self._log.say(str(error), "error")
            self.switch(False)
        elif self._rig is not None and self._rig[0] is pose.skeleton:
            return self._rig[1]
        elif not self.waiting:
            self._loader.ask("inverse kinematics", lambda: (pose.skeleton, _ready(pose)))
        return None

    def settings(self) -> Sequence[SessionSetting]:
        """The settings, for screens that show handles."""
        hint = "Drag hands, feet, hips and head; the body follows"
        return (
            Switch("Pose", "Handles", hint, lambda: self.on, self.switch),
            Action("Pose", "Reset", "Return to the pose of the clip", self.reset),
        )


def _ready(pose: Pose) -> Rig:
    """The handles of a skeleton, after one solution."""
    rig = Rig.of(pose.skeleton)
    rig.solve(pose, {"hips": rig.places(pose)["hips"]})
    return rig


def _is_place(value: object) -> bool:
    """Whether a value is a position within `FURTHEST`."""
    return isinstance(value, tuple | list | np.ndarray) and len(value) == 3 and all(_is_near(one) for one in value)


def _is_near(value: object) -> bool:
    return isinstance(value, int | float | np.floating) and not isinstance(value, bool) and bool(abs(value) <= FURTHEST)
