"""Lists and searches that are cut to a page before ids are looked up."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_core.datasets import first_queries
from audit_core.datasets import revision as revisions
from audit_core.datasets.revision import Revision, open_revision
from tests.datasets.test_revision import revision_of
from tests.importers.small_bundle import right_rows

SOURCES = ("wiki", "law")
STRUCTURES = ("Page-Single", "Doc-Far", "Cross-Doc")


@pytest.fixture
def many(tmp_path: Path) -> Revision:
    rows = right_rows()
    first = rows["queries"][0]
    # Ids run backwards, so that their order is not the dataset's.
    rows["queries"] = [
        {
            **first, "query_id": str(60 - number), "text": "word " * (1 + number % 4) + "filler " * 9,
            "source": SOURCES[number % 2], "evidence_structure": STRUCTURES[number % 3],
        }
        for number in range(60)
    ]  # fmt: skip
    del rows["judgments/audit"], rows["labels/removal"]
    return revision_of(tmp_path, rows)


@pytest.mark.parametrize("source", [None, *SOURCES, "nowhere"])
@pytest.mark.parametrize("structure", [None, *STRUCTURES])
@pytest.mark.parametrize(("offset", "limit"), [(0, 7), (4, 3), (8, 100), (60, 5), (0, 0)])
def test_a_page_of_queries_is_a_part_of_the_whole_list_in_the_datasets_order(
    many: Revision, source: str | None, structure: str | None, offset: int, limit: int
) -> None:
    whole = [
        query_id
        for query_id, own_source, own_structure in many.queries_index()
        if source in (None, own_source) and structure in (None, own_structure)
    ]
    assert many.query_ids(source, structure, offset=offset, limit=limit) == whole[offset : offset + limit]


def test_the_best_match_comes_first_and_pages_follow_one_another(many: Revision) -> None:
    whole = many.search("word", limit=100)
    # Every fourth query has the word four times among as many others.
    assert whole[:15] == [str(60 - number) for number in range(3, 60, 4)]
    assert len(whole) == len(set(whole)) == 60
    assert [each for offset in range(0, 60, 7) for each in many.search("word", limit=7, offset=offset)] == whole


def test_more_matches_than_can_be_ranked_come_in_the_datasets_order(
    many: Revision, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revisions, "MOST_RANKED", 59)
    whole = [query_id for query_id, *_ in many.queries_index()]
    assert many.search("word", limit=100) == whole
    assert many.search("word", limit=5, offset=58) == whole[58:]
    monkeypatch.setattr(revisions, "MOST_RANKED", 60)
    assert many.search("word", limit=1) == ["57"]


def test_a_letter_with_which_many_words_begin_comes_in_the_datasets_order_whatever_the_page(
    many: Revision, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = [query_id for query_id, *_ in many.queries_index()]
    assert many.search("w", limit=1) == ["57"], "below what is common the best match comes first"
    monkeypatch.setattr(first_queries, "COMMON", 60)
    common = open_revision(many.folder)
    assert common.search("w", limit=100) == whole
    pages = [common.search("w", limit=7, offset=offset) for offset in range(0, 63, 7)]
    assert [query_id for page in pages for query_id in page] == whole
    assert common.search("w ", limit=1) == [], "with a blank after it the letter is a word of its own"
    # Those beyond the first that were looked at are found by the index, in the same order.
    monkeypatch.setattr(revisions, "LOOKED_AT", 55)
    monkeypatch.setattr(first_queries, "COMMON", 50)
    partly = open_revision(many.folder)
    assert [partly.search("w", limit=5, offset=offset) for offset in (45, 50, 55)] == [
        whole[45:50], whole[50:55], whole[55:60],
    ]  # fmt: skip


def test_a_letter_is_the_id_of_a_query_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = right_rows()
    rows["queries"][2]["query_id"] = "w"
    del rows["judgments/audit"], rows["labels/removal"]
    monkeypatch.setattr(first_queries, "COMMON", 1)
    revision = revision_of(tmp_path, rows)
    found = revision.search("w")
    assert found[0] == "w"
    assert sorted(found) == sorted({"w", *found})
    assert [revision.search("w", limit=1, offset=number)[0] for number in range(len(found))] == found


def test_the_query_of_that_id_comes_first_and_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = right_rows()
    rows["queries"][2]["query_id"] = "what"
    del rows["judgments/audit"], rows["labels/removal"]
    revision = revision_of(tmp_path, rows)
    for most in (0, 100):
        monkeypatch.setattr(revisions, "MOST_RANKED", most)
        found = revision.search("what")
        assert (found[0], sorted(found)) == ("what", ["q1", "q2", "what"])
        assert [revision.search("what", limit=1, offset=number)[0] for number in range(3)] == found
