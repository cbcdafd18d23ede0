"""Builds with every role, against a service that answers, fails, lies and is told to lie."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from coditect.agents.asking.ledger import Ledger
from coditect.errors import BudgetExceeded, SchemaError, UsageError
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.model_roles.forecast import Forecaster, experience_of
from coditect.models.llm import LlmRequest, TextBlock
from coditect.schemas import AnswerPart, AnswerUsage, BuildSettings, Extraction, ModelAnswer
from coditect.store.answers.requests import AnswerStore
from coditect.store.generations import create_corpus
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import clock
from tests.integration.agents import CORPUS, INJECTION, POLICIES, claims_of, folder_of, opened, require_verbatim
from tests.llm_server import Fault, FaultKind, llm_server
from tests.llm_server.answers_misbehaving import MISBEHAVIOURS, Misbehaviour, misbehaving

ROLES = ("mapper", "selector", "contextualiser", "reducer", "synthesiser", "validator")
INVENTED = "indemnify the customer for every loss"


def _build(tmp_path: Path, base_url: str, **settings: Any) -> BuildReport:  # noqa: ANN401 - settings of any kind
    with opened(tmp_path, base_url, **settings) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
        report = knowledge.build(CORPUS, BuildSettings())
        require_verbatim(knowledge)
    return report


def test_build_with_every_role_is_whole_and_asks_for_nothing_twice(tmp_path: Path) -> None:
    """Each role is asked, what it says is in its tier, and a second build asks nothing and changes nothing."""
    with llm_server() as server, opened(tmp_path, server.base_url) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
        report = knowledge.build(CORPUS, BuildSettings())
        assert {call.role for call in server.messages} == set(ROLES)
        assert not report.partial
        require_verbatim(knowledge)
        view = knowledge.view(CORPUS)
        mapped: list[Extraction] = [
            e for d in view.documents for e in view.extractions(d) if e.tier1_data.extraction_schema
        ]
        assert mapped
        chunks = [chunk for d in view.documents for chunk in view.chunks(d)]
        assert any(chunk.extraction_method == "llm_extractive" for chunk in chunks)
        passages = [passage for d in view.documents for passage in view.passages(d)]
        assert all((passage.context_by is not None) == (passage.level == 0) for passage in passages)
        kinds = {claim.claim_kind for claim, verdict in claims_of(knowledge) if verdict.published}
        assert "synthesis" in kinds
        assert view.manifest.settings.agents is not None
        assert set(view.manifest.settings.agents.roles) == set(ROLES)
        asked = len(server.messages)
        again = knowledge.build(CORPUS, BuildSettings())
        assert not again.changed
        assert len(server.messages) == asked


def test_builds_with_the_same_answers_are_byte_identical(tmp_path: Path) -> None:
    """Two stores, other concurrency, other latency: the same build id."""
    ids = set()
    for number, (latency_s, concurrency) in enumerate([(0.0, 1), (0.02, 20)]):
        with llm_server(latency_s=latency_s) as server:
            ids.add(_build(tmp_path / str(number), server.base_url, agent_concurrency=concurrency).build_id)
    assert len(ids) == 1


@pytest.mark.parametrize("role", ROLES)
def test_each_role_can_be_switched_on_alone(tmp_path: Path, role: str) -> None:
    """Only that role is asked, and rules play the others."""
    with llm_server() as server:
        report = _build(tmp_path, server.base_url, agents=(role,))
        assert {call.role for call in server.messages} <= {role}
        assert server.messages or role in (
            "reducer",
            "validator",
        )  # with rules alone there may be nothing to compare or judge
    assert not report.failures


def test_assessor_is_no_role_of_a_build(tmp_path: Path) -> None:
    """A build refuses it by name, so that no build is another one because crosswalks can be read by a model."""
    with llm_server() as server, opened(tmp_path, server.base_url, agents=("assessor",)) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
        with pytest.raises(UsageError, match="there is no such role"):
            knowledge.build(CORPUS, BuildSettings())
        assert server.log == []


def test_build_without_a_model_asks_nobody(tmp_path: Path) -> None:
    """The default needs no key and no service."""
    with llm_server() as server:
        report = _build(tmp_path, server.base_url, llm="none", api_key=None)
        assert server.log == []
    assert report.agents == {}


# what passes


PASSING = {
    "429 with retry-after": Fault("rate_limited", share=0.3, attempts=1, retry_after="0.05"),
    "429 without": Fault("rate_limited", share=0.3, attempts=1),
    "529": Fault("overloaded", share=0.3, attempts=1),
    "500": Fault("error", share=0.3, attempts=1),
    "dropped before": Fault("drop_before", share=0.3, attempts=1),
    "dropped in the middle": Fault("drop_after", share=0.3, attempts=1),
    "slow stream": Fault("slow", share=0.3, attempts=1, pause_s=0.05),
    "error in the stream": Fault("stream_error", share=0.3, attempts=1),
    "no end": Fault("no_end", share=0.3, attempts=1),
    "a proxy's page": Fault("not_json", share=0.3, attempts=1),
}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Id of the build that nothing disturbed."""
    with llm_server() as server:
        return _build(tmp_path_factory.mktemp("plain"), server.base_url).build_id


