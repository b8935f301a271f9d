"""Pictures of roles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kinema import Skeleton
from kinema.character import Character
from kinema.rendering.bodies import body_for, owners
from kinema.rendering.film.performance import Shot
from kinema.rendering.film.roles_sheet import painted, roles_sheet, shades
from kinema.rendering.renderer import Renderer


def named(biped: Skeleton, *names: str) -> list[tuple[str, bool]]:
    of = shades(biped.roles, biped)
    return [of[biped.index(name)] for name in names]


def test_parts_have_colours_of_their_own_and_sides_shades(biped: Skeleton) -> None:
    found = named(biped, "LeftUpLeg", "RightUpLeg", "LeftArm", "RightHand", "Hips", "Head")
    assert found == [
        ("thigh", False),
        ("thigh", True),
        ("upper_arm", False),
        ("hand", True),
        ("hips", False),
        ("head", False),
    ]


def test_what_is_no_part_is_painted_like_what_it_hangs_on(biped: Skeleton) -> None:
    roles = biped.with_hints({"LeftHand": "helper", "LeftForeArm": "left_twist", "Hips": ""}).roles
    of = shades(roles, biped)
    assert of[biped.index("LeftHand")] == of[biped.index("LeftForeArm")] == ("upper_arm", False)
    assert of[biped.index("Hips")] == ("other", False)


def test_every_face_keeps_its_place_and_has_the_colour_of_its_joint(biped: Skeleton) -> None:
    body = body_for(biped)
    found = painted(body, biped.roles)
    assert sum(len(mesh.indices) for mesh in found.meshes) == sum(len(mesh.indices) for mesh in body.meshes)
    of = shades(biped.roles, biped)
    for mesh in found.meshes:
        assert mesh.material is not None and mesh.colors is None
        wanted = {
            f"{part} right" if right else part
            for part, right in (of[joint] for joint in owners(mesh)[mesh.indices[:, 0]].tolist())
        }
        assert wanted == {found.materials[mesh.material].name}
    colors = {material.base_color for material in found.materials}
    assert len(colors) == len(found.materials) > 15


def test_right_is_darker(biped: Skeleton) -> None:
    found = painted(body_for(biped), biped.roles)
    light = {material.name: sum(material.base_color[:3]) for material in found.materials}
    assert all(light[f"{part} right"] < 0.5 * light[part] for part in ("thigh", "shin", "hand", "foot"))


def test_the_sheet_shows_both_sides_and_a_legend(biped: Skeleton, renderer: Renderer) -> None:
    shot = Shot("someone", biped)
    renderer.resize(160, 160)
    try:
        sheet = roles_sheet(shot, biped.roles, 160, renderer)
        bare = roles_sheet(
            Shot("nobody", biped, None, Character("x", biped)),
            replace(biped.roles, parts=("",) * biped.joint_count),
            160,
            renderer,
        )
    finally:
        renderer.resize(160, 120)
    assert sheet.dtype == np.uint8 and sheet.ndim == 3 and sheet.shape[1] > 320 and sheet.shape[0] > 190
    blue = (sheet[..., 2].astype(int) - sheet[..., 0] > 60).sum()
    assert blue > 200 and (bare[..., 2].astype(int) - bare[..., 0] > 60).sum() < 0.1 * blue
    assert len(bare) < len(sheet), "fewer parts, a shorter legend"
