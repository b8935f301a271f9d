"""What is fuzzed: one function a parser, with the modules whose branches count and a few small files to start from.

To fuzz another parser: add a function and a line to `TARGETS`.
"""

from __future__ import annotations

import base64
import io
import json
import struct
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

import kinema
from kinema.errors import KinemaError
from kinema.formats import acclaim, bvh, c3d, fbx, gltf, npz, robot, usd
from kinema.formats.sources import Source
from kinema.keypoints import reader as keypoints
from kinema.mocap.edits import files as edits
from kinema.mocap.procedural import Segment, generate
from kinema.rendering.reconstruction import colmap, transforms
from kinema.rendering.reconstruction.shots import CameraModel
from kinema.worlds.files import read_scene, sog, write_scene
from kinema.worlds.gaussians import GaussianScene
from kinema.worlds.made import make_world
from kinema.worlds.obstacles import Obstacle, things_data, things_of


class Target(NamedTuple):
    """A parser under attack; anything but a `KinemaError` that it raises is a find."""

    parse: Callable[[bytes], object]
    modules: tuple[str, ...]
    seeds: Callable[[], list[bytes]]


def _saved(*names: str) -> list[bytes]:
    motion = generate(script=[Segment("idle", 0.1)], fps=30)
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            kinema.save(motion, Path(folder) / name)
        return [(Path(folder) / name).read_bytes() for name in names]


def _text_bvh() -> list[bytes]:
    tiny = b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    tiny += b"End Site\n{\nOFFSET 0 1 0\n}\n}\n"
    return [tiny + b"MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3\n4 5 6\n", *_saved("a.bvh")]


def _binary_and_text_gltf() -> list[bytes]:
    text = json.dumps(
        {
            "asset": {"version": "2.0"},
            "nodes": [{"children": [1]}, {"translation": [0, 1, 0]}],
            "scenes": [{"nodes": [0]}],
            "scene": 0,
        }
    ).encode()
    text += b" " * (-len(text) % 4)
    small = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text), len(text), 0x4E4F534A) + text
    return [small, text, *_saved("a.glb")]


def _binary_and_text_fbx() -> list[bytes]:
    head = "; FBX {}.0 project file\nFBXHeaderExtension: {{ FBXVersion: {} }}\n"
    take = """Objects: { Model: "Model::a", "LimbNode" { Properties60: {
Property: "Lcl Rotation", "Lcl Rotation", "A",1,2,3
}
Vertices: 0,0,0,1,0,0,0,1,0
PolygonVertexIndex: 0,1,-3
} }
Connections: { Connect: "OO", "Model::a", "Model::Scene"
}
Takes: { Take: "t" { LocalTime: 0,46186158000
Model: "Model::a" { Channel: "Transform" { Channel: "R" { Channel: "X" {
Default: 1
KeyCount: 3
Key: 0,1,U,s,0,0,n,23093079000,5,U,a,n,46186158000,2,L
Post-Extrapolation: { Type: R
} } } } } } }
"""
    stack = """Objects: { Model: 1, "Model::a", "Mesh" { }
Geometry: 2, "", "Mesh" { Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }
PolygonVertexIndex: *3 { a: 0,1,-3 } }
AnimationStack: 3, "AnimStack::t", "" { }
AnimationLayer: 4, "", "" { }
AnimationCurveNode: 5, "", "" { }
AnimationCurve: 6, "", "" { KeyTime: *3 { a: 0,9237231600,18474463200 }
KeyValueFloat: *3 { a: 0,10,20.5 }
KeyAttrFlags: *3 { a: 24840,520,50332680 }
KeyAttrRefCount: *3 { a: 1,1,1 }
KeyAttrDataFloat: *12 { a: 0,0,218434821,0,0.5,0.5,0,0,1,2,218434821,0 } } }
Connections: { C: "OO",1,0
C: "OO",2,1
C: "OO",4,3
C: "OO",5,4
C: "OP",5,1,"Lcl Translation"
C: "OP",6,5,"d|X"
}
"""
    texts = [(head.format("6.1", 6100) + take).encode(), (head.format("7.7", 7700) + stack).encode()]
    return [*texts, (head.format("7.7", 7700) + _FBX_SKIN).encode(), *_saved("a.fbx")]


