"""A local service that speaks the Messages and Batches API, so that the real library stands between it and our code.

In a thread of the test, or as a process of its own that outlives killed clients::

    with llm_server(latency_s=0.3, faults=[Fault("overloaded", share=0.1, seed=7, attempts=1)]) as server:
        llm = ClaudeLlm("any", server.base_url)
        ...
        server.terms.faults = [Fault("obedient", roles=("validator",))]
        assert len({call.sha256 for call in server.answered}) == len(server.answered)  # nothing was asked twice

    with llm_process(tmp_path / "calls.jsonl", latency_s=0.3) as service:
        ...

The answers are computed from the requests (``answers.py``); tokens are counted and beginnings of requests kept as the real
service documents it (``prompt_cache.py``).
"""

from tests.llm_server.faults import Fault, FaultKind
from tests.llm_server.journal import Call
from tests.llm_server.process import LlmProcess, llm_process
from tests.llm_server.server import LlmServer, llm_server

__all__ = ["Call", "Fault", "FaultKind", "LlmProcess", "LlmServer", "llm_process", "llm_server"]
