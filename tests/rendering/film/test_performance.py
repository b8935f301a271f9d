"""What is known of a shot before it is filmed."""

from __future__ import annotations

import numpy as np
import pytest

from kinema import Character, Motion, Skeleton, rotations
from kinema.character import Mesh, Morph
from kinema.errors import SkeletonError
from kinema.rendering import bodies
from kinema.rendering.film.performance import Performance, Shot


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch, puppet) -> None:
    """Bodies that take no time to make."""
    monkeypatch.setattr(bodies, "build_mannequin", lambda skeleton, motion=None: puppet(skeleton))


def walk(skeleton: Skeleton, frames: int = 90, speed: float = 1.2, lift: float = 0.0, turn: float = 0.0) -> Motion:
    """Slides ahead with its arms swinging, `lift` metres above the origin's floor, facing `turn`."""
    turned = np.tile(skeleton.rest_rotations, (frames, 1, 1)).astype(np.float32)
    turned[:, 0] = rotations.from_yaw(np.full(frames, turn, np.float32))
    moved = np.tile(skeleton.rest_translations, (frames, 1, 1)).astype(np.float32)
    time = np.arange(frames) / 30
    moved[:, 0] += np.stack([np.sin(turn) * speed * time, lift + 0 * time, np.cos(turn) * speed * time], axis=-1)
    return Motion.create(skeleton, turned, moved, fps=30, name="walk")


def performed(skeleton: Skeleton, motion: Motion | None, **changes) -> Performance:
    return Performance(Shot("walk", skeleton, motion, **changes))


def test_it_has_a_body_a_size_and_a_length(biped: Skeleton):
    made = performed(biped, walk(biped))
    assert made.character.meshes and 1.5 < made.size < 2.1
    assert made.seconds == pytest.approx(3.0)
    assert performed(biped, None).seconds == 0.0
    assert performed(biped, walk(biped, 1)).seconds == 0.0


@pytest.mark.parametrize("lift", [-0.4, 0.0, 2.5])
def test_the_floor_is_under_the_feet_wherever_the_file_has_them(biped: Skeleton, lift: float):
    made = performed(biped, walk(biped, lift=lift))
    assert made.floor == pytest.approx(float(made.surface[..., 1].min()), abs=0.01)
    assert made.floor == pytest.approx(performed(biped, walk(biped)).floor + lift, abs=0.01)


def test_one_frame_below_the_floor_does_not_lower_it(biped: Skeleton):
    motion = walk(biped, 120)
    motion.local_translations[60, 0, 1] -= 1.0
    assert performed(biped, motion).floor == pytest.approx(performed(biped, walk(biped, 120)).floor, abs=0.02)


def test_a_tail_in_the_ground_does_not_lower_the_floor(biped: Skeleton):
    low = biped.rest_pose.global_positions[0, 1] + 0.5
    tailed = Skeleton.create(
        [*biped.names, "Tail", "Tip"],
        [*biped.parents.tolist(), 0, biped.joint_count],
        np.concatenate([biped.rest_translations, np.float32([[0, -low, -0.2], [0, -0.1, -0.1]])]),
        np.concatenate([biped.rest_rotations, np.tile(np.float32([1, 0, 0, 0]), (2, 1))]),
    )
    assert tailed.roles.legs
    without = performed(biped, walk(biped)).floor
    assert performed(tailed, walk(tailed)).floor == pytest.approx(without, abs=0.02)


@pytest.mark.parametrize("turn", [0.0, 1.5, -2.0, 3.1])
def test_it_knows_where_it_faces_and_goes(biped: Skeleton, turn: float):
    made = performed(biped, walk(biped, turn=turn))
    assert abs(np.angle(np.exp(1j * (made.heading - turn)))) < 0.02
    way = made.middles[-1] - made.middles[0]
    np.testing.assert_allclose(way[[0, 2]], 3.6 * np.array([np.sin(turn), np.cos(turn)]), atol=0.1)
    places, facings = made.path(np.array([0.0, 1.0]))
    np.testing.assert_allclose(places[:, 1], made.floor)
    np.testing.assert_allclose(facings[0], [np.sin(turn), 0, np.cos(turn)], atol=0.02)


