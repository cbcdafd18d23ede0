"""Reading files into document versions. What may be costly is read by processes that a file can take down, and nothing else."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from coditect.documents.layout import encode_layout
from coditect.documents.readers import ReadLimits, is_light, read_source
from coditect.documents.readers.failures import SLIPPED
from coditect.documents.sandbox.budget import ReadBudget
from coditect.documents.sandbox.process import ReadingProcess
from coditect.documents.source import SourceText
from coditect.errors import ReadError, Unavailable
from coditect.knowledge.ingest.files import read_bytes
from coditect.knowledge.labour.failures import failure_of
from coditect.knowledge.labour.workers import IN_FLIGHT
from coditect.schemas import DocumentVersion, Failure, document_id_for, sha256_hex

__all__ = ["FileRead", "ReadTask", "read_again", "read_files"]


@dataclass(frozen=True, slots=True)
class ReadTask:
    """A file that is to be read.

    Attributes:
        name: the document's name in the corpus.
        path: where the file lies.
        corpus_id: the corpus that takes it in.
        size_bytes: its length when it was found.
    """

    name: str
    path: Path
    corpus_id: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file that was read, or its failure.

    Attributes:
        name: the document's name in the corpus.
        version: the document version; None where reading failed.
        raw: the file's bytes.
        text: its canonical text in UTF-8.
        layout: its encoded blocks and page map.
        failure: why it could not be read; None where it was.
    """

    name: str
    version: DocumentVersion | None = None
    raw: bytes = b""
    text: bytes = b""
    layout: bytes = b""
    failure: Failure | None = None


def read_files(tasks: Iterable[ReadTask], *, jobs: int, budget: ReadBudget) -> Iterator[FileRead]:
    """Read files, the results in their order; a failure is a result, so that one bad file costs one file.

    Args:
        tasks: the files; taken as results are taken.
        jobs: how many processes read. With 1, light files are read in this one, and a process is started when another comes.
        budget: what one file may take of a process.
    Raises:
        Unavailable: a process cannot be started.
    """
    if jobs > 1:
        yield from _read_side_by_side(tasks, jobs, budget)
        return
    with ReadingProcess(budget) as process:
        for task in tasks:
            yield _read_file(task, process, light_here=True)


def _read_side_by_side(tasks: Iterable[ReadTask], jobs: int, budget: ReadBudget) -> Iterator[FileRead]:
    processes = [ReadingProcess(budget) for _ in range(jobs)]
    free: SimpleQueue[ReadingProcess] = SimpleQueue()
    for each in processes:
        free.put(each)

    def read(task: ReadTask) -> FileRead:
        process = free.get()
        try:
            return _read_file(task, process, light_here=False)
        finally:
            free.put(process)

    threads = ThreadPoolExecutor(jobs, thread_name_prefix="read")
    pending: deque[Future[FileRead]] = deque()
    try:
        for task in tasks:
            pending.append(threads.submit(read, task))
            if len(pending) >= jobs * IN_FLIGHT:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()  # whoever waits for an answer is told that there is none
        threads.shutdown(wait=True)
        for process in processes:
            process.close()


def _read_file(task: ReadTask, process: ReadingProcess, *, light_here: bool) -> FileRead:
    digest = ""
    try:
        raw = read_bytes(task.path, ReadLimits().max_file_bytes)
        digest = sha256_hex(raw)
        here = light_here and is_light(raw, task.name)
        source = read_source(raw, task.name) if here else process.read(raw, task.name)
        return _version_of(task, raw, digest, source)
    except Unavailable:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a library raises on a hostile file costs that file, and is told
        failure = failure_of(task.corpus_id, task.name, error, digest, slip=ReadError, slipped=SLIPPED)
        return FileRead(task.name, failure=failure)


def read_again(version: DocumentVersion, raw: bytes, process: ReadingProcess) -> FileRead:
    """Read the bytes of a document that was taken in, as if they were taken in now; a failure is a result.

    Args:
        version: what is stored of it; gives the name alone.
        raw: its file.
        process: reads what may be costly.

    Raises:
        Unavailable: a process cannot be started.
    """
    task = ReadTask(version.name, Path(version.name), version.corpus_id, len(raw))
    try:
        source = read_source(raw, task.name) if is_light(raw, task.name) else process.read(raw, task.name)
        return _version_of(task, raw, sha256_hex(raw), source)
    except Unavailable:
        raise
    except Exception as error:  # noqa: BLE001 - as when it was taken in: told as a failure
        failure = failure_of(task.corpus_id, task.name, error, sha256_hex(raw), slip=ReadError, slipped=SLIPPED)
        return FileRead(task.name, failure=failure)


def _version_of(task: ReadTask, raw: bytes, digest: str, source: SourceText) -> FileRead:
    text, layout = source.text.encode(), encode_layout(source)
    version = DocumentVersion.create(
        corpus_id=task.corpus_id,
        document_id=document_id_for(task.corpus_id, task.name),
        name=task.name,
        title=source.title,
        media_type=source.media_type,
        raw_sha256=digest,
        raw_bytes=len(raw),
        text_sha256=sha256_hex(text),
        text_bytes=len(text),
        text_length=len(source.text),
        layout_sha256=sha256_hex(layout),
        layout_bytes=len(layout),
        page_count=len(source.pages),
        reader=source.reader,
        warnings=source.warnings,
    )
    return FileRead(task.name, version, raw, text, layout)
