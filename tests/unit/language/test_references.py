"""Cross-references to places, laws, standards, controls and documents."""

from __future__ import annotations

import pytest

from coditect.language.references.mentions import find_references


def _read(text: str) -> list[tuple[object, ...]]:
    """(target, kind, label, document) of each reference, after checking its span."""
    marks = find_references(text, 0, len(text))
    for mark in marks:
        assert text[mark.start : mark.end] == mark.data["target"]
        assert mark.data["internal"] is ("document" not in mark.data)
    return [(m.data["target"], m.data["target_kind"], m.data["label"], m.data.get("document")) for m in marks]


def test_reference_list_of_sections_gives_each_its_own() -> None:
    """Each member of a list is a reference of its own, and the days behind it are none."""
    assert _read("as set out in Sections 4.1, 4.2(a) and 5.3 within 30 days") == [
        ("Sections 4.1", "section", "4.1", None),
        ("4.2(a)", "section", "4.2(a)", None),
        ("5.3", "section", "5.3", None),
    ]


def test_reference_to_a_place_in_an_act_names_the_act() -> None:
    """A place that belongs to another document is external and says to which."""
    found = _read("under section 1029 of the Consumer Financial Protection Act")
    assert found[0] == ("section 1029", "section", "1029", "Consumer Financial Protection Act")
    assert found[1][1] == "statute"
    assert _read("GDPR Article 33")[1] == ("Article 33", "article", "33", "GDPR")


@pytest.mark.parametrize("owner", ["this Agreement", "this section", "these Terms"])
def test_reference_of_this_document_is_internal(owner: str) -> None:
    """ "of this Agreement" keeps a place at home."""
    assert _read(f"see Article VI of {owner}") == [("Article VI", "article", "VI", None)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("12 CFR 1002.6", "regulation"),
        ("45 CFR 164.308(a)(1)(i)", "regulation"),
        ("41 CFR 101-19.600", "regulation"),
        ("15 U.S.C. § 1692 et seq.", "statute"),
        ("42 U.S.C. 4151-4157", "statute"),
        ("Public Law 111-203", "statute"),
        ("Regulation (EU) 2016/679", "regulation"),
        ("NIST SP 800-53 Rev. 5", "standard"),
        ("ISO/IEC 27001:2013", "standard"),
        ("PCI DSS", "standard"),
        ("SOC 2 Type II", "standard"),
        ("AC-2(3)", "control"),
        ("CC6.1", "control"),
        ("PR.AC-1", "control"),
        ("HIPAA", "statute"),
        ("Securities Exchange Act of 1934", "statute"),
    ],
)
def test_reference_with_a_fixed_form_is_read_whole(text: str, kind: str) -> None:
    """Citations, standards and control ids are external and keep all of their label."""
    assert _read(f"as required by {text}, and so on") == [(text, kind, text, text)]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Incident Response Plan", "document"),
        ("Vendor Management Policy", "policy"),
        ("Data Classification Standard", "standard"),
    ],
)
def test_reference_to_a_named_document_is_found_by_its_title(name: str, kind: str) -> None:
    """A document called by its title is a reference, without the article before it."""
    assert _read(f"The {name} applies to vendors.") == [(name, kind, name, name)]


@pytest.mark.parametrize(
    "text",
    [
        "Section 6.13. Patent Licences are granted.",
        "Access Control Policy",
        "this Agreement and this Section",
        "a part of the work",
        "Exhibits will be kept",
        "the item I bought",
        "rooms C1 and D2",
    ],
)
def test_reference_is_not_seen_where_there_is_none(text: str) -> None:
    """A sentence's own number, a title line and words that look like places refer to nothing."""
    assert _read(text) == []


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("§§ 5.3(b)(2) and (3), 5.10(b), and 5.14(b)(1)(ii)", ["5.3(b)(2)", "5.3(b)(3)", "5.10(b)", "5.14(b)(1)(ii)"]),
        ("paragraphs (c)(1)(i) and (ii)", ["(c)(1)(i)", "(c)(1)(ii)"]),
        ("paragraphs (a)(1)(i) and (c)", ["(a)(1)(i)", "(c)"]),
        ("paragraphs (d)(1)(ii) through (d)(3)", ["(d)(1)(ii)", "(d)(3)"]),
        ("paragraphs (i)(1)(i) through (i)(1)(iv)", ["(i)(1)(i)", "(i)(1)(iv)"]),
        ("paragraphs (h) and (i)", ["(h)", "(i)"]),
        ("paragraphs (b) and (c) of § 7.5", ["7.5(b)", "7.5(c)", "7.5"]),
    ],
)
def test_reference_list_spells_out_what_it_shortens(text: str, labels: list[str]) -> None:
    """A short label takes the place of the part before it that is of its kind."""
    assert [mark.data["label"] for mark in find_references(f"as {text} say", 0, len(text) + 7)] == labels


def test_reference_says_whose_list_it_means_and_where_a_range_begins() -> None:
    """ "of this section", "of the appendix", "commentary to" and "through" are kept for resolution."""
    text = "paragraphs (a) through (c) of this section, section IV of the appendix to this part, commentary to § 7.5"
    first, last, appendix, commentary = find_references(text, 0, len(text))
    assert (first.data["within"], last.data["within"], appendix.data["within"]) == ("section", "section", "appendix")
    assert (last.data["range_from"], "range_from" in first.data) == ("(a)", False)
    assert commentary.data["about"] == "commentary"
    assert find_references("comment 19(e)-3 says", 0, 20)[0].data["about"] == "comment"


def test_reference_to_an_article_before_its_law_names_the_law() -> None:
    """ "Article 6(1)(f) GDPR" is in the GDPR."""
    assert _read("under Article 6(1)(f) GDPR only")[0] == ("Article 6(1)(f)", "article", "6(1)(f)", "GDPR")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("as the Access Control Policy says", ("Access Control Policy", "policy")),
        ("as the Password Standard says", ("Password Standard", "standard")),
        ("under the Clean Water Act it is", ("Clean Water Act", "statute")),
        ("as in the _Personally Held Water Act 2012_ it is", ("Personally Held Water Act", "statute")),
    ],
)
def test_reference_by_title_says_what_the_title_is_of(text: str, found: tuple[str, str]) -> None:
    """A policy, a standard or an act by the last word of its name."""
    assert [(target, kind) for target, kind, _, _ in _read(text)] == [found]


@pytest.mark.parametrize(
    "text", ["by the Act alone", "the Zip Code of the house", "in Source Code form", "under the Code"]
)
def test_act_and_code_without_a_name_are_no_titles(text: str) -> None:
    """A zip code and source code are no law, and "the Act" alone names none."""
    assert _read(text) == []


def test_documents_own_title_is_no_reference_to_it() -> None:
    """A line with a title alone is a heading, also with marks around; with words on either side it is a reference."""
    assert _read("# Access Control Policy") == []
    assert _read("**Access Control Policy**:") == []
    assert len(_read("see Access Control Policy")) == 1
    assert len(_read("Access Control Policy applies")) == 1
