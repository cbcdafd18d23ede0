"""What a client makes of a witness' answers, and how long what is sent to it may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from coditect.errors import InvalidProof, Unreachable, UsageError
from coditect.transparency.checkpoints import Checkpoint, sign_checkpoint
from coditect.transparency.cosignatures import message_at
from coditect.transparency.merkle.tree import leaf_hash, node_hash
from coditect.transparency.notes import Note, Signature, SigningKey
from coditect.transparency.witness.client import cosigned
from coditect.transparency.witness.folder import FolderLastSeen
from coditect.transparency.witness.judgement import Witness, witness_key
from coditect.transparency.witness.submission import Submission

LOG = SigningKey("log.example.com", bytes([1]) * 32)
OWN = SigningKey("witness.example.com", bytes([2]) * 32)
NOTE = sign_checkpoint(Checkpoint(LOG.name, 9, bytes(32)), [LOG])
TEXT = Note.parse(NOTE.encode()).text.encode()

Asked = list[tuple[str, str, int]]


def _line(time_s: int = 7, key: SigningKey = OWN) -> str:
    own = witness_key(key)
    signed = key.sign(message_at(TEXT, time_s))
    return Signature(own.name, own.key_id, time_s.to_bytes(8, "big") + signed).line + "\n"


def _asking(*answers: tuple[int, str], last_size: int = 0) -> tuple[Asked, Callable[[], Note]]:
    """What is asked of a witness that answers so, and the asking."""
    asked: Asked = []
    waiting = list(answers)

    def send(url: str, body: bytes, kind: str, most: int) -> tuple[int, bytes]:
        asked.append((url, body.decode().partition("\n\n")[0], most))
        status, said = waiting.pop(0)
        return status, said.encode()

    def prove(first: int, second: int) -> Sequence[bytes]:
        return [bytes([first]) * 32, bytes([second]) * 32]

    key = witness_key(OWN)
    return asked, lambda: cosigned(NOTE, prove, "http://w//", key, last_size=last_size, send=send)


def _head(size: int) -> str:
    return str(Submission(size, (bytes([size]) * 32, bytes([9]) * 32) if size else (), "")).rstrip("\n")


@pytest.mark.parametrize("last_size", [0, 1, 9])
def test_a_witness_is_sent_the_proof_from_what_it_saw_last(last_size: int) -> None:
    """From nothing there is none to be sent; its answer may be as long as a submission."""
    asked, ask = _asking((200, _line()), last_size=last_size)
    assert str(ask()) == NOTE + _line()
    assert asked == [("http://w/add-checkpoint", _head(last_size), 64_000)]


def test_a_witness_that_saw_another_size_is_sent_the_proof_from_there() -> None:
    """Twice, since others may submit the same log meanwhile; the third time is left to another day."""
    asked, ask = _asking((409, "3\n"), (409, "9"), (200, _line()))
    assert str(ask()) == NOTE + _line()
    assert [head for _, head, _ in asked] == [_head(0), _head(3), _head(9)]
    asked, ask = _asking((409, "3\n"), (409, "4\n"), (409, "5\n"))
    with pytest.raises(Unreachable, match="does not cosign now"):
        ask()
    assert len(asked) == 3


@pytest.mark.parametrize(("last_size", "told"), [(0, "10\n"), (0, "0\n"), (3, "3\n"), (3, "10\n")])
def test_a_witness_that_saw_more_or_refuses_what_it_saw_knows_another_history(last_size: int, told: str) -> None:
    """More entries than there are, or another root at the size that it is shown."""
    asked, ask = _asking((409, told), last_size=last_size)
    with pytest.raises(InvalidProof, match="saw another history"):
        ask()
    assert len(asked) == 1


@pytest.mark.parametrize("told", ["", "\n", "-1\n", "1 \n", "1\n\n", "x\n", "1" * 20 + "\n"])
def test_a_size_is_digits_and_at_most_nineteen_of_them(told: str) -> None:
    """Anything else says nothing."""
    with pytest.raises(InvalidProof, match="does not say which size"):
        _asking((409, told))[1]()
    with pytest.raises(InvalidProof, match="saw another history"):
        _asking((409, "1" * 19 + "\n"))[1]()


@pytest.mark.parametrize(
    ("status", "error", "says"),
    [
        (422, InvalidProof, "saw another history"),
        (404, UsageError, "does not know this log"),
        (403, UsageError, "does not know the key of this log"),
        (400, UsageError, "refuses a checkpoint"),
        (499, UsageError, "refuses a checkpoint"),
        (500, Unreachable, "does not cosign now"),
        (501, Unreachable, "does not cosign now"),
    ],
)
def test_refusals_are_told_with_what_the_witness_said(status: int, error: type[Exception], says: str) -> None:
    """The beginning of it, once; nobody is asked again."""
    asked, ask = _asking((status, "y" * 200 + "no\n"))
    with pytest.raises(error, match=says) as refused:
        ask()
    assert refused.value.context["said"] == "y" * 200  # type: ignore[attr-defined]
    assert len(asked) == 1


def test_of_several_signatures_those_of_the_witness_are_taken_once() -> None:
    """Others are passed over, as is one of its own that does not verify, and one that is there already."""
    false = Signature(OWN.name, witness_key(OWN).key_id, bytes(72)).line + "\n"
    stranger = SigningKey("stranger.example.com", bytes([3]) * 32)
    _, ask = _asking((200, _line(key=stranger) + false + _line() + _line(8) + _line()))
    assert str(ask()) == NOTE + _line() + _line(8)
    for wrong in (false, _line(key=stranger), _line(key=SigningKey(OWN.name, bytes([4]) * 32))):
        with pytest.raises(InvalidProof, match="its cosignature"):
            _asking((200, wrong))[1]()


def test_a_submission_has_at_most_sixty_three_hashes() -> None:
    """As many as the largest log can need."""
    longest = Submission(1, (bytes(32),) * 63, NOTE)
    assert Submission.parse(str(longest).encode()) == longest
    with pytest.raises(InvalidProof):
        Submission.parse(str(Submission(1, (bytes(32),) * 64, NOTE)).encode())


@pytest.mark.parametrize("old", ["0", "9", "10", "9" * 19])
def test_a_submission_says_its_size_in_digits(old: str) -> None:
    """Up to nineteen of them."""
    assert Submission.parse(f"old {old}\n\nnote".encode()) == Submission(int(old), (), "note")


@pytest.mark.parametrize(
    "body", ["old 00\n\nn", "old 1\nn", "old\n\nn", "old 1 \n\nn", f"old 1{'0' * 19}\n\nn", "new 1\n\nn"]
)
def test_what_is_nearly_a_submission_is_none(body: str) -> None:
    """Another spelling of a number, no note, too long a number, another word."""
    with pytest.raises(InvalidProof):
        Submission.parse(body.encode())


def test_a_witness_signs_the_time_at_which_it_was_asked(tmp_path: object) -> None:
    """Also where a checkpoint of no entries was the last that it saw, which proves nothing of what comes next."""
    witness = Witness(OWN, {LOG.name: [LOG.key]}, FolderLastSeen(tmp_path / "w"))  # type: ignore[operator]
    root = node_hash(leaf_hash(b"a"), leaf_hash(b"b"))
    for size, at in ((0, 5), (0, 6), (2, 7)):
        note = sign_checkpoint(Checkpoint(LOG.name, size, root if size else bytes(32)), [LOG])
        answer = witness.add_checkpoint(str(Submission(0, (), note)).encode(), at)
        assert (answer.status, answer.content_type) == (200, "text/plain; charset=utf-8")
        signature = Note.parse(f"{note}{answer.body}".encode()).signatures[-1]
        assert witness_key(OWN).verifies(Note.parse(note.encode()).text.encode(), signature.data)
        assert signature.data[:8] == at.to_bytes(8, "big")
