from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from kinema.instructions.learned.model import Options, ReaderModel, SymbolTable, guess, to_texts  # noqa: E402
from kinema.instructions.learned.notation import END, SYMBOLS  # noqa: E402
from kinema.instructions.learned.sentences import Sentence  # noqa: E402
from kinema.learn.model import TrainingStep  # noqa: E402
from kinema.learn.setting import Setting  # noqa: E402

SENTENCES = [
    Sentence(("walk", "to", "the", "gronk"), ("go walk", "place to", "<", "=gronk", ">", END)),
    Sentence(("wave", "for", "7", "seconds"), ("do wave", "seconds", "#7", END)),
    Sentence(("jump", "twice"), ("do jump", "times", "#2", END)),
]


@pytest.fixture(scope="module")
def model() -> ReaderModel:
    """A small network that knows three sentences by heart."""
    torch.manual_seed(0)
    model = ReaderModel(Setting(more={"symbols": list(SYMBOLS)}), Options(width=32, hidden=64, dropout=0.0))
    optimizer = torch.optim.Adam(model.parameters(), 3e-3)
    texts = to_texts(SENTENCES)
    for number in range(120):
        loss = model.loss(texts, TrainingStep(number, 120, ""))["symbols"]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.eval()


def test_it_writes_symbols_and_copies_words_and_numbers(model: ReaderModel) -> None:
    found = guess(model, [each.words for each in SENTENCES])
    assert [each[0].symbols for each in found] == [each.symbols for each in SENTENCES]
    assert all(0.5 < each[0].probability <= 1.0 for each in found)


def test_other_ways_follow_the_likeliest(model: ReaderModel) -> None:
    several, one = (guess(model, [SENTENCES[0].words], beams)[0] for beams in (4, 1))
    probabilities = [each.probability for each in several]
    assert probabilities == sorted(probabilities, reverse=True) and sum(probabilities) <= 1.0 + 1e-4
    assert len({each.symbols for each in several}) == len(several) and 1 <= len(several) <= 4
    assert one == several[:1]


def test_words_that_were_never_seen_are_copied(model: ReaderModel) -> None:
    found = guess(model, [("walk", "to", "the", "plimf"), ("wave", "for", "9", "seconds")])
    assert all("=gronk" not in each.symbols for each in found[0])
    assert all("#7" not in each.symbols for each in found[1])


def test_a_sentence_is_read_alike_alone_and_among_longer_ones(model: ReaderModel) -> None:
    alone = guess(model, [SENTENCES[2].words])[0][0]
    among = guess(model, [each.words for each in SENTENCES])[2][0]
    assert alone.symbols == among.symbols
    assert alone.probability == pytest.approx(among.probability, abs=1e-4)


def test_a_word_may_be_copied_from_all_its_places() -> None:
    words = ("the", "tree", "by", "the", "tree")
    assert SymbolTable().right_places("=tree", words) == [len(SYMBOLS) + 1, len(SYMBOLS) + 4]
    assert len(SymbolTable().right_places("#2", ("2", "x"))) == 2  # written, or said
    assert SymbolTable().right_places("#2.71", ("2", "x")) == []


def test_symbols_that_the_grammar_has_since_got_leave_a_model_as_it_is() -> None:
    known = SymbolTable(["end", "do wave"])
    assert known.seen("do wave")[0] == 1 and known.begin == 2
    assert ReaderModel(Setting(more={"symbols": ["end", "do wave"]}), Options(width=8, hidden=8)).out.out_features == 2
