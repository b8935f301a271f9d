"""Clip players."""

from __future__ import annotations

import dataclasses
import gc
import weakref

import numpy as np
import pytest

from kinema import rotations
from kinema.avatar import Expression, MorphBind
from kinema.character import Morph
from kinema.engine import Figure, Playing, Transform, World
from kinema.engine.players import ClipBank
from kinema.errors import WorldError

LEFT = rotations.from_yaw(np.float32(np.pi / 2))


def playing(figure, *players, step=0.1):
    world = World(step=step)
    ids = [world.spawn(Transform(), Figure(figure), player) for player in players]
    return world, ids


def angle(world, entity):
    batch, row = world.poses.find(entity)
    return float(rotations.yaw(batch.pose.model_rotations[row, 1]))


def test_clips_are_played_in_their_own_time(arm, swing):
    world, ids = playing(arm, Playing(swing), Playing(swing, 1.0), Playing(swing, 1.0, -2.0), Playing(swing, 0.5, 0.0))
    for _ in range(3):
        world.step()
    assert [angle(world, entity) for entity in ids] == pytest.approx([0.3, 1.3, 0.4, 0.5], abs=1e-3)
    heights = world.poses.batches[0].shown.global_positions[:, 0, 1]
    np.testing.assert_allclose(heights, [1.3, 2.3, 1.4, 1.5], atol=1e-3)
    assert world.get(ids[0], Playing).time == pytest.approx(0.3)


def test_each_player_shows_what_sampling_its_clip_shows(arm, swing, rng):
    other = swing.replace(local_rotations=swing.local_rotations[::-1].copy(), name="back", fps=25.0)
    players = [Playing((swing, other)[k % 2], float(time)) for k, time in enumerate(rng.uniform(0, 1.8, 7))]
    world, _ = playing(arm, *players)
    world.step()
    batch = world.poses.batches[0]
    for row, player in enumerate(players):
        pose = player.motion.sample([player.time], "cubic")[:]
        turned, placed = pose.global_rotations, pose.global_positions
        np.testing.assert_allclose(np.abs((batch.pose.model_rotations[row] * turned[0]).sum(-1)), 1, atol=1e-5)
        np.testing.assert_allclose(batch.pose.model_positions[row], placed[0], atol=1e-5)


def test_they_play_where_the_entity_is(arm, swing):
    world = World(step=0.5)
    entity = world.spawn(Transform((0, 0, 7), LEFT), Figure(arm), Playing(swing))
    world.step()
    pose = world.poses.of(entity)
    np.testing.assert_allclose(pose.global_positions, [[0, 1.5, 7], [0, 1.5, 6.5]], atol=1e-5)
    assert rotations.yaw(pose.global_rotations)[1] == pytest.approx(np.pi / 2 + 0.5, abs=1e-3)


def test_ends(arm, swing):
    world, (held, again, back) = playing(
        arm, Playing(swing, 1.95, loop=False), Playing(swing, 1.95), Playing(swing, 0.05, -1.0)
    )
    batch = None
    for _ in range(2):
        world.step()
        batch = batch or world.poses.batches[0]
        if world.steps == 1:  # the loops began again: nothing lies between the end and the start
            moved = batch.shown.global_positions[:, 0, 1] - batch.previous.global_positions[:, 0, 1]
            np.testing.assert_allclose(moved, 0, atol=1e-6)
    assert world.get(held, Playing).time == 2.0
    assert world.get(again, Playing).time == pytest.approx(0.15)
    assert world.get(back, Playing).time == pytest.approx(1.85)


def test_a_single_frame_is_held(arm, swing):
    world, (entity,) = playing(arm, Playing(swing.cut(30, 31)))
    for _ in range(3):
        world.step()
    assert angle(world, entity) == pytest.approx(1.0, abs=1e-4)


def test_clips_of_other_bodies_are_refused(arm, swing, person):
    cases = ((person, swing, "does not have the joints of 'person'"), (arm, swing.cut(0, 0), "has no frames"))
    for figure, motion, said in cases:
        world, _ = playing(figure, Playing(motion))
        with pytest.raises(WorldError, match=said):
            world.step()


