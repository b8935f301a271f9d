"""Sentences as vectors, by an encoder that the user supplies.

A BERT whose tokens are averaged (N. Reimers and I. Gurevych, "Sentence-BERT", 2019), in a folder as the library
sentence-transformers saves it, such as all-MiniLM-L6-v2: `config.json`, `tokenizer.json` and `model.safetensors`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from kinema.arrays import Singles
from kinema.errors import LearningError, MissingError

CONFIG, TOKENIZER, WEIGHTS = "config.json", "tokenizer.json", "model.safetensors"

_LONGEST = 64  # tokens of a sentence that are read
_KEPT = 16_384  # vectors that are remembered


@dataclass(frozen=True)
class _Shape:
    width: int
    layers: int
    heads: int
    tiny: float

    @staticmethod
    def of(config: dict[str, Any]) -> _Shape:
        return _Shape(
            int(config["hidden_size"]),
            int(config["num_hidden_layers"]),
            int(config["num_attention_heads"]),
            float(config["layer_norm_eps"]),
        )


class SentenceEncoder:
    """Encodes sentences. Use `load`.

    Attributes:
        folder: where it is. width: numbers of a vector. hash: of its weights.
    """

    def __init__(self, folder: str, weights: dict[str, Tensor], shape: _Shape, tokenizer: Any, digest: str) -> None:
        self.folder, self.width, self.hash = folder, shape.width, digest
        self._weights, self._shape, self._tokenizer = weights, shape, tokenizer
        self._vector = lru_cache(maxsize=_KEPT)(self._encode)

    @staticmethod
    def load(folder: str | os.PathLike[str]) -> SentenceEncoder:
        """Read an encoder.

        Raises:
            LearningError: there is none, it is damaged, or no BERT.
            MissingError: the package `tokenizers` is not installed.
        """
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingError(
                "sentence encoders need the package tokenizers: pip install 'kinema[sentences]'"
            ) from None
        from safetensors.torch import load

        path = Path(folder)
        missing = [name for name in (CONFIG, TOKENIZER, WEIGHTS) if not (path / name).is_file()]
        if missing:
            raise LearningError(
                f"{path}: no sentence encoder there: {missing[0]} is missing; give a folder as sentence-transformers "
                f"saves it, with {CONFIG}, {TOKENIZER} and {WEIGHTS}"
            )
        try:
            config = json.loads((path / CONFIG).read_text(encoding="utf-8"))
            if config.get("model_type") != "bert":
                raise LearningError(
                    f"{path}: a sentence encoder of the type {config.get('model_type')!r}; those of the type 'bert' "
                    "can be used, such as all-MiniLM-L6-v2"
                )
            content = (path / WEIGHTS).read_bytes()
            weights = {name.removeprefix("bert."): each.float() for name, each in load(content).items()}
            tokenizer = Tokenizer.from_file(str(path / TOKENIZER))
            tokenizer.no_padding()
            tokenizer.enable_truncation(_LONGEST)
            found = SentenceEncoder(
                os.path.abspath(path), weights, _Shape.of(config), tokenizer, hashlib.sha256(content).hexdigest()
            )
            found(["walks"])
        except LearningError:
            raise
        except Exception as error:  # the tokenizers package raises no narrower one
            raise LearningError(f"{path}: the sentence encoder is damaged ({type(error).__name__}: {error})") from None
        return found

    def __call__(self, texts: Sequence[str]) -> Singles:
        """Vectors `[N, width]` of unit length; zeros for empty texts. Those of known texts are not worked out again."""
        vectors = [self._vector(text) if text.strip() else torch.zeros(self.width) for text in texts]
        return torch.stack(vectors).numpy() if vectors else torch.zeros(0, self.width).numpy()

    @torch.no_grad()
    def _encode(self, text: str) -> Tensor:
        numbers = torch.tensor(self._tokenizer.encode(text).ids)
        x = self._weights["embeddings.word_embeddings.weight"][numbers]
        x = x + self._weights["embeddings.position_embeddings.weight"][: len(numbers)]
        x = self._normed("embeddings.LayerNorm", x + self._weights["embeddings.token_type_embeddings.weight"][0])
        for number in range(self._shape.layers):
            layer = f"encoder.layer.{number}."
            q, k, v = (
                self._linear(f"{layer}attention.self.{part}", x).unflatten(-1, (self._shape.heads, -1)).transpose(0, 1)
                for part in ("query", "key", "value")
            )
            seen = functional.scaled_dot_product_attention(q, k, v).transpose(0, 1).flatten(1)
            x = self._normed(
                f"{layer}attention.output.LayerNorm", x + self._linear(f"{layer}attention.output.dense", seen)
            )
            wide = functional.gelu(self._linear(f"{layer}intermediate.dense", x))
            x = self._normed(f"{layer}output.LayerNorm", x + self._linear(f"{layer}output.dense", wide))
        return functional.normalize(x.mean(0), dim=-1)

    def _linear(self, name: str, x: Tensor) -> Tensor:
        return functional.linear(x, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _normed(self, name: str, x: Tensor) -> Tensor:
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return functional.layer_norm(x, x.shape[-1:], weight, bias, self._shape.tiny)
