"""The commands on agreement: of a campaign in every form, of ratings in a file, and files with faults."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.agreement.published_ratings import KRIPPENDORFF_C
from tests.bundles import small_bundle
from tests.command_line import Run
from tests.importers.small_bundle import Rows


def _two_annotators(rows: Rows) -> None:
    said = {"q1": ([], []), "q2": (["F"], ["E"]), "q3": (["N"], ["N"])}
    rows["judgments/audit"] = [
        {"query_id": query, "annotator": who, "codes": codes}
        for query, both in said.items()
        for who, codes in zip(("ann-secret", "bob-secret"), both, strict=True)
    ]


@pytest.fixture
def campaign(run: Run, tmp_path: Path) -> str:
    """The name of a campaign that two imported annotators judged."""
    assert run("import", str(small_bundle(tmp_path / "bundle", _two_annotators))).exit_code == 0
    return "audit"


def _ratings(folder: Path) -> Path:
    """Krippendorff's example of four raters as a file."""
    file = folder / "ratings.csv"
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("item", "annotator", "value"))
        for item, row in enumerate(KRIPPENDORFF_C, start=1):
            writer.writerows(
                (f"u{item}", f"rater {place}", value) for place, value in enumerate(row) if value is not None
            )
    return file


def test_the_agreement_of_a_campaign_is_printed_and_written_in_every_form(
    run: Run, campaign: str, tmp_path: Path
) -> None:
    shown = run("campaign", "agreement", campaign, "--draws", "200", "--seed", "5").stdout
    assert "Correct or not: 100.0 % agreement of 2 annotators on 3 entries" in shown
    assert "95 % document bootstrap, 200 draws, seed 5" in shown
    assert "Code F: formulation" in shown
    starts = {
        "csv": "row,on,title",
        "markdown": "# Agreement",
        "latex": "% Needs",
        "json": "{",
        "text": "Agreement: audit",
    }
    for form, start in starts.items():
        file = tmp_path / f"agreement.{form}"
        assert run("campaign", "agreement", campaign, "--format", form, "--output", str(file)).exit_code == 0
        text = file.read_text(encoding="utf-8")
        assert text.startswith(start)
        assert "secret" not in text, "annotators stand by their pseudonyms"


def test_json_holds_every_figure_with_its_reason_where_it_is_undefined(run: Run, campaign: str) -> None:
    report = json.loads(run("campaign", "agreement", campaign, "--no-bootstrap", "--json").stdout)
    assert report["plan"] is None
    items = {each["name"]: {one["name"]: one for one in each["agreed"]["figures"]} for each in report["items"]}
    assert items["codes"]["percent"]["value"] == pytest.approx(2 / 3)
    assert items["codes.U"]["alpha"]["value"] is None
    assert items["codes.U"]["alpha"]["undefined"] == "everyone said no: expected agreement is 1"
    assert items["codes"]["percent"]["no_interval"] == "no bootstrap was asked for"
    assert {each["value"] for each in report["items"][0]["groups"] if each["kind"] == "source"} == {"law", "wiki"}


def test_csv_has_a_line_for_each_figure_group_pair_and_value(run: Run, campaign: str) -> None:
    rows = list(csv.DictReader(io.StringIO(run("campaign", "agreement", campaign, "--format", "csv").stdout)))
    assert {each["row"] for each in rows} == {"item", "group", "pair", "value"}
    decision = next(
        each for each in rows if (each["row"], each["on"], each["coefficient"]) == ("item", "decision", "ac1")
    )
    assert (decision["items"], decision["raters"], decision["documents"]) == ("3", "2", "2")
    assert decision["estimate"] == "1.0"


def test_an_unknown_campaign_and_a_missing_pilot_are_refused(run: Run, campaign: str) -> None:
    missing = run("campaign", "agreement", "nothing")
    assert missing.exit_code == 1
    assert "There is no campaign 'nothing'" in missing.stderr
    no_pilot = run("campaign", "agreement", campaign, "--pilot")
    assert no_pilot.exit_code == 1
    assert "has no pilot" in no_pilot.stderr
    assert run("campaign", "agreement", campaign, "--draws", "5").exit_code == 2


