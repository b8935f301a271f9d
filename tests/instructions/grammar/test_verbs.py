from __future__ import annotations

from kinema.instructions.grammar.verbs import corrected, form_of, meanings, nearest_verbs, participle


def test_forms_lead_to_their_verb() -> None:
    for word, lemma in (("walks", "walk"), ("running", "run"), ("sat", "sit"), ("waving", "wave")):
        found = form_of(word)
        assert found is not None
        assert found[0] == lemma
    assert form_of("tree") is None
    assert participle("run") == "running"


def test_one_wrong_letter_is_corrected_and_more_are_not() -> None:
    assert corrected("jmup") == "jump" or corrected("jupm") == "jump"
    assert corrected("blorp") is None
    assert "walk" in nearest_verbs("walkk")


def test_a_verb_may_mean_several_things() -> None:
    kinds = {each.kind for each in meanings("walk")}
    assert "locomotion" in kinds
    assert not list(meanings("tree"))
