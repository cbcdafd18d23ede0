"""Claims a second on two processes, and their memory: ten evidence sentences a claim, no embedder."""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from coditect_benchmarks.verification.formats import Case

__all__ = ["Speed", "measure_speed"]

_PROCESSES = 2
_SENTENCES = 10
_CLAIMS = 600


@dataclass(frozen=True, slots=True)
class Speed:
    """What two processes did together.

    Attributes:
        claims_per_s: contradictions, measures and probability, all of it.
        support_per_s: the same where the contradictions were found before.
        cpu_claims_per_s: as claims_per_s, by processor time: what two cores do that have nothing else to do.
        memory_mb: most of the two, peak resident, megabytes.
    """

    claims_per_s: float
    support_per_s: float
    cpu_claims_per_s: float
    memory_mb: float


def measure_speed(cases: Sequence[Case]) -> Speed:
    """Check claims on two fresh processes at once.

    Args:
        cases: those with at least ten sentences are taken, spread evenly, cut to ten.
    """
    long = [case for case in cases if len(case.evidence) >= _SENTENCES]
    step = max(1, len(long) // (_PROCESSES * _CLAIMS))
    work = [(case.claim, case.evidence[:_SENTENCES]) for case in long[::step]][: _PROCESSES * _CLAIMS]
    with ProcessPoolExecutor(_PROCESSES, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(_check, [work[number::_PROCESSES] for number in range(_PROCESSES)]))
    return Speed(
        sum(each[0] / each[1] for each in found),
        sum(each[0] / each[2] for each in found),
        sum(each[0] / each[3] for each in found),
        max(each[4] for each in found),
    )


def _check(work: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[int, float, float, float, float]:
    from coditect.verify.contradictions.rules import find_contradictions
    from coditect.verify.support.assessment import support

    for claim, evidence in work[:20]:
        support(claim, evidence)
    began, busy = time.perf_counter(), time.process_time()
    found = [find_contradictions(claim, evidence) for claim, evidence in work]
    between = time.perf_counter()
    for (claim, evidence), contradictions in zip(work, found, strict=True):
        support(claim, evidence, contradictions=contradictions)
    ended, busy = time.perf_counter(), time.process_time() - busy
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return len(work), ended - began, ended - between, busy, memory
