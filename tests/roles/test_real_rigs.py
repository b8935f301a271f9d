"""Every rig of the real data: which way is up, its plan and its hips; printed by `pytest -s -m slow`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kinema import Asset, load
from kinema.errors import KinemaError
from kinema.formats import FORMATS
from kinema.formats.units import ROLE_JOINTS
from kinema.roles import find_roles, rest_pose
from kinema.roles.tree import is_pose

FOLDERS = ("characters", "any_topology", "human_mocap", "importers")
LEFT_OUT = (".npz", ".csv", ".amc", ".c3d")  # numbers without a rig of their own
BODY = 5  # joints


def rigs(data: Path) -> Iterator[tuple[str, Asset]]:
    """Files with a skeleton, each skeleton once."""
    seen = set()
    for folder in FOLDERS:
        for path in sorted((data / folder).rglob("*")):
            if path.suffix.lower() not in FORMATS or path.suffix.lower() in LEFT_OUT or "fuzz" in str(path):
                continue
            try:
                asset = load(path)
            except KinemaError:  # broken on purpose, to test readers
                continue
            skeleton = asset.skeleton
            if skeleton is None or not BODY <= skeleton.joint_count <= ROLE_JOINTS:
                continue
            content = (skeleton.names, skeleton.rest_translations.round(3).tobytes())
            if content not in seen:
                seen.add(content)
                yield str(path.relative_to(data)), asset


@pytest.mark.slow
def test_up_is_right_on_every_rig(data_dir: Path) -> None:
    """All stand along +Y after loading, but for layouts of bones that are no stance; no warning says otherwise."""
    count, wrong = 0, []
    for name, asset in rigs(data_dir):
        skeleton = asset.skeleton
        assert skeleton is not None
        roles = find_roles(skeleton, next((motion for motion in asset.motions if motion.frames), None))
        rest, alone = rest_pose(skeleton, roles=roles), rest_pose(skeleton)
        print(f"{name}: {roles.plan}, {rest.kind}, up {rest.up.astype(int).tolist()}, {skeleton.names[roles.hips]}")
        count += 1
        stance = is_pose(skeleton, skeleton.rest_pose.global_positions)
        wrong += [name for found in (rest, alone) if stance and found.up[1] < 0.9]
        wrong += [f"{name}: {line}" for line in asset.warnings if "--up" in line]
    assert count > 100 and not wrong
