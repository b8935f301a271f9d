"""Bodies that the recogniser's rules were not written with, each with labels: the generated part of the unseen set.

A body is a table of joints: name, parent, position and role. It is written in metres, Y up, facing +Z, and then turned
and scaled to the axes and the unit that its file would have. In names and roles of a pair, `*` stands for the side.

A label accepts several roles (`tail|spine`) where more than one is defensible. The labels were written down before
the recogniser saw the bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from kinema import Skeleton, rotations

Point = tuple[float, float, float]
Row = tuple[str, str, Point, str]
"""Name, parent ("" for none), position, roles that are right, with `|` between them."""

AXES = {
    "+X": (1.0, 0.0, 0.0),
    "-X": (-1.0, 0.0, 0.0),
    "+Y": (0.0, 1.0, 0.0),
    "-Y": (0.0, -1.0, 0.0),
    "+Z": (0.0, 0.0, 1.0),
    "-Z": (0.0, 0.0, -1.0),
}
OTHER = "helper"  # no joint of a limb or the trunk; the merged measure makes no difference between such parts


@dataclass(frozen=True)
class Rig:
    """A skeleton and what is true of it.

    Attributes:
        name: of the rig.
        group: where it comes from: "generated", "rigify" or "changed".
        skeleton: the joints.
        parts: for each joint the roles that are right.
        up: axis of the rest pose.
        forward: axis of the rest pose; "" where the body has no front.
        plans: body plans that are right.
    """

    name: str
    group: str
    skeleton: Skeleton
    parts: dict[str, frozenset[str]]
    up: str
    forward: str
    plans: frozenset[str]


@dataclass(frozen=True)
class Body:
    """A generated body.

    Attributes:
        rows: its joints, parents first.
        plans: body plans that are right.
        up: axis that is up in its file.
        forward: axis that is ahead in its file.
        unit: units of its file in a metre.
        bone: axis that points along the bones, -1 where all joints have the axes of the file.
        tips: whether the last bones have ends, as in BVH files.
        faceless: whether the body has no front.
    """

    rows: list[Row]
    plans: str
    up: str = "+Y"
    forward: str = "+Z"
    unit: float = 1.0
    bone: int = -1
    tips: bool = False
    faceless: bool = field(default=False)

    def rig(self, name: str, group: str = "generated") -> Rig:
        """The body as it would be read from its file."""
        up, ahead = np.array(AXES[self.up]), np.array(AXES[self.forward])
        axes = np.stack([np.cross(up, ahead), up, ahead])  # images of left, up and forward
        names = [row[0] for row in self.rows]
        parents = [names.index(row[1]) if row[1] else -1 for row in self.rows]
        places = np.array([row[2] for row in self.rows]) @ axes * self.unit
        parts = {row[0]: frozenset(row[3].split("|")) for row in self.rows}
        skeleton = posed(names, parents, places, bone=self.bone, tips=self.tips)
        return Rig(name, group, skeleton, parts, self.up, "" if self.faceless else self.forward, plans(self.plans))


def plans(text: str) -> frozenset[str]:
    """Body plans that are right, from `quadruped|many-legged`."""
    return frozenset(text.split("|"))


def posed(
    names: Sequence[str], parents: Sequence[int], places: NDArray[np.floating], *, bone: int = -1, tips: bool = False
) -> Skeleton:
    """A skeleton with its joints at the given places.

    Args:
        names: `J` names.
        parents: `J` indices, parents first.
        places: `[J, 3]` rest positions.
        bone: axis of each joint's frame that points to its first child, or on from its parent; -1 for none.
        tips: end every last bone half a bone further on.
    """
    above = np.array(parents)
    first = {above: joint for joint, above in reversed(list(enumerate(parents)))}
    inwards = places - np.where((above >= 0)[:, None], places[above], places)
    along = np.stack([places[first[j]] - places[j] if j in first else inwards[j] for j in range(len(names))])
    still = np.array([1.0, 0.0, 0.0, 0.0])
    turns = np.tile(still, (len(names), 1))
    if bone >= 0:
        long = np.linalg.norm(along, axis=-1) > 1e-9
        turns[long] = rotations.between(np.broadcast_to(np.eye(3)[bone], along[long].shape), along[long])
    outer = np.where((above >= 0)[:, None], turns[above], still)
    offsets = np.where((above >= 0)[:, None], rotations.inverse_rotate(outer, inwards), places)
    ends = [j for j in range(len(names)) if j not in first] if tips else []
    return Skeleton.create(
        list(names),
        list(parents),
        offsets,
        rotations.multiply(rotations.inverse(outer), turns),
        tips=[(j, rotations.inverse_rotate(turns[j], 0.5 * along[j])) for j in ends],
    )


def both(rows: Iterable[Row], left: str, right: str) -> list[Row]:
    """Rows of the left side and of the right one; words for the sides stand in for `*` in the names."""
    rows = list(rows)
    return [
        (name.replace("*", word), above.replace("*", word), (sign * x, y, z), role.replace("*", f"{side}_"))
        for side, word, sign in (("left", left, 1.0), ("right", right, -1.0))
        for name, above, (x, y, z), role in rows
    ]


def chain(names: Iterable[str], above: str, points: Iterable[Point], roles: Iterable[str]) -> list[Row]:
    """Joints one below the other."""
    rows: list[Row] = []
    for name, point, role in zip(names, points, roles, strict=True):
        rows.append((name, above, point, role))
        above = name
    return rows


def numbered(rows: list[Row], name: Callable[[int], str]) -> list[Row]:
    """The same joints named by their numbers."""
    new = {row[0]: name(number) for number, row in enumerate(rows)}
    return [(new[own], new.get(above, ""), point, role) for own, above, point, role in rows]


def satyr() -> Body:
    """Stands on two hooves, with hocks like a goat's; names as in Maya, centimetres."""
    rows: list[Row] = [
        ("C_pelvis_jnt", "", (0, 1.05, -0.02), "hips"),
        *chain(
            ["C_spine_01_jnt", "C_spine_02_jnt", "C_chest_jnt", "C_neck_jnt", "C_head_jnt"],
            "C_pelvis_jnt",
            [(0, 1.15, -0.03), (0, 1.3, -0.02), (0, 1.45, 0), (0, 1.58, 0.02), (0, 1.68, 0.05)],
            ["spine", "spine", "spine", "neck", "head"],
        ),
        ("C_jaw_jnt", "C_head_jnt", (0, 1.66, 0.09), "jaw"),
        *chain(
            ["C_tail_01_jnt", "C_tail_02_jnt", "C_tail_03_jnt"],
            "C_pelvis_jnt",
            [(0, 1.0, -0.1), (0, 0.9, -0.18), (0, 0.78, -0.22)],
            ["tail"] * 3,
        ),
    ]
    rows += both(
        [
            *chain(
                ["*_hip_jnt", "*_knee_jnt", "*_hock_jnt", "*_fetlock_jnt", "*_hoof_jnt"],
                "C_pelvis_jnt",
                [(0.11, 1.0, 0), (0.13, 0.66, 0.16), (0.13, 0.36, -0.12), (0.13, 0.06, 0), (0.13, 0.02, 0.08)],
                ["*thigh", "*shin", "*foot", "*toe", f"*toe|*toes|{OTHER}"],
            ),
            *chain(
                ["*_clavicle_jnt", "*_shoulder_jnt", "*_elbow_jnt", "*_wrist_jnt"],
                "C_chest_jnt",
                [(0.04, 1.5, 0), (0.19, 1.5, -0.01), (0.38, 1.28, -0.03), (0.52, 1.08, 0.03)],
                ["*shoulder", "*upper_arm", "*forearm", "*hand"],
            ),
            *chain(
                ["*_thumb_01_jnt", "*_thumb_02_jnt"],
                "*_wrist_jnt",
                [(0.52, 1.05, 0.07), (0.53, 1.01, 0.1)],
                ["*thumb"] * 2,
            ),
            *chain(
                ["*_index_01_jnt", "*_index_02_jnt", "*_index_03_jnt"],
                "*_wrist_jnt",
                [(0.57, 1.0, 0.06), (0.59, 0.96, 0.07), (0.6, 0.93, 0.075)],
                ["*index"] * 3,
            ),
            *chain(
                ["*_pinky_01_jnt", "*_pinky_02_jnt", "*_pinky_03_jnt"],
                "*_wrist_jnt",
                [(0.57, 1.0, 0.01), (0.59, 0.965, 0.01), (0.6, 0.94, 0.01)],
                ["*little"] * 3,
            ),
            ("*_horn_jnt", "C_head_jnt", (0.05, 1.8, 0.04), f"{OTHER}|*ear"),
        ],
        "L",
        "R",
    )
    return Body(rows, "biped", unit=100.0, bone=0)


