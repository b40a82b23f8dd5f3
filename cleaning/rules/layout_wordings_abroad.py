"""How German, French and Spanish queries point at the layout of a page."""

from __future__ import annotations

from cleaning.rules.finding import wording

_GERMAN_NOUN = (
    r"(?-i:Tabelle|Abbildung|Abb\.|Grafik|Graphik|Diagramm|Balkendiagramm|Kreisdiagramm|Liniendiagramm|Schaubild|Bild|Bildschirmfoto|Schema|"
    r"Infografik|Fußnote|Bildunterschrift|Legende)"
)
_GERMAN_PART = r"(?-i:Spalte|Zeile|Zelle|Seite|Folie|Spalten|Zeilen|Zellen)"
_GERMAN_WHERE = (
    r"(?:obige[nrms]?|unten ?stehende[nrms]?|oben ?stehende[nrms]?|nebenstehende[nrms]?|nachfolgende[nrms]?|folgende[nrms]?|"
    r"gezeigte[nrms]?|abgebildete[nrms]?|dargestellte[nrms]?|vorherige[nrms]?|linke[nrms]?|rechte[nrms]?|obere[nrms]?|"
    r"untere[nrms]?|markierte[nrms]?|hervorgehobene[nrms]?)"
)
_NOT_GERMAN_NAME = r"(?! (?:der|des|von|vom)\b)(?![-‐])"
_FRENCH_NOUN = r"(?:tableau|graphique|diagramme|schéma|figure|image|illustration|photo|histogramme|courbe|légende|encadré|infographie)"
_FRENCH_WHERE = r"(?:ci-dessus|ci-dessous|ci-contre|ci-après|suivante?|précédente?)"
_NOT_FRENCH_NAME = r"(?! (?:périodique|d['’]|de|des|du|de bord|historique|emblématique|paternelle)\b)(?! d['’])"
_SPANISH_NOUN = r"(?:tabla|cuadro|gráfic[oa]|diagrama|figura|imagen|ilustración|esquema|infografía|leyenda|captura)"
_SPANISH_WHERE = r"(?:anterior|siguiente|de arriba|de abajo|adjunt[oa]|superior|inferior|mostrad[oa])"
_NOT_SPANISH_NAME = r"(?! (?:periódica|de|del|histórica|paterna)\b)"

ABROAD = (
    wording(
        "points at something on the page (German)",
        rf"\b(?:in|aus|laut|nach|gemäß|zeigt|siehe|zu|von) (?:der|dem|die|das) {_GERMAN_NOUN}{_NOT_GERMAN_NAME}(?=\W|$)",
        rf"\b(?:im|laut|gemäß|siehe|zum|vom) {_GERMAN_NOUN}{_NOT_GERMAN_NAME}(?=\W|$)",
        rf"\b(?:diese[nrms]?|jene[nrms]?) (?:{_GERMAN_NOUN}|{_GERMAN_PART})(?![-‐\w])",
        rf"\b(?:de[rmns]|die|das|im) {_GERMAN_WHERE} (?:{_GERMAN_NOUN}|{_GERMAN_PART})(?![-‐\w])",
        rf"\b(?:{_GERMAN_NOUN}|Tab\.|Folie) \d+",
        r"\bauf (?:der )?Seite \d+",
        r"\b(?:oben|unten|nebenstehend|links|rechts) (?:gezeigt|abgebildet|dargestellt|genannt|erwähnt|aufgeführt|stehend)\w*",
        r"\b(?:siehe|wie) (?:oben|unten)\b",
        rf"\b{_GERMAN_NOUN} (?:oben|unten)\b",
    ),
    wording(
        "points at something on the page (French)",
        rf"\b(?:dans|selon|d['’]après|sur|voir|que montre|que représente) (?:le |la |l['’]){_FRENCH_NOUN}\b{_NOT_FRENCH_NAME}",
        rf"\b(?:ce|cet|cette|ces) (?:{_FRENCH_NOUN}s?|page|colonne|ligne|cellule|diapositive|encadré)\b",
        rf"\b(?:{_FRENCH_NOUN}|page|colonne|ligne|liste)s? {_FRENCH_WHERE}",
        r"\b(?:tableau|graphique|schéma|diapositive) (?:n[°o] ?)?\d+",
        r"\b(?:à|en|sur) la page \d+|\bpage \d+ du document",
        r"\bla (?:colonne|ligne|case|cellule) (?:de (?:gauche|droite)|du (?:haut|bas|milieu)|surlignée|suivante|précédente)",
        r"\b(?:mentionn|indiqu|montr|présent|illustr|list)ée?s? (?:ci-dessus|ci-dessous|plus haut|plus bas)",
        r"\ben (?:haut|bas) de (?:la|cette) page",
    ),
    wording(
        "points at something on the page (Spanish)",
        rf"\b(?:en|según|de acuerdo con|muestra|ver|del?) (?:la|el|l[oa]s) {_SPANISH_NOUN}s?\b{_NOT_SPANISH_NAME}",
        rf"\b(?:este|esta|estos|estas|ese|esa) (?:{_SPANISH_NOUN}s?|página|columna|fila|celda|diapositiva|recuadro)\b",
        rf"\b(?:{_SPANISH_NOUN}|página|columna|fila|lista)s? {_SPANISH_WHERE}\b",
        r"\b(?:tabla|cuadro|gráfic[oa]|figura|fig\.|diapositiva) (?:n\.?[°º] ?)?\d+",
        r"\ben la página \d+",
        r"\bla (?:columna|fila|celda) (?:de la )?(?:izquierda|derecha|resaltada|central)\b",
        r"\b(?:mostrad|mencionad|indicad|presentad|ilustrad|señalad)[oa]s? (?:arriba|abajo|anteriormente|a continuación)\b",
        r"\ben la parte (?:superior|inferior) de (?:la|esta) página",
    ),
)  # fmt: skip
