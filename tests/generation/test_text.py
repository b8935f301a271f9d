from __future__ import annotations

import numpy as np

from kinema.generation.text import FIRST_HASH, MOST, TOKENS, is_concept, padded, tokens


def test_concepts_come_first_and_words_of_one_meaning_share_them() -> None:
    one, other = tokens("gallops away"), tokens("a galloping horse")
    shared = {token for token in one if token < FIRST_HASH} & {token for token in other if token < FIRST_HASH}
    assert len(shared) >= 2
    assert one != other


def test_numbers_are_in_range_and_few() -> None:
    long = tokens("walks " * 200 + "über the hills ひ")
    assert len(long) == MOST
    assert all(0 < token < TOKENS for token in long)
    assert tokens("") == []


def test_lists_are_filled_up_with_nothing() -> None:
    made = padded([[5, 6, 7], [8], []])
    assert made.tolist() == [[5, 6, 7], [8, 0, 0], [0, 0, 0]]
    assert padded([[], []]).shape == (2, 1)
    np.testing.assert_array_equal(is_concept(np.asarray([0, 1, FIRST_HASH])), [False, True, False])
