"""Client of a market: reads, and writes of one wallet."""

import base64
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict, Unpack, cast

import httpx

from . import types
from .deployment import PUBLIC_ACCOUNTS, Deployment, load_deployment
from .events import Event, EventLog
from .facts import read_task
from .journal import Journal, Limits
from .keys import Wallet
from .outcome import Options, Outcome
from .service import Service
from .write import Write
from .writes import OPERATIONS, Writes

FINAL = ("completed", "expired", "cancelled")
JOURNALS = Path.home() / ".task-market" / "python"


class EventFilters(TypedDict, total=False):
    """Filters of log entries; without filters, entries of all tasks and accounts. `after`, `from_block`: a position."""

    after: str | None
    from_block: int | None
    kinds: Sequence[str]
    task_id: str
    address: str
    tags: Sequence[str]


class Market(Writes):
    """Reads, and writes of one wallet. Payments go only to the forwarder in the caller's deployment file.

    Example: `Market("https://a.example", "deployment.json", Wallet(key))`.
    """

    def __init__(
        self,
        base_url: str,
        deployment: str | PathLike[str] | Mapping[str, Any] | Deployment,
        wallet: Wallet | None = None,
        *,
        limits: Limits = Limits(),
        journal_directory: Path = JOURNALS,
        legal_receipt: str | None = None,
        transport: httpx.BaseTransport | None = None,
    ):
        self.deployment = deployment if isinstance(deployment, Deployment) else load_deployment(deployment)
        self.wallet = wallet
        if self.deployment.local and wallet is not None and wallet.address not in PUBLIC_ACCOUNTS:
            warning = f"{wallet.address} pays on a local chain: what it signs there is valid on a real one"
            warnings.warn(warning, stacklevel=2)
        self.limits = limits
        self.legal_receipt = legal_receipt
        self.service = Service(base_url, self.deployment, wallet, transport=transport)
        self._journals = journal_directory

    def __enter__(self) -> "Market":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.service.http.close()

    # Writes

    def write(self, operation_id: str, request: Mapping[str, Any], options: Options = Options()) -> Outcome[Any]:
        """Makes a write by its operation id; the methods of `Writes` are typed forms of it.

        Example: `market.write("cancelTask", {"taskId": task_id})`.

        @raises Refused: nothing was done; LimitExceeded: nothing was signed; OutcomeUnknown: call again
        """
        address = self.wallet.address if self.wallet is not None else ""
        journal = Journal(self._journals, self.deployment, address)
        operation = OPERATIONS[operation_id]
        write = Write(self.service, journal, self.limits, operation=operation, legal_receipt=self.legal_receipt)
        return write.run(request, options)

    def submit(
        self, task_id: str, files: Mapping[str, tuple[str, bytes]], options: Options = Options()
    ) -> Outcome[types.CreateSubmissionAnswer]:
        """Delivers files. `files`: name to MIME type and bytes. Example: `{"work.txt": ("text/plain", b"done")}`."""
        artifacts: list[types.CreateSubmissionFieldsArtifactsItem] = [
            {"fileName": name, "mimeType": mime_type, "file": base64.b64encode(data).decode()}
            for name, (mime_type, data) in files.items()
        ]
        return self.create_submission(task_id, options=options, artifacts=artifacts)

    # Reads

    def read(self, path: str, **query: Any) -> Any:
        """Returns the JSON of a GET; an ETag avoids transfers of an unchanged answer. Example: `read("/api/network")`.
        @raises ReadError
        """
        return self.service.read(path, query)

    def task(self, task_id: str) -> types.TaskDetail:
        """Reads a task. @raises Refused when the caller may not see it"""
        return cast(types.TaskDetail, read_task(self.service, task_id))

    def tasks(self, **filters: Any) -> Iterator[types.Task]:
        """Yields all matching tasks, page by page. Example: `market.tasks(status="open", tags="haiku")`."""
        cursor = None
        while True:
            page = self.service.read("/api/tasks", {**filters, "cursor": cursor})
            yield from page["tasks"]
            cursor = page["nextCursor"]
            if not page["hasMore"]:
                return

    def submissions(self, task_id: str) -> list[types.Submission]:
        return cast(list[types.Submission], self.read(f"/api/tasks/{task_id}/submissions", limit=1000))

    def pitches(self, task_id: str) -> list[types.Pitch]:
        return cast(list[types.Pitch], self.read(f"/api/tasks/{task_id}/pitches", limit=1000))

    def bids(self, task_id: str) -> list[types.Bid]:
        return cast(list[types.Bid], self.read(f"/api/tasks/{task_id}/bids"))

    def action_queue(self, address: str | None = None) -> types.ActionQueue:
        """Returns what an account can or must do next; by default the wallet's own."""
        return cast(types.ActionQueue, self.read("/api/agents/action-queue", address=self._own(address)))

    def balance(self, address: str | None = None) -> int:
        """Returns the USDC of an account, base units; by default the wallet's own."""
        return int(self.read("/api/wallet/balance", address=self._own(address))["balanceBaseUnits"])

    def _own(self, address: str | None) -> str | None:
        return self.wallet.address if address is None and self.wallet is not None else address

    # Changes

    def events(
        self,
        *,
        pause_seconds: float = 1.0,
        on_restart: Callable[[int], None] | None = None,
        **filters: Unpack[EventFilters],
    ) -> Iterator[Event]:
        """Yields entries of the log of changes until the caller stops: after `after`, from `from_block` on, or new ones
        only. `on_restart(block)`: entries from this block on come again with other ids.

        Example: `for event in market.events(tags=["haiku"]): print(event["kind"])`.
        """
        return self._log(**filters).follow(pause_seconds, on_restart)

    def changes(
        self, *, pause_seconds: float = 1.0, **filters: Unpack[EventFilters]
    ) -> Iterator[Event | None]:
        """Yields when it is time to read again: at once (None), then with each new entry of the log."""
        log = self._log(**filters)
        log.begin()
        yield None
        yield from log.follow(pause_seconds, None)

    def _log(self, *, after: str | None = None, from_block: int | None = None, **filters: Any) -> EventLog:
        names = {"kinds": "kind", "task_id": "taskId", "address": "address", "tags": "tag"}
        query = {names[name]: value for name, value in filters.items()}
        return EventLog(self.service, query, after=after, from_block=from_block)

    def wait_for(
        self, task_id: str, statuses: Sequence[str] = FINAL, timeout_seconds: float = 600
    ) -> types.TaskDetail | None:
        """Waits until a task has one of the statuses; None at the timeout. The service holds each answer until the task
        changes.

        Example: `market.wait_for(task_id, ["completed"], timeout_seconds=60)`.
        """
        deadline = time.monotonic() + timeout_seconds
        while (left := deadline - time.monotonic()) > 0:
            task = self.task(task_id)
            if task["status"] in statuses:
                return task
            self._wait_for_change(task_id, min(left, 25))
        return None

    def _wait_for_change(self, task_id: str, seconds: float) -> None:
        tag = self.service.tag_of(f"/api/tasks/{task_id}")
        begun = time.monotonic()
        if tag is not None and seconds >= 1:
            query = {"wait": int(seconds), "after": tag}
            headers = self.service.identity()
            try:
                self.service.send("GET", f"/api/tasks/{task_id}", headers=headers, params=query)
            except httpx.HTTPError:
                pass
        # A service that does not hold its answers is polled once a second.
        if time.monotonic() - begun < 1:
            time.sleep(min(seconds, 1))
