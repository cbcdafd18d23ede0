"""Small labelled sets, written for these tests."""

from __future__ import annotations

import random

from coditect_benchmarks.verification.fitting import Rows
from coditect_benchmarks.verification.formats import Case
from coditect_benchmarks.verification.measures import measured

SUBJECTS = ("supplier", "customer", "auditor", "landlord", "tenant", "processor", "controller", "broker")
VERBS = ("notifies", "pays", "inspects", "trains", "informs", "insures", "registers", "compensates")
OBJECTS = ("breaches", "invoices", "buildings", "employees", "regulators", "vehicles", "products", "claims")
PLACES = ("Northwind", "Lakeside", "Hillford", "Eastbrook", "Marlow", "Ashby")


def documents(seed: int, count: int) -> list[tuple[str, ...]]:
    """Documents of six sentences that say who does what to what, where and when."""
    draw = random.Random(seed)  # noqa: S311 - no secret

    def sentence() -> str:
        who, does, what, where = (draw.choice(each) for each in (SUBJECTS, VERBS, OBJECTS, PLACES))
        return f"In the office at {where} the {who} always {does} the {what} within {draw.randint(2, 90)} days."

    return [tuple(sentence() for _ in range(6)) for _ in range(count)]


def cases(seed: int, count: int) -> list[Case]:
    """Two cases a document: a sentence of it, and one of another document."""
    found = []
    several = documents(seed, count)
    for number, document in enumerate(several):
        other = several[(number + 1) % count]
        domain = "ab"[number % 2]
        found.append(Case(document[2], document, True, str(number), "quote", domain))
        found.append(Case(other[3], document, False, str(number), "strange", domain))
    return found


def rows(count: int = 40) -> Rows:
    """Three measured sets, one of them of edited summaries with two domains."""
    return measured({name: cases(seed, count) for seed, name in enumerate(("scifact", "wice", "summedits"))})
