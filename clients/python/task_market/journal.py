"""The journal of a wallet's writes: one JSON file, durable before anything leaves, shared by processes."""

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
# A payment whose end is this long past by every clock cannot act any more.
MARGIN_SECONDS = 60

Entry = dict[str, Any]


@dataclass(frozen=True)
class Limits:
    """Most that payments may be, base units of USDC: one, and all of 24 hours."""

    per_write: int = 5_000_000
    per_day: int = 20_000_000


class Journal:
    """
    The states of a write: `reserved` (nothing was sent that can act), `sent` (a request or payment that can act may
    have left), then `completed`, `refused` (its key can be used again) or `failed` (it cannot). No signature is kept.
    """

    def __init__(self, directory: Path, deployment: Deployment, address: str):
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._path = directory / f"{deployment.chain_id}-{deployment.forwarder}-{address}.json"

    @contextmanager
    def locked(self) -> Iterator[dict[str, Entry]]:
        """The entries by key, while no other process changes them; what is left there is on disk at the end."""
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
        """
        The entry of a write, made before anything is sent. A call whose equal is open goes on with that one under its
        key; so does one whose equal was refused while its payment could still act.
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
        """Keeps values that the client chose: the first ones stay, unless their time is over and nothing was sent."""
        with self.locked() as entries:
            entry = entries[key]
            fresh = is_over and entry["state"] == "reserved" and entry["payment"] is None
            entry["choices"] = {**entry["choices"], **choices} if fresh else {**choices, **entry["choices"]}
            return dict(entry)

    def note_payment(self, key: str, payment: dict[str, Any], limits: Limits, *, now: int, passed: int) -> Entry:
        """
        Writes a payment down before it is signed. Another one of the same write must have ended: `passed` is a time
        that is over by every clock. @raises LimitExceeded, OutcomeUnknown
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
                # The service's word that it failed does not end a payment.
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
    """What an entry counts of the day's limit: a payment that acted, or still could."""
    if entry["payment"] is None or entry["updatedAt"] <= now - DAY_SECONDS:
        return 0
    is_over = entry["state"] in ("refused", "failed") and not _is_outstanding(entry, now)
    return 0 if is_over else int(entry["payment"]["value"])


def _prune(entries: dict[str, Entry], now: int) -> None:
    for key, entry in list(entries.items()):
        if entry["state"] != "sent" and entry["updatedAt"] < now - KEPT_SECONDS:
            del entries[key]
