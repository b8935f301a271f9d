"""The role of each joint in any skeleton: part, side, chain and mirror partner; the stance of the rest pose."""

from kinema.roles.model import PARTS, Arm, Chain, Leg, RestPose, Roles, Side
from kinema.roles.recognise import find_roles
from kinema.roles.rest import rest_pose
from kinema.roles.view import carrier, require_biped, require_legs

__all__ = [
    "PARTS",
    "Arm",
    "Chain",
    "Leg",
    "RestPose",
    "Roles",
    "Side",
    "carrier",
    "find_roles",
    "require_biped",
    "require_legs",
    "rest_pose",
]
