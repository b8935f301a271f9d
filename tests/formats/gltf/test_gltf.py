"""Whole files: real ones with the official validator as judge, a reference reading of one, and mutated ones."""

from __future__ import annotations

import json
import struct
import time

import numpy as np
import pytest

from kinema import Motion, Skeleton, rotations
from kinema.errors import FormatError
from kinema.formats import load, save
from kinema.formats.sources import Source

SUFFIXES = {".glb", ".gltf", ".vrm", ".vrma"}

# Files that break a rule and are read all the same, each for a reason.
READ_DESPITE_ERRORS = {
    "glb/length_mismatch.glb": "is cut short; what is there is read, and a warning says so",
    "accessor_data/out_of_range_elements_float.gltf": "declared bounds are wrong; we never use them",
    "accessor_data/out_of_range_elements_sint8.gltf": "declared bounds are wrong; we never use them",
    "accessor_data/out_of_range_elements_uint16.gltf": "declared bounds are wrong; we never use them",
    "accessor_data/out_of_range_elements_uint32.gltf": "declared bounds are wrong; we never use them",
    "accessor_data/out_of_range_elements_uint8.gltf": "declared bounds are wrong; we never use them",
    "animation/channel_duplicate_targets.gltf": "both channels use one sampler, so they agree; a warning says so",
    "animation/empty_array.gltf": "an empty list of animations means none; exporters write it",
    "mesh/empty_array.gltf": "an empty list of meshes means none",
    "node/empty_array.gltf": "an empty list of nodes means none",
    "skin/empty_array.gltf": "an empty list of skins means none",
    "scene/empty_nodes_array.gltf": "an empty scene is empty",
    "buffer_view/invalid_stride_wrong_target.gltf": "stride on an index view that nothing reads",
    "mesh/invalid_attribute.gltf": "an attribute of an unknown name is not read",
    "mesh/morph_position_accessor_no_bounds.gltf": "bounds are missing; we never use them",
    "mesh/position_accessor_no_bounds.gltf": "bounds are missing; we never use them",
    "mesh/uv.gltf": "a texture without coordinates cannot be drawn, the shape can",
    "mesh_data/normals_tangents_non_unit_invalid_sign.gltf": "normals are made unit length, tangents not read",
    "root/duplicate_extension_entry.gltf": "naming an extension twice changes nothing",
    "root/extensions_non_objects.gltf": "unknown optional extensions are not looked into",
    "root/extensions_undeclared_wrong_pointer.gltf": "unknown optional extensions are not looked into",
    "animation/sampler_bufferview_bytestride.gltf": "an animation without data is left out, whatever its stride",
    "mesh/accessor_unaligned.gltf": "a mesh without data is left out, wherever it would begin",
    "mesh/accessor_without_bytestride.gltf": "a mesh without data is left out, whatever its stride",
    "mesh/bufferview_target_override.gltf": "a mesh without data is left out; targets of views are not read",
    "mesh/indices_bytestride.gltf": "a mesh without data is left out, whatever its stride",
    "mesh/morph_bufferview_target_override.gltf": "a mesh without data is left out; targets of views are not read",
    "skin/buffer_view_bytestride.gltf": "a skin without data has no inverse bind matrices, whatever their stride",
    "skin/no_common_root.gltf": "our skeletons may have several roots",
    "skin/skeleton_invalid.gltf": "the `skeleton` hint of a skin is not needed to pose it",
}


def outcome(path) -> str:
    started = time.process_time()
    try:
        asset = load(path)
    except FormatError as error:
        assert "\n" not in str(error) and str(path) in str(error)
        result = str(error)
    else:
        result = ""
        if asset.character is not None:
            for vertices in asset.character.skin(asset.skeleton.rest_pose):
                assert np.isfinite(vertices).all()
        for motion in asset.motions:
            assert np.isfinite(motion[:].global_positions).all()
    assert time.process_time() - started < 10
    return result


