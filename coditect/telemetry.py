"""Logging: to stderr, for people on a terminal, as JSON lines otherwise. No text of documents is logged, and no credentials.

The library that makes lines takes as long to load as answering a question, so it is loaded with the first line that is written.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

from coditect.errors import UsageError, without_credentials

if TYPE_CHECKING:
    from structlog.typing import EventDict, Processor, WrappedLogger

__all__ = ["LEVELS", "FirstLine", "Logger", "configure_logging"]

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


class Logger:
    """Logs events through the standard library: a program that configures no logging sees nothing below a warning.

    Args:
        name: of the module that logs.
    """

    def __init__(self, name: str) -> None:
        self._own = logging.getLogger(name)
        self._made: Any = None

    def info(self, event: str, **fields: object) -> None:
        """Log what happened.

        Args:
            event: what.
            fields: what else there is to know.
        """
        if self._is_told(logging.INFO):
            self._events.info(event, **fields)

    def warning(self, event: str, **fields: object) -> None:
        """Log what somebody should look at; arguments as for :meth:`info`."""
        if self._is_told(logging.WARNING):
            self._events.warning(event, **fields)

    def _is_told(self, level: int) -> bool:
        """Whether anybody would see a line; where structlog is loaded, its own processors decide that."""
        return "structlog" in sys.modules or self._own.isEnabledFor(level)

    @property
    def _events(self) -> Any:  # noqa: ANN401 - structlog's loggers are bound to what was configured
        if self._made is None:
            for waiting in [each for each in logging.getLogger().handlers if isinstance(each, FirstLine)]:
                waiting.set_up()
            import structlog

            self._made = structlog.wrap_logger(self._own)
        return self._made


class FirstLine(logging.Handler):
    """Sets logging up when the first line is logged, hands that line on, and goes.

    Args:
        level: that is set.
    """

    def __init__(self, level: str) -> None:
        super().__init__()
        self._named = level

    def set_up(self) -> list[logging.Handler]:
        """Set logging up in the place of this handler; gives the handlers that came."""
        root = logging.getLogger()
        root.removeHandler(self)
        others = set(root.handlers)
        configure_logging(self._named)
        return [each for each in root.handlers if each not in others]

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        for handler in self.set_up():
            handler.handle(record)


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
    import structlog

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
    import structlog

    if sys.stderr.isatty():
        return [structlog.dev.ConsoleRenderer(colors="NO_COLOR" not in os.environ), _publish]
    return [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer(default=str), _publish]


def _publish(_logger: WrappedLogger, _method: str, line: EventDict | str) -> str:
    """The line without the credentials that addresses in it may hold; libraries log whole addresses."""
    return without_credentials(str(line))
