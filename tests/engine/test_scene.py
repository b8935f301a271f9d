"""Worlds as files."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import numpy as np
import pytest

from kinema import rotations
from kinema.avatar import Expression
from kinema.engine import (
    Command,
    Eye,
    Figure,
    Lamp,
    Name,
    Playing,
    Recorder,
    SunLight,
    Tint,
    Transform,
    World,
    run_headless,
    scene,
)
from kinema.errors import FormatError, WorldError
from kinema.formats.atomic import WriteError


@dataclass
class Ammo:
    rounds: int
    spread: tuple[float, float] = (0.1, 0.2)


@pytest.fixture
def hall(arm, swing, rng):
    """One of everything, some of it moving."""
    world = World(seed=9, step=1 / 50)
    top = world.spawn(Transform(rng.standard_normal(3), rng.standard_normal(4), 1.5), Name("top"))
    world.spawn(Transform((1, 0, 0), parent=top), Figure(arm), Playing(swing, 0.3), Tint((1, 0, 0, 1)))
    world.spawn(Eye(0.8, height=2.0), Transform((0, 2, 5), rotations.from_yaw(np.float32(np.pi))), Recorder("out.mp4"))
    world.spawn(SunLight(), Name("sun")), world.spawn(Transform(), Lamp(), Ammo(7))
    gone = world.spawn(Name("gone"))
    below = world.spawn(Transform(), Command((0, 0, 1), None))
    world.reparent(top, below)  # a parent with a higher number
    world.enable(4, False)
    world.despawn(gone)
    world.random.random(3)
    run_headless(world, frames=5)
    return world


def test_a_whole_world_comes_back_bit_for_bit(hall, tmp_path):
    path = tmp_path / "hall.json"
    hall.save(path)
    back = World.load(path, [Ammo])
    assert back.digest() == hall.digest()
    assert (back.steps, back.step_seconds, back.seed, back.entities) == (5, 1 / 50, 9, hall.entities)
    assert back.get(5, Ammo) == Ammo(7) and not back.enabled(4) and back.spawn() == hall.next_entity
    for ours, theirs in zip(hall.poses.batches, back.poses.batches, strict=True):
        assert ours.shown.global_positions.tobytes() == theirs.shown.global_positions.tobytes()


def test_it_goes_on_as_if_it_had_never_stopped(hall, tmp_path):
    hall.save(tmp_path / "hall.json")
    back = World.load(tmp_path / "hall.json", [Ammo])
    for world in (hall, back):
        run_headless(world, frames=7)
    assert back.digest() == hall.digest() and back.random.random() == hall.random.random()


def test_saving_again_writes_the_same_files(hall, tmp_path):
    (tmp_path / "a").mkdir(), (tmp_path / "b").mkdir()
    hall.save(tmp_path / "a" / "hall.json")
    World.load(tmp_path / "a" / "hall.json", [Ammo]).save(tmp_path / "b" / "hall.json")
    files = [
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}
        for folder in (tmp_path / "a", tmp_path / "b")
    ]
    assert files[0] == files[1] and len(files[0]) == 3


def test_controlled_characters_look_the_same_and_begin_anew_where_they_are(crowd, steered, tmp_path):
    world, ids = crowd(2)
    for entity in ids:
        world.add(entity, Command((0, 0, 1.4)))
    run_headless(world, frames=60)
    world.save(tmp_path / "hall.json")
    back = World.load(tmp_path / "hall.json")
    assert back.digest() == world.digest()
    with pytest.raises(WorldError, match=r"world\.groups\.add\('crowd', controller\)"):
        back.step()
    back.groups.add("crowd", steered())
    back.step()
    moved = back.columns(Transform).positions - world.columns(Transform).positions
    assert np.abs(moved).max() < 0.05


def test_a_scene_that_cannot_be_saved_leaves_the_old_one(hall, tmp_path):
    path = tmp_path / "hall.json"
    hall.save(path)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    hall.add(5, Ammo(rounds={1, 2}))
    with pytest.raises(WorldError, match="Ammo of entity 5: a set cannot be saved"):
        hall.save(path)
    assert before == {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    with pytest.raises(WriteError, match="nowhere"):
        World().save(tmp_path / "nowhere" / "hall.json")


def test_bodies_that_differ_in_their_names_alone_stay_two(arm, tmp_path):
    world = World()
    for name in ("arm", "other", "other"):
        world.spawn(Transform(), Figure(replace(arm, name=name)))
    world.step()
    world.save(tmp_path / "hall.json")
    back = World.load(tmp_path / "hall.json")
    assert [back.get(entity, Figure).character.name for entity in back.entities] == ["arm", "other", "other"]
    assert back.digest() == world.digest()


@dataclass
class Bag:
    items: list  # of what?


def test_what_the_files_of_assets_do_not_hold_is_said(arm, tmp_path):
    world = World()
    world.spawn(Transform(), Figure(replace(arm, expressions=(Expression("happy"),))))
    assert world.save(tmp_path / "hall.json") == ("'arm': .glb has no place for expressions",)
    plain = World()
    plain.spawn(Transform(), Figure(arm))
    assert plain.save(tmp_path / "plain.json") == ()


def test_what_could_not_be_read_back_is_not_saved(hall, tmp_path):
    for wrong in (Ammo(rounds=1.5), Bag([1])):  # pyright: ignore[reportArgumentType]
        hall.add(4, wrong)
        with pytest.raises(WorldError, match=r"of entity 4: .*can be saved, but not read back"):
            hall.save(tmp_path / "hall.json")
        hall.remove(4, type(wrong))
    assert not (tmp_path / "hall.json").exists()


def test_scenes_cannot_share_a_folder_of_assets(hall, tmp_path):
    with pytest.raises(WorldError, match=r"hall\.scene: a scene must be a \.json file"):
        hall.save(tmp_path / "hall.scene")


def test_two_types_of_one_name_are_refused(hall, tmp_path):
    other = dataclass(type("Ammo", (), {}))
    hall.add(4, other())
    with pytest.raises(WorldError, match="two types of components are named Ammo"):
        hall.save(tmp_path / "hall.json")


def test_components_nobody_named_are_never_made(hall, tmp_path):
    hall.save(tmp_path / "hall.json")
    with pytest.raises(FormatError, match=r"entities\[4\]: unknown component 'Ammo'; known are Command, .*World\.load"):
        World.load(tmp_path / "hall.json")


def put(document, *path_and_value):
    *path, last, value = path_and_value
    for key in path:
        document = document[key]
    if value is None:
        del document[last]
    else:
        document[last] = value


WRONG = {
    "no format": ("format", None, "is not a scene"),
    "version": ("version", 99, "of version 99"),
    "no step": ("step", None, "seed, step or random"),
    "step": ("step", -1, "seed, step or random"),
    "step text": ("step", "a", "seed, step or random"),
    "seed": ("seed", -1, "seed: expected an integer"),
    "steps": ("steps", 1.5, "steps: expected an integer"),
    "random": ("random", "state", "state", "a", "seed, step or random"),
    "random large": ("random", "state", "state", -1, "seed, step or random"),
    "random kind": ("random", "bit_generator", "MT19937", "seed, step or random"),
    "no random": ("random", None, "seed, step or random"),
    "assets": ("assets", [], "assets"),
    "asset lost": ("assets", "0" * 32 + ".glb", "a", r"0{32}\.glb"),
    "entities": ("entities", {}, "entities: expected a list"),
    "next": ("next", 2, "already used"),
    "next huge": ("next", 2**63, "next: expected an integer"),
    "entity": ("entities", 0, 3, r"entities\[0\]: expected an entity"),
    "id": ("entities", 0, "id", "1", r"entities\[0\]: expected an entity"),
    "id twice": ("entities", 1, "id", 1, r"entities\[1\]: the number 1 of an entity is already used"),
    "id zero": ("entities", 0, "id", 0, r"entities\[0\]: the number 0 of an entity is already used"),
    "id huge": ("entities", 5, "id", 2**31, r"entities\[5\]: the number of an entity must be below"),
    "enabled": ("entities", 0, "enabled", 1, r"entities\[0\]: enabled"),
    "component": ("entities", 0, "components", [], r"entities\[0\]: expected an entity"),
    "unknown": ("entities", 0, "components", "os.system", {}, r"entities\[0\]: unknown component 'os.system'"),
    "field": ("entities", 0, "components", "Name", "run", 1, r"entities\[0\]: Name: has no field 'run'"),
    "position": ("entities", 0, "components", "Transform", "position", [0, 0], r"entities\[0\]: the position"),
    "rotation": ("entities", 0, "components", "Transform", "rotation", [0, 0, 0, 0], r"entities\[0\]: a rotation"),
    "scale": ("entities", 0, "components", "Transform", "scale", 0, r"entities\[0\]: a scale"),
    "parent": ("entities", 0, "components", "Transform", "parent", 77, r"entities: entity 1 cannot be a child of 77"),
    "cycle": ("entities", 5, "components", "Transform", "parent", 2, r"entities: entity \d cannot be a child of"),
    "self": ("entities", 0, "components", "Transform", "parent", 1, "would form a cycle"),
    "figure": ("entities", 1, "components", "Figure", "character", {"asset": "x"}, r"entities\[1\]: Figure: character"),
    "pose": ("entities", 1, "pose", [], r"entities\[1\]\.pose: expected an object"),
    "pose shape": ("entities", 1, "pose", "rotations", "shape", [1, 8], r"pose: rotations: expected \[2, 4\]"),
    "pose kind": ("entities", 1, "pose", "positions", 3, r"entities\[1\]\.pose: expected an array"),
}


@pytest.mark.parametrize("case", WRONG)
def test_hostile_scenes_are_refused_in_one_line(case, hall, tmp_path):
    path = tmp_path / "hall.json"
    hall.save(path)
    document = json.loads(path.read_text())
    *place, said = WRONG[case]
    put(document, *place)
    path.write_text(json.dumps(document))
    with pytest.raises(FormatError, match=said) as caught:
        World.load(path, [Ammo])
    assert "\n" not in str(caught.value) and "hall" in str(caught.value)


LONG = '{"format": 1' + "0" * 5000 + "}"


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, '{"format": NaN}', "\xff", LONG])
def test_what_is_no_scene_is_refused(text, tmp_path):
    path = tmp_path / "hall.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(FormatError, match="is not a scene"):
        World.load(path)
    with pytest.raises(FormatError, match="lost"):
        World.load(tmp_path / "lost.json")


def test_damage_anywhere_is_either_harmless_or_told(hall, tmp_path, rng):
    path = tmp_path / "hall.json"
    hall.save(path)
    data = path.read_bytes()
    for _ in range(60):
        broken = bytearray(data)
        for _ in range(int(rng.integers(1, 4))):
            broken[rng.integers(len(broken))] = rng.integers(32, 127)
        path.write_bytes(broken[: rng.integers(1, len(broken))] if rng.random() < 0.2 else broken)
        try:
            World.load(path, [Ammo]).step()
        except (FormatError, WorldError):
            continue


def test_disabled_and_empty_worlds(tmp_path):
    World(seed=2).save(tmp_path / "empty.json")
    back = scene.load(tmp_path / "empty.json", strict=True)
    assert back.entities == () and back.strict and back.digest() == World(seed=2).digest()
    assert not (tmp_path / "empty.assets").exists()
