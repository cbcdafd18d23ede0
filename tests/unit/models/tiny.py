"""Tiny random models in the shapes of large ones, the same every time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["TEXTS", "make_m3", "make_reranker"]

TEXTS = (
    "The supplier shall notify the bank of an incident within 72 hours.",
    "Suppliers must inform banks about incidents in three days.",
    "A processor keeps records of processing activities.",
    "Records are kept for at least seven years, or longer where a legal hold stands.",
    "Chocolate cake needs butter.",
    "clause",
    " ".join(["The right to audit extends to subcontractors."] * 20),
)


def make_m3(folder: Path) -> Path:
    """A model of BGE-M3's shape: XLM-RoBERTa and two linear layers."""
    import torch
    from transformers import XLMRobertaModel

    config = _save_tokenizer(folder)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(11)
        XLMRobertaModel(config).save_pretrained(folder)
        for name, width in (("colbert_linear.pt", config.hidden_size), ("sparse_linear.pt", 1)):
            torch.save(torch.nn.Linear(config.hidden_size, width).state_dict(), folder / name)
    return folder


def make_reranker(folder: Path) -> Path:
    """A cross-encoder of bge-reranker's shape."""
    import torch
    from transformers import XLMRobertaForSequenceClassification

    config = _save_tokenizer(folder, num_labels=1)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(12)
        XLMRobertaForSequenceClassification(config).save_pretrained(folder)
    return folder


def _save_tokenizer(folder: Path, **settings: Any) -> Any:  # noqa: ANN401 - a transformers config
    """A unigram tokenizer of this module's words and letters; returns a small XLM-RoBERTa's configuration for it.

    It is written, not trained: training gives other pieces every time.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, XLMRobertaConfig

    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    words = sorted({f"\u2581{word}" for text in TEXTS for word in text.split()})
    letters = sorted({letter for word in words for letter in word})
    scores = (
        [(piece, 0.0) for piece in special] + [(word, -5.0) for word in words] + [(letter, -9.0) for letter in letters]
    )
    tokenizer = Tokenizer(models.Unigram(scores, unk_id=special.index("<unk>")))
    tokenizer.add_special_tokens(special)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        cls_token="<s>",
        eos_token="</s>",
        sep_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        mask_token="<mask>",
        model_input_names=["input_ids", "attention_mask"],
        model_max_length=128,
    ).save_pretrained(folder)
    return XLMRobertaConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=130,
        pad_token_id=1,
        initializer_range=0.3,  # far from nothing, or all texts look alike to it
        **settings,
    )
