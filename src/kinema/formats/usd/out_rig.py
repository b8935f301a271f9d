"""A skeleton as UsdSkel prims, with the bind transforms that meshes need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kinema import rotations
from kinema.arrays import Bools, Floats
from kinema.character import Mesh
from kinema.errors import FormatError
from kinema.formats.rigid import transforms
from kinema.formats.trees import numbered
from kinema.formats.usd.openusd import Tf, UsdSkel, Vt
from kinema.skeleton import Skeleton

SAME = 1e-5  # how far two bind transforms may be apart, relative to their size


def rows(matrices: NDArray[Any]) -> Any:
    """Matrices `[N, 4, 4]` that act on columns as an array of USD, whose matrices act on rows."""
    return Vt.Matrix4dArray.FromNumpy(np.ascontiguousarray(np.swapaxes(matrices, 1, 2), dtype=np.float64))


def valid_names(names: list[str] | tuple[str, ...], taken: set[str] | None = None) -> list[str]:
    """Valid and unique names of prims."""
    used = set() if taken is None else taken
    return [numbered(Tf.MakeValidIdentifier(name or "prim"), used, 1) for name in names]


@dataclass(eq=False)
class Binding:
    """One Skeleton prim: the bind transforms that some meshes agree on, `[J, 4, 4]` where `known`."""

    bind: Floats
    known: Bools

    def geom(self, used: NDArray[np.integer], inverse: Floats) -> Floats | None:
        """The geomBindTransform of a mesh with these inverse bind matrices; None where no joint or pose is shared."""
        shared = self.known[used]
        found = self.bind[used[shared]] @ inverse[shared]
        return found[0] if len(found) and _same(found, found[0]) else None

    def extend(self, used: NDArray[np.integer], inverse: Floats, geom: Floats) -> None:
        """Takes over the bind transforms of a mesh for joints that are not known yet."""
        fresh = ~self.known[used]
        self.bind[used[fresh]] = geom @ np.linalg.inv(inverse[fresh])
        self.known[used] = True


class RigWriter:
    """The skeleton of a file, written once for each set of bind transforms; nearly always once."""

    def __init__(self, stage: Any, root: Any, skeleton: Skeleton, taken: set[str]) -> None:
        self._stage, self._root, self._skeleton, self._taken = stage, root, skeleton, taken
        pose = skeleton.rest_pose
        unit = rotations.normalize(pose.global_rotations.astype(np.float64))
        self.rest = transforms(unit, pose.global_positions)
        self._bindings: list[Binding] = []
        plain = valid_names(skeleton.names)
        self.tokens: list[str] = []
        for joint, parent in enumerate(skeleton.parents.tolist()):
            self.tokens.append(plain[joint] if parent < 0 else f"{self.tokens[parent]}/{plain[joint]}")
        self._renamed = plain != list(skeleton.names)

    def bind(self, mesh: Mesh) -> tuple[int, Floats]:
        """The Skeleton prim that a mesh is bound to, and its geomBindTransform `[4, 4]`.

        A mesh's inverse bind matrices are `inverse(bind[j]) @ geom` for one `geom` of its own. Meshes made for the
        same bind pose share a skeleton; one that was made for another gets a copy of it.

        Raises:
            FormatError: a bind matrix cannot be inverted.
        """
        if mesh.joints is not None and mesh.weights is not None and mesh.inverse_bind is not None:
            used = np.unique(mesh.joints[mesh.weights > 0])
            inverse = mesh.inverse_bind[used].astype(np.float64)
        else:
            used, inverse = np.array([mesh.joint or 0]), np.eye(4)[None]
        if not (np.abs(np.linalg.det(inverse[:, :3, :3])) > 1e-30).all():
            raise FormatError(f"mesh {mesh.name!r} is bound by a matrix that cannot be inverted")
        for number, binding in enumerate(self._bindings):
            geom = binding.geom(used, inverse)
            if geom is not None:
                binding.extend(used, inverse, geom)
                return number, geom
        found = self.rest[used] @ inverse
        geom = found[0]
        if not _same(found, geom):
            geom = np.diag([*[np.cbrt(abs(np.linalg.det(inverse[0, :3, :3])))] * 3, 1.0])
        binding = next((other for other in self._bindings if not other.known[used].any()), None)
        if binding is None:
            binding = Binding(self.rest.copy(), np.zeros(len(self.rest), bool))
            self._bindings.append(binding)
        binding.extend(used, inverse, geom)
        return self._bindings.index(binding), geom

    def write(self, first_clip: Any) -> list[Any]:
        """The Skeleton prims, with the path of the animation that they are bound to; one prim at least."""
        skeleton, made = self._skeleton, []
        unit = rotations.normalize(skeleton.rest_rotations.astype(np.float64))
        local = transforms(unit, skeleton.rest_translations)
        for number, binding in enumerate(self._bindings or [Binding(self.rest, np.ones(len(self.rest), bool))]):
            name = valid_names(["Skeleton"], self._taken)[0]
            prim = UsdSkel.Skeleton.Define(self._stage, self._root.GetPath().AppendChild(name))
            prim.CreateJointsAttr(self.tokens)
            if self._renamed:
                prim.CreateJointNamesAttr(list(skeleton.names))
            prim.CreateBindTransformsAttr(rows(binding.bind))
            prim.CreateRestTransformsAttr(rows(local))
            api = UsdSkel.BindingAPI.Apply(prim.GetPrim())
            if first_clip is not None:
                api.CreateAnimationSourceRel().SetTargets([first_clip])
            notes = self._notes() if not number else {"same_as": 0}
            if notes:
                prim.GetPrim().SetCustomDataByKey("kinema", notes)
            made.append(prim)
        return made

    def _notes(self) -> dict[str, Any]:
        skeleton, notes = self._skeleton, {}
        if len(skeleton.tip_joints):
            notes["tip_joints"] = Vt.IntArray.FromNumpy(skeleton.tip_joints)
            notes["tip_offsets"] = Vt.Vec3fArray.FromNumpy(skeleton.tip_offsets)
        if skeleton.hints:
            notes["hint_joints"] = Vt.IntArray([skeleton.index(name) for name in skeleton.hints])
            notes["hint_roles"] = Vt.StringArray(list(skeleton.hints.values()))
        return notes


def _same(matrices: Floats, one: Floats) -> bool:
    return bool(np.abs(matrices - one).max() <= SAME * max(1.0, float(np.abs(one).max())))
