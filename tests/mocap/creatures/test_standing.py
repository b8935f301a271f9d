import numpy as np
import pytest

from kinema import Skeleton
from kinema.errors import SkeletonError
from kinema.mocap.creatures import Act, CreatureAnatomy, CreatureLimb, allowed_actions, make_creature, perform
from kinema.mocap.creatures.kinds import kind_of
from kinema.mocap.creatures.perform import kind_of_creature
from kinema.mocap.creatures.standing import stand


def body_of(name, seed=None):
    return kind_of_creature(make_creature(name, seed)).body


def test_sizes_are_those_of_the_body():
    dog, horse = body_of("dog"), body_of("horse")
    assert dog.leg == pytest.approx(0.58, abs=0.03) and horse.leg == pytest.approx(1.45, abs=0.08)
    assert 0.7 < dog.length < 1.6 and 0 < dog.girth < 0.2
    assert body_of("person").upright and not body_of("raptor").upright
    assert body_of("lizard").sprawled and not dog.sprawled


def test_straight_legs_sag_a_little_and_bent_ones_do_not():
    assert 0 < body_of("person").sag < 0.06 * body_of("person").leg
    assert body_of("raptor").sag == 0


def test_outlines_have_the_tips_of_what_is_below():
    body = body_of("dog")
    head = body.anatomy.head
    points = body.below(head)
    assert points[:, 2].max() > body.positions[head, 2] + 0.1  # the end of the snout
    assert len(points) > int(body.skeleton.below([head]).sum())
    assert {joint for joint, _ in body.ends(head)} == set(np.flatnonzero(body.skeleton.below([head])))


def test_only_flukes_make_a_tail_level():
    assert {name: body_of(name).level_tail for name in ("whale", "fish", "eel", "cat")} == {
        "whale": True, "fish": False, "eel": False, "cat": False,
    }  # fmt: skip


def wasp():
    """A body with wings and six short legs that hang high above the end of its abdomen."""
    names, parents, places = ["thorax", "head", "abdomen", "sting"], [-1, 0, 0, 2], [[0, 2, 0], [0, 2.1, 0.4]]
    places += [[0, 1.5, -0.4], [0, 0.2, -0.5]]
    groups = {"legs": [], "wings": []}
    for order, z in enumerate((0.2, 0.0, -0.2)):
        for side in (1, -1):
            groups["legs"].append(CreatureLimb((len(names), len(names) + 1, len(names) + 2), side, order))
            parents += [0, len(names), len(names) + 1]
            names += [f"{part}_{order}_{side}" for part in ("coxa", "femur", "claw")]
            places += [[0.1 * side, 1.8, z], [0.4 * side, 1.9, z], [0.6 * side, 1.4, z]]
    for side in (1, -1):
        groups["wings"].append(CreatureLimb((len(names),), side, 0))
        parents.append(0)
        names.append(f"wing_{side}")
        places.append([0.15 * side, 2.2, 0.0])
    places = np.asarray(places, float)
    above = np.asarray(parents)
    offsets = places - np.where(above[:, None] < 0, 0, places[above])
    anatomy = CreatureAnatomy(0, head=1, tails=((2, 3),), **{key: tuple(row) for key, row in groups.items()})
    return Skeleton.create(names, parents, offsets), anatomy


def test_insects_that_are_posed_in_flight_hover_above_their_abdomen():
    body = stand(*wasp(), known=True)
    assert body.hovers and not body_of("eagle").hovers and not body_of("dragon").hovers
    assert body.positions[:, 1].min() == pytest.approx(0.0)
    kind = kind_of(body, "hexapod")
    assert "idle" in kind.pacing.aloft and "die" not in kind.pacing.aloft and kind.pacing.altitude > 0


def test_bodies_without_size_or_feet_are_errors():
    flat = Skeleton.create(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 0]])
    with pytest.raises(SkeletonError, match="at one place"):
        stand(flat, CreatureAnatomy(0), known=True)
    skeleton = Skeleton.create(["hips", "hip", "knee", "foot"], [-1, 0, 1, 2], [[0, 1, 0]] + [[0, 0.4, 0]] * 3)
    with pytest.raises(SkeletonError, match="stance"):
        stand(skeleton, CreatureAnatomy(0, legs=(CreatureLimb((1, 2, 3), 1),)), known=True)


def test_the_swimming_float_and_the_crawling_lie():
    fish = perform(make_creature("fish").skeleton, [Act("swim", 0.5)])
    assert fish[:].global_positions[..., 1].min() > 0.1
    assert "swim" in allowed_actions(make_creature("fish").skeleton)


@pytest.mark.parametrize(("drop", "soles"), [(0.03, 0.03), (0.5, 0.0)])
def test_a_reference_just_below_the_feet_is_on_the_ground(drop, soles):
    wolf = make_creature("wolf").skeleton
    parents = np.concatenate([[-1], wolf.parents + 1])
    places = np.concatenate([[[0.0, -drop, 0.0]], wolf.rest_translations])
    places[1] += [0.0, drop, 0.0]
    skeleton = Skeleton.create(
        ["reference", *wolf.names],
        parents,
        places,
        np.concatenate([[[1.0, 0.0, 0.0, 0.0]], wolf.rest_rotations]),
        zip((wolf.tip_joints + 1).tolist(), wolf.tip_offsets, strict=True),
    )
    place = kind_of_creature(skeleton).body.legs[0].place[1]
    assert place - kind_of_creature(wolf).body.legs[0].place[1] == pytest.approx(soles, abs=2e-3)