_FBX_SKIN = """Objects: { Model: 1, "Model::a", "Mesh" { Properties70: {
P: "GeometricTranslation", "", "", "",0,0,1
} }
Model: 2, "Model::b", "LimbNode" { }
Geometry: 3, "", "Mesh" { Vertices: *12 { a: 0,0,0,1,0,0,0,1,0,0,0,1 }
PolygonVertexIndex: *7 { a: 0,1,-3,0,2,3,-2 }
LayerElementNormal: 0 { MappingInformationType: "ByPolygon"
ReferenceInformationType: "Direct"
Normals: *6 { a: 0,0,1,0,1,0 } }
LayerElementUV: 0 { MappingInformationType: "ByVertice"
ReferenceInformationType: "IndexToDirect"
UV: *4 { a: 0,0,1,1 }
UVIndex: *4 { a: 0,1,0,1 } }
LayerElementColor: 0 { MappingInformationType: "ByPolygonVertex"
ReferenceInformationType: "IndexToDirect"
Colors: *4 { a: 1,0,0,1 }
ColorIndex: *7 { a: 0,0,0,0,0,0,0 } }
LayerElementSmoothing: 0 { MappingInformationType: "ByPolygon"
Smoothing: *2 { a: 1,0 } }
LayerElementMaterial: 0 { MappingInformationType: "ByPolygon"
Materials: *2 { a: 0,1 } } }
Deformer: 4, "", "Skin" { }
Deformer: 5, "", "Cluster" { Indexes: *2 { a: 0,1 }
Weights: *2 { a: 0.5,1 }
Transform: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 }
TransformLink: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 } }
Deformer: 6, "", "BlendShape" { }
Deformer: 7, "SubDeformer::m", "BlendShapeChannel" { FullWeights: *1 { a: 100 } }
Geometry: 8, "", "Shape" { Indexes: *1 { a: 1 }
Vertices: *3 { a: 0,1,0 }
Normals: *3 { a: 0,1,0 } }
Material: 9, "", "" { ShadingModel: "phong"
Properties70: { P: "DiffuseColor", "", "", "",1,0,0
} }
Texture: 10, "", "" { RelativeFilename: "a.png"
Content: , "R0lGODlh"
} }
Connections: { C: "OO",1,0
C: "OO",2,0
C: "OO",3,1
C: "OO",4,3
C: "OO",5,4
C: "OO",2,5
C: "OO",6,3
C: "OO",7,6
C: "OO",8,7
C: "OO",9,1
C: "OP",10,9,"DiffuseColor"
}
"""


def _avatars() -> list[bytes]:
    """One body as VRM 1.0, as VRM 0 and as a VRM animation, in JSON that a few changed letters break."""
    names = [
        "hips",
        "spine",
        "head",
        *(
            f"{side}{bone}"
            for side in ("left", "right")
            for bone in ("UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand")
        ),
    ]
    numbers = np.float32([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2]).tobytes()
    triangle = {"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}], "material": 0}
    clip = {
        "channels": [{"sampler": 0, "target": {"node": 17, "path": "translation"}}],
        "samplers": [{"input": 1, "output": 0}],
    }
    body = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 17]}],
        "materials": [{"name": "m"}],
        "nodes": [
            {"name": names[0], "children": list(range(1, 17))},
            *({"name": name} for name in names[1:]),
            {"name": "hair"},
            {"mesh": 0},
            {},
        ],
        "meshes": [{"primitives": [triangle]}],
        "animations": [clip],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 3, "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 48}],
        "buffers": [{"byteLength": 48, "uri": "data:;base64," + base64.b64encode(numbers).decode()}],
    }
    bones = {name: {"node": number} for number, name in enumerate(names)}
    happy = {
        "morphTargetBinds": [{"node": 16, "index": 0, "weight": 1}],
        "overrideBlink": "block",
        "materialColorBinds": [{"material": 0, "type": "color", "targetValue": [1, 1, 1, 1]}],
    }
    springs = {
        "specVersion": "1.0",
        "colliderGroups": [{"colliders": [0]}],
        "colliders": [{"node": 2, "shape": {"capsule": {"offset": [0, 0, 0], "radius": 1, "tail": [0, 1, 0]}}}],
        "springs": [{"joints": [{"node": 2}, {"node": 15, "gravityDir": [0, -1, 0]}], "colliderGroups": [0]}],
    }
    new = {
        "specVersion": "1.0",
        "humanoid": {"humanBones": bones},
        "expressions": {"preset": {"happy": happy}},
        "meta": {"name": "a", "authors": ["b"], "licenseUrl": "c"},
        "lookAt": {"type": "bone"},
        "firstPerson": {"meshAnnotations": [{"node": 16, "type": "both"}]},
    }
    old = {
        "humanoid": {"humanBones": [{"bone": name, "node": number} for number, name in enumerate(names)]},
        "meta": {"title": "a", "texture": -1},
        "blendShapeMaster": {
            "blendShapeGroups": [{"presetName": "a", "binds": [{"mesh": 0, "index": 0, "weight": 9}]}],
        },
        "secondaryAnimation": {
            "boneGroups": [{"bones": [2], "gravityDir": {"x": 0, "y": -1, "z": 0}, "colliderGroups": [0]}],
            "colliderGroups": [{"node": 1, "colliders": [{"offset": {"x": 1}, "radius": 1}]}],
        },
    }
    moving = {
        "specVersion": "1.0",
        "humanoid": {"humanBones": bones},
        "lookAt": {"node": 15},
        "expressions": {"preset": {"happy": {"node": 17}}},
    }
    extended = ({"VRMC_vrm": new, "VRMC_springBone": springs}, {"VRM": old}, {"VRMC_vrm_animation": moving})
    return [json.dumps({**body, "extensions": extensions}).encode() for extensions in extended]


