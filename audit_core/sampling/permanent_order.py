"""Permanent random numbers: the random order of a stratum's queries that one seed stands for.

Each query has one number, SHA-256 over (scheme, seed, source, evidence structure, query id), and a draw takes the
smallest ones. The numbers depend on nothing else: not on the order of the frame, the platform, or a version of Python
or numpy. So

- the first n queries of a stratum are a simple random sample without replacement for every n, and a larger draw with
  the same seed contains the smaller one (coordinated samples; Ohlsson 1995, in *Business Survey Methods*, ch. 9);
- queries that join or leave the frame in another revision move nobody else's place in the order;
- another seed gives an independent order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from audit_core.errors import StatisticsError
from audit_core.sampling.frame import StratumKey

#: Hashed before everything else. Another way of ordering would get another name, so that stored seeds keep their draw.
SCHEME = "assay-draw-1"
#: The largest seed that every database can keep.
SEED_MAX = 2**63 - 1

Ranked = tuple[bytes, str]


def permanent_order(seed: int, key: StratumKey, query_ids: Iterable[str]) -> list[Ranked]:
    """Return (number, query id) of each query of a stratum, the smallest number first."""
    start = hashlib.sha256()
    for text in (SCHEME, str(seed), *key):
        part = text.encode("utf-8", "surrogatepass")
        # The length before each part: ("a", "bc") and ("ab", "c") must not be hashed alike.
        start.update(len(part).to_bytes(8, "big") + part)
    ranked = []
    for query_id in query_ids:
        number = start.copy()
        number.update(query_id.encode("utf-8", "surrogatepass"))
        ranked.append((number.digest(), query_id))
    ranked.sort()
    return ranked


def interleaved(drawn: Mapping[StratumKey, Sequence[Ranked]]) -> list[tuple[StratumKey, int, str]]:
    """Return (stratum, place in the stratum's order from 1, query id) of all drawn queries in one random order.

    The queries of a stratum keep their own order and are spread evenly: the j-th of n stands at a random point between
    (j - 1) / n and j / n of the whole. So whatever part of a campaign is done, every stratum is done to about that
    part, and what is done of a stratum is itself a random sample of it.
    """
    placed = []
    for key, ranked in drawn.items():
        for place, (number, query_id) in enumerate(ranked, start=1):
            # The last bytes: the first ones decide the order within the stratum and say nothing about these.
            point = int.from_bytes(number[-8:], "big") / 2**64
            placed.append(((place - 1 + point) / len(ranked), key, place, query_id))
    placed.sort()
    return [(key, place, query_id) for _, key, place, query_id in placed]


def check_seed(seed: int) -> int:
    """Return the seed; StatisticsError where it is no whole number from 0 to 2^63 - 1."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= SEED_MAX:
        raise StatisticsError(f"A seed must be a whole number from 0 to {SEED_MAX}; found {seed!r}.")
    return seed
