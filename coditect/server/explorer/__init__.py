"""Pages for people: from a corpus' summary to the highlighted words, made on the server, readable and usable without a script."""

from __future__ import annotations

from coditect.server.explorer.mounting import router

__all__ = ["router"]
