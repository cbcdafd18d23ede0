"""What every edit makes of sentences of our own, written down.

``python -m benchmark_tests.edits.pinned_edits`` writes ``pinned_edits.json`` anew. The pairs of a benchmark are made by these
edits, so whatever changes here makes its figures incomparable with earlier ones.
"""

from __future__ import annotations

import json
import random
from collections.abc import MutableSequence, Sequence
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from coditect_benchmarks.edits.contradicting import CONTRADICTING
from coditect_benchmarks.edits.faithful import FAITHFUL
from coditect_benchmarks.edits.grammar import Family

__all__ = ["PINNED", "SENTENCES", "Dice", "edited", "pinned"]

PINNED = Path(__file__).parent / "pinned_edits.json"
T = TypeVar("T")

_FIGURES = """
The Supplier shall deliver the pumps within thirty (30) days after the order.
The Tenant must pay the rent within 10 business days after each invoice.
The Licensee shall keep the records for seven years and the Licensor may audit them.
The notice must be given 12 months before the end of the term.
The Owner shall answer within 72 hours and the Agent within 2 days.
A grace period of one year applies, and the Bank may extend it by 24 months.
The Bank shall report within 1 day of the incident.
A twelve-month period begins when the Buyer accepts the goods.
The Provider must restore the service within 500 hours of a call.
The Company shall wait 0 days and then 400 days.
The Operator shall hold the data for 999 days and for 1000 days.
The Sponsor shall pay interest of 5% on late payments and 12 percent on loans.
The lender may charge 60 percent (60%) of the fee and one percent of the rest.
The consumer must receive 93% of the deposit and 100 percent of the interest.
The Buyer shall pay $4,000 for each shipment and $3,000,000.00 for the plant.
The Buyer shall pay two million dollars ($2,000,000) and US $500 and USD $700.
The Buyer shall pay $0 now, $25 million next year and $1.50 for each unit.
The Vendor must deliver 12 copies of the plans and two records to the Client.
The Vendor must deliver 1 copies of the plans, 499 units and five hundred shares.
The Vendor must keep 997 pages and 996 payments in the archive.
The Agreement begins on March 3, 2024 and the Executive shall report on 31 December 2025.
The Agent must file the report by May 29, 2020 and the Bureau shall answer by 2021-06-30.
The Agent must file the report by February 29, 2024.
The Customer shall follow Section 4.2 of this Agreement and Exhibit A to it.
The Customer shall follow Section 4.2 and Section 4.3, and Section 8.2 as well.
The Operator must meet paragraph (b)(12) and Schedule Z and Annex 3.
The Operator must meet part of the plan and Clause nine and Appendix VIII of the code.
"""
_NORMS = """
The Supplier may inspect the premises of the Customer unless the Customer objects in writing to it.
The Customer must not disclose the plans to any person without the prior written consent of the Supplier.
Neither party shall assign this Agreement, and no creditor may refuse a complete application.
If the Customer returns a defective pump, the Supplier shall refund the price at its expense, if any.
Subject to the terms of this lease, the Landlord will repair the roof and the doors of the house.
In the event that the Tenant leaves early, the Landlord may keep the deposit as the case may be, hereby agreed.
All employees of the Contractor shall comply with the policies of the site, including the rules on access and safety.
Each party agrees to keep the information confidential; the Recipient shall return all copies at all times.
The list, which shall be kept up to date, must include every account and only the accounts of the Bank.
The Distributor shall promptly notify the Manufacturer within 5 days, and the Manufacturer shall answer it at once.
The servicer must provide the notice to the borrower if the borrower asks for it in a letter.
The Licensor shall supply the software (the “Software”) to the Licensee (if needed) and install it (twice).
The borrowers and the lender are required to submit all documents that a court requests.
The Franchisee is entitled to use the marks exclusively, and the Franchisor cannot grant them to others.
The Company shall not exceed the budget, and the total shall be no more than the maximum rate of tax.
Provided that the fee has been paid in full, the Publisher shall print at least ten books for example.
Only the Operator may open the gate; and the Owner must close it before the evening comes and after the bell.
The Reseller shall sell to Acme and to Borealis for the price of Acme, whatever the Reseller pays.
Acme shall deliver the goods to Borealis, and Borealis will pay Acme's invoices to Cyclone.
Acme and Borealis shall build the bridge together with Cyclone.
An Affiliate shall inform a bank, and a bank shall inform the Affiliate thereof.
The Owner or the Agent shall sign for the Owner when the Agent is away from the office.
They shall pay; Smith and Jones must file the forms with the court; the boss is away.
The parties shall not be bound, and the licensee's agents may act for all applicable rates as long as the law permits.
During the term of this Agreement, the Executive shall devote his time to the Company and its subsidiaries.
The Provider shall maintain the system upon receipt of the fees, except as the Client has agreed in writing.
The Provider shall pay.
The card issuer must file a form.
The Developer shall submit the draft to the Client, and the Client must approve it unless it is incomplete.
There is a rule, and it should hold until the end; nothing in it may reduce the right to a hearing
The bank does not accept cash; a customer cannot pay in coins, or in notes, and must use a card.
The Consultant shall prepare the report and each plan for the Client as well as the drawings of the new hall at the port.
Upon termination, it shall return the keys, and the Owner shall pay the rest of the price other than the deposit.
The Buyer must obtain the approval of both parties prior to the sale; provided that no fee is due.
After a notice has been sent to the office, the Vendor must collect the goods solely at the port.
The Landlord must protect the garden if any, and the Tenant must not remove plants if at all possible.
"""
SENTENCES = tuple(line for line in (*_FIGURES.split("\n"), *_NORMS.split("\n")) if line)
EDITS = {"contradicted": CONTRADICTING, "faithful": FAITHFUL}
_FAMILIES: tuple[Family, ...] = ("dev", "heldout")
_ANYWHERE = ("condition added", "lead-in", "spacing and case")
"""Edits that fit any sentence: only the short ones are written down."""


class Dice(random.Random):
    """Draws that are told beforehand: the same place in every choice, and a share that goes with it."""

    SHARES = (0.0, 0.39, 0.4, 0.45, 0.5, 0.9)

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._number = number

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]  # no other kind of sequence is drawn from
        return seq[self._number % len(seq)]

    def random(self) -> float:
        return self.SHARES[self._number]

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        return self._number % start

    def shuffle(self, x: MutableSequence[Any]) -> None:
        at = 5 * self._number % max(len(x), 1)
        x[:] = [*x[at:], *x[:at]]


def edited(sentence: str) -> dict[str, list[str]]:
    """What each edit makes of a sentence, for each family and with each dice, each result once."""
    found: dict[str, list[str]] = {}
    for label, family in product(EDITS, _FAMILIES):
        for kind, edit in EDITS[label].items():
            if kind in _ANYWHERE and len(sentence) > 60:
                continue
            made = [edit(sentence, Dice(number), family) for number in range(len(Dice.SHARES))]
            if any(made):
                found[f"{family}, {label}, {kind}"] = list(dict.fromkeys(each or "" for each in made))
    return found


def pinned() -> dict[str, dict[str, list[str]]]:
    """What was written down."""
    found: dict[str, dict[str, list[str]]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    everything = {sentence: edited(sentence) for sentence in SENTENCES}
    PINNED.write_text(json.dumps(everything, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