@pytest.mark.parametrize("player", [{"time": np.nan}, {"speed": np.inf}, {"speed": np.nan, "loop": False}])
def test_times_that_are_none_are_refused(arm, swing, player):
    world, ids = playing(arm, Playing(swing), Playing(swing, **player))
    with pytest.raises(WorldError, match=f"clip player of entity {ids[1]} has a time"):
        world.step()


def test_a_bank_keeps_what_is_played(swing):
    bank, other = ClipBank(), swing.replace(name="other")
    assert bank.starts([swing, swing, other]).tolist() == [0, 0, 61]
    kept = bank.rotations
    assert bank.starts([other]).tolist() == [61] and bank.rotations is kept
    third = dataclasses.replace(swing.cut(0, 10), name="third")
    assert bank.starts([other, third]).tolist() == [0, 61] and len(bank.rotations) == 71


def test_clips_of_characters_that_are_gone_are_let_go(arm, swing):
    world, (entity,) = playing(arm, Playing(swing))
    clip = swing.replace(name="its own")
    world.add(entity, Playing(clip))
    world.step()
    held = weakref.ref(clip)
    del clip
    world.despawn(entity)
    world.step()
    gc.collect()
    assert held() is None


def faced(arm):
    """The arm with two morph targets, one at rest, and an expression that moves the first."""
    mesh = arm.meshes[0]
    shape = np.ones_like(mesh.positions)
    morphs = (Morph("smile", shape), Morph("frown", 2 * shape, weight=0.25))
    face = Expression("happy", morphs=(MorphBind(0, 0, 0.5),))
    return dataclasses.replace(arm, meshes=(dataclasses.replace(mesh, morphs=morphs),), expressions=(face,))


def test_faces_follow_the_labels_of_clips(arm, swing):
    figure = faced(arm)
    ramp = np.linspace(0, 2, swing.frames, dtype=np.float32)
    smiling = swing.replace(labels={"morph.smile": np.minimum(ramp, 1.0)})
    happy = swing.replace(labels={"expression.happy": np.ones(swing.frames, np.float32)}, name="happy")
    world, ids = playing(figure, Playing(smiling), Playing(happy), Playing(swing), step=0.25)
    world.step()
    world.step()
    batch = world.poses.batches[0]
    np.testing.assert_allclose(batch.shown.morph_weights, [[0.5, 0.25], [0.5, 0.25], [0.0, 0.25]], atol=1e-5)
    np.testing.assert_allclose(batch.previous.morph_weights[0], [0.25, 0.25], atol=1e-5)
    kept = batch.shown.morph_weights
    world.despawn(ids[0])
    world.step()
    np.testing.assert_allclose(world.poses.batches[0].shown.morph_weights, [[0.5, 0.25], [0.0, 0.25]], atol=1e-5)
    np.testing.assert_allclose(kept[0], [0.5, 0.25], atol=1e-5)  # what was handed out does not change
    for entity in ids[1:]:
        world.remove(entity, Playing)
    world.step()
    np.testing.assert_allclose(world.poses.batches[0].shown.morph_weights[0], [0.5, 0.25], atol=1e-5)  # as the body
    for entity in ids[1:]:
        world.add(entity, Playing(swing.replace(name="still")))
    world.step()
    batch = world.poses.batches[0]
    np.testing.assert_allclose(batch.between(0.5).morph_weights[0], [0.25, 0.25], atol=1e-5)
    assert batch.shown.morph_weights is None, "no clip moves a face"
    world.step()
    assert world.poses.batches[0].between(0.5).morph_weights is None


def test_a_clip_that_starts_again_does_not_blend_its_face(arm, swing):
    figure = faced(arm)
    ramp = np.linspace(0, 1, swing.frames, dtype=np.float32)
    world, _ = playing(figure, Playing(swing.replace(labels={"morph.smile": ramp}), 1.9), step=0.2)
    world.step()
    batch = world.poses.batches[0]
    np.testing.assert_array_equal(batch.previous.morph_weights, batch.shown.morph_weights)


def test_clips_without_faces_cost_nothing(arm, swing):
    world, _ = playing(faced(arm), Playing(swing))
    world.step()
    assert world.poses.batches[0].shown.morph_weights is None
