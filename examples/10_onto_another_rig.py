"""A generated walk on a second rig, with its body, for programs that read glTF and FBX; live, pose after pose, too.

    python examples/10_onto_another_rig.py [CHARACTER] [FOLDER]

CHARACTER is any file with a body (.glb, .fbx, .vrm, .usdz, a robot); without one a child is made up, whose joints have
other names, other frames and another rest pose.
"""

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

import kinema
from kinema import Asset, Skeleton, rotations
from kinema.mocap.procedural import Segment, generate, humanoid
from kinema.rendering.mannequin.build import build_mannequin
from kinema.retargeting import Retargeter, onto
from kinema.retargeting.live import Live


def child() -> Asset:
    """Two thirds of an adult, arms half down, every joint named by a number and turned by a quarter."""
    plain = humanoid(1.15, arms_down=0.8)
    names = [f"{name}_{number:02}" for number, name in enumerate(plain.names)]
    quarter = rotations.exp(np.array([0, 0, np.pi / 2], np.float32))
    above = np.where(plain.parents[:, None] < 0, np.float32([1, 0, 0, 0]), quarter)
    turned = rotations.multiply(rotations.multiply(rotations.inverse(above), plain.rest_rotations), quarter)
    moved = rotations.inverse_rotate(above, plain.rest_translations)
    tips = [
        (int(j), rotations.inverse_rotate(quarter, offset))
        for j, offset in zip(plain.tip_joints, plain.tip_offsets, strict=True)
    ]
    skeleton = Skeleton.create(names, plain.parents, moved, turned, tips)
    return Asset("child", "gltf", skeleton, (), replace(build_mannequin(skeleton), name="child"))


def main(path: str | None = None, folder: str | None = None) -> None:
    walk = generate(script=[Segment("idle", 1.0), Segment("walk", 4.0, curve=0.3), Segment("idle", 1.0)], seed=3)
    character = kinema.load(path) if path else child()
    setup = Retargeter(walk.skeleton, character, motions=[walk])
    for link in setup.match.links[:4]:
        print(f"{walk.skeleton.names[link.first]:12} moves {setup.target.names[link.target]}")

    result = setup(walk)
    report = result.report
    print(
        f"{setup.scale:.2f} times the size; bones {report.direction_error_deg:.2f} degrees off; standing feet slide "
        f"{report.skate_before_cm_s:.2f} cm/s before and {report.skate_after_cm_s:.3f} after"
    )

    target = Path(folder or tempfile.mkdtemp())
    for suffix in (".glb", ".fbx"):
        kinema.save(onto(character, [result.motion]), target / f"walk{suffix}")
        again = kinema.load(target / f"walk{suffix}")
        order = again.motion().skeleton.indices(result.motion.skeleton.names)
        off = np.abs(again.motion()[:].global_positions[:, order] - result.motion[:].global_positions).max()
        vertices = again.character.vertex_count if again.character else 0
        print(f"{target / f'walk{suffix}'}: {vertices} vertices, {1e3 * off:.2f} mm off after a round trip")

    live = Live(setup, [walk])  # for poses that are not known before: those of a controller, a suit, a network
    for frame in range(0, walk.frames, 60):
        joints = live.pose(walk[frame : frame + 1]).global_positions
        print(f"frame {frame}: hips at {joints[0, setup.target.roles.hips].round(2)}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
