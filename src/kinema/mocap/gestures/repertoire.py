"""The gestures that bodies with two legs know. To add one, add a row: its keys are postures at seconds.

A gesture that is held, such as sitting, has a stretch that lasts as long as it should; one that is done several times
repeats its middle.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kinema.errors import UsageError
from kinema.mocap.gestures.posture import Key, KeyPosture

_REST = KeyPosture()


@dataclass(frozen=True)
class GestureKeys:
    """A gesture.

    Attributes:
        keys: seconds and postures; the first and the last are at rest.
        repeat: the numbers of the two keys between which it repeats; they have one posture. None repeats all of it.
        hold: the number of the key that is held when it is to last; None if it is no such gesture.
        aimed: whether it needs something to be aimed at. arms: whether it needs arms.
    """

    keys: tuple[Key, ...]
    repeat: tuple[int, int] | None = None
    hold: int | None = None
    aimed: bool = False
    arms: bool = True

    @property
    def seconds(self) -> float:
        """How long it takes once."""
        return self.keys[-1][0]

    def lasting(self, seconds: float | None, times: int) -> tuple[Key, ...]:
        """The keys of the gesture done so many times, or for so long.

        Args:
            seconds: None takes as long as it takes. times: at least 1.
        """
        keys = self.keys
        begin, end = self.repeat or (0, len(keys) - 1)
        cycle = keys[end][0] - keys[begin][0]
        if seconds is not None and self.hold is None:
            times = max(times, round((seconds - self.seconds) / cycle) + 1)
        if times > 1:
            again = [
                (time + cycle * number, posture)
                for number in range(1, times)
                for time, posture in keys[begin + 1 : end + 1]
            ]
            later = [(time + cycle * (times - 1), posture) for time, posture in keys[end + 1 :]]
            keys = (*keys[: end + 1], *again, *later)
        if seconds is None or self.hold is None or seconds <= keys[-1][0]:
            return keys
        longer = seconds - keys[-1][0]
        held = self.hold
        after = [(time + longer, posture) for time, posture in keys[held:]]
        return (*keys[: held + 1], *after)


def _held(
    posture: KeyPosture, way: float = 0.9, stay: float = 1.2, *, arms: bool = True, aimed: bool = False
) -> GestureKeys:
    """Into a posture, a while in it, and out of it again."""
    keys = ((0.0, _REST), (way, posture), (way + stay, posture), (2 * way + stay, _REST))
    return GestureKeys(keys, hold=1, arms=arms, aimed=aimed)


_UP, _OUT, _IN = (
    KeyPosture(hand=(0.35, 0.42, 0.25)),
    KeyPosture(hand=(0.6, 0.38, 0.22)),
    KeyPosture(hand=(0.18, 0.44, 0.25)),
)
_APART = KeyPosture(hand=(0.05, -0.2, 0.55), other=(0.05, -0.2, 0.55))
_TOGETHER = KeyPosture(hand=(-0.31, -0.2, 0.55), other=(-0.31, -0.2, 0.55))
_CHEST = KeyPosture(hand=(-0.05, -0.3, 0.5), other=(-0.05, -0.3, 0.5))
_CROUCH = KeyPosture(sink=0.42, back=0.12, pitch=0.5, nod=-0.25)
_SIT = KeyPosture(sink=0.52, back=0.42, pitch=0.15, hand=(0.0, -0.55, 0.45), other=(0.0, -0.55, 0.45))
_TAKE = KeyPosture(reach=1.0, look=0.5)
_CHIN = KeyPosture(hand=(-0.25, 0.05, 0.35), nod=0.12, roll=0.05)

GESTURES: Mapping[str, GestureKeys] = {
    "wave": GestureKeys(
        ((0.0, _REST), (0.55, _UP), (0.8, _OUT), (1.05, _IN), (1.3, _OUT), (1.55, _IN), (1.8, _OUT), (2.4, _REST)),
        repeat=(2, 4),
    ),
    "bow": GestureKeys(
        (
            (0.0, _REST),
            (0.8, KeyPosture(pitch=0.85, nod=0.2, back=0.06)),
            (1.3, KeyPosture(pitch=0.85, nod=0.2, back=0.06)),
            (2.2, _REST),
        ),
        hold=1,
        arms=False,
    ),
    "nod": GestureKeys(
        (
            (0.0, _REST),
            (0.25, KeyPosture(nod=0.4)),
            (0.5, KeyPosture(nod=-0.05)),
            (0.75, KeyPosture(nod=0.3)),
            (1.1, _REST),
        ),
        arms=False,
    ),
    "shake head": GestureKeys(
        (
            (0.0, _REST),
            (0.3, KeyPosture(shake=0.5)),
            (0.65, KeyPosture(shake=-0.5)),
            (1.0, KeyPosture(shake=0.5)),
            (1.4, _REST),
        ),
        arms=False,
    ),
    "clap": GestureKeys(((0.0, _REST), (0.5, _APART), (0.65, _TOGETHER), (0.85, _APART), (1.35, _REST)), repeat=(1, 3)),
    "cheer": GestureKeys(
        (
            (0.0, _REST),
            (0.45, KeyPosture(hand=(0.3, 0.85, 0.1), other=(0.3, 0.85, 0.1), nod=-0.25)),
            (0.75, KeyPosture(hand=(0.4, 0.6, 0.2), other=(0.4, 0.6, 0.2), nod=-0.2, sink=0.05)),
            (1.05, KeyPosture(hand=(0.3, 0.85, 0.1), other=(0.3, 0.85, 0.1), nod=-0.25)),
            (1.8, _REST),
        ),
        repeat=(1, 3),
    ),
    "salute": _held(KeyPosture(hand=(0.02, 0.28, 0.28), nod=-0.05), 0.5, 0.9),
    "raise arm": _held(KeyPosture(hand=(0.15, 0.95, 0.1)), 0.7, 1.0),
    "point": _held(KeyPosture(reach=1.0, look=0.8), 0.6, 1.0, aimed=True),
    "look": _held(KeyPosture(look=1.0), 0.5, 1.2, arms=False, aimed=True),
    "look around": GestureKeys(
        (
            (0.0, _REST),
            (0.7, KeyPosture(shake=0.8, yaw=0.25)),
            (1.2, KeyPosture(shake=0.8, yaw=0.25)),
            (2.2, KeyPosture(shake=-0.8, yaw=-0.25)),
            (2.7, KeyPosture(shake=-0.8, yaw=-0.25)),
            (3.4, _REST),
        ),
        arms=False,
    ),
    "shrug": GestureKeys(
        (
            (0.0, _REST),
            (0.4, KeyPosture(hand=(0.35, -0.45, 0.45), other=(0.35, -0.45, 0.45), roll=0.08)),
            (0.9, KeyPosture(hand=(0.35, -0.45, 0.45), other=(0.35, -0.45, 0.45), roll=0.08)),
            (1.4, _REST),
        )
    ),
    "think": _held(_CHIN, 0.7, 1.5),
    "stretch": _held(KeyPosture(hand=(0.25, 0.95, -0.1), other=(0.25, 0.95, -0.1), pitch=-0.15, nod=-0.3), 1.0, 1.0),
    "pray": _held(KeyPosture(hand=(-0.31, -0.15, 0.4), other=(-0.31, -0.15, 0.4), nod=0.3), 0.8, 1.5),
    "pose": _held(KeyPosture(hand=(0.45, -0.5, 0.05), other=(0.45, -0.5, 0.05), yaw=0.25, nod=-0.1), 0.7, 1.5),
    "laugh": GestureKeys(
        (
            (0.0, _REST),
            (0.3, KeyPosture(pitch=0.12, nod=-0.3)),
            (0.5, KeyPosture(pitch=0.2, nod=-0.15)),
            (0.7, KeyPosture(pitch=0.12, nod=-0.3)),
            (1.1, _REST),
        ),
        repeat=(1, 3),
        arms=False,
    ),
    "dance": GestureKeys(
        (
            (0.0, _REST),
            (0.4, KeyPosture(hand=(0.3, -0.1, 0.4), other=(0.3, -0.5, 0.3), roll=0.12, yaw=0.2, sink=0.07)),
            (0.7, KeyPosture(hand=(0.3, -0.3, 0.4), other=(0.3, -0.3, 0.4), sink=0.01)),
            (1.0, KeyPosture(hand=(0.3, -0.5, 0.3), other=(0.3, -0.1, 0.4), roll=-0.12, yaw=-0.2, sink=0.07)),
            (1.3, KeyPosture(hand=(0.3, -0.3, 0.4), other=(0.3, -0.3, 0.4), sink=0.01)),
            (1.6, KeyPosture(hand=(0.3, -0.1, 0.4), other=(0.3, -0.5, 0.3), roll=0.12, yaw=0.2, sink=0.07)),
            (2.0, _REST),
        ),
        repeat=(1, 5),
    ),
    "punch": GestureKeys(
        (
            (0.0, _REST),
            (0.35, KeyPosture(hand=(-0.05, -0.25, 0.3), other=(-0.1, -0.05, 0.4), yaw=-0.3)),
            (0.5, KeyPosture(hand=(-0.2, 0.0, 0.97), other=(-0.1, -0.05, 0.35), yaw=0.4)),
            (0.7, KeyPosture(hand=(-0.05, -0.25, 0.35), other=(-0.1, -0.05, 0.4))),
            (1.2, _REST),
        )
    ),
    "throw": GestureKeys(
        (
            (0.0, _REST),
            (0.5, KeyPosture(hand=(0.35, 0.35, -0.35), yaw=-0.5, pitch=-0.1)),
            (0.72, KeyPosture(hand=(0.0, 0.35, 0.85), yaw=0.4, pitch=0.2)),
            (0.95, KeyPosture(hand=(-0.3, -0.35, 0.6), yaw=0.4, pitch=0.25)),
            (1.6, _REST),
        )
    ),
    "jump": GestureKeys(
        (
            (0.0, _REST),
            (0.35, KeyPosture(sink=0.3, back=0.08, pitch=0.35)),
            (0.55, KeyPosture(rise=0.02)),
            (0.78, KeyPosture(rise=0.4, sink=0.06)),
            (1.0, KeyPosture(rise=0.0)),
            (1.15, KeyPosture(sink=0.22, back=0.06, pitch=0.25)),
            (1.55, _REST),
        ),
        arms=False,
    ),
    "sneak": _held(KeyPosture(sink=0.14, pitch=0.4, nod=-0.25), 0.5, 1.0, arms=False),
    "crouch": _held(_CROUCH, 0.7, 1.2, arms=False),
    "bend": _held(KeyPosture(pitch=1.0, sink=0.06, back=0.15), 0.8, 0.8, arms=False),
    "sit": _held(_SIT, 1.1, 2.0, arms=False),
    "pick up": GestureKeys(((0.0, _REST), (0.9, _TAKE), (1.2, _TAKE), (1.7, _CHEST), (2.3, _REST)), aimed=True),
    "put down": GestureKeys(((0.0, _REST), (0.4, _CHEST), (1.0, _TAKE), (1.3, _TAKE), (2.1, _REST)), aimed=True),
    "touch": _held(_TAKE, 0.7, 0.6, aimed=True),
    "push": GestureKeys(
        ((0.0, _REST), (0.6, _TAKE), (1.1, KeyPosture(reach=1.0, pitch=0.25)), (1.7, _REST)), aimed=True
    ),
    "carry": _held(_CHEST, 0.6, 1.0),
}
"""By name."""

ALIKE: Mapping[str, str] = {
    "drop": "put down",
    "pull": "touch",
    "open": "push",
    "close": "push",
    "hit": "push",
    "knock over": "push",
    "lean on": "touch",
    "hug": "touch",
    "catch": "pick up",
    "hold": "carry",
    "look at": "look",
    "blow a kiss": "think",
}
"""What is done like something else."""

NOTHING = ("wait", "stand", "stand up", "turn")
"""What needs no gesture: standing, and getting up from what was held."""


def gesture_of(action: str) -> GestureKeys | None:
    """The gesture of an action; None for one that needs none.

    Raises:
        UsageError: there is no such gesture yet; the message lists those that there are.
    """
    if action in NOTHING:
        return None
    name = ALIKE.get(action, action)
    if name not in GESTURES:
        known = ", ".join(sorted({*GESTURES, *ALIKE, *NOTHING}))
        raise UsageError(f"nobody can {action} yet; there are: {known}")
    return GESTURES[name]
