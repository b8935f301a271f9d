from __future__ import annotations

import pytest

pytest.importorskip("torch")

from kinema.generation.captions.seen import FEATURES, LISTED, READ, features_of, to_captions
from kinema.generation.captions.told import body_of
from kinema.mocap.creatures.acts import ACTIONS


def test_words_show_what_the_lexicon_and_the_grammar_make_of_them() -> None:
    seen = features_of("gobs walks slowly, Eats", body_of("dog"))
    assert seen.shape == (5, FEATURES)
    walk, eat = ACTIONS.index("walk"), ACTIONS.index("eat")
    assert seen[1, walk] == 1 and seen[4, eat] == 1
    assert not seen[[0, 2, 3], :READ].any()
    assert seen[1, LISTED + walk] == 1 and seen[4, LISTED + eat] == 1
    assert not seen[:, READ : READ + 3].any()
    assert seen[:, READ + 4].tolist() == [0, 0, 0, 0, 1]


def test_words_show_what_connects_them_and_what_is_earlier() -> None:
    seen = features_of("before the dog eats it walks, then runs", body_of("dog"))
    kinds = ["then", "after", "before"]
    assert [kinds[at] for at in seen[:, READ : READ + 3].nonzero()[1]] == ["before", "then"]
    assert seen[:, READ - 1].nonzero()[0].tolist() == [4]  # walks


def test_words_are_seen_as_the_body_can_do_them() -> None:
    swims = features_of("walks", body_of("shark"))[0]
    assert swims[ACTIONS.index("swim")] == 1 and swims[ACTIONS.index("walk")] == 0
    assert (swims != features_of("walks", body_of("dolphin"))[0]).sum() == 0
    assert (swims != features_of("walks", body_of("horse"))[0]).any()


def test_batches_are_filled_up() -> None:
    batch = to_captions(
        [("walks", body_of("dog")), ("runs, then eats", body_of("shark"))],
        [((0,), (1,), (False,)), ((0, 3), (12, 8), (False, True))],
    )
    assert batch.known.tolist() == [[True, False, False, False], [True] * 4]
    assert batch.said.tolist() == [[2, 0, 0, 0], [13, 0, 0, 9]]
    assert batch.earlier.tolist() == [[False] * 4, [False, False, False, True]]
    assert batch.able[1].sum() == 7
    assert not batch.features[0, 1:].any()
