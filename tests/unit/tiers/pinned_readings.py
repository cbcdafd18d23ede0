"""What is read out of documents that hold many forms of provisions, definitions, figures and references, written down.

``python -m tests.unit.tiers.pinned_readings`` writes ``pinned_readings.json`` anew, one line for each extraction. A change of the
language's rules shows there which readings it changes; one that changes readings raises the version of the step, as the pins of
the sample corpus say.
"""

from __future__ import annotations

import json
from pathlib import Path

from coditect.documents.readers import read_source
from coditect.tiers.extractions.document import extraction_records, read_document
from tests.unit.tiers.corpora import version_of

__all__ = ["DOCUMENTS", "PINNED", "pinned", "readings"]

PINNED = Path(__file__).parent / "pinned_readings.json"

PROVISIONS = """# 1 Conduct of Suppliers

1.1 The Supplier shall notify the Customer of any breach without undue delay and in any event within seventy-two (72) hours.

1.2 Unless the Customer agrees otherwise in writing, the Supplier must not transfer personal data outside the European Union.

1.3 Neither party may assign this Agreement, except to an affiliate, without the prior written consent of the other party.

1.4 Where an incident affects more than 500 persons, the Security Officer shall, within 24 hours of its discovery, tell the board.

1.5 The Supplier is required to encrypt backups at least monthly and is prohibited from sharing keys with others.

1.6 Employees are not permitted to install software; administrators may do so if the change was approved by the owner.

1.7 It is the responsibility of the system owner to review access rights every six months.

1.8 No user shall disclose a password, nor may a password be written down.

1.9 The processor undertakes to assist the controller, taking into account the nature of the processing.

1.10 Records have to be kept for ten years from the end of the financial year, and shall then be destroyed.

1.11 The Customer is entitled to audit the Supplier once a year on thirty days' written notice.

1.12 Such notice shall be given by e-mail. It must state the scope, the date and the name of the auditor.

1.13 A failure to report may result in disciplinary action, up to and including termination.

1.14 Any person who obstructs an inspector commits an offence.

1.15 Each department should test its recovery plan annually, ideally before 31 March.

1.16 The operator shall: (a) lock the doors; (b) log every visit; and (c) report irregularities to the duty manager.

1.17 Passwords must:

- have at least 12 characters;
- not be reused within 24 months; and
- be changed when a compromise is suspected.

1.18 Do not open attachments from unknown senders. Report suspicious messages to the help desk.

1.19 Managers will ensure that leavers' accounts are disabled on the last day of work.

1.20 Only trained staff can enter the plant, provided that protective clothing is worn.

1.21 The fee shall be payable by the Customer to the Bank on demand, subject to Section 4.2(a) and Annex B.

1.22 This policy does not apply to visitors. Nothing in this clause limits the liability of either party for fraud.

1.23 The regulator may require the bank to hold further capital, in which case the bank must comply within 3 months.

1.24 Having regard to the risks, organizations need to document how exceptions are approved and by whom.
"""

DEFINITIONS = """# Glossary

**Access control** – The process of granting or denying specific requests.

"Personal Data" means any information relating to an identified or identifiable natural person.

"Business Day" means a day other than a Saturday, a Sunday or a public holiday in London.

“Affiliate” has the meaning given in Clause 1.2 of the Master Agreement.

"Control" includes the power to appoint directors, but does not include a right of veto.

The Information Security Officer (the "ISO") approves exceptions. The Chief Risk Officer (CRO) reports to the board.

In this policy, a reference to a "record" is a reference to a document in any form.

An incident is any event that harms the confidentiality of data. Data owner: the person who answers for a data set.

For the purposes of Part 3, "relevant period" refers to the 12 months before the date of the notice.

Norwick Ltd, a company registered in England (hereinafter "Norwick"), and Halden AG (together, the "Parties").

Encryption. See Cryptography. PII stands for personally identifiable information.

The term "vendor" shall be understood as any supplier, contractor or consultant.
"""

FIGURES = """# Limits and dates

The limit is $4,000 per claim, EUR 2.5 million in total, and not more than 10 per cent of the price.

Interest accrues at 5.25% per annum from 1 January 2025 until 31.12.2027, and the rate is reviewed quarterly.

At least two of the five members, three quarters of the votes, and between 20 and 30 samples are needed.

The plan is tested every other year, twice a month in summer, and on the first Monday of each quarter.

Data are deleted after 30 days, no later than 6 p.m. on Friday, within one (1) business day, or by 2026-03-18.

Version 4.2 of the standard replaces version 3.1; TLS 1.2 or higher is used with keys of 2048 bits.

The review took place on March 5, 2024 and on 5th April 2024; the next is due in Q3 2025 or by mid-2026.

A fine of up to £17.5 million or 4% of turnover, whichever is higher, applies from 25 May 2018.

The room holds 1,200 people at 21 degrees; the door closes for half an hour, a fortnight or several weeks.

Backups run daily at 02:30, weekly on Sundays and monthly; 99.9% availability is measured over 90 days.

Payment is due 45 days from the date of invoice, failing which 1.5 times the base rate is owed per month or part thereof.
"""

REFERENCES = """# Relations

As set out in Section 4.2(a)(ii), Sections 5 to 7 and Annexes A and B, the controls of NIST SP 800-53 apply.

See the Access Control Policy, Article 32(1) of Regulation (EU) 2016/679, and ISO/IEC 27001:2022, clause 9.3.

Under 45 CFR 164.308(a)(1), AC-2(3), and paragraph 3 above, the same applies mutatis mutandis.

The Data Protection Act 2018, as amended, and this Part (other than section 12) bind the Crown.

Pursuant to clause 14 of the Master Services Agreement and Schedule 2 thereto, the terms in Appendix C prevail.

Refer to Table 3, Figure 2 and chapter IV; see also <https://example.org/policy> and the previous subsection.

Nothing in sections 1, 2(3) or 4A affects Rule 10b-5 or 12 U.S.C. § 1841 et seq.
"""

DOCUMENTS = {
    "provisions.md": PROVISIONS,
    "definitions.md": DEFINITIONS,
    "figures.md": FIGURES,
    "references.md": REFERENCES,
}


def readings(name: str) -> list[str]:
    """Every extraction of a document: kind, place, locator, confidence, entities, what was read, and how it stands on its own."""
    text = DOCUMENTS[name]
    version = version_of(name, text)
    return [
        " ".join(
            (
                each.extraction_kind,
                f"{each.char_offset_start}-{each.char_offset_end}",
                each.locator or "-",
                f"{each.confidence:.3f}",
                json.dumps([f"{entity.kind}:{entity.name}" for entity in each.entities]),
                json.dumps(each.tier1_data.fields(), sort_keys=True),
                json.dumps(each.standalone.text if each.standalone is not None else None),
            )
        )
        for each in extraction_records(version, read_document(read_source(text.encode(), name)), "derivation_1")
    ]


def pinned() -> dict[str, list[str]]:
    """What is written down, by document."""
    found: dict[str, list[str]] = json.loads(PINNED.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    PINNED.write_text(json.dumps({name: readings(name) for name in DOCUMENTS}, indent=1) + "\n", encoding="utf-8")