@pytest.mark.parametrize("name", PASSING)
def test_failures_that_pass_leave_no_trace(tmp_path: Path, undisturbed: str, name: str) -> None:
    """Repeated until answered: the build is the one without failures."""
    with llm_server(faults=[PASSING[name]]) as server:
        report = _build(tmp_path / "failing", server.base_url)
        assert any(call.fault for call in server.messages)
    assert report.build_id == undisturbed
    assert not report.partial


# what does not pass


@pytest.mark.parametrize("kind", ["refusal", "truncation", "error", "malformed_json"])
@pytest.mark.parametrize("role", ["mapper", "selector", "contextualiser"])
def test_document_on_which_a_role_fails_for_good_is_read_by_rules(tmp_path: Path, role: str, kind: FaultKind) -> None:
    """The build completes, names it, is partial, and the summary says so; the other documents are not affected."""
    if role == "contextualiser" and kind == "malformed_json":
        pytest.skip("its answers are prose")
    fault = Fault(kind, roles=(role,), containing="Suppliers may subcontract", status=400)
    with llm_server(faults=[fault]) as server, opened(tmp_path, server.base_url) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
        report = knowledge.build(CORPUS, BuildSettings())
        assert [failure.name for failure in report.unread] == ["supplier.md"]
        assert f"the {role} failed" in report.unread[0].message
        assert report.partial
        require_verbatim(knowledge)
        summary = knowledge.view(CORPUS).summary
        assert summary.read_by_rules == ("supplier.md",)
        assert "Read by rules alone, because an agent failed: supplier.md." in summary.summary_text
        server.terms.faults = []
        again = knowledge.build(CORPUS, BuildSettings())
        if kind == "error":  # nothing was answered, so it is asked again; what was paid for is not
            assert not again.partial
            assert knowledge.view(CORPUS).summary.read_by_rules == ()


@pytest.mark.parametrize("role", ["reducer", "synthesiser", "validator"])
def test_summary_about_which_a_role_fails_says_so_and_is_made_again(tmp_path: Path, role: str) -> None:
    """What was not answered is withheld; the next build asks again, and is then whole."""
    failing = [Fault("error", roles=(role,), status=400)]
    with llm_server(faults=failing) as server, opened(tmp_path, server.base_url) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
        report = knowledge.build(CORPUS, BuildSettings())
        if role == "reducer" and not report.unanswered:
            pytest.skip("no section quotes two documents")
        assert report.partial
        assert all(each.startswith(role) for each in report.unanswered)
        assert "unanswered" in knowledge.view(CORPUS).summary.summary_text
        if role == "validator":
            judged = [v for c, v in claims_of(knowledge) if c.claim_kind in ("synthesis", "requirement")]
            assert judged
            assert not any(verdict.published for verdict in judged)
        server.terms.faults = []
        again = knowledge.build(CORPUS, BuildSettings())
        assert again.changed
        assert not again.partial


# what lies


