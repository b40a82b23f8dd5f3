"""The published sizes that the generated bundle has at scale 1.

Source: the paper of the VL-DocIR benchmark: its tables of documents (number and mean pages by source) and of queries
(by domain and evidence structure), the populations of its audit, and its consistency census of 47,013 Cross-Doc queries.
Each domain is put to the source for which the sums over domains are the audit's populations; there is one such way.
"""

from __future__ import annotations

#: Documents and mean pages of each source, in the order in which the benchmark names them.
DOCUMENTS = {"Wikipedia": (11_988, 6.49), "arXiv": (10_846, 15.5), "PubMed": (4_815, 12.26), "SEC": (1_992, 41.97)}
PAGES = 388_548
EVIDENCE_ROWS = 1_200_000
STRUCTURES = ("Page-Single", "Page-Multi", "Doc-Adjacent", "Doc-Near", "Doc-Far", "Cross-Doc")
#: Domain, its source, and its queries by structure in the order of STRUCTURES; 271,760 queries in all.
DOMAINS = (
    ("Sports", "Wikipedia", (5891, 10017, 1067, 436, 69, 7026)),
    ("Science", "Wikipedia", (6006, 7080, 632, 212, 41, 2566)),
    ("Geography", "Wikipedia", (6064, 6957, 442, 206, 85, 2267)),
    ("History", "Wikipedia", (2973, 3399, 349, 87, 24, 704)),
    ("Entertainment", "Wikipedia", (2083, 3029, 340, 134, 18, 487)),
    ("Technology", "Wikipedia", (1257, 1420, 159, 32, 10, 1258)),
    ("Politics", "Wikipedia", (1161, 1051, 123, 43, 3, 165)),
    ("Arts", "Wikipedia", (778, 1164, 152, 21, 2, 96)),
    ("Economics", "Wikipedia", (93, 105, 19, 1, 3, 29)),
    ("Astrophysics", "arXiv", (4359, 8420, 941, 205, 167, 7829)),
    ("Condensed Matter Physics", "arXiv", (3669, 6462, 632, 140, 79, 622)),
    ("Artificial Intelligence", "arXiv", (2975, 5950, 554, 162, 114, 324)),
    ("Quantitative Biology", "arXiv", (1298, 2768, 215, 59, 51, 84)),
    ("Electrical Engineering", "arXiv", (846, 1713, 79, 39, 24, 74)),
    ("General Computer Science", "arXiv", (659, 1248, 101, 24, 18, 54)),
    ("Statistics", "arXiv", (221, 429, 34, 5, 8, 14)),
    ("Medical Reports", "PubMed", (7835, 17006, 1902, 523, 416, 6324)),
    ("Bioinformatics", "PubMed", (1892, 4184, 487, 135, 51, 1166)),
    ("Public Health Reports", "PubMed", (1531, 3037, 314, 100, 75, 978)),
    ("Chemistry", "PubMed", (1438, 2979, 416, 96, 20, 704)),
    ("Environmental Reports", "PubMed", (725, 1690, 132, 71, 36, 214)),
    ("Surgical Case Reports", "PubMed", (707, 724, 109, 75, 15, 357)),
    ("Financial Reports", "SEC", (31735, 29792, 2773, 586, 1234, 13671)),
)
#: Of the census: queries with an element that spans rendered pages, with a stored box out of range, and with pages that
#: differ from those that the boxes give. As many faults of these kinds are planted.
SPANNING_ELEMENTS = 5_860
BOXES_OUTSIDE = 839
DIFFERING_PAGES = 714
