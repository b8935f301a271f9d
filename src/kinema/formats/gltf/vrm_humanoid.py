"""The humanoid map of VRM files: which node is which bone, as roles of our own."""

from __future__ import annotations

from kinema.errors import FormatError
from kinema.formats.gltf.document import GltfDocument, Item
from kinema.formats.gltf.scene import GltfRig
from kinema.skeleton import Skeleton

_FINGERS = ("Index", "Middle", "Ring", "Little")
_LIMBS = {
    "UpperLeg": "thigh", "LowerLeg": "shin", "Foot": "foot", "Toes": "toe", "Shoulder": "shoulder",
    "UpperArm": "upper_arm", "LowerArm": "forearm", "Hand": "hand", "Eye": "eye",
}  # fmt: skip
_SPINE = ("spine", "chest", "upperChest")
THUMB = ("Metacarpal", "Proximal", "Distal")
FINGER = ("Proximal", "Intermediate", "Distal")

ROLES: dict[str, str] = {
    "hips": "hips", **dict.fromkeys(_SPINE, "spine"), "neck": "neck", "head": "head", "jaw": "jaw",
    **{f"{side}{bone}": f"{side}_{part}" for side in ("left", "right") for bone, part in _LIMBS.items()},
    **{f"{side}Thumb{joint}": f"{side}_thumb" for side in ("left", "right") for joint in THUMB},
    **{
        f"{side}{finger}{joint}": f"{side}_{finger.lower()}"
        for side in ("left", "right") for finger in _FINGERS for joint in FINGER
    },
}  # fmt: skip
"""Role of each bone of VRM 1.0."""

_BONES: dict[str, list[str]] = {role: [bone for bone in ROLES if ROLES[bone] == role] for role in ROLES.values()}

REQUIRED = (
    "hips", "spine", "head",
    *(f"{side}{bone}" for side in ("left", "right") for bone in (
        "UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand",
    )),
)  # fmt: skip

# VRM 0 counts the joints of the thumb as those of the other fingers.
_OLD_THUMB = {
    f"{side}Thumb{old}": f"{side}Thumb{new}"
    for side in ("left", "right")
    for old, new in zip(FINGER, THUMB, strict=True)
}


def read_bones(owner: Item, old: bool = False) -> dict[str, int]:
    """The node of each bone by its name in VRM 1.0.

    Args:
        owner: the extension object: `VRM` (with `old`), `VRMC_vrm` or `VRMC_vrm_animation`.

    Raises:
        FormatError: a node that is not there.
    """
    humanoid = owner.object("humanoid")
    found: dict[str, int] = {}
    for name, item in _listed(humanoid, old):
        if name not in ROLES:
            humanoid.warn(f"names a bone {name[:40]!r} that VRM does not have; left out")
            continue
        node = item.required_index("node", "nodes")
        if node in found.values() or name in found:
            humanoid.warn(f"gives nodes[{node}] or {name} twice; the first was kept")
        else:
            found[name] = node
    missing = [name for name in REQUIRED if name not in found]
    if missing:
        humanoid.warn(f"lacks bones that VRM requires: {', '.join(missing)}")
    return found


def _listed(humanoid: Item, old: bool) -> list[tuple[str, Item]]:
    """Bones by their names in VRM 1.0."""
    if old:
        listed = [item for item in humanoid.objects("humanBones") if item.get("node") != -1]
        return [(_OLD_THUMB.get(item.text("bone"), item.text("bone")), item) for item in listed]
    bones = humanoid.object("humanBones")
    return [(name, bones.object(name)) for name in bones.values]


def hints(document: GltfDocument, rig: GltfRig, bones: dict[str, int]) -> dict[str, str]:
    """Roles by joint name."""
    result = {}
    for name, node in bones.items():
        joint = rig.joint_of.get(node)
        if joint is None:
            document.warn(f"the bone {name} is nodes[{node}], which the scene does not use; left out")
        else:
            result[rig.skeleton.names[joint]] = ROLES[name]
    return result


def assign(skeleton: Skeleton) -> dict[str, int]:
    """The joint of each bone of VRM 1.0, from what the skeleton states (its hints) if that is a whole humanoid, or else
    from its roles.

    Raises:
        FormatError: a bone that VRM requires is not there; names those.
    """
    joints = _joints_by_role(skeleton)
    bones = {
        bone: joint
        for role, names in _BONES.items()
        for bone, joint in zip(names, _chosen(role, joints.get(role, [])), strict=False)
    }
    missing = [name for name in REQUIRED if name not in bones]
    if missing:
        raise FormatError(
            f"VRM needs a humanoid, but no joint is known to be {', '.join(missing)}; state them with "
            "Skeleton.with_hints"
        )
    return {name: bones[name] for name in ROLES if name in bones}


def _chosen(role: str, joints: list[int]) -> list[int]:
    """Of more joints than VRM has bones, those that it means."""
    if role == "spine" and len(joints) > 3:
        return [joints[0], joints[len(joints) // 2], joints[-1]]
    return joints[-3:] if role.rpartition("_")[2].capitalize() in _FINGERS else joints


def _joints_by_role(skeleton: Skeleton) -> dict[str, list[int]]:
    whole = {ROLES[name] for name in REQUIRED} <= set(skeleton.hints.values())
    found: dict[str, list[int]] = {}
    for joint, name in enumerate(skeleton.names):
        role = skeleton.hints.get(name, "") if whole else skeleton.roles.role(joint)
        found.setdefault(role, []).append(joint)
    return found
