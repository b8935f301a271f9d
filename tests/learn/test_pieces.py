from __future__ import annotations

from kinema.learn.pieces import BUCKETS, PIECES, pieces_of


def test_pieces_are_rows_of_the_table_and_like_words_share_some() -> None:
    walk, walks, tree = (pieces_of(word) for word in ("walk", "walks", "tree"))
    assert all(len(each) == PIECES and max(each) < BUCKETS and each[0] > 0 for each in (walk, walks, tree))
    assert len(set(walk) & set(walks) - {0}) >= 2
    assert not set(walk) & set(tree) - {0}
    assert all(pieces_of("extraordinarily"))