def _packed(data: bytes) -> object:
    """A file whose one buffer is compressed: with Draco, or with meshopt in a mode that the first byte says."""
    view: dict[str, object] = {"buffer": 0, "byteLength": max(len(data) - 1, 1)}
    primitive: dict[str, object] = {"attributes": {"POSITION": 0}, "indices": 1}
    kind, accessor = data[:1] or b"\0", {"componentType": 5126, "count": 16, "type": "VEC3"}
    views = [view]
    if kind == b"d":
        primitive["extensions"] = {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {"POSITION": 0}}}
    else:
        mode, how = kind[0] % 3, kind[0] // 3 % 4
        packed = {
            **view,
            "count": 16 if mode == 0 else 48,
            "byteStride": (12, 8, 8, 12)[how] if mode == 0 else 4,
            "mode": ("ATTRIBUTES", "TRIANGLES", "INDICES")[mode],
            "filter": ("NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL")[how],
        }
        views.append(
            {
                "buffer": 0,
                "byteLength": 192 if mode or how in (0, 3) else 128,
                "extensions": {"EXT_meshopt_compression": packed},
            }
        )
    use = {} if kind == b"d" else {"bufferView": 1}
    text = json.dumps(
        {
            "asset": {"version": "2.0"},
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [primitive]}],
            "accessors": [
                {**accessor, **use},
                {"componentType": 5125, "count": 6 if kind == b"d" else 48, "type": "SCALAR", **use},
            ],
            "bufferViews": views,
            "buffers": [
                {
                    "byteLength": max(len(data) - 1, 192),
                    "uri": "data:;base64," + base64.b64encode(data[1:].ljust(192, b"\0")).decode(),
                }
            ],
        }
    ).encode()
    return gltf.read(Source.from_bytes(text, "a.gltf"))


def _streams() -> list[bytes]:
    plain = b"\0\xa0" + b"\0" * 12 + b"\0" * 32
    draco = bytes.fromhex("445241434f02020101000000")
    triangles, indices = b"\1\xe1" + b"\xf0" * 16 + b"\0" * 16, b"\2\xd1" + b"\2" * 48 + b"\0" * 4
    return [triangles, indices, b"d" + draco, plain]


def _zipped() -> list[bytes]:
    held = io.BytesIO()
    np.savez(held, positions=np.zeros((2, 3, 3), np.float32))
    return [held.getvalue(), *_saved("a.npz")]


def _edits() -> list[bytes]:
    clip = {
        "frames": 524,
        "fps": 120.0,
        "pieces": [{"start": 40, "stop": 260, "name": "start"}, {"start": 300, "stop": 480}],
        "labels": [{"start": 60, "stop": 150, "tag": "walk", "text": "slowly"}],
        "contacts": {"left": [[1, 38], [116, 187]], "right": [[35, 114]]},
        "mirror": False,
        "mirror_partners": [["LeftHand", "LeftHand"]],
    }
    source = {"name": "walk.bvh", "size": 394263, "sha256": "0" * 64}
    whole = {"kinema_edits": 1, "source": source, "clips": {"walk": clip}}
    return [json.dumps(whole).encode(), json.dumps({**whole, "clips": {}}).encode()]


