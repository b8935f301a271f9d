"""People of the data folder, changed as riggers change them: other names, other roots, feet of inverse kinematics.

The labels are those of `truth/*.json`, which were made without the recogniser, and those of the joints that are added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kinema import load

from .truth_measure import truths
from .unseen_rigs import OTHER, Body, Point, Rig, Row

SIDES = {"left": "left_", "right": "right_"}
Change = Callable[[list[Row]], list[Row]]


@dataclass(frozen=True)
class Person:
    """A person of the data folder and what becomes of it.

    Attributes:
        truth: name of its labels.
        changes: in order.
        up, forward, unit: of the new file.
        bone, tips: as in `Body`.
    """

    truth: str
    changes: Sequence[Change]
    up: str = "+Y"
    forward: str = "+Z"
    unit: float = 1.0
    bone: int = -1
    tips: bool = False


def changed(data: Path) -> list[Rig]:
    """The changed people."""
    return [made(name, person, data) for name, person in PEOPLE.items()]


def made(name: str, person: Person, data: Path) -> Rig:
    """One changed person."""
    rows = person_of(person.truth, data)
    for change in person.changes:
        rows = change(rows)
    body = Body(rows, "biped", person.up, person.forward, person.unit, person.bone, person.tips)
    return body.rig(name, "changed")


def person_of(name: str, data: Path) -> list[Row]:
    """The joints of a person at rest, the lowest one on the floor and the hips above the origin."""
    (truth,) = [one for one in truths() if one.name == name]
    skeleton = load(data / truth.file).skeleton
    assert skeleton is not None
    places = skeleton.rest_pose.global_positions.astype(float)
    (hips, *_) = [joint for joint, own in enumerate(skeleton.names) if truth.parts[own] == {"hips"}]
    places -= [places[hips, 0], places[:, 1].min(), places[hips, 2]]
    rows: list[Row] = []
    for joint, own in enumerate(skeleton.names):
        x, y, z = places[joint].tolist()
        above = int(skeleton.parents[joint])
        roles = "|".join(sorted(truth.parts[own]))
        rows.append((own, skeleton.names[above] if above >= 0 else "", (x, y, z), roles))
    return rows


def is_a(row: Row, part: str) -> bool:
    """Whether a joint is that part and nothing else, on any side."""
    return row[3] in (part, f"left_{part}", f"right_{part}")


def side_of(row: Row) -> str:
    """ "left_", "right_" or nothing."""
    return next((word for word in SIDES.values() if row[3].startswith(word)), "")


def ordered(rows: list[Row]) -> list[Row]:
    """Parents first."""
    found: list[Row] = []
    known = {""}
    while len(found) < len(rows):
        ready = [row for row in rows if row[1] in known and row[0] not in known]
        found += ready
        known |= {row[0] for row in ready}
    return found


def floor_root(rows: list[Row]) -> list[Row]:
    """A new root on the floor above all others."""
    return [("Origin", "", (0.0, 0.0, 0.0), "root"), *((n, above or "Origin", at, role) for n, above, at, role in rows)]


def hung_on_root(*parts: str) -> Change:
    """These parts become children of the root."""

    def change(rows: list[Row]) -> list[Row]:
        root = rows[0][0]
        return [(r[0], root, r[2], r[3]) if any(is_a(r, part) for part in parts) else r for r in rows]

    return change


def rooted_at_chest(rows: list[Row]) -> list[Row]:
    """The joint that carries the shoulders becomes the root; the hips are below the spine."""
    own = {row[0]: row for row in rows}
    chest = next(row[1] for row in rows if is_a(row, "shoulder"))
    above, joint = {chest: ""}, chest
    while own[joint][1]:
        above[own[joint][1]], joint = joint, own[joint][1]
    return ordered([(name, above.get(name, parent), at, role) for name, parent, at, role in rows])


def twisted(*parts: str) -> Change:
    """A twist joint half-way along each of these parts."""

    def change(rows: list[Row]) -> list[Row]:
        new: list[Row] = []
        after = {"thigh": "shin", "shin": "foot", "upper_arm": "forearm", "forearm": "hand"}
        for row in rows:
            for part in parts:
                if is_a(row, part):
                    end = next(o for o in rows if o[3] == side_of(row) + after[part])
                    new.append((f"{row[0]}_roll", row[0], between(row[2], end[2]), "twist"))
        return rows + new

    return change


def between(one: Point, other: Point) -> Point:
    x, y, z = ((a + b) / 2 for a, b in zip(one, other, strict=True))
    return x, y, z


def targets(rows: list[Row]) -> list[Row]:
    """Targets of inverse kinematics on the root: of the feet, the hands, the knees and the elbows."""
    new: list[Row] = []
    for row in rows:
        for part, ahead in (("foot", 0.0), ("hand", 0.0), ("shin", 0.5), ("forearm", -0.5)):
            if is_a(row, part):
                x, y, z = row[2]
                kind = "pole" if ahead else "goal"
                new.append((f"{kind}_{row[0]}", rows[0][0], (x, y, z + ahead), OTHER))
    return rows + new


def armed(rows: list[Row]) -> list[Row]:
    """A sword in the right hand and a pack on the back."""
    hand = next(row for row in rows if row[3] == "right_hand")
    back = next(row[1] for row in rows if is_a(row, "shoulder"))
    x, y, z = hand[2]
    bx, by, bz = next(row[2] for row in rows if row[0] == back)
    return [
        *rows,
        ("sword", hand[0], (x, y, z + 0.06), "prop"),
        ("sword_end", "sword", (x, y, z + 0.9), "prop"),
        ("pack", back, (bx, by, bz - 0.2), "prop"),
        ("pack_lid", "pack", (bx, by + 0.25, bz - 0.22), "prop"),
    ]


def cloaked(rows: list[Row]) -> list[Row]:
    """Three chains of a cloak down the back."""
    back = next(row[1] for row in rows if is_a(row, "shoulder"))
    _, y, _ = next(row[2] for row in rows if row[0] == back)
    new: list[Row] = []
    for name, x in (("a", 0.2), ("b", 0.0), ("c", -0.2)):
        above = back
        for number in range(5):
            at = (x * (1 + 0.1 * number), y - 0.24 * number, -0.15 - 0.03 * number)
            new.append((f"cloak_{name}{number}", above, at, OTHER))
            above = new[-1][0]
    return rows + new


def renamed(words: dict[str, str], pattern: str = "{part}_{side}{number}") -> Change:
    """Names made of words for the parts and the sides, and of a number where several joints are one part.

    Args:
        words: for parts and for "left" and "right"; parts without a word keep their name in English.
        pattern: of a name.
    """

    def change(rows: list[Row]) -> list[Row]:
        new, used = {"": ""}, Counter[str]()
        for row in rows:
            side = side_of(row)
            part = row[3].split("|")[0].removeprefix(side) or "extra"
            mark = words.get(side.rstrip("_"), "")
            base = pattern.format(part=words.get(part, part), side=mark, number="")
            used[base] += 1
            number = used[base] if used[base] > 1 else ""
            new[row[0]] = pattern.format(part=words.get(part, part), side=mark, number=number).strip("_.")
        return [(new[name], new[above], at, role) for name, above, at, role in rows]

    return change


def counted(pattern: str) -> Change:
    """Names that are numbers."""

    def change(rows: list[Row]) -> list[Row]:
        new = {"": ""} | {row[0]: pattern.format(number) for number, row in enumerate(rows)}
        return [(new[name], new[above], at, role) for name, above, at, role in rows]

    return change


GERMAN = {
    "left": "links",
    "right": "rechts",
    "root": "Ursprung",
    "hips": "Becken",
    "spine": "Wirbel",
    "neck": "Hals",
    "head": "Kopf",
    "shoulder": "Schluesselbein",
    "upper_arm": "Oberarm",
    "forearm": "Unterarm",
    "hand": "Hand",
    "thumb": "Daumen",
    "thigh": "Oberschenkel",
    "shin": "Unterschenkel",
    "foot": "Fuss",
    "toe": "Zehen",
    "helper": "Hilfe",
}
ROMAJI = {
    "left": "hidari",
    "right": "migi",
    "root": "zenoya",
    "hips": "koshi",
    "spine": "sebone",
    "neck": "kubi",
    "head": "atama",
    "shoulder": "kata",
    "upper_arm": "ude",
    "forearm": "hiji",
    "hand": "tekubi",
    "thumb": "oyayubi",
    "index": "hitosashi",
    "middle": "nakayubi",
    "ring": "kusuri",
    "little": "koyubi",
    "thigh": "momo",
    "shin": "hiza",
    "foot": "ashikubi",
    "toe": "tsumasaki",
    "twist": "nejire",
    "helper": "saki",
}
SPANISH = {
    "left": "izq",
    "right": "der",
    "root": "raiz",
    "hips": "cadera",
    "spine": "columna",
    "neck": "cuello",
    "head": "cabeza",
    "shoulder": "clavicula",
    "upper_arm": "brazo",
    "forearm": "antebrazo",
    "hand": "mano",
    "thumb": "pulgar",
    "index": "indice",
    "middle": "medio",
    "ring": "anular",
    "little": "menique",
    "thigh": "muslo",
    "shin": "pantorrilla",
    "foot": "pie",
    "toe": "punta",
    "twist": "giro",
    "helper": "final",
}
FINNISH = {
    "left": "vasen",
    "right": "oikea",
    "root": "juuri",
    "hips": "lantio",
    "spine": "selka",
    "neck": "kaula",
    "head": "paa",
    "shoulder": "solisluu",
    "upper_arm": "olkavarsi",
    "forearm": "kyynarvarsi",
    "hand": "kasi",
    "thigh": "reisi",
    "shin": "saari",
    "foot": "jalkatera",
    "toe": "varpaat",
}
POLISH = {
    "left": "L",
    "right": "P",
    "root": "korzen",
    "hips": "miednica",
    "spine": "kregoslup",
    "neck": "szyja",
    "head": "glowa",
    "shoulder": "obojczyk",
    "upper_arm": "ramie",
    "forearm": "przedramie",
    "hand": "dlon",
    "thumb": "kciuk",
    "thigh": "udo",
    "shin": "lydka",
    "foot": "stopa",
    "twist": "skret",
    "helper": "plaszcz",
}
PEOPLE = {
    "german_legs_beside_hips": Person(
        "cmu21_dance_bvh", [floor_root, hung_on_root("thigh"), renamed(GERMAN)], tips=True
    ),
    "romaji_feet_on_root": Person(
        "mesh2motion_tests_mixamo_original_rig_fbx",
        [floor_root, hung_on_root("foot"), twisted("thigh", "upper_arm", "forearm"), renamed(ROMAJI)],
        up="+Z",
        forward="-Y",
        unit=100.0,
        bone=1,
    ),
    "numbers_with_targets": Person(
        "geno_nc_geno_fbx", [floor_root, targets, armed, counted("b{:03}")], up="+Z", forward="-Y", bone=0
    ),
    "finnish_feet_on_root": Person(
        "mannequin_manny_med_mod_gltf",
        [floor_root, hung_on_root("foot", "thigh"), renamed(FINNISH)],
        forward="+X",
    ),
    "spanish_feet_on_root": Person(
        "mesh2motion_rig_human_glb",
        [floor_root, hung_on_root("foot"), twisted("shin"), renamed(SPANISH, "{side}.{part}{number}")],
        up="+Z",
        forward="+X",
        unit=39.37,
        bone=1,
    ),
    "chest_is_root": Person("misc_bvh_boxing_toes_bvh", [rooted_at_chest, counted("n{}")], tips=True),
    "polish_cloak": Person(
        "quaternius_modular_men_casual_glb",
        [floor_root, cloaked, twisted("upper_arm", "forearm", "thigh", "shin"), renamed(POLISH)],
        bone=1,
    ),
    "inches_with_targets": Person(
        "cmu_fbx_01_01_cmu_fbx",
        [floor_root, hung_on_root("foot"), targets, armed, counted("jnt_{}")],
        unit=39.37,
        bone=0,
    ),
}