def centaur() -> Body:
    """A horse with the trunk of a person in place of its neck."""
    rows: list[Row] = [
        ("Croup", "", (0, 1.3, -0.7), "hips"),
        *chain(
            ["Barrel1", "Barrel2", "Withers", "Waist", "Chest", "Neck", "Head"],
            "Croup",
            [
                (0, 1.3, -0.35),
                (0, 1.28, 0.0),
                (0, 1.35, 0.4),
                (0, 1.55, 0.5),
                (0, 1.8, 0.5),
                (0, 2.05, 0.5),
                (0, 2.15, 0.53),
            ],
            ["spine"] * 5 + ["neck", "head"],
        ),
        *chain(
            ["Tail1", "Tail2", "Tail3"],
            "Croup",
            [(0, 1.28, -0.88), (0, 1.1, -1.02), (0, 0.85, -1.08)],
            ["tail"] * 3,
        ),
    ]
    rows += both(
        [
            *chain(
                ["Hind*Femur", "Hind*Tibia", "Hind*Hock", "Hind*Fetlock"],
                "Croup",
                [(0.15, 1.15, -0.75), (0.17, 0.8, -0.6), (0.17, 0.5, -0.85), (0.17, 0.12, -0.78)],
                ["*thigh|*leg", "*shin|*leg", "*foot|*leg", "*toe|*leg"],
            ),
            *chain(
                ["Fore*Humerus", "Fore*Radius", "Fore*Carpus", "Fore*Fetlock"],
                "Withers",
                [(0.16, 1.1, 0.55), (0.16, 0.85, 0.42), (0.16, 0.48, 0.45), (0.16, 0.12, 0.45)],
                ["*upper_arm|*leg", "*forearm|*leg", "*hand|*leg", "*hand|*finger|*toe|*toes|*leg"],
            ),
            *chain(
                ["*Collarbone", "*Shoulder", "*Elbow", "*Wrist"],
                "Chest",
                [(0.04, 1.96, 0.5), (0.2, 1.95, 0.49), (0.26, 1.67, 0.47), (0.28, 1.43, 0.54)],
                ["*shoulder", "*upper_arm", "*forearm", "*hand"],
            ),
        ],
        "Left",
        "Right",
    )
    return Body(rows, "quadruped|many-legged", tips=True)


def ant() -> Body:
    """A hexapod as a roboticist would have it: Z up, X ahead."""
    rows: list[Row] = [
        ("thorax", "", (0, 0.3, 0), "hips|root|spine"),
        ("head", "thorax", (0, 0.32, 0.3), "head"),
        ("abdomen_1", "thorax", (0, 0.31, -0.2), "tail|spine"),
        ("abdomen_2", "abdomen_1", (0, 0.28, -0.55), "tail|spine"),
    ]
    pair: list[Row] = [
        ("antenna_*_1", "head", (0.05, 0.4, 0.42), OTHER),
        ("antenna_*_2", "antenna_*_1", (0.15, 0.38, 0.6), OTHER),
        ("mandible_*", "head", (0.04, 0.27, 0.42), "jaw|*jaw"),
    ]
    for number, (at, out) in enumerate(((0.15, 0.45), (0.0, 0.0), (-0.12, -0.5)), start=1):
        pair += chain(
            [f"coxa_*{number}", f"femur_*{number}", f"tibia_*{number}", f"tarsus_*{number}"],
            "thorax",
            [
                (0.08, 0.27, at),
                (0.15, 0.26, at + 0.15 * out),
                (0.38, 0.46, at + 0.6 * out),
                (0.62, 0.04, at + 1.1 * out),
            ],
            ["*leg", "*leg", "*leg", f"*leg|{OTHER}"],
        )
    return Body(rows + both(pair, "l", "r"), "many-legged", up="+Z", forward="+X")