def test_poses_at_times(biped: Skeleton):
    motion = walk(biped)
    pose = performed(biped, motion).poses(np.array([0.0, 1.0, 99.0]))
    wanted = motion[:].global_positions
    np.testing.assert_allclose(pose.global_positions, wanted[[0, 30, 89]], atol=1e-5)
    assert pose.shape == (3,)
    still = performed(biped, None).poses(np.zeros(4)).global_positions
    assert still.shape == (4, biped.joint_count, 3)
    np.testing.assert_array_equal(still, np.broadcast_to(biped.rest_pose.global_positions, still.shape))


def test_contacts_are_its_labels_or_are_found(biped: Skeleton):
    motion = walk(biped, speed=0.0)
    stands = np.arange(90) % 30 < 15
    labelled = motion.replace(labels={"contact.left": stands, "contact.right": ~stands})
    assert performed(biped, labelled).standing_at(0.1).tolist() == [True, False]
    assert performed(biped, labelled).standing_at(0.6).tolist() == [False, True]
    assert performed(biped, motion).standing_at(0.5).all()
    assert not performed(biped, walk(biped, speed=3.0)).standing_at(0.5).any()
    assert performed(biped, None).standing_at(0.0).all()


def test_tiny_and_giant_bodies(biped: Skeleton):
    small, large = (performed(_scaled(biped, scale), None).size for scale in (1e-3, 1e3))
    assert large / small == pytest.approx(1e6, rel=0.05)


def _scaled(skeleton: Skeleton, scale: float) -> Skeleton:
    return Skeleton.create(skeleton.names, skeleton.parents, skeleton.rest_translations * scale)


def test_what_cannot_be_filmed(biped: Skeleton):
    from kinema.character import Character

    with pytest.raises(SkeletonError, match="no frames"):
        performed(biped, walk(biped).cut(0, 0))
    other = Skeleton.create(["a"], [-1], [[0, 0, 0]])
    with pytest.raises(SkeletonError, match="their skeletons differ"):
        performed(biped, walk(biped), character=Character("other", other))


@pytest.fixture
def face() -> Character:
    flat = np.zeros((3, 3), np.float32)
    morphs = (Morph("a", flat, None, 0.5), Morph("b", flat))
    mesh = Mesh("m", flat, flat, np.uint32([[0, 1, 2]]), joint=0, morphs=morphs)
    return Character("face", Skeleton.create(["x"], [-1], [[0, 0, 0]]), (mesh,))


def moving(face: Character, frames: int = 3, **labels: np.ndarray) -> Performance:
    local = np.tile(face.skeleton.rest_rotations, (frames, 1, 1))
    return performed(face.skeleton, Motion.create(face.skeleton, local, fps=10, labels=labels), character=face)


def test_faces_move_between_frames_and_hold_at_the_ends(face):
    made = moving(face, **{"morph.b": np.float32([0, 1, 3]), "speed": np.ones(3), "morph.a": np.ones((3, 2))})
    weights = made.poses(np.array([-1, 0.05, 0.1, 0.15, 9])).morph_weights
    np.testing.assert_allclose(weights, [[0.5, 0], [0.5, 0.5], [0.5, 1], [0.5, 2], [0.5, 3]], atol=1e-6)
    one = moving(face, 1, **{"morph.b": np.float32([1])})
    np.testing.assert_allclose(one.poses(np.array([5.0])).morph_weights, [[0.5, 1]])


def test_faces_at_rest_have_no_weights(face):
    assert moving(face).poses(np.array([0.0])).morph_weights is None
    still = moving(face, **{"morph.a": np.full(3, 0.5, np.float32)})
    assert still.poses(np.array([0.1])).morph_weights is None
