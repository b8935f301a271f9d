from __future__ import annotations

import pytest

from kinema.instructions.grammar.drafts import Clause, ClauseLink
from kinema.instructions.grammar.reader import parse
from kinema.instructions.grammar.refining import led, refined, same_again, stays_there
from kinema.instructions.programme import Gesture, Locomotion, Place, Thing

DOG = Place("away from", Thing("dog"))
BACKWARD = Place("direction", direction="backward")


def test_participles_of_motion_say_more_of_the_step_before() -> None:
    walk, aside = Locomotion(gait="walk", place=BACKWARD), Clause([Locomotion(gait="walk", place=DOG)], "ing")
    whole = Locomotion(gait="walk", place=Place("away from", Thing("dog"), direction="backward"))
    assert refined(walk, False, aside, ClauseLink(comma=True)) == [whole]
    assert refined(walk, False, aside, ClauseLink(then=True)) is None


def test_clauses_of_purpose_do_so_only_in_an_open_gait() -> None:
    step = Locomotion(gait="walk", place=Place("between", Thing("car"), Thing("house")))
    run, link = Locomotion(gait="run"), ClauseLink(purpose=True, joined=True)
    found = refined(run, False, Clause([step], "s", True, loose=True), link)
    assert found == [Locomotion(gait="run", place=step.place)]
    assert refined(run, False, Clause([step], "s", True), link) is None


def test_another_gait_is_a_step_of_its_own() -> None:
    run = Locomotion(gait="run", place=Place("to", Thing("tree")))
    aside = Clause([Locomotion(gait="crawl", place=Place("past", Thing("car")))], "ing")
    assert refined(run, False, aside, ClauseLink(comma=True)) is None


def test_a_place_alone_leads_the_step_before_or_repeats_what_was_done() -> None:
    tree, car = Place("at", Thing("tree")), Place("at", Thing("car"))
    where = Clause([Locomotion(gait="walk", place=tree)], "noun")
    assert led(Locomotion(gait="run"), where, ClauseLink()) == [Locomotion(gait="run", place=tree)]
    same_again(Gesture(action="wave", place=car), where)
    assert where.steps == [Gesture(action="wave", place=tree)]
    assert stays_there(Locomotion(gait="walk", place=Place("to", Thing("tree"))), Locomotion(gait="walk", place=tree))
    assert not stays_there(Locomotion(gait="walk", place=car), Locomotion(gait="walk", place=tree))


@pytest.mark.parametrize(
    "said, described",
    [
        ("walk to the tree, passing the car", "Walk past the car. Then walk to the tree."),
        ("run to the tree, going around it", "Run to the tree. Then run around the tree."),
        ("run, moving past the car, to the house", "Run past the car. Then run to the house."),
        ("run forward so as to reach the gate", "Run to the gate."),
        ("applaud with three claps", "Clap 3 times."),
        ("walk backwards, away from the dog", "Walk backward away from the dog."),
        ("go to the tree, at a run, and wave", "Run to the tree. Then wave."),
        ("look at the first car, then at the second", "Look at the first car. Then look at the second car."),
    ],
)
def test_clauses_that_refine(said: str, described: str) -> None:
    assert parse(said).describe() == described
