"""RFC 3161 time stamps on checkpoints: an authority says that it saw one at a time. Needs the extra ``timestamp``.

The text of the checkpoint is what is stamped, so signatures that are added later change nothing.
"""

from __future__ import annotations

from datetime import datetime
from types import ModuleType

from coditect.errors import InvalidProof, Unreachable, UsageError
from coditect.transparency.exchange import Exchange, exchange

__all__ = ["request_timestamp", "verify_timestamp"]

MOST_BYTES = 100_000
"""Of an answer."""


def _library() -> ModuleType:
    try:
        import rfc3161_client
    except ImportError as error:
        raise UsageError(
            "time stamps need a library that is not installed", hint="pip install 'coditect-knowledge[timestamp]'"
        ) from error
    return rfc3161_client


def request_timestamp(text: bytes, url: str, authority: bytes, *, send: Exchange = exchange) -> tuple[bytes, datetime]:
    """Have a checkpoint stamped, and check the stamp before it is believed.

    Args:
        text: of the checkpoint, with its last line end.
        url: of the authority.
        authority: its certificates in PEM: roots, and what stands between.
        send: carries a request.
    Returns:
        The response in DER, and the time in it.

    Raises:
        InvalidProof: the answer is no time stamp of this authority on this text, or on another request.
        Unreachable: it does not answer, or fails.
        UsageError: the extra is not installed, or the certificates cannot be read.
    """
    library = _library()
    request = library.TimestampRequestBuilder().data(text).nonce(nonce=True).cert_request(cert_request=True).build()
    status, answer = send(url, request.as_bytes(), "application/timestamp-query", MOST_BYTES)
    if status != 200:
        raise Unreachable("a time stamp authority does not answer", url=url, status=status)
    return answer, verify_timestamp(answer, text, authority, nonce=request.nonce)


def verify_timestamp(token: bytes, text: bytes, authority: bytes, *, nonce: int | None = None) -> datetime:
    """The time at which an authority saw a text, by certificates that were valid then: what expired since does not matter.

    Args:
        token: the response in DER.
        text: what was stamped.
        authority: its certificates in PEM.
        nonce: of the request, where this is the answer to one.

    Raises:
        InvalidProof: it does not say that.
        UsageError: the extra is not installed, or the certificates cannot be read.
    """
    library = _library()
    roots, intermediates, own = _certificates(authority)
    try:
        found = library.decode_timestamp_response(token)
        leaf = None if found.signed_data.certificates else own
        verifier = library.VerifierBuilder(
            roots=roots, intermediates=intermediates, tsa_certificate=leaf, nonce=nonce
        ).build()
        verifier.verify_message(found, text)
        time: datetime = found.tst_info.gen_time
    except (ValueError, library.VerificationError) as error:
        raise InvalidProof("a time stamp does not verify", reason=str(error)) from error
    return time


def _certificates(authority: bytes) -> tuple[list[object], list[object], object | None]:
    """(roots, those between, the authority's own, which a token may leave out)."""
    from cryptography import x509

    try:
        found = x509.load_pem_x509_certificates(authority)
    except ValueError as error:
        raise UsageError("the authority's certificates cannot be read", reason=str(error)) from error
    roots: list[object] = [each for each in found if each.subject == each.issuer]
    if not roots:
        raise UsageError("no root is among the authority's certificates", hint="Give a PEM file with its root.")
    between: list[object] = [each for each in found if each.subject != each.issuer]
    return roots, between, next(iter(between), None)
