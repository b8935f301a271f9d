"""The network: an encoder of words, and a decoder that writes symbols or copies words.

D. Bahdanau et al., "Neural Machine Translation by Jointly Learning to Align and Translate", 2015; O. Vinyals et al.,
"Pointer Networks", 2015. Words are sums of hashed pieces, so that it reads words that it has never seen. With as few
sentences as there are, recurrent layers learn twice as fast as a transformer of the same size.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from kinema.instructions.learned.notation import END, SYMBOLS
from kinema.instructions.learned.sentences import MOST_SYMBOLS, Sentence
from kinema.instructions.learned.tokens import number_of
from kinema.learn.model import Model, TrainingStep
from kinema.learn.pieces import BUCKETS, PIECES, pieces_of
from kinema.learn.setting import Setting


class SymbolTable:
    """The symbols that a model knows, in its order: those of the grammar when it was trained.

    Attributes:
        symbols: all of them. begin: the number of what comes before the first one. copy: that of a word or a number of
            the sentence.
    """

    def __init__(self, symbols: Sequence[str] = SYMBOLS) -> None:
        self.symbols = tuple(symbols)
        self.begin, self.copy = len(self.symbols), len(self.symbols) + 1
        self._places = {symbol: at for at, symbol in enumerate(self.symbols)}

    def right_places(self, symbol: str, words: Sequence[str]) -> list[int]:
        """Where a symbol stands among the symbols and the words of a sentence behind them."""
        found = [self._places[symbol]] if symbol in self._places else []
        return found + [len(self.symbols) + at for at, word in enumerate(words) if symbol_of(word) == symbol]

    def seen(self, symbol: str) -> tuple[int, Sequence[int]]:
        """A symbol as the decoder sees it: its number, and the pieces of the word that it is."""
        if symbol.startswith("#") or symbol not in self._places:
            return self.copy, pieces_of(symbol[1:])
        return self._places[symbol], (0,) * PIECES


class Texts(NamedTuple):
    """A batch of `B` sentences of up to `S` words and `T` symbols.

    Attributes:
        pieces: int64 `[B, S, PIECES]`. known: bool `[B, S]`, where there is a word.
        before: int64 `[B, T]`: the symbols before each, `copied` `[B, T, PIECES]` the words that they are copies of.
        wanted: bool `[B, T, V + S]`: symbols and places of words that are right. counted: bool `[B, T]`.
    """

    pieces: Tensor
    known: Tensor
    before: Tensor
    copied: Tensor
    wanted: Tensor
    counted: Tensor


def to_texts(sentences: Sequence[Sentence]) -> Texts:
    """Sentences as numbers, for a model that knows the symbols of today's grammar."""
    table = SymbolTable()
    longest = max(len(each.words) for each in sentences)
    most = max(len(each.symbols) for each in sentences)
    pieces = np.zeros((len(sentences), longest, PIECES), np.int64)
    before = np.full((len(sentences), most), table.begin, np.int64)
    copied = np.zeros((len(sentences), most, PIECES), np.int64)
    wanted = np.zeros((len(sentences), most, len(table.symbols) + longest), bool)
    counted = np.zeros((len(sentences), most), bool)
    for row, each in enumerate(sentences):
        pieces[row, : len(each.words)] = [pieces_of(word) for word in each.words]
        counted[row, : len(each.symbols)] = True
        for at, symbol in enumerate(each.symbols):
            wanted[row, at, table.right_places(symbol, each.words)] = True
            if at + 1 < len(each.symbols):
                before[row, at + 1], copied[row, at + 1] = table.seen(symbol)
    known = (pieces != 0).any(-1)
    return Texts(*(torch.from_numpy(each) for each in (pieces, known, before, copied, wanted, counted)))


def symbol_of(word: str) -> str:
    """The symbol of a word that is copied."""
    number = number_of(word)
    return f"={word}" if number is None else f"#{number:.10g}"


