"""Words whose exchange turns a statement around, and words that exclude each other: written by hand, English, general.

An *axis* has two poles ("rise" and "fall"): words of one pole can stand for each other, words of opposite poles cannot. A *family*
is a closed set whose members exclude each other (colours, months, units of time): where the evidence says one, another is wrong.
"""

# ruff: noqa: E501 - one axis or set a line, so that a reader sees what stands against what
from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from coditect.language.terms import stem

__all__ = ["NEGATORS", "families", "opposites", "poles", "synonyms"]

_NEGATING = (
    "no not never none nor neither without nothing nobody cannot lack lacks lacked lacking fail fails failed fails "
    "unable refuse refused refuses deny denies denied hardly barely scarcely absence absent"
)
NEGATORS: frozenset[str] = frozenset(_NEGATING.split())
"""Lower-case words that negate what follows; contractions with "n't" count as well."""

# One axis a line, "pole | opposite pole". A word may stand on several axes.
_AXES = """
increase increasing rise rising raise grow growth growing gain climb up upward surge soar boost expand expansion augment escalate enhance enlarge jump elevate upturn amplify heighten swell uptick upregulate accelerate | decrease decline drop fall reduce reduction lower cut down downward shrink diminish lessen dip slump plummet contract contraction decelerate curtail downturn minimise minimize dwindle downregulate slash trim
improve improvement better strengthen strong strength upgrade ameliorate bolster superior enhance | worsen worse deteriorate deterioration weaken weak weakness degrade downgrade aggravate exacerbate inferior impair undermine
high higher highest tall elevated above over exceed surpass upper top beyond outperform | low lower lowest below under beneath underperform bottom short
more most greater majority additional further extra many numerous much plenty abundant multiple | less least fewer minority few little scarce minimal
all every each entire whole complete always full entirely completely fully everyone | none no never nobody partial partly some partially rarely seldom
include inclusive including contain comprise encompass with | exclude exclusive excluding omit without except
positive positively favorable favourable optimistic beneficial benefit advantage advantageous upside bullish helpful good great excellent | negative negatively unfavorable unfavourable pessimistic harmful harm disadvantage detrimental downside bearish bad poor terrible adverse
success successful succeed successfully achieve accomplish win won victory victorious triumph pass | fail failure unsuccessful failed lose lost loss defeat defeated miss
accept agree agreement approve approval consent endorse support supports supported supporter favor favour back backed | reject disagree disapprove refuse decline deny oppose opposition against opponent dispute object denounce
allow allowed permit permitted authorise authorize enable let legal lawful legalise legalize entitled | prohibit forbid ban banned block prevent prevented disallow outlaw illegal unlawful bar restrict forbidden prohibited
require required mandatory must compulsory obligatory shall obliged obligation | optional voluntary may discretionary elective unnecessary
before prior previously preceding earlier early ago ahead | after following afterwards subsequently later late behind subsequent
begin start commence launch initiate open opening introduce establish found begun onset resume | end finish stop cease conclude terminate close closing closure discontinue halt abolish shut suspend
first initial earliest former primary | last final latest latter ultimate
fast quick rapid rapidly quickly swift faster speedy | slow slowly sluggish gradual gradually slower
large big huge major vast massive substantial significant extensive considerable immense enormous wide broad broader sizable widespread comprehensive | small tiny minor slight slightly limited narrow modest insignificant negligible compact minimal little marginal
long lengthy prolonged longer extended | short brief shorter shortened temporary
old older elderly ancient aged senior outdated obsolete | new newer young younger novel modern recent junior fresh
easy easily simple effortless straightforward | difficult hard challenging complex complicated tough
cheap inexpensive affordable economical reasonable | expensive costly pricey overpriced unaffordable
rich wealthy affluent | poor impoverished needy
true correct accurate accurately right valid precise precisely proper | false incorrect inaccurate wrong invalid imprecise erroneous mistaken
possible possibly feasible able can capable | impossible infeasible unable cannot incapable
likely probable probably | unlikely improbable doubtful
safe safely secure safety harmless | dangerous unsafe insecure risky hazardous harmful threatened toxic
effective effectively efficient efficiently efficacious | ineffective inefficient useless ineffectual
sufficient enough adequate adequately ample | insufficient inadequate lacking deficient deficiency
profit profitable profitability earnings income gain | loss losses unprofitable deficit
buy bought purchase purchased acquire acquired acquisition buyer | sell sold sale divest divestiture seller sells
borrow borrower debtor owe owed | lend lender creditor loan lent
receive received obtain get got recipient | give gave send sent provide deliver donor grant
teach teacher instructor | learn learner student pupil
employer boss manager | employee worker subordinate staff
ask asked question inquire request | answer answered reply respond replied response
arrive arrived arrival come came enter entered entry join joined | leave left depart departed departure go exit quit exited
import imported | export exported
internal internally inside inner domestic within indoor indoors | external externally outside outer foreign beyond outdoor outdoors
public publicly open | private privately confidential secret secretly
local regional | national international global globally worldwide
centralised centralized central centre | decentralised decentralized distributed peripheral
same similar similarly identical equal equally alike equivalent consistent | different differently distinct unequal dissimilar contrary opposite inconsistent differ unlike
common commonly frequent frequently often usual usually typical popular | rare rarely uncommon infrequent infrequently unusual seldom unpopular unfamiliar
general generic overall | specific specifically particular tailored
explicit explicitly direct directly overt | implicit implicitly indirect indirectly covert
active actively activate activated activation | inactive passive passively inactivate inactivated deactivate dormant
promote stimulate induce induced induction trigger facilitate encourage foster encouraging | inhibit suppress suppression suppressed prevent block hinder impede discourage discouraging repress
sensitive sensitivity susceptible susceptibility vulnerable | resistant resistance immune insensitive protected
cause causes caused lead produce | prevent prevents prevented avoid
protect protects protective defend defended defence safeguard | attack attacked harm damage expose endanger destroy invade invasion
create created build built construct constructed generate form develop | destroy destroyed demolish demolished dismantle eliminate ruin
add added addition append attach | remove removed removal delete subtract detach eliminate
connect connected link unite united combine join merge integrated integrate | disconnect disconnected separate separated divide divided split isolate isolated
maintain maintained keep kept retain retained preserve preserved continue continued sustain remain | abandon abandoned discard discontinue change changed drop dropped replace replaced
stable stability steady constant unchanged consistent flat | unstable instability volatile variable fluctuating changing
known familiar certain certainly definite confirmed sure clear clearly | unknown unfamiliar uncertain uncertainty indefinite unclear unconfirmed ambiguous
alive live living survive survived survival survivor | dead die died death kill killed fatal dying
healthy well cured recovered recovery heal | sick ill unhealthy diseased illness
happy pleased satisfied glad delighted satisfaction content | unhappy displeased dissatisfied sad upset disappointed dissatisfaction angry
interested interest enthusiastic eager keen | uninterested disinterested reluctant indifferent unwilling hesitant
confident confidence optimistic | doubtful uncertain worried concerned
love loved like liked enjoy enjoyed admire prefer | hate hated dislike disliked despise detest
friend friendly ally allies partner | enemy hostile foe rival adversary opponent
peace peaceful calm ceasefire | war violent conflict hostilities battle fighting
guilty convicted conviction | innocent acquitted acquittal exonerated
hire hired recruit appoint appointed employ | fire fired dismiss dismissed layoff resign resigned
remember remembered recall | forget forgot forgotten overlook
find found discover discovered detect | lose lost hide hidden conceal
visible visual seen | invisible unseen hidden
present presence exist | absent absence missing
day daytime morning daily dawn | night nighttime evening nightly dusk
hot warm heat heated | cold cool freezing chilled
light bright brighter | dark heavy dim
north northern | south southern
east eastern | west western
left | right
man men male boy father husband son brother mr he him his king actor | woman women female girl mother wife daughter sister mrs ms she her hers queen actress
dry | wet moist
empty vacant | full filled occupied
near nearby close adjacent | far distant remote
deep | shallow
thick dense | thin sparse sparsely
automatic automatically automated | manual manually
human | machine artificial robot animal
single sole alone only individual individually singular | multiple several dual many various collective group together jointly
supervised supervision | unsupervised
linear | nonlinear
discrete | continuous
static stationary fixed rigid | dynamic moving flexible adaptive
theoretical theoretically | practical empirical empirically experimental
maximum maximal maximize maximise most | minimum minimal minimize minimise least
parametric | nonparametric
dependent depend reliant relies | independent independently autonomous unrelated
relevant related associated relation linked correlated | irrelevant unrelated unassociated uncorrelated
regular regularly | irregular irregularly
rural countryside | urban city
victim plaintiff claimant | perpetrator defendant attacker
guest customer client buyer | host agent vendor supplier seller
winner champion | loser
lengthen delay delayed postpone postponed late | shorten advance expedite early hasten
paid pay pays payment | unpaid free owe
upcoming future next forthcoming coming tomorrow | past previous last historical yesterday
outperformed beat exceeded topped | underperformed missed
ahead | behind
recommend recommended advise suggested praise praised commend | discourage warned criticise criticize criticised criticized condemn condemned
demand | supply
revenue sales | cost costs expense expenses expenditure
inflow | outflow
asset | liability liabilities debt
long-term | short-term
organic | inorganic
voluntary willing willingly | forced involuntary compelled
admit admitted confess acknowledge confirm confirmed | deny denied refute refuted
released release freed free | arrested arrest detained jailed imprisoned captured
legitimate genuine authentic real | fake fraudulent counterfeit fictitious illegitimate
together | apart separately
unanimous unanimously | divided split
acute | chronic
benign | malignant
upstream | downstream
homogeneous | heterogeneous
symmetric symmetrical | asymmetric asymmetrical
homozygous | heterozygous
dominant | recessive
""".strip()

