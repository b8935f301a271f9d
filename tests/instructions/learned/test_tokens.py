from __future__ import annotations

from kinema.instructions.learned.tokens import number_of, tokens_of


def test_texts_become_words_numbers_and_marks() -> None:
    assert tokens_of("Walk 3m, then WAVE twice!") == ["walk", "3", "m", ",", "then", "wave", "twice", "!"]
    assert tokens_of("twenty-five degrees") == ["twenty", "-", "5", "degrees"] or tokens_of("twenty five") == ["25"]
    assert tokens_of("run \u2192 sit -> bow") == ["run", ">", "sit", ">", "bow"]
    assert tokens_of("two and a half seconds") == ["2.5", "seconds"]


def test_numbers_are_told_from_words() -> None:
    assert number_of("2.5") == 2.5
    assert number_of("tree") is None


def test_one_of_several_is_said_in_the_singular() -> None:
    assert tokens_of("the second of the old paintings, then nod") == tokens_of("the second old painting, then nod")
    assert tokens_of("hit the last of the doors") == tokens_of("hit the last door")
    assert tokens_of("the second of the glass") == ["the", "second", "of", "the", "glass"]
    assert tokens_of("first of the trees") == ["first", "tree"]
    assert tokens_of("past the second of the bus stops and on") == tokens_of("past the second bus stop and on")


def test_numbers_of_a_list_are_told_from_amounts() -> None:
    assert tokens_of("1 stretch 2 yawn 3 nod") == tokens_of("1. stretch 2. yawn 3. nod")
    assert "." not in tokens_of("1 step forward, 2 jumps") and "." not in tokens_of("jump 2 times, 3 bows")


def test_what_counts_parts_is_left_out() -> None:
    for text in (
        "Step one, bow. Step two, nod.",
        "first beat: bow; the second beat is to nod",
        "Shot 1 \u2014 bow. Shot 2) nod",
    ):
        assert [word for word in tokens_of(text) if word.isalpha()] == ["bow", "nod"]
    assert tokens_of("walk to the first step, then nod")[2:5] == ["the", "first", "step"]
    assert tokens_of("take step one")[1:] == ["step", "one"]


def test_slips_in_common_things_are_mended_and_those_in_others_stay() -> None:
    assert tokens_of("past the twoer to the brigde") == tokens_of("past the tower to the bridge")
    assert tokens_of("to the zorbel, waving")[2] == "zorbel"


def test_marks_of_chats_are_words_and_fillers_are_none() -> None:
    assert tokens_of("wave @ the car") == tokens_of("wave at the car")
    assert tokens_of("\u2022 bow \u2022 nod") == tokens_of("- bow - nod")
    assert tokens_of("he kicks the box, right, then he bows") == tokens_of("he kicks the box, then he bows")
    assert "right" in tokens_of("turn, right, then bow")