def test_validator_cases_are_judged_like_the_validator_does(data_dir):
    folder = data_dir / "importers" / "gltf_validator"
    reports = sorted(folder.rglob("*.report.json"))
    assert len(reports) > 100
    wrong = []
    for report in reports:
        name = report.relative_to(folder).as_posix().removesuffix(".report.json")
        errors = [m["code"] for m in json.loads(report.read_text())["issues"]["messages"] if m["severity"] == 0]
        refused = outcome(folder / name)
        if bool(errors and name not in READ_DESPITE_ERRORS) != bool(refused):
            wrong.append((name, errors[:3], refused))
    assert wrong == []


def test_all_real_characters_are_read(data_dir):
    refused = {}
    for folder in ("characters", "any_topology"):
        for path in sorted((data_dir / folder).rglob("*")):
            if path.suffix in SUFFIXES and (message := outcome(path)):
                refused[path.name] = message
    assert refused == {}


@pytest.mark.slow
def test_other_importers_cases_never_crash(data_dir):
    paths = [path for path in sorted((data_dir / "importers").glob("gltf_[!v]*/**/*")) if path.suffix in SUFFIXES]
    outcomes = {path.name: outcome(path) for path in paths}
    for name in (
        "BoxInterleaved.glb",
        "nested.glb",
        "singleBlendshapeCube_sparse.glb",
        "SimpleSkin.gltf",
        "quad_skin.glb",
        "MorphPrimitivesTest.gltf",
        "version-supported.gltf",
        "BoxMeshopt.glb",
        "BoxDraco.gltf",
    ):
        assert outcomes[name] == "", name
    for name, place in {
        "scene-invalid-cycle-deep.gltf": "part of a cycle",
        "scene-invalid-multiple-parents.gltf": "nodes[2]",
        "mesh-invalid-sparse-indices.gltf": "accessors[0].sparse.indices",
        "badUint.gltf": "materials[0]",
        "buffer-invalid-short-size.glb": "buffers[0]",
    }.items():
        assert place in outcomes[name], (name, outcomes[name])


def read_plainly(path):
    """A plain reading of CesiumMan by the definition of glTF: one frame, one matrix, one vertex at a time."""
    data = path.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    root, binary = json.loads(data[20 : 20 + size]), data[28 + size :]
    codes = {5121: ("B", 1), 5123: ("H", 2), 5126: ("f", 4)}

    def numbers(index):
        accessor = root["accessors"][index]
        view = root["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        letter, unit = codes[accessor["componentType"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        step = view.get("byteStride", width * unit)
        return [struct.unpack_from(f"<{width}{letter}", binary, start + i * step) for i in range(accessor["count"])]

    def local(node, at):
        item = root["nodes"][node]
        if "matrix" in item:
            return np.array(item["matrix"]).reshape(4, 4).T
        value = {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1], **item}
        for animation in root["animations"]:
            for channel in animation["channels"]:
                if channel["target"]["node"] == node:
                    sampler = animation["samplers"][channel["sampler"]]
                    value[channel["target"]["path"]] = numbers(sampler["output"])[at]
        matrix = np.eye(4)
        q = np.array(value["rotation"])[[3, 0, 1, 2]]
        matrix[:3, :3] = rotations.to_matrix(q / np.linalg.norm(q)) * value["scale"]
        matrix[:3, 3] = value["translation"]
        return matrix

    def posed(at):
        world, stack = {}, [(root["scenes"][0]["nodes"][0], np.eye(4))]
        while stack:
            node, above = stack.pop()
            world[node] = above @ local(node, at)
            stack += [(child, world[node]) for child in root["nodes"][node].get("children", [])]
        skin = root["skins"][0]
        binds = [np.array(m).reshape(4, 4).T for m in numbers(skin["inverseBindMatrices"])]
        palette = [world[node] @ bind for node, bind in zip(skin["joints"], binds, strict=True)]
        attributes = root["meshes"][0]["primitives"][0]["attributes"]
        rows = zip(*(numbers(attributes[key]) for key in ("POSITION", "JOINTS_0", "WEIGHTS_0")), strict=True)
        return np.array(
            [
                sum(w * (palette[j] @ [*p, 1])[:3] for j, w in zip(joints, weights, strict=True) if w) / sum(weights)
                for p, joints, weights in rows
            ]
        ), {f"node_{node}": world[node][:3, 3] for node in skin["joints"]}

    return posed


