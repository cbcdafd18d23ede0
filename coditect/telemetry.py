"""Logging: to stderr, for people on a terminal, as JSON lines otherwise. No text of documents is logged, and no credentials."""

from __future__ import annotations

import logging
import os
import sys
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from coditect.errors import UsageError, without_credentials

__all__ = ["LEVELS", "configure_logging"]

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


class _StderrHandler(logging.StreamHandler[TextIO]):
    """Writes to whatever ``sys.stderr`` is at that moment: a progress bar and a test replace it meanwhile."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        self.stream = sys.stderr
        super().emit(record)


def configure_logging(level: str) -> None:
    """Set up structlog and the standard library's logging alike; calling it again replaces the set-up.

    Args:
        level: DEBUG, INFO, WARNING or ERROR, in any case.

    Raises:
        UsageError: not a level.
    """
    name = level.upper()
    if name not in LEVELS:
        raise UsageError("unknown log level", log_level=level, hint=f"Use one of {', '.join(LEVELS)}.")
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = _StderrHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_rendering()],
        )
    )
    root = logging.getLogger()
    for old in [each for each in root.handlers if isinstance(each, _StderrHandler)]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(name)


def _rendering() -> list[Processor]:
    """How an event becomes a line: tracebacks are text for people, and data for programs."""
    if sys.stderr.isatty():
        return [structlog.dev.ConsoleRenderer(colors="NO_COLOR" not in os.environ), _publish]
    return [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer(default=str), _publish]


def _publish(_logger: WrappedLogger, _method: str, line: EventDict | str) -> str:
    """The line without the credentials that addresses in it may hold; libraries log whole addresses."""
    return without_credentials(str(line))