# One family a line: its members exclude each other.
_FAMILIES = """
red blue green yellow orange purple pink brown black white grey gray violet gold silver
january february march april june july august september october november december
monday tuesday wednesday thursday friday saturday sunday
second minute hour day week month quarter year decade century
spring summer autumn fall winter
morning afternoon evening night noon midnight
north south east west northern southern eastern western
europe asia africa america australia antarctica
hundred thousand million billion trillion
percent dollar euro pound yen yuan rupee franc
gram kilogram ton tonne ounce
meter metre kilometer kilometre mile foot feet inch yard
visual auditory tactile olfactory acoustic
text image video audio speech
mother father son daughter brother sister husband wife uncle aunt cousin nephew niece grandmother grandfather
he she they
him her them
his her their
nitrogen oxygen hydrogen carbon helium
doctor nurse lawyer teacher engineer driver police firefighter soldier artist actor singer
car truck bus train plane ship boat bicycle motorcycle
dog cat horse cow pig sheep chicken fish bird
basketball football baseball soccer tennis hockey golf cricket rugby
bachelor master doctorate
president minister senator governor mayor king queen prince princess chancellor
once twice thrice
daily weekly monthly quarterly annually yearly hourly
half third quarter fifth
football soccer
mathematics physics chemistry biology
lung heart liver kidney brain stomach skin bone
auto home life health travel dental
email phone letter fax
""".strip()

