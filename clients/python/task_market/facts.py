"""Facts that calls contain besides their request, as the service reports them."""

import base64
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from .amounts import clock_price, part_of
from .calls import TEXTS
from .documents import describe_file
from .errors import Refused
from .outcome import Operation
from .payment import PLAIN_SECONDS
from .service import Service


def read_facts(service: Service, operation: Operation, request: Mapping[str, Any], actor: str) -> dict[str, Any]:
    """Reads the facts that an operation's call contains. @raises ReadError, Refused"""
    names = set(operation.facts)
    facts: dict[str, Any] = {}
    if names & {"reward", "requester", "stake", "claimRound", "termsHash", "texts"}:
        task = read_task(service, request["taskId"])
        facts["reward"] = int(task["reward"])
        facts["requester"] = task["requester"].lower()
        facts["stake"] = part_of(facts["reward"], task["stakeBps"])
        facts["claimRound"] = task["claimRound"]
        facts["termsHash"] = task["termsHash"]
        facts["texts"] = {name: task[name] for name in TEXTS}
    if "deliverables" in names:
        rows = service.read(f"/api/tasks/{request['taskId']}/submissions", {"limit": 1000})
        winners = request.get("winners", [request])
        facts["deliverables"] = [_deliverable(rows, winner) for winner in winners]
    if "raterAgentId" in names:
        facts["raterAgentId"] = _agent_id(service, actor)
        facts["workerAgentId"] = _agent_id(service, request["worker"])
        facts["feedbackBase"] = service.read("/api/network")["feedbackBase"]
    return facts


def read_task(service: Service, task_id: str) -> dict[str, Any]:
    task: dict[str, Any] | None = service.read(f"/api/tasks/{task_id}")
    if task is None:
        raise Refused("task_unreadable", f"The service shows no task {task_id}. Nothing was signed.")
    return task


def choose(service: Service, operation: Operation, request: Mapping[str, Any]) -> dict[str, str]:
    """Chooses the values that a request leaves to its sender: salt and time of a document, minimum price of a clock
    auction.
    """
    chosen: dict[str, str] = {}
    now = service.now()
    if "documentSalt" in operation.choices and "documentSalt" not in request:
        chosen["documentSalt"] = "0x" + secrets.token_hex(32)
    if "createdAt" in operation.choices and "createdAt" not in request:
        chosen["createdAt"] = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    if operation.name == "bids.accept" and "minPrice" not in request:
        task = read_task(service, request["taskId"])
        is_dutch = task["auctionType"] == "dutch"
        other = task["auctionFloorPrice"] if is_dutch else task["auctionStartPrice"]
        if other is None or task["bidDeadline"] is None:
            raise Refused("wrong_state", "The task is no auction by the clock. Nothing was signed.")
        begin, end = (int(datetime.fromisoformat(task[name]).timestamp()) for name in ("createdAt", "bidDeadline"))
        # The lowest price that the clock reaches while the payment is valid.
        at = now + PLAIN_SECONDS if is_dutch else now
        chosen["minPrice"] = str(clock_price(is_dutch, int(task["reward"]), int(other), begin, end, at))
    return chosen


def with_hashes(request: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the request with size and hashes of its inline files, which its call contains."""
    if not any("file" in artifact for artifact in request.get("artifacts", [])):
        return dict(request)
    files = [
        describe_file(one["fileName"], one["mimeType"], base64.b64decode(one["file"]), one.get("role", "final"))
        for one in request["artifacts"]
    ]
    return {**request, "artifacts": files}


def _deliverable(rows: list[dict[str, Any]], winner: Mapping[str, Any]) -> str:
    """Returns the hash of the named submission, else of the worker's newest."""
    own = [row for row in rows if row["workerAddress"].lower() == winner["worker"].lower()]
    if named := winner.get("submissionId"):
        own = [row for row in own if row["id"] == named.lower()]
    if not own or own[-1]["deliverableHash"] is None:
        raise Refused("call_unknown", f"The service shows no submission of {winner['worker']} that could be paid for.")
    return str(own[-1]["deliverableHash"])


def _agent_id(service: Service, address: str) -> int | None:
    agent = service.read("/api/identity/status", {"address": address.lower()})["agentId"]
    return None if agent is None else int(agent)
