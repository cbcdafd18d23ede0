"""The key and what documents say appear in no log and no error; the library is opened when it is needed."""

from __future__ import annotations

import logging
import pickle
import subprocess
import sys
import traceback

import pytest
from structlog.testing import capture_logs

from coditect.errors import ModelError, UsageError
from coditect.models.claude.service import ClaudeLlm
from tests.llm_server import Fault, LlmServer
from tests.unit.models.claude.requests import KEY, SECRET_TEXT, prose, structured

_IMPORT = """
import sys
from coditect.models.claude.service import ClaudeLlm
ClaudeLlm("sk-test")
print([name for name in ("anthropic", "httpx2") if name in sys.modules])
"""


def test_importing_the_adapter_opens_no_library() -> None:
    """Importing and making an adapter is free: the library comes with the first call."""
    ran = subprocess.run([sys.executable, "-c", _IMPORT], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_missing_library_is_told_with_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library, the error says what to install, and does not show the key."""
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(UsageError) as caught:
        ClaudeLlm(KEY)
    assert "[claude]" in (caught.value.hint or "")
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("key", ["", "   ", "sk-\ntest", "schlüssel"])
def test_impossible_key_is_refused_unseen(key: str) -> None:
    """A key that cannot be one is refused, and not shown."""
    with pytest.raises(UsageError) as caught:
        ClaudeLlm(key)
    assert not key.strip() or key.strip() not in str(caught.value)


@pytest.mark.parametrize("address", ["", "localhost:80", "ftp://x", "http://", "http://x:0", "http://x:99999"])
def test_impossible_address_is_refused(address: str) -> None:
    """An address that is none is refused at once."""
    with pytest.raises(UsageError):
        ClaudeLlm(KEY, address)


@pytest.mark.parametrize("timeout_s", [0.0, -1.0, float("nan")])
def test_impossible_time_limit_is_refused(timeout_s: float) -> None:
    """A time limit is positive."""
    with pytest.raises(UsageError):
        ClaudeLlm(KEY, timeout_s=timeout_s)


@pytest.mark.parametrize("stream_above_tokens", [0, 100_000], ids=["stream", "whole"])
@pytest.mark.parametrize(
    "kind",
    ["error", "rate_limited", "drop_before", "drop_after", "not_json", "refusal", "truncation", "malformed_json"],
)
async def test_error_shows_neither_key_nor_content(
    server: LlmServer, caplog: pytest.LogCaptureFixture, kind: str, stream_above_tokens: int
) -> None:
    """What went wrong is logged once, with neither the key nor the request nor the answer; nor does a traceback hold them."""
    caplog.set_level(logging.DEBUG)
    server.terms.faults = [Fault(kind)]  # type: ignore[arg-type] # one of its kinds
    request = structured(SECRET_TEXT) if kind == "malformed_json" else prose(SECRET_TEXT)
    llm = ClaudeLlm(KEY, server.base_url, stream_above_tokens=stream_above_tokens)
    with capture_logs() as logs, pytest.raises(ModelError) as caught:
        await llm.complete(request)
    await llm.close()
    error = caught.value
    told = (
        "".join(traceback.format_exception(error)) + repr(error) + repr(error.context) + repr(llm) + repr(llm.batches)
    )
    for shown in (told, repr(logs), caplog.text):
        assert KEY not in shown
        assert SECRET_TEXT not in shown
    assert [entry["event"] for entry in logs] == ["claude_failed"]
    assert logs[0]["request"] == request.sha256
    assert pickle.loads(pickle.dumps(error)).context == error.context  # noqa: S301 - our own


async def test_traceback_with_variables_hides_the_key(server: LlmServer) -> None:
    """Even a traceback that prints the variables of every frame has no key."""
    server.terms.faults = [Fault("error")]
    llm = ClaudeLlm(KEY, server.base_url)
    with pytest.raises(ModelError) as caught:
        await llm.complete(prose())
    await llm.close()
    shown = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    assert KEY not in "".join(shown.format())


async def test_answer_is_logged_with_its_request_id(claude: ClaudeLlm, server: LlmServer) -> None:
    """The log names the service's id of each call and what it took, and none of the words."""
    with capture_logs() as logs:
        answer = await claude.complete(prose(SECRET_TEXT))
    (entry,) = logs
    assert entry["event"] == "claude_answered"
    assert entry["request_id"] == answer.request_id != ""
    assert entry["output_tokens"] == answer.usage.output_tokens
    assert SECRET_TEXT not in repr(logs)
    assert KEY not in repr(logs)


async def test_library_logs_no_content_at_debug(claude: ClaudeLlm, caplog: pytest.LogCaptureFixture) -> None:
    """The library writes requests to its log at DEBUG; it is kept from it."""
    caplog.set_level(logging.DEBUG)
    await claude.complete(prose(SECRET_TEXT))
    assert SECRET_TEXT not in caplog.text
    assert KEY not in caplog.text
