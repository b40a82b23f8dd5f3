"""The words and patterns that `unresolved_pointer` reads pointers and their antecedents by."""

from __future__ import annotations

import re

_AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must|isn['’]t|wasn['’]t|"
    r"aren['’]t|weren['’]t|didn['’]t|doesn['’]t|don['’]t|hasn['’]t|hadn['’]t)"
)
#: What may stand before the question proper without being pointed at.
OPENING = re.compile(
    r"\s*(?:(?:and|but|so|or|then|also|well|ok|okay|yes|no|please|besides|"
    r"aside from|apart from|other than)\b[\s,]*)+",
    re.IGNORECASE,
)
#: "in what kind of music did": up to the first auxiliary, which is what the query asks for.
QUESTION_PHRASE = re.compile(
    rf"\s*(?:(?:in|on|at|for|with|from|to|by|of|under|during|about|through)\s+)?"
    rf"(?:what|which|who|whom|whose|when|where|why|how)\b(?:(?!\b{_AUXILIARY}\b)[^,;:?.]){{0,60}}?\b{_AUXILIARY}\b",
    re.IGNORECASE,
)
PRONOUN = re.compile(
    r"\b(?:he|she|they|him|her|his|hers|their|theirs|them|its|it|himself|herself|themselves|itself|"
    r"this|that(?=\s*[?.!]*$)|(?:(?<=\bwas\s)|(?<=\bdid\s)|(?<=\bis\s)|(?<=\bdoes\s))that|these|those|the\s+former|the\s+latter|the\s+aforementioned)\b(?![-‐])(?!['’][A-Za-z]{3,})",
    re.IGNORECASE,
)
#: A pronoun that begins a title or a name: "This Is Us", "Her (film)", "These Days".
TITLE_PRONOUN = re.compile(r"\w+\s+(?-i:[A-Z]|\()|\w+\s+(?:movie|film|song|series|book|novel|band)\b")
IDIOM = re.compile(
    r"(?:this|these)\s+(?:year|month|week|morning|evening|century|decade|days?|summer|winter|spring|fall|season)\b"
    r"|those\s+(?:who|that|which|with|of|in|born|without|from|on|under|over)\b|his\s+holiness|her\s+majesty"
    # People in general: "what language do they speak in Milan".
    r"|(?<=\bdo\s)they\s+\w+\s+(?:\w+\s+)?(?:in|at|on)\s+(?!\d|that|this|it)",
    re.IGNORECASE,
)
#: "it" or "this" that stands for nothing, or for what comes after it; with what shows it.
EXPLETIVE = re.compile(
    r"\bit\s+(?:(?:be|been|is|was|not|still|ever|considered|really|actually|so|more|also|always|too|called|best|better)\s+)*"
    r"(?:true|false|possible|impossible|legal|illegal|safe|dangerous|necessary|important|normal|common|bad|good|healthy|ok|okay|worth|"
    r"cheaper|easy|hard|difficult|better|best|wise|raining|snowing|cold|hot|warm|dark|called|mandatory|required|likely|"
    r"clear|known|said|wrong|right|rude|correct|weird|rare|unusual)\b(?!\s*\??$)"
    r"|\bit\s+(?:mean|takes?|took|costs?|cost|matter|feel|look|work|hurt|help|make|makes|rain|rains|snow|snows|seem|happen)"
    r"\b.{0,60}?\b(?:to|when|if|that|like|for)\b"
    r"|\bit\s+(?:rain|snow|rains|snows|rained|snowed|get|gets)\b"
    r"|\bit\s+(?:is|was)\s+(?:that|to)\b|\bwhat\s+time\s+is\s+it\b|\bwhat\s+day\s+is\s+it\b|\bhow\s+is\s+it\s+that\b"
    r"|\bis\s+this\s+(?:true|possible)\s+that\b|\bthis\s+or\s+that\b|\bit\s+(?:department|company|support|job|industry|certification|services?)\b",
    re.IGNORECASE,
)
_NOUNS = (
    "company corporation firm organization organisation agency department institution committee court plaintiff defendant "
    "respondent patient patients employee applicant man woman person child city town village country state region "
    "president director ceo event incident accident project program programme product device machine vehicle model method "
    "system algorithm approach experiment policy agreement contract law bill band album song movie film character "
    "school university hospital team player building bridge ship disease drug compound species"
)
BARE_NOUN = re.compile(
    rf"\b(?:the|that|this|said)\s+(?:{'|'.join(_NOUNS.split())})\b(?=['’]s?\b|\s*[,.;:!?]|\s*$|\s+(?:{_AUXILIARY[3:-1]}|what|"
    r"which|who|how|when|where|why|use[sd]?|make|made|plan|provide[sd]?|offer|report|reported|operate|spend|spent|sell|sold|"
    r"receive[sd]?|released?|expect\w*|propose[sd]?|play|win|won|lose|lost|found\w*|claim\w*|argue[sd]?|say|hold|held|pay|paid|begin|began|\w+ed|earn\w*|employ\w*|produce[sd]?|and|as|after|before)\b)",
    re.IGNORECASE,
)
TIME = re.compile(
    r"\b(?:(?:in|during|for|of|by|at|from|after|before|until|since|within)\s+)?(?:that\s+(?:year|month|day|time|period|week|season|decade|"
    r"century|quarter|era|night|date)|the\s+same\s+(?:year|month|day|period|time|season|week)|the\s+(?:following|previous|preceding|"
    r"prior|next)\s+(?:year|month|day|period|season|week|quarter)|that\s+point|back\s+then)\b",
    re.IGNORECASE,
)
#: German, French and Spanish; each alternative names the pointer itself.
ABROAD = re.compile(
    r"^\W*(?:in\s+)?(?:wann|wo|wie|warum|was|wer|wen|welche[rsmn]?|womit|woran|wofür|weshalb)\b(?:\s+(?-i:[a-zäöüß]+)){1,3}?\s+"
    r"(?P<de>er|sie|ihn|ihm|ihnen|seine?[rnsm]?|ihre?[rnsm]?|dieser|dieses|diesen|diesem|jene[rsmn]?)\b"
    r"|^\W*(?P<de_start>er|dieser|dieses|jener|jene|ersterer|letzterer)\b"
    r"|(?<!faut)(?<!pleut)(?<!\ba)(?<!\by\sa)-(?:t-)?(?P<fr>il|elle|ils|elles)\b(?!\s+(?:possible|vrai|nécessaire|interdit|utile|obligatoire|important|de|que))"
    r"|(?P<fr_a>(?<=[^y]\sa-t-)(?:il|elle))\b"
    r"|^\W*(?P<fr_start>celui-ci|celle-ci|ceux-ci|celles-ci|cela|elle|ils|elles|ce\s+dernier|cette\s+dernière)\b"
    r"|^\W*(?:y\s+)?(?P<es_start>ella|ellos|ellas|esto|eso|aquello|este\s+último|esta\s+última)\b"
    r"|^\W*(?:cuándo|dónde|cómo|qué|por\s+qué|quién|cuál|cuántos?)\b(?:\s+(?-i:[a-záéíóúñ]+)){1,3}?\s+"
    r"(?P<es>él|ella|ellos|ellas|esto|eso)\b(?=\s*[?.!]*$)",
    re.IGNORECASE,
)  # fmt: skip
_FUNCTION_WORDS_TEXT = """
    a an the and or but if of in on at by for from to with without into onto about over under between during before
    after than as like per via through against among is are was were am be been being do does did done doing has have
    had having can could will would shall should may might must not no what which who whom whose when where why how i
    you we me us my your our mine yours ours there here then else also ever so very too just still only even some any
    all each other another one ones that's what's who's isn't aren't wasn't weren't don't doesn't didn't hasn't haven't
    hadn't many much long far old often more most few such both either neither now again away up down out off back this
    that these those he she it they him her his its their them kind sort type way part else anything something anyone
    someone everything nothing really actually exactly main same different first last next new reason happen happens
    happened
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS_TEXT.split())
#: Verbs before a pointer that are nothing it could stand for.
_EVENT_VERBS_TEXT = """
    happened happens happen happening said say says told tell tells made make makes gave give gives given took take
    takes went go goes going gone got get gets came come comes became become becomes did done used use uses called call
    calls saw see sees seen found find finds knew know knows known thought think thinks wrote write writes written
    inspired caused cause causes led lead leads joined join influenced influence helped help helps replaced replace
    interviewed interview married killed described describe explain list name describes name's give show shows showed
    asked ask asks paid pay won win lost lose left leave leaves supported support done worked work works played play
    plays born died interesting aspects important significant special unique wrong next successful famous popular best
    known criticized accused noted note taught teach affected affect affects
"""
EVENT_VERBS = frozenset(_EVENT_VERBS_TEXT.split())
