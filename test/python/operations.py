"""Makes writes that the examples do not make, on a real stack; one line of JSON at the end says what came of them.

BASE_URL, DEPLOYMENT, REQUESTER_KEY, WORKER_KEY, EVALUATOR.
"""

import json
import os
from typing import Any

from task_market import Market, Refused, Wallet

URL, DEPLOYMENT = os.environ["BASE_URL"], os.environ["DEPLOYMENT"]
requester = Market(URL, DEPLOYMENT, Wallet(os.environ["REQUESTER_KEY"]))
worker = Market(URL, DEPLOYMENT, Wallet(os.environ["WORKER_KEY"]))
WORKER = worker.wallet.address if worker.wallet is not None else ""


def create(**fields: Any) -> str:
    given: dict[str, Any] = {"description": "Count", "tags": ["py"], "reward": "2000000", "duration": 24, **fields}
    return requester.create_task(**given).task_id or ""


def updated() -> dict[str, Any]:
    """More reward, another text: the payment carries the difference."""
    task_id = create()
    outcome = requester.update_task(task_id, reward="2500000", description="Count again")
    task = requester.task(task_id)
    requester.cancel_task(task_id)
    return {"paid": outcome.paid, "reward": task["reward"], "text": task["description"], "end": status(task_id)}


def split() -> list[str]:
    """One worker gets all of a split; its earlier delivery is pinned."""
    task_id = create()
    first = worker.submit(task_id, {"one.txt": ("text/plain", b"1")}).answer
    worker.submit(task_id, {"two.txt": ("text/plain", b"2")})
    pinned: Any = {"worker": WORKER, "share": 10_000, "submissionId": first["submissionId"] if first else ""}
    requester.accept_submissions(task_id, winners=[pinned])
    return [award["grossAmount"] for award in requester.task(task_id)["awards"]]


def rejected() -> bool:
    task_id = create()
    worker.submit(task_id, {"one.txt": ("text/plain", b"1")})
    requester.reject_submission(task_id, worker=WORKER)
    return requester.submissions(task_id)[0]["rejectedAt"] is not None


def bid() -> str | None:
    terms = {"mode": "auction", "auctionType": "english", "maxPrice": "2000000", "bidDeadline": 12}
    task_id = create(**terms)
    worker.create_bid(task_id, price="1500000")
    return requester.task(task_id)["currentLowestBid"]


def judged() -> str | None:
    task_id = create()
    requester.assign_evaluator(task_id, evaluator=os.environ["EVALUATOR"], evaluatorFeeBps=500, appealWindowHours=0.5)
    return requester.task(task_id)["evaluator"]


def refused() -> str | None:
    """By the service: a task of another requester."""
    try:
        worker.cancel_task(create())
    except Refused as refusal:
        return refusal.detail
    return None


def registered() -> bool:
    answer = worker.register_identity().answer
    return answer is not None and answer["agentId"].isdecimal()


def status(task_id: str) -> str:
    return requester.task(task_id)["status"]


print(
    json.dumps(
        {
            "updated": updated(),
            "split": split(),
            "rejected": rejected(),
            "bid": bid(),
            "judged": judged(),
            "refused": refused(),
            "agent": registered(),
        }
    )
)
