"""The network: two layers of a recurrent network that say of each word which act it begins, if any.

Labelling of sequences by a bidirectional LSTM: Z. Huang, W. Xu and K. Yu, "Bidirectional LSTM-CRF Models for Sequence
Tagging", 2015. It sees what the grammar makes of the words, so that it need not learn what is in the lexicon; in
training, words and what the lexicon says of them are withheld now and then, so that it reads words by what stands
around them, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from kinema.generation.captions.seen import FEATURES, READ, Captions, to_captions
from kinema.learn.model import Model, TrainingStep
from kinema.learn.pieces import BUCKETS
from kinema.learn.setting import Setting
from kinema.mocap.creatures.abilities import Abilities
from kinema.mocap.creatures.acts import ACTIONS

_WITHHELD = 0.12  # of the words
_UNLISTED = 0.15  # of the words: those of which lexicon and grammar say nothing


@dataclass(frozen=True)
class Options:
    """Options of the network.

    Attributes:
        width: numbers of a word. hidden: numbers of a state, both ways together. dropout: share that is left out in
            training.
    """

    width: int = 96
    hidden: int = 256
    dropout: float = 0.3


class CaptionModel(Model):
    """Finds in a caption the words that say what is done."""

    def __init__(self, setting: Setting, options: Options) -> None:
        super().__init__(setting)
        width, hidden = options.width, options.hidden
        self.words = nn.Embedding(BUCKETS, width, padding_idx=0)
        nn.init.normal_(self.words.weight, std=1.0 / math.sqrt(3.0))
        self.features = nn.Linear(FEATURES, width)
        self.layers = nn.LSTM(width, hidden // 2, 2, batch_first=True, bidirectional=True, dropout=options.dropout)
        self.said = nn.Linear(hidden + FEATURES, 1 + len(ACTIONS))
        self.earlier = nn.Linear(hidden + FEATURES, 1)
        self.drop = nn.Dropout(options.dropout)

    def forward(self, batch: Captions) -> tuple[Tensor, Tensor]:
        """Logarithms of the odds that each word says nothing or an act, `[B, S, 1 + ACTIONS]`, and that it is said of
        something earlier, `[B, S]`."""
        pieces, features = batch.pieces, batch.features
        if self.training:
            shape = pieces.shape[:2]
            pieces = pieces * (torch.rand(*shape, 1, device=pieces.device) > _WITHHELD)
            unlisted = (torch.rand(*shape, 1, device=pieces.device) > _UNLISTED).float()
            features = torch.cat([features[..., :READ] * unlisted, features[..., READ:]], dim=-1)
        count = (pieces != 0).sum(-1, keepdim=True).clamp(min=1)
        given = self.drop(self.words(pieces).sum(-2) / count.sqrt() + self.features(features))
        packed = nn.utils.rnn.pack_padded_sequence(
            given, batch.known.sum(1).cpu(), batch_first=True, enforce_sorted=False
        )
        found = nn.utils.rnn.pad_packed_sequence(
            self.layers(packed)[0], batch_first=True, total_length=pieces.shape[1]
        )[0]
        found = self.drop(found)
        able = torch.cat([torch.ones_like(batch.able[:, :1]), batch.able], dim=1)
        found = torch.cat([found, features], dim=-1)
        return self.said(found).masked_fill(~able[:, None], -1e4), self.earlier(found)[..., 0]

    def loss(self, batch: Captions, step: TrainingStep) -> dict[str, Tensor]:
        """The cross entropy of what words say, and of whether it is earlier, of a caption."""
        said, earlier = self(batch)
        right = functional.cross_entropy(said.transpose(1, 2), batch.said, reduction="none")
        heads = batch.said > 0
        order = functional.binary_cross_entropy_with_logits(earlier, batch.earlier.float(), reduction="none")
        count = len(batch.said)
        return {"said": (right * batch.known).sum() / count, "order": (order * heads).sum() / count}


@dataclass(frozen=True)
class Found:
    """What a network finds in a caption, as `Told` has it, and how sure it is of all of it, from 0 to 1."""

    heads: tuple[int, ...]
    actions: tuple[int, ...]
    earlier: tuple[bool, ...]
    probability: float


@torch.inference_mode()
def found_in(model: CaptionModel, texts: Sequence[tuple[str, Abilities]]) -> list[Found]:
    """What is done in captions, each with the body that it is said of."""
    model.eval()
    batch = to_captions(texts)
    said, earlier = model(batch)
    shares, best = said.softmax(-1).max(-1)
    sure = torch.where(batch.known, shares.log(), 0.0).sum(1).exp()
    found = []
    for row, known in enumerate(batch.known.sum(1).tolist()):
        heads = [at for at, action in enumerate(best[row, :known].tolist()) if action]
        actions = tuple(int(best[row, at]) - 1 for at in heads)
        before = tuple(bool(earlier[row, at] > 0) for at in heads)
        found.append(Found(tuple(heads), actions, before, float(sure[row])))
    return found
