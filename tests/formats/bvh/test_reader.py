"""The BVH reader against hand-computed poses, the dialects' answer sheet, and hostile text."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import kinema
from kinema import rotations
from kinema.errors import FormatError
from kinema.formats import Source, iterate, load, save
from kinema.formats.units import UnitError
from kinema.motion import Motion
from kinema.skeleton import Skeleton

SMALL = """HIERARCHY
ROOT Hips
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 0.5 0
    CHANNELS 3 Yrotation Xrotation Zrotation
    End Site
    {
      OFFSET 0 0.25 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.0333333
0 1 0 0 0 0 0 0 0
0 1 1 90 0 0 10 20 30
0 1 2 0 90 0 -10 0 0
"""


def parse(text: str | bytes, **options: str | float) -> Motion:
    data = text.encode() if isinstance(text, str) else text
    return kinema.load(Source.from_bytes(data, "x.bvh"), **options).motion()


def test_a_small_file() -> None:
    motion = parse(SMALL)
    assert (motion.skeleton.names, motion.fps, motion.frames, motion.name) == (("Hips", "Spine"), 30.0, 3, "x")
    assert motion.translated.tolist() == [0] and motion.warnings == ()
    np.testing.assert_allclose(motion.skeleton.tip_offsets, [[0, 0.25, 0]])
    positions = motion[:].global_positions
    np.testing.assert_allclose(positions[1], [[0, 1, 1], [-0.5, 1, 1]], atol=1e-6)  # +90 about Z turns up to left
    np.testing.assert_allclose(positions[2], [[0, 1, 2], [0, 1, 2.5]], atol=1e-6)
    expected = rotations.from_euler(np.radians([10.0, 20.0, 30.0]), "YXZ")
    np.testing.assert_allclose(motion.local_rotations[1, 1], expected, atol=1e-6)


def _matrix(axis: int, degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    m = np.eye(3)
    m[i, i], m[i, j], m[j, i], m[j, j] = c, -s, s, c
    return m


def test_any_channels_in_any_order(rng: np.random.Generator) -> None:
    """Random trees with random channel lists per joint, against matrices multiplied as the file lists them."""
    every = [f"{axis}{kind}" for kind in ("position", "rotation") for axis in "XYZ"]
    for _ in range(30):
        count = int(rng.integers(1, 9))
        parents = [-1] + [int(rng.integers(-1, joint)) for joint in range(1, count)]
        order = _depth_first(parents)
        channels = [list(rng.permutation(every))[: rng.integers(0, 7)] for _ in parents]
        offsets = rng.normal(size=(count, 3)).round(3)
        width = sum(map(len, channels))
        rows = (rng.normal(size=(4, width)) * 100).round(4)
        rows[:, [c.endswith("position") for joint in order for c in channels[joint]]] *= 0.01
        text = (
            _hierarchy(parents, order, channels, offsets) + f"MOTION\nFrames: {4 if width else 0}\nFrame Time: 0.01\n"
        )
        motion = parse(text + "\n".join(" ".join(map(repr, row.tolist())) for row in rows), unit="m", up="y")
        found = ((at := motion[:]).global_rotations, at.global_positions)
        for frame in range(motion.frames):
            values = iter(rows[frame])
            world: dict[int, tuple[np.ndarray, np.ndarray]] = {}
            for joint in order:
                offset, turn = offsets[joint].copy(), np.eye(3)
                for channel in channels[joint]:
                    axis = "XYZ".index(channel[0])
                    if channel.endswith("position"):
                        offset[axis] = next(values)
                    else:
                        turn = turn @ _matrix(axis, next(values))
                base, place = world.get(parents[joint], (np.eye(3), np.zeros(3)))
                world[joint] = base @ turn, place + base @ offset
                index = motion.skeleton.index(f"j{joint}")
                np.testing.assert_allclose(found[1][frame, index], world[joint][1], atol=2e-5)
                np.testing.assert_allclose(rotations.to_matrix(found[0][frame, index]), world[joint][0], atol=2e-6)


def _depth_first(parents: list[int]) -> list[int]:
    order: list[int] = []

    def visit(joint: int) -> None:
        order.append(joint)
        for child in (c for c, parent in enumerate(parents) if parent == joint):
            visit(child)

    for root in (joint for joint, parent in enumerate(parents) if parent < 0):
        visit(root)
    return order


def _hierarchy(parents: list[int], order: list[int], channels: list[list[str]], offsets: np.ndarray) -> str:
    lines, open_joints = ["HIERARCHY"], []
    for joint in order:
        while open_joints and open_joints[-1] != parents[joint]:
            open_joints.pop()
            lines.append("}")
        open_joints.append(joint)
        lines += [
            f"{'ROOT' if parents[joint] < 0 else 'JOINT'} j{joint}",
            "{",
            "OFFSET " + " ".join(map(str, offsets[joint])),
            f"CHANNELS {len(channels[joint])} {' '.join(channels[joint])}",
        ]
    return "\n".join([*lines, *("}" * len(open_joints))]) + "\n"


def answers(data_dir: Path) -> tuple[Path, dict[str, dict]]:
    folder = data_dir / "importers" / "bvh_derived"
    return folder, json.loads((folder / "expected.json").read_text())


def test_every_dialect_of_the_answer_sheet(data_dir: Path) -> None:
    folder, expected = answers(data_dir)
    base = load(folder / "base.bvh").motion()
    expected.pop("_meta")
    wrong = []
    for name, case in expected.items():
        try:
            _judge(folder / name, case, base)
        except AssertionError as error:
            wrong.append(f"{name} ({case['expect']}): {error}")
    assert len(expected) == 40 and not wrong, "\n".join(wrong)


def _judge(path: Path, case: dict, base: Motion) -> None:
    kind = case["expect"]
    try:
        asset = load(path)
    except FormatError as error:
        assert kind in ("reject", "policy"), error
        assert path.name in str(error) and error.line is not None and "\n" not in str(error), error
        return
    assert kind != "reject", "was read"
    assert asset.skeleton is not None and asset.skeleton.joint_count == case.get("joints", asset.skeleton.joint_count)
    if not asset.motions:
        assert kind == "policy" and "MOTION" in asset.warnings[0], asset.warnings
        return
    motion = asset.motion()
    assert motion.frames == case.get("frames", motion.frames), motion.frames
    assert np.isfinite(motion.local_rotations).all() and np.isfinite(motion[:].global_positions).all()
    if kind in ("lenient", "policy"):
        assert [warning for warning in motion.warnings if "units" not in warning], "no warning"
    if kind in ("equal", "equal-renamed"):
        assert motion.skeleton.names == tuple(case.get("rename", "{}").format(name) for name in base.skeleton.names)
        assert motion.fps == base.fps and np.array_equal(motion.skeleton.parents, base.skeleton.parents)
        np.testing.assert_allclose(motion.skeleton.rest_translations, base.skeleton.rest_translations, atol=1e-6)
        turn = rotations.angle(rotations.relative(*(m.local_rotations.astype(float) for m in (base, motion))))
        assert np.degrees(turn).max() < 1e-3
        np.testing.assert_allclose(motion[:].global_positions, base[:].global_positions, atol=1e-5)


def test_every_real_file_is_read_or_refused_quickly(data_dir: Path) -> None:
    files = [source for source in iterate(data_dir, (".bvh",)) if ".zip/" not in source.path]
    assert len(files) > 150
    for source in files:
        start = time.process_time()
        try:
            motion = next(iter(load(source).motions), None)
        except FormatError:
            assert "bvh_derived" in source.path
            continue
        assert time.process_time() - start < 10.0
        if motion is not None and motion.frames:
            assert np.isfinite(motion[slice(0, 50)].global_positions).all()


def test_real_people_are_the_size_of_people(data_dir: Path) -> None:
    human = data_dir / "human_mocap"
    for path, up in (
        ("cmu_bvh/01_01.bvh", 1.0),
        ("cmu_bvh/scaled_131_01.bvh", 1.0),
        ("misc_bvh/walk01.bvh", 1.0),
        ("pfnn_nc/LocomotionFlat04_000.bvh", 0.9),
        ("cmu21/walk.bvh", 0.9),
    ):
        motion = load(human / path).motion()
        roles = motion.skeleton.roles
        positions = motion[:].global_positions.mean(axis=0)
        assert roles.head is not None and up < positions[roles.head, 1] < 2.0, path
        rest = motion.skeleton.rest_pose.global_positions
        assert rest[roles.head, 1] > rest[roles.leg("left").foot, 1] + 0.8, path


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        ("makehuman/walk1.bvh", "decimetres"),
        ("misc_bvh/bvh_example.bvh", "inches"),
        ("misc_bvh/standard_skeleton.bvh", "inches"),
    ],
)
def test_real_files_in_rare_units(data_dir: Path, path: str, unit: str) -> None:
    motion = load(data_dir / "human_mocap" / path).motion()
    assert f"units taken as {unit}" in motion.warnings[0]
    assert 1.4 < np.ptp(motion[slice(0, 1)].global_positions[..., 1]) < 1.75


@pytest.mark.parametrize(
    "path",
    [
        "makehuman/walk1.bvh",
        "makehuman/tpose.bvh",
        "misc_bvh/bvh_example.bvh",
        "misc_bvh/jumping.bvh",
        "misc_bvh/standard_skeleton.bvh",
    ],
)
def test_real_z_up_files_come_out_y_up(data_dir: Path, path: str) -> None:
    motion = load(data_dir / "human_mocap" / path).motion()
    kept = load(data_dir / "human_mocap" / path, up="y").motion()
    assert any("+Z" in warning for warning in motion.warnings)
    np.testing.assert_allclose(
        motion[:].global_positions, kept[:].global_positions[..., [0, 2, 1]] * np.float32([1, 1, -1]), atol=2e-5
    )
    roles = motion.skeleton.roles
    for positions in (motion.skeleton.rest_pose.global_positions, motion[:].global_positions.mean(axis=0)):
        standing = positions[roles.head] - positions[[leg.foot for leg in roles.legs]].mean(axis=0)
        assert standing[1] > 0.8 * np.linalg.norm(standing)


def test_six_channels_everywhere_cost_one_translated_joint(data_dir: Path) -> None:
    for path in sorted((data_dir / "human_mocap" / "bandai1_nc").glob("*walk*.bvh"))[:6]:
        motion = load(path).motion()
        names = [motion.skeleton.names[joint] for joint in motion.translated]
        assert "Hips" in names and len(names) <= 2, names


def moving(positions: str, joint: str = "Spine") -> str:
    """SMALL with position channels on the second joint."""
    text = SMALL.replace("CHANNELS 3 Yrotation", "CHANNELS 6 Xposition Yposition Zposition Yrotation")
    head, rows = text.split("0.0333333\n")
    lines = [row.split() for row in rows.splitlines()]
    return (
        head
        + "0.0333333\n"
        + "\n".join(
            " ".join([*row[:6], *place.split(), *row[6:]])
            for row, place in zip(lines, positions.split("/"), strict=True)
        )
    )


def test_positions_of_zero_throughout_are_displacements() -> None:
    arm = "JOINT Arm\n{\nOFFSET 0.3 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\n"
    text = SMALL.replace("CHANNELS 3 Y", "CHANNELS 6 Xposition Yposition Zposition Y")
    text = text.replace("    End Site", arm + "    End Site")
    rows = "0 1 0 0 0 0 {0} 0 0 0 0 0 {0} 0 0\n"
    head = text.split("Frames:")[0]
    for frames in (1, 3):
        zeros = parse(head + f"Frames: {frames}\nFrame Time: 0.03\n" + rows.format("0.000001") * frames)
        np.testing.assert_allclose(zeros[:].global_positions[-1], [[0, 1, 0], [0, 1.5, 0], [0.3, 1.5, 0]], atol=1e-5)
        assert "taken as displacements" in zeros.warnings[0]
    placed = parse(head + "Frames: 2\nFrame Time: 0.03\n" + rows.format("0.2") * 2)
    np.testing.assert_allclose(placed[:].global_positions[-1], [[0, 1, 0], [0.2, 1, 0], [0.4, 1, 0]], atol=1e-5)
    assert not any("displacements" in line for line in placed.warnings)


def test_constant_positions_become_the_rest_pose() -> None:
    equal = parse(moving("0 .5 0/0 .5 0/0 .5 0"))
    assert equal.translated.tolist() == [0] and equal.warnings == ()
    other = parse(moving("0 .7 0/0 .7 0/0 .700001 0"))
    assert other.translated.tolist() == [0] and "replace the OFFSET of 1 joints: Spine" in other.warnings[0]
    np.testing.assert_allclose(other.skeleton.rest_translations[1], [0, 0.7, 0], atol=1e-6)
    moved = parse(moving("0 .7 0/0 .7 0/0 .71 0"))
    assert moved.translated.tolist() == [0, 1] and moved.warnings == ()
    np.testing.assert_allclose(moved.skeleton.rest_translations[1], [0, 0.5, 0], atol=1e-6)
    np.testing.assert_allclose(moved.local_translations[2, 1], [0, 0.71, 0], atol=1e-6)


def test_one_frame_says_nothing_about_the_rest_pose() -> None:
    motion = parse(moving("0 .7 0/0 .7 0/0 .7 0").rsplit("\n", 2)[0].replace("Frames: 3", "Frames: 1"))
    assert motion.frames == 1 and motion.translated.tolist() == [0, 1]


@pytest.mark.parametrize(("scale", "word"), [(100, "centimetres"), (17.7, "CMU units"), (1, None), (5, "metres")])
def test_units(scale: float, word: str | None) -> None:
    text = SMALL.replace("0 0.5 0", f"0 {0.75 * scale} 0").replace("0 0.25 0", f"0 {0.25 * scale} 0")
    motion = parse(text)
    assert any(word in warning for warning in motion.warnings) if word else motion.warnings == ()
    factor = {"centimetres": 0.01, "CMU units": 0.0564444}.get(word or "", 1.0)
    np.testing.assert_allclose(motion.skeleton.bone_lengths[1], 0.75 * scale * factor, rtol=1e-5)
    np.testing.assert_allclose(motion.local_translations[2, 0], [0, factor, 2 * factor], rtol=1e-5)
    given_unit = parse(text, unit="in")
    np.testing.assert_allclose(given_unit.skeleton.bone_lengths[1], 0.75 * scale * 0.0254, rtol=1e-5)
    np.testing.assert_allclose(given_unit.skeleton.tip_offsets[0, 1], 0.25 * scale * 0.0254, rtol=1e-5)
    assert given_unit.warnings == ()


def test_wrong_options() -> None:
    with pytest.raises(UnitError, match="no unit 'ft'"):
        parse(SMALL, unit="ft")
    with pytest.raises(UnitError, match="no axis 'w'"):
        parse(SMALL, up="w")


@pytest.mark.parametrize(
    ("text", "fps", "warned"),
    [
        ("0.0333333", 30.0, False),
        ("0.008333", 120.0, False),
        ("0.0416667", 24.0, False),
        (".0333667", 29.97003, False),
        ("0.0333", 30.03003, False),
        ("0", 30.0, True),
        ("-1", 30.0, True),
        ("1e-320", 30.0, True),
        ("1000", 0.001, True),
    ],
)
def test_frame_time(text: str, fps: float, warned: bool) -> None:
    motion = parse(SMALL.replace("0.0333333", text))
    assert motion.fps == pytest.approx(fps, rel=1e-6) and any("frame time" in w for w in motion.warnings) == warned


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("HIERARCHY", "HIERACHY", 1, "starts with HIERARCHY, found 'HIERACHY'"),
        ("ROOT Hips", "ROOT", 2, "ROOT has no name"),
        ("OFFSET 0 1 0", "OFFSET 0 1", 5, "three numbers for the OFFSET of joint 'Hips', found 'CHANNELS'"),
        ("OFFSET 0 1 0", "OFFSET 0 nan 0", 4, "found 'nan'"),
        ("OFFSET 0 1 0", "OFFSET 0 1e30 0", 4, "found '1e30'"),
        ("  OFFSET 0 1 0\n", "", 2, "joint 'Hips' has no OFFSET"),
        ("OFFSET 0 1 0", "OFFSET 0 1 0 OFFSET 0 1 0", 4, "second OFFSET"),
        ("CHANNELS 3", "CHANNELS three", 9, "the number of CHANNELS of joint 'Spine', found 'three'"),
        ("CHANNELS 3", "CHANNELS 4", 10, "unknown channel 'End' of joint 'Spine'"),
        ("CHANNELS 3", "CHANNELS 2", 9, "expected OFFSET, CHANNELS, JOINT, End Site or } in joint 'Spine'"),
        ("Yrotation Xrotation Z", "Yrotation Yrotation Z", 9, "has channel 'Yrotation' twice"),
        ("  JOINT Spine\n  {", "  JOINT Spine\n", 8, "expected { after joint 'Spine'"),
        ("End Site", "End Site\n{ JOINT x", 11, "expected OFFSET or } in the end site of 'Spine', found 'JOINT'"),
        ("Frames: 3", "Frames: many", 17, "number of frames, found 'many'"),
        ("Frames: 3", "Bilder: 3", 16, "expected 'Frames:'"),
        ("Frame Time: 0.0333333", "Frame Time: soon", 18, "frame time in seconds, found 'soon'"),
        ("Frame Time: 0.0333333", "Frame Time: inf", 18, "frame time in seconds, found 'inf'"),
        ("Frame Time: 0.0333333", "Time: 0.1", 18, "expected 'Frame Time:'"),
        ("0 1 1 90", "0 1 1 9x0", 20, "expected a number, found '9x0'"),
        ("0 1 1 90", "0 1 1 nan", 20, "expected a finite number"),
        ("0 1 1 90", "0 1 1 -Infinity", 20, "expected a finite number"),
        ("0 1 1 90", "0 1 1 1e99", 20, "expected a finite number of at most 1e\\+09 in size, found '1e99'"),
        ("0 1 1 90", "0 1 1 90,5", 20, "decimals are written with a point"),
        ("0 1 1 90", "0 1 1 90 1", 20, "row has 10 values where 9 are due"),
        ("0 1 1 90", "0 1 90", 21, "row has 9 values where 1 are due"),
    ],
)
def test_refusals_name_the_line(old: str, new: str, line: int, message: str) -> None:
    assert old in SMALL
    for text in (SMALL.replace(old, new, 1), SMALL.replace(old, new, 1).replace("\n", "\r\n")):
        with pytest.raises(FormatError, match=message) as caught:
            parse(text)
        assert caught.value.line == line and str(caught.value).startswith(f"x.bvh, line {line}: ")


def test_a_cut_file_loses_only_its_last_row() -> None:
    for end in range(SMALL.index("0 1 2 0 90") + 3, len(SMALL) - 5):
        motion = parse(SMALL[:end])
        assert motion.frames == 2 and any("was dropped" in warning for warning in motion.warnings)
    motion = parse(SMALL[: SMALL.rindex(" 0 0")] + " -")  # within a number
    assert motion.frames == 2


def test_channels_may_be_missing_altogether() -> None:
    still = "HIERARCHY ROOT a { OFFSET 0 0 0 }\nMOTION\nFrames: {}\nFrame Time: 0.1\n"
    asset = kinema.load(Source.from_bytes(still.replace("{}", "99999999999").encode(), "x.bvh"))
    assert asset.motion().frames == 0 and any("no joint has channels" in warning for warning in asset.warnings)
    for frames, rows in (("1", "1 2 3\n"), ("2", "1 2\n3 4\n"), ("3", "\n1\n2\n3\n"), ("9999999", "1 2")):
        with pytest.raises(FormatError, match="motion values, but no joint has channels"):
            parse(still.replace("{}", frames) + rows)


def test_promised_frames_cost_no_memory() -> None:
    motion = parse(SMALL.replace("Frames: 3", "Frames: 9" + "9" * 30))
    assert motion.frames == 3 and "promises 9" in motion.warnings[0]
    assert parse(SMALL.replace("Frames: 3", "Frames: 0")).frames == 3


def test_a_million_blank_lines_take_no_time() -> None:
    blank = "\n \t" * 300_000
    start = time.process_time()
    for text in (
        SMALL.replace("MOTION\n", "MOTION" + blank),
        SMALL.replace("Frame Time", blank + "Frame Time"),
        SMALL.replace("ROOT", blank + "ROOT"),
        SMALL.replace("0 1 2 0", blank + "0 1 2 0"),
        SMALL + blank,
    ):
        assert parse(text).frames == 3
    for text in (SMALL.replace("Frames:", blank + "x"), SMALL.replace("Time:", blank + "x"), SMALL + blank + "x"):
        with pytest.raises(FormatError):
            parse(text)
    assert time.process_time() - start < 10.0


def test_names() -> None:
    text = SMALL.replace("ROOT Hips", "ROOT  my {hips".replace("{", "\t")).replace("JOINT Spine", "JOINT MOTION")
    assert parse(text).skeleton.names == ("my \thips", "MOTION")
    assert parse(SMALL.replace("Spine", "Größe")).skeleton.names[1] == "Größe"
    motion = parse(SMALL.replace("Spine", "Größe").encode("latin-1"))
    assert motion.skeleton.names[1] == "Größe" and "Latin-1" in motion.warnings[0]


def test_several_roots_and_a_hundred_thousand_braces() -> None:
    prop = "ROOT Prop\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION"
    lines = SMALL.replace("MOTION", prop).strip().split("\n")
    motion = parse("\n".join([*lines[:-3], *(f"{row} {i} 0 0" for i, row in enumerate(lines[-3:]))]))
    assert motion.skeleton.parents.tolist() == [-1, 0, -1] and motion.translated.tolist() == [0, 2]
    np.testing.assert_allclose(motion[:].global_positions[2, 2], [2, 0, 0])
    deep = "HIERARCHY ROOT a" + "{OFFSET 0 0 0 JOINT a\n" * 100_001
    with pytest.raises(FormatError, match="more than 100000 joints"):
        parse(deep)


def test_legs_on_one_root_and_arms_on_another() -> None:
    def joint(kind: str, name: str, offset: str, *children: str) -> str:
        channels = "CHANNELS 3 Zrotation Xrotation Yrotation"
        return (
            f"{kind} {name} {{ OFFSET {offset}\n{channels}\n"
            + ("".join(children) or "End Site { OFFSET 0 0 9\n}")
            + "}\n"
        )

    def limb(name: str, x: int, y: int, offset: str) -> str:
        end = joint("JOINT", f"{name}3", offset)
        return joint("JOINT", f"{name}1", f"{x} {y} 0", joint("JOINT", f"{name}2", offset, end))

    lower = joint("ROOT", "low", "0 90 0", *(limb(f"a{x}", x, -5, "0 -40 0") for x in (10, -10)))
    upper = joint("ROOT", "high", "0 100 0", *(limb(f"b{x}", x, 40, f"{2 * x} 0 0") for x in (10, -10)))
    motion = parse(f"HIERARCHY\n{lower}{upper}MOTION\nFrames: 1\nFrame Time: 0.1\n" + "0 " * 42)
    assert np.count_nonzero(motion.skeleton.parents < 0) == 2


def person(up: int, first_row: str) -> str:
    """Hips, a head above and two feet below along one axis."""

    def offset(length: float, aside: float = 0.0) -> str:
        place = [aside, 0.0, 0.0]
        place[up] = length
        return "OFFSET " + " ".join(map(str, place))

    limbs = "".join(
        f"JOINT {side}UpLeg {{ {offset(-0.1, x)}\nJOINT {side}Leg {{ {offset(-0.4)}\n"
        f"JOINT {side}Foot {{ {offset(-0.4)} }} }} }}\n"
        for side, x in (("Left", 0.1), ("Right", -0.1))
    )
    return (
        f"HIERARCHY\nROOT Hips {{ {offset(0.9)}\n"
        "CHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation\n"
        f"JOINT Head {{ {offset(0.7)} }}\n{limbs} }}\nMOTION\nFrames: 1\nFrame Time: 0.1\n{first_row}\n"
    )


def test_up_is_found_in_the_rest_pose_and_confirmed_by_the_motion() -> None:
    turned = parse(person(2, "1 2 3 0 0 90"))
    np.testing.assert_allclose(turned[:].global_positions[0, :2], [[1, 3, -2], [1, 3.7, -2]], atol=1e-6)
    np.testing.assert_allclose(turned.skeleton.rest_pose.global_positions[1], [0, 1.6, 0], atol=1e-6)
    np.testing.assert_allclose(turned.skeleton.rest_rotations[:, 0], 1.0)
    np.testing.assert_allclose(turned[:].global_positions[0, 2], [1, 2.9, -2.1], atol=1e-6)  # left leg, turned about up
    lying = parse(person(2, "0 1 0 -90 0 0"))  # the root turns a lying rest pose up
    np.testing.assert_allclose(lying[:].global_positions[0, :2], [[0, 1, 0], [0, 1.7, 0]], atol=1e-6)
    upright = parse(person(1, "1 2 3 0 0 0"))
    np.testing.assert_allclose(upright[:].global_positions[0, :2], [[1, 2, 3], [1, 2.7, 3]], atol=1e-6)
    forced = parse(person(1, "1 2 3 0 0 0"), up="z")
    np.testing.assert_allclose(forced[:].global_positions[0, 0], [1, 3, -2], atol=1e-6)


def test_a_bird_that_flies_level_does_not_stand_along_z(tmp_path: Path) -> None:
    """Its head is before its feet, which hang back."""
    rows = [("hips", -1, (0, 1, 0)), ("spine", 0, (0, 0, 0.2)), ("neck", 1, (0, 0.05, 0.3)), ("head", 2, (0, 0, 0.3))]
    for side, x in (("L", 1), ("R", -1)):
        first = len(rows)
        rows += [
            (f"wing_shoulder_{side}", 1, (0.1 * x, 0, 0)),
            (f"wing_upperarm_{side}", first, (0.3 * x, 0, 0)),
            (f"wing_forearm_{side}", first + 1, (0.4 * x, 0, 0)),
            (f"wing_hand_{side}", first + 2, (0.3 * x, 0, 0)),
            (f"thigh_{side}", 0, (0.05 * x, 0, -0.1)),
            (f"shin_{side}", first + 4, (0, -0.02, -0.1)),
            (f"foot_{side}", first + 5, (0, -0.02, -0.1)),
            (f"toes_{side}", first + 6, (0, -0.02, -0.05)),
        ]
    names, parents, offsets = zip(*rows, strict=True)
    skeleton = Skeleton.create(names, parents, offsets)
    assert skeleton.roles.plan == "winged"
    motion = Motion.create(skeleton, np.tile(skeleton.rest_rotations, (2, 1, 1)))
    save(motion, tmp_path / "bird.bvh", unit="m")
    again = load(tmp_path / "bird.bvh", unit="m").motion()
    order = [again.skeleton.index(name) for name in names]
    np.testing.assert_allclose(again[:].global_positions[:, order], motion[:].global_positions, atol=1e-5)


TOKENS = [
    "HIERARCHY",
    "ROOT",
    "JOINT",
    "End Site",
    "OFFSET",
    "CHANNELS",
    "MOTION",
    "Frames:",
    "Frame Time:",
    "{",
    "}",
    "\n",
    " ",
    "a",
    "0",
    "1",
    "-1",
    "3",
    "1e5",
    "nan",
    "Xposition",
    "Zrotation",
    "\x00",
    "é",
    "\r",
]


def tolerant(data: bytes) -> None:
    try:
        asset = kinema.load(Source.from_bytes(data, "x.bvh"))
    except FormatError as error:
        assert "\n" not in str(error)
        return
    for motion in asset.motions:
        assert np.isfinite(motion.local_rotations).all() and np.isfinite(motion.local_translations).all()


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.binary(max_size=300))
@example(b"\xef\xbb\xbf")
@example(b"\xff\xfeH\x00I\x00")
def test_random_bytes_are_refused_cleanly(data: bytes) -> None:
    tolerant(data)
    tolerant(SMALL.encode()[: SMALL.index("0 1 0 0")] + data)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(TOKENS), max_size=60))
def test_random_words_are_refused_cleanly(words: list[str]) -> None:
    tolerant(" ".join(words).encode())
    tolerant(("HIERARCHY\nROOT a\n{\n" + " ".join(words)).encode())


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.data())
def test_damaged_files_are_refused_cleanly(data: st.DataObject) -> None:
    raw = bytearray(SMALL.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        length = data.draw(st.integers(0, 5))
        raw[at : at + length] = data.draw(st.one_of(st.binary(max_size=4), st.sampled_from(TOKENS).map(str.encode)))
        if not raw:
            return
    tolerant(bytes(raw))
    tolerant(bytes(raw[: data.draw(st.integers(0, len(raw)))]))
