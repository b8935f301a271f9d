"""The tree of an FBX file's models, with their transforms at rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kinema.arrays import Floats, Ints
from kinema.formats.fbx.document import FbxDocument, Id, Object
from kinema.formats.fbx.transform import COMPENSATED, ORDERS, PARTS, PLAIN, SPHERIC, Global, Local, globally, local
from kinema.formats.trees import preorder

_ROTATION_LIMITS = ("PreRotation", "PostRotation")
FARTHEST = 1e12  # units; nothing lies beyond


@dataclass(eq=False)
class ModelTree:
    """Models as a tree: all lists are by node, `order` has parents first."""

    document: FbxDocument
    models: list[Object]
    index: dict[Id, int]
    parents: list[int]  # -1 for a root
    children: list[list[int]]
    order: list[int]
    kinds: list[str]  # the model's variety or, if it has none, that of its attribute: LimbNode, Mesh, Camera
    parts: dict[str, Floats]  # properties of the transform, [N, 3] each
    rotation_orders: list[int]
    inherit: list[int]
    rest: Floats  # [N, 4, 4] in the file's space
    own: Local  # [N]: each node relative to its parent at rest


def read_nodes(document: FbxDocument) -> ModelTree:
    """The tree of all models.

    Raises:
        FormatError: models in a circle, or one that lies outside of any sensible range.
    """
    models = list(document.all("Model"))
    index = {model.id: number for number, model in enumerate(models)}
    parents, children, order = _tree(document, models, index)
    rotation_orders = [_rotation_order(model) for model in models]
    parts = _parts(models)
    nodes = ModelTree(
        document,
        models,
        index,
        parents,
        children,
        order,
        [_kind(model) for model in models],
        parts,
        rotation_orders,
        [_inherit(model) for model in models],
        np.zeros((len(models), 4, 4)),
        _locals(parts, np.array(rotation_orders, dtype=int)),
    )
    with np.errstate(over="ignore", invalid="ignore"):
        for number, found in world(nodes, order).items():
            nodes.rest[number] = found.matrix()
    far = ~(np.abs(nodes.rest) < FARTHEST).all(axis=(1, 2))
    if far.any():
        raise document.error("lies outside of any sensible range", models[int(np.argmax(far))].where)
    return nodes


def _tree(
    document: FbxDocument, models: list[Object], index: dict[Id, int]
) -> tuple[list[int], list[list[int]], list[int]]:
    """Parent and children of each node, and all nodes with parents first."""
    parents = [_parent(model, index) for model in models]
    children: list[list[int]] = [[] for _ in parents]
    roots: list[int] = []
    # Children in the order of the connections, as other programs show them; the unconnected are below the scene.
    connected = (index[link.child] for link in document.connections if link.child in index)
    for node in dict.fromkeys([*connected, *range(len(parents))]):
        (children[parents[node]] if parents[node] >= 0 else roots).append(node)
    order = preorder(roots, children)
    if len(order) < len(models):
        lost = min(set(range(len(models))) - set(order))
        raise document.error("is its own ancestor", models[lost].where)
    return parents, children, order


def world(
    nodes: ModelTree, order: list[int], moving: Mapping[int, Mapping[str, Floats]] | None = None
) -> dict[int, Global]:
    """Transforms of some nodes (parents first, with all ancestors) in the file's space.

    Args:
        moving: properties `[F, 3]` of nodes that move; what does not move keeps no frames.
    """
    found: dict[int, Global] = {}
    for node in order:
        own = nodes.own[node]
        if moving and node in moving:
            fixed = {name: values[node] for name, values in nodes.parts.items()}
            own = local({**fixed, **moving[node]}, nodes.rotation_orders[node])
        parent = nodes.parents[node]
        found[node] = globally(own, found[parent] if parent >= 0 else None, nodes.inherit[node])
    return found


def geometric(model: Object) -> Floats:
    """The transform `[4, 4]` of what is attached to a model: it moves meshes, not children."""
    values = {
        "Lcl Translation": model.vector("GeometricTranslation", (0, 0, 0)),
        "Lcl Rotation": model.vector("GeometricRotation", (0, 0, 0)),
        "Lcl Scaling": model.vector("GeometricScaling", (1, 1, 1)),
    }
    return local({name: np.array(value, dtype=np.float64) for name, value in values.items()}).matrix()


def rotation_active(model: Object) -> bool:
    """Whether pre-rotation, post-rotation and rotation order count: not if the file says that they do not."""
    return model.integer("RotationActive", 1) != 0


def _parent(model: Object, index: dict[Id, int]) -> int:
    links = model.document.connections_above(model.id)
    above = [index[link.parent] for link in links if link.parent in index and link.parent_property is None]
    if len(set(above)) > 1:
        model.warn("has several parents; it was left with the first")
    return above[0] if above else -1


def _parts(models: list[Object]) -> dict[str, Floats]:
    parts = {name: np.full((len(models), 3), usual) for name, usual in PARTS.items()}
    for node, model in enumerate(models):
        active = rotation_active(model)
        for name, usual in PARTS.items():
            if active or name not in _ROTATION_LIMITS:
                parts[name][node] = model.vector(name, (usual, usual, usual))
    return parts


def _locals(parts: dict[str, Floats], orders: Ints) -> Local:
    """All nodes relative to their parents, one call for each rotation order."""
    count = len(orders)
    result = Local(np.tile(np.eye(3), (count, 1, 1)), np.ones((count, 3)), np.zeros((count, 3)))
    with np.errstate(over="ignore", invalid="ignore"):
        for order in np.unique(orders).tolist():
            rows = orders == order
            found = local({name: values[rows] for name, values in parts.items()}, order)
            result.rotation[rows], result.scale[rows] = found.rotation, found.scale
            result.translation[rows] = found.translation
    return result


def _rotation_order(model: Object) -> int:
    order = model.integer("RotationOrder", 0)
    if not 0 <= order < len(ORDERS):
        model.warn(f"has the unknown rotation order {order}; it was read as XYZ")
        return 0
    if order == SPHERIC:
        model.warn("has spheric rotations; they were read as XYZ")
        return 0
    return order if rotation_active(model) else 0


def _inherit(model: Object) -> int:
    given = model.integer("InheritType", 0)
    return given if 0 <= given <= COMPENSATED else PLAIN


def _kind(model: Object) -> str:
    if model.subclass and model.subclass != "Null":
        return model.subclass
    kinds = [item.subclass for item in model.children("NodeAttribute")]
    return next((kind for kind in kinds if kind), model.subclass)