def _c3d() -> list[bytes]:
    def record(name: bytes, kind: int, shape: list[int], data: bytes) -> bytes:
        body = struct.pack("<bB", kind, len(shape)) + bytes(shape) + data + b"\0"
        return struct.pack("<bb", len(name), 1) + name + struct.pack("<H", len(body) + 2) + body

    files = []
    for scale, kind in ((-1.0, "<f4"), (0.1, "<i2")):
        head = b"\2\x50" + struct.pack("<5HfHHf", 2, 1, 1, 3, 0, scale, 3, 1, 50.0)
        records = bytes([1, 0x50, 1, 84]) + struct.pack("<bb5sHB", 5, -1, b"POINT", 3, 0)
        records += record(b"LABELS", -1, [4, 2], b"LASIRASI") + record(b"SCALE", 4, [], struct.pack("<f", scale))
        records += record(b"UNITS", -1, [2], b"mm") + record(b"Y_SCREEN", -1, [2], b"+Z")
        table = np.arange(27).reshape(3, 9).astype(kind)
        files.append(head.ljust(512, b"\0") + records.ljust(512, b"\0") + table.tobytes())
    return files


_ASF = b""":units
length 0.45
angle deg
:root
order TX TY TZ RX RY RZ
axis XYZ
position 0 0 0
orientation 0 0 0
:bonedata
begin
name a
direction 0 1 0
length 2
axis 0 0 20 XYZ
dof rx rz
limits (-160.0 20.0)
end
begin
name b
direction 1 0 0
length 1
end
:hierarchy
begin
root a
a b
end
"""
_AMC = b":DEGREES\n1\nroot 1 2 3 4 5 6\na 7 8\n2\nroot 0 0 0 0 0 0\na -7 .5\n"
_URDF = b"""<robot name="r"><material name="m"><color rgba="1 0 0 1"/></material><link name="a"><visual>
<origin xyz="0 0 1" rpy="0 1 0"/><geometry><box size="1 1 1"/></geometry><material name="m"/></visual></link>
<link name="b"><visual><geometry><cylinder radius="1" length="2"/></geometry></visual></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 1 0" rpy="1 2 3"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="2"/></joint></robot>"""
_MJCF = b"""<mujoco model="m"><compiler angle="radian" eulerseq="XyZ"/><default><joint axis="0 1 0"/>
<default class="c"><geom type="capsule" size="1 2"/></default></default>
<asset><mesh name="n" file="n.stl"/><material name="m" rgba="1 0 0 1"/></asset><worldbody>
<body name="a" pos="0 0 1" euler="1 2 3" childclass="c"><freejoint/><geom fromto="0 0 0 1 1 1"/>
<frame pos="1 0 0" zaxis="1 0 0"><body quat="1 0 0 1"><joint name="j" range="-1 1" ref=".5"/><joint type="ball"/>
<geom type="box" size="1 1 1" material="m" axisangle="1 0 0 1"/><geom type="mesh" mesh="n"/></body></frame></body>
</worldbody></mujoco>"""
_CSV = b"root_x,root_y,root_z,root_qx,root_qy,root_qz,root_qw,j,time\n" + b"1,2,3,0,0,0,1,.5,.1\n" * 3


_ACCLAIM = tuple(f"kinema.formats.acclaim{part}" for part in ("", ".lines", ".motion", ".reader", ".skeleton"))
_ROBOT = tuple(
    f"kinema.formats.robot{part}"
    for part in (
        "",
        ".compiler",
        ".meshfiles",
        ".mjcf",
        ".model",
        ".reader",
        ".shapes",
        ".table",
        ".tree",
        ".urdf",
    )
)


def _robot() -> robot.Robot:
    return robot.load_robot(Source.from_bytes(_URDF, "a.urdf"))


def _poses() -> list[bytes]:
    files = []
    for arrays in (
        {"poses": np.zeros((2, 72)), "trans": np.zeros((2, 3)), "fps": np.array(60.0)},
        {"pose_body": np.zeros((1, 63)), "root_orient": np.zeros((1, 3))},
    ):
        held = io.BytesIO()
        np.savez(held, **arrays)  # type: ignore[arg-type]
        files.append(held.getvalue())
    return files


