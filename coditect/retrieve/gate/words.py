"""Words that the relevance gate knows (:mod:`coditect.retrieve.gate.background`): everyday ones, and those that only ask.

None of the everyday words is special to a corpus, and together they touch on whatever people ask: a field a line, then verbs,
adjectives and what questions ask for. A change of one shifts what the fitted weights mean: fit the gate anew
(``python -m coditect_benchmarks.retrieval.gate``).
"""

from __future__ import annotations

from coditect.retrieve.words import stems

__all__ = ["ASKING", "EVERYDAY"]

_WORDS = """
privacy personal data consent information collection sharing third party cookies user account profile tracking
security access control password encryption authentication incident breach vulnerability network firewall monitoring logs
contract agreement termination notice renewal liability indemnity warranty assignment governing law arbitration jurisdiction
employment employee hiring training salary leave discipline workplace safety discrimination benefits pension
finance revenue profit loss shares dividend interest loan credit mortgage bank payment fee balance asset
insurance claim premium policy coverage damage accident risk compensation loss
tax income return deduction audit accounting statement fiscal year budget expense
company business customer supplier vendor product service market price competition sales advertising brand
intellectual property patent trademark copyright licence software source code invention royalty
government election president parliament vote party minister reform public administration
court judge trial crime police evidence sentence appeal lawyer prison
war army soldier attack weapon border peace treaty battle navy
history century empire king revolution ancient church religion temple tradition
medicine patient disease treatment drug clinical trial symptom diagnosis infection vaccine hospital doctor
cancer tumour gene protein cell mutation receptor expression inhibition pathway dna rna
heart blood pressure diabetes obesity diet risk mortality brain neuron memory sleep
virus bacteria antibiotic immune response antibody transmission epidemic
physics energy particle quantum light wave temperature force magnetic field
chemistry acid molecule reaction metal oxygen carbon compound catalyst
mathematics equation theorem model statistics probability estimate distribution algorithm
computer program memory processor server cloud database internet website application
machine learning neural network training model robot language image recognition
engineering design construction building bridge material steel concrete maintenance
energy oil gas electricity power plant solar wind battery emissions
environment climate water pollution waste forest species conservation ocean river
agriculture farm crop soil animal cattle milk grain harvest
food restaurant recipe cooking sugar meat vegetables wine nutrition
sport football team player season goal match coach championship olympic
music song album band singer guitar concert record film actor director television
game video character story novel author book poem character art painting museum
school student teacher university degree education exam course research scholarship
family child mother marriage birth home parent friend relationship love
travel hotel airport flight train road vehicle car driver traffic ship port
house rent tenant landlord property land city town street building zoning
weather rain storm temperature summer winter earthquake flood
space planet star moon earth satellite rocket telescope
population immigration poverty inequality social welfare community housing health care
quality standard certification inspection compliance regulation requirement procedure report record retention
management project plan schedule resource meeting committee board governance responsibility approval
emergency fire disaster recovery backup continuity response
ethics corruption bribery fraud money laundering sanctions conflict interest
trade export import customs tariff shipping delivery goods warehouse logistics
language word meaning grammar translation speech communication
philosophy mind belief knowledge truth moral argument
psychology emotion stress anxiety depression therapy behaviour personality
use make give take provide require describe explain find show keep send receive change increase reduce cause
prevent allow begin end move speak write read build buy sell pay work live die help learn play win lose choose
decide compare measure protect destroy discover invent publish report support oppose agree refuse promise
travel sleep eat drink run walk fight
new old large small high low early late public private national international local common rare important
similar different effective significant specific general possible necessary free safe dangerous strong weak
fast slow hot cold rich poor young main best
contents purpose reason method result effect role type kind name date number period amount rate list example
part step way place difference relationship name cost size level
"""

EVERYDAY: tuple[str, ...] = tuple(sorted(set(_WORDS.split())))
"""Each once, in alphabetical order."""

_ASKING = """
accord according concerning describe described discuss discussed example exact exactly explain explained give given identify
indicate kind kinds list listed mean meaning mention mentioned mentions name named namely outline outlined particular particularly
refer referred regard regarding relate related sort sorts specific specifically specified state stated suggest summarise summarize
tell term terms type types way ways
ain aren couldn didn doesn don hadn hasn haven isn mightn mustn needn shan shouldn wasn weren won wouldn
"""

ASKING: frozenset[str] = frozenset(stems(_ASKING))
"""Stems of words that say what is wanted of an answer, and of cut contractions: an answer need not hold them."""
