from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import kinema
from kinema.mocap.creatures import make_creature
from kinema.worlds.enacting import ActMark, ActPlayer, timed_gestures, unable
from kinema.worlds.itinerary import SceneAct, StagedGesture

STILL = np.zeros((0, 2))
WAY = np.asarray([[0.0, 0.0], [0.0, 2.0], [2.0, 2.0]])


def played(player: ActPlayer, seconds: float = 30.0, fps: float = 60.0) -> tuple[np.ndarray, np.ndarray]:
    """Where a point is that obeys at once `[N, 2]`, and the facings that it is commanded `[N, 3]`."""
    place, faced, places, facings = np.zeros((1, 3), np.float32), 0.0, [], []
    for frame in range(round(seconds * fps)):
        wanted = player.command(frame / fps, place, faced)
        place = (place + wanted.velocity / fps).astype(np.float32)
        facing = wanted.facing[0] if np.isfinite(wanted.facing[0]).all() else wanted.velocity[0]
        if np.linalg.norm(facing) > 1e-3:
            faced = float(np.arctan2(facing[0], facing[2]))
        places.append(place[0, [0, 2]])
        facings.append(facing)
        if player.done:
            break
    return np.asarray(places), np.asarray(facings)


def test_ways_are_gone_and_marks_say_when() -> None:
    player = ActPlayer([SceneAct(WAY), SceneAct(STILL, seconds=1.5)])
    places, _ = played(player)
    assert player.done
    np.testing.assert_allclose(places[-1], WAY[-1], atol=0.2)
    assert np.abs(places - WAY[1]).sum(axis=1).min() < 0.5
    first, second = player.marks
    assert first.begin < first.arrived < first.ready <= first.end == second.begin
    assert second.end - second.ready == pytest.approx(1.5, abs=0.05)


def test_turns_face_what_is_asked_and_backward_ways_face_back() -> None:
    player = ActPlayer([SceneAct(STILL, heading=np.pi / 2, seconds=0.5)])
    _, facings = played(player)
    np.testing.assert_allclose(facings[-1], [1.0, 0.0, 0.0], atol=1e-6)
    assert player.marks[0].ready > 0.5, "a quarter turn takes its time"
    _, facings = played(ActPlayer([SceneAct(WAY[:2], facing=np.pi)]))
    np.testing.assert_allclose(facings[20], [0.0, 0.0, -1.0], atol=1e-6)


def test_who_cannot_get_there_gives_up() -> None:
    player = ActPlayer([SceneAct(WAY)])
    for frame in range(60 * 30):
        player.command(frame / 60, np.zeros((1, 3), np.float32), 0.0)
    assert player.done


def test_gestures_have_their_times() -> None:
    act = SceneAct(WAY, going=(StagedGesture("wave"),), staying=(StagedGesture("bow"), StagedGesture("wait")))
    going, staying = timed_gestures(act, ActMark(2.0, 9.0, 9.5, 12.0))
    assert (going.doing.action, going.begin) == ("wave", 2.0)
    assert going.seconds == pytest.approx(7.0, abs=0.5), "as long as the way"
    assert (staying.doing.action, staying.begin) == ("bow", 9.5)
    (live, _) = timed_gestures(act, ActMark(2.0, 2.0, 2.0), most=60.0)
    assert live.seconds == pytest.approx(60.0, abs=0.5)


def test_bodies_are_told_what_they_have_no_limbs_for() -> None:
    person = kinema.perform().skeleton
    wave, bow, wait = ([SceneAct(STILL, staying=(StagedGesture(action),))] for action in ("wave", "bow", "wait"))
    assert not any(unable(acts, person.roles) for acts in (wave, bow, wait))
    armless = replace(person.roles, arms=())
    assert unable(wave, armless) == "who has no arms cannot wave" and not unable(bow, armless)
    horse = make_creature("horse").skeleton.roles
    assert unable(bow, horse) == "only bodies with two legs can bow yet" and not unable(wait, horse)
