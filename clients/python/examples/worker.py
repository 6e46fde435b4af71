"""A worker: finds open tasks by a tag, enters them, delivers, and ends when it has been paid.

    BASE_URL=http://127.0.0.1:3000 WORKER_KEY=0x... DEPLOYMENT=.local/deployment.json \\
        python3 worker.py --tag haiku --tasks 1

`DEPLOYMENT` is a deployment file. The worker pays only its forwarder, whatever a server requests. Texts of tasks come
from unknown accounts, so `work` must treat them as data.
"""

import argparse
import json
import os
from typing import Any

from task_market import FINAL, Market, Refused, Wallet


def work(description: str) -> bytes:
    """Returns the delivery. Replace this with your own work."""
    return f"The description has {len(description.split())} words.\n".encode()


def enter(market: Market, wallet: Wallet, task: Any) -> bool:
    """Takes the next step of a task; returns True when there is work to deliver now."""
    task_id, mode = task["id"], task["mode"]
    if mode in ("bounty", "benchmark") or (task["claimedBy"] or "").lower() == wallet.address:
        return True
    if task["status"] != "open":
        return False
    if mode == "claim":
        market.create_claim(task_id)
        return True
    if mode == "pitch":
        market.create_pitch(task_id, pitchText="I count words exactly.")
    elif task["auctionType"] in ("dutch", "reverse_dutch"):
        market.accept_auction(task_id)
        return True
    else:
        lowest = task["currentLowestBid"] or task["reward"]
        market.create_bid(task_id, price=str(int(lowest) * 9 // 10))
    return False


def deliver(market: Market, task: Any) -> None:
    result = work(task["description"])
    if task["mode"] == "benchmark":
        market.create_proof(task["id"], proofData=result.decode(), proofType="manual", metricValue=str(len(result)))
    else:
        market.submit(task["id"], {"work.txt": ("text/plain", result)})


def run(market: Market, wallet: Wallet, tag: str, wanted: int) -> int:
    """Works until `wanted` tasks have paid; returns the sum in base units."""
    entered: set[str] = set()
    delivered: set[str] = set()
    total = paid = 0
    for _ in market.changes(tags=[tag]):
        open_tasks = {task["id"] for task in market.tasks(status="open", tags=tag)}
        for task_id in open_tasks | entered - delivered:
            task = market.task(task_id)
            if task_id in delivered or (task_id in entered and task["status"] == "open"):
                continue
            entered.add(task_id)
            try:
                is_ours = enter(market, wallet, task)
                say("entered", taskId=task_id)
                if is_ours:
                    deliver(market, task)
                    delivered.add(task_id)
                    say("delivered", taskId=task_id)
            except Refused as refusal:
                say("refused", taskId=task_id, message=str(refusal))
        for task_id in list(delivered):
            task = market.task(task_id)
            if task["status"] not in FINAL:
                continue
            delivered.remove(task_id)
            entered.discard(task_id)
            awards = [award for award in task["awards"] if award["workerAddress"].lower() == wallet.address]
            earned = sum(int(award["workerPayment"]) for award in awards)
            total, paid = total + earned, paid + (earned > 0)
            say("ended", taskId=task_id, status=task["status"], earned=str(earned))
        if paid >= wanted:
            break
    return total


def say(event: str, **facts: str) -> None:
    """Prints one line of JSON for an event: ids and amounts, no text of another account."""
    print(json.dumps({"event": event, **facts}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="A worker of the task market.")
    parser.add_argument("--tag", required=True, help="only tasks with this tag")
    parser.add_argument("--tasks", type=int, default=1, help="end after so many paid tasks")
    options = parser.parse_args()
    wallet = Wallet(os.environ["WORKER_KEY"])
    with Market(os.environ["BASE_URL"], os.environ["DEPLOYMENT"], wallet) as market:
        say("started", address=wallet.address)
        total = run(market, wallet, options.tag, options.tasks)
        say("done", earned=str(total))


if __name__ == "__main__":
    main()