def kangaroo() -> Body:
    """Crouches on long feet and a heavy tail; German names, inches."""
    rows: list[Row] = [
        ("Becken", "", (0, 0.8, -0.1), "hips"),
        *chain(
            ["Wirbel1", "Wirbel2", "Brustkorb", "Hals1", "Hals2", "Kopf"],
            "Becken",
            [(0, 0.93, -0.02), (0, 1.1, 0.08), (0, 1.25, 0.15), (0, 1.37, 0.2), (0, 1.45, 0.25), (0, 1.52, 0.3)],
            ["spine", "spine", "spine", "neck", "neck", "head"],
        ),
        ("Kiefer", "Kopf", (0, 1.49, 0.34), "jaw"),
        *chain(
            [f"Schwanz{number}" for number in range(1, 6)],
            "Becken",
            [(0, 0.7, -0.25), (0, 0.5, -0.45), (0, 0.28, -0.65), (0, 0.1, -0.9), (0, 0.04, -1.15)],
            ["tail"] * 5,
        ),
    ]
    rows += both(
        [
            *chain(
                ["Oberschenkel_*", "Unterschenkel_*", "Fuss_*", "Zehen_*"],
                "Becken",
                [(0.12, 0.75, -0.05), (0.16, 0.6, 0.25), (0.14, 0.12, -0.1), (0.14, 0.03, 0.22)],
                ["*thigh", "*shin", "*foot", "*toe"],
            ),
            *chain(
                ["Schulter_*", "Oberarm_*", "Unterarm_*", "Hand_*"],
                "Brustkorb",
                [(0.05, 1.28, 0.16), (0.1, 1.25, 0.18), (0.14, 1.07, 0.16), (0.12, 0.98, 0.3)],
                ["*shoulder", "*upper_arm", "*forearm", "*hand"],
            ),
            ("Ohr_*", "Kopf", (0.05, 1.6, 0.27), "*ear"),
            ("Ohrspitze_*", "Ohr_*", (0.08, 1.72, 0.26), f"*ear|{OTHER}"),
        ],
        "links",
        "rechts",
    )
    return Body(rows, "biped", unit=39.37, tips=True)


def goose() -> Body:
    """Stands with its wings spread; Spanish names, Z up."""
    rows: list[Row] = [
        ("cadera", "", (0, 0.42, -0.05), "hips"),
        *chain(
            ["lomo", "pecho", "cuello_1", "cuello_2", "cuello_3", "cabeza"],
            "cadera",
            [(0, 0.45, 0.03), (0, 0.49, 0.14), (0, 0.55, 0.2), (0, 0.63, 0.24), (0, 0.71, 0.25), (0, 0.78, 0.27)],
            ["spine", "spine", "neck", "neck", "neck", "head"],
        ),
        ("pico_arriba", "cabeza", (0, 0.77, 0.32), f"{OTHER}|jaw"),
        ("pico_abajo", "cabeza", (0, 0.755, 0.32), f"{OTHER}|jaw"),
        ("cola_1", "cadera", (0, 0.42, -0.14), "tail"),
        ("cola_2", "cola_1", (0, 0.42, -0.24), "tail"),
    ]
    rows += both(
        [
            *chain(
                ["muslo_*", "pierna_*", "tarso_*", "pie_*"],
                "cadera",
                [(0.06, 0.38, -0.03), (0.08, 0.3, 0.04), (0.08, 0.17, -0.05), (0.08, 0.03, 0)],
                ["*thigh", "*shin", "*foot", "*toe"],
            ),
            ("dedo_1_*", "pie_*", (0.05, 0.01, 0.06), "*toes"),
            ("dedo_2_*", "pie_*", (0.08, 0.01, 0.075), "*toes"),
            ("dedo_3_*", "pie_*", (0.11, 0.01, 0.06), "*toes"),
            *chain(
                ["hombro_*", "ala_1_*", "ala_2_*", "ala_3_*"],
                "pecho",
                [(0.03, 0.51, 0.14), (0.07, 0.53, 0.13), (0.27, 0.56, 0.05), (0.46, 0.55, 0.13)],
                ["*shoulder", "*upper_arm", "*forearm", "*hand"],
            ),
            ("pluma_1_*", "ala_1_*", (0.2, 0.53, -0.1), "*wing"),
            ("pluma_2_*", "ala_2_*", (0.38, 0.54, -0.1), "*wing"),
            ("pluma_3_*", "ala_3_*", (0.6, 0.54, -0.02), "*wing"),
            ("pluma_4_*", "ala_3_*", (0.72, 0.55, 0.08), "*wing"),
        ],
        "izq",
        "der",
    )
    return Body(rows, "winged", up="+Z", forward="-Y", bone=1, tips=True)


def snake() -> Body:
    """Lies in curves; its root is in the middle, one chain goes to the head and one to the tail."""

    def at(along: float) -> Point:
        return (0.12 * float(np.sin(5 * along)), 0.03, along)

    front = [at(0.08 * step) for step in range(1, 11)]
    x, _, z = at(0.88)
    rows: list[Row] = [
        ("body", "", at(0), "hips|root|spine"),
        *chain([f"front_{n}" for n in range(10)], "body", front, ["spine"] * 6 + ["spine|neck"] * 4),
        ("skull", "front_9", (x, 0.06, z), "head"),
        ("mandible", "skull", (x, 0.045, z + 0.02), "jaw"),
        *chain(
            [f"back_{n}" for n in range(10)],
            "body",
            [at(-0.08 * step) for step in range(1, 11)],
            ["spine|tail"] * 5 + ["tail"] * 5,
        ),
    ]
    return Body(rows, "legless", up="+Z", forward="-Y", bone=1)


def carp() -> Body:
    """A fish; Japanese names in Latin letters."""
    rows: list[Row] = [
        ("koshi", "", (0, 0.3, 0), "hips|root|spine"),
        *chain(
            ["sebone_1", "sebone_2", "atama"],
            "koshi",
            [(0, 0.3, 0.1), (0, 0.305, 0.2), (0, 0.31, 0.3)],
            ["spine", "spine", "head"],
        ),
        ("ago", "atama", (0, 0.29, 0.34), "jaw"),
        *chain(
            ["o_1", "o_2", "obire"],
            "koshi",
            [(0, 0.3, -0.1), (0, 0.3, -0.2), (0, 0.3, -0.28)],
            ["tail|spine", "tail", "tail|fin"],
        ),
        ("sebire", "koshi", (0, 0.37, 0.02), "fin"),
        ("sebire_saki", "sebire", (0, 0.41, -0.02), f"fin|{OTHER}"),
    ]
    rows += both(
        [
            ("munabire_*", "sebone_2", (0.05, 0.27, 0.18), "*fin"),
            ("munabire_saki_*", "munabire_*", (0.12, 0.24, 0.12), f"*fin|{OTHER}"),
            ("harabire_*", "koshi", (0.03, 0.25, -0.02), "*fin"),
            ("me_*", "atama", (0.03, 0.32, 0.33), "*eye"),
        ],
        "hidari",
        "migi",
    )
    return Body(rows, "legless")


