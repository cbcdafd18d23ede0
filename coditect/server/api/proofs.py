"""Proofs: evidence bundles, the log's checkpoint, proofs and tiles (C2SP tlog-tiles), its audit trail, and validation."""

from __future__ import annotations

from io import BytesIO
from itertools import islice
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import Response

from coditect.errors import NotFound
from coditect.knowledge.report.audit.trail import AuditFilters
from coditect.knowledge.report.shapes import audit_shape
from coditect.server.access.authentication import needs
from coditect.server.access.callers import Caller
from coditect.server.answers import IMMUTABLE, answer, not_modified
from coditect.server.api.common import REFUSALS, AsOf, Auditing, Key, Reading, knowledge_of
from coditect.server.api.described import JOB, AuditPage, ConsistencyProof
from coditect.server.problems import Problem

__all__ = ["router"]

router = APIRouter(responses=REFUSALS, tags=["proofs"])

Auditor = Annotated[Caller, Depends(needs("audit"))]
_TEXT: dict[int | str, dict[str, Any]] = {200: {"content": {"text/plain": {}}}}


@router.get(
    "/corpora/{corpus_id}/proofs/{subject}/{item_id}",
    operation_id="get_proof",
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}}},
)
def get_proof(
    opened: Reading,
    subject: Annotated[Literal["claim", "section", "document"], Path(description="Of what.")],
    item_id: Annotated[str, Path(max_length=500, description="Id of it.")],
    sources: Annotated[bool, Query(description="With the bytes of the cited files.")] = True,
    as_of: AsOf = None,
) -> Response:
    """An evidence bundle: what somebody else needs to check it with 'coditect-verify', offline and without this program."""
    file = BytesIO()
    opened.knowledge.prove(opened.corpus_id, subject, item_id, file, as_of=as_of, sources=sources)
    opened.noted("proof", as_of, item_id)
    headers = {"Cache-Control": "private, no-store", "Content-Disposition": "attachment; filename=bundle.zip"}
    return Response(file.getvalue(), media_type="application/zip", headers=headers)


@router.get(
    "/log/checkpoint",
    operation_id="get_checkpoint",
    response_class=Response,
    responses=_TEXT,
)
def get_checkpoint(request: Request, caller: Auditor) -> Response:
    """The newest signed checkpoint of the tenant's log (C2SP signed note)."""
    note = knowledge_of(request, caller).checkpoint()
    if note is None:
        raise NotFound("no key signs checkpoints", hint="The operator sets CODITECT_LOG_KEY.")
    return Response(note, media_type="text/plain; charset=utf-8", headers={"Cache-Control": "private, no-cache"})


@router.get(
    "/log/proofs/{index}",
    operation_id="get_log_proof",
    response_class=Response,
    responses=_TEXT,
)
def get_log_proof(
    request: Request, caller: Auditor, index: Annotated[int, Path(ge=0, le=2**53, description="Of the entry.")]
) -> Response:
    """The proof that an entry is in the log (C2SP tlog-proof)."""
    proof = knowledge_of(request, caller).log_proof(index)
    return Response(proof, media_type="text/plain; charset=utf-8", headers={"Cache-Control": "private, no-cache"})


@router.get("/log/consistency", operation_id="get_log_consistency", responses={200: {"model": ConsistencyProof}})
def get_consistency(
    request: Request,
    caller: Auditor,
    first: Annotated[int, Query(ge=1, le=2**53, description="Size of the log then.")],
    second: Annotated[int, Query(ge=1, le=2**53, description="Size of the log later.")],
) -> Response:
    """The proof that the log at one size is the beginning of what it is at another."""
    from coditect.transparency.notes import base64_of

    proof = [base64_of(each) for each in knowledge_of(request, caller).log_consistency(first, second)]
    return answer(request, {"first": first, "second": second, "proof": proof})


@router.get(
    "/log/tile/{level}/{place:path}",
    operation_id="get_log_tile",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def get_tile(
    request: Request,
    caller: Auditor,
    level: Annotated[str, Path(pattern=r"^(entries|[0-9]{1,2})$", description="Of the tree, or 'entries'.")],
    place: Annotated[
        str, Path(pattern=r"^(x[0-9]{3}/){0,5}[0-9]{3}(\.p/[0-9]{1,3})?$", description="As 'x001/067', '000.p/5'.")
    ],
) -> Response:
    """A tile of the log, or a bundle of its entries, up to the newest checkpoint; what was answered once never changes."""
    path = f"tile/{level}/{place}"
    data = knowledge_of(request, caller).log_file(path)
    etag = f'"{path}"'
    headers = {"ETag": etag, "Cache-Control": IMMUTABLE, "Vary": "Authorization, Cookie"}
    if not_modified(request, etag):
        return Response(status_code=304, headers=headers)
    return Response(data, media_type="application/octet-stream", headers=headers)


@router.get("/audit", operation_id="list_audit", responses={200: {"model": AuditPage}})
def list_audit(
    request: Request,
    caller: Auditor,
    after: Annotated[int | None, Query(ge=0, le=2**53, description="Only behind this entry: the next page.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000, description="Entries of a page.")] = 100,
    corpus_id: Annotated[str | None, Query(max_length=200, description="Only of this corpus.")] = None,
) -> Response:
    """The audit trail, in the order of the log. Of all corpora only for who may know of all."""
    if corpus_id is None and caller.corpora is not None:
        raise Problem(403, "the trail of all corpora is for who may know of all", "Name a corpus.")
    if corpus_id is not None and not caller.knows(corpus_id):
        raise NotFound("unknown corpus", corpus_id=corpus_id)
    filters = None if corpus_id is None else AuditFilters(corpora=(corpus_id,))
    every = knowledge_of(request, caller).audit(filters, first=0 if after is None else after + 1)
    page = list(islice(every, limit))
    return answer(request, audit_shape(page, next(every, None) is not None))


@router.post("/corpora/{corpus_id}/validations", operation_id="validate", status_code=202, responses=JOB)
def validate(opened: Auditing, key: Key = None) -> Response:
    """Re-read a corpus and check everything that it promises, as a job."""
    job = opened.request.app.state.jobs.start(opened.caller, "validate", opened.corpus_id, key=key)
    return answer(opened.request, job.told(), status=202, Location=f"/api/v1/jobs/{job.job_id}")