@pytest.mark.parametrize("kind", MISBEHAVIOURS)
def test_what_a_lying_model_says_reaches_no_tier(tmp_path: Path, kind: Misbehaviour) -> None:
    """Invented and altered quotes, wrong numbers, broken JSON, claims against their citation, mark-up, obedience to a document."""
    with llm_server(model=misbehaving(kind)) as server, opened(tmp_path, server.base_url) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
        knowledge.build(CORPUS, BuildSettings())
        require_verbatim(knowledge)
        for claim, verdict in claims_of(knowledge):
            if verdict.published:
                assert claim.citations
                assert INVENTED not in claim.text
                assert "instructions" not in claim.text
                assert "<" not in claim.text
        view = knowledge.view(CORPUS)
        assert INVENTED not in view.summary.summary_text
        assert all("<cite" not in p.context for d in view.documents for p in view.passages(d))


def test_claims_against_their_citation_are_withheld(tmp_path: Path) -> None:
    """The synthesiser cites a quote that says the opposite; a validator that believes it does not help."""
    believing = misbehaving("opposite_claim", "synthesiser")

    with llm_server(model=believing) as server, opened(tmp_path, server.base_url) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
        knowledge.build(CORPUS, BuildSettings())
        synthetic = [(c, v) for c, v in claims_of(knowledge) if c.claim_kind == "synthesis"]
        assert synthetic
        published = [claim.text for claim, verdict in synthetic if verdict.published]
        assert published == []


def test_injection_is_reported_and_obeyed_by_nobody(tmp_path: Path) -> None:
    """An obedient model does what the document bids; nothing that rests on it is published, and the place is named."""
    with llm_server(model=misbehaving("obedient")) as server, opened(tmp_path, server.base_url) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
        knowledge.build(CORPUS, BuildSettings())
        for claim, verdict in claims_of(knowledge):
            assert not (verdict.published and INJECTION[:20] in claim.text)
    with llm_server() as server:
        report = _build(tmp_path / "honest", server.base_url)
    assert [each["name"] for each in report.suspicious] == ["supplier.md"]
    assert report.suspicious[0]["text"] == INJECTION


# what it costs


@pytest.mark.parametrize("counted_by", ["local", "service"])
def test_forecast_asks_no_message_and_stores_nothing(tmp_path: Path, counted_by: str) -> None:
    """A dry run leaves the store as it was, and sends documents to the service only to be counted, where the user says so."""
    # Nothing is sent by default, so it needs no key either.
    key = None if counted_by == "local" else "sk-of-tests"
    with (
        llm_server() as server,
        opened(tmp_path, server.base_url, count_tokens=counted_by, api_key=key) as knowledge,
    ):
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
        report = knowledge.forecast(CORPUS, BuildSettings())
        assert server.messages == []
        assert {call.endpoint for call in server.log} == (set() if counted_by == "local" else {"count_tokens"})
        assert report.agents["sent_to_count"] == len(server.log)
        assert report.agents["total"]["sent"] > 10
        assert report.agents["total"]["usd"] > 0
        assert knowledge.status(CORPUS)[0].generation == 0
        counts = {"extractions": 0, "answers": 0, "chunks": 0, "derivations": 0}
        for table in counts:
            rows = knowledge.store.engine.read(lambda t, table=table: t.range(*knowledge.store.keys.bounds(table)).rows)  # type: ignore[misc]
            assert not rows, table


def test_forecast_estimates_input_as_the_service_counts_it(tmp_path: Path) -> None:
    """The estimate of this machine and the count of a service whose tokens are as long are the same but for rounding by block."""
    inputs = []
    with llm_server() as server:
        for counted_by in ("local", "service"):
            with opened(tmp_path, server.base_url, count_tokens=counted_by) as knowledge:
                knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
                paid = knowledge.forecast(CORPUS, BuildSettings()).agents["total"]["paid"]
                inputs.append(sum(tokens for name, tokens in paid.items() if name != "output_tokens"))
    assert inputs[0] == pytest.approx(inputs[1], rel=0.02)


