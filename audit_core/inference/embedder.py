"""What an embedder is: the contract that every file `embedder_*.py` in this folder keeps.

Such a module has these names:

```python
name = "tfidf-svd"  # how it is called, on the command line as well
title = "TF-IDF and SVD"  # how it is shown
describe = "..."  # plainly what it is, where it comes from, what it costs
needs_fitting = True  # whether `build` gives a Trainable (fitted on training texts alone) or an Embedder


def build(options: Mapping[str, object]) -> Embedder | Trainable: ...  # unknown or wrong options: InferenceError
```
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from audit_core.errors import InferenceError
from audit_core.registry import load_folder, look_up

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PACKAGE, _PREFIX = "audit_core.inference", "embedder_"
Cancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Identity:
    """Which vectors two runs may share: those whose identities are equal.

    `source` is the SHA-256 of the weights, the URL of an endpoint, or the SHA-256 of the texts that it was fitted on.
    `dimensions` is None where only the endpoint's first reply tells them.
    """

    kind: str
    model: str
    source: str
    dimensions: int | None
    normalised: bool

    def as_json(self) -> str:
        """Return the identity as one line of JSON; equal identities, equal lines."""
        return json.dumps(asdict(self), sort_keys=True, ensure_ascii=False)

    @property
    def folder_name(self) -> str:
        """The model's name, cut to what any file system takes, and 16 hex digits of the identity's SHA-256."""
        readable = re.sub(r"[^a-z0-9]+", "-", self.model.lower()).strip("-")[:60] or "model"
        return f"{readable}-{hashlib.sha256(self.as_json().encode()).hexdigest()[:16]}"


class State(StrEnum):
    """Why a row has no vector that can be used."""

    EMPTY_TEXT = "empty text"
    REFUSED = "refused"
    UNREADABLE = "unreadable reply"
    WRONG_COUNT = "wrong count"
    WRONG_DIMENSIONS = "wrong dimensions"
    NOT_FINITE = "not finite"
    ZERO = "zero vector"
    MISSING = "missing"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why one text has no vector, in one word and in a sentence."""

    state: State
    says: str


@dataclass(frozen=True, slots=True)
class Batch:
    """The vectors of a batch of texts, in the order of the texts.

    `vectors` is float32 of shape (n, dimensions), NaN in the rows that `faults` (row -> why) lists. `truncated[i]` says
    whether text i was cut at the model's limit, as far as the embedder can know. `tokens` were read by the model.
    """

    vectors: NDArray[np.float32]
    truncated: NDArray[np.bool_]
    tokens: int
    faults: dict[int, Fault] = field(default_factory=dict)


class Embedder(Protocol):
    """Texts to vectors, without memory of earlier texts."""

    @property
    def identity(self) -> Identity:
        """Whose vectors these are. Asking for it loads no model and sends nothing."""
        ...

    @property
    def batch_size(self) -> int:
        """How many texts it wants at once: as many are lost when the process is killed."""
        ...

    @property
    def is_cached(self) -> bool:
        """Whether its vectors are worth keeping on disk."""
        ...

    def embed(self, texts: Sequence[str], *, cancelled: Cancelled | None = None) -> Batch:
        """Return the vectors of texts, none of them blank. `cancelled` is asked while it waits.

        Raises:
            InferenceError: the model cannot be loaded or reached, so that further texts would fail as well.
        """
        ...


class Trainable(Protocol):
    """What becomes an embedder by being fitted on texts: on the training texts alone."""

    def fit(self, texts: Sequence[str], *, seed: int) -> Embedder:
        """Return the embedder fitted on these texts; same texts and seed, same vectors.

        Raises:
            InferenceError: too few or too uniform texts.
        """
        ...


def embedders() -> dict[str, ModuleType]:
    """Return the modules of all embedders by name. None of them loads a model by being imported."""
    return load_folder(_PACKAGE, _PREFIX)


def build_embedder(name: str, options: Mapping[str, object] | None = None) -> Embedder | Trainable:
    """Return the embedder called `name` with its options; a Trainable where the module says `needs_fitting`.

    Raises:
        NotFound: there is no embedder of that name.
        InferenceError: an option is unknown or cannot be used.
    """
    built: Embedder | Trainable = look_up(_PACKAGE, name, _PREFIX).build(options or {})
    return built


def check_options(embedder: str, options: Mapping[str, object], known: Sequence[str]) -> None:
    """Refuse options that an embedder does not know.

    Raises:
        InferenceError: names them and lists the known ones.
    """
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise InferenceError(
            f"The embedder {embedder} has no option {', '.join(unknown)}. Its options are: {', '.join(known)}."
        )


def whole_number(
    embedder: str, options: Mapping[str, object], option: str, default: int, *, low: int, high: int
) -> int:
    """Return an option that is a whole number within bounds.

    Raises:
        InferenceError: it is not.
    """
    given = options.get(option, default)
    if isinstance(given, bool) or not isinstance(given, int) or not low <= given <= high:
        raise InferenceError(
            f"The option {option} of the embedder {embedder} is {given!r}: give a whole number from {low} to {high:,}."
        )
    return given
