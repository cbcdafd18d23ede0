"""The overview of a corpus: what is in it, what changed, what waits for a person, what is covered, what was refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coditect.errors import NotFound
from coditect.knowledge.review.doubts import possible_in
from coditect.reports.claims import possible_counted
from coditect.schemas import Claim, CorpusStatus
from coditect.server.explorer.paging import ListPage, page_of
from coditect.server.explorer.shown.claims import ClaimRow, alike_rows
from coditect.server.explorer.shown.statements import resting_claims
from coditect.server.explorer.shown.wording import SEVERITIES, claim_kind, refusal
from coditect.server.explorer.visit import Visit
from coditect.tiers.claims.alike import alike

__all__ = ["Bar", "ClaimList", "Delta", "Overview", "bars", "claim_list", "delta", "overview", "since_last"]

SUMMARY_ROWS = 10
"""Findings of the overview; the list of findings has all."""

MOST_NAMES = 6
"""Names of documents that the overview spells out."""

_RANK: dict[str, int] = {keyword: rank for rank, (keyword, _) in enumerate(SEVERITIES)}


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a chart.

    Attributes:
        label: what was counted.
        count: how many.
        of: the longest bar of the chart, or the whole that this is a share of.
        href: a list of what was counted; "" where there is none.
        tone: a keyword that the style sheet colours.
    """

    label: str
    count: int
    of: int
    href: str = ""
    tone: str = ""

    @property
    def share(self) -> float:
        """Length, 0..100."""
        return round(100 * self.count / self.of, 2) if self.of else 0.0


@dataclass(frozen=True, slots=True)
class Delta:
    """What differs between two generations in documents.

    Attributes:
        before: number of the earlier one.
        after: of the later one.
        added: names, sorted; of many the first ones.
        removed: the same.
        changed: the same.
        counts: how many documents were added, removed and changed.
        href: the page with every change.
    """

    before: int
    after: int
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    counts: tuple[int, int, int]
    href: str


@dataclass(frozen=True, slots=True)
class Overview:
    """The page; see its fields.

    Attributes:
        status: of the corpus, as the use case tells it.
        facts: (what, how many) of the generation.
        delta: since the generation before; None in the first.
        waiting: how many claims and decisions wait for a person.
        severities: published findings by severity.
        kinds: published findings by kind.
        coverage: documents that are quoted, and cited.
        refused: claims that were refused, by why, the most frequent first.
        refused_count: how many.
        possible: how many conflicts and gaps rules alone do not publish, in words; "" where there is none.
        findings: the first of the summary, the most severe first; what is said of several documents is told once.
        summary_id: of the corpus summary, the item.
    """

    status: CorpusStatus
    facts: tuple[tuple[str, str, str], ...]
    delta: Delta | None
    waiting: int
    severities: tuple[Bar, ...]
    kinds: tuple[Bar, ...]
    coverage: tuple[Bar, ...]
    refused: tuple[tuple[str, int], ...]
    refused_count: int
    possible: str
    findings: tuple[ClaimRow, ...]
    summary_id: str


def overview(visit: Visit, status: CorpusStatus, waiting: int) -> Overview:
    """Make the page.

    Args:
        visit: who asks, and of what.
        status: of the corpus.
        waiting: how many claims and decisions wait for a person.
    """
    view = visit.view
    published = _published(visit)
    possible = possible_in(view)
    left = set(view.summary.filtered) - {each.claim_id for each in possible}
    refused = Counter(
        refusal(view.verdicts[each]) for each in view.summary.filtered if each in left & set(view.verdicts)
    )
    return Overview(
        status=status,
        facts=_facts(visit, len(possible), len(left)),
        delta=since_last(visit),
        waiting=waiting,
        severities=_severities(visit, published),
        kinds=_kinds(visit, published),
        coverage=_coverage(visit),
        refused=tuple(refused.most_common(5)),
        refused_count=len(left),
        possible=possible_counted([each.claim_kind for each in possible]),
        findings=alike_rows(visit, alike(published)[:SUMMARY_ROWS]),
        summary_id=view.summary.summary_id,
    )


def _published(visit: Visit) -> Sequence[Claim]:
    """Published claims, the most severe first, else in the order of the summary; kept between requests."""

    def read() -> Sequence[Claim]:
        found = [visit.view.claims[each] for each in visit.view.summary.claims]
        return sorted(found, key=lambda claim: _RANK.get(claim.severity or "", len(_RANK)))

    return visit.remember("published", read)


def _facts(visit: Visit, possible: int, refused: int) -> tuple[tuple[str, str, str], ...]:
    counts, links = visit.view.manifest.counts, visit.links
    named = (
        ("documents", "documents", links.to("documents")),
        ("extractions", "statements", links.to("obligations", kind="all")),
        ("chunks", "summaries", ""),
        ("sections", "sections", links.to("sections")),
        ("claims", "findings", links.to("claims")),
    )
    told = [(word, counts.get(key, 0), href) for key, word, href in named]
    told.append(("possible", possible, links.to("claims", show="possible")))
    told.append(("refused", refused, links.to("claims", show="refused")))
    return tuple((word, f"{count:,}", href) for word, count, href in told)


