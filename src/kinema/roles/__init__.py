"""Which joint is what, for any skeleton: parts, sides, chains, mirror partners, and how the rest pose stands."""

from kinema.roles.model import PARTS, Arm, Chain, Leg, RestPose, Roles, Side
from kinema.roles.recognise import find_roles
from kinema.roles.rest import rest_pose
from kinema.roles.view import require_biped

__all__ = ["PARTS", "Arm", "Chain", "Leg", "RestPose", "Roles", "Side", "find_roles", "require_biped", "rest_pose"]
