import numpy as np

from kinema.mocap.creatures import Act


def test_the_wave_grows_towards_the_tail_and_runs_backward(tools):
    motion = tools.clip("shark", (Act("swim", 5.0, pace=0.5),), 0, None, 60.0)
    body = tools.creature("shark")
    side = motion[:].global_positions[:, :, 0].astype(float)
    tail = body.anatomy.tails[0]
    swing = [np.ptp(side[60:, joint] - side[60:].mean(axis=1)) for joint in tail]
    assert swing[-1] > 1.5 * swing[1]
    front, back = (side[60:, joint] - side[60:, joint].mean() for joint in (tail[2], tail[-1]))
    lags = range(-11, 12)  # less than half a beat to each side
    match = [np.dot(front[20:-20], np.roll(back, -lag)[20:-20]) for lag in lags]
    assert lags[int(np.argmax(match))] > 0


def test_faster_fish_beat_faster(tools):
    slow, fast = (tools.clip("fish", (Act("swim", 4.0, pace=pace),)) for pace in (-1.0, 1.0))
    beats = [np.diff(np.unwrap(2 * np.pi * clip.labels["phase"])).sum() for clip in (slow, fast)]
    assert beats[1] > 1.5 * beats[0]
