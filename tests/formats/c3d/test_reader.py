"""C3D against ezc3d, which writes the files, and against files built here by the manual."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kinema
from kinema.errors import FormatError, KinemaError
from kinema.formats import Source
from kinema.formats.c3d.parameters import DEC, INTEL, MIPS
from kinema.pose import Pose

from .test_parameters import record, vax

FRAMES, MARKERS = 7, 5


def built(
    points: np.ndarray,
    labels: list[str],
    processor: int = INTEL,
    scale: float = -1.0,
    missing: tuple = (),
    extra: bytes = b"",
    said: int | None = None,
    analog: int = 0,
    unit: bytes = b"mm",
) -> bytes:
    """A C3D file of points `[F, M, 3]` in millimetres."""
    frames, count = points.shape[:2]
    end = ">" if processor == MIPS else "<"

    def real(values: np.ndarray) -> bytes:
        return vax(values.ravel().tolist()) if processor == DEC else values.astype(f"{end}f4").tobytes()

    def parameter(name: bytes, kind: int, shape: list[int], data: bytes) -> bytes:
        little = bytearray(record(name, 1, kind, shape, data))
        if processor == MIPS:
            at = 2 + len(name)
            little[at : at + 2] = little[at : at + 2][::-1]
        return bytes(little)

    group = struct.pack("<bb", 5, -1) + b"POINT" + struct.pack(f"{end}HB", 3, 0)
    rows = [label.encode().ljust(12) for label in labels]
    records = group + parameter(b"UNITS", -1, [len(unit)], unit) + parameter(b"SCALE", 4, [], real(np.array([scale])))
    records += parameter(b"RATE", 4, [], real(np.array([50.0])))
    records += parameter(b"USED", 2, [], struct.pack(f"{end}H", count))
    records += parameter(b"FRAMES", 2, [], struct.pack(f"{end}H", min(frames, 65535)))
    for block in range(0, len(rows), 200):
        name = b"LABELS" if block == 0 else b"LABELS%d" % (block // 200 + 1)
        part = rows[block : block + 200]
        records += parameter(name, -1, [12, len(part)], b"".join(part))
    records = bytes([1, 0x50, 0, processor]) + records + extra
    blocks = -(-len(records) // 512)
    last = min(said if said is not None else frames, 65535)
    words = struct.pack(f"{end}5H", count, analog, 1, last, 0)
    header = b"\x02\x50" + words + real(np.array([scale])) + struct.pack(f"{end}2H", blocks + 2, 1)
    header += real(np.array([50.0]))
    fourth = np.zeros((frames, count, 1))
    for frame, marker in missing:
        fourth[frame, marker] = -1
    table = np.concatenate([points / (scale if scale > 0 else 1), fourth], axis=-1).reshape(frames, -1)
    table = np.concatenate([table, np.full((frames, analog), 3.0)], axis=-1)
    data = real(table) if scale < 0 else np.round(table).astype(f"{end}i2").tobytes()
    return header.ljust(512, b"\0") + records.ljust(512 * blocks, b"\0") + data


def wander(rng: np.random.Generator, frames: int = FRAMES, count: int = MARKERS) -> np.ndarray:
    return rng.uniform(-800, 800, (frames, count, 3)) + np.array([0.0, 0.0, 900.0])


def from_z_up(points: np.ndarray) -> np.ndarray:
    return np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1) * 1e-3


@pytest.mark.parametrize("processor", [INTEL, DEC, MIPS])
@pytest.mark.parametrize("scale", [-1.0, 0.1])
def test_points_of_every_processor_as_floats_and_integers(rng, processor: int, scale: float):
    points = wander(rng)
    data = built(points, list("abcde"), processor, scale, analog=3)
    asset = kinema.load(Source.from_bytes(data, "a.c3d"), up="z")
    motion = asset.motion()
    assert motion.skeleton.names == tuple("abcde") and (motion.skeleton.parents == -1).all() and motion.fps == 50
    tolerance = 1e-6 if scale < 0 else 0.51e-4
    assert np.abs(motion[:].global_positions - from_z_up(points)).max() < tolerance
    assert motion.labels["visible"].all()
    assert asset.warnings == ("3 analog values a frame (forces, muscles) are not read",)


def test_gaps_are_bridged_and_said(rng):
    points = wander(rng)
    missing = ((0, 1), (3, 1), (4, 1), (6, 2))
    asset = kinema.load(Source.from_bytes(built(points, list("abcde"), missing=missing), "a.c3d"), up="z")
    motion, want = asset.motion(), from_z_up(points)
    seen = np.ones((FRAMES, MARKERS), bool)
    seen[tuple(np.transpose(missing))] = False
    assert np.array_equal(motion.labels["visible"], seen)
    got = motion[:].global_positions
    assert np.allclose(got[seen], want[seen], atol=1e-6)
    assert np.allclose(got[0, 1], want[1, 1], atol=1e-6) and np.allclose(got[6, 2], want[5, 2], atol=1e-6)
    assert np.allclose(got[3, 1], want[2, 1] + (want[5, 1] - want[2, 1]) / 3, atol=1e-6)
    assert any("bridged" in line for line in asset.warnings)


def test_a_marker_that_is_never_seen_is_left_out(rng):
    data = built(wander(rng), list("abcde"), missing=tuple((frame, 3) for frame in range(FRAMES)))
    asset = kinema.load(Source.from_bytes(data, "a.c3d"), up="z")
    assert asset.skeleton.names == ("a", "b", "c", "e")
    assert any("never seen" in line and "d" in line for line in asset.warnings)


def test_three_hundred_labels_go_on_in_a_second_parameter(rng):
    labels = [f"m{index}" for index in range(298)] + ["m1", ""]
    asset = kinema.load(Source.from_bytes(built(wander(rng, 2, 300), labels), "a.c3d"))
    assert asset.skeleton.names[:298] == tuple(labels[:298])
    assert asset.skeleton.names[298:] == ("m1#2", "marker_300")


def test_clips_longer_than_sixteen_bits(rng):
    points = np.broadcast_to(wander(rng, 1, 1), (70_000, 1, 3))
    trial = struct.pack("<bb", 5, -2) + b"TRIAL" + struct.pack("<HB", 3, 0)
    trial += record(b"ACTUAL_START_FIELD", 2, 2, [2], struct.pack("<2H", 1, 0))
    trial += record(b"ACTUAL_END_FIELD", 2, 2, [2], struct.pack("<2H", 70_000 - 65536, 1))
    data = built(points, ["a"], extra=trial) + bytes(300)  # some of the padding could be frames
    assert kinema.load(Source.from_bytes(data, "a.c3d")).motion().frames == 70_000


@pytest.mark.parametrize(
    ("hint", "want"),
    [
        (b"+Z", [0.1, 0.3, -0.2]),
        (b"+Y", [0.1, 0.2, 0.3]),
        (b"-Y", [0.1, -0.2, -0.3]),
        (b"+X", [-0.2, 0.1, 0.3]),
    ],
)
def test_the_axis_of_the_screen_is_up(hint: bytes, want: list[float]):
    points = np.broadcast_to([100.0, 200.0, 300.0], (2, 2, 3))
    data = built(points, ["a", "b"], extra=record(b"Y_SCREEN", 1, -1, [2], hint))
    asset = kinema.load(Source.from_bytes(data, "a.c3d"))
    assert np.allclose(asset.motion()[:].global_positions, want, atol=1e-6) and not asset.warnings


def test_up_and_unit_are_guessed_with_a_line(rng):
    points = wander(rng) * (1, 1, 0) + (0, 0, 1000)
    points[:, :, 2] *= np.linspace(0.1, 1.7, MARKERS)
    asset = kinema.load(Source.from_bytes(built(points, list("abcde"), unit=b"??"), "a.c3d"))
    assert np.allclose(asset.motion()[:].global_positions, from_z_up(points), atol=1e-6)
    assert len(asset.warnings) == 2 and "taken as mm" in asset.warnings[0] and "took Z" in asset.warnings[1]
    centimetres = kinema.load(Source.from_bytes(built(points, list("abcde"), unit=b"??"), "a.c3d"), unit="cm", up="y")
    assert np.allclose(centimetres.motion()[:].global_positions, points * 1e-2, atol=1e-5) and not centimetres.warnings


def test_a_cut_file_gives_what_is_there(rng):
    data = built(wander(rng), list("abcde"))
    asset = kinema.load(Source.from_bytes(data[: -MARKERS * 16 - 1], "a.c3d"), up="z")
    assert asset.motion().frames == FRAMES - 2 and "promises 7 frames, the file has 5" in asset.warnings[0]
    with pytest.raises(FormatError, match="no frames"):
        kinema.load(Source.from_bytes(data[: -FRAMES * MARKERS * 16], "a.c3d"))


def test_balls_stand_where_the_markers_are(rng):
    points = wander(rng)
    asset = kinema.load(Source.from_bytes(built(points, list("abcde")), "a.c3d"), up="z")
    pose = asset.motion()[:]
    turned, placed = pose.global_rotations, pose.global_positions
    vertices = asset.character.skin(Pose.from_model(asset.character.skeleton, turned, placed))[0].reshape(
        FRAMES, MARKERS, 12, 3
    )
    assert np.allclose(vertices.mean(axis=2), from_z_up(points), atol=1e-5)
    mesh = asset.character.meshes[0]
    corners = mesh.positions[mesh.indices]
    outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert len(mesh.indices) == 20 * MARKERS and (np.einsum("ij,ij->i", outward, corners[:, 0]) > 0).all()


@pytest.mark.parametrize("count", [4, 300])
def test_files_of_ezc3d(rng, tmp_path: Path, count: int):
    ezc3d = pytest.importorskip("ezc3d", reason="ezc3d is not installed: pip install 'kinema[dev]'")
    points = wander(rng, 9, count).transpose(2, 1, 0)  # [3, M, F]
    file = ezc3d.c3d()
    file["parameters"]["POINT"]["RATE"]["value"] = [250.0]
    file["parameters"]["POINT"]["LABELS"]["value"] = [f"label {index}" for index in range(count)]
    file["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
    hidden = points.copy()
    hidden[:, 1, 4] = np.nan
    file["data"]["points"] = np.concatenate([hidden, np.ones((1, *points.shape[1:]))])
    file.write(str(tmp_path / "a.c3d"))
    asset = kinema.load(tmp_path / "a.c3d", up="z")
    motion, want = asset.motion(), from_z_up(points.transpose(2, 1, 0))
    assert motion.fps == 250 and motion.skeleton.names == tuple(f"label {index}" for index in range(count))
    seen = motion.labels["visible"]
    assert not seen[4, 1] and seen.sum() == seen.size - 1
    assert np.allclose(motion[:].global_positions[seen], want[seen], atol=1e-6)


def test_ezc3d_reads_our_test_files_alike(rng, tmp_path: Path):
    """So that the files built here are C3D, and not only what this reader takes for it."""
    ezc3d = pytest.importorskip("ezc3d", reason="ezc3d is not installed: pip install 'kinema[dev]'")
    points = wander(rng)
    for processor in (INTEL, DEC):  # it knows no other
        for scale in (-1.0, 0.1):
            path = tmp_path / f"{processor}{scale}.c3d"
            path.write_bytes(built(points, list("abcde"), processor, scale))
            theirs = ezc3d.c3d(str(path))["data"]["points"][:3].transpose(2, 1, 0)
            assert np.abs(theirs - points).max() < 0.1


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 1600), st.binary(min_size=1, max_size=6), st.booleans())
def test_damage_is_read_or_refused_in_one_line(at: int, put: bytes, cut: bool):
    data = built(wander(np.random.default_rng(1)), list("abcde"))
    data = data[:at] + put + (b"" if cut else data[at + len(put) :])
    try:
        kinema.load(Source.from_bytes(data, "a.c3d"))
    except KinemaError as error:
        assert "\n" not in str(error)