@dataclass(frozen=True)
class Options:
    """Options of the network.

    Attributes:
        width: numbers of a word. hidden: numbers of a state. dropout: share that is left out in training.
    """

    width: int = 128
    hidden: int = 256
    dropout: float = 0.15


_LEAST = 1e-3  # probability of a way through the symbols that is followed

_State = tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]


class ReaderModel(Model):
    """Reads sentences as symbols."""

    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting)
        self.table = SymbolTable(setting.more["symbols"])
        width, hidden = options.width, options.hidden
        self.words = nn.Embedding(BUCKETS, width, padding_idx=0)
        nn.init.normal_(self.words.weight, std=1.0 / math.sqrt(3.0))
        self.symbols = nn.Embedding(len(self.table.symbols) + 2, width)
        self.encoder = nn.LSTM(width, hidden // 2, 2, batch_first=True, bidirectional=True, dropout=options.dropout)
        self.first = nn.LSTM(width, hidden, batch_first=True)
        self.second = nn.LSTM(hidden, hidden, batch_first=True)
        self.glances = nn.ModuleList(_Glance(hidden, options.dropout) for _ in range(2))
        self.out = nn.Linear(hidden, len(self.table.symbols))
        self.asked, self.offered = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)
        self.drop = nn.Dropout(options.dropout)

    def encode(self, pieces: Tensor, known: Tensor) -> Tensor:
        """Words in their sentences, `[B, S, hidden]`."""
        counts, given = known.sum(1).cpu(), self.drop(self._summed(pieces))
        packed = nn.utils.rnn.pack_padded_sequence(given, counts, batch_first=True, enforce_sorted=False)
        found = self.encoder(packed)[0]
        longest = pieces.shape[1]
        return self.drop(nn.utils.rnn.pad_packed_sequence(found, batch_first=True, total_length=longest)[0])

    def decode(
        self, memory: Tensor, known: Tensor, before: Tensor, copied: Tensor, state: _State | None = None
    ) -> tuple[Tensor, _State]:
        """Logarithms of the probabilities of symbols and words, `[B, T, V + S]`, and the state after them.

        Args:
            state: after the symbols that came before these; None at the beginning.
        """
        given = self.drop(self.symbols(before) + self._summed(copied))
        found, first = self.first(given, state[0] if state else None)
        found = self.glances[0](found, memory, known)
        more, second = self.second(found, state[1] if state else None)
        found = self.drop(self.glances[1](found + more, memory, known))
        copies = self.asked(found) @ self.offered(memory).transpose(1, 2) / math.sqrt(memory.shape[-1])
        copies = copies.masked_fill(~known[:, None], -torch.inf)
        return functional.log_softmax(torch.cat([self.out(found), copies], dim=-1), dim=-1), (first, second)

    def loss(self, batch: Texts, step: TrainingStep) -> dict[str, Tensor]:
        """The mean cross entropy of a symbol; a word that stands twice may be copied from either place."""
        memory = self.encode(batch.pieces, batch.known)
        found, _ = self.decode(memory, batch.known, batch.before, batch.copied)
        right = found.masked_fill(~batch.wanted, -1e4).logsumexp(-1)
        return {"symbols": -(right * batch.counted).sum() / batch.counted.sum()}

    def _summed(self, pieces: Tensor) -> Tensor:
        count = (pieces != 0).sum(-1, keepdim=True).clamp(min=1)
        return self.words(pieces).sum(-2) / count.sqrt()


class _Glance(nn.Module):
    """A look at the words of the sentence, and what follows from it."""

    def __init__(self, hidden: int, dropout: float) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(hidden, 4, batch_first=True)
        self.mixed = nn.Sequential(nn.Linear(2 * hidden, hidden), nn.GELU(), nn.Dropout(dropout))

    def forward(self, found: Tensor, memory: Tensor, known: Tensor) -> Tensor:
        heard = self.attention(found, memory, memory, key_padding_mask=~known, need_weights=False)[0]
        return found + self.mixed(torch.cat([found, heard], dim=-1))


