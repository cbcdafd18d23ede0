"""What goes wrong, and when: a list of faults, each with the requests that it meets. The first that applies counts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from tests.llm_server.answers_misbehaving import Misbehaviour

__all__ = ["TRANSPORT_FAULTS", "Asked", "Fault", "FaultKind", "fault_for", "faults_from_json", "faults_to_json"]

TransportFault = Literal[
    "rate_limited",  # 429, with retry-after if given
    "overloaded",  # 529
    "error",  # the status of the fault, 500 unless said otherwise
    "drop_before",  # the connection closes before the first byte of the answer
    "drop_after",  # it closes in the middle of the answer
    "stall",  # the answer begins and then stops coming for pause_s, then the connection closes
    "slow",  # a stream with pause_s before every event, and everything arrives
    "stream_error",  # an "error" event in the middle of a stream; 529 for an answer in one piece
    "no_end",  # a stream that ends without its last events; an answer in one piece without a stop reason
    "not_json",  # 200, with a proxy's page
]
AnswerFault = Literal["refusal", "truncation"]
BatchFault = Literal["errored", "expired"]
FaultKind = TransportFault | AnswerFault | BatchFault | Misbehaviour
TRANSPORT_FAULTS: tuple[TransportFault, ...] = get_args(TransportFault)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a fault may depend on.

    Attributes:
        endpoint: "messages" for message requests, batched or not; otherwise as in the journal: "batches.create", ….
        number: of the call to this endpoint since the server began, from 0.
        attempt: how often this very request was asked, this time included, from 1.
        role: recognised from the request; "" if not.
        sha256: of the request.
        batched: within a batch.
        body: the request as JSON, to look for words in it.
    """

    endpoint: str
    number: int
    attempt: int
    role: str
    sha256: str
    batched: bool
    body: bytes


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong. Conditions that are not given always hold.

    Attributes:
        kind: what goes wrong.
        endpoint: that it meets; other endpoints than "messages" know the faults of transport alone, as for whole answers.
        requests: numbers of the requests that it meets, from 0.
        roles: roles that it meets.
        containing: words that the request must contain, as they stand in JSON without escapes for other alphabets.
        share: of the requests, 0..1, chosen by their hash and their attempt: the same requests meet the same fate.
        seed: another choice.
        attempts: it meets this many attempts at the same request and no more; None: all.
        batched: only within (True) or without (False) a batch; None: both.
        status: of "error".
        retry_after: header of "rate_limited" and "overloaded", as it is sent; "" for none.
        pause_s: of "stall" and "slow".
        events: events that a stream sends before it goes wrong.
    """

    kind: FaultKind
    endpoint: str = "messages"
    requests: tuple[int, ...] = ()
    roles: tuple[str, ...] = ()
    containing: str = ""
    share: float = 1.0
    seed: int = 0
    attempts: int | None = None
    batched: bool | None = None
    status: int = 500
    retry_after: str = ""
    pause_s: float = 60.0
    events: int = 4

    def meets(self, asked: Asked) -> bool:
        """Whether it applies to a request."""
        return (
            self.endpoint == asked.endpoint
            and (not self.requests or asked.number in self.requests)
            and (not self.roles or asked.role in self.roles)
            and (self.attempts is None or asked.attempt <= self.attempts)
            and (self.batched is None or asked.batched == self.batched)
            and (not self.containing or self.containing.encode() in asked.body)
            and (self.share >= 1.0 or self._chance(asked) < self.share)
        )

    def _chance(self, asked: Asked) -> float:
        drawn = hashlib.sha256(f"{self.seed} {self.kind} {asked.sha256} {asked.attempt}".encode()).digest()
        return int.from_bytes(drawn[:8], "big") / 2**64


def fault_for(asked: Asked, faults: Iterable[Fault]) -> Fault | None:
    """The first fault that meets a request."""
    return next((fault for fault in faults if fault.meets(asked)), None)


def faults_to_json(faults: Iterable[Fault]) -> str:
    """For the command line."""
    return json.dumps([asdict(fault) for fault in faults])


def faults_from_json(text: str) -> tuple[Fault, ...]:
    """From the command line; lists become tuples."""
    return tuple(Fault(**_tuples(each)) for each in json.loads(text))


def _tuples(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
