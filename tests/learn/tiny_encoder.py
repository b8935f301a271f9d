"""An encoder of sentences with few random weights, in a folder."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, pre_tokenizers

WORDS = ["[UNK]", "a", "dog", "cat", "walks", "runs", "jumps", "slowly", "then"]
WIDTH, LAYERS, WIDE, PLACES = 8, 2, 16, 64


def tiny_encoder(folder: Path) -> Path:
    folder.mkdir(parents=True)
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    shape = {"hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": 2, "layer_norm_eps": 1e-12}
    (folder / "config.json").write_text(json.dumps({"model_type": "bert", **shape}))
    sizes = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        **layer("embeddings.LayerNorm", WIDTH),
    }
    for number in range(LAYERS):
        name = f"encoder.layer.{number}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            sizes |= layer(f"{name}.attention.{part}", WIDTH, WIDTH)
        sizes |= layer(f"{name}.intermediate.dense", WIDE, WIDTH) | layer(f"{name}.output.dense", WIDTH, WIDE)
        sizes |= layer(f"{name}.attention.output.LayerNorm", WIDTH) | layer(f"{name}.output.LayerNorm", WIDTH)
    drawn = torch.Generator().manual_seed(0)
    save_file({name: torch.randn(size, generator=drawn) for name, size in sizes.items()}, folder / "model.safetensors")
    return folder


def layer(name: str, *size: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": size, f"{name}.bias": size[:1]}
