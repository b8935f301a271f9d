"""How the load of the feet moves the body: bounce, pitch, roll and sway as the first harmonics of the stride.

A foot in stance carries a half sine of load. A body on springs sinks under load and rises between, as in running; in a
walk it vaults over stiff legs and rises instead (Alexander, "Optimization and gaits in the locomotion of
vertebrates", Physiological Reviews 1989).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kinema.arrays import Floats
from kinema.mocap.creatures.gaits import Cycle
from kinema.mocap.creatures.standing import Standing
from kinema.mocap.procedural.script import smooth_step


@dataclass(frozen=True)
class Loads:
    """Motion of the body in the stride, `[N]` each, in shares of a full swing (about -1 to 1).

    Attributes:
        bounce: up.
        pitch: of the front down.
        sway: of the trunk to the left.
        wave: lateral bend of the trunk to the left.
        flex: rounding of the back.
        swing: of the left arm forward: against the left foot.
    """

    bounce: Floats
    pitch: Floats
    sway: Floats
    wave: Floats
    flex: Floats
    swing: Floats


def body_loads(body: Standing, cycle: Cycle) -> Loads:
    """The loads of all legs over the stride."""
    sides = np.asarray([leg.side for leg in body.legs], np.float64)
    orders = np.asarray([leg.order for leg in body.legs], np.float64)
    middle = cycle.leg_phases() - 0.5 * cycle.duty[:, None]
    first, second = np.cos(2 * np.pi * middle), np.cos(4 * np.pi * middle)
    sine = np.sin(2 * np.pi * middle)
    count = len(sides)
    ahead = np.sign(orders.mean() - orders) if orders.max() > 0 else np.zeros(count)
    springy = 1.0 - 2.0 * smooth_step((cycle.duty - 0.46) / 0.14) if count <= 4 else -1.0 + 0.0 * cycle.duty
    bounce = -(first.mean(axis=1) + 0.35 * second.mean(axis=1)) * springy
    pitch = (first @ ahead) / count
    # hips and shoulders turn with their feet: a side is ahead when its foot strikes, and behind when it lifts
    wave = (sine @ (sides * np.where(ahead == 0, -1.0, ahead))) / count
    return Loads(
        bounce=bounce,
        pitch=pitch,
        sway=(first @ sides) / count,
        wave=wave,
        flex=(sine @ ahead) / count,
        swing=(sine @ sides) / count,
    )