# Words that can stand for each other without an opposite; one set a line.
_SYNONYMS = """
call contact phone reach telephone ring
offer propose present provide suggest
plan package scheme strategy programme program framework
invasion attack incursion assault offensive
activist protester demonstrator campaigner
road street roadway pathway
dump pour spill drop discharge splash
agent representative salesperson salesman specialist consultant advisor adviser
fit suit match meet
need requirement demand
repurchase buyback
vehicle car automobile
big large
use utilise utilize employ leverage apply usage
show demonstrate display exhibit illustrate indicate reveal
say state tell mention note remark announce declare report claim assert
help assist aid support
make create produce generate
method approach technique way procedure process
result outcome finding consequence
important crucial vital key essential critical significant
study research investigation work paper
people person individual citizen resident
company firm business corporation enterprise organisation organization
child kid children youth
home house residence
buy purchase
cover include
discuss talk debate consider
focus concentrate centre center aim
return yield
learn acquire grasp master
problem issue challenge difficulty
task job assignment
model system
propose introduce present suggest put
information data
wide broad diverse comprehensive vast
range variety array selection choice spectrum
kill slay murder
near close
police officer cop authority
government administration authority
money fund cash capital
begin start
quick fast
choose select pick opt
expect anticipate forecast project
accurate precise
build construct
picture image photo photograph
doctor physician
cancer tumour tumor neoplasm carcinoma
drug medication medicine treatment therapy
illness disease disorder condition
patient subject participant
mice mouse murine
""".strip()


@cache
def poles() -> Mapping[str, tuple[tuple[int, int], ...]]:
    """For each stem its places on the axes: (axis, +1 or -1)."""
    places: dict[str, list[tuple[int, int]]] = {}
    for axis, line in enumerate(_AXES.splitlines()):
        first, _, second = line.partition("|")
        for sign, words in ((1, first), (-1, second)):
            for each in _stems(words.split()):
                places.setdefault(each, []).append((axis, sign))
    return {word: tuple(dict.fromkeys(found)) for word, found in places.items()}


@cache
def opposites(word: str) -> tuple[str, ...]:
    """The words that stand on the other pole of the first axis that has a word as it is written; none for most words."""
    for line in _AXES.splitlines():
        first, second = (pole.split() for pole in line.split("|"))
        for mine, other in ((first, second), (second, first)):
            if word in mine:
                return tuple(other)
    return ()


@cache
def families() -> Mapping[str, tuple[int, ...]]:
    """For each stem the closed families that it belongs to."""
    return _sets(_FAMILIES)


@cache
def synonyms() -> Mapping[str, tuple[int, ...]]:
    """For each stem the sets of words that can stand for it."""
    return _sets(_SYNONYMS)


def _sets(lines: str) -> dict[str, tuple[int, ...]]:
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines.splitlines()):
        for each in _stems(line.split()):
            places.setdefault(each, []).append(number)
    return {word: tuple(found) for word, found in places.items()}


def _stems(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(stem(word.replace("-", "")) for word in words))
