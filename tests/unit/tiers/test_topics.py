"""Topics, and what speaks to them."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from coditect.tiers.sections.topics import given_topics
from tests.unit.tiers.corpora import chunks_of
from tests.unit.tiers.read_plainly import find_topics, speaks_to

FILES = {
    f"{name}.md": f"# {name.title()} Policy\n\n## 1 General\n\n1.1 This policy applies to all.\n\n## 2 Access reviews\n\n"
    f"2.1 Managers shall run access reviews of {name} every quarter.\n\n2.2 Access reviews shall be recorded by {name}.\n\n"
    f"## 3 Passwords\n\n3.1 Passwords of {name} shall be long.\n\n3.2 Passwords shall be kept secret in {name}.\n"
    for name in ("finance", "research", "sales")
}


def test_topics_are_phrases_of_headings_that_documents_share() -> None:
    """Shared headings become topics; words that say where a text stands do not."""
    names = [topic.name for topic in find_topics(chunks_of(FILES), 24)]
    assert names[:2] == ["access reviews", "passwords"]
    assert "general" not in names


def test_topics_are_a_function_of_the_set_of_chunks_and_no_more_than_asked() -> None:
    """The order in which chunks come changes nothing; the most shared come first."""
    chunks = chunks_of(FILES)
    shuffled = chunks[:]
    random.Random(5).shuffle(shuffled)  # noqa: S311 - no secret
    found = find_topics(chunks, 24)
    assert find_topics(shuffled, 24) == found
    assert find_topics(chunks, 1) == found[:1]
    assert find_topics(chunks, 0) == ()


def test_topics_have_no_single_word_that_names_nothing() -> None:
    """A single word is a topic only where it is a whole heading of several documents, and not one that fits any."""
    files = {name: text.replace("Passwords\n", "Security\n") for name, text in FILES.items()}
    assert "security" not in [topic.name for topic in find_topics(chunks_of(files), 24)]


@given(
    st.lists(st.sampled_from(["incident reporting", "Incident  Reporting", "reporting incidents", "the", "", "backup"]))
)
def test_given_topics_are_the_users_own_without_repeats(names: list[str]) -> None:
    """Every name that says something is kept once, in order, as written but for white space."""
    topics = given_topics(names)
    assert len({topic.stems for topic in topics}) == len(topics)
    assert [t.name for t in topics] == list(dict.fromkeys(t.name for t in topics))
    assert all(topic.stems for topic in topics)


def test_speaks_to_matches_stems_in_headings_and_sentences() -> None:
    """A given topic is matched by its stems: best in the headings, then in one sentence, then in both together."""
    (topic,) = given_topics(["incident reporting"])
    texts = {
        "headed.md": "# P\n\n## 1 Reporting of incidents\n\n1.1 Staff shall call the desk at once.\n",
        "said.md": "# Q\n\n## 1 Duties\n\n1.1 Staff shall report incidents to the desk.\n",
        "both.md": "# R\n\n## 1 Incidents\n\n1.1 Staff shall report them to the desk.\n",
        "silent.md": "# S\n\n## 1 Doors\n\n1.1 Staff shall lock the doors.\n",
    }
    relevance = {
        name: [r for c in chunks_of({name: text}) for _, r in speaks_to(c, (topic,))] for name, text in texts.items()
    }
    assert relevance == {"headed.md": [1.0], "said.md": [0.8], "both.md": [0.6], "silent.md": []}
