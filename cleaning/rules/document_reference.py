"""The rule on queries that speak of a document without its name: "in this paper", "the authors", "the report"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cleaning.rules.finding import Found, find_in_texts, matches, wording

if TYPE_CHECKING:
    import polars as pl

    from cleaning.contract import Reason

name = "document_reference"
title = "Refers to a document without its name"
describe = (
    "The query speaks of this paper, the study, the report or the authors without telling which, in English, German, "
    "French or Spanish. A document that the query names (the 2021 IPCC report, the survey on X, a quoted title, et al.) "
    "does not count, nor a later mention of it."
)
compares_queries = False

_DOCUMENT = (
    r"(?:papers?|study|studies|articles?|documents?|reports?|manuscripts?|publications?|passages?|excerpts?|texts?|thesis|"
    r"dissertation|white ?papers?|case study|brochures?|handouts?|leaflets?|filings?|presentations?)"
)
#: Only with "this": with "the" these are too often something else.
_THIS = (
    rf"(?:{_DOCUMENT}|chapters?|sections?|paragraphs?|books?|manuals?|guides?|guidelines?|surveys?|reviews?|work|"
    r"tutorial|memo|letter|press release|research|file|pdf|source|context|material)"
)
_ADJECTIVE = (
    r"(?:(?:given|provided|present|current|following|above|attached|scientific|research|original|whole|entire|full|final|"
    r"annual|same|clinical|cited|referenced|said|mentioned|source|review|survey|quarterly|uploaded) )?"
)
#: What follows the noun where it stands alone; anything else may name it or make it another thing.
_ALONE = (
    r"(?=['’]s? | ?[,.;:?!)]|$| (?:what|which|who|how|when|where|why|is|are|was|were|be|do|does|did|has|have|had|can|could|"
    r"will|would|should|mentions?|mentioned|states?|stated|reports?|reported|describes?|described|defines?|defined|"
    r"provides?|provided|identif\w+|suggests?|suggested|recommends?|recommended|propose[sd]?|uses?|used|presents?|"
    r"presented|finds?|found|conclude[sd]?|shows?|showed|lists?|listed|says?|said|discuss\w*|explains?|explained|argues?|"
    r"claims?|address\w*|cites?|cited|note[sd]?|include[sd]?|compare[sd]?|refers?|give[sn]?|gave|make|consider\w*|"
    r"focus\w*|emphasi\w+|highlights?|analy[sz]e\w*|investigate[sd]?|examine[sd]?|conduct|evaluate[sd]?|and|as|regarding|"
    r"with|to|say|mention|define|provide|participants?|findings?|results?|population))"
)  # fmt: skip
_DONE = r"(?= (?:published|issued|signed|written|released|filed|dated|submitted|prepared|conducted|completed) ?\?? ?$)"
_AUTHORS = "speaks of authors without naming them"
_OWNER = re.compile(r"(?<=\s)[A-Z][\w-]*['’]s\b")
_AUTHOR = r"\bthe (?:authors?|researchers|investigators|writers?)\b"
_WORDINGS = (
    wording(
        "speaks of a document without naming it",
        rf"\b(?:this|these|the present|the current) {_ADJECTIVE}{_THIS}\b(?! (?:of art|visas?|permit|force|place|hours?|trip|"
        r"industry|size|clips?|bag|abroad|week|month|year|day|best|out|for|with|if|when)\b)",
        rf"\bthe {_ADJECTIVE}{_DOCUMENT}{_ALONE}(?<!the\x20research)",
        rf"\bthe {_ADJECTIVE}{_DOCUMENT}{_DONE}",
        r"\b(?:our|my) (?:papers?|study|article|report|manuscript|survey|document)\b",
    ),
    wording(
        _AUTHORS,
        rf"{_AUTHOR}(?! (?:of|who|behind|that|at|from|whose|in|with)\b)(?!['’]?s?['’]? (?:guild|league|society|association)\b)",
    ),
    wording(
        "speaks of a document without naming it (German)",
        r"\b(?:diese[nrms]?|vorliegende[nrms]?) (?-i:Artikels?|Bericht\w*|Dokument\w*|Papiers?|Textes|Text|Kapitels?|Studie|Arbeit|"
        r"Aufsatz\w*|Abschnitt\w*|Beitrag\w*|Handbuch\w*|Buch\w*|Publikation|Untersuchung)\b",
        r"\b(?:in|laut|nach|aus|gemäß) (?:der|dem) (?-i:Bericht|Studie|Dokument|Artikel|Text|Aufsatz|Papier|Untersuchung|Abschnitt)"
        r"\b(?! (?:von|vom|der|des|zu|zum|zur|über|„|«|\"|[A-ZÄÖÜ]))",
        r"\bim (?-i:Bericht|Dokument|Artikel|Text|Aufsatz|Papier|Abschnitt)\b(?! (?:von|vom|der|des|zu|zum|zur|über|\d|„|«|\"))",
        r"\bdie (?-i:Autoren|Autorinnen|Verfasser|Forscher)\b(?! (?:von|vom|der|des)\b)",
        r"\bdas (?-i:Dokument|Papier)\b(?= ?[,.?]|$| (?:unter|ver|ge|be)\w+)",
    ),
    wording(
        "speaks of a document without naming it (French)",
        r"\b(?:cet|cette|ce|ces|le présent|la présente) (?:articles?|étude|rapport|document|texte|chapitre|publication|mémoire|"
        r"thèse|manuel|enquête|ouvrage|section|extrait|passage)\b",
        r"\b(?:dans|selon|d['’]après|par|de) (?:le |l['’]|la )(?:rapport|étude|document|article|texte|publication)\b"
        r"(?! (?:de|du|des|sur|par|publiée?|intitulée?|«|\d|premier|first|n[°o])\b)(?! d['’])(?! [«\"“A-Z\d])",
        r"\bles (?:auteurs|chercheurs|autrices)\b(?! (?:de|du|des|qui)\b)(?! d['’])",
    ),
    wording(
        "speaks of a document without naming it (Spanish)",
        r"\b(?:este|esta|estos|estas|el presente|la presente) (?:artículo|estudio|informe|documento|texto|capítulo|trabajo|"
        r"publicación|tesis|manual|encuesta|sección|pasaje|investigación|libro)\b",
        r"\b(?:en|según|del?) (?:el |la )?(?:informe|estudio|documento|artículo|texto|publicación)\b(?<!en\x20documento)(?<!de\x20texto)"
        r"(?! (?:de|del|sobre|por|publicad[oa]|titulad[oa]|que|«|\d|nacional|primer[oa]?)\b)(?! [«\"“\d]| (?-i:[A-ZÁÉÍÓÚ]))",
        r"\blos (?:autores|investigadores)\b(?! (?:de|del|que)\b)",
    ),
)  # fmt: skip
#: Signs that the query names the document that it speaks of.
_NAMED = re.compile(
    r"\bet\s+al\b|[“«„\"][^”»“\"]{8,}[”»“\"]|\barxiv\b|\bdoi\b"
    r"|\b(?i:the|this|an?|in|of)\s+(?:[\w'’.&-]+\s+){0,5}?[\w'’.&-]*[A-Z\d][\w'’.&-]*(?:\s+[\w'’.&-]+){0,2}?\s+(?i:papers?|study|articles?|reports?|manuals?|"
    r"survey|review|guide|guidelines?|thesis|documents?|filing|documentation|handbook|act|opinion|brief|plan|press release)\b"
    r"|\b(?i:papers?|study|studies|articles?|documents?|reports?|surveys?|review|manual|thesis|guide|publication|book|hearing|opinion)"
    r"\s+(?i:on|by|of|about|titled|entitled|called|named|introducing|proposing|comparing|that|from|for)\s+(?!(?i:the|this|these|an?)\b(?:\s+[a-z]+)?\s*\??$)"
    r"|[A-Z][\w-]+(?:\s+(?:and|&)\s+[A-Z][\w-]+)?\s+\((?:19|20)\d\d[a-z]?\)"
)
_TRIGGER = re.compile(
    r"paper|stud|article|document|report|manuscript|publication|passage|excerpt|text|thesis|dissertation|brochure|handout|"
    r"leaflet|filing|presentation|author|researcher|investigator|writer|chapter|section|paragraph|book|manual|guide|survey|"
    r"review|work|tutorial|memo|letter|release|research|file|pdf|source|context|material|artikel|bericht|dokument|papier|"
    r"kapitel|arbeit|aufsatz|abschnitt|beitrag|buch|publikation|untersuchung|autor|verfasser|forscher|étude|rapport|texte|"
    r"auteur|chercheur|autrice|mémoire|thèse|manuel|enquête|ouvrage|extrait|artículo|estudio|informe|capítulo|trabajo|"
    r"publicación|tesis|encuesta|sección|pasaje|investigación|libro|investigador",
    re.IGNORECASE,
)


def find(queries: pl.DataFrame) -> Found:
    """Return what the rule says of each query's text."""
    return find_in_texts(queries["text"].to_list(), find_in_text)


def find_in_text(text: str) -> Sequence[Reason]:
    """Return the stretches of one text that speak of a document it does not name."""
    if not _TRIGGER.search(text):
        return []
    found = matches(name, text, _WORDINGS)
    if found and _NAMED.search(text):
        return []
    # "Logic-LM's results ... the authors": those of what is named.
    return [each for each in found if each.says != _AUTHORS or not _OWNER.search(text[: each.start])]
