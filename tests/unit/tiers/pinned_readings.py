"""What is read out of documents that hold many forms of provisions, definitions, figures and references, written down.

``python -m tests.unit.tiers.pinned_readings`` writes ``pinned_readings.json`` anew, one line for each extraction. A change of the
language's rules shows there which readings it changes; one that changes readings raises the version of the step, as the pins of
the sample corpus say.
"""

# ruff: noqa: E501 - a sentence that is read stands on one line

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

CONDITIONS = """# 1 Conditions, exceptions and times

1.1 If a key is lost, within two days, the Bank shall, unless the owner objects, replace it and, if asked, report the loss.

1.2 The Operator must, in procuring the annual report, ensure that each annex is complete, signed and dated.

1.3 In reviewing an application, the Registrar shall consider whether, and to what extent, the applicant has complied.

1.4 Unless and until the fee has been paid, and except where Section 3 applies, no licence may be issued to the applicant.

1.5 The Trustee shall keep minutes of each meeting for six years after it was held, to prove what was decided, and shall index them.

1.6 Every month, and whenever the Auditor so requests, the Custodian shall reconcile the accounts (if any) by comparing balances.

1.7 The Lender may, at any time before the Closing Date and without prejudice to clause 9, withdraw the offer or reduce it.

1.8 The Supplier shall deliver the goods on or before 31 May 2025, but not before the price has been agreed, provided that it is not prevented by law.

1.9 Subject to the next paragraph, the Tenant shall not, without the Landlord's consent (such consent not to be unreasonably withheld), sublet the premises.

1.10 As soon as the alarm sounds, and in any case no later than five minutes afterwards, staff must leave the building and may not return until told to do so.

1.11 To the extent permitted by law, the Issuer waives its rights; to the extent that it may not do so, it shall notify the Holder.

1.12 When, in the opinion of the Committee, a risk is high, and only then, the Manager must escalate it to the board within 48 hours.

1.13 After each test and at least twice a year, the results shall be sent by the Laboratory to the Agency by e-mail or by post.

1.14 During the term of this Agreement and for two years thereafter, neither the Company nor any of its officers shall solicit employees of the other.

1.15 Before a visitor is admitted, the guard must (1) check the badge, (2) note the time and (3) call the host, if the host is known.

1.16 The Processor shall delete the data, or return them if the Controller so chooses, once the services end; where the law requires storage, it shall inform the Controller of that.

1.17 Whether or not a claim has been made, the Insured must not admit liability, except with the written consent of the Insurer or as ordered by a court.

1.18 Upon request the Registrar must immediately, and without charge, hand out a copy, and the applicant must then sign for it.

1.19 An employee who works from home shall lock the screen when leaving the desk, even for a short time.

1.20 In an emergency the duty officer may open the vault alone; otherwise two officers are needed, each of whom must sign.

1.21 Where required by the regulator, where a contract so provides or where the board so decides, audits are to be carried out quarterly.

1.22 Provided that notice is given, the Member may resign, in which event the Fund shall repay the deposit within 60 days, less any sum due.

1.23 Invoices, if correct, must be paid by Finance within thirty days of receipt or, if later, upon delivery.

1.24 With effect from 1 July 2026, and subject to approval, the Department will no longer accept paper forms, save in cases of hardship.
"""

PERSONS = """# 2 Who must do what

2.1 It shall be the duty of every director, and of the Company Secretary in particular, to avoid a conflict of interest.

2.2 The Chief Executive, the Treasurer or, in their absence, a deputy appointed by the board shall sign all cheques above GBP 500.

2.3 There shall be an Audit Committee. It shall consist of three members and shall meet at least four times a year.

2.4 Each of the Parties shall bear its own costs. Both shall cooperate, and either may seek interim relief.

2.5 ACME GmbH agrees to supply, and the Purchaser agrees to take, all components listed in Annex 2.

2.6 Applications are to be approved by the Head of IT, and must be reviewed by someone who did not write them.

2.7 Whoever finds a badge must hand it in. Anyone who fails to do so may be barred from the site.

2.8 All personnel, including contractors, temporary workers and visitors, are expected to wear badges at all times.

2.9 SYSTEM ADMINISTRATORS MUST NOT SHARE THE ROOT PASSWORD. THE HELP DESK WILL NEVER ASK FOR IT.

2.10 The patient's consent must be obtained by the treating physician in writing prior to any procedure that is not urgent.

2.11 A bank, building society or credit union that holds deposits is obliged to report suspicious transactions to the Authority.

2.12 {{company}} shall appoint a {{role}} who is responsible for maintaining the register and for informing {{authority}} of changes.

2.13 Responsibility for backups lies with the IT Department; restoring them requires the approval of the data owner.

2.14 No one under the age of 18 is allowed to operate the press, nor shall anyone operate it alone.

2.15 You must report any accident to us within 24 hours, and we will tell you what happens next. Please do not move the vehicle.

2.16 The person in charge of the laboratory, or a person authorised by that person in writing, shall keep the keys.

2.17 Users are responsible for all activity under their accounts and are forbidden to lend them to others.

2.18 The notice must be in writing and signed; the copy need not be. A scan can be accepted if it is legible.

2.19 Vendors cannot subcontract. They shall not be entitled to compensation, and their staff may be required to leave.

2.20 The Minister, acting on the advice of the Council, may by order amend Schedule 3, but shall not add a new offence.

2.21 Management should consider, and the board must approve, any change in the risk appetite that exceeds 5 % of capital.

2.22 This Agreement may be executed in counterparts. It is governed by the laws of Ireland, and nothing in it shall be construed as a partnership.

2.23 The software will log each change, must be able to restore the former state and should not need a restart.

2.24 Only the Privacy Officer or the General Counsel has the right to disclose, and neither is under any obligation to explain, a refusal.
"""