def test_cesium_man_is_skinned_as_the_definition_says(data_dir):
    path = data_dir / "characters" / "threejs" / "CesiumMan" / "CesiumMan.glb"
    posed = read_plainly(path)
    asset = load(path)
    motion = asset.motion()
    assert "19 animations" in asset.warnings[0] and motion.frames > 40
    for key in (0, 11):
        vertices, joints = posed(key)
        rates = np.round(motion.fps)
        assert rates == 24
        pose = motion[key]
        for name, position in joints.items():
            np.testing.assert_allclose(pose.global_positions[motion.skeleton.index(name)], position, atol=2e-4)
        np.testing.assert_allclose(asset.character.skin(pose)[0], vertices, atol=3e-4)


def small_character(gltf_file) -> bytes:
    file = gltf_file(nodes=[{"name": "a", "children": [1]}, {"name": "b"}, {"mesh": 0, "skin": 0}])
    joints = file.accessor([[0, 1, 0, 0]] * 3, "VEC4", "u1")
    weights = file.accessor([[0.5, 0.5, 0, 0]] * 3, "VEC4")
    primitive = file.triangle(JOINTS_0=joints, WEIGHTS_0=weights)
    primitive["indices"] = file.accessor([0, 1, 2], "SCALAR", "u2")
    primitive["targets"] = [{"POSITION": primitive["attributes"]["POSITION"]}]
    primitive["material"] = 0
    file.root["meshes"] = [{"primitives": [primitive]}]
    file.root["materials"] = [{"pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, 1]}}]
    file.root["skins"] = [{"joints": [0, 1], "inverseBindMatrices": file.accessor([np.eye(4)] * 2, "MAT4")}]
    half = np.sqrt(0.5)
    file.animate(0, "rotation", [0, 0.5, 1], [[0, 0, 0, 1], [half, 0, 0, half], [1, 0, 0, 0]])
    file.animate(1, "scale", [0, 1], [[1, 1, 1], [2, 2, 2]], "STEP")
    file.animate(2, "weights", [0, 1], [0, 1])
    file.animate(1, "translation", [0, 1], np.zeros((6, 3)), "CUBICSPLINE")
    sparse = {
        "count": 1,
        "indices": {"bufferView": file.view(b"\1\0"), "componentType": 5123},
        "values": {"bufferView": file.view(bytes(12))},
    }
    file.root["accessors"][primitive["attributes"]["POSITION"]]["sparse"] = sparse
    file.root["scenes"] = [{"nodes": [0, 2]}]
    return file.data


@pytest.mark.parametrize(
    "seed", [0, 1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)]
)
def test_mutated_files_are_read_or_refused(gltf_file, seed):
    """Flipped bytes, digits and cuts: nothing but FormatError, and no great memory."""
    data = small_character(gltf_file)
    load(Source.from_bytes(data, "x.glb"))
    generator = np.random.default_rng(seed)
    size = struct.unpack_from("<I", data, 12)[0]
    refused = 0
    for _ in range(400):
        mutated = bytearray(data)
        for _ in range(generator.integers(1, 4)):
            kind, place = generator.integers(4), int(generator.integers(len(data)))
            if kind == 0:
                mutated[place] = generator.integers(256)
            elif kind == 1:
                mutated[place] ^= 1 << generator.integers(8)
            elif kind == 2:
                digits = [i for i in range(20, 20 + size) if chr(data[i]).isdigit()]
                mutated[digits[generator.integers(len(digits))]] = ord(str(generator.integers(10)))
            else:
                quotes = [i for i in range(20, 20 + size) if data[i : i + 1] in b'[]{}:,"']
                mutated[quotes[generator.integers(len(quotes))]] = generator.choice(list(b'[]{}:, "9-'))
        if generator.random() < 0.1:
            mutated = mutated[: generator.integers(len(mutated))]
        try:
            load(Source.from_bytes(bytes(mutated), "x.glb"))
        except FormatError as error:
            assert "\n" not in str(error)
            refused += 1
    assert refused > 100


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_mutated_json_values_are_read_or_refused(gltf_file, seed):
    """Every value of the JSON replaced by values of other types and sizes."""
    data = small_character(gltf_file)
    size = struct.unpack_from("<I", data, 12)[0]
    root, tail = json.loads(data[20 : 20 + size]), data[20 + size :]
    places = []
    stack = [root]
    while stack:
        owner = stack.pop()
        for key in owner if isinstance(owner, dict) else range(len(owner)):
            places.append((owner, key))
            if isinstance(owner[key], dict | list):
                stack.append(owner[key])
    odd = [None, True, -1, 0, 1, 7, 2**31, 2**53, 2**70, 1.5, 1e300, -1e-300, "", "x", [], [1], {}, [[]], [{}]]
    generator = np.random.default_rng(seed)
    for owner, key in places:
        for value in [odd[i] for i in generator.permutation(len(odd))[:8]]:
            kept, owner[key] = owner[key], value
            text = json.dumps(root).encode()
            owner[key] = kept
            text += b" " * (-len(text) % 4)
            body = struct.pack("<I4s", len(text), b"JSON") + text + tail
            try:
                load(Source.from_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body, "x.glb"))
            except FormatError as error:
                assert "\n" not in str(error)


