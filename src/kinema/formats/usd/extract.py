"""Everything of a composed stage that a character or a motion is made of, as plain arrays; runs in the sandbox.

References are listed before anything is composed. Interpretation is left to the reader. Matrices that are values of
attributes still act on row vectors, in the file's units and axes; transforms of prims act on columns.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from kinema.arrays import Floats
from kinema.errors import FormatError
from kinema.formats.checks import require
from kinema.formats.usd import meshes, surfaces, values
from kinema.formats.usd.frames import frame_codes
from kinema.formats.usd.openusd import Sdf, Usd, UsdGeom, UsdSkel
from kinema.rates import is_rate

MAX_PRIMS = 100_000
MAX_SPECS = 2_000_000
_LIGHTS_AND_CAMERAS = ("Camera", "Light")


def extract(stage: Any, folder: Path, fps: float | None) -> dict[str, Any]:
    """The tree that `reader` makes an asset of; see there for its keys.

    Raises:
        FormatError: something has a type or size that does not fit; names the prim.
    """
    layer = stage.GetRootLayer()
    per_second = float(stage.GetTimeCodesPerSecond())
    found: dict[str, Any] = {
        "up": str(UsdGeom.GetStageUpAxis(stage)),
        "metres": float(UsdGeom.GetStageMetersPerUnit(stage)) if UsdGeom.StageHasAuthoredMetersPerUnit(stage) else None,
        "nodes": [],
        "meshes": [],
        "skeletons": [],
        "animations": [],
        "clips": [],
        "warnings": [],
    }
    require(np.isfinite(per_second) and per_second > 0, f"has {per_second:g} time codes per second; must be positive")
    walk = _Walk(found)
    for number, prim in enumerate(Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies())):
        require(number <= MAX_PRIMS, f"has more than {MAX_PRIMS} prims")
        walk.visit(prim)
    walk.bind()
    library = surfaces.Library(folder, Path(layer.realPath).parent)
    for prim, node in walk.meshes:
        found["meshes"].append(meshes.extract_mesh(prim, node, walk.skeleton_of(prim), library, found["warnings"]))
    found["materials"], found["textures"] = library.materials, library.textures
    found["warnings"] += library.warnings
    _sample(walk, per_second, fps)
    return found


class _Walk:
    """Prims in order, each with the nearest transformable prim above it."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.found = found
        self.meshes: list[tuple[Any, int]] = []
        self.skeletons: list[Any] = []
        self.animations: list[Any] = []
        self.moving: list[tuple[int, Any]] = []  # nodes with animated transforms
        self._nodes: dict[Any, int] = {}
        self._others = 0

    def visit(self, prim: Any) -> None:
        above = self._nodes.get(prim.GetParent().GetPath(), -1) if prim.GetParent() else -1
        self._nodes[prim.GetPath()] = above
        kind = str(prim.GetTypeName())
        if prim.IsA(UsdSkel.Animation):
            self.animations.append(prim)
        if not prim.IsA(UsdGeom.Xformable):
            return
        node = len(self.found["nodes"])
        self._nodes[prim.GetPath()] = node
        form = UsdGeom.Xformable(prim)
        moves = form.TransformMightBeTimeVarying()
        if moves:
            self.moving.append((node, form))
        self.found["nodes"].append(
            {
                "name": prim.GetDisplayName() or prim.GetName(),
                "path": str(prim.GetPath()),
                "kind": kind,
                "parent": above,
                "resets": form.GetResetXformStack(),
                "matrix": _rest_transform(form),
                "light": kind.endswith(_LIGHTS_AND_CAMERAS),
                "moves": moves,
            }
        )
        if prim.IsA(UsdSkel.Skeleton):
            self.skeletons.append(prim)
        elif prim.IsA(UsdGeom.Mesh):
            if _is_drawn(prim):
                self.meshes.append((prim, node))
            else:
                self.found["warnings"].append(f"{values.place(prim)} is hidden or a guide and was left out")
        elif prim.IsA(UsdGeom.Gprim):
            self._others += 1

    def bind(self) -> None:
        """Skeletons with their joints and animations."""
        if self._others:
            self.found["warnings"].append(f"{self._others} shapes that are not meshes were left out")
        order = {prim.GetPath(): number for number, prim in enumerate(self.animations)}
        for prim in self.skeletons:
            joints = values.tokens(prim, "joints") or []
            source = next(iter(inherited_targets(prim, "skel:animationSource")), None)
            node = self._nodes[prim.GetPath()]
            self.found["skeletons"].append(
                {
                    "node": node,
                    "path": str(prim.GetPath()),
                    "joints": joints,
                    "names": values.tokens(prim, "jointNames"),
                    "bind": values.numbers(prim, "bindTransforms", 16),
                    "rest": values.numbers(prim, "restTransforms", 16),
                    "animation": order.get(source, -1),
                    "notes": values.plain(prim.GetCustomDataByKey("kinema") or {}),
                }
            )

    def skeleton_of(self, prim: Any) -> int:
        """Index of the skeleton that a mesh is bound to, -1 for none: bound meshes are below a SkelRoot."""
        above = prim
        while above and not above.IsA(UsdSkel.Root):
            above = above.GetParent()
        if not above:
            return -1
        target = next(iter(inherited_targets(prim, "skel:skeleton")), None)
        paths = [skeleton.GetPath() for skeleton in self.skeletons]
        return paths.index(target) if target in paths else -1


