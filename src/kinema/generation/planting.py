"""Plants feet where a generated motion says that they stand, on any rig.

For what keeps them above the ground see `kinema.generation.clearing`, for when and where a foot stands
`kinema.generation.footing`, for how it goes from one place to the next `kinema.generation.strides`, and for how its
limb follows `kinema.generation.reaching`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinema.arrays import Bools, Floats, Singles
from kinema.generation.channels import CONTACT
from kinema.generation.clearing import clear
from kinema.generation.footing import SHORTEST, stands
from kinema.generation.reaching import meeting, reach
from kinema.generation.rig import AnyRig
from kinema.generation.soles import PlantedLimb, find_feet, on_soles
from kinema.generation.strides import Stand, insistence, stride
from kinema.mocap.contacts import drop_short


def plant(rig: AnyRig, channels: Singles) -> Singles:
    """Channels `[F, K, CHANNELS]` whose planted joints stand still on the ground where the contact channel says so.

    Contacts that are too short, of joints that are no part of a foot, or for which a foot would be out of reach, are
    none, and are no longer called so. No joint of a foot goes into the ground.
    """
    planted = drop_short(on_soles(rig, channels[..., CONTACT][..., 0] > 0.5), SHORTEST)
    feet = find_feet(rig, np.flatnonzero(planted.any(axis=0)).tolist())

    def way(limb: PlantedLimb, positions: Floats) -> tuple[Floats, Floats]:
        found = stands(limb, positions, planted[:, limb.foot])
        planted[:, limb.foot] = standing(found, len(planted))
        return stride(positions[:, limb.foot], found, limb.length), insistence(found, len(planted))

    made, _ = clear(rig, reach(rig, channels, feet, meeting(way)), feet)
    return with_contacts(made, planted)


def standing(found: Sequence[Stand], frames: int) -> Bools:
    """In which of so many frames a foot stands, `[F]`."""
    planted = np.zeros(frames, np.bool_)
    for stand in found:
        planted[max(stand.first, 0) : max(stand.stop, 0)] = True
    return planted


def with_contacts(channels: Singles, planted: Bools) -> Singles:
    """Channels `[F, K, CHANNELS]` that call joints planted where they are, `[F, K]`."""
    out = channels.copy()
    out[..., CONTACT] = planted[..., None]
    return out