def tripod() -> Body:
    """A machine on three legs, one of them behind; German names."""
    rows: list[Row] = [
        ("Rumpf", "", (0, 1.2, 0), "hips|root|spine"),
        ("Turm", "Rumpf", (0, 1.45, 0), "spine|neck|head"),
        ("Kamera", "Turm", (0, 1.6, 0.15), f"head|{OTHER}"),
        *chain(
            ["Bein_hinten_Huefte", "Bein_hinten_Knie", "Bein_hinten_Fuss"],
            "Rumpf",
            [(0, 1.15, -0.3), (0, 0.75, -0.75), (0, 0.04, -0.9)],
            ["leg|thigh", "leg|shin", "leg|foot"],
        ),
    ]
    rows += both(
        chain(
            ["Bein_*_Huefte", "Bein_*_Knie", "Bein_*_Fuss"],
            "Rumpf",
            [(0.26, 1.15, 0.15), (0.65, 0.75, 0.38), (0.78, 0.04, 0.45)],
            ["*leg|*thigh", "*leg|*shin", "*leg|*foot"],
        ),
        "links",
        "rechts",
    )
    return Body(rows, "many-legged|unknown", tips=True)


def walker() -> Body:
    """A machine on two bird's legs whose feet hang on the root; Z up, inches."""
    rows: list[Row] = [
        ("mech_root", "", (0, 0, 0), "root"),
        ("mech_cog", "mech_root", (0, 2.6, 0), "hips"),
        ("mech_turret", "mech_cog", (0, 2.9, 0), "spine"),
        ("mech_cockpit", "mech_turret", (0, 3.3, 0.25), "head"),
        ("mech_antenna", "mech_cockpit", (0, 3.9, -0.1), OTHER),
    ]
    rows += both(
        [
            ("mech_thigh_*", "mech_cog", (0.6, 2.5, 0), "*thigh"),
            ("mech_shin_*", "mech_thigh_*", (0.7, 1.6, -0.6), "*shin"),
            ("mech_foot_*", "mech_root", (0.75, 0.3, 0.1), "*foot"),
            ("mech_toe_*", "mech_foot_*", (0.75, 0.08, 0.6), "*toe"),
            ("mech_spur_*", "mech_foot_*", (0.75, 0.08, -0.25), f"{OTHER}|*toes|*toe"),
            ("mech_gunmount_*", "mech_turret", (0.9, 3.1, 0), f"*shoulder|*upper_arm|{OTHER}"),
            ("mech_gun_*", "mech_gunmount_*", (1.15, 2.9, 0.1), f"*upper_arm|*forearm|{OTHER}"),
            ("mech_barrel_*", "mech_gun_*", (1.15, 2.9, 1.0), f"*forearm|*hand|{OTHER}"),
        ],
        "L",
        "R",
    )
    return Body(rows, "biped", up="+Z", forward="-Y", unit=39.37, bone=1, tips=True)


def octopus() -> Body:
    """Sits on eight arms; they have no front."""
    rows: list[Row] = [
        ("head_body", "", (0, 0.25, 0), "hips|root|spine|head"),
        ("mantle_a", "head_body", (0, 0.38, -0.05), "spine|head|tail"),
        ("mantle_b", "mantle_a", (0, 0.55, -0.12), "spine|head|tail"),
    ]
    pair: list[Row] = [("eye_*", "head_body", (0.08, 0.32, 0.08), "*eye")]
    for number, angle in enumerate(np.radians([22.5, 67.5, 112.5, 157.5]), start=1):
        out = [(0.1, 0.2), (0.22, 0.12), (0.36, 0.04), (0.5, 0.02), (0.64, 0.02), (0.78, 0.04)]
        points = [(float(r * np.sin(angle)), y, float(r * np.cos(angle))) for r, y in out]
        names = [f"arm{number}_*_{letter}" for letter in "abcdef"]
        pair += chain(names, "head_body", points, ["*leg|tail"] * 6)
    return Body(rows + both(pair, "l", "r"), "many-legged|legless|unknown", faceless=True)


def giraffe() -> Body:
    """French names; Y up, X ahead."""
    rows: list[Row] = [
        ("bassin", "", (0, 1.9, -0.6), "hips"),
        *chain(
            ["dos_1", "dos_2", "garrot", "cou_1", "cou_2", "cou_3", "cou_4", "tete"],
            "bassin",
            [
                (0, 2.0, -0.3),
                (0, 2.15, 0.05),
                (0, 2.35, 0.4),
                (0, 2.6, 0.65),
                (0, 3.1, 0.85),
                (0, 3.6, 1.05),
                (0, 4.1, 1.22),
                (0, 4.5, 1.35),
            ],
            ["spine"] * 3 + ["neck"] * 4 + ["head"],
        ),
        ("machoire", "tete", (0, 4.42, 1.45), "jaw"),
        *chain(
            ["queue_1", "queue_2", "queue_3"],
            "bassin",
            [(0, 1.9, -0.78), (0, 1.6, -0.86), (0, 1.25, -0.88)],
            ["tail"] * 3,
        ),
    ]
    rows += both(
        [
            *chain(
                ["patte_arriere_*_cuisse", "patte_arriere_*_jambe", "patte_arriere_*_jarret", "patte_arriere_*_sabot"],
                "bassin",
                [(0.18, 1.7, -0.6), (0.2, 1.35, -0.45), (0.2, 0.85, -0.72), (0.2, 0.15, -0.66)],
                ["*thigh", "*shin", "*foot", "*toe"],
            ),
            *chain(
                [
                    "patte_avant_*_epaule",
                    "patte_avant_*_bras",
                    "patte_avant_*_avant_bras",
                    "patte_avant_*_poignet",
                    "patte_avant_*_sabot",
                ],
                "garrot",
                [(0.12, 2.2, 0.45), (0.18, 1.85, 0.6), (0.18, 1.6, 0.42), (0.18, 0.85, 0.45), (0.18, 0.15, 0.45)],
                ["*shoulder", "*upper_arm", "*forearm", "*hand", "*hand|*finger|*toe|*toes"],
            ),
            ("oreille_*", "tete", (0.1, 4.58, 1.3), "*ear"),
        ],
        "gauche",
        "droite",
    )
    return Body(rows, "quadruped", forward="+X", bone=0)


