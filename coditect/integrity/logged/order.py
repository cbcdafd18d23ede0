"""What a record says of its time against where the log tells of it: nobody signs, or decides, in the past.

Times in records are those of whoever wrote them. Two rules ask for them: a signature holds if its key did at that time, and a
decision asks for as many persons as the policy of that time. Who has a key that was revoked, or a decision that nobody else would
sign, writes an earlier time. The log's order cannot be written so: what it tells of behind a revocation, or behind a policy, came
after it. Signatures that say a later time than the end of their key are found without the log.
"""

from __future__ import annotations

from coditect.integrity.logged.rows import LoggedRows
from coditect.integrity.signing.policies import asked_approvals, stored_policies
from coditect.schemas import TENANT, PersonSignature, Review, SignerKey
from coditect.transparency.persons.keys import key_problems

__all__ = ["check_order"]


def check_order(run: LoggedRows) -> None:
    """Check that signatures come before the end of their key, and decisions before the policies that they pass by.

    Args:
        run: the rows, and what the log tells of them.
    """
    _signatures(run)
    _decisions(run)


def _signatures(run: LoggedRows) -> None:
    places, ends = run.history.places, dict[str, tuple[int, str]]()
    for corpus_id in (TENANT, run.corpus_id):
        for _, each in run.store.scan("signers", SignerKey, corpus_id):
            place = places.get(("key", each.signer_id))
            ended = each.key if each.change == "revoked" else each.replaces
            if place is not None and ended and (each.change == "revoked" or not key_problems(each)):
                ends[ended] = min(ends.get(ended, (place, each.at)), (place, each.at))
    for name, record, _ in run.digests("signatures", PersonSignature):
        place, (end, at) = places.get(("signature", record.signature_id), 0), ends.get(record.key, (0, ""))
        if end and place > end and record.at < at:
            said = f"it says {record.at}, before its key ended at {at}"
            run.say(name, f"{said}, and the log tells of it after that (entries {end - 1} and {place - 1})")


def _decisions(run: LoggedRows) -> None:
    places, policies = run.history.places, stored_policies(run.store, run.corpus_id)
    for name, record, _ in run.digests("reviews", Review):
        place = places.get(("review", record.review_id), 0)
        known = [each for each in policies if 0 < places.get(("policy", each.policy_id), 0) < place]
        if not known or record.at >= known[-1].at:
            continue
        asked = asked_approvals(policies, record.decision, record.at)
        if asked_approvals(known, record.decision, known[-1].at) > asked:
            said = f"it says {record.at}, before the policy of {known[-1].at} asked for more persons"
            run.say(name, f"{said}, and the log tells of it after that (entry {place - 1})")
