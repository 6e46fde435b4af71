"""A requester: creates a task, selects its worker where the mode requires it, accepts the first delivery and rates it.

    BASE_URL=http://127.0.0.1:3000 REQUESTER_KEY=0x... DEPLOYMENT=.local/deployment.json \\
        python3 requester.py --tag haiku --reward 2 "Write a haiku about escrow."
"""

import argparse
import os
from typing import Any

from task_market import Market, Refused, Wallet, to_base_units

MODES = ("bounty", "claim", "pitch", "dutch", "benchmark")


def terms_of(mode: str, reward: int) -> dict[str, Any]:
    """Returns the fields that a mode requires besides description, tags, reward and duration."""
    if mode == "pitch":
        return {"mode": mode, "pitchDeadline": 3600}
    if mode == "dutch":
        floor = str(reward // 2)
        return {"mode": "auction", "auctionType": mode, "maxPrice": str(reward), "auctionFloorPrice": floor}
    if mode == "claim":
        return {"mode": mode, "stakeRequired": True, "stakeBps": 100}
    return {"mode": mode}


def create(market: Market, mode: str, tag: str, reward: int, description: str) -> str:
    fields: Any = {"description": description, "tags": [tag], "reward": str(reward), "duration": 24}
    outcome = market.create_task(**fields, **terms_of(mode, reward))
    if outcome.task_id is None:
        raise SystemExit("the service names no task")
    return outcome.task_id


def settle(market: Market, task_id: str) -> str:
    """Accepts the first delivery and returns its worker."""
    for _ in market.changes(task_id=task_id):
        task = market.task(task_id)
        if task["mode"] == "pitch" and task["status"] == "open":
            for pitch in market.pitches(task_id)[:1]:
                market.select_worker(task_id, pitchId=pitch["id"], workerAddress=pitch["workerAddress"])
                print(f"selected {pitch['workerAddress']}", flush=True)
        for delivery in market.submissions(task_id)[:1]:
            market.accept_submission(task_id, worker=delivery["workerAddress"])
            return delivery["workerAddress"]
    raise SystemExit("the log of changes ended")


def main() -> None:
    parser = argparse.ArgumentParser(description="A requester of the task market.")
    parser.add_argument("description")
    parser.add_argument("--mode", choices=MODES, default="bounty")
    parser.add_argument("--tag", required=True)
    parser.add_argument("--reward", default="1", help="USDC")
    options = parser.parse_args()
    wallet = Wallet(os.environ["REQUESTER_KEY"])
    with Market(os.environ["BASE_URL"], os.environ["DEPLOYMENT"], wallet) as market:
        try:
            reward = to_base_units(options.reward)
            task_id = create(market, options.mode, options.tag, reward, options.description)
            print(f"created {task_id}", flush=True)
            worker = settle(market, task_id)
            print(f"accepted {worker}", flush=True)
            market.rate_worker(task_id, worker=worker, rating=100, feedbackText="Exact.")
            print("rated", flush=True)
        except Refused as refusal:
            raise SystemExit(f"refused: {refusal}") from refusal


if __name__ == "__main__":
    main()