@dataclass(frozen=True)
class Guess:
    """What the network reads: symbols, and how likely it holds them, from 0 to 1."""

    symbols: tuple[str, ...]
    probability: float


@dataclass
class _Path:
    """What has been written of a sentence on one way through the symbols."""

    sentence: int
    symbols: tuple[str, ...]
    logarithm: float


BEAMS = 4
"""Ways through the symbols that are kept for each sentence."""


@torch.inference_mode()
def guess(model: ReaderModel, sentences: Sequence[Sequence[str]], beams: int = BEAMS) -> list[list[Guess]]:
    """What the network reads in sentences of at most `MOST_WORDS` words, for each the likeliest first.

    Args:
        beams: ways that are followed at once for each sentence (beam search), and the most that come back.
    """
    longest = max(len(words) for words in sentences)
    pieces = torch.zeros(len(sentences), longest, PIECES, dtype=torch.int64)
    for row, words in enumerate(sentences):
        pieces[row, : len(words)] = torch.tensor([pieces_of(word) for word in words])
    known = (pieces != 0).any(-1)
    memory = model.encode(pieces, known)
    paths = [_Path(at, (), 0.0) for at in range(len(sentences))]
    ended: list[list[_Path]] = [[] for _ in sentences]
    before = torch.full((len(paths), 1), model.table.begin)
    copied = torch.zeros(len(paths), 1, PIECES, dtype=torch.int64)
    state: _State | None = None
    for _ in range(MOST_SYMBOLS):
        rows = torch.tensor([path.sentence for path in paths])
        likely, state = model.decode(memory[rows], known[rows], before, copied, state)
        open_: list[list[tuple[_Path, int]]] = [[] for _ in sentences]
        for row, (path, shares) in enumerate(zip(paths, likely[:, -1].exp().numpy(), strict=True)):
            for symbol, share in _likeliest(model.table, shares, sentences[path.sentence], beams):
                logarithm = path.logarithm + math.log(max(share, 1e-12))
                open_[path.sentence].append((_Path(path.sentence, (*path.symbols, symbol), logarithm), row))
        going: list[tuple[_Path, int]] = []
        for found, done in zip(open_, ended, strict=True):
            found.sort(key=lambda each: -each[0].logarithm)
            done += [path for path, _ in found[:beams] if path.symbols[-1] == END]
            done.sort(key=lambda each: -each.logarithm)
            worst = done[beams - 1].logarithm if len(done) >= beams else math.log(_LEAST)
            going += [each for each in found[:beams] if each[0].symbols[-1] != END and each[0].logarithm > worst]
        if not going:
            break
        paths, rows_before = [path for path, _ in going], torch.tensor([row for _, row in going])
        (first, carried), (second, kept) = state
        state = (first[:, rows_before], carried[:, rows_before]), (second[:, rows_before], kept[:, rows_before])
        seen = [model.table.seen(path.symbols[-1]) for path in paths]
        before = torch.tensor([[each[0]] for each in seen])
        copied = torch.tensor([[each[1]] for each in seen])
    return [[Guess(path.symbols, math.exp(path.logarithm)) for path in done[:beams]] for done in ended]


def _likeliest(table: SymbolTable, shares: np.ndarray, words: Sequence[str], count: int) -> list[tuple[str, float]]:
    """The likeliest symbols, each with what all its places have together."""
    known = len(table.symbols)
    best: list[int] = np.argsort(-shares)[: 2 * count].tolist()
    symbols = {table.symbols[at] if at < known else symbol_of(words[at - known]) for at in best if shares[at] > _LEAST}
    weighed = [(each, float(shares[table.right_places(each, words)].sum())) for each in sorted(symbols)]
    return sorted(weighed, key=lambda each: -each[1])[:count]
