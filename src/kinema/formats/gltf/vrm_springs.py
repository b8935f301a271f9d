"""Springs, colliders and constraints of VRM files. While they are read, their joints are nodes of the file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from kinema.avatar import Collider, ColliderGroup, Constraint, Spring, SpringJoint, Vector
from kinema.formats.gltf.document import GltfDocument, Item
from kinema.formats.gltf.scene import GltfRig, NodeTree

_RULES: dict[Literal["roll", "aim", "rotation"], str] = {"roll": "rollAxis", "aim": "aimAxis", "rotation": ""}
OLD_TAIL = 0.07  # metres that VRM 0 puts the end of a chain beyond its last joint


@dataclass(frozen=True)
class Swing:
    """Springs, the colliders that they must not enter, and constraints."""

    springs: tuple[Spring, ...] = ()
    colliders: tuple[Collider, ...] = ()
    groups: tuple[ColliderGroup, ...] = ()
    constraints: tuple[Constraint, ...] = ()

    @property
    def nodes(self) -> set[int]:
        """Every node that is named."""
        found = {joint.joint for spring in self.springs for joint in spring.joints}
        found |= {spring.center for spring in self.springs if spring.center is not None}
        found |= {collider.joint for collider in self.colliders}
        return found | {node for item in self.constraints for node in (item.joint, item.source)}


def read_springs(document: GltfDocument) -> Swing:
    """VRMC_springBone; empty if a file does not have it."""
    owner = document.extension("VRMC_springBone")
    if owner is None:
        return Swing()
    colliders = tuple(_collider(item) for item in owner.objects("colliders"))
    groups = tuple(
        ColliderGroup(item.text("name"), _numbers(item, "colliders", len(colliders)))
        for item in owner.objects("colliderGroups")
    )
    springs = []
    for item in owner.objects("springs"):
        joints = tuple(_joint(joint) for joint in item.objects("joints"))
        if not joints:
            item.warn("has no joints and was left out")
            continue
        chosen = _numbers(item, "colliderGroups", len(groups))
        springs.append(Spring(item.text("name"), joints, chosen, _node(item, "center")))
    return Swing(tuple(springs), colliders, groups)


def read_old_springs(owner: Item, nodes: NodeTree) -> Swing:
    """The secondaryAnimation of VRM 0: all chains below the joints of a group have the same settings."""
    colliders: list[Collider] = []
    groups = []
    for number, item in enumerate(owner.objects("colliderGroups")):
        node, first = item.required_index("node", "nodes"), len(colliders)
        for ball in item.objects("colliders"):
            x, y, z = old_vector(ball, "offset")
            colliders.append(Collider(node, (x, y, -z), ball.number("radius", 0.0)))
        groups.append(ColliderGroup(f"group_{number}", tuple(range(first, len(colliders)))))
    springs: list[Spring] = []
    taken: set[int] = set()
    for item in owner.objects("boneGroups"):
        x, y, z = old_vector(item, "gravityDir", (0.0, -1.0, 0.0))
        setting = _setting(item, 0, "stiffiness", (-x, y, z))  # left-handed, facing the other way, and so spelled
        chosen, center = _numbers(item, "colliderGroups", len(groups)), _node(item, "center")
        name = item.text("comment")
        for root in item.indices("bones", "nodes"):
            for chain in _chains(nodes, root, taken):
                joints = tuple(replace(setting, joint=node) for node in chain)
                springs.append(Spring(name, joints, chosen, center, OLD_TAIL))
    return Swing(tuple(springs), tuple(colliders), tuple(groups))


def read_constraints(document: GltfDocument) -> tuple[Constraint, ...]:
    """VRMC_node_constraint of all nodes."""
    found: list[Constraint] = []
    for node, item in enumerate(document.all("nodes")):
        rule = item.extension("VRMC_node_constraint").object("constraint")
        for kind, axis in _RULES.items():
            if kind in rule:
                entry = rule.object(kind)
                source, weight = entry.required_index("source", "nodes"), entry.number("weight", 1.0)
                found.append(Constraint(kind, node, source, entry.text(axis) if axis else "", weight))
    if found:
        document.warn(f"{len(found)} joints follow others by constraints, which are kept but not evaluated")
    return tuple(found)


def on_joints(rig: GltfRig, swing: Swing, ends: dict[int, int], nodes: NodeTree) -> Swing:
    """The same on joints of the skeleton instead of nodes; what names a node that is not a joint is left out."""
    joint_of = rig.joint_of
    lost = swing.nodes - set(joint_of) - set(ends)
    if lost:
        document = nodes.items[min(lost)].document
        document.warn(f"springs or colliders name nodes[{min(lost)}], which the scene does not use; left out")
    kept = [number for number, one in enumerate(swing.colliders) if one.joint in joint_of]
    places = {number: place for place, number in enumerate(kept)}
    springs = [_spring_on_joints(rig, spring, ends, nodes) for spring in swing.springs]
    bound = [item for item in swing.constraints if {item.joint, item.source} <= joint_of.keys()]
    return Swing(
        tuple(spring for spring in springs if spring.joints),
        tuple(_collider_on_joint(rig, swing.colliders[number]) for number in kept),
        tuple(_group_of_kept(group, places) for group in swing.groups),
        tuple(replace(item, joint=joint_of[item.joint], source=joint_of[item.source]) for item in bound),
    )


def _group_of_kept(group: ColliderGroup, places: dict[int, int]) -> ColliderGroup:
    return replace(group, colliders=tuple(places[number] for number in group.colliders if number in places))


def _collider_on_joint(rig: GltfRig, collider: Collider) -> Collider:
    joint = rig.joint_of[collider.joint]
    frame = np.linalg.inv(rig.rigid[joint]) @ rig.world[joint]  # the scale that rigid frames do not have
    size = float(np.cbrt(abs(np.linalg.det(frame[:3, :3]))))
    tail = None if collider.tail is None else _through(frame, collider.tail)
    offset = _through(frame, collider.offset)
    return replace(collider, joint=joint, offset=offset, radius=collider.radius * size, tail=tail)


def _spring_on_joints(rig: GltfRig, spring: Spring, ends: dict[int, int], nodes: NodeTree) -> Spring:
    last, tail = spring.joints[-1].joint, spring.tail
    if last in ends:
        tail = float(np.linalg.norm(nodes.world[last][:3, 3] - nodes.world[ends[last]][:3, 3]))
    joints = tuple(replace(j, joint=rig.joint_of[j.joint]) for j in spring.joints if j.joint in rig.joint_of)
    center = None if spring.center is None else rig.joint_of.get(spring.center)
    return replace(spring, joints=joints, center=center, tail=tail)


def old_vector(owner: Item, key: str, default: Vector = (0.0, 0.0, 0.0)) -> Vector:
    """A vector as VRM 0 writes it, in its own left-handed axes."""
    item = owner.object(key)
    if not item.values:
        return default
    x, y, z = (item.number(axis, 0.0) for axis in "xyz")
    return x, y, z


def _collider(item: Item) -> Collider:
    node, shape = item.required_index("node", "nodes"), item.object("shape")
    better = item.extension("VRMC_springBone_extended_collider").object("shape")
    shape = better if "sphere" in better or "capsule" in better else shape
    if "plane" in better:
        item.warn("is a plane, for which the simple shape was read instead")
    kind = "capsule" if "capsule" in shape else "sphere"
    if kind not in shape:
        item.warn("has no shape; it is a point")
    entry = shape.object(kind)
    x, y, z = entry.numbers("offset", 3, (0, 0, 0))
    tail = None
    if kind == "capsule":
        a, b, c = entry.numbers("tail", 3, (0, 0, 0))
        tail = (a, b, c)
    return Collider(node, (x, y, z), entry.number("radius", 0.0), tail, entry.get("inside") is True)


def _joint(item: Item) -> SpringJoint:
    x, y, z = item.numbers("gravityDir", 3, (0, -1, 0))
    return _setting(item, item.required_index("node", "nodes"), "stiffness", (x, y, z))


def _setting(item: Item, node: int, stiffness: str, gravity: Vector) -> SpringJoint:
    """How a joint swings; `stiffness` is the name of that property."""
    radius, strength = item.number("hitRadius", 0.0), item.number(stiffness, 1.0)
    pull, drag = item.number("gravityPower", 0.0), item.number("dragForce", 0.5)
    return SpringJoint(node, radius, strength, pull, _unit(gravity), drag)


def _chains(nodes: NodeTree, root: int, taken: set[int]) -> list[list[int]]:
    """Chains below a node: each continues with the first child, the other children begin new chains."""
    chains, starts = [], [root]
    while starts:
        node: int | None = starts.pop()
        chain: list[int] = []
        while node is not None and node not in taken:
            taken.add(node)
            chain.append(node)
            following = nodes.children[node]
            starts.extend(reversed(following[1:]))
            node = following[0] if following else None
        if chain:
            chains.append(chain)
    return chains


def _numbers(owner: Item, key: str, count: int) -> tuple[int, ...]:
    """Indices into a list of the extension; -1, which some exporters write for none, is skipped."""
    found = owner.integers(key, low=-1)
    if found and max(found) >= count:
        raise owner.error(f"{key} names number {max(found)}, there are {count}")
    return tuple(dict.fromkeys(number for number in found if number >= 0))


def _node(owner: Item, key: str) -> int | None:
    return None if owner.get(key) in (None, -1) else owner.index(key, "nodes")


def _through(frame: np.ndarray, point: Vector) -> Vector:
    x, y, z = (frame[:3, :3] @ np.array(point)).tolist()
    return x, y, z


def _unit(vector: Vector) -> Vector:
    length = float(np.linalg.norm(vector))
    x, y, z = vector if length < 1e-9 else tuple(value / length for value in vector)
    return x, y, z
