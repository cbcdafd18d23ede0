"""A process that erases and is killed, by SIGKILL, before or after one of its writing transactions; run by the trial.

usage: python -m coditect_benchmarks.erasure.killed SETTINGS CORPUS DOCUMENTS AT, all but the last JSON; AT is the number of the
transaction, times two, plus one to be killed once it is committed; 0: not at all. Prints how many there were.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from typing import TypeVar

from coditect.compose import open_knowledge
from coditect.engine.port import Transaction
from coditect.settings import Settings
from coditect.store.store import Store

__all__ = ["OFFICER", "REASON", "Counted"]

T = TypeVar("T")

REASON, OFFICER = "Art. 17", "A. Officer"


class Counted:
    """Counts the writing transactions of a store's engine, and kills this process at one of them.

    Args:
        store: whose engine is watched.
        at: the moment, as the command takes it.

    Attributes:
        made: transactions until now.
    """

    def __init__(self, store: Store, at: int = 0) -> None:
        self.made = 0
        self._run, self._at = store.engine.run, at
        setattr(store.engine, "run", self.run)  # noqa: B010 - what type checkers call a method

    def run(self, fn: Callable[[Transaction], T]) -> T:
        """The engine's, until then."""
        self.made += 1
        if self._at == 2 * self.made:
            os.kill(os.getpid(), signal.SIGKILL)
        done = self._run(fn)
        if self._at == 2 * self.made + 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return done


def main() -> None:
    """Erase, as far as it gets."""
    settings = Settings.model_validate_json(sys.argv[1])
    with open_knowledge(settings, must_exist=True) as knowledge:
        counted = Counted(knowledge.store, int(sys.argv[4]))
        knowledge.erase(sys.argv[2], json.loads(sys.argv[3]), reason=REASON, by=OFFICER)
        print(counted.made)


if __name__ == "__main__":
    main()