def inherited_targets(prim: Any, name: str) -> list[Any]:
    """Targets of a relationship that prims hand down to those below them."""
    while prim and not prim.IsPseudoRoot():
        relationship = prim.GetRelationship(name)
        if relationship and relationship.HasAuthoredTargets():
            return list(relationship.GetForwardedTargets())
        prim = prim.GetParent()
    return []


def _is_drawn(prim: Any) -> bool:
    image = UsdGeom.Imageable(prim)
    hidden = image.ComputeVisibility(Usd.TimeCode.EarliestTime()) == UsdGeom.Tokens.invisible
    return not hidden and image.ComputePurpose() in (UsdGeom.Tokens.default_, UsdGeom.Tokens.render)


def _rest_transform(form: Any) -> Floats:
    rests = all(op.GetAttr().Get() is not None for op in form.GetOrderedXformOps())
    time = Usd.TimeCode.Default() if rests else Usd.TimeCode.EarliestTime()
    return values.column_matrix(form.GetLocalTransformation(time))


def _sample(walk: _Walk, per_second: float, fps: float | None) -> None:
    """One clip of what the stage plays, and one for each further animation."""
    bound = sorted({skeleton["animation"] for skeleton in walk.found["skeletons"]} - {-1})
    if bound or walk.moving:
        walk.found["clips"].append({**_clip(walk, bound, walk.moving, per_second, fps), "bound": True})
    for number in range(len(walk.animations)):
        if number not in bound:
            walk.found["clips"].append({**_clip(walk, [number], [], per_second, fps), "bound": False})


def _clip(
    walk: _Walk, numbers: list[int], moving: list[tuple[int, Any]], per_second: float, fps: float | None
) -> dict[str, Any]:
    """Some animations and moving transforms, sampled at one rate."""
    prims = [walk.animations[number] for number in numbers]
    notes = values.plain(prims[0].GetCustomDataByKey("kinema") or {}) if len(prims) == 1 else {}
    codes, rate = frame_codes(_sample_times(prims, moving), per_second, fps, _noted_rate(notes))
    if len(moving) * len(codes) * 16 > values.MAX_VALUES:
        raise FormatError(f"has {len(moving)} moving transforms in {len(codes)} frames, too many; try a lower fps")
    return {
        "name": (prims[0].GetDisplayName() or prims[0].GetName()) if prims else "",
        "fps": rate,
        "frames": max(len(codes), 1),
        "notes": notes,
        "animations": [_animation(prim, number, codes) for prim, number in zip(prims, numbers, strict=True)],
        "nodes": [node for node, _ in moving],
        "matrices": [_transforms(form, codes) for _, form in moving],
    }


def _sample_times(prims: list[Any], moving: list[tuple[int, Any]]) -> Floats:
    """Time codes of all samples of animations and transforms, ascending."""
    times = [np.array(form.GetTimeSamples(), dtype=np.float64) for _, form in moving]
    for prim in prims:
        for name in ("translations", "rotations", "scales", "blendShapeWeights"):
            times.append(values.sample_times(prim.GetAttribute(name)))
    codes = np.unique(np.concatenate(times)) if times else np.zeros(0)
    return codes[np.isfinite(codes)]


def _noted_rate(notes: Any) -> float | None:
    noted = notes.get("fps") if isinstance(notes, dict) else None
    return float(noted) if isinstance(noted, (int, float)) and is_rate(noted) else None


def _animation(prim: Any, number: int, codes: Floats) -> dict[str, Any]:
    joints = values.tokens(prim, "joints") or []
    shapes = values.tokens(prim, "blendShapes") or []
    return {
        "index": number,
        "path": str(prim.GetPath()),
        "joints": joints,
        "shapes": shapes,
        "translations": values.sampled(prim, "translations", 3, codes, len(joints)) if joints else None,
        "rotations": values.sampled(prim, "rotations", 4, codes, len(joints)) if joints else None,
        "scales": values.sampled(prim, "scales", 3, codes, len(joints)) if joints else None,
        "weights": values.sampled(prim, "blendShapeWeights", 1, codes, len(shapes)) if shapes else None,
    }


def _transforms(form: Any, codes: Floats) -> Floats:
    if not len(codes):
        return _rest_transform(form)[None]
    return np.stack([values.column_matrix(form.GetLocalTransformation(code)) for code in codes.tolist()])


def dependencies(layer_file: Path) -> list[str]:
    """Asset paths of everything that composing a layer would open: sublayers, references and payloads.

    Raises:
        FormatError: it uses value clips, whose files are only known during playback.
        Tf.ErrorException: the layer cannot be parsed.
    """
    layer = _open(layer_file)
    paths = list(layer.GetCompositionAssetDependencies())
    specs: list[Any] = []
    layer.Traverse(Sdf.Path.absoluteRootPath, specs.append)  # exceptions raised in the callback would be lost
    require(len(specs) <= MAX_SPECS, f"has more than {MAX_SPECS} prims and properties")
    for path in specs:
        if path.IsPrimPath() or path.IsPrimVariantSelectionPath():
            spec = layer.GetPrimAtPath(path)
            if spec is not None and spec.HasInfo("clips"):
                raise FormatError(
                    "uses value clips, which are not read; flatten it first (usdcat --flatten)", node=f"<{path}>"
                )
    return [path for path in dict.fromkeys(paths) if path]


def open_stage(layer_file: Path) -> Any:
    """The composed stage of a layer whose dependencies are all in place."""
    return Usd.Stage.Open(_open(layer_file), None, Usd.Stage.LoadAll)


def _open(layer_file: Path) -> Any:
    layer = Sdf.Layer.FindOrOpen(str(layer_file))
    if layer is None:
        raise FormatError("is not a USD layer")
    return layer