def tailed_person() -> Body:
    """A person with a tail, named and built as by Biped: the thighs are below the first spine joint; Z up, cm."""
    rows: list[Row] = [
        ("Bip01", "", (0, 0.98, 0), "hips|root"),
        ("Bip01 Footsteps", "Bip01", (0, 0, 0), OTHER),
        ("Bip01 Pelvis", "Bip01", (0, 0.98, 0), "hips"),
        ("Bip01 Spine", "Bip01 Pelvis", (0, 1.08, -0.01), "spine"),
        ("Bip01 Spine1", "Bip01 Spine", (0, 1.22, -0.02), "spine"),
        ("Bip01 Spine2", "Bip01 Spine1", (0, 1.37, -0.01), "spine"),
        ("Bip01 Neck", "Bip01 Spine2", (0, 1.52, 0), "neck"),
        ("Bip01 Head", "Bip01 Neck", (0, 1.6, 0.02), "head"),
        *chain(
            ["Bip01 Tail", "Bip01 Tail1", "Bip01 Tail2", "Bip01 Tail3"],
            "Bip01 Pelvis",
            [(0, 0.95, -0.12), (0, 0.8, -0.25), (0, 0.65, -0.42), (0, 0.6, -0.65)],
            ["tail"] * 4,
        ),
    ]
    rows += both(
        [
            *chain(
                ["Bip01 * Thigh", "Bip01 * Calf", "Bip01 * Foot", "Bip01 * Toe0"],
                "Bip01 Spine",
                [(0.1, 0.97, 0), (0.11, 0.52, 0.01), (0.12, 0.09, -0.03), (0.13, 0.02, 0.11)],
                ["*thigh", "*shin", "*foot", "*toe"],
            ),
            *chain(
                ["Bip01 * Clavicle", "Bip01 * UpperArm", "Bip01 * Forearm", "Bip01 * Hand"],
                "Bip01 Neck",
                [(0.03, 1.47, 0), (0.18, 1.47, -0.01), (0.36, 1.26, -0.02), (0.52, 1.07, 0.02)],
                ["*shoulder", "*upper_arm", "*forearm", "*hand"],
            ),
            *chain(
                ["Bip01 * Finger0", "Bip01 * Finger01"],
                "Bip01 * Hand",
                [(0.53, 1.04, 0.06), (0.55, 1.0, 0.08)],
                ["*thumb"] * 2,
            ),
            *chain(
                ["Bip01 * Finger1", "Bip01 * Finger11"],
                "Bip01 * Hand",
                [(0.58, 0.98, 0.03), (0.61, 0.94, 0.035)],
                ["*finger|*index|*middle"] * 2,
            ),
        ],
        "L",
        "R",
    )
    return Body(rows, "biped", up="+Z", forward="-Y", unit=100.0, bone=0)


def one_armed() -> Body:
    """A person without a right arm, the left one hanging; Portuguese names."""
    rows: list[Row] = [
        ("quadril", "", (0, 0.95, 0), "hips"),
        *chain(
            ["coluna_1", "coluna_2", "torax", "pescoco", "cabeca"],
            "quadril",
            [(0, 1.05, 0), (0, 1.2, -0.01), (0, 1.34, -0.01), (0, 1.48, 0), (0, 1.57, 0.02)],
            ["spine", "spine", "spine", "neck", "head"],
        ),
        *chain(
            ["clavicula_E", "braco_E", "antebraco_E", "mao_E"],
            "torax",
            [(0.04, 1.42, 0), (0.17, 1.42, -0.01), (0.21, 1.14, -0.02), (0.23, 0.88, 0.03)],
            ["left_shoulder", "left_upper_arm", "left_forearm", "left_hand"],
        ),
        ("polegar_E", "mao_E", (0.21, 0.84, 0.07), "left_thumb"),
        ("dedos_E", "mao_E", (0.24, 0.79, 0.05), "left_finger|left_index|left_middle|left_ring|left_little"),
    ]
    rows += both(
        chain(
            ["coxa_*", "perna_*", "pe_*", "dedos_pe_*"],
            "quadril",
            [(0.09, 0.92, 0), (0.1, 0.5, 0.01), (0.1, 0.08, -0.03), (0.11, 0.02, 0.1)],
            ["*thigh", "*shin", "*foot", "*toe"],
        ),
        "E",
        "D",
    )
    return Body(rows, "biped", tips=True)


def scorpion() -> Body:
    """Eight legs, two claws and a tail raised over the back; Latin names, Z up."""
    rows: list[Row] = [
        ("prosoma", "", (0, 0.1, 0.1), "hips|root|spine|head"),
        ("mesosoma", "prosoma", (0, 0.11, -0.1), "spine|tail"),
        *chain(
            [f"cauda_{number}" for number in range(1, 7)],
            "mesosoma",
            [
                (0, 0.12, -0.32),
                (0, 0.2, -0.45),
                (0, 0.33, -0.5),
                (0, 0.45, -0.45),
                (0, 0.52, -0.33),
                (0, 0.5, -0.2),
            ],
            ["tail|spine"] + ["tail"] * 5,
        ),
    ]
    pair = chain(
        ["chela_*_1", "chela_*_2", "chela_*_3", "chela_*_4"],
        "prosoma",
        [(0.08, 0.1, 0.2), (0.2, 0.16, 0.3), (0.24, 0.14, 0.48), (0.16, 0.12, 0.6)],
        ["*upper_arm|*shoulder", "*upper_arm|*forearm", "*forearm|*hand", "*hand|*finger"],
    )
    pair.append(("pollex_*", "chela_*_3", (0.2, 0.12, 0.62), f"*thumb|*finger|*hand|{OTHER}"))
    for number, (at, slant) in enumerate(((0.15, 0.2), (0.07, 0.05), (0.0, -0.1), (-0.08, -0.25)), start=1):
        pair += chain(
            [f"pes_*_{number}_{letter}" for letter in "abc"],
            "prosoma",
            [(0.07, 0.09, at), (0.22, 0.18, at + 0.5 * slant), (0.38, 0.02, at + slant)],
            ["*leg", "*leg", f"*leg|{OTHER}"],
        )
    return Body(rows + both(pair, "sin", "dex"), "many-legged", up="+Z", forward="-Y", bone=1)


def gorilla() -> Body:
    """Stands on its knuckles."""
    rows: list[Row] = [
        ("GOR_hips", "", (0, 0.75, -0.35), "hips"),
        *chain(
            ["GOR_back_a", "GOR_back_b", "GOR_back_c", "GOR_neck", "GOR_skull"],
            "GOR_hips",
            [(0, 0.88, -0.22), (0, 1.03, -0.05), (0, 1.15, 0.12), (0, 1.25, 0.27), (0, 1.3, 0.36)],
            ["spine", "spine", "spine", "neck", "head"],
        ),
        ("GOR_chin", "GOR_skull", (0, 1.22, 0.42), "jaw"),
    ]
    rows += both(
        [
            *chain(
                ["GOR_*_femur", "GOR_*_tibia", "GOR_*_tarsus", "GOR_*_toes"],
                "GOR_hips",
                [(0.13, 0.7, -0.33), (0.2, 0.42, -0.15), (0.2, 0.09, -0.33), (0.21, 0.03, -0.17)],
                ["*thigh", "*shin", "*foot", "*toe|*toes"],
            ),
            *chain(
                ["GOR_*_scapula", "GOR_*_humerus", "GOR_*_ulna", "GOR_*_carpus", "GOR_*_knuckles"],
                "GOR_back_c",
                [(0.1, 1.18, 0.12), (0.24, 1.1, 0.16), (0.3, 0.68, 0.1), (0.28, 0.24, 0.24), (0.28, 0.06, 0.26)],
                ["*shoulder", "*upper_arm", "*forearm", "*hand", "*finger|*hand|*index|*middle|*ring"],
            ),
        ],
        "lt",
        "rt",
    )
    return Body(rows, "biped|quadruped", unit=100.0, bone=0)


