"""Springs, colliders and constraints of VRM files. While they are read, their joints are nodes of the file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from kinema.avatar import Collider, ColliderGroup, Constraint, Spring, SpringJoint, Vector
from kinema.formats.gltf.document import Document
from kinema.formats.gltf.scene import Nodes, Rig

_RULES: tuple[tuple[Literal["roll", "aim", "rotation"], str], ...] = (
    ("roll", "rollAxis"),
    ("aim", "aimAxis"),
    ("rotation", ""),
)
OLD_TAIL = 0.07  # metres that VRM 0 puts the end of a chain beyond its last joint


@dataclass(frozen=True)
class Swing:
    """What swings and what it does not enter."""

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


def read_springs(document: Document, owner: dict[str, Any], where: str) -> Swing:
    """VRMC_springBone."""
    colliders = tuple(
        _collider(document, item, f"{where}.colliders[{number}]")
        for number, item in enumerate(document.objects(owner, "colliders", where))
    )
    groups = []
    for number, item in enumerate(document.objects(owner, "colliderGroups", where)):
        place = f"{where}.colliderGroups[{number}]"
        groups.append(
            ColliderGroup(
                document.text(item, "name", place), _numbers(document, item, "colliders", place, len(colliders))
            )
        )
    springs = []
    for number, item in enumerate(document.objects(owner, "springs", where)):
        place = f"{where}.springs[{number}]"
        joints = tuple(
            _joint(document, joint, f"{place}.joints[{at}]")
            for at, joint in enumerate(document.objects(item, "joints", place))
        )
        if not joints:
            document.warn(f"{place} has no joints and was left out")
            continue
        chosen = _numbers(document, item, "colliderGroups", place, len(groups))
        springs.append(
            Spring(document.text(item, "name", place), joints, chosen, _node(document, item, "center", place))
        )
    return Swing(tuple(springs), colliders, tuple(groups))


def read_old_springs(document: Document, owner: dict[str, Any], where: str, nodes: Nodes) -> Swing:
    """The secondaryAnimation of VRM 0: every chain below the joints that a group names swings alike."""
    colliders: list[Collider] = []
    groups = []
    for number, item in enumerate(document.objects(owner, "colliderGroups", where)):
        place = f"{where}.colliderGroups[{number}]"
        node = _required(document, item, "node", place)
        first = len(colliders)
        for at, ball in enumerate(document.objects(item, "colliders", place)):
            spot = f"{place}.colliders[{at}]"
            x, y, z = old_vector(document, ball, "offset", spot)
            colliders.append(Collider(node, (x, y, -z), document.number(ball, "radius", spot, 0.0)))
        groups.append(ColliderGroup(f"group_{number}", tuple(range(first, len(colliders)))))
    springs: list[Spring] = []
    taken: set[int] = set()
    for number, item in enumerate(document.objects(owner, "boneGroups", where)):
        place = f"{where}.boneGroups[{number}]"
        x, y, z = old_vector(document, item, "gravityDir", place, (0.0, -1.0, 0.0))
        setting = SpringJoint(
            0,
            document.number(item, "hitRadius", place, 0.0),
            document.number(item, "stiffiness", place, 1.0),  # as the format spells it
            document.number(item, "gravityPower", place, 0.0),
            _unit((-x, y, z)),  # left-handed and facing the other way
            document.number(item, "dragForce", place, 0.5),
        )
        chosen = _numbers(document, item, "colliderGroups", place, len(groups))
        center = _node(document, item, "center", place)
        name = document.text(item, "comment", place)
        for root in document.indices(item, "bones", "nodes", place):
            for chain in _chains(nodes, root, taken):
                joints = tuple(replace(setting, joint=node) for node in chain)
                springs.append(Spring(name, joints, chosen, center, OLD_TAIL))
    return Swing(tuple(springs), tuple(colliders), tuple(groups))


def read_constraints(document: Document) -> tuple[Constraint, ...]:
    """VRMC_node_constraint of all nodes."""
    found: list[Constraint] = []
    for node, item in enumerate(document.all("nodes")):
        where = f"nodes[{node}]"
        extension = document.object(document.object(item, "extensions", where), "VRMC_node_constraint", where)
        rule = document.object(extension, "constraint", where)
        for kind, axis in _RULES:
            if kind in rule:
                entry = document.object(rule, kind, where)
                source = _required(document, entry, "source", f"{where}.{kind}")
                found.append(
                    Constraint(
                        kind,
                        node,
                        source,
                        document.text(entry, axis, where) if axis else "",
                        document.number(entry, "weight", where, 1.0),
                    )
                )
    if found:
        document.warn(f"{len(found)} joints follow others by constraints, which are kept but not applied")
    return tuple(found)


def jointed(document: Document, rig: Rig, swing: Swing, ends: dict[int, int], nodes: Nodes) -> Swing:
    """The same with joints of the skeleton instead of nodes; what names a node that is no joint is left out."""
    lost = {node for node in swing.nodes if node not in rig.joint_of and node not in ends}
    if lost:
        document.warn(f"springs or colliders name nodes[{min(lost)}], which the scene does not use; left out")
    colliders, places = [], {}
    for number, one in enumerate(swing.colliders):
        joint = rig.joint_of.get(one.joint)
        if joint is None:
            continue
        places[number] = len(colliders)
        frame = np.linalg.inv(rig.rigid[joint]) @ rig.world[joint]  # the scale that our frames do not have
        size = float(np.cbrt(abs(np.linalg.det(frame[:3, :3]))))
        tail = None if one.tail is None else _through(frame, one.tail)
        colliders.append(
            replace(one, joint=joint, offset=_through(frame, one.offset), radius=one.radius * size, tail=tail)
        )
    groups = tuple(replace(g, colliders=tuple(places[c] for c in g.colliders if c in places)) for g in swing.groups)
    springs = []
    for spring in swing.springs:
        last, tail = spring.joints[-1].joint, spring.tail
        if last in ends:
            tail = float(np.linalg.norm(nodes.world[last][:3, 3] - nodes.world[ends[last]][:3, 3]))
        joints = tuple(replace(j, joint=rig.joint_of[j.joint]) for j in spring.joints if j.joint in rig.joint_of)
        center = None if spring.center is None else rig.joint_of.get(spring.center)
        if joints:
            springs.append(replace(spring, joints=joints, center=center, tail=tail))
    constraints = tuple(
        replace(item, joint=rig.joint_of[item.joint], source=rig.joint_of[item.source])
        for item in swing.constraints
        if item.joint in rig.joint_of and item.source in rig.joint_of
    )
    return Swing(tuple(springs), tuple(colliders), groups, constraints)


def old_vector(
    document: Document, owner: dict[str, Any], key: str, where: str, default: Vector = (0.0, 0.0, 0.0)
) -> Vector:
    """A vector as VRM 0 writes it, in its own left-handed axes."""
    item = document.object(owner, key, where)
    if not item:
        return default
    x, y, z = (document.number(item, axis, f"{where}.{key}", 0.0) for axis in "xyz")
    return x, y, z


def _collider(document: Document, item: dict[str, Any], where: str) -> Collider:
    node, shape = _required(document, item, "node", where), document.object(item, "shape", where)
    wider = document.object(document.object(item, "extensions", where), "VRMC_springBone_extended_collider", where)
    better = document.object(wider, "shape", where)
    shape = better if "sphere" in better or "capsule" in better else shape
    if "plane" in better:
        document.warn(f"{where} is a plane, of which only the plain shape beside it was read")
    kind = "capsule" if "capsule" in shape else "sphere"
    entry = document.object(shape, kind, where)
    if kind not in shape:
        document.warn(f"{where} has no shape; it is a point")
    x, y, z = document.numbers(entry, "offset", where, [0, 0, 0], 3)
    tail = None
    if kind == "capsule":
        a, b, c = document.numbers(entry, "tail", where, [0, 0, 0], 3)
        tail = (a, b, c)
    return Collider(node, (x, y, z), document.number(entry, "radius", where, 0.0), tail, entry.get("inside") is True)


def _joint(document: Document, item: dict[str, Any], where: str) -> SpringJoint:
    x, y, z = document.numbers(item, "gravityDir", where, [0, -1, 0], 3)
    return SpringJoint(
        _required(document, item, "node", where),
        document.number(item, "hitRadius", where, 0.0),
        document.number(item, "stiffness", where, 1.0),
        document.number(item, "gravityPower", where, 0.0),
        _unit((x, y, z)),
        document.number(item, "dragForce", where, 0.5),
    )


def _chains(nodes: Nodes, root: int, taken: set[int]) -> list[list[int]]:
    """Chains below a node: each goes on with the first child, the other children begin chains of their own."""
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


def _numbers(document: Document, owner: dict[str, Any], key: str, where: str, count: int) -> tuple[int, ...]:
    """Indices into a list of the extension; -1, as some exporters write for none, is passed over."""
    values = owner.get(key, [])
    if not isinstance(values, list):
        raise document.error(f"{key} must be an array", where)
    found = [document.integer({key: value}, key, where, low=-1) for value in values]
    if found and max(found) >= count:
        raise document.error(f"{key} names number {max(found)}, there are {count}", where)
    return tuple(dict.fromkeys(number for number in found if number >= 0))


def _node(document: Document, owner: dict[str, Any], key: str, where: str) -> int | None:
    return None if owner.get(key) in (None, -1) else document.index(owner, key, "nodes", where)


def _required(document: Document, owner: dict[str, Any], key: str, where: str) -> int:
    node = document.index(owner, key, "nodes", where)
    if node is None:
        raise document.error(f"{key} is missing", where)
    return node


def _through(frame: np.ndarray, point: Vector) -> Vector:
    x, y, z = (frame[:3, :3] @ np.array(point)).tolist()
    return x, y, z


def _unit(vector: Vector) -> Vector:
    length = float(np.linalg.norm(vector))
    x, y, z = vector if length < 1e-9 else tuple(value / length for value in vector)
    return x, y, z
