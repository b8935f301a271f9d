"""Runs inside Blender: imports files, says where joints and vertices are, exports them again.

    blender -b --factory-startup --python blender_script.py -- jobs.json

Each job has `path`, `fps`, `unit` (metres of one unit of a BVH file), `times` (seconds), `vertex_times`, `out` (npz),
`exports` (paths). Positions are written in metres, Y up: Blender's x, z, -y.
"""

import builtins
import json
import sys
import traceback
from pathlib import Path

import bpy  # pyright: ignore[reportMissingImports]
import numpy as np

if not hasattr(np, "bool"):
    np.bool = bool  # the glTF importer of Blender 3.4 says numpy.bool, which newer NumPy no longer has

_open = builtins.open
builtins.open = lambda file, mode="r", *more, **named: _open(file, mode.replace("U", ""), *more, **named)
# the BVH importer of Blender 3.4 opens with "rU", which Python 3.11 no longer knows

LAST_WRITTEN = 40  # frames; Blender takes its time to write


def clear() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)


def read(path: str, fps: float, unit: float) -> float:
    """Imports a file into the empty scene; returns the frame of time 0."""
    scene = bpy.context.scene
    scene.render.fps = max(round(fps), 1)
    scene.render.fps_base = max(round(fps), 1) / fps
    suffix = Path(path).suffix.lower()
    if suffix == ".bvh":
        bpy.ops.import_anim.bvh(
            filepath=path, global_scale=unit, axis_forward="-Z", axis_up="Y", use_fps_scale=False, update_scene_fps=True
        )
        return 1.0
    if suffix == ".fbx":
        bpy.ops.import_scene.fbx(filepath=path)
        return 1.0
    if suffix in (".glb", ".gltf", ".vrm"):
        shown = path
        if suffix == ".vrm":
            shown = str(Path(path).with_suffix(".glb"))
        bpy.ops.import_scene.gltf(filepath=shown, merge_vertices=False, bone_heuristic="BLENDER")
        return 0.0
    if suffix in (".usd", ".usda", ".usdc", ".usdz"):
        bpy.ops.wm.usd_import(filepath=path)
        return 0.0
    raise ValueError(f"no importer for {suffix}")


def at(seconds: float, zero: float) -> None:
    scene = bpy.context.scene
    frame = zero + seconds * scene.render.fps / scene.render.fps_base
    whole = int(np.floor(frame + 1e-6))
    scene.frame_set(whole, subframe=max(frame - whole, 0.0))


def ours(points: np.ndarray) -> np.ndarray:
    return np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1)


def joints() -> tuple[list[str], np.ndarray]:
    names, places = [], []
    for thing in bpy.context.scene.objects:
        world = np.array(thing.matrix_world)
        names.append(thing.name)
        places.append(world[:3, 3])
        if thing.type == "ARMATURE":
            for bone in thing.pose.bones:
                names.append(bone.name)
                places.append(world[:3, :3] @ np.array(bone.head) + world[:3, 3])
    return names, ours(np.array(places))


def vertices() -> np.ndarray:
    graph = bpy.context.evaluated_depsgraph_get()
    found = [np.zeros((0, 3))]
    for thing in sorted((o for o in bpy.context.scene.objects if o.type == "MESH"), key=lambda o: o.name):
        posed = thing.evaluated_get(graph)
        mesh = posed.to_mesh()
        flat = np.empty(3 * len(mesh.vertices))
        mesh.vertices.foreach_get("co", flat)
        world = np.array(posed.matrix_world)
        found.append(flat.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3])
        posed.to_mesh_clear()
    return ours(np.concatenate(found))


def write(path: str, zero: float) -> None:
    scene = bpy.context.scene
    first = int(zero)
    scene.frame_start, scene.frame_end = first, first + LAST_WRITTEN
    suffix = Path(path).suffix.lower()
    if suffix == ".bvh":
        armature = next(thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE")
        bpy.context.view_layer.objects.active = armature
        bpy.ops.export_anim.bvh(filepath=path, frame_start=first, frame_end=scene.frame_end, root_transform_only=False)
    elif suffix == ".fbx":
        bpy.ops.export_scene.fbx(
            filepath=path,
            add_leaf_bones=False,
            bake_anim_simplify_factor=0.0,
            bake_anim_use_all_actions=False,
            bake_anim_use_nla_strips=False,
        )
    else:
        bpy.ops.export_scene.gltf(filepath=path, export_format="GLB")


def do(job: dict) -> None:
    clear()
    zero = read(job["path"], job["fps"], job["unit"])
    places, meshes, names = [], [], []
    for seconds in job["times"]:
        at(seconds, zero)
        names, now = joints()
        places.append(now)
    for seconds in job["vertex_times"]:
        at(seconds, zero)
        meshes.append(vertices())
    np.savez(job["out"], names=np.array(names, dtype=str), positions=np.array(places), vertices=np.array(meshes))
    for path in job["exports"]:
        write(path, zero)


def main() -> None:
    for job in json.loads(Path(sys.argv[sys.argv.index("--") + 1]).read_text(encoding="utf-8")):
        try:
            do(job)
        except Exception:  # one file that Blender does not read must not cost the others
            Path(job["out"]).with_suffix(".txt").write_text(traceback.format_exc())


main()
