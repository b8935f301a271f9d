import pytest

from kinema.mocap.creatures.inflections import forms, participle, past, third_person


@pytest.mark.parametrize(
    ("verb", "expected"),
    [
        ("run", ("runs", "running", "ran")),
        ("fly", ("flies", "flying", "flew")),
        ("die", ("dies", "dying", "died")),
        ("lie", ("lies", "lying", "lay")),
        ("glide", ("glides", "gliding", "glided")),
        ("flee", ("flees", "fleeing", "fled")),
        ("hop", ("hops", "hopping", "hopped")),
        ("gallop", ("gallops", "galloping", "galloped")),
        ("jump", ("jumps", "jumping", "jumped")),
        ("chew", ("chews", "chewing", "chewed")),
        ("watch", ("watches", "watching", "watched")),
        ("scurry", ("scurries", "scurrying", "scurried")),
        ("stay", ("stays", "staying", "stayed")),
        ("quit", ("quits", "quitting", "quitted")),
        ("sidestep", ("sidesteps", "sidestepping", "sidestepped")),
        ("be", ("is", "being", "was")),
        ("go", ("goes", "going", "went")),
    ],
)
def test_verbs_inflect(verb, expected):
    assert (third_person(verb), participle(verb), past(verb)) == expected


def test_past_forms_that_are_other_words_are_not_read_as_verbs():
    assert past("bite") == "bit"
    assert "bit" not in forms("bite")
    assert "left" not in forms("leave")
    assert {"eat", "eats", "eating", "ate", "eaten"} <= set(forms("eat"))


def test_very_short_words_have_no_regular_forms():
    assert forms("at") == ("at",)