def penguin() -> Body:
    """Upright, flippers at its sides; joints named by numbers as in Blender, Z up."""
    rows: list[Row] = [
        ("hips", "", (0, 0.25, -0.03), "hips"),
        *chain(
            ["s1", "s2", "neck", "head", "beak"],
            "hips",
            [(0, 0.4, 0), (0, 0.6, 0.02), (0, 0.76, 0.02), (0, 0.86, 0.03), (0, 0.87, 0.13)],
            ["spine", "spine", "neck", "head", f"{OTHER}|jaw"],
        ),
        ("t1", "hips", (0, 0.12, -0.14), "tail"),
        ("t2", "t1", (0, 0.05, -0.2), "tail"),
    ]
    rows += both(
        [
            *chain(
                ["*thigh", "*shin", "*foot", "*toe"],
                "hips",
                [(0.08, 0.24, 0), (0.1, 0.15, 0.03), (0.1, 0.05, -0.01), (0.11, 0.01, 0.06)],
                ["*thigh", "*shin", "*foot", "*toe"],
            ),
            *chain(
                ["*w1", "*w2", "*w3"],
                "s2",
                [(0.12, 0.66, 0.02), (0.19, 0.52, 0.01), (0.22, 0.38, 0)],
                ["*upper_arm|*wing|*fin", "*forearm|*wing|*fin", "*hand|*wing|*fin"],
            ),
        ],
        "l",
        "r",
    )
    named = numbered(rows, lambda number: f"Bone.{number:03}" if number else "Bone")
    return Body(named, "winged|biped", up="+Z", forward="-Y", bone=1)


def dragon() -> Body:
    """Four legs, two wings with three fingers that stretch their skin, a long neck and a long tail."""
    rows: list[Row] = [
        ("drg_root", "", (0, 0, 0), "root"),
        ("drg_pelvis", "drg_root", (0, 1.4, -0.8), "hips"),
        *chain(
            ["drg_spine1", "drg_spine2", "drg_chest", "drg_neck1", "drg_neck2", "drg_neck3", "drg_neck4", "drg_head"],
            "drg_pelvis",
            [
                (0, 1.45, -0.4),
                (0, 1.48, 0.0),
                (0, 1.5, 0.4),
                (0, 1.7, 0.75),
                (0, 2.0, 1.0),
                (0, 2.35, 1.15),
                (0, 2.65, 1.35),
                (0, 2.75, 1.65),
            ],
            ["spine"] * 3 + ["neck"] * 4 + ["head"],
        ),
        ("drg_jaw", "drg_head", (0, 2.65, 1.75), "jaw"),
        *chain(
            [f"drg_tail{number}" for number in range(1, 7)],
            "drg_pelvis",
            [
                (0, 1.35, -1.15),
                (0, 1.2, -1.5),
                (0, 1.0, -1.85),
                (0, 0.8, -2.2),
                (0, 0.6, -2.55),
                (0, 0.5, -2.9),
            ],
            ["tail"] * 6,
        ),
    ]
    rows += both(
        [
            *chain(
                ["drg_hindleg1_*", "drg_hindleg2_*", "drg_hindleg3_*", "drg_hindleg4_*"],
                "drg_pelvis",
                [(0.3, 1.3, -0.8), (0.38, 0.85, -0.55), (0.38, 0.4, -0.95), (0.38, 0.08, -0.8)],
                ["*thigh", "*shin", "*foot", "*toe"],
            ),
            *chain(
                ["drg_foreleg0_*", "drg_foreleg1_*", "drg_foreleg2_*", "drg_foreleg3_*"],
                "drg_chest",
                [(0.2, 1.4, 0.42), (0.3, 1.15, 0.5), (0.36, 0.7, 0.3), (0.36, 0.12, 0.5)],
                ["*shoulder", "*upper_arm", "*forearm", "*hand"],
            ),
            *chain(
                ["drg_wing1_*", "drg_wing2_*", "drg_wing3_*"],
                "drg_chest",
                [(0.2, 1.7, 0.3), (0.9, 2.2, 0.0), (1.7, 2.1, 0.4)],
                ["*wing|*upper_arm", "*wing|*forearm", "*wing|*hand"],
            ),
            *[
                row
                for number, at in enumerate(((2.7, 2.0, 0.3), (2.5, 1.9, -0.4), (2.0, 1.8, -0.8)))
                for row in chain(
                    [f"drg_wingfinger{number}a_*", f"drg_wingfinger{number}b_*"],
                    "drg_wing3_*",
                    [((1.7 + at[0]) / 2, (2.1 + at[1]) / 2, (0.4 + at[2]) / 2), at],
                    ["*wing|*finger"] * 2,
                )
            ],
        ],
        "L",
        "R",
    )
    return Body(rows, "quadruped|winged", bone=1)