def test_a_file_of_ratings_gives_the_published_values(run: Run, tmp_path: Path) -> None:
    """Krippendorff 2011, sections C and D; Gwet 2014 by irrCAC."""
    file = _ratings(tmp_path)
    nominal = run("agreement", str(file), "--categories", "1,2,3,4,5", "--json")
    ordinal = run("agreement", str(file), "--level", "ordinal", "--categories", "1,2,3,4,5", "--json")
    found = {}
    for done in (nominal, ordinal):
        (item,) = json.loads(done.stdout)["items"]
        found |= {each["name"] + each["title"].partition("(")[2]: each["value"] for each in item["agreed"]["figures"]}
    rounded = {name: f"{value:.3f}" for name, value in found.items()}
    assert rounded["alphanominal)"] == "0.743"
    assert rounded["alphaordinal)"] == "0.815"
    assert rounded["alpha_intervalinterval)"] == "0.849"
    assert rounded["ac1"] == "0.775"
    assert (rounded["ac2_linearlinear)"], rounded["ac2_ordinalordinal)"]) == ("0.859", "0.899")


def test_each_scale_of_a_file_is_compared_by_itself_and_documents_are_drawn_together(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    lines = ["item,annotator,value,scale,documents"]
    for number in range(6):
        documents = "a|b" if number < 3 else "c"
        lines += [
            f"i{number},x,yes,clear,{documents}",
            f"i{number},y,{'yes' if number % 2 else 'no'},clear,{documents}",
        ]
    lines += ["i0,x,no,useful,a|b", "i0,y,no,useful,a|b"]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    report = json.loads(run("agreement", str(file), "--json").stdout)
    assert [each["name"] for each in report["items"]] == ["clear", "useful"]
    assert report["documents"] == 3
    assert report["items"][0]["agreed"]["amounts"]["documents"] == 3
    assert report["items"][1]["agreed"]["amounts"]["items"] == 1
    assert any("the values of the file" in each for each in report["notes"])


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("item,annotator\ni,x\n", (), "has no column value"),
        ("", (), "has no column item, annotator, value"),
        ("item,annotator,value\n", (), "holds no ratings"),
        ("item,annotator,value\ni,x,\n", (), "line 2, column value: nothing stands there"),
        (
            "item,annotator,value\ni,x,5\n",
            ("--categories", "1,2"),
            "line 2, column value: '5' is none of the categories 1, 2",
        ),
        ("item,annotator,value\ni,x,1\ni,x,2\n", (), "line 3: 'x' rated item 'i' in line 2 already"),
        ("item,annotator,value\ni,x,1\n", ("--level", "ordinal"), "An ordinal scale needs all its values"),
        ("item,annotator,value\ni,x,1\n", ("--categories", "1,1"), "name each once"),
        ("item,annotator,value\ni,x,1\n", ("--level", "ordinal", "--categories", "2,1"), "in rising order"),
        ("item,annotator,value,documents\ni,x,1,a\ni,y,1,b\n", (), "line 3: item 'i' has other documents"),
    ],
)
def test_a_file_with_a_fault_is_refused_by_line_and_column(
    run: Run, tmp_path: Path, text: str, options: tuple[str, ...], words: str
) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text(text, encoding="utf-8")
    done = run("agreement", str(file), *options)
    assert done.exit_code == 1
    assert words in done.stderr
    assert "ratings.csv" in done.stderr or "categories" in done.stderr or "ordinal" in done.stderr


def test_a_file_that_is_not_utf_8_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_bytes(b"item,annotator,value\ni,\xff,1\n")
    done = run("agreement", str(file))
    assert done.exit_code == 1
    assert "is not UTF-8" in done.stderr
