"""The envelope around stored values."""

from __future__ import annotations

import pytest

from coditect.errors import Corrupt
from coditect.keyspace import ENVELOPE_BYTES, POINTER, WHOLE, seal, seal_compressed, unseal


@pytest.mark.parametrize("form", [WHOLE, POINTER])
@pytest.mark.parametrize("payload", [b"", b"\0", b"x" * 10_000], ids=["empty", "nul", "long"])
def test_unseal_gives_back_what_was_sealed(payload: bytes, form: int) -> None:
    """Form and payload survive."""
    value = seal(b"key", payload, form)
    assert len(value) == len(payload) + ENVELOPE_BYTES
    assert unseal(b"key", value) == (form, payload)


@pytest.mark.parametrize("at", range(ENVELOPE_BYTES + 4))
def test_unseal_refuses_any_changed_bit(at: int) -> None:
    """Form, checksum and payload are all covered."""
    value = seal(b"key", b"text")
    for bit in range(8):
        changed = bytearray(value)
        changed[at] ^= 1 << bit
        with pytest.raises(Corrupt):
            unseal(b"key", bytes(changed))


@pytest.mark.parametrize("length", range(ENVELOPE_BYTES + 4))
def test_unseal_refuses_a_value_that_was_cut(length: int) -> None:
    """No shorter value opens, not even an empty one."""
    with pytest.raises(Corrupt):
        unseal(b"key", seal(b"key", b"text")[:length])


def test_unseal_refuses_a_value_under_another_key() -> None:
    """A value that was moved does not open."""
    with pytest.raises(Corrupt):
        unseal(b"other", seal(b"key", b"text"))


def test_unseal_refuses_an_unknown_form_with_a_right_checksum() -> None:
    """A form that a later version may write is not read as one of ours."""
    with pytest.raises(Corrupt):
        unseal(b"key", seal(b"key", b"text", form=3))


@pytest.mark.parametrize(
    ("form", "value"),
    [(WHOLE, "013aa06fa8b1d18dab"), (POINTER, "023961ed8353935e48")],
)
def test_sealed_bytes_are_those_of_every_release(form: int, value: str) -> None:
    """A stored value is read for years: its first byte says the form, eight bytes the sum, and the payload follows."""
    assert seal(b"key", b"text", form).hex() == value + b"text".hex()


@pytest.mark.parametrize("dictionary", [None, 0, 4])
@pytest.mark.parametrize("payload", [b"", b"short", b"The clerk shall sign. " * 20, bytes(range(256))])
def test_compressed_values_open_as_what_they_were(payload: bytes, dictionary: int | None) -> None:
    """Whether that took less room or not, the payload comes back whole; where it did not, it stands as it is."""
    value = seal_compressed(b"key", payload, dictionary)
    assert unseal(b"key", value) == (WHOLE, payload)
    assert len(value) <= len(seal(b"key", payload))
    assert (value == seal(b"key", payload)) == (b"clerk" not in payload)
