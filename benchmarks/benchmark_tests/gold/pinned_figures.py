"""The sample of a small corpus of our own, and every figure over labels that differ in known ways, written down.

``python -m benchmark_tests.gold.pinned_figures`` writes ``pinned_figures.json`` anew.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from coditect_benchmarks.gold.adjudication import differences
from coditect_benchmarks.gold.agreement import agreement_of, as_text
from coditect_benchmarks.gold.checking import check_file, place_pack_unit
from coditect_benchmarks.gold.manifest import describe
from coditect_benchmarks.gold.packs import write_packs
from coditect_benchmarks.gold.readings import Reading, ReadNorm
from coditect_benchmarks.gold.records import Label, PackUnit
from coditect_benchmarks.gold.resolution import resolve, restore
from coditect_benchmarks.gold.sampling import draw
from coditect_benchmarks.gold.scoring import score, scores_as_text, show_miss
from coditect_benchmarks.gold.sources import Library, load_plan
from coditect_benchmarks.gold.store import GoldUnit

from benchmark_tests.gold.material import CUSTODIAN, norm

__all__ = ["PINNED", "checked", "figures", "pinned", "sampled"]

PINNED = Path(__file__).parent / "pinned_figures.json"

_TABLE = """
seed = "keys"
training = ["05e1775f"]
[[genre]]
name = "rulebook"
quota = 60
root = "rules"
public = true
files = ["*.txt"]
families = [{ name = "left", pattern = "^l", split = "heldout" }, { name = "rest", pattern = ".", split = "hashed" }]
[[genre]]
name = "policy"
quota = 9
root = "rules"
public = false
files = ["more/*.md"]
families = [{ name = "policies", pattern = ".", split = "dev" }]
[[genre]]
name = "policy"
root = "rules"
public = false
files = ["late/*.md"]
families = [{ name = "policies", pattern = ".", split = "test" }]
"""
_KINDS = (
    "The {0} officer must file form {1} within {1} days.",
    "A {0} officer may keep form {1}.",
    "The {0} officer must not lend form {1} to a guest.",
    "Form {1} is not required to be signed by the {0} officer.",
    'A "{0} form {1}" means a form with {1} pages.',
    "The {0} officer should read form {1} twice.",
    "The {0} officer will be told of form {1}.",
    "See section {1} of the {0} plan.",
    "Form {1} of the {0} plan is blue.",
    "The {0} officer shall:\n(a) sign form {1}; and\n(b) send it.",
    "The {0} clerk shall do this:\n(a) sign form {1};\n(b) if it is new:\n(i) copy it; and\n(ii) send it,\nin June.",
)
_FILES = {
    **{f"{name}.txt": 13 for name in ("first", "left", "lost", "second", "third", "fourth")},
    "more/a.md": 4,
    "more/b.md": 4,
    "late/c.md": 6,
}


def sampled() -> dict[str, Any]:
    """What is drawn from the corpus, what annotators see of it, and how the sample is described."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "sources.toml").write_text(_TABLE, "utf-8")
        for file, count in _FILES.items():
            path = root / "rules" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = [f"{n}.1\t{_KINDS[n * len(file) % len(_KINDS)].format(path.stem, n)}" for n in range(1, count + 1)]
            path.write_text("\n".join(lines) + "\nAll forms are alike in all files.\n", "utf-8")
        roots = {"rules": root / "rules"}
        plan, library = load_plan(root / "sources.toml", roots), Library(roots)
        units, training = draw(plan, library)
        packs = write_packs(root / "packs", units, library)
        shown = [line for pack in packs for line in pack.read_text("utf-8").splitlines()]
        made = {
            "plan": [[each.name, each.genre, each.family, each.split, each.public] for each in plan.documents],
            "quotas": plan.quotas,
            "units": [_told(unit.model_dump(exclude={"sha256"})) for unit in units],
            "training": [unit.id for unit in training],
            "packs": [pack.name for pack in packs],
            "first shown": json.loads(shown[0]),
            "order": [json.loads(line)["id"] for line in shown],
            "manifest": describe(units),
        }
    return _as_read(made)


def _told(unit: dict[str, Any]) -> str:
    return " ".join(f"{value}".replace(" ", "") for value in unit.values())


