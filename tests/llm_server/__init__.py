"""A local service that speaks the Messages and Batches API, so that the real library stands between it and our code."""

from tests.llm_server.faults import Fault, FaultKind
from tests.llm_server.journal import Call
from tests.llm_server.process import LlmProcess, llm_process
from tests.llm_server.server import LlmServer, llm_server

__all__ = ["Call", "Fault", "FaultKind", "LlmProcess", "LlmServer", "llm_process", "llm_server"]
