"""Who gets into the explorer, by which door, and what is said to whom it is closed."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.server.access.authentication import SESSION_COOKIE
from coditect.server.explorer.routes import corpora
from coditect.server.explorer.visit import Visit
from tests.unit.server.explorer.addresses import Site
from tests.unit.server.explorer.visits import view_of


def visits_of(monkeypatch: pytest.MonkeyPatch, *views: Any, role: str = "reviewer") -> tuple[Site, list[Visit]]:  # noqa: ANN401 - doubles
    """A site whose lists of sections note who asked."""
    site, seen = Site(monkeypatch, *views, role=role), list[Visit]()
    site.replace(corpora, section_list=lambda visit, _: seen.append(visit))
    return site, seen


@pytest.mark.parametrize(
    ("given", "as_of"),
    [
        ("", None),
        ("2", 2),
        ("x", None),
        ("-1", None),
        ("\u0662", None),
        ("1234567890", None),
        ("999999999", 404),
        ("00000002", 2),
    ],
)
def test_a_visit_is_of_the_generation_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, given: str, as_of: int | None
) -> None:
    """What is no number of nine digits at most is the current one; one that there is not is unknown."""
    site, seen = visits_of(monkeypatch)
    answer = site.client.get("/explorer/c/c/sections", params={"as_of": given})
    if as_of == 404:
        assert (answer.status_code, seen) == (404, [])
    else:
        assert [each.links.as_of for each in seen] == [as_of]
        assert (seen[0].is_built, seen[0].may_decide, seen[0].name, seen[0].role) == (True, True, "Ada", "reviewer")
        assert seen[0].may_analyse
        assert (seen[0].csrf, seen[0].sign_out) == ("", "")


def test_who_may_not_review_is_told_so_by_the_visit(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that pages do not offer it."""
    site, seen = visits_of(monkeypatch, role="reader")
    site.get("/sections")
    assert not seen[0].may_decide
    assert not seen[0].may_analyse


def test_a_corpus_that_was_never_built_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is not there says no more than one that is not for the visitor."""
    site, seen = visits_of(monkeypatch, view_of(0))
    answer = site.get("/sections")
    assert (answer.status_code, seen) == (404, [])
    assert "never built" in answer.text
    assert "Come again when it is" in answer.text
    assert "coditect knowledge build" not in answer.text


def test_a_session_has_a_form_token_and_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who need not sign in has neither."""
    site, seen = visits_of(monkeypatch)
    site.client.cookies.set(f"__Host-{SESSION_COOKIE}", "good")
    site.get("/sections")
    assert (seen[0].name, seen[0].csrf, seen[0].sign_out) == ("Bob", "form", "/explorer/sign-out")


def test_who_is_not_known_is_led_to_where_one_signs_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """And comes back to what was asked for; a form is refused instead."""
    site, _ = visits_of(monkeypatch, role="")
    answer = site.get("/sections")
    assert (answer.status_code, answer.headers["location"]) == (
        303,
        "/explorer/sign-in?next=%2Fexplorer%2Fc%2Fc%2Fsections",
    )
    answer = site.get("/sections?page=2&q=a%20b")
    assert answer.headers["location"].endswith("sections%3Fpage%3D2%26q%3Da%2520b")
    answer = site.client.post("/explorer/c/c/review", data={"item": "x"})
    assert (answer.status_code, answer.headers["content-type"]) == (401, "application/problem+json")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 303),
        ({"Origin": "http://localhost"}, 303),
        ({"Origin": "http://localhost/"}, 303),
        ({"Origin": "https://localhost"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"}, 403),
        ({"Sec-Fetch-Site": "none", "Origin": "http://evil.example"}, 403),
    ],
)
def test_forms_of_other_sites_do_nothing(monkeypatch: pytest.MonkeyPatch, headers: dict[str, str], status: int) -> None:
    """A browser says where a form comes from, and how."""
    site, _ = visits_of(monkeypatch)
    assert site.client.post("/explorer/sign-out", headers=headers).status_code == status
    assert site.client.post("/explorer/sign-in", headers=headers, data={"token": "good"}).status_code == status
    assert site.client.get("/explorer/c/c/sections", headers=headers).status_code == 200