def test_forecast_learns_from_what_the_service_counted_before() -> None:
    """Where a request of the role was answered, that is the measure: here tokens of two characters, which nobody could guess."""
    store = Store(MemoryEngine())
    create_corpus(store, CORPUS, "", clock())
    one, answered, other = (
        LlmRequest(model="claude-opus-5", system=(), max_tokens=100, content=(TextBlock(letter * 4_000),))
        for letter in "xyz"
    )
    usage = AnswerUsage(input_tokens=2_000, output_tokens=1)
    answers = AnswerStore(store, CORPUS)
    part, at = AnswerPart(text="{}"), clock()
    answers.put(
        ModelAnswer(
            request_sha256=answered.sha256,
            corpus_id=CORPUS,
            role="mapper",
            model=answered.model,
            parts=(part,),
            usage=usage,
            answered_at=at,
        )
    )
    forecaster = Forecaster(None, answers, Ledger(), experience_of(store))
    taken = []
    for request in (one, answered, other):
        asyncio.run(forecaster.ask("mapper", request))
        taken.append(forecaster.ledger.report()["total"]["paid"]["input_tokens"])
    assert taken == [1_000, 1_000, 3_000]


def test_forecast_after_a_small_build_agrees_with_the_bill(tmp_path: Path) -> None:
    """Knowing from a first corpus how long answers are, the dry run of another is within 5 % in tokens and 10 % in dollars."""

    def documents(sites: range) -> dict[str, str]:
        return {
            f"site-{n}-{name}": text.replace("Every user", f"Every user of site {n}").replace("24", str(n + 24))
            for n in sites
            for name, text in POLICIES.items()
        }

    with llm_server() as server, opened(tmp_path, server.base_url) as knowledge:
        knowledge.ingest("pilot", [folder_of(tmp_path / "pilot", documents(range(4)))])
        knowledge.build("pilot", BuildSettings())
    # Another service: what the first one keeps of prompts for minutes, no dry run counts on.
    with llm_server() as server, opened(tmp_path, server.base_url) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in", documents(range(4, 8)))])
        predicted = knowledge.forecast(CORPUS, BuildSettings()).agents["total"]
        actual = knowledge.build(CORPUS, BuildSettings()).agents["total"]
    assert sum(predicted["paid"].values()) == pytest.approx(sum(actual["paid"].values()), rel=0.05)
    assert predicted["usd"] == pytest.approx(actual["usd"], rel=0.1)


def test_budget_stops_a_build_which_then_goes_on(tmp_path: Path) -> None:
    """Nothing is published; what was answered is kept, and a larger budget pays for the rest alone."""
    with llm_server() as server:
        with opened(tmp_path, server.base_url, budget_usd=0.01, agent_concurrency=2) as knowledge:
            knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
            with pytest.raises(BudgetExceeded):
                knowledge.build(CORPUS, BuildSettings())
            assert knowledge.status(CORPUS)[0].generation == 0
        first = {call.sha256 for call in server.answered}
        with opened(tmp_path, server.base_url) as knowledge:
            report = knowledge.build(CORPUS, BuildSettings())
        asked = [call.sha256 for call in server.answered]
        assert len(asked) == len(set(asked))
        assert first < set(asked)
        assert not report.partial


def test_batches_cost_half_and_say_the_same(tmp_path: Path) -> None:
    """The build is the same, answered in batches; unordered, one expired and one failed request are asked by themselves."""
    with llm_server() as server:
        plain = _build(tmp_path / "plain", server.base_url)
    faults = [Fault("expired", share=0.1, batched=True), Fault("errored", share=0.1, seed=1, batched=True)]
    with llm_server(faults=faults, batch_s=0.05) as server:
        report = _build(tmp_path / "batched", server.base_url, batch=True)
        assert any(call.batched for call in server.answered)
    assert report.build_id == plain.build_id
    assert report.agents["total"]["usd"] < 0.7 * plain.agents["total"]["usd"]


