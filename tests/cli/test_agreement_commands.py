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
    assert any("Scale clear: no, yes (the values that its lines hold" in each for each in report["notes"])
    assert any(each.startswith("Scale useful: no (the values that its lines hold") for each in report["notes"])


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
        ("item,annotator,value\ni,x,1\n", ("--categories", "1,2", "--categories", "1,3"), "named twice (1,2 and 1,3)"),
        (
            "item,annotator,value,scale\ni,x,1,s\n",
            ("--categories", "s=1,2", "--categories", "s=1,3"),
            "scale s are named twice",
        ),
        ("item,annotator,value\na,x,1\na,x ,2\n", (), "line 3: 'x' rated item 'a' in line 2 already"),
        ("item,annotator,value\na,x,1\n a,x,2\n", (), "line 3: 'x' rated item 'a' in line 2 already"),
        ('item,annotator,value\na,x,yes\n\nb,x,"no\nc,x,no\n', (), "line 4: what begins here is not CSV"),
        ('item,annotator,value\na,x,"yes\nb,x,no\nc,x,"\n', (), "line 2, column value: the cell goes over several"),
        ('item,annotator,value\na,x,"yes"no\n', (), "line 2: what begins here is not CSV"),
        ("item,annotator,value\na,x,yes, it is\n", (), "line 2: 4 cells stand here, and the first line names 3"),
        ("item,annotator,value,scale\na,x,yes\n", (), "line 2: 3 cells stand here, and the first line names 4"),
        ("item,annotator,value,value\na,x,yes,no\n", (), "line 1: 2 columns are named 'value'"),
        ("item,annotator,value, value\na,x,yes,no\n", (), "line 1: 2 columns are named 'value'"),
        ("item;annotator;value\na;x;yes\n", (), "line 1: semicolons stand between the columns"),
        ("item\tannotator\tvalue\na\tx\tyes\n", (), "line 1: tabs stand between the columns"),
        ("item,annotator,value,scale\na,x,yes,s\na,y,no,\n", (), "line 3, column scale: nothing stands there"),
        (
            "item,annotator,value\na,x,1\na,y,NaN\n",
            ("--level", "ordinal", "--categories", "1,2"),
            "line 3, column value: 'NaN' has no place in an order",
        ),
        (
            "item,annotator,value\na,x,1\na,y,2\n",
            ("--level", "ordinal", "--categories", "1,2,inf"),
            "'inf' has no place in an order",
        ),
        (
            "item,annotator,value,scale\na,x,1,s\na,x,2,t\n",
            ("--level", "ordinal", "--categories", "s=1,2"),
            "--categories t=1,2,3,4",
        ),
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


def test_blanks_around_a_cell_are_no_part_of_it(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text("item, annotator , value\na,x,1\na , y,1\nb,x ,2\nb,y, 2\n", encoding="utf-8")
    report = json.loads(run("agreement", str(file), "--json").stdout)
    assert [each["pseudonym"] for each in report["annotators"]] == ["x", "y"]
    assert (report["judged"], report["shared"]) == (2, 2)


def _two_scales(folder: Path) -> Path:
    file = folder / "ratings.csv"
    lines = ["item,annotator,value,scale"]
    for number in range(8):
        lines += [f"{number},x,good,tone", f"{number},y,{'bad' if number % 4 == 0 else 'good'},tone"]
    lines += [f"{number},{who},1,len" for number in range(8) for who in "xy"]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def _ac1(done: str) -> dict[str, float | None]:
    items = json.loads(done)["items"]
    return {each["name"]: one["value"] for each in items for one in each["agreed"]["figures"] if one["name"] == "ac1"}


def test_ac1_of_one_scale_does_not_depend_on_the_values_of_another(run: Run, tmp_path: Path) -> None:
    """Of two values: 0.75 observed, 2 x 0.875 x 0.125 expected."""
    found = _ac1(run("agreement", str(_two_scales(tmp_path)), "--json", "--no-bootstrap").stdout)
    assert found["tone"] == pytest.approx((0.75 - 0.21875) / (1 - 0.21875))
    assert found["len"] is None, "the lines of this scale hold one value"


def test_categories_can_be_named_for_one_scale_and_go_before_those_of_all(run: Run, tmp_path: Path) -> None:
    file = str(_two_scales(tmp_path))
    done = run(
        "agreement", file, "--json", "--no-bootstrap", "--categories", "1,2,3", "--categories", "tone=bad,mixed,good"
    )
    values = {
        each["name"]: [one["value"] for one in each["agreed"]["prevalence"]]
        for each in json.loads(done.stdout)["items"]
    }
    assert values == {"tone": ["bad", "mixed", "good"], "len": ["1", "2", "3"]}
    assert _ac1(done.stdout)["tone"] == pytest.approx((0.75 - 0.109375) / (1 - 0.109375))
    refused = run("agreement", file, "--categories", "good,bad")
    assert "'1' is none of the categories good, bad. Those of this scale alone are named as len=A,B" in refused.stderr


def test_nan_among_names_is_a_value_and_is_pointed_out(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text("item,annotator,value\na,x,yes\na,y,nan\n", encoding="utf-8")
    shown = run("agreement", str(file)).stdout
    assert "'nan' stands 1 time as a value, and is compared as one" in shown
    assert "1 item, 2 ratings." in shown


def test_the_ratings_and_a_database_are_never_overwritten_by_a_report_of_them(
    run: Run, campaign: str, tmp_path: Path
) -> None:
    file = _ratings(tmp_path)
    before = file.read_bytes()
    link = tmp_path / "link.csv"
    link.symlink_to(file)
    for output in (file, link):
        done = run("agreement", str(file), "--output", str(output))
        assert done.exit_code == 1
        assert "is what is read, and would be replaced" in done.stderr
    assert file.read_bytes() == before
    database = next(each for each in tmp_path.rglob("assay.db"))
    for command in (("report", campaign), ("campaign", "agreement", campaign), ("agreement", str(file))):
        done = run(*command, "--output", str(database))
        assert done.exit_code == 1
        assert "is a database, and would be replaced" in done.stderr
    assert run("campaign", "agreement", campaign).exit_code == 0


def test_a_file_that_is_not_utf_8_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_bytes(b"item,annotator,value\ni,\xff,1\n")
    done = run("agreement", str(file))
    assert done.exit_code == 1
    assert "is not UTF-8" in done.stderr