def _stages() -> list[bytes]:
    text = """#usda 1.0
def SkelRoot "r" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </r/s>
    def Skeleton "s"
    {
        uniform token[] joints = ["a", "a/b"]
        matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)),
                                     ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
    }
    def Mesh "m"
    {
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        point3f[] points = [(0,0,0), (2,0,0), (2,1,0), (0,1,0)]
        int[] primvars:skel:jointIndices = [1]
        float[] primvars:skel:jointWeights = [1]
    }
}
"""
    return [text.encode(), *_saved("a.usda")]


def _splats(coefficients: int = 4) -> GaussianScene:
    """Three Gaussians."""
    numbers = np.random.default_rng(0).normal(0, 1, (3, 11 + 3 * coefficients)).astype(np.float32)
    places, turns, sizes, opacities, colours = np.split(numbers, [3, 7, 10, 11], axis=1)
    return GaussianScene(places, turns, sizes, opacities[:, 0], colours.reshape(3, coefficients, 3))


def _scenes(name: str) -> list[bytes]:
    """Files of a format, of degree 1 and 0."""
    with tempfile.TemporaryDirectory() as folder:
        for count in (4, 1):
            write_scene(_splats(count), Path(folder) / f"{count}{name}")
        return [(Path(folder) / f"{count}{name}").read_bytes() for count in (4, 1)]


def _text_ply() -> list[bytes]:
    names = [*"xyz", *(f"f_dc_{n}" for n in range(3)), "opacity"]
    names += [*(f"scale_{n}" for n in range(3)), *(f"rot_{n}" for n in range(4))]
    head = ["ply", "format ascii 1.0", "element vertex 2", *(f"property float {name}" for name in names), "end_header"]
    return ["\n".join([*head, *["1 2 3 0.1 0.2 0.3 2 -3 -3 -3 1 0 0 0"] * 2, ""]).encode()]


def _spz() -> list[bytes]:
    """Packed; bare, of versions 1 to 3; and of version 4, whose arrays are packed one by one."""
    import zstandard

    arrays = [bytes(range(size)) for size in (18, 2, 6, 6, 8, 18)]
    head = struct.Struct("<4sIIBBBB")
    bare = [head.pack(b"NGSP", 3, 2, 1, 12, 0, 0) + b"".join(arrays)]
    bare.append(head.pack(b"NGSP", 2, 2, 0, 12, 0, 0) + b"".join(arrays[:4]) + bytes(6))
    bare.append(head.pack(b"NGSP", 1, 1, 0, 12, 0, 0) + bytes(6 + 1 + 3 + 3 + 3))
    packed = [zstandard.compress(array) for array in arrays]
    table = b"".join(struct.pack("<QQ", len(each), len(array)) for each, array in zip(packed, arrays, strict=True))
    newest = head.pack(b"NGSP", 4, 2, 1, 12, 0, len(arrays)) + struct.pack("<I", 20) + table + b"".join(packed)
    return [*_scenes(".spz"), *bare, newest]


def _sog(data: bytes) -> GaussianScene:
    """A `meta.json` and the WebP pictures after it, which are called 1, 2, 3 and so on."""
    meta, *pictures = data.split(b"RIFF")
    files = {str(number): b"RIFF" + picture for number, picture in enumerate(pictures, 1)}
    return sog.read(meta, lambda name: files.get(name, b""))


def _bundles() -> list[bytes]:
    def picture(width: int, *rows: list[int]) -> bytes:
        out = io.BytesIO()
        pixels = np.resize(np.asarray(rows, np.uint8), (len(rows), width, 4))
        Image.fromarray(pixels).save(out, "WEBP", lossless=True)
        return out.getvalue()

    book = list(range(256))
    part = {"mins": [-1, -1, -1], "maxs": [1, 1, 1]}
    new = {
        "version": 2,
        "count": 2,
        "means": {**part, "files": ["1", "2"]},
        "scales": {"codebook": book, "files": ["3"]},
        "quats": {"files": ["4"]},
        "sh0": {"codebook": book, "files": ["5"]},
        "shN": {"codebook": book, "files": ["6", "7"]},
    }
    old = {
        "means": {**part, "shape": [2, 3], "files": ["1", "2"]},
        "scales": {**part, "files": ["3"]},
        "quats": {"files": ["4"]},
        "sh0": {"mins": [-1, -1, -1, -4], "maxs": [1, 1, 1, 4], "files": ["5"]},
        "shN": {"mins": -1, "maxs": 1, "files": ["6", "7"]},
    }
    pictures = [picture(2, [10 * number, 200, 30, 253]) for number in range(1, 6)]
    pictures += [picture(192, [1, 2, 3, 255]), picture(2, [0, 0, 0, 255])]
    return [json.dumps(meta).encode() + b"".join(pictures) for meta in (new, old)]


