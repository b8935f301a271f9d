import pytest

from kinema.mocap.creatures.caption_words import listed
from kinema.mocap.creatures.inflections import participle, third_person
from kinema.mocap.creatures.lexicon import ACTIONS, GAITS, GROUPS, MODIFIERS, NOUNS, OTHERS, PHASES, PLANS, VERBS
from kinema.mocap.creatures.words import CONCEPTS, concepts_of


def entries():
    for key, groups in VERBS.items():
        for phrases in groups.values():
            yield from ((key, phrase) for phrase in listed(phrases))
    for table in (NOUNS, OTHERS):
        for key, phrases in table.items():
            yield from ((key, phrase) for phrase in listed(phrases))


def meaning(key):
    return set(key.replace("~", "").split())


def test_keys_are_concepts_and_groups_are_plans():
    for key in (*VERBS, *NOUNS, *OTHERS):
        assert meaning(key) <= set(CONCEPTS), key
    for plans in GROUPS.values():
        assert plans <= set(PLANS)
    assert all(group in GROUPS for groups in VERBS.values() for group in groups)


@pytest.mark.parametrize("action", ACTIONS)
def test_actions_have_many_words(action):
    assert len({phrase for key, phrase in entries() if action in meaning(key)}) >= 60


@pytest.mark.parametrize("modifier", MODIFIERS)
def test_modifiers_have_many_words(modifier):
    assert len({phrase for key, phrase in entries() if modifier in meaning(key)}) >= 15


@pytest.mark.parametrize("name", [*GAITS, *PHASES])
def test_gaits_and_phases_have_words(name):
    assert any(name in meaning(key) for key in (*VERBS, *NOUNS, *OTHERS))


def test_every_phrase_is_read_as_what_it_stands_for():
    for key, phrase in entries():
        read = set(concepts_of(phrase))
        assert meaning(key) <= read, phrase
        assert read & set(ACTIONS) == meaning(key) & set(ACTIONS), phrase


def test_inflected_verbs_are_read_as_their_base():
    for key, groups in VERBS.items():
        for phrases in groups.values():
            for phrase in listed(phrases):
                first, *others = phrase.split()
                for form in (third_person(first), participle(first)):
                    text = " ".join(["it", form, *others])
                    assert set(concepts_of(text)) & set(ACTIONS) == meaning(key) & set(ACTIONS), text


def test_every_land_plan_can_do_what_it_must():
    for plan in set(PLANS) - {"fish"}:
        for action in set(ACTIONS) - {"fly", "glide"}:
            groups = [group for key, table in VERBS.items() if action in meaning(key) for group in table]
            assert any(plan in GROUPS[group] for group in groups), (plan, action)