ACTS = """# 3 Instructions and lists

Check the seal before you open the box. If it is broken, do not sign; call the supplier and keep the box.

1. Turn off the power.
2. Never touch the coil while it is hot.
3. Wait for at least 10 minutes, then open the cover.
4. Always wear gloves; ensure that the fan has stopped.
5. Please record the serial number and, where available, the batch.

## 3.1 Duties of the Data Custodian

The Data Custodian is responsible for:

(a) classifying data;
(b) granting access, subject to approval by the owner;
(c) deleting data within 90 days of the end of the retention period; and
(d) reporting

(i) losses, and
(ii) thefts,

to the Information Security Officer without delay.

## 3.2 Prohibited uses

Users may not use company systems to:

- send unsolicited messages;
- store or share unlawful material; or
- run a business of their own,

unless the head of department has agreed in writing.

## 3.3 Before leaving

Employees shall, before their last day:

* return keys and badges,
* hand over open work, and
* not copy or delete files.

The manager may, at his or her discretion:

1) extend the deadline once by up to five business days;
2) waive a fee.

## 3.4 Records

To comply with this policy, each department must: (i) keep a register of assets, (ii) review it at least once every two years, and (iii) not dispose of assets other than through the Facilities team.

The following must be encrypted: laptops, removable media and backups. The following are exempt: printers; displays.

Retention periods:

| Record | Period | Owner |
|--------|--------|-------|
| Invoices | 10 years | Finance |
| Access logs | 90 days | IT Security |
| CCTV footage | 72 hours | Facilities |

Has the form been signed? Who approved it? The approver must be named.

Lock the cabinet. Log out when you leave. Report any loss to security@example.org at once.

Use strong passphrases (see Section 3.4) and change them if they may have been seen.
"""

TERMS = """# 4 Meaning of terms

In this Part, unless the context otherwise requires: "Asset" means anything of value; "Owner", in relation to an asset, means the person who answers for it; and "Register" has the meaning given to it by section 12.

(a) "Working Day" shall mean any day other than a Saturday or a Sunday on which banks are open in Vienna;

(b) "Group" means the Company and each of its subsidiaries from time to time (and "Group Member" shall be construed accordingly);

(c) "Force Majeure" means an event beyond the control of a party, including but not limited to flood, fire and strike, but excluding a lack of funds;

“Confidential Information”: all information, in whatever form, that is marked as confidential or ought reasonably to be regarded as such. It does not include what is public.

Multi-factor authentication (MFA): authentication with two or more factors.

Recovery Time Objective (RTO) is the time within which a service must be restored. RPO is defined in the Continuity Plan.

For the purposes of this section, a person is "connected" with a director if he or she is a spouse, child or parent of the director.

The expression "in writing" includes e-mail; the terms "shall" and "will" are used interchangeably.

**Residual risk**: the risk that remains after treatment.

*Threat*: a potential cause of an unwanted incident, which may result in harm to a system.

Vulnerability – weakness of an asset or control that can be exploited by one or more threats [ISO/IEC 27000:2018].

"Net price" does not mean the list price. "Deliverables" are the documents listed in Annex 1.

As used herein, the term “Affiliate” refers to any entity that controls, is controlled by or is under common control with a party.

Norwick Bank plc ("Norwick" or the "Lender") and Halden Works AG (the "Borrower", and together with the Lender the "Parties") agree as follows.

A cloud service is a service that is provided over a network on demand. By "tenant" we understand a customer with data of its own.

Where v = s / t, "v" is the speed, "s" the distance and "t" the time.

Data subject means a natural person whose data are processed. Processing: see Article 4(2).

The General Data Protection Regulation (hereinafter "GDPR") applies. An employee is deemed to be "on call" when listed in the roster.

Terms that are defined in the Master Agreement have the same meaning here. "Fee" is to be read as a reference to the price in Schedule 2.

Near miss: an event that could have caused harm but did not. Corrective action = action to remove the cause of a nonconformity.
"""

