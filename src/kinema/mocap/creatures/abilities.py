"""What a body can do, as the reading of texts needs to know it."""

from __future__ import annotations

from dataclasses import dataclass

from kinema.errors import ControlError, SkeletonError
from kinema.mocap.creatures.creature import Creature
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.mocap.creatures.repertoire import actions_of
from kinema.skeleton import Skeleton


@dataclass(frozen=True)
class Abilities:
    """What a body can do.

    Attributes:
        actions: the kinds of act, in the order of `ACTIONS`.
        plan: its body plan.
    """

    actions: tuple[str, ...]
    plan: str

    @staticmethod
    def of(body: Creature | Skeleton, plan: str | None = None) -> Abilities | None:
        """The abilities of a creature or a skeleton; None if nothing in it is recognised that could move.

        Args:
            body: a creature, whose plan is known, or any skeleton.
            plan: what the skeleton may be, such as "tentacled"; it counts where it goes with the limbs.
        """
        for guess in (plan, None) if plan else (None,):
            try:
                kind = kind_of_creature(body, plan=guess)
            except (SkeletonError, ControlError):
                continue
            return Abilities(actions_of(kind), kind.plan)
        return None

    @property
    def flies(self) -> bool:
        return "fly" in self.actions

    @property
    def swims(self) -> bool:
        return "swim" in self.actions
