"""Asks a witness for its cosignature on a checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coditect.errors import InvalidProof, Unreachable, UsageError
from coditect.transparency.checkpoints import Checkpoint
from coditect.transparency.cosignatures import COSIGNATURE
from coditect.transparency.exchange import Exchange, exchange
from coditect.transparency.notes import Note, Signature, VerifierKey
from coditect.transparency.witness.submission import MOST_BYTES, Submission

__all__ = ["cosigned"]

_MOST_CONFLICTS = 3
"""Others may submit the same log meanwhile; who is told another size this often gives up."""


def cosigned(
    note: str,
    prove: Callable[[int, int], Sequence[bytes]],
    url: str,
    key: VerifierKey,
    *,
    last_size: int = 0,
    send: Exchange = exchange,
) -> Note:
    """A checkpoint with the cosignature of a witness.

    Args:
        note: the signed checkpoint.
        prove: the consistency proof between two sizes of the log.
        url: the witness' submission prefix.
        key: the witness' key; only its cosignatures are taken.
        last_size: of the last checkpoint that it cosigned, as far as is known; it says so if that is not so.
        send: carries a request.

    Raises:
        InvalidProof: it saw another history (409 at this size, 422), or more of the log than there is; or what it answers is not
            its cosignature on this checkpoint.
        UsageError: it does not know the log or its key (404, 403).
        Unreachable: it does not answer, or fails.
    """
    signed = Note.parse(note.encode())
    checkpoint = Checkpoint.parse(signed.text)
    if key.algorithm != COSIGNATURE:
        raise UsageError("not the key of a witness", key=str(key), hint="Its type is that of cosignatures, 4.")
    size = last_size
    for _ in range(_MOST_CONFLICTS):
        proof = tuple(prove(size, checkpoint.size)) if size else ()
        status, body = send(
            f"{url.rstrip('/')}/add-checkpoint", str(Submission(size, proof, note)).encode(), "text/plain", MOST_BYTES
        )
        if status == 200:
            return _with_cosignature(signed, body, key)
        if status != 409:
            break
        told = _size(body, url)
        if told == size or told > checkpoint.size:
            raise InvalidProof(
                "a witness saw another history of this log",
                url=url,
                size=checkpoint.size,
                witnessed=told,
                hint="Somebody showed it entries that are not in this log. Do not go on before it is known who.",
            )
        size = told
    said = body[:200].decode(errors="replace").strip()
    if status >= 500 or status == 409:
        raise Unreachable("a witness does not cosign now", url=url, status=status, said=said)
    if status == 422:
        raise InvalidProof("a witness saw another history of this log", url=url, said=said)
    why = {404: "a witness does not know this log", 403: "a witness does not know the key of this log"}
    raise UsageError(
        why.get(status, "a witness refuses a checkpoint"),
        url=url,
        status=status,
        said=said,
        hint="Tell who runs it the log's key.",
    )


def _size(body: bytes, url: str) -> int:
    text = body.decode("ascii", errors="replace")
    digits = text.removesuffix("\n")
    if not digits.isdecimal() or len(digits) > 19:
        raise InvalidProof("a witness does not say which size it saw", url=url, said=text[:100])
    return int(digits)


def _with_cosignature(signed: Note, body: bytes, key: VerifierKey) -> Note:
    """The checkpoint with those of the answered signatures that are the witness' own and verify; others are passed over."""
    text = signed.text.encode()
    try:
        answered = Note.parse(text + b"\n" + body).signatures
    except InvalidProof as error:
        raise InvalidProof(
            "a witness does not answer with signatures", said=body[:200].decode(errors="replace")
        ) from error
    own: list[Signature] = [
        each
        for each in answered
        if (each.name, each.key_id) == (key.name, key.key_id) and key.verifies(text, each.data)
    ]
    if not own:
        raise InvalidProof("a witness does not answer with its cosignature", key=str(key))
    return Note(signed.text, tuple(dict.fromkeys((*signed.signatures, *own))))