# what cannot be


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"api_key": None}, UsageError),
        ({"agents": ("mapper", "oracle")}, UsageError),
        ({"agent_models": {"oracle": "m"}}, UsageError),
        ({"prices": Path("nowhere.json")}, UsageError),
        ({"budget_usd": 1.0, "agent_models": {"mapper": "model-without-a-price"}}, UsageError),
    ],
)
def test_wrong_choices_are_named_before_anything_is_asked(
    tmp_path: Path, settings: dict[str, Any], error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No key, no such role, no price: an error with a way out, and the store stays as it was."""
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with llm_server() as server, opened(tmp_path, server.base_url, **settings) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
        with pytest.raises(error) as caught:
            knowledge.build(CORPUS, BuildSettings())
        assert getattr(caught.value, "hint", "") or "price file" in str(caught.value)
        assert server.messages == []


@pytest.mark.parametrize("settings", [{"llm": "none"}, {"agents": ("mapper",)}])
def test_selection_by_a_model_needs_the_selector(tmp_path: Path, settings: dict[str, Any]) -> None:
    """Whoever asks for llm_extractive without the role is told so; nothing is selected by other means in its name."""
    with llm_server() as server, opened(tmp_path, server.base_url, **settings) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
        with pytest.raises(UsageError, match="select sentences"):
            knowledge.build(CORPUS, BuildSettings(extraction_method="llm_extractive"))
        assert server.messages == []


def test_extraction_schema_of_the_user_is_what_the_mapper_looks_for(tmp_path: Path) -> None:
    """Types of the schema come out as they are named; another schema is another build."""
    schema = tmp_path / "deadlines.yaml"
    schema.write_text(
        "name: deadlines\ndescription: Deadlines.\ntypes:\n  obligation:\n    description: A duty.\n    fields:\n"
        "      actor: {type: string, x-verbatim: true, description: Who.}\n    required: []\n"
    )
    with llm_server() as server:
        with opened(tmp_path, server.base_url, agents=("mapper",), extraction_schema=schema) as knowledge:
            knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
            own = knowledge.build(CORPUS, BuildSettings())
            view = knowledge.view(CORPUS)
            mapped = [e for d in view.documents for e in view.extractions(d) if e.tier1_data.extraction_schema]
            assert {e.tier1_data.more["type"] for e in mapped} == {"obligation"}
            assert all(e.tier1_data.extraction_schema.startswith("deadlines/") for e in mapped)
            assert view.manifest.settings.agents is not None
            assert view.manifest.settings.agents.extraction_schema["name"] == "deadlines"
        with opened(tmp_path, server.base_url, agents=("mapper",)) as knowledge:
            assert knowledge.build(CORPUS, BuildSettings()).build_id != own.build_id
    schema.write_text("types: 3\n")
    with llm_server() as server, opened(tmp_path, server.base_url, extraction_schema=schema) as knowledge:
        with pytest.raises(SchemaError) as caught:
            knowledge.build(CORPUS, BuildSettings())
        assert "deadlines.yaml" in str(caught.value)


def test_decision_on_what_a_model_found_holds_without_asking_it_again(tmp_path: Path) -> None:
    """What a person dismissed of the mapper's findings is gone from the next build, which sends the mapper nothing."""
    with llm_server() as server, opened(tmp_path, server.base_url, agents=("mapper",)) as knowledge:
        knowledge.ingest(CORPUS, [folder_of(tmp_path / "in")])
        knowledge.build(CORPUS, BuildSettings())

        def mapped() -> list[Extraction]:
            view = knowledge.view(CORPUS)
            return [e for d in view.documents for e in view.extractions(d) if e.tier1_data.extraction_schema]

        before, asked = mapped(), len(server.messages)
        signed = knowledge.review(
            CORPUS, before[0].extraction_id, decision="dismiss", by="R. Viewer", meaning="no such duty"
        )
        knowledge.build(CORPUS, BuildSettings())
        texts = [each.source_text for each in mapped()]
        assert texts == [each.source_text for each in before[1:]]
        assert [each.state for each in knowledge.decisions(CORPUS)] == ["in force"]
        assert len(server.messages) == asked
        knowledge.review(CORPUS, signed.review_id, decision="withdraw", by="R. Viewer", meaning="it is one")
        knowledge.build(CORPUS, BuildSettings())
        assert mapped() == before
        require_verbatim(knowledge)
        assert knowledge.validate(CORPUS).findings == ()