def _cameras(data: bytes) -> object:
    """A file of COLMAP: the first byte says which, and whether it is binary."""
    lens = CameraModel((64, 48), (50.0, 50.0), (32.0, 24.0))
    kind, rest, binary = data[0] % 3 if data else 0, data[1:], bool(data and data[0] >= 3)
    if kind == 1:
        return colmap.shots(rest, binary, {1: lens})
    return (colmap.cameras if kind == 0 else colmap.points)(rest, binary)


def _colmap() -> list[bytes]:
    text = [
        b"# c\n1 OPENCV 64 48 50 51 32 24 0.1 0 0 0\n2 SIMPLE_PINHOLE 64 48 50 32 24\n",
        b"1 1 0 0 0 1 2 3 1 a.png\n1 2 -1\n2 0.5 0.5 0.5 0.5 1 2 3 1 b.png\n\n",
        b"1 1 2 3 255 0 9 0.1 1 2\n",
    ]
    binary = [
        struct.pack("<QiiQQ4d", 1, 1, 1, 64, 48, 50, 50, 32, 24),
        struct.pack("<Qi7di", 1, 1, 1, 0, 0, 0, 1, 2, 3, 1) + b"a.png\0" + struct.pack("<Qddq", 1, 1, 2, -1),
        struct.pack("<QQ3d3BdQii", 1, 1, 1, 2, 3, 255, 0, 9, 0.1, 1, 1, 2),
    ]
    return [bytes([number]) + file for number, file in enumerate([*text, *binary])]


def _transforms() -> list[bytes]:
    frame = {"file_path": "a.png", "transform_matrix": np.eye(4).tolist()}
    lens = {"fl_x": 50.0, "fl_y": 51.0, "cx": 32, "cy": 24, "w": 64, "h": 48, "k1": 0.1, "camera_model": "OPENCV"}
    return [json.dumps({**said, "frames": [frame]}).encode() for said in ({"camera_angle_x": 0.7}, lens)]


def _scene(name: str) -> Callable[[bytes], object]:
    return lambda data: read_scene(Source.from_bytes(data, f"a{name}"))


_SCENES = tuple(f"kinema.worlds.files{part}" for part in (
    "", ".compressed_ply", ".gaussian_ply", ".packing", ".ply", ".sog", ".splat", ".spz",
))  # fmt: skip


def _people() -> list[bytes]:
    """A person who stands still, as OpenPose and as COCO."""
    rng = np.random.default_rng(0)
    pose = np.column_stack([rng.uniform(40, 60, 18), np.linspace(5, 95, 18), np.full(18, 0.9)]).round(1)
    frame = {"people": [{"pose_keypoints_2d": pose.ravel().tolist()}], "canvas_width": 100, "canvas_height": 100}
    annotations = [{"image_id": n, "keypoints": pose[:17].ravel().tolist()} for n in range(3)]
    return [json.dumps(one).encode() for one in ([frame] * 3, frame, {"images": [], "annotations": annotations})]


def _things() -> list[bytes]:
    """What stands in a made street, and one thing of which everything is said."""
    lamp = Obstacle(1.0, -2.0, 0.3, 0.3, 0.5, True, ("lamp", "street lamp"), "grey", 4.0)
    return [things_data(make_world("street", 0).scene(1.0).things), things_data([lamp])]


_CAPTURES = tuple(f"kinema.rendering.reconstruction.{part}" for part in ("colmap", "shots", "transforms"))


