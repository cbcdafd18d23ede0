"""Texts that a language model reads as well, over HTTP: the operator has one, the caller asks for it."""

from __future__ import annotations

from pathlib import Path

from coditect.schemas import TextReport
from coditect.server.running import Serving, opened_application
from tests.integration.server.served import Served, settings_at, store_of_two, tokens_at
from tests.llm_server import llm_server

TEXT = "Personnel have to keep passwords to themselves, and share them with nobody at all."
PATH = "/api/v1/corpora/policies/verify"


def test_caller_asks_for_the_model_and_nothing_is_sent_otherwise(tmp_path: Path) -> None:
    """The report is the one that the command prints; the operator's setting alone sends nothing."""
    place = tmp_path / "store"
    store_of_two(place)
    tokens = tokens_at(place)
    with llm_server() as service:
        asked = {"llm": "claude", "llm_base_url": service.base_url, "api_key": "sk-of-tests"}
        settings = type(settings_at(place))(**{**settings_at(place).model_dump(exclude_unset=True), **asked})
        names = (settings.tenant, settings_at(place, "b").tenant)
        serving = Serving(tenants=names, rate="1000000/minute", work=tmp_path / "work", apart=False)
        with opened_application(settings, serving) as app:
            client = Served(app, tokens).client("analyst")
            plain = TextReport.model_validate_json(client.post(PATH, json={"text": TEXT}).content)
            assert (service.messages, plain.examiner, plain.label) == ([], "", "needs_review")
            read = TextReport.model_validate_json(client.post(PATH, json={"text": TEXT, "llm": "claude"}).content)
            assert len(service.messages) == 1
            assert read.examiner.startswith("roles/1 examiner/")
            assert read.sentences[0].examination is not None
            assert (
                Served(app, tokens).client("reader").post(PATH, json={"text": TEXT, "llm": "claude"}).status_code == 403
            )
            assert len(service.messages) == 1


def test_roles_that_may_not_spend_the_budget_are_refused_before_anything_is_sent(tmp_path: Path) -> None:
    """Texts, crosswalks that are read, and builds: the operator says which roles; what rules do is open to them as before."""
    place = tmp_path / "store"
    store_of_two(place)
    tokens = tokens_at(place)
    with llm_server() as service:
        asked = {
            "llm": "claude",
            "llm_base_url": service.base_url,
            "api_key": "sk-of-tests",
            "llm_callers": ("reviewer",),
        }
        settings = type(settings_at(place))(**{**settings_at(place).model_dump(exclude_unset=True), **asked})
        names = (settings.tenant, settings_at(place, "b").tenant)
        serving = Serving(tenants=names, rate="1000000/minute", work=tmp_path / "work", apart=False)
        with opened_application(settings, serving) as app:
            client = Served(app, tokens).client("analyst")
            refused = client.post(PATH, json={"text": TEXT, "llm": "claude"})
            assert (refused.status_code, "budget" in refused.json()["detail"]) == (403, True)
            compared = {"framework_corpus": "secret", "assessed": True}
            assert client.post("/api/v1/corpora/policies/crosswalks", json=compared).status_code == 403
            assert client.post("/api/v1/corpora/policies/builds").status_code == 403
            assert client.post(PATH, json={"text": TEXT}).status_code == 200
            assert service.messages == []
            reviewer = Served(app, tokens).client("reviewer")
            assert reviewer.post(PATH, json={"text": TEXT, "llm": "claude"}).status_code == 200
            assert len(service.messages) == 1
