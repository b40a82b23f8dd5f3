"""The rule on queries that point at the layout of a page: "in the table above", "Figure 3", "the left column"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cleaning.rules.finding import Found, find_in_texts, matches, one_of, wording
from cleaning.rules.layout_wordings_abroad import ABROAD

if TYPE_CHECKING:
    import polars as pl

    from cleaning.contract import Reason

name = "layout_reference"
title = "Refers to the layout"
describe = (
    "The query points at a table, figure, chart, page, column, row or place on the page that a reader who searches does "
    "not see, in English, German, French or Spanish. Tables that are known by name (the periodic table) do not count."
)
compares_queries = False

#: What can be pointed at on a page.
_PICTURES = one_of(
    "tables? figures? charts? graphs? diagrams? plots? images? pictures? photos? photographs? illustrations? screenshots? "
    "infographics? flowcharts? histograms? scatterplots? heatmaps?"
)
_PICTURE = one_of(
    "table figure fig\\.? chart graph diagram plot image picture photo photograph illustration screenshot infographic "
    "flowchart histogram scatterplot heatmap caption footnote legend"
)
_PARTS = one_of("columns? rows? cells? panels? captions? footnotes? legends? pages? slides? margins? subfigures?")
#: A word before the noun that makes it a thing of its own: no layout.
_THINGS = one_of(
    "periodic water dining pool round multiplication truth hash routing league coffee billiard billiards tide life "
    "operating negotiating conference kitchen picnic massage lookup symbol page translation mortality actuarial logarithm "
    "log billboard pop music singles album eye star natal birth flip gantt wall public historical action father mother "
    "parental sports political religious religion key central prominent spinal vertebral steering distillation "
    "chromatography opinion gossip agony fifth death skid home web front title landing facebook wikipedia mirror motion "
    "moving big self brand body solar fuel blood stem nerve prison advisory review expert control "
    "gunpowder powder murder assassination story garden movie film "
)
#: What follows the noun when it is part of another thing: "table tennis", "figure skating", "the table of contents".
_OTHER = (
    r"(?! (?:of|tennis|salts?|saws?|tops?|cloths?|spoons?|wines?|manners?|lamps?|skat\w*|heads?|eight|8|formats?|theory|"
    r"databases?|processing|sensors?|recognition|classification|segmentation|neural|coloring|colouring|compression|"
    r"legs?|games?|books?|twist|holes?|ranks?|views?|numbers? games?)\b)(?![-‐])"
)
_LOWER = rf"(?:(?!{_THINGS} )(?-i:[a-z][a-z-]*) ){{0,2}}"
_WHERE = one_of(
    "above below following preceding previous next adjacent given provided shown attached accompanying depicted "
    "displayed left right top bottom upper lower left-hand right-hand leftmost rightmost middle same"
)
_MARKED = one_of(
    "highlighted shaded circled bold bolded underlined boxed colou?red greyed grayed dashed dotted italici[sz]ed"
)
_SHOWN = one_of(
    "shown listed depicted displayed presented illustrated pictured given described mentioned highlighted circled seen "
    "provided stated indicated outlined reported referenced defined plotted"
)
_NOT_A_LEVEL = (
    r"(?! (?:\d|[$€£]|zero|sea|ground|average|the|a|an|freezing|par|market|which|water|normal|his|her|its|their|cost|"
    r"expectations?|and|or)\b)(?! [$€£\d])"
)
_SHOWS = one_of(
    "shows? depicts? illustrates? represents? indicates? displays? lists? presents? suggests? compares? summari[sz]es? "
    "contains? includes? describes? says? tell reveals? demonstrates?"
)
_NUMBER = r"(?:no\.? ?|number |#)?\(?(?:\d{1,3}(?:[.-]\d+)*[a-z]?|(?-i:[IVX]{1,5}|[A-Z](?:[.-]?\d+)?))\)?(?![\w%])"
_SEE = one_of("in see from per to of on by under within and or than between using with")

_ENGLISH = (
    wording(
        "points at something on the page",
        rf"\b(?:this|these|that|those) {_LOWER}{_PICTURES}\b(?<!that\x20image)(?<!that\x20figure){_OTHER}",
        r"\b(?:this|these) (?:columns?|rows?|cells?|panels?|captions?|footnotes?|legends?|pages?|slides?|box|spread)\b",
        rf"\bthe {_WHERE} {_LOWER}(?:{_PICTURES}|{_PARTS})\b(?! of the human| spaces?\b){_OTHER}",
        r"\bthe (?:first|second|third|fourth|last|final|penultimate|\d+(?:st|nd|rd|th)) (?:columns?|rows?|cells?|panels?|"
        r"bullets?|bullet points?)\b(?! (?:of the (?:theat|stadium|periodic)|seats?))",
        rf"\bthe {_MARKED} (?:\w+ )?(?:cells?|rows?|columns?|bars?|lines?|slices?|box|boxes|areas?|regions?|sections?|text|"
        r"segments?|curves?|words?|entry|entries|values?|numbers?|part|portion|passages?)\b",
        r"\bthe (?:red|blue|green|yellow|orange|purple|gr[ae]y|pink|dark|light) (?:bars?|slices?|segments?|curves?|dots?|"
        r"arrows?)\b(?! (?:exam|chart))",
    ),
    wording(
        "names a table, figure or page by the definite article alone",
        rf"\b(?:in|from|per|see|within|under|by|of|using|with|according to|based on|about|does|do|is|are) the "
        rf"{_LOWER}{_PICTURE}(?<!\bin\x20the\x20picture)(?=\W|$){_OTHER}"
        r"(?= (?:above|below|show|depict|illustrat|present|list|give|represent|indicat|what|which|how|who|when|where|is|are|"
        r"was|were|do|does|did|has|have|and|on|in|for|with|from|to|that|titled|label|caption|compar|contain|suggest|"
        r"describ|display|about|provided|shown|report|at|tell|mean|include|made)| ?[,;:?.!)]|$)",
        rf"\bthe {_LOWER}{_PICTURE} (?:above|below|opposite|overleaf|provided|shown|here|on (?:the|this) (?:page|left|right|slide))\b",
        rf"\bthe {_PICTURE} {_SHOWS}\b",
        rf"\b(?:what|which|how many|whose) {_PICTURES} (?:shows?|depicts?|illustrates?|lists?|on (?:the|this) page)\b",
        rf"\b(?:shown|pictured|depicted|marked|highlighted|visible|seen) (?:in|on) the {_LOWER}(?:map|photo|picture|image|page|drawing|slide)"
        rf"\b{_OTHER}",
        r"\bon the (?:page|slide)\b(?! of\b)",
    ),
    wording(
        "names a table, figure or page by its number",
        rf"\b(?:tables?|figs?\.?|charts?|graphs?|diagrams?|illustrations?|slides?) ?{_NUMBER}(?<!table\x20a)",
        rf"\bfigures? {_NUMBER}(?<!figure\x208)(?<!figure\x20a)(?<!figure\x20i)",
        r"\b(?:in|see|from|per|to|of|by) figure 8\b(?! (?:knot|shape|pattern|track|rac|loop))",
        rf"\b{_SEE} (?:pages?|pp?\.|columns?|rows?|equations?|eqs?\.?|panels?|footnotes?) ?{_NUMBER}",
    ),
    wording(
        "points to a place on the page",
        rf"\b{_SHOWN} (?:directly )?(?:above|below|overleaf|opposite)\b{_NOT_A_LEVEL}",
        rf"\b{_SHOWN} (?:on|in|to|at) the (?:left|right|top|bottom|margin|sidebar)\b",
        rf"\b{_SHOWN} (?:here|elsewhere on)\b",
        r"\b(?:above|below|afore)-?mentioned\b",
        r"\bwhich (?:one )?of the following\b|\bthe following (?:options?|statements?|choices|items|list|sentences?|terms|excerpt|"
        r"passage|text|questions?|information|data)\b",
        r"\bthe above (?:statements?|text|passage|information|data|list|options?|examples?|questions?|equation|formula)\b",
        r"\b(?:at|in|near|on|from) the (?:very )?(?:top|bottom|foot|left|right|(?:top|bottom|upper|lower)[- ](?:left|right)|"
        r"(?:left|right)-hand|middle|cent(?:er|re)) ?(?:side|corner|half|part)? of (?:the|this) (?:page|table|document|"
        r"chart|figure|column|slide|image|picture|diagram|graph|screenshot|spread)\b",
        r"\b(?:in|on|at) the (?:top|bottom|upper|lower)[- ](?:left|right)(?:[- ]hand)?(?: corner| panel| side)?(?= ?[,?.]|$)",
        r"\b(?:code block|block|part|half|corner|area|side|section|box) of (?:the|this) page\b(?! of\b)",
        r"\bin the (?:left|right|outer|page) margin\b|\bin the sidebar\b|\bin the (?:left|right)-hand (?:column|side|panel)\b",
        r"\b(?:represented|plotted|shown|labell?ed|displayed|measured) (?:on|along|by) the (?:[xyz]|horizontal|vertical)[- ]axis\b",
        r"\bwhat (?:do|does) the (?:[xyz]|horizontal|vertical)[- ]ax[ei]s (?:show|represent|measure|indicate)",
    ),
)  # fmt: skip
_WORDINGS = (*_ENGLISH, *ABROAD)
#: A text without any of these cannot match: most texts are passed over by one search.
_TRIGGER = re.compile(
    r"tab|fig|chart|graph|diagram|plot|image|picture|photo|illustration|screenshot|flow|gram|map|column|row|cell|panel|"
    r"caption|footnote|legend|page|slide|margin|bar|line|above|below|overleaf|opposite|mentioned|following|here|axis|box|"
    r"spread|shade|shaded|highlight|circled|bold|underlined|top|bottom|left|right|side|eq|bullet|slice|segment|curve|dot|"
    r"arrow|pp?\.|elsewhere|abb|grafik|spalte|zeile|seite|bild|oben|unten|schaubild|schéma|ci-|colonne|ligne|página|tabla|"
    r"cuadro|gráfic|columna|fila|arriba|abajo|continuación|imagen|encart",
    re.IGNORECASE,
)


def find(queries: pl.DataFrame) -> Found:
    """Return what the rule says of each query's text."""
    return find_in_texts(queries["text"].to_list(), find_in_text)


def find_in_text(text: str) -> Sequence[Reason]:
    """Return the stretches of one text that point at the layout."""
    return matches(name, text, _WORDINGS) if _TRIGGER.search(text) else []
