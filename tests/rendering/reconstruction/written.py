"""Files of cameras, as COLMAP and nerfstudio write them."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
from PIL import Image

from kinema import rotations
from kinema.rendering.reconstruction.photos import Capture, Lens

HALF_TURN = np.diag([-1.0, -1.0, 1.0])
TO_Z_UP = np.asarray([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])


def poses(lens: Lens) -> tuple[list[float], list[float]]:
    """Quaternion and shift of COLMAP."""
    axes = lens.axes @ HALF_TURN
    return np.asarray(rotations.from_matrix(axes)).tolist(), (-axes @ HALF_TURN @ lens.position).tolist()


def colmap_text(capture: Capture) -> dict[str, bytes]:
    lens = capture.photos[0].lens
    numbers = " ".join(map(str, [lens.width, lens.height, *lens.focal, *lens.middle]))
    images = ["# a comment"]
    for number, photo in enumerate(capture.photos, 1):
        turn, shift = poses(photo.lens)
        images += [f"{number} {' '.join(map(str, turn + shift))} 7 {number}.png", "1.0 2.0 -1"]
    points = [f"{n} {-x} {-y} {z} 255 0 51 0.1 1 2" for n, (x, y, z) in enumerate(capture.points.tolist())]
    return {
        "cameras.txt": f"# c\n7 PINHOLE {numbers}\n".encode(),
        "images.txt": "\n".join(images).encode(),
        "points3D.txt": "\n".join(points).encode(),
    }


def colmap_binary(capture: Capture) -> dict[str, bytes]:
    lens = capture.photos[0].lens
    cameras = struct.pack("<QiiQQ4d", 1, 7, 1, lens.width, lens.height, *lens.focal, *lens.middle)
    images = struct.pack("<Q", len(capture.photos))
    for number, photo in enumerate(capture.photos, 1):
        turn, shift = poses(photo.lens)
        images += struct.pack("<i7di", number, *turn, *shift, 7) + f"{number}.png".encode() + b"\0"
        images += struct.pack("<Qddq", 1, 1.0, 2.0, -1)
    points = struct.pack("<Q", len(capture.points))
    for number, (x, y, z) in enumerate(capture.points.tolist()):
        points += struct.pack("<Q3d3BdQii", number, -x, -y, z, 255, 0, 51, 0.1, 1, 1, 2)
    return {"cameras.bin": cameras, "images.bin": images, "points3D.bin": points}


def transforms(capture: Capture, **more: object) -> bytes:
    lens = capture.photos[0].lens
    frames = []
    for number, photo in enumerate(capture.photos, 1):
        matrix = np.eye(4)
        matrix[:3, :3] = TO_Z_UP @ (photo.lens.axes * [[1], [-1], [-1]]).T
        matrix[:3, 3] = TO_Z_UP @ photo.lens.position
        frames.append({"file_path": f"images/{number}.png", "transform_matrix": matrix.tolist()})
    said = {"w": lens.width, "h": lens.height, "fl_x": lens.focal[0], "fl_y": lens.focal[1],
            "cx": lens.middle[0], "cy": lens.middle[1]}  # fmt: skip
    return json.dumps({**said, "frames": frames, **more}).encode()


def pictures(capture: Capture, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, photo in enumerate(capture.photos, 1):
        Image.fromarray(photo.picture).save(folder / f"{number}.png")


def write(files: dict[str, bytes], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