AMOUNTS = """# 5 Amounts and dates

A deposit of EUR 1.250,50 is due; half of it (fifty per cent) is paid back within 3 to 5 business days or, at the latest, by noon on 1 June 2025.

Not less than three (3) nor more than seven directors; up to 2.5 million shares; over 40 hours a week; at most a dozen visitors.

The rate is 0.75 % p.a. above base, capped at 12 per cent, and is never lower than zero; a margin of 25 basis points is added each quarter.

Logs are kept for a minimum of 12 months, backups for a maximum of two weeks, and recordings for no longer than 48 hours.

Submit the return by 30 April each year, the report on 15.03.2026 or 2026/04/01, and accounts for the year ended December 31, 2024.

The trial lasts six weeks from the date on which it starts, the warranty two years after delivery, the option until the end of March 2027.

Between 9 a.m. and 5:30 p.m. on weekdays; at 23:59 UTC; twice daily; three times per week; once every 18 months; biannually; every second Tuesday.

USD 3bn, $1.2M, £ 400, 5k EUR, ¥10,000, 300 Swiss francs and 20 cents; one third of the votes; two-thirds; 1/4 of the price; a 30-day period.

Interest of 1½ % accrues daily from the due date, compounded monthly, on any sum that is more than ten (10) days late.

At least 99.95 % availability a month, a response within fifteen minutes, a fix within four (4) hours and a report within 1 working day.

Section 31 applies to 32 vessels of 45.5 tonnes, 12 metres and less than 60 decibels, at 20 °C and 3.3 V, with 64 GB each.

The first payment is due on the 32nd day, the second on February 30, 2025, the last in 1899 or in the second half of 2030.

Five years before 1 January 2020; no earlier than 90 days prior to expiry; not later than 10 days following receipt; as of 1 May 2024.

A person aged 16 or over pays 5 pounds, one under 5 nothing. Each of 100 units, about 20 % of them and nearly 1,000 in all, are checked.

Keys of 256 bits or more, passwords of 8 to 64 characters, 10 failed attempts in 15 minutes, a lock of half a day, ten years, or life.
"""

PLACES = """# 6 Relations to other texts

6.1 Sections 2(1)(a) to (c), 4, 5A and 7 of the Companies Act 2006 apply, subject to Part 3, Chapter II and Schedule 1, paragraph 4.

6.2 See § 12 Abs. 3, §§ 14-16, Art. 6(1)(f) GDPR, Recital 47 and Regulation (EC) No 1907/2006 as amended by Directive 2009/125/EC.

6.3 In accordance with clause 6.1 above, clauses 6.4 and 6.5 below, and the Schedule hereto, this Section 6 survives.

6.4 Notwithstanding anything in sub-clause 6.2(b)(iii), Appendix D-1, Exhibit 10.3 or Annex VII, paragraph (c) of this clause prevails.

6.5 As required by 21 CFR Part 11, 21 CFR 820.30(g), 45 C.F.R. §§ 164.312(a)(1) and 164.314, 15 U.S.C. 1681 and Pub. L. 107-204.

6.6 Controls AC-2, AC-2(1), IA-5 and SC-13 of NIST SP 800-53 Rev. 5; A.5.1 and A.8.24 of ISO/IEC 27001:2022; PCI DSS v4.0, requirement 8.3.6; CIS Control 4.

6.7 The Information Security Policy, the Records Retention Schedule and the "Acceptable Use Standard" (POL-017, version 2.1) are to be read together.

6.8 Refer to Figure 3-1, Table 12, Box 4, Note 7, footnote 2, page 14, line 6 and Chapter 10 (other than section 10.4) of the Manual.

6.9 The Treaty of Rome, the Bribery Act 2010, Executive Order 14028, SOX section 404 and the Basel III framework are not affected.

6.10 Articles 13 and 14, 15(1)-(3) and 22; the preceding Article; the first sentence of paragraph 2; item (ii) of the list above; the next section.

6.11 Unless section 3 says otherwise, rule 5.2.1 of the Listing Rules and regulation 4 of the Money Laundering Regulations 2017 govern.

6.12 Comment 19(e)(1)-3 and comments 4(a)-1 through 4(a)-5; footnotes 1, 2 and 3; Questions 7-9 of Form B-2; Attachment 5.
"""

DOCUMENTS = {
    "provisions.md": PROVISIONS,
    "definitions.md": DEFINITIONS,
    "figures.md": FIGURES,
    "references.md": REFERENCES,
    "conditions.md": CONDITIONS,
    "persons.md": PERSONS,
    "acts.md": ACTS,
    "terms.md": TERMS,
    "amounts.md": AMOUNTS,
    "places.md": PLACES,
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
