"""The tuple encoding of FoundationDB, for what keys hold: text, byte strings, whole numbers, stamps and None.

Packed tuples sort as bytes as their elements do: None first, then byte strings, text, numbers; text by its code points, numbers by
their value, a tuple before those that it begins. Every FoundationDB client packs the same bytes, so rows can be found with any of
them; the encoding is written here because the official package needs a compiler to install and the embedded store does not need it.

Source: FoundationDB, "Tuple layer specification" (design/tuple.md); types 0x00, 0x01, 0x02, 0x0b to 0x1d and 0x33. As the
official Python binding does, numbers from 2**64 - 1 on are written with their length.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["Element", "Stamp", "pack", "pack_element", "unpack"]


class Stamp(bytes):
    """A place in the order of commits: the twelve bytes of a versionstamp, which the engine gives."""

    __slots__ = ()


Element = str | bytes | int | None
"""What can stand in a packed tuple; a byte string may be a :class:`Stamp`."""

_NONE = 0x00
_BYTES = 0x01
_TEXT = 0x02
_LONG_NEGATIVE = 0x0B
_ZERO = 0x14
_LONG_POSITIVE = 0x1D
_STAMP = 0x33
_STAMP_BYTES = 12

_NEGATIVE = range(_LONG_NEGATIVE, _ZERO)

_LONG = 2**64 - 1
"""The least magnitude that is written with its length."""

_LONGEST_BYTES = 255
"""A number's length is one byte."""


def pack(elements: Iterable[Element]) -> bytes:
    """The encoding of a tuple: that of its elements, one after the other.

    Raises:
        TypeError: an element that keys do not hold, such as a truth value.
        OverflowError: a number of more than 255 bytes.
        UnicodeEncodeError: a text with a lone surrogate.
    """
    return b"".join(map(pack_element, elements))


def pack_element(element: Element) -> bytes:
    """The encoding of a tuple of one element; see :func:`pack`."""
    if isinstance(element, str):
        return b"\x02" + element.encode().replace(b"\x00", b"\x00\xff") + b"\x00"
    if isinstance(element, Stamp):
        if len(element) != _STAMP_BYTES:
            raise TypeError("a stamp has twelve bytes")
        return b"\x33" + element
    if isinstance(element, bytes):
        return b"\x01" + element.replace(b"\x00", b"\x00\xff") + b"\x00"
    if element is None:
        return b"\x00"
    if isinstance(element, int) and not isinstance(element, bool):
        return _packed_number(element)
    raise TypeError(f"no element of a key: {type(element).__name__}")


def _packed_number(number: int) -> bytes:
    """A code for sign and length, then the magnitude, in the fewest bytes; of negative numbers its complement."""
    magnitude = abs(number)
    length = (magnitude.bit_length() + 7) // 8
    if length > _LONGEST_BYTES:
        raise OverflowError("a number of more than 255 bytes cannot stand in a key")
    positive = number == magnitude
    body = (number if positive else number + (1 << 8 * length) - 1).to_bytes(length, "big")
    if magnitude < _LONG:
        return bytes((_ZERO + length if positive else _ZERO - length,)) + body
    return bytes((_LONG_POSITIVE, length) if positive else (_LONG_NEGATIVE, length ^ 0xFF)) + body


def unpack(packed: bytes) -> tuple[Element, ...]:
    """The elements of a packed tuple.

    Raises:
        ValueError: not what :func:`pack` writes: other types, an element that is cut off, a number longer than it need be.
    """
    elements: list[Element] = []
    at = 0
    while at < len(packed):
        code = packed[at]
        if code in (_TEXT, _BYTES):
            end = _terminator(packed, at + 1)
            body = packed[at + 1 : end].replace(b"\x00\xff", b"\x00")
            elements.append(body.decode() if code == _TEXT else body)
            at = end + 1
        elif code == _NONE:
            elements.append(None)
            at += 1
        elif code == _STAMP and len(packed) >= at + 1 + _STAMP_BYTES:
            elements.append(Stamp(packed[at + 1 : at + 1 + _STAMP_BYTES]))
            at += 1 + _STAMP_BYTES
        elif _LONG_NEGATIVE <= code <= _LONG_POSITIVE:
            number, end = _number(packed, at)
            elements.append(number)
            at = end
        else:
            raise ValueError(f"a packed tuple has an element of the unknown type {code:#04x}")
    return tuple(elements)


def _terminator(packed: bytes, start: int) -> int:
    """Where the text or byte string that begins at ``start`` ends: at a zero byte that no 0xFF follows."""
    try:
        at = packed.index(b"\x00", start)
        while packed.startswith(b"\xff", at + 1):
            at = packed.index(b"\x00", at + 2)
    except ValueError:
        raise ValueError("a packed tuple is cut off") from None
    return at


def _number(packed: bytes, at: int) -> tuple[int, int]:
    """(the number that begins at ``at``, where the next element begins)."""
    code, start = packed[at], at + 1
    if code in (_LONG_NEGATIVE, _LONG_POSITIVE):
        said = int.from_bytes(packed[start : start + 1], "big")
        length = said if code == _LONG_POSITIVE else said ^ 0xFF
        start += 1
    else:
        length = abs(code - _ZERO)
    end = start + length
    number = int.from_bytes(packed[start:end], "big") - ((1 << 8 * length) - 1 if code in _NEGATIVE else 0)
    if packed[at:end] != _packed_number(number):
        raise ValueError("a packed tuple holds a number that is cut off, or longer than it need be")
    return number, end