@pytest.mark.slow
def test_small_files_cannot_ask_for_much(gltf_file):
    """Uses of one mesh, and frames between two keys, cost a file nothing and us a lot."""
    file = gltf_file(nodes=[{"children": list(range(1, 5001))}] + [{"mesh": 0}] * 5000)
    file.root["meshes"] = [{"primitives": [file.triangle()] * 500}]
    with pytest.raises(FormatError, match=r"nodes\[\d+\]: asks for \d+ bytes of memory"):
        file.load()
    file = gltf_file(nodes=[{"children": [1]}, {}], animations=[])
    file.root["animations"].append({"channels": [], "samplers": []})
    file.animate(0, "rotation", [0, 1e5], [[0, 0, 0, 1], [1, 0, 0, 0]])
    file.root["animations"] *= 50
    with pytest.raises(FormatError, match=r"animations\[3\]: asks for \d+ bytes of memory.*; try a lower fps"):
        file.load()


def test_fps_option(gltf_file):
    source = Source.from_bytes(small_character(gltf_file), "x.glb")
    assert load(source, fps=50).motions[0].frames == 51
    with pytest.raises(FormatError, match="cannot be sampled at 0"):
        load(source, fps=0)


@pytest.mark.bench
def test_reading_speed(data_dir, tmp_path):
    """A character of 12,500 vertices in some milliseconds; clips at more than 100,000 frames per second."""
    path = data_dir / "characters" / "quaternius" / "modular_men_Casual.glb"
    assert min(_seconds(lambda: load(path)) for _ in range(5)) < 0.02
    skeleton = Skeleton.create([f"j{i}" for i in range(27)], np.arange(27) - 1, np.ones((27, 3)))
    turned = rotations.normalize(np.random.default_rng(0).normal(size=(20_000, 27, 4)).astype(np.float32))
    save(Motion.create(skeleton, turned, fps=60), tmp_path / "a.glb")
    assert 20_000 / min(_seconds(lambda: load(tmp_path / "a.glb")) for _ in range(3)) > 100_000


def _seconds(call) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started
