"""Ordinary files with seeded damage: what a bad disk, a bad cable or an attacker without a plan makes of them."""

from __future__ import annotations

import random
from collections.abc import Callable

__all__ = ["mutated"]


def mutated(raw: bytes, seed: int) -> bytes:
    """A file with one to eight damages; the same seed gives the same.

    Args:
        raw: the sound file.
        seed: which damages, and where.
    """
    chance = random.Random(seed)  # noqa: S311 - not a secret
    body = bytearray(raw)
    for _ in range(chance.randint(1, 8)):
        if body:
            chance.choice(_DAMAGES)(body, chance)
    return bytes(body)


def _flip(body: bytearray, chance: random.Random) -> None:
    body[chance.randrange(len(body))] ^= 1 << chance.randrange(8)


def _overwrite(body: bytearray, chance: random.Random) -> None:
    begin, end = _stretch(body, chance)
    body[begin:end] = chance.randbytes(end - begin)


def _remove(body: bytearray, chance: random.Random) -> None:
    begin, end = _stretch(body, chance)
    del body[begin:end]


def _repeat(body: bytearray, chance: random.Random) -> None:
    begin, end = _stretch(body, chance)
    body[end:end] = body[begin:end] * chance.choice((1, 2, 100))


def _move(body: bytearray, chance: random.Random) -> None:
    begin, end = _stretch(body, chance)
    taken = bytes(body[begin:end])
    del body[begin:end]
    at = chance.randrange(len(body) + 1)
    body[at:at] = taken


def _cut_off(body: bytearray, chance: random.Random) -> None:
    del body[chance.randrange(len(body)) :]


def _enlarge(body: bytearray, chance: random.Random) -> None:
    """A digit becomes a number that nothing has so many of."""
    digits = [at for at, byte in enumerate(body[:100_000]) if byte in b"0123456789"]
    if digits:
        at = chance.choice(digits)
        body[at : at + 1] = chance.choice((b"0", b"-1", b"99999999999", b"4294967295", b"1e308"))


def _fill(body: bytearray, chance: random.Random) -> None:
    begin, end = _stretch(body, chance)
    body[begin:end] = chance.choice((b"\0", b"\xff", b" ", b"(", b"<")) * (end - begin)


def _stretch(body: bytearray, chance: random.Random) -> tuple[int, int]:
    begin = chance.randrange(len(body))
    return begin, min(len(body), begin + chance.choice((1, 4, 64, 1024)))


_DAMAGES: tuple[Callable[[bytearray, random.Random], None], ...] = (
    _flip,
    _overwrite,
    _remove,
    _repeat,
    _move,
    _cut_off,
    _enlarge,
    _fill,
)
