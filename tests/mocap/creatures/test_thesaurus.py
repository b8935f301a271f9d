from kinema.mocap.creatures.caption_words import listed
from kinema.mocap.creatures.lexicon import ACTIONS
from kinema.mocap.creatures.thesaurus import PARTICLE_VERBS, THESAURUS
from kinema.mocap.creatures.words import CONCEPTS, concepts_of


def test_keys_are_concepts():
    for key in (*THESAURUS, *PARTICLE_VERBS):
        assert set(key.replace("~", "").split()) <= set(CONCEPTS), key


def test_phrases_are_read_as_what_they_stand_for():
    wrong, count = [], 0
    for key, phrases in THESAURUS.items():
        meant = set(key.replace("~", "").split()) & set(ACTIONS)
        for phrase in listed(phrases) if meant else ():
            count += 1
            wrong += [] if meant & set(concepts_of(phrase)) else [(key, phrase)]
    assert len(wrong) < 0.02 * count, wrong
