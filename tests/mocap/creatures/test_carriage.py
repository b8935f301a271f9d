import numpy as np

from kinema.mocap.creatures import Act


def test_the_ends_of_a_running_lizard_keep_to_the_course_while_its_back_winds(tools):
    motion = tools.clip("lizard", (Act("run", 3.0),))
    anatomy = tools.creature("lizard").anatomy
    aside = motion[30:60].global_positions[:, :, 0].astype(float)
    middle = np.ptp(aside[:, anatomy.trunk[len(anatomy.trunk) // 2 - 1]])
    assert middle > 1.5 * max(np.ptp(aside[:, anatomy.root]), np.ptp(aside[:, anatomy.trunk[-1]]))


def test_shoulders_go_ahead_with_their_feet(tools):
    """The left shoulder is ahead of the right one when the left front foot strikes."""
    motion = tools.clip("lizard", (Act("run", 3.0),), 0, None, 60.0)
    body = tools.creature("lizard")
    left, right = (leg for leg in body.anatomy.legs if leg.order == 0)
    positions = motion[:].global_positions.astype(float)
    ahead = positions[:, left.joints[0], 2] - positions[:, right.joints[0], 2]
    planted = motion.labels[f"contact.{motion.skeleton.names[left.joints[-1]]}"]
    strikes = np.flatnonzero(planted[1:] & ~planted[:-1])
    lifts = np.flatnonzero(planted[:-1] & ~planted[1:])
    assert ahead[strikes].mean() > 0.2 * np.ptp(ahead) > 0.0 > ahead[lifts].mean()


def test_bodies_bank_into_turns_and_look_ahead(tools):
    script = (Act("run", 1.0), Act("run", 2.0, curve=1.2))
    motion = tools.clip("horse", script)
    body = tools.creature("horse").anatomy
    positions = motion[:].global_positions.astype(float)
    heading = np.unwrap(np.arctan2(*(positions[:, body.trunk[-1]] - positions[:, body.root])[:, [0, 2]].T))
    gaze = np.unwrap(np.arctan2(*(positions[:, body.head] - positions[:, body.trunk[-1]])[:, [0, 2]].T))
    assert (gaze - heading)[35:60].mean() > 0.05


def test_standing_bodies_breathe_and_sway(tools):
    motion = tools.clip("dog", (Act("idle", 4.0),))
    root = motion[:].global_positions[:, tools.creature("dog").anatomy.root]
    assert (np.ptp(root, axis=0)[:2] > 1e-3).all() and np.ptp(root, axis=0).max() < 0.1
