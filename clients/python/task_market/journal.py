"""Journal of a wallet's writes: one JSON file, shared by processes, and durable before any request is sent."""

import fcntl
import json
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .deployment import Deployment
from .errors import LimitExceeded, OutcomeUnknown, Refused

DAY_SECONDS = 86_400
# Settled writes are kept a little longer than they count.
KEPT_SECONDS = 2 * DAY_SECONDS
# Margin for clocks, after which an ended payment cannot act any more.
MARGIN_SECONDS = 60

Entry = dict[str, Any]


@dataclass(frozen=True)
class Limits:
    """Maximum payments in base units of USDC: of one write, and of all writes in 24 hours."""

    per_write: int = 5_000_000
    per_day: int = 20_000_000


class Journal:
    """Entries of a wallet's writes, without signatures. States: `reserved` (nothing was sent that can act), `sent` (a
    request or payment that can act may have left), then `completed`, `refused` (the key can be used again) or
    `failed` (it cannot).
    """

    def __init__(self, directory: Path, deployment: Deployment, address: str):
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._path = directory / f"{deployment.chain_id}-{deployment.forwarder}-{address}.json"

    @contextmanager
    def locked(self) -> Iterator[dict[str, Entry]]:
        """Locks the entries, by key, against other processes. Changes are on disk at the end of the block."""
        with open(self._path.with_suffix(".lock"), "a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            text = self._path.read_text(encoding="utf-8") if self._path.exists() else "{}"
            entries: dict[str, Entry] = json.loads(text)
            yield entries
            if json.dumps(entries) != text:
                self._replace(json.dumps(entries))

    def _replace(self, text: str) -> None:
        fresh = self._path.with_suffix(".new")
        with open(fresh, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def begin(self, operation: str, path: str, request_hash: str, *, key: str | None, again: bool, now: int) -> Entry:
        """Creates the entry of a write before anything is sent. A call with an equal open write continues that write
        under its key. So does a call whose equal was refused while its payment could still act.
        """
        with self.locked() as entries:
            _prune(entries, now)
            if key is None and not again:
                equal = [entry for entry in entries.values() if entry["requestHash"] == request_hash]
                key = next((entry["key"] for entry in equal if _is_open(entry, now)), None)
            key = str(uuid.UUID(key)) if key is not None else str(uuid.uuid4())
            entry = entries.get(key)
            if entry is None:
                names = {"operation": operation, "path": path, "requestHash": request_hash}
                entry = {"key": key, **names, "state": "reserved", "createdAt": now, "choices": {}, "payment": None}
                entries[key] = entry
            if entry["requestHash"] != request_hash:
                raise Refused("idempotency_key_conflict", "This key belongs to another write of this wallet.")
            if entry["state"] == "failed":
                raise Refused("key_used_up", "The write of this key has failed; use a fresh one.")
            if entry["state"] == "refused":
                entry["state"] = "reserved"
            entry["updatedAt"] = now
            return dict(entry)

    def change(self, key: str, **fields: Any) -> Entry:
        with self.locked() as entries:
            entries[key].update(fields)
            return dict(entries[key])

    def choose(self, key: str, choices: dict[str, str], *, is_over: bool) -> Entry:
        """Records values that the client chose. The first ones stay, unless their time is over and nothing was sent."""
        with self.locked() as entries:
            entry = entries[key]
            fresh = is_over and entry["state"] == "reserved" and entry["payment"] is None
            entry["choices"] = {**entry["choices"], **choices} if fresh else {**choices, **entry["choices"]}
            return dict(entry)

    def note_payment(self, key: str, payment: dict[str, Any], limits: Limits, *, now: int, passed: int) -> Entry:
        """Records a payment before it is signed. Another payment of the same write must have ended. `passed`: a time
        that has passed by every clock.

        @raises LimitExceeded, OutcomeUnknown
        """
        with self.locked() as entries:
            entry = entries[key]
            earlier = entry["payment"]
            if earlier is not None and earlier["nonce"] != payment["nonce"]:
                if earlier["validBefore"] + MARGIN_SECONDS >= passed:
                    message = "The facts of this write have changed while a payment of it can still act."
                    raise OutcomeUnknown(key, message)
            equal = (one for one in entries.values() if one["requestHash"] == entry["requestHash"])
            for other in equal:
                # A failure that only the service reports does not end a payment.
                is_over = other["state"] != "failed" or not _is_outstanding(other, passed)
                if not is_over and other["payment"]["escrow"] != "0":
                    message = "An equal write has failed, and its payment of escrow can still act."
                    raise OutcomeUnknown(key, message)
            value = int(payment["value"])
            if value > limits.per_write:
                raise LimitExceeded(f"The write asks for {value} base units; the limit is {limits.per_write}.")
            others = (other for other in entries.values() if other["key"] != key)
            today = value + sum(_counted(other, now) for other in others)
            if today > limits.per_day:
                raise LimitExceeded(f"The payments of a day would be {today} base units: {limits.per_day} is the most.")
            entry.update(payment=payment, state="sent", updatedAt=now)
            return dict(entry)


def _is_open(entry: Entry, now: int) -> bool:
    if entry["state"] in ("reserved", "sent"):
        return True
    return entry["state"] == "refused" and _is_outstanding(entry, now)


def _is_outstanding(entry: Entry, now: int) -> bool:
    return entry["payment"] is not None and entry["payment"]["validBefore"] + MARGIN_SECONDS >= now


def _counted(entry: Entry, now: int) -> int:
    """Returns the part of the day's limit that an entry uses: a payment that acted, or could still act."""
    if entry["payment"] is None or entry["updatedAt"] <= now - DAY_SECONDS:
        return 0
    is_over = entry["state"] in ("refused", "failed") and not _is_outstanding(entry, now)
    return 0 if is_over else int(entry["payment"]["value"])


def _prune(entries: dict[str, Entry], now: int) -> None:
    for key, entry in list(entries.items()):
        if entry["state"] != "sent" and entry["updatedAt"] < now - KEPT_SECONDS:
            del entries[key]
