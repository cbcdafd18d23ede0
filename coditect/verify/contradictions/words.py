"""Words by themselves as the contradiction rules see them: stems, who acts, names that say nothing, opposites."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from coditect.language.terms import stem

__all__ = ["ACTORS", "GENERIC_NAMES", "IRREGULAR", "OPPOSITES", "PREFIXES", "Opposition", "canonical_stem"]

PREFIXES = ("non", "un", "in", "im", "ir", "il", "dis", "mis")
"""What turns a word into its opposite when it stands before it."""

_SAME = (
    "paid:pay payment:pay payments:pay payable:pay given:give gave:give made:make sold:sell sale:sell held:hold"
    " kept:keep sent:send borne:bear written:writ writing:writ taken:take took:take brought:bring sought:seek"
    " bought:buy chosen:choose shown:show told:tell lost:lose left:leave met:meet done:do begun:begin began:begin"
    " broken:break drawn:draw built:build spent:spend lent:lend provision:provis licence:licens licences:licens"
    " inc:incorporated incorporated:incorporated corp:corporation ltd:limited limited:limited u.s.:usa u.s.a.:usa"
    " usa:usa u.k.:uk uk:uk e.u.:eu eu:eu co:company percent:percent per:per"
)
_WHO = (
    "licensor licensee lessor lessee landlord tenant seller buyer purchaser vendor supplier customer client provider"
    " recipient contractor subcontractor consultant distributor manufacturer reseller franchisor franchisee borrower"
    " lender creditor debtor guarantor employer employee executive company corporation bank bureau commission agency"
    " authority board committee officer director manager administrator auditor agent principal trustee controller"
    " processor consumer cardholder servicer issuer holder applicant user member partner sponsor publisher author"
    " owner operator assignor assignee transferor transferee grantor grantee indemnitor indemnitee discloser party"
    " affiliate shareholder institution organization regulator registrant insurer insured carrier shipper developer"
    " promoter merchant marketer team personnel staff workforce management department remitter sender collector"
    " furnisher requester parent originator broker underwriter subsidiary investigator patient counsel arbitrator"
    " court claimant respondent president secretary subprocessor supervisor"
)


def _forms(word: str) -> Iterator[tuple[str, str]]:
    """The singular and the plural of a noun, each with the singular."""
    yield word, word
    yield (f"{word[:-1]}ies" if word.endswith(("ty", "ny", "cy", "ry")) else f"{word}s"), word


IRREGULAR = dict(row.split(":") for row in _SAME.split())
IRREGULAR |= dict(form for word in _WHO.split() for form in _forms(word))
IRREGULAR |= {"united states": "usa", "united states of america": "usa", "united kingdom": "uk"}
"""Words whose stem would part what belongs together or join what must stay apart."""


def canonical_stem(word: str) -> str:
    """The stem under which two words count as the same; ``word`` is casefolded."""
    return IRREGULAR.get(word) or stem(word)


ACTORS = frozenset(_WHO.split())
"""Keys of nouns that name who acts."""

_GENERIC = (
    "q1 q2 q3 q4 h1 h2 fy agreement contract policy policies document section article clause paragraph"
    " exhibit schedule appendix annex"
    " attachment addendum amendment term terms party parties regulation rule act law code part subpart title chapter"
    " the this these in under pursuant according per company corporation inc llc ltd lp plc usd eur gbp us january"
    " february march april may june july august september october november december no yes a an i ii iii iv v vi vii"
    " viii ix x see for if and or standard procedure plan requirement control number provision"
)
GENERIC_NAMES = frozenset(canonical_stem(word) for word in _GENERIC.split())
"""Stems of capitalised words that name nothing by themselves."""

Opposition = Literal["negation", "quantifier", "comparative", "modality"]
_PAIRS: dict[Opposition, str] = {
    "quantifier": (
        "include/exclude inclusive/exclusive including/excluding include/except inclusion/exclusion"
        " maximum/minimum all/none"
        " whole/partial full/partial entire/partial both/neither joint/several wholly/partially always/never"
        " everyone/nobody unlimited/limited everything/nothing sometimes/always"
    ),
    "comparative": (
        "increase/decrease increase/reduce raise/lower raise/reduce upward/downward ascend/descend more/less"
        " more/fewer greater/lesser greater/smaller higher/lower longer/shorter above/below exceed/below"
        " earlier/later early/late first/last start/end begin/end commence/expire commence/terminate prior/subsequent"
        " before/after preceding/following previous/subsequent advance/arrear gain/loss profit/loss maximum/minimum"
        " most/least expand/restrict extend/shorten extend/reduce largest/smallest highest/lowest rise/fall"
        " grow/shrink accelerate/delay faster/slower better/worse improve/worsen double/halve sooner/later gross/net"
        " senior/junior larger/smaller gain/lose increase/decline day/week day/month day/year week/month"
        " week/year month/year hour/day hour/week minute/hour minute/day quarter/year daily/weekly daily/monthly"
        " weekly/monthly monthly/annually monthly/yearly quarterly/annually quarterly/monthly monthly/annual"
        " increase/drop increase/cut rise/drop"
        " expand/shrink exceed/within"
        " senior/subordinate surplus/deficit long/short high/low large/small"
    ),
    "negation": (
        "terminate/renew terminate/continue grant/deny grant/refuse grant/withhold grant/revoke accept/reject"
        " accept/refuse approve/reject approve/disapprove approve/deny permit/prohibit permit/forbid allow/prohibit"
        " allow/forbid allow/prevent authorize/prohibit require/prohibit require/permit mandatory/optional"
        " mandatory/discretionary mandatory/voluntary obligatory/optional required/optional necessary/optional"
        " enable/disable enable/prevent public/confidential public/private disclose/conceal disclose/withhold"
        " pass/fail success/failure with/without succeed/fail valid/void valid/invalid internal/external"
        " domestic/foreign"
        " temporary/permanent written/oral active/inactive express/implied present/absent buy/sell lend/borrow"
        " receive/send import/export open/closed agree/disagree comply/violate comply/breach assets/liabilities"
        " retain/destroy retain/delete retain/return destroy/preserve keep/discard direct/indirect credit/debit"
        " debtor/creditor win/lose affirm/deny confirm/deny guilty/innocent positive/negative liable/exempt"
        " subject/exempt encrypted/plaintext attach/detach merge/split love/hate support/oppose appoint/remove"
        " hire/fire assume/waive exercise/waive enforce/waive same/different similar/different identical/different"
        " legal/illegal perpetual/temporary perpetual/limited separate/joint simple/compound fixed/variable"
        " safe/dangerous new/old known/unknown protect/expose grant/forfeit earn/forfeit suspend/resume"
        " suspend/continue withdraw/submit ratify/repudiate affirmative/negative prevent/cause survive/expire"
        " survive/terminate remain/cease acquire/dispose true/false correct/incorrect available/unavailable"
        " strengthen/weaken best/worst sole/joint terminate/extend end/extend cancel/extend cancel/confirm"
        " cancel/renew approve/veto approve/block approve/oppose written/verbal exclusive/shared"
        " confidential/published confidential/known prohibit/encourage forbid/encourage require/excuse"
        " retain/surrender keep/surrender keep/destroy purchase/sell acquire/sell transfer/keep assign/retain"
        " own/lease own/rent repair/damage clean/dirty full/empty occupied/vacant employ/dismiss comply/evade"
        " pay/collect owe/receive restore/destroy return/keep verify/ignore review/ignore consider/ignore"
        " monitor/ignore rely/ignore follow/ignore adopt/reject adopt/repeal enact/repeal impose/lift"
        " tighten/relax mitigate/aggravate avoid/cause avoid/incur prevent/permit prevent/allow encrypt/decrypt"
        " authenticate/spoof approve/deny prompt/delayed prompt/late timely/late timely/overdue join/leave"
        " attach/remove capture/omit insert/delete include/omit obey/disobey obey/violate observe/breach"
        " fulfil/breach perform/breach honor/breach keep/break maintain/abandon preserve/impair"
        " support/undermine facilitate/hinder promote/prevent ensure/prevent assist/hinder cooperate/resist"
        " deliver/withhold provide/withhold furnish/withhold supply/withhold pay/withhold share/withhold"
        " notify/conceal report/conceal inform/mislead record/erase store/erase store/delete archive/delete"
        " collect/discard hold/release obtain/waive secure/waive require/waive require/forbid accept/decline"
        " agree/refuse consent/refuse start/stop begin/cease continue/stop continue/discontinue proceed/halt"
        " open/close admit/deny admit/exclude indemnify/sue release/charge deposit/withdraw borrow/lend"
        " lessor/lessee hire/dismiss engage/dismiss appoint/dismiss private/disclosed confidential/disclosed"
        " secret/public owned/leased paid/free liable/immune absolute/conditional unconditional/conditional"
        " final/provisional final/preliminary definitive/provisional binding/advisory formal/informal"
        " manual/automatic automated/manual primary/secondary major/minor essential/optional critical/negligible"
        " major/negligible material/trivial significant/negligible national/international local/foreign"
        " local/global central/local individual/joint individual/collective jointly/severally jointly/separately"
        " together/separately full/limited complete/partial total/partial strict/lenient strictly/loosely"
        " clear/ambiguous clearly/vaguely public/secret actual/estimated actual/hypothetical physical/electronic"
        " physical/virtual online/offline incoming/outgoing inbound/outbound upstream/downstream import/domestic"
        " import/local gross/net taxable/exempt vested/unvested alive/dead living/deceased present/former"
        " current/former current/previous next/previous future/past frequent/rare frequently/rarely often/rarely"
        " often/seldom regularly/rarely regular/irregular promptly/eventually immediately/eventually"
        " immediately/later simultaneously/separately approximately/exactly prior/later strong/weak hard/soft"
        " heavy/light wide/narrow broad/narrow deep/shallow near/far inside/outside within/outside"
        " success/failure succeed/fail benefit/detriment advantage/disadvantage asset/liability credit/charge"
        " encourage/discourage deny/allow deny/approve deny/accept disclaim/warrant disclaim/assume"
        " bind/release entitle/disqualify restrict/unrestricted consent/object responsible/exempt failure/compliance"
        " good/bad possible/impossible lawful/unlawful reveal/hide add/remove create/destroy lock/unlock"
    ),
    "modality": (
        "mandatory/recommended required/recommended mandatory/permissive required/permitted require/recommend"
        " must/should require/allow require/encourage require/suggest"
    ),
}


def _oppositions() -> Iterator[tuple[str, str, Opposition]]:
    for kind, listed in _PAIRS.items():
        for pair in listed.split():
            one, other = (canonical_stem(word) for word in pair.split("/"))
            if one != other:
                yield one, other, kind
                yield other, one, kind


def _opposites() -> dict[str, dict[str, Opposition]]:
    found: dict[str, dict[str, Opposition]] = {}
    for one, other, kind in _oppositions():
        found.setdefault(one, {}).setdefault(other, kind)
    return found


OPPOSITES = _opposites()
"""Stem to the stems that say the opposite, each with the kind of contradiction that the exchange makes."""