def _severities(visit: Visit, published: Sequence[Claim]) -> tuple[Bar, ...]:
    counts = Counter(claim.severity or "" for claim in published)
    most = max(counts.values(), default=0)
    link = visit.links.to
    return tuple(
        Bar(word, counts[keyword], most, link("claims", severity=keyword), keyword) for keyword, word in SEVERITIES
    )


def _kinds(visit: Visit, published: Sequence[Claim]) -> tuple[Bar, ...]:
    counts = Counter(claim.claim_kind for claim in published)
    most = max(counts.values(), default=0)
    return bars({claim_kind(k): (n, visit.links.to("claims", kind=k)) for k, n in counts.most_common()}, most)


def bars(counts: Mapping[str, tuple[int, str]], most: int) -> tuple[Bar, ...]:
    """Bars of (count, address) by label."""
    return tuple(Bar(label, count, most, href) for label, (count, href) in counts.items())


def _coverage(visit: Visit) -> tuple[Bar, ...]:
    """How many documents the summary and its sections speak from."""

    def read() -> tuple[int, int, int]:
        view = visit.view
        quoted = {p.citation.document_id for s in view.sections for p in s.content if p.citation is not None}
        return len(view.entries), len(quoted), len(resting_claims(visit))

    documents, quoted, cited = visit.remember("coverage", read)
    return (
        Bar("quoted in a section", quoted, documents),
        Bar(
            "cited by a finding",
            cited,
            documents,
            visit.links.to("documents", show="uncited") if cited < documents else "",
        ),
    )


def since_last(visit: Visit) -> Delta | None:
    """What differs from the generation before in documents; None in the first, and where that is gone."""
    if visit.view.generation < 2:
        return None
    try:
        return visit.remember("delta", lambda: delta(visit, visit.view.generation - 1))
    except NotFound:
        return None


def delta(visit: Visit, before: int) -> Delta:
    """What differs from an earlier generation in documents."""
    old, new = visit.knowledge.view(visit.corpus_id, before), visit.view
    names_old = {d: v.name for d, v in old.documents.items()}
    names_new = {d: v.name for d, v in new.documents.items()}
    added = sorted(name for d, name in names_new.items() if d not in names_old)
    removed = sorted(name for d, name in names_old.items() if d not in names_new)
    changed = sorted(
        name
        for d, name in names_new.items()
        if d in names_old and old.entries[d].version_id != new.entries[d].version_id
    )
    return Delta(
        before=before,
        after=new.generation,
        added=tuple(added[:MOST_NAMES]),
        removed=tuple(removed[:MOST_NAMES]),
        changed=tuple(changed[:MOST_NAMES]),
        counts=(len(added), len(removed), len(changed)),
        href=visit.links.to("changes", before=before, after=new.generation),
    )


@dataclass(frozen=True, slots=True)
class ClaimList:
    """The list of findings, or of what was refused.

    Attributes:
        page: the rows.
        show: "published", "possible" or "refused".
        severity: that the list is restricted to; "" for all.
        kind: the same.
        kinds: (keyword, word) of the kinds that there are.
        alike: the finding whose like alone are listed, each by itself; "" for all, where what says the same is told once.
    """

    page: ListPage[ClaimRow]
    show: str
    severity: str
    kind: str
    kinds: tuple[tuple[str, str], ...]
    alike: str = ""


def _shown(visit: Visit, show: str) -> Sequence[Claim]:
    """The claims of a list: those that are published, only possible, or refused."""
    if show == "possible":
        return possible_in(visit.view)
    if show == "refused":
        possible = {each.claim_id for each in possible_in(visit.view)}
        return [visit.view.claims[each] for each in visit.view.summary.filtered if each not in possible]
    return _published(visit)


def claim_list(
    visit: Visit, number: int, *, show: str = "", severity: str = "", kind: str = "", like: str = ""
) -> ClaimList:
    """A page of the findings, the most severe first; of those that say the same as one; or of what is possible or was refused."""
    claims = _shown(visit, show)
    kinds = sorted({claim.claim_kind for claim in claims})
    wanted = [c for c in claims if severity in ("", c.severity) and kind in ("", c.claim_kind)]

    def link(page: int) -> str:
        restricted = {
            "show": show if show in ("refused", "possible") else "",
            "severity": severity,
            "kind": kind,
            "alike": like,
        }
        return visit.links.to("claims", **restricted, page=page)

    groups = alike(wanted)
    if like:
        groups = [[each] for group in groups if like in [each.claim_id for each in group] for each in group]
    shown = page_of(groups, number, link)
    rows = alike_rows(visit, shown.rows)
    page = ListPage(rows, shown.number, shown.first, shown.total, shown.previous, shown.next)
    return ClaimList(page, show, severity, kind, tuple((each, claim_kind(each)) for each in kinds), like)
