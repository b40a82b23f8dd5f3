"""The errors that Assay raises on purpose. Each message says what happened and what to do.

```
AssayError                  anything below; the command line prints its message and exits with 1
  SettingError              a setting has a value that cannot be used
  StorageError              the main database cannot be opened, read or written
    MigrationError          a migration failed; the copy made before it is named
    WriteCollision          two writers met on one row; the loser may try again
  BundleError               a bundle was refused; `.problems` lists every fault found
    RevisionClash           the same name and revision is already there with other content
  NotFound                  a dataset, campaign, entry or page that does not exist
  JudgmentError             a judgment that cannot be saved
    JudgmentInvalid         codes, outcome or text break the protocol
    JudgmentConflict        somebody (another tab) saved a newer revision; both are attached
    CampaignClosed          the campaign takes no judgments any more
      CampaignPaused        it takes none for a while
    EntryTaken              the entry has all its judgments, or others are at work on the last of them
  PageUnavailable           a page image cannot be shown; the reason is shown in place
  CorrectionError           a correction that cannot be made, accepted or released
    CorrectionStale         it expects something else than stands there: it must be rebased
  LedgerError               a ledger, release or proof that does not hold
  StatisticsError           counts or weights that no statistic can be computed from
  SignInError               a name, password or cookie that cannot be accepted
    TooManyAttempts         so many sign-ins failed that the next one has to wait
  NotAllowed                the role does not allow it
  AccountError              an account that cannot be made or changed as asked
  NameTaken                 a name that must be unique is in use
  JobError                  a job that cannot be started, resumed or cancelled
  InferenceError            a model that cannot be loaded, reached or believed
  CleaningError             labels, a split or a strategy that no honest comparison can be made of
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class AssayError(Exception):
    """Anything that Assay refuses or cannot do; `str(error)` is meant for the user."""


class SettingError(AssayError):
    """A setting has a value that cannot be used; the message names the variable."""


class StorageError(AssayError):
    """The main database cannot be opened, read or written."""


class MigrationError(StorageError):
    """A migration of the main database failed; the message names the copy made before it."""


class WriteCollision(StorageError):
    """Two writers met on one row and a constraint stopped the second; nothing of it was written."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault in a bundle.

    `file` is relative to the bundle; `line` is 1-based (a row number for Parquet), None when the whole file is meant;
    `field` is a path such as `evidence[2].page_id`, None when the whole row is meant; `value` is what stands there (cut
    to 80 characters); `expected` says what should.
    """

    file: str
    line: int | None
    field: str | None
    value: str | None
    expected: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        field = f", field {self.field}" if self.field else ""
        value = f": found {self.value}" if self.value is not None else ""
        return f"{place}{field}{value}; expected {self.expected}"


class BundleError(AssayError):
    """A bundle was refused: nothing of it was imported. The message lists the faults, a line each, after its first line."""

    def __init__(self, message: str, problems: Sequence[Problem] = (), total: int | None = None) -> None:
        super().__init__(message)
        self.problems = list(problems)
        #: How many faults there are in all; `problems` holds at most the first 100 of each file.
        self.total = len(self.problems) if total is None else total

    @property
    def summary(self) -> str:
        """The first line of the message, without the list of faults."""
        return str(self).partition("\n")[0]


class RevisionClash(BundleError):
    """The same dataset name and revision is already there with other content."""


class NotFound(AssayError):
    """A dataset, campaign, entry or page that does not exist (or is not yours to see)."""


class JudgmentError(AssayError):
    """A judgment that cannot be saved."""


class JudgmentInvalid(JudgmentError):
    """Codes, outcome or text break the protocol; the message names the field."""


class JudgmentConflict(JudgmentError):
    """A newer revision exists than the one this judgment was based on. `newest` is that revision (a JSON-ready dict)."""

    def __init__(self, message: str, newest: dict[str, object]) -> None:
        super().__init__(message)
        self.newest = newest


class CampaignClosed(JudgmentError):
    """The campaign takes no judgments any more."""


class CampaignPaused(CampaignClosed):
    """The campaign takes no judgments for a while."""


class EntryTaken(JudgmentError):
    """No place is left for a judgment on this entry, or it is not handed out at this stage; nothing was saved."""


class PageUnavailable(AssayError):
    """A page image cannot be shown; the message is drawn in its place."""


class CorrectionError(AssayError):
    """A correction that cannot be made, accepted or released; the message says why."""


class CorrectionStale(CorrectionError):
    """A correction expects something else than stands there; nothing was changed. It must be rebased."""


class LedgerError(AssayError):
    """A ledger that cannot be read, or a release that its ledger does not explain; the message names the file and row."""


class StatisticsError(AssayError):
    """Counts or weights that no statistic can be computed from."""


class SignInError(AssayError):
    """A name, password or cookie that cannot be accepted."""


class TooManyAttempts(SignInError):
    """So many sign-ins failed that the next one has to wait; says how long."""


class NotAllowed(AssayError):
    """The role does not allow it; names the role that would."""


class AccountError(AssayError):
    """An account cannot be made or changed as asked; says what to do instead."""


class NameTaken(AssayError):
    """A name that must be unique is in use."""


class JobError(AssayError):
    """A job cannot be started, resumed or cancelled."""


class InferenceError(AssayError):
    """A model cannot be loaded or reached, or what it gave cannot be used."""


class CleaningError(AssayError):
    """Labels, a split or a strategy that no honest comparison can be made of; says what is missing."""
