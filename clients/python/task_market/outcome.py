"""Operations, options and outcomes of writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Operation:
    """A row of the table of operations. `verb`: first word of the text that its actor signs. `names_round`: the text
    contains the task's round. `facts`: state that its call contains besides the request. `choices`: fields that the
    client fills in. `fee`: base units that the service keeps; escrow is extra.
    """

    name: str
    path: str
    modes: Sequence[str]
    verb: str | None
    names_round: bool
    facts: Sequence[str]
    choices: Sequence[str]
    actor_field: str | None
    bodyless: bool
    fee: int


@dataclass(frozen=True)
class Options:
    """Options of one write. `key`: a UUID; the same key continues the same write. `again`: makes a second write beside
    an equal one that is open. `wait_seconds`: timeout for the outcome.

    Example: `Options(again=True)`.
    """

    key: str | None = None
    again: bool = False
    wait_seconds: float = 120.0


@dataclass(frozen=True)
class Outcome(Generic[Answer]):
    """A completed write. `answer`: of the service; None when the answer was lost and the record says `completed`.
    `paid`: base units, escrow included.
    """

    key: str
    answer: Answer | None
    tx_hash: str | None
    task_id: str | None
    paid: int
