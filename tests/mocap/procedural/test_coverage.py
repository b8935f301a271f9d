import numpy as np
import pytest

from kinema import rotations
from kinema.errors import ControlError
from kinema.metrics.joints import joint_turns
from kinema.metrics.rollout import clip_rollout
from kinema.metrics.steps import glides_per_minute, low_steps
from kinema.mocap import MotionDatabase
from kinema.mocap.procedural import GAITS, generate, humanoid, locomotion_set, random_script


@pytest.fixture(scope="module")
def clips():
    return locomotion_set(minutes=4.0, seed=2)


def test_length_labels_and_names(clips):
    assert sum(clip.seconds for clip in clips) == pytest.approx(240, abs=15)
    assert len({clip.name for clip in clips}) == len(clips)
    gaits = {GAITS[g] for clip in clips for g in np.unique(clip.labels["gait"])}
    assert gaits == set(GAITS) - {"jump", "crouch"}


def test_command_space_is_covered(clips):
    speeds = np.concatenate([clip.labels["speed"] for clip in clips])
    shares = np.histogram(speeds, [0, 0.1, 0.7, 1.2, 1.8, 2.6, 3.6, 5.2])[0] / speeds.size
    assert shares.min() > 0.02 and shares.max() < 0.45
    turns = []
    for clip in clips:
        _, facing = clip.root_frame()
        turns.append(np.gradient(np.unwrap(rotations.yaw(facing.astype(float))), 1 / clip.fps))
    turning = np.concatenate(turns)
    left, right = (turning > 0.4).mean(), (turning < -0.4).mean()
    assert left > 0.06 and right > 0.06 and 0.5 < left / right < 2


def test_deterministic_and_different_by_seed():
    one, two = (locomotion_set(minutes=0.3, seed=4) for _ in range(2))
    assert all(a.local_rotations.tobytes() == b.local_rotations.tobytes() for a, b in zip(one, two, strict=True))
    other = locomotion_set(minutes=0.3, seed=5)
    assert one[0].local_rotations.tobytes() != other[0].local_rotations.tobytes()


def test_styles_share_the_minutes():
    clips = locomotion_set(minutes=1.0, styles=("neutral", "old"))
    seconds = {style: sum(clip.seconds for clip in clips if style in clip.tags) for style in ("neutral", "old")}
    assert seconds["neutral"] == pytest.approx(30, abs=6) and seconds["old"] == pytest.approx(30, abs=6)


def test_feet_stand_firm_in_all_of_it(clips, toe_speeds):
    for clip in clips:
        for side in ("left", "right"):
            assert toe_speeds(clip, side)[0][clip.labels[f"contact.{side}"]].max() < 0.01
        assert clip[:].global_positions[..., 1].min() > -0.002


def test_no_foot_glides_in_any_of_it(clips):
    database = MotionDatabase.from_motions(clips, mirror=False)
    rollouts = [clip_rollout(database, clip, 60.0) for clip in range(len(database.clips))]
    assert (glides_per_minute(rollouts) or 0.0) < 0.5
    assert (low_steps(rollouts) or 0.0) < 5
    assert np.percentile(np.concatenate([joint_turns(clip).max(axis=1) for clip in clips]), 99.9) < 40


def test_random_script_is_a_function_of_its_generator():
    one, two = (random_script(np.random.default_rng(9), 20.0) for _ in range(2))
    assert one == two and sum(segment.seconds for segment in one) >= 20.0
    assert generate(humanoid(), one, seed=1).seconds >= 20.0


@pytest.mark.parametrize("arguments", [{"minutes": 0}, {"styles": ()}])
def test_errors(arguments):
    with pytest.raises(ControlError):
        locomotion_set(**arguments)


def test_extras_add_jumps_and_crouching():
    scripts = [tag for clip in locomotion_set(minutes=12.0, fps=15, extras=True) for tag in clip.tags]
    assert {"jump", "crouch"} <= set(scripts)


def test_what_would_never_end_is_refused():
    with pytest.raises(ControlError, match="minutes"):
        locomotion_set(minutes=float("inf"))
    with pytest.raises(ControlError, match="seconds"):
        random_script(np.random.default_rng(0), float("inf"))
    with pytest.raises(ControlError, match="seed"):
        locomotion_set(minutes=0.1, seed=-1)