_TIME = {"text": ["until the contract ends"], "kind": "deadline", "trigger": ["the contract ends"]}
_RETURN = {
    **norm(kind="obligation", polarity="positive", text=["The custodian shall", "return a key to the client"]),
    "action": "return a key",
    "object": "a key@@2",
    "counterparty": "the client",
    "locator": ["7.2.(3)", "(b)"],
}
_LIST = {"lead_in": "The custodian shall:", "items": ["(a)", "(b)"], "connective": "and", "role": "norms"}
_TERM = {"term": ["The custodian"], "meaning": ["the client"], "form": "meaning"}
_SECRET = {"text": "^A key", "scope": "internal"}
PASSES: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = (
    ({"norms": [norm(times=[_TIME]), _RETURN], "list": _LIST}, {"norms": [_RETURN, norm(times=[_TIME])], "list": _LIST}),
    (
        {"norms": [norm(conditions="to the client", locator="(a)"), _RETURN], "definitions": [_TERM]},
        {"norms": [norm(exceptions="to the client", holder="custodian", locator="7.2.(3)")], "definitions": [_TERM]},
    ),
    ({"statement": "fact"}, {"norms": [{**_RETURN, "kind": "power"}], "references": [_SECRET]}),
    ({"statement": "fact"}, {"statement": "heading"}),
    (
        {"norms": [{**_RETURN, "kind": "right", "times": [{**_TIME, "kind": "frequency"}]}], "note": "odd"},
        {"norms": [{**_RETURN, "kind": "permission", "force": "optional", "times": [_TIME]}], "unsure": True},
    ),
    (
        {"norms": [norm(text="not disclose a key", holder=[])], "list": {**_LIST, "connective": "or"}},
        {"norms": [norm(text="not disclose a", action="not disclose a")], "list": {**_LIST, "items": "(a)"}},
    ),
    ({"definitions": [_TERM]}, {"definitions": [{**_TERM, "term": "a key", "meaning": "client"}]}),
    ({"norms": [norm(action="disclose", text="disclose a key")]}, {"statement": "other"}),
    ({"norms": [norm(times=[_TIME])]}, {"norms": [norm(times=[{**_TIME, "text": "the contract ends"}])]}),
    ({"norms": [norm(times=[_TIME])]}, {"norms": [norm(times=[{**_TIME, "trigger": []}, {**_TIME, "kind": "start"}])]}),
)  # fmt: skip


def _labelled() -> list[tuple[str, GoldUnit, GoldUnit]]:
    """Each unit with its text, as each of two passes labels it."""
    found: list[tuple[str, GoldUnit, GoldUnit]] = []
    for number, (one, other) in enumerate(PASSES):
        shown = CUSTODIAN.model_copy(update={"id": f"u{number}", "genre": ("rulebook", "policy")[number % 2]})
        text, unit = place_pack_unit(shown)
        unit = unit.model_copy(update={"document": f"d{number}"})
        labels = [resolve(text, unit, Label[str].model_validate({"id": shown.id, **said})) for said in (one, other)]
        first, second = (GoldUnit(unit=unit, label=label) for label in labels)
        found.append((text, first, second))
    return found


def figures() -> dict[str, Any]:
    """How far two passes agree, and how right the second is if the first is the gold."""
    labelled = _labelled()
    units = {first.unit.id: first.unit for _, first, _ in labelled}
    one = {first.label.id: first.label for _, first, _ in labelled}
    other = {second.label.id: second.label for _, _, second in labelled}
    agreed = agreement_of(units, one, other)
    texts = {first.unit.document: text for text, first, _ in labelled}
    readings = {
        second.label.id: Reading(
            tuple(
                ReadNorm(norm, " ".join(text[start:end] for start, end in norm.locator), 1.0)
                for norm in second.label.norms
            ),
            tuple((text[slice(*each.term[0])], second.unit.span) for each in second.label.definitions),
        )
        for text, _, second in labelled
    }
    gold = [first for _, first, _ in labelled]
    scored, misses = score(gold, readings, texts)
    return _as_read(
        {
            "agreement": agreed,
            "agreement as text": as_text(agreed).split("\n"),
            "scores": scored,
            "scores as text": scores_as_text(scored).split("\n"),
            "misses": [show_miss(miss, gold, texts).split("\n") for miss in misses],
            "differences": [differences(first.label, second.label) for _, first, second in labelled],
            "restored": [restore(text, first.label) for text, first, _ in labelled],
        }
    )


def checked() -> dict[str, Any]:
    """What the check says of a file with labels of every kind."""
    rows: list[Any] = [{"id": f"u{n}", **first} for n, (first, _) in enumerate(PASSES)]
    rows += [
        "",
        {"id": "u10", "norms": [norm(kind="obligation", force="optional"), norm(polarity="positive", cue="return")]},
        {"id": "u10", "statement": "fact"},
        {"id": "u11", "list": {**_LIST, "items": "(a)"}, "statement": "fact"},
        {"id": "u12", "norms": [norm(holder="nobody", text=["a key@@0", "a key@@9"])]},
        {"id": "x", "statement": "fact"},
        {"id": "u13", "norms": [norm(object="^a ~~ secret", holder="^key@@1", locator="^7.2", cue="^7.2@@2")]},
        {"id": "u13", "norms": [norm(force="optional")]},
    ]
    pack: dict[str, PackUnit] = {f"u{n}": CUSTODIAN.model_copy(update={"id": f"u{n}"}) for n in range(15)}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "01.jsonl"
        file.write_text("\n".join(json.dumps(row) if row else "" for row in rows), "utf-8")
        found = check_file(file, pack)
    return _as_read(
        {
            "labels": [label.model_dump(exclude_defaults=True) for label in found.labels],
            "errors": [error.split(" Input should")[0][:160] for error in found.errors],
            "questions": found.questions,
            "missing": found.missing,
        }
    )


def _as_read(made: dict[str, Any]) -> dict[str, Any]:
    """As JSON gives it back."""
    found: dict[str, Any] = json.loads(json.dumps(made))
    return found


def pinned() -> dict[str, Any]:
    """What was written down."""
    found: dict[str, Any] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    everything = {"sampled": sampled(), "figures": figures(), "checked": checked()}
    PINNED.write_text(json.dumps(everything, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