def test_a_refusal_is_a_page_for_who_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its status, its title and the way back."""
    site, _ = visits_of(monkeypatch, role="reader")
    answer = site.client.post("/explorer/c/c/review", data={"item": "x"}, headers={"Origin": "http://localhost"})
    assert (answer.status_code, answer.headers["content-type"]) == (403, "text/html; charset=utf-8")
    assert "Not allowed." in answer.text
    assert "<title>That is not for you" in answer.text
    assert 'href="/explorer/"' in answer.text


def test_a_token_begins_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a cookie that no script reads and no other site sends; then the visitor is where they wanted to be."""
    site, _ = visits_of(monkeypatch)
    answer = site.client.post("/explorer/sign-in", data={"token": " good ", "next": "/explorer/c/c/claims?page=2"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/explorer/c/c/claims?page=2")
    assert answer.headers["set-cookie"].startswith(f"__Host-{SESSION_COOKIE}=cookie;")
    cookie = answer.headers["set-cookie"].lower()
    assert {"httponly", "samesite=lax", "secure", "path=/"} <= {each.strip() for each in cookie.split(";")}
    assert site.begun == [("good", "127.0.0.1")]
    assert site.client.post("/explorer/sign-in", data={"token": "good"}).headers["location"] == "/explorer/"


def test_a_token_that_is_none_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """With where the visitor wanted to be; one that is too long is not even looked at."""
    site, _ = visits_of(monkeypatch)
    answer = site.client.post("/explorer/sign-in", data={"token": "bad", "next": "/explorer/c/c"})
    assert (answer.status_code, "set-cookie" in answer.headers) == (401, False)
    assert "This token is not known" in answer.text
    assert 'value="/explorer/c/c"' in answer.text
    assert site.client.post("/explorer/sign-in", data={"token": "x" * 8192}).status_code == 401
    assert site.client.post("/explorer/sign-in", data={"token": "x" * 8193}).status_code == 422


@pytest.mark.parametrize(
    ("next", "kept"),
    [("/explorer/c/c", True), ("/explorer/", True), ("/explorer", False), ("https://evil.example/explorer/", False),
     ("//evil.example", False), ("/explorer/../x", False), ("/explorer/\\evil.example", False),
     ("/explorer/\nx", False), ("/explorer/..\n", False),
     ("/explorer/..\\", False), ("", False)],
)  # fmt: skip
def test_nobody_is_led_out_of_the_explorer(monkeypatch: pytest.MonkeyPatch, next: str, kept: bool) -> None:
    """By whatever a link says."""
    site, _ = visits_of(monkeypatch)
    shown = site.client.get("/explorer/sign-in", params={"next": next})
    assert shown.status_code == 200
    assert (f'value="{next}"' in shown.text) == (kept or not next)
    behind = site.client.post("/explorer/sign-in", data={"token": "good", "next": next}).headers["location"]
    assert behind == (next if kept else "/explorer/")


def test_the_root_leads_to_the_explorer_and_out_of_a_session_to_the_sign_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cookie goes."""
    site, _ = visits_of(monkeypatch)
    answer = site.client.get("/")
    assert (answer.status_code, answer.headers["location"]) == (303, "/explorer/")
    answer = site.client.post("/explorer/sign-out", headers={"Origin": "http://localhost"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/explorer/sign-in")
    assert 'coditect_session=""' in answer.headers["set-cookie"]


def test_own_files_are_for_anybody_and_others_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kept for ever, by their digest."""
    site, _ = visits_of(monkeypatch, role="")
    answer = site.client.get("/explorer/assets/keys.js")
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "public, max-age=31536000, immutable")
    assert site.client.get("/explorer/assets/pages.py").status_code == 404


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("/search?query=x", "“query”"),
        ("/search?q=x&tiers=chunk&Q=y", "“Q”, “tiers”"),
        ("/claims?sevrity=high", "“sevrity”"),
        ("/sections?a=1&b=2&c=3&d=4&e=5&f=6", "“a”, “b”, “c”, “d”, “e” in"),
    ],
)
def test_what_a_page_does_not_take_is_refused(monkeypatch: pytest.MonkeyPatch, address: str, told: str) -> None:
    """Passed over, it would quietly be another question; the page says what it takes."""
    site, seen = visits_of(monkeypatch)
    answer = site.get(address)
    assert (answer.status_code, seen) == (400, [])
    assert f"This page takes no {told}" in answer.text
    assert "What it takes: " in answer.text
    if "/search" in address:
        assert " mode, page, q, tier." in answer.text


def test_what_every_page_takes_is_no_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    """The generation, and a page's own parameters, also those that are read beside the path."""
    site, seen = visits_of(monkeypatch)
    assert site.get("/sections?page=1&as_of=2").status_code == 200
    assert len(seen) == 1
    assert site.get("/crosswalk?corpus=&framework=x").status_code == 200
