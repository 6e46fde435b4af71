"""Log of changes, read by a stream, which is opened again when it ends, and by pages while no stream is available."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx

from .errors import ReadError
from .service import Service

PATH = "/api/events"
# The service reports the position of the stream every 15 seconds.
SILENCE_SECONDS = 45.0
Event = dict[str, Any]


class Gone(Exception):
    """The position in the log has expired."""


class EventLog:
    """Reader of the log from a position. `after`: id of the last handled entry."""

    def __init__(self, service: Service, filters: dict[str, Any], *, after: str | None, from_block: int | None):
        self.service, self.filters = service, {name: value for name, value in filters.items() if value}
        self.after = after
        self.finalized_up_to = None if from_block is None else from_block - 1

    def begin(self) -> None:
        """Sets the position to the end of the log, unless one was passed."""
        if self.after is None and self.finalized_up_to is None:
            end = self.service.read(PATH, {"fromBlock": 2**53 - 1, "limit": 1})
            self.after, self.finalized_up_to = end["next"], end["finalizedUpTo"]

    def follow(self, pause_seconds: float, on_restart: Callable[[int], None] | None) -> Iterator[Event]:
        """Yields each entry once and in order. `on_restart(block)`: entries from this block on come again with other
        ids.
        """
        self.begin()
        while True:
            try:
                yield from self._stream()
            except Gone:
                if self.after is None or self.finalized_up_to is None:
                    raise ReadError("The place in the log is gone, and no block was read to go on from.", 410) from None
                self.after = None
                if on_restart is not None:
                    on_restart(self.finalized_up_to + 1)
                continue
            time.sleep(pause_seconds)

    def _stream(self) -> Iterator[Event]:
        place = {}
        if self.after is None and self.finalized_up_to is not None:
            place = {"fromBlock": self.finalized_up_to + 1}
        headers = {**self.service.identity(), "Accept": "text/event-stream"}
        if self.after is not None:
            headers["Last-Event-ID"] = self.after
        timeout = httpx.Timeout(SILENCE_SECONDS, connect=10.0)
        query = {**self.filters, **place}
        try:
            with self.service.http.stream("GET", PATH, params=query, headers=headers, timeout=timeout) as response:
                is_stream = response.headers.get("Content-Type", "").startswith("text/event-stream")
                if response.status_code == 200 and is_stream:
                    yield from self._messages(response.iter_lines())
                    return
                if response.status_code == 410:
                    raise Gone
                if 400 <= response.status_code < 500 and response.status_code != 429:
                    response.read()
                    raise ReadError(f"{PATH} answered {response.status_code}: {response.text}", response.status_code)
        except httpx.HTTPError:
            pass
        # No stream is available now, or it broke.
        yield from self._pages()

    def _messages(self, lines: Iterator[str]) -> Iterator[Event]:
        kind, data = "", []
        # Lines of httpx before 0.24 include their line ends.
        for line in (one.rstrip("\r\n") for one in lines):
            if line.startswith("event:"):
                kind = line[6:].strip()
            elif line.startswith("data:"):
                data.append(line[5:].strip())
            elif not line:
                if data:
                    yield from self._take(kind, json.loads("\n".join(data)))
                kind, data = "", []

    def _take(self, kind: str, value: Any) -> Iterator[Event]:
        if kind == "position":
            self.after, self.finalized_up_to = value["next"], value["finalizedUpTo"]
        elif isinstance(value, dict) and "kind" in value and "id" in value:
            yield value
            # The position moves after the caller has handled the entry.
            self.after = value["id"]

    def _pages(self) -> Iterator[Event]:
        """Yields the entries up to the end of the log."""
        while True:
            from_block = None if self.finalized_up_to is None else self.finalized_up_to + 1
            place = {"after": self.after} if self.after is not None else {"fromBlock": from_block}
            try:
                page = self.service.read(PATH, {**self.filters, **place})
            except ReadError as error:
                if error.status == 410:
                    raise Gone from None
                return
            for event in page["events"]:
                yield event
                self.after = event["id"]
            self.finalized_up_to = page["finalizedUpTo"] if page["finalizedUpTo"] is not None else self.finalized_up_to
            if page["next"] is None or (page["next"] == self.after and not page["events"]):
                return
            self.after = page["next"]
            if not page["events"]:
                return
