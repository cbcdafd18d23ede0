"""Time stamps on checkpoints: against a local authority, and against what others' authorities gave. RFC 3161."""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from datetime import UTC, datetime

import pytest
from coditect_verify.log import Wrong
from coditect_verify.timestamps import verified_time
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID

from coditect.errors import InvalidProof, Unreachable, UsageError
from coditect.store.store import Store
from coditect.transparency.sequencer import TransparencyLog
from coditect.transparency.timestamps import request_timestamp, verify_timestamp
from tests.unit.transparency.time_authority import TimeAuthority
from tests.unit.transparency.vector_files import vectors

TEXT = b"log.example.com/tests\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"


def _year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


NOW = datetime(2026, 6, 1, 12, 0, 0, tzinfo=UTC)
AUTHORITY = TimeAuthority((_year(2020), _year(2040)))


def _public() -> list[tuple[str, bytes, bytes, bytes, bool]]:
    found = vectors("rfc3161")
    chains = {
        name: b"".join(x509.load_der_x509_certificate(b64decode(each)).public_bytes(Encoding.PEM) for each in chain)
        for name, chain in found["authorities"].items()
    }
    return [
        (name, chains[authority], b64decode(message), b64decode(token), result == "valid")
        for name, authority, message, token, result in found["cases"]
    ]


def _holds(token: bytes, message: bytes, authority: bytes) -> bool:
    """What both of our checks say, which must be the same."""
    try:
        ours: datetime | None = verify_timestamp(token, message, authority)
    except InvalidProof:
        ours = None
    try:
        verifiers: datetime | None = verified_time(token, message, authority)
    except Wrong:
        verifiers = None
    assert ours == verifiers
    return ours is not None


def test_public_fixtures_pass_and_are_refused() -> None:
    """The ten of rfc3161-client, two of them spoilt; none for another message, none by another's root, none with a flipped bit."""
    counted: Counter[tuple[str, bool]] = Counter()
    cases = _public()
    for name, authority, message, token, valid in cases:
        assert _holds(token, message, authority) is valid, name
        counted["as they are", valid] += 1
        if valid:
            assert not _holds(token, message + b" ", authority)
            assert not _holds(token, message, AUTHORITY.certificates)
            spoilt = bytearray(token)
            spoilt[-5] ^= 1  # in the signature
            assert not _holds(bytes(spoilt), message, authority)
            counted["changed", False] += 3
    assert counted == {("as they are", True): 8, ("as they are", False): 2, ("changed", False): 24}


def test_stamp_of_a_local_authority_is_verified_and_kept_with_its_checkpoint(memory: Store) -> None:
    """The request's nonce is in the answer, the time is the authority's; stored once, beside others, at its size."""
    token, time = request_timestamp(
        TEXT,
        "http://tsa",
        AUTHORITY.certificates,
        send=lambda url, body, kind, most: (200, AUTHORITY.answer(body, NOW)),
    )
    assert time == NOW
    assert _holds(token, TEXT, AUTHORITY.certificates)
    log = TransparencyLog(memory.engine, memory.keys)
    for each in (token, token, b"another"):
        log.add_timestamp(3, each)
    assert log.timestamps(3) == [token, b"another"]
    assert log.timestamps(4) == []


def test_stamp_is_judged_at_its_own_time() -> None:
    """Certificates that expired since do not matter; those that were not valid then do."""
    expired = TimeAuthority((_year(2015), _year(2017)))
    assert _holds(expired.stamp(TEXT, _year(2016)), TEXT, expired.certificates)
    assert not _holds(expired.stamp(TEXT, NOW), TEXT, expired.certificates)
    assert not _holds(AUTHORITY.stamp(TEXT, _year(2016)), TEXT, AUTHORITY.certificates)


def test_a_stamp_may_leave_the_certificate_of_its_authority_out() -> None:
    """Then it is taken from those that were given, among which it has to be, before or behind the root."""
    bare, own, root = (
        AUTHORITY.stamp(TEXT, NOW, bare=True),
        AUTHORITY.own.public_bytes(Encoding.PEM),
        AUTHORITY.certificates,
    )
    assert _holds(bare, TEXT, own + root)
    assert _holds(bare, TEXT, root + own)
    assert not _holds(bare, TEXT, root)
    assert not _holds(bare, TEXT + b"x", root + own)


def test_answers_that_are_no_stamp_on_this_request_are_refused() -> None:
    """Replayed, by a key for something else, on another text, no token, an error; and what is no authority."""

    def ask(answer: bytes, status: int = 200, authority: bytes = AUTHORITY.certificates) -> None:
        request_timestamp(TEXT, "http://tsa", authority, send=lambda *_: (status, answer))

    web = TimeAuthority((_year(2020), _year(2040)), ExtendedKeyUsageOID.SERVER_AUTH)
    with pytest.raises(InvalidProof):
        ask(AUTHORITY.stamp(TEXT, NOW, nonce=5))
    with pytest.raises(InvalidProof):
        ask(b"no token")
    with pytest.raises(Unreachable):
        ask(b"", 500)
    with pytest.raises(UsageError):
        ask(AUTHORITY.stamp(TEXT, NOW), authority=b"no certificate")
    with pytest.raises(UsageError):
        ask(AUTHORITY.stamp(TEXT, NOW), authority=AUTHORITY.own.public_bytes(Encoding.PEM))
    assert not _holds(web.stamp(TEXT, NOW), TEXT, web.certificates)
    assert not _holds(AUTHORITY.stamp(TEXT + b"x", NOW), TEXT, AUTHORITY.certificates)
