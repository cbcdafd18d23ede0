"""coditect knowledge: a compliance knowledge store whose every sentence can be traced, proven and re-checked."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