def walking_person() -> Body:
    """A person in mid-stride, the arms swinging; named joint1, joint2, ... as in Maya; cm."""
    sided: dict[str, list[tuple[str, str, Point]]] = {
        "left": [
            ("thigh", "hips", (0.09, 0.92, 0.01)),
            ("shin", "thigh", (0.095, 0.52, 0.17)),
            ("foot", "shin", (0.1, 0.11, 0.28)),
            ("toe", "foot", (0.11, 0.08, 0.42)),
            ("shoulder", "chest", (0.03, 1.42, 0.01)),
            ("upper_arm", "shoulder", (0.17, 1.41, -0.02)),
            ("forearm", "upper_arm", (0.22, 1.15, -0.13)),
            ("hand", "forearm", (0.24, 0.9, -0.14)),
        ],
        "right": [
            ("thigh", "hips", (-0.09, 0.92, -0.01)),
            ("shin", "thigh", (-0.095, 0.5, 0.0)),
            ("foot", "shin", (-0.1, 0.14, -0.24)),
            ("toe", "foot", (-0.11, 0.03, -0.15)),
            ("shoulder", "chest", (-0.03, 1.42, 0.02)),
            ("upper_arm", "shoulder", (-0.17, 1.41, 0.03)),
            ("forearm", "upper_arm", (-0.22, 1.15, 0.1)),
            ("hand", "forearm", (-0.21, 0.95, 0.25)),
        ],
    }
    rows: list[Row] = [
        ("hips", "", (0, 0.95, 0), "hips"),
        ("spine", "hips", (0, 1.06, 0), "spine"),
        ("chest", "spine", (0, 1.28, 0.01), "spine"),
        ("neck", "chest", (0, 1.48, 0.02), "neck"),
        ("head", "neck", (0, 1.57, 0.05), "head"),
    ]
    for side, limbs in sided.items():
        middle = {"hips", "chest"}
        rows += [
            (f"{side}_{own}", above if above in middle else f"{side}_{above}", at, f"{side}_{own}")
            for own, above, at in limbs
        ]
    return Body(numbered(rows, lambda number: f"joint{number + 1}"), "biped", unit=100.0, bone=0)


def turtle() -> Body:
    """Low, with legs out to the sides; Italian names."""
    rows: list[Row] = [
        ("bacino", "", (0, 0.16, -0.2), "hips"),
        *chain(
            ["schiena_1", "schiena_2", "collo_1", "collo_2", "testa"],
            "bacino",
            [(0, 0.18, -0.05), (0, 0.17, 0.15), (0, 0.17, 0.3), (0, 0.2, 0.38), (0, 0.23, 0.45)],
            ["spine", "spine", "neck", "neck", "head"],
        ),
        ("guscio", "schiena_1", (0, 0.32, -0.03), OTHER),
        ("coda_1", "bacino", (0, 0.13, -0.34), "tail"),
        ("coda_2", "coda_1", (0, 0.08, -0.45), "tail"),
    ]
    rows += both(
        [
            *chain(
                ["coscia_*", "gamba_*", "piede_*", "dita_*"],
                "bacino",
                [(0.13, 0.14, -0.2), (0.27, 0.15, -0.24), (0.32, 0.04, -0.28), (0.36, 0.01, -0.26)],
                ["*thigh", "*shin", "*foot", "*toe|*toes"],
            ),
            *chain(
                ["spalla_*", "braccio_*", "avambraccio_*", "mano_*"],
                "schiena_2",
                [(0.06, 0.16, 0.18), (0.14, 0.14, 0.2), (0.29, 0.15, 0.26), (0.33, 0.03, 0.32)],
                ["*shoulder", "*upper_arm", "*forearm", "*hand"],
            ),
        ],
        "sx",
        "dx",
    )
    return Body(rows, "quadruped", tips=True)


def robot_dog() -> Body:
    """Four equal legs on a box, without head and tail; named as in descriptions of robots; Z up, X ahead."""
    rows: list[Row] = [("base", "", (0, 0.32, 0), "hips|root|spine")]
    for end, sign, roles in (
        ("F", 1, ["*upper_arm|*shoulder|*leg", "*upper_arm|*leg", "*forearm|*leg", "*hand|*leg"]),
        ("R", -1, ["*thigh|hips|*leg", "*thigh|*leg", "*shin|*leg", "*foot|*leg"]),
    ):
        rows += both(
            chain(
                [f"{end}*_hip", f"{end}*_thigh", f"{end}*_calf", f"{end}*_foot"],
                "base",
                [
                    (0.05, 0.32, 0.19 * sign),
                    (0.13, 0.32, 0.19 * sign),
                    (0.13, 0.17, 0.19 * sign - 0.13),
                    (0.13, 0.02, 0.19 * sign),
                ],
                roles,
            ),
            "L",
            "R",
        )
    return Body(rows, "quadruped", up="+Z", forward="+X")


def chibi() -> Body:
    """A cartoon figure with a head as large as the rest; names with a namespace, cm."""
    rows: list[Row] = [
        ("chibi:Master_CTL", "", (0, 0, 0), "root"),
        ("chibi:Hip_JNT", "chibi:Master_CTL", (0, 0.3, 0), "hips"),
        *chain(
            ["chibi:Belly_JNT", "chibi:Torso_JNT", "chibi:Collar_JNT", "chibi:Face_JNT"],
            "chibi:Hip_JNT",
            [(0, 0.36, 0), (0, 0.44, 0), (0, 0.55, 0), (0, 0.6, 0)],
            ["spine", "spine", "neck", "head"],
        ),
        ("chibi:Hat_JNT", "chibi:Face_JNT", (0, 1.05, 0), f"{OTHER}|hair"),
        ("chibi:HatTip_JNT", "chibi:Hat_JNT", (0, 1.2, -0.1), f"{OTHER}|hair"),
    ]
    rows += both(
        [
            *chain(
                ["chibi:*_UpLeg_JNT", "chibi:*_LoLeg_JNT", "chibi:*_Foot_JNT", "chibi:*_Ball_JNT"],
                "chibi:Hip_JNT",
                [(0.09, 0.27, 0), (0.1, 0.16, 0.01), (0.1, 0.05, -0.01), (0.1, 0.01, 0.06)],
                ["*thigh", "*shin", "*foot", "*toe"],
            ),
            *chain(
                ["chibi:*_UpArm_JNT", "chibi:*_LoArm_JNT", "chibi:*_Hand_JNT"],
                "chibi:Torso_JNT",
                [(0.11, 0.5, 0), (0.22, 0.49, -0.01), (0.33, 0.49, 0)],
                ["*upper_arm", "*forearm", "*hand"],
            ),
            ("chibi:*_Eye_JNT", "chibi:Face_JNT", (0.1, 0.78, 0.2), "*eye"),
            ("chibi:*_Ear_JNT", "chibi:Face_JNT", (0.25, 0.8, 0), "*ear"),
        ],
        "L",
        "R",
    )
    return Body(rows, "biped", unit=100.0)


def centipede() -> Body:
    """Twelve pairs of legs, one on each segment."""
    count = 12
    rows: list[Row] = chain(
        [f"seg{number}" for number in range(count)],
        "",
        [(0, 0.08, -0.1 * number) for number in range(count)],
        ["hips|root|spine|head"] + ["spine|tail"] * (count - 1),
    )
    rows += [("head", "seg0", (0, 0.09, 0.12), "head")]
    pair: list[Row] = [("antenna*", "head", (0.06, 0.14, 0.26), OTHER)]
    for number in range(count):
        pair += chain(
            [f"seg{number}_leg*_a", f"seg{number}_leg*_b"],
            f"seg{number}",
            [(0.05, 0.07, -0.1 * number), (0.12, 0.1, -0.1 * number - 0.01)],
            ["*leg"] * 2,
        )
        pair.append((f"seg{number}_leg*_c", f"seg{number}_leg*_b", (0.18, 0, -0.1 * number - 0.02), f"*leg|{OTHER}"))
    return Body(rows + both(pair, "L", "R"), "many-legged")


