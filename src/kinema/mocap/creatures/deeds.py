"""All actions of a script on top of plain travel."""

from __future__ import annotations

from kinema.mocap.creatures.attacks import attack
from kinema.mocap.creatures.deaths import die
from kinema.mocap.creatures.looks import eat, look
from kinema.mocap.creatures.scene import Scene

_DEEDS = {"look": look, "attack": attack, "eat": eat, "die": die}


def act_out(scene: Scene) -> None:
    """Add the looks, attacks, meals and the death of a script, in order."""
    for deed in scene.course.deeds:
        if deed.act.kind in _DEEDS:
            _DEEDS[deed.act.kind](scene, deed)
