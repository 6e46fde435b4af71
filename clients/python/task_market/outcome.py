"""What a write is, how it is made, and what comes of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Operation:
    """
    One row of the table of operations. `verb`: of the text that its actor signs. `names_round`: the text names the
    round of the task. `facts`: what its call is made of besides the request. `choices`: fields the client fills in.
    `fee`: base units that stay with the service; escrow comes on top.
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
    """
    How one write is made. `key`: a UUID; the same again continues the same write. `again`: makes a second write where
    an equal one is open. `wait_seconds`: how long its outcome is awaited.
    """

    key: str | None = None
    again: bool = False
    wait_seconds: float = 120.0


@dataclass(frozen=True)
class Outcome(Generic[Answer]):
    """
    A completed write. `answer`: of the service; None where it was lost, and the write's record says `completed`.
    `paid`: base units, escrow included.
    """

    key: str
    answer: Answer | None
    tx_hash: str | None
    task_id: str | None
    paid: int
