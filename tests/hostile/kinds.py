"""What a kind of hostile file is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Kind"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of hostile file.

    Attributes:
        name: what is wrong with it, in a few words with hyphens.
        suffix: of the file's name.
        make: gives the bytes of a file of some size; the same size gives the same bytes.
        small: the size that the tests use: enough to take another way through the program, and cheap where it holds.
        large: the sizes that the benchmark uses, which hung or killed programs that trusted their input.
        refused: whether the file must be refused; otherwise it may be read or refused.
    """

    name: str
    suffix: str
    make: Callable[[int], bytes]
    small: int
    large: tuple[int, ...]
    refused: bool = False
