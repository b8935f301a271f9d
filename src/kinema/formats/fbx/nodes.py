"""The tree of an FBX file's models, with their transforms at rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kinema.formats.fbx.document import Document, Id, Object
from kinema.formats.fbx.transform import COMPENSATED, ORDERS, PARTS, PLAIN, SPHERIC, Global, globally, local
from kinema.formats.trees import preorder

_ROTATION_LIMITS = ("PreRotation", "PostRotation")
FARTHEST = 1e12  # units; what lies beyond is no place


@dataclass(eq=False)
class Nodes:
    """Models as a tree: all lists are by node, `order` has parents first."""

    models: list[Object]
    index: dict[Id, int]
    parents: list[int]  # -1 for a root
    children: list[list[int]]
    order: list[int]
    kinds: list[str]  # the model's variety or, where it has none, that of its attribute: LimbNode, Mesh, Camera
    parts: list[dict[str, NDArray[np.float64]]]  # properties of the transform that differ from their default
    rotation_orders: list[int]
    inherit: list[int]
    rest: NDArray[np.float64]  # [N, 4, 4] in the file's space


def read_nodes(document: Document) -> Nodes:
    """The tree of all models.

    Raises:
        FormatError: models in a circle, or one that lies outside of any sensible range.
    """
    models = list(document.all("Model"))
    index = {model.id: number for number, model in enumerate(models)}
    parents = [-1] * len(models)
    children: list[list[int]] = [[] for _ in models]
    for number, model in enumerate(models):
        above = [
            link.parent
            for link in document.links_above(model.id)
            if link.parent in index and link.parent_property is None
        ]
        if above:
            parents[number] = index[above[0]]
            if any(other != above[0] for other in above[1:]):
                document.warn(f"{model.where} has several parents; it was left with the first")
    roots = []
    placed: set[int] = set()
    # Children in the order of the connections, as other programs show them; the unconnected stand below the scene.
    for number in [index[link.child] for link in document.links if link.child in index] + list(range(len(models))):
        if number not in placed:
            placed.add(number)
            (children[parents[number]] if parents[number] >= 0 else roots).append(number)
    order = preorder(roots, children)
    if len(order) < len(models):
        lost = min(set(range(len(models))) - set(order))
        raise document.error("is its own ancestor", models[lost].where)
    parts = [_parts(model) for model in models]
    nodes = Nodes(
        models,
        index,
        parents,
        children,
        order,
        [_kind(document, model) for model in models],
        parts,
        [_rotation_order(document, model) for model in models],
        [_inherit(model) for model in models],
        np.zeros((len(models), 4, 4)),
    )
    with np.errstate(over="ignore", invalid="ignore"):
        for number, found in world(nodes, order).items():
            nodes.rest[number] = found.matrix()
    far = ~(np.abs(nodes.rest) < FARTHEST).all(axis=(1, 2))
    if far.any():
        raise document.error("lies outside of any sensible range", models[int(np.argmax(far))].where)
    return nodes


def world(
    nodes: Nodes, order: list[int], moving: dict[int, dict[str, NDArray[np.float64]]] | None = None
) -> dict[int, Global]:
    """Transforms of some nodes (parents first, with all ancestors) in the file's space.

    Args:
        moving: properties `[F, 3]` of nodes that move; what does not move keeps no frames.
    """
    found: dict[int, Global] = {}
    for node in order:
        parts = nodes.parts[node]
        if moving and node in moving:
            parts = {**parts, **moving[node]}
        own = local(parts, nodes.rotation_orders[node])
        parent = nodes.parents[node]
        found[node] = globally(own, found[parent] if parent >= 0 else None, nodes.inherit[node])
    return found


def geometric(model: Object) -> NDArray[np.float64]:
    """The transform `[4, 4]` between a model and what hangs on it: it moves meshes, not children."""
    values = {
        "Lcl Translation": model.vector("GeometricTranslation", (0, 0, 0)),
        "Lcl Rotation": model.vector("GeometricRotation", (0, 0, 0)),
        "Lcl Scaling": model.vector("GeometricScaling", (1, 1, 1)),
    }
    return local({name: np.array(value, dtype=np.float64) for name, value in values.items()}).matrix()


def rotation_active(model: Object) -> bool:
    """Whether pre- and post-rotation and the order of turns count: not where the file says that they do not."""
    return model.integer("RotationActive", 1) != 0


def _parts(model: Object) -> dict[str, NDArray[np.float64]]:
    active = rotation_active(model)
    found = {}
    for name, usual in PARTS.items():
        value = np.array(model.vector(name, (usual, usual, usual)), dtype=np.float64)
        if (value != usual).any() and (active or name not in _ROTATION_LIMITS):
            found[name] = value
    return found


def _rotation_order(document: Document, model: Object) -> int:
    order = model.integer("RotationOrder", 0)
    if not 0 <= order < len(ORDERS):
        document.warn(f"{model.where} has the unknown rotation order {order}; it was read as XYZ")
        return 0
    if order == SPHERIC:
        document.warn(f"{model.where} has spheric rotations; they were read as XYZ")
        return 0
    return order if rotation_active(model) else 0


def _inherit(model: Object) -> int:
    given = model.integer("InheritType", 0)
    return given if 0 <= given <= COMPENSATED else PLAIN


def _kind(document: Document, model: Object) -> str:
    if model.subclass and model.subclass != "Null":
        return model.subclass
    kinds = [item.subclass for item in document.children(model.id, "NodeAttribute")]
    return next((kind for kind in kinds if kind), model.subclass)