TARGETS: dict[str, Target] = {
    "bvh": Target(
        lambda data: bvh.read(Source.from_bytes(data, "a.bvh")),
        ("kinema.formats.bvh", *(f"kinema.formats.bvh.{part}" for part in ("header", "reader", "rows"))), _text_bvh,
    ),
    "points": Target(
        lambda data: keypoints.read(Source.from_bytes(data, "a.json")),
        tuple(f"kinema.keypoints.{part}" for part in ("files", "motions", "reader", "tracking")),
        _people,
    ),
    "gltf": Target(
        lambda data: gltf.read(Source.from_bytes(data, "a.glb" if data[:4] == b"glTF" else "a.gltf")),
        tuple(f"kinema.formats.gltf{part}" for part in (
            "", ".animation", ".bones", ".buffers", ".container", ".document", ".materials", ".mesh", ".placing",
            ".pose", ".reader", ".scene", ".uris",
        )),
        _binary_and_text_gltf,
    ),
    "vrm": Target(
        lambda data: gltf.read(Source.from_bytes(data, "a.gltf")),
        tuple(f"kinema.formats.gltf{part}" for part in (
            "", ".document", ".reader", ".scene", ".vrm", ".vrm_expressions", ".vrm_humanoid", ".vrm_meta",
            ".vrm_springs", ".vrma",
        )),
        _avatars,
    ),
    "packed": Target(
        _packed,
        tuple(f"kinema.formats.gltf{part}" for part in ("", ".buffers", ".draco", ".mesh", ".reader")),
        _streams,
    ),
    "fbx": Target(
        lambda data: fbx.read(Source.from_bytes(data, "a.fbx")),
        tuple(f"kinema.formats.fbx{part}" for part in (
            "", ".ascii", ".binary", ".curves", ".document", ".keys", ".layers", ".legacy", ".materials",
            ".meshes", ".nodes", ".notes", ".objects", ".pose", ".records", ".sampling", ".scene", ".settings",
            ".shapes", ".skins", ".surface", ".takes", ".tangents", ".textures", ".transform",
        )),
        _binary_and_text_fbx,
    ),
    "usd": Target(  # the library itself runs in a process of its own; these are the parts that take what it hands out
        lambda data: usd.read(Source.from_bytes(data, "a.usda")),
        tuple(f"kinema.formats.usd{part}" for part in (
            "", ".files", ".geometry", ".materials", ".morphs", ".packing", ".pose", ".reader", ".rig",
        )),
        _stages,
    ),
    "npz": Target(lambda data: npz.read(Source.from_bytes(data, "a.npz")), ("kinema.formats.npz",), _zipped),
    "smpl": Target(
        lambda data: npz.read(Source.from_bytes(data, "a.npz")), ("kinema.formats.npz", "kinema.formats.smpl"), _poses,
    ),
    "c3d": Target(
        lambda data: c3d.read(Source.from_bytes(data, "a.c3d")),
        ("kinema.formats.c3d", "kinema.formats.c3d.reader", "kinema.formats.c3d.parameters"), _c3d,
    ),
    "asf": Target(
        lambda data: acclaim.read(Source.from_bytes(data, "a.asf")),
        _ACCLAIM, lambda: [_ASF],
    ),
    "amc": Target(
        lambda data: acclaim.read(Source.from_bytes(data, "a.amc"), skeleton=Source.from_bytes(_ASF, "a.asf")),
        _ACCLAIM, lambda: [_AMC],
    ),
    "urdf": Target(
        lambda data: robot.read(Source.from_bytes(data, "a.urdf")),
        _ROBOT, lambda: [_URDF],
    ),
    "mjcf": Target(
        lambda data: robot.read(Source.from_bytes(data, "a.xml")),
        _ROBOT, lambda: [_MJCF],
    ),
    "csv": Target(
        lambda data: robot.read(Source.from_bytes(data, "a.csv"), skeleton=_robot().skeleton),
        _ROBOT, lambda: [_CSV],
    ),
    "edits": Target(edits.parse, ("kinema.mocap.edits.files", "kinema.mocap.edits.model"), _edits),
    "ply": Target(_scene(".ply"), _SCENES, lambda: [*_scenes(".ply"), *_text_ply()]),
    "compressed_ply": Target(_scene(".compressed.ply"), _SCENES, lambda: _scenes(".compressed.ply")),
    "splat": Target(_scene(".splat"), _SCENES, lambda: _scenes(".splat")),
    "spz": Target(_scene(".spz"), _SCENES, _spz),
    "sog": Target(_sog, _SCENES, _bundles),
    "colmap": Target(_cameras, _CAPTURES, _colmap),
    "things": Target(
        lambda data: things_of(data.decode("utf-8", "surrogateescape")), ("kinema.worlds.obstacles",), _things,
    ),
    "transforms": Target(transforms.read, _CAPTURES, _transforms),
}  # fmt: skip


def attempt(name: str, data: bytes) -> None:
    """Parse; what the parser refuses is refused in one line."""
    try:
        TARGETS[name].parse(data)
    except KinemaError as error:
        assert "\n" not in str(error), repr(str(error))
