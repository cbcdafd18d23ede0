"""What a caller is told of errors: what went wrong and when to come again, and nothing of the machine."""

from __future__ import annotations

import pytest

from coditect.engine.foundationdb.errors import translated
from coditect.errors import CoditectError, OverQuota, RateLimited
from coditect.server.problems import as_problem


class _FailureError(Exception):
    """As the binding raises it."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code
        self.description = b"in the cluster's own words"


@pytest.mark.parametrize("code", [1007, 1009, 1021, 1031, 1037, 1051, 1213, 1515])
def test_cluster_that_does_not_answer_is_told_without_where_it_is(code: int) -> None:
    """503 and when to come again; the cluster file, which opens the cluster to whoever reads it, is not named."""
    problem = as_problem(translated(_FailureError(code), "fdb:///srv/secret/fdb.cluster"))
    assert problem.status == 503
    assert problem.headers == {"Retry-After": "1"}
    assert f"code {code}" in problem.detail
    assert "in the cluster's own words" in problem.detail
    assert "secret" not in problem.title + problem.detail


def test_writers_that_came_first_are_a_conflict_without_where_it_was() -> None:
    """409: what was asked may be asked again, and is not the store's fault."""
    problem = as_problem(translated(_FailureError(1020), "fdb:///srv/secret/fdb.cluster"))
    assert problem.status == 409
    assert "secret" not in problem.title + problem.detail


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (OverQuota("as much work of this kind is under way", most=1, retry_after_s=30), 429, 30),
        (OverQuota("the tenant has as many documents as it was granted", documents=1), 429, None),
        (RateLimited("the service asks to slow down", retry_after_s=2.5), 503, 3),
        (RateLimited("the service asks to slow down", retry_after_s=None), 503, 1),
    ],
)
def test_caller_is_told_when_to_ask_again_where_waiting_helps(
    error: CoditectError, status: int, told: int | None
) -> None:
    """In the header alone, in whole seconds; a quota of what is kept does not grow by waiting."""
    problem = as_problem(error)
    assert (problem.status, problem.retry_after_s) == (status, told)
    assert "retry_after_s" not in problem.detail