def skirted_person() -> Body:
    """A person with long hair and a skirt of six chains that hang like legs; no names, only numbers."""
    rows: list[Row] = [
        ("hips", "", (0, 0.95, 0), "hips"),
        *chain(
            ["s1", "s2", "s3", "neck", "head"],
            "hips",
            [(0, 1.04, 0), (0, 1.17, -0.01), (0, 1.3, -0.01), (0, 1.42, 0), (0, 1.5, 0.02)],
            ["spine", "spine", "spine", "neck", "head"],
        ),
        *chain(
            ["h1", "h2", "h3", "h4"],
            "head",
            [(0, 1.6, -0.09), (0, 1.48, -0.13), (0, 1.34, -0.14), (0, 1.2, -0.14)],
            ["hair"] * 4,
        ),
        *chain(
            ["front1", "front2", "front3"],
            "hips",
            [(0, 0.93, 0.12), (0, 0.72, 0.2), (0, 0.5, 0.26)],
            [OTHER] * 3,
        ),
        *chain(
            ["back1", "back2", "back3"],
            "hips",
            [(0, 0.93, -0.12), (0, 0.72, -0.22), (0, 0.5, -0.28)],
            [OTHER] * 3,
        ),
    ]
    rows += both(
        [
            *chain(
                ["skirt1*", "skirt2*", "skirt3*"],
                "hips",
                [(0.14, 0.93, 0.06), (0.22, 0.72, 0.12), (0.28, 0.5, 0.16)],
                [OTHER] * 3,
            ),
            *chain(
                ["skirt4*", "skirt5*", "skirt6*"],
                "hips",
                [(0.14, 0.93, -0.06), (0.22, 0.72, -0.12), (0.28, 0.5, -0.16)],
                [OTHER] * 3,
            ),
            *chain(
                ["*thigh", "*shin", "*foot", "*toe"],
                "hips",
                [(0.08, 0.9, 0), (0.085, 0.5, 0.01), (0.09, 0.08, -0.02), (0.1, 0.02, 0.1)],
                ["*thigh", "*shin", "*foot", "*toe"],
            ),
            *chain(
                ["*shoulder", "*upper", "*fore", "*hand"],
                "s3",
                [(0.03, 1.37, 0), (0.14, 1.37, 0), (0.38, 1.37, -0.01), (0.6, 1.37, 0)],
                ["*shoulder", "*upper_arm", "*forearm", "*hand"],
            ),
            ("*sleeve", "*fore", (0.5, 1.25, 0), OTHER),
            *chain(
                ["*lock1", "*lock2", "*lock3"],
                "head",
                [(0.08, 1.56, 0.05), (0.1, 1.42, 0.07), (0.1, 1.28, 0.08)],
                [f"hair|*hair|{OTHER}"] * 3,
            ),
        ],
        "l",
        "r",
    )
    return Body(numbered(rows, lambda number: f"{number:04}"), "biped", tips=True)


def seated_person() -> Body:
    """Sits on a chair, hands on the knees; Turkish names."""
    rows: list[Row] = [
        ("kalca", "", (0, 0.5, 0), "hips"),
        *chain(
            ["omurga_1", "omurga_2", "gogus", "boyun", "bas"],
            "kalca",
            [(0, 0.6, 0), (0, 0.74, -0.01), (0, 0.88, -0.01), (0, 1.02, 0), (0, 1.11, 0.02)],
            ["spine", "spine", "spine", "neck", "head"],
        ),
    ]
    rows += both(
        [
            *chain(
                ["uyluk_*", "baldir_*", "ayak_*", "parmak_*"],
                "kalca",
                [(0.09, 0.48, 0.03), (0.13, 0.5, 0.45), (0.13, 0.08, 0.46), (0.14, 0.02, 0.59)],
                ["*thigh", "*shin", "*foot", "*toe"],
            ),
            *chain(
                ["omuz_*", "ust_kol_*", "on_kol_*", "el_*"],
                "gogus",
                [(0.04, 0.96, 0), (0.17, 0.96, 0), (0.21, 0.69, 0.08), (0.16, 0.57, 0.3)],
                ["*shoulder", "*upper_arm", "*forearm", "*hand"],
            ),
        ],
        "sol",
        "sag",
    )
    return Body(rows, "biped", tips=True)


def mermaid() -> Body:
    """A person above, a fish below; X is up in her file."""
    rows: list[Row] = [
        ("pelvis", "", (0, 0.9, 0), "hips"),
        *chain(
            ["waist", "ribs", "throat", "cranium"],
            "pelvis",
            [(0, 1.02, 0), (0, 1.2, 0), (0, 1.4, 0), (0, 1.48, 0.02)],
            ["spine", "spine", "neck", "head"],
        ),
        *chain(
            ["fishtail1", "fishtail2", "fishtail3", "fishtail4"],
            "pelvis",
            [(0, 0.75, 0), (0, 0.52, 0), (0, 0.3, -0.03), (0, 0.12, -0.1)],
            ["tail"] * 4,
        ),
    ]
    rows += both(
        [
            ("fluke_*", "fishtail4", (0.1, 0.02, -0.2), "*fin|*tail|tail|fin"),
            *chain(
                ["collar_*", "arm_*", "elbow_*", "palm_*"],
                "ribs",
                [(0.03, 1.34, 0), (0.15, 1.34, 0), (0.32, 1.15, -0.02), (0.46, 0.98, 0.04)],
                ["*shoulder", "*upper_arm", "*forearm", "*hand"],
            ),
        ],
        "l",
        "r",
    )
    return Body(rows, "legless", up="+X", forward="+Y")


BODIES: tuple[Callable[[], Body], ...] = (
    satyr,
    centaur,
    ant,
    kangaroo,
    goose,
    snake,
    carp,
    tripod,
    walker,
    octopus,
    giraffe,
    tailed_person,
    one_armed,
    scorpion,
    gorilla,
    penguin,
    dragon,
    walking_person,
    turtle,
    robot_dog,
    chibi,
    centipede,
    skirted_person,
    seated_person,
    mermaid,
)


def generated() -> list[Rig]:
    """The generated rigs."""
    return [body().rig(body.__name__) for body in BODIES]
