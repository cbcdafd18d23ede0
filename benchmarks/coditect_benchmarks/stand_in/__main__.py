"""``python -m coditect_benchmarks.stand_in``: serve answers that readers wrote, and keep what nobody has answered.

usage: … serve --folder F [--port P]; then a build with CODITECT_LLM=claude, CODITECT_LLM_BASE_URL=http://127.0.0.1:P and any
CODITECT_API_KEY; … sheets --folder F --parts N --output G; … take --folder F --sheet G/part-1.md --answers FILE.
"""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from coditect.errors import UsageError
from coditect_benchmarks.stand_in.folder import StandInFolder
from coditect_benchmarks.stand_in.server import StandInServer
from coditect_benchmarks.stand_in.sheets import take_answers, write_sheets

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the commands; 1 where answers are missing or invalid, 2 where a file is not what it should be."""
    parser = argparse.ArgumentParser(prog="coditect_benchmarks.stand_in", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="answer on loopback until a signal comes")
    serve.add_argument(
        "--port", type=int, default=0, help="0: any that is free; the first line of output is the address"
    )
    sheets = commands.add_parser("sheets", help="write the unanswered requests for readers")
    sheets.add_argument("--parts", type=int, default=1, help="files, at most")
    sheets.add_argument("--output", type=Path, required=True, help="folder without sheets")
    take = commands.add_parser("take", help="keep the valid answers of a reader's file")
    take.add_argument("--sheet", type=Path, required=True)
    take.add_argument("--answers", type=Path, required=True, help='JSON Lines: {"n": 3, "answer": …}')
    for command in (serve, sheets, take):
        command.add_argument("--folder", type=Path, required=True, help="of asked.jsonl and answers.jsonl")
    given = parser.parse_args(arguments)
    try:
        folder = StandInFolder(given.folder)
        if given.command == "serve":
            return _serve(folder, given.port)
        if given.command == "sheets":
            return _sheets(folder, given.parts, given.output)
        return _take(folder, given.sheet, given.answers)
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2


def _serve(folder: StandInFolder, port: int) -> int:
    with StandInServer(folder, port) as server:
        print(server.base_url, flush=True)
        # The loop runs in this thread: whoever stops it must be another one.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
        server.serve_forever()
        print(f"{server.answered} answered, {server.refused} refused, {len(folder.open_requests())} requests are open")
    return 0


def _sheets(folder: StandInFolder, parts: int, output: Path) -> int:
    written = write_sheets(folder, parts, output)
    for path in written:
        print(path)
    print(f"{len(folder.open_requests())} requests on {len(written)} sheets")
    return 0


def _take(folder: StandInFolder, sheet: Path, answers: Path) -> int:
    taken = take_answers(folder, sheet, answers)
    for fault in taken.invalid:
        print(fault)
    if taken.missing:
        print("missing: " + ", ".join(map(str, taken.missing)))
    print(f"{len(taken.taken)} taken, {len(taken.invalid)} faults, {len(taken.missing)} missing")
    return 1 if taken.invalid or taken.missing else 0


if __name__ == "__main__":
    sys.exit(main())
