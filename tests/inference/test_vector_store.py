"""Vectors on disk: nothing is lost between processes, and nothing half-written is ever named."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
import pytest

from audit_core.errors import StorageError
from audit_core.inference.embedder import Identity
from audit_core.inference.vector_store import DATA_FILE, INDEX_FILE, VectorStore, cache_folder
from tests.inference.appending import IDENTITY, add, key_of, vectors_of

Open = Callable[..., VectorStore]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def opened(cache: Path) -> Iterator[Callable[..., VectorStore]]:
    """Opens stores, and closes them after the test."""
    with ExitStack() as stack:
        yield lambda identity=IDENTITY, folder=cache: stack.enter_context(closing(VectorStore(folder, identity)))


@pytest.fixture
def store(opened: Open) -> VectorStore:
    return opened()


def other_process(cache: Path, *words: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.inference.appending", str(cache), *map(str, words)]
    return subprocess.Popen(command, cwd=ROOT)


def assert_holds(store: VectorStore, numbers: range) -> None:
    rows, _ = store.find([key_of(number) for number in numbers])
    assert (rows >= 0).all()
    np.testing.assert_array_equal(store.matrix()[rows], vectors_of(numbers))


def test_what_was_added_is_found_again_by_the_next_one_to_open_it(store: VectorStore, opened: Open) -> None:
    assert add(store, range(5)) == 5
    store.append([key_of(9)], vectors_of(range(9, 10)), np.array([True]))
    store.close()
    again = opened()
    rows, truncated = again.find([key_of(number) for number in (4, 9, 77, 0)])
    assert rows.tolist() == [4, 5, -1, 0]
    assert truncated.tolist() == [False, True, False, False]
    assert (len(again), again.dimensions, again.lost) == (6, 3, 0)
    assert_holds(again, range(5))


def test_a_text_that_is_there_already_is_left_as_it_is(store: VectorStore) -> None:
    add(store, range(3))
    keys = [key_of(number) for number in (2, 3, 1, 4)]
    assert store.append(keys, np.full((4, 3), 0.5, dtype=np.float32), np.zeros(4, dtype=bool)) == 2
    assert_holds(store, range(3))
    assert store.find(keys)[0].tolist() == [2, 3, 1, 4]
    assert store.append([], np.empty((0, 3), dtype=np.float32), np.zeros(0, dtype=bool)) == 0


def test_the_matrix_is_a_read_only_map_of_the_file(store: VectorStore) -> None:
    assert store.matrix().shape == (0, 3)
    add(store, range(4))
    matrix = store.matrix()
    assert isinstance(matrix, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        matrix[0, 0] = 1.0
    store.close()
    np.testing.assert_array_equal(matrix, vectors_of(range(4)))


def test_more_keys_than_one_statement_takes_are_found(store: VectorStore) -> None:
    add(store, range(2500))
    assert_holds(store, range(2500))
    assert add(store, range(1000, 3000)) == 500


def test_two_processes_that_write_at_once_lose_nothing(cache: Path, opened: Open) -> None:
    # The second half of the one is the first half of the other.
    writers = [other_process(cache, 0, 120, 5), other_process(cache, 60, 180, 7)]
    assert [each.wait(120) for each in writers] == [0, 0]
    store = opened()
    assert len(store) == 180
    assert (store.folder / DATA_FILE).stat().st_size == 180 * 3 * 4
    assert_holds(store, range(180))


def test_rows_of_a_writer_killed_before_the_index_named_them_are_cut_off_and_written_anew(
    cache: Path, opened: Open
) -> None:
    writer = other_process(cache, 0, 30, 10, "die")
    assert writer.wait(120) == -9
    file = cache / IDENTITY.folder_name / DATA_FILE
    assert file.stat().st_size == 30 * 12, "the last rows are in the file"
    store = opened()
    assert (len(store), store.lost) == (20, 0)
    assert file.stat().st_size == 20 * 12
    assert add(store, range(10, 40)) == 20
    assert_holds(store, range(40))


def test_a_writer_killed_in_the_middle_of_a_record_harms_no_open_store(store: VectorStore) -> None:
    add(store, range(3))
    with (store.folder / DATA_FILE).open("ab") as file:
        file.write(b"\x01\x02\x03\x04\x05")
    add(store, range(3, 6))
    assert_holds(store, range(6))


def test_rows_that_a_broken_disk_lost_are_forgotten_and_counted(store: VectorStore, opened: Open) -> None:
    add(store, range(10))
    store.close()
    os.truncate(store.folder / DATA_FILE, 7 * 12 + 5)
    again = opened()
    assert (len(again), again.lost) == (7, 3)
    assert add(again, range(10)) == 3
    assert_holds(again, range(10))


def test_the_rows_are_on_the_disk_before_the_index_names_them(
    store: VectorStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    named: list[int] = []
    index = sqlite3.connect(store.folder / INDEX_FILE)

    def flush(file: int) -> None:
        named.append(index.execute("SELECT count(*) FROM vector").fetchone()[0])

    add(store, range(2))
    monkeypatch.setattr("audit_core.inference.vector_store.os.fsync", flush)
    add(store, range(2, 5))
    assert named == [2]
    assert index.execute("SELECT count(*) FROM vector").fetchone() == (5,)
    index.close()


def test_a_full_disk_names_the_folder_and_leaves_the_store_whole(
    store: VectorStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(store, range(2))

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("audit_core.inference.vector_store.os.fsync", full)
        with pytest.raises(StorageError, match=r"cannot be written to .*No space left on device"):
            add(store, range(2, 5))
    assert len(store) == 2
    add(store, range(2, 5))
    assert_holds(store, range(5))


def test_other_dimensions_are_refused_and_unknown_ones_fixed_by_the_first_vector(opened: Open) -> None:
    unknown = opened(Identity("endpoint", "m", "http://h", None, True))
    assert unknown.dimensions is None
    add(unknown, range(2))
    assert unknown.dimensions == 3
    with pytest.raises(StorageError, match="another dimensions"):
        unknown.append([key_of(5)], np.zeros((1, 4), dtype=np.float32), np.zeros(1, dtype=bool))
    assert len(unknown) == 2


def test_each_identity_has_a_folder_of_its_own_below_the_home(cache: Path, tmp_path: Path) -> None:
    assert cache_folder() == tmp_path / "home" / "cache" / "embeddings"
    base = ("endpoint", "Org/Model 1", "http://h", 3, True)
    kinds = [Identity(*base[:place], other, *base[place + 1 :])  # type: ignore[arg-type]
             for place, other in enumerate(("local", "Org/Model 2", "http://i", None, False))]  # fmt: skip
    names = {each.folder_name for each in (Identity(*base), *kinds)}  # type: ignore[arg-type]
    assert len(names) == 6
    assert all(name.startswith("org-model-") and "/" not in name for name in names)
    assert Identity("x", "模型", "", 1, True).folder_name.startswith("model-")


def test_a_folder_of_something_else_is_refused(store: VectorStore, cache: Path) -> None:
    add(store, range(2))
    store.close()
    index = sqlite3.connect(store.folder / INDEX_FILE)
    index.execute("UPDATE about SET value = 'other' WHERE name = 'identity'")
    index.commit()
    index.close()
    with pytest.raises(StorageError, match=r"another identity .*delete that folder"):
        VectorStore(cache, IDENTITY)
    (store.folder / INDEX_FILE).write_bytes(b"no database, but long enough to be read as one" * 100)
    with pytest.raises(StorageError, match=r"is damaged .*delete that folder"):
        VectorStore(cache, IDENTITY)
    (cache / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be opened"):
        VectorStore(cache / "file", IDENTITY)
