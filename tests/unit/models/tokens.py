"""The light embedder's tokenizer as the library reads it, and texts to try it with."""

from __future__ import annotations

from hypothesis import strategies as st
from tokenizers import Tokenizer

from coditect.models.wordllama.embedder import wordllama_folder
from coditect.testing.embedder.conformance import AWKWARD_TEXTS

__all__ = ["PAYLOAD", "texts", "tokenizer_of"]

PAYLOAD = (wordllama_folder() / "tokenizers/l2_supercat_tokenizer_config.json").read_bytes()
"""The tokenizer's file."""

texts = st.one_of(
    st.text(max_size=300),
    st.text("ab ▁\n<s>/0x:é\u2028日\U0001f680\ud800", max_size=60),
    st.lists(st.sampled_from(["the", "processor", "shall", "<s>", "▁", "  ", "\t", "14.2.3", "Ä"])).map(" ".join),
    st.sampled_from(AWKWARD_TEXTS),
)
"""Any text, and such as tokenizers stumble over."""


def tokenizer_of(payload: bytes) -> Tokenizer:
    """As the embedder makes it."""
    tokenizer = Tokenizer.from_buffer(payload)
    tokenizer.encode_special_tokens = True
    return tokenizer
