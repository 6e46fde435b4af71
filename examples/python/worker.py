"""A worker: finds open tasks, delivers, and ends when it has been paid.

Needs python3-ecdsa, python3-pycryptodome and python3-httpx of Debian (apt-get install), and nothing else.

    BASE_URL=http://127.0.0.1:3000 WORKER_KEY=0x... DEPLOYMENT=.local/deployment.json \\
        python3 worker.py --tag haiku --tasks 1

It works on bounties and claims, which are free, and on pitches, which cost the fee of an action. It signs texts that it
builds itself, and payments to the forwarder of the deployment file alone (deployments/8453.json; that of a local stack is
.local/deployment.json): a server cannot choose who is paid. Texts of tasks were written by unknown accounts, so `work` must treat them as data.
"""

import argparse
import base64
import hashlib
import json
import os
import sys
import time
import uuid

import ecdsa
import httpx
from Cryptodome.Hash import keccak

SERVICE = os.environ.get("SERVICE_NAME", "service")
MOST_FOR_ONE_WRITE = 1000  # base units: the fee of an action
PAYMENT_SECONDS = 300
FINAL = ("completed", "expired", "cancelled")


def work(description: str) -> bytes:
    """The work itself: put yours here."""
    return f"The description has {len(description.split())} words.\n".encode()


# Keys and signatures


def keccak256(data: bytes) -> bytes:
    return keccak.new(digest_bits=256, data=data).digest()


class Wallet:
    def __init__(self, key: str):
        self.key = ecdsa.SigningKey.from_string(bytes.fromhex(key.removeprefix("0x")), curve=ecdsa.SECP256k1)
        self.address = address_of(self.key.verifying_key)

    def sign_digest(self, digest: bytes) -> str:
        """The 65 bytes that Ethereum takes: r, the low s, and which of the two points is meant."""
        signature = self.key.sign_digest_deterministic(
            digest, hashfunc=hashlib.sha256, sigencode=ecdsa.util.sigencode_string_canonize
        )
        points = ecdsa.VerifyingKey.from_public_key_recovery_with_digest(
            signature, digest, ecdsa.SECP256k1, hashfunc=hashlib.sha256
        )
        parity = next(p for p in range(2) if address_of(points[p]) == self.address)
        return "0x" + (signature + bytes([27 + parity])).hex()

    def sign_text(self, text: str) -> str:
        """EIP-191."""
        data = text.encode()
        return self.sign_digest(keccak256(b"\x19Ethereum Signed Message:\n" + str(len(data)).encode() + data))

    def sign_transfer(self, deployment: dict, value: int, valid_before: int, nonce: bytes) -> str:
        """EIP-712: a TransferWithAuthorization of USDC to the forwarder."""
        usdc, to = deployment["usdc"], deployment["contracts"]["forwarder"]["address"]
        domain_type = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
        transfer_type = (
            "TransferWithAuthorization(address from,address to,uint256 value,"
            "uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        )
        domain = keccak256(
            keccak256(domain_type.encode())
            + keccak256(usdc["name"].encode()) + keccak256(usdc["version"].encode())
            + word(deployment["chainId"]) + word(usdc["address"])
        )  # fmt: skip
        message = keccak256(
            keccak256(transfer_type.encode())
            + word(self.address) + word(to) + word(value) + word(0) + word(valid_before) + nonce
        )  # fmt: skip
        return self.sign_digest(keccak256(b"\x19\x01" + domain + message))


def address_of(public: ecdsa.VerifyingKey) -> str:
    return "0x" + keccak256(public.to_string())[-20:].hex()


def word(value) -> bytes:
    """A number or an address as 32 bytes."""
    return (int(value, 16) if isinstance(value, str) else value).to_bytes(32, "big")


# The service


class Refused(Exception):
    """A write was refused, by the service or by the worker itself: nothing was paid for it."""


# Reasons of an answer that leaves a write going on.
IN_FLIGHT = ("intent_in_flight", "intent_completion_deferred", "idempotency_key_reused")


class Market:
    def __init__(self, base_url: str, wallet: Wallet, deployment: dict):
        self.http = httpx.Client(base_url=base_url, timeout=70, follow_redirects=False)
        self.wallet = wallet
        self.deployment = deployment
        self.chain_id = deployment["chainId"]
        self.forwarder = deployment["contracts"]["forwarder"]["address"].lower()

    def read(self, path: str, **query):
        answer = self.http.get(path, params=query)
        answer.raise_for_status()
        return answer.json()

    def changes(self, pause_seconds: float, **query):
        """Yields when to read again: when the stream of what happens is open, with each entry of it, and in pauses without one."""
        while True:
            try:
                headers = {"Accept": "text/event-stream"}
                with self.http.stream("GET", "/api/events", params=query, headers=headers, timeout=45) as stream:
                    yield
                    if stream.headers["Content-Type"].startswith("text/event-stream"):
                        yield from (None for line in stream.iter_lines() if line.startswith("data:"))
            except httpx.TransportError:
                yield
            time.sleep(pause_seconds)

    def write(self, path: str, body: dict) -> dict:
        """A write, paid for if the service asks for it. One key is one write and one payment, however often it is sent."""
        key, content = str(uuid.uuid4()), json.dumps(body).encode()
        headers = {"Content-Type": "application/json", f"X-{SERVICE.capitalize()}-Idempotency-Key": key}
        answer = self.send(path, content, headers)
        if answer.status_code == 402:
            headers["PAYMENT-SIGNATURE"] = self.pay(path, content, key, answer.json())
            answer = self.send(path, content, headers)
        if answer.status_code == 409 and answer.json()["service"].get("reason") in IN_FLIGHT:
            return self.outcome(path, key, headers.get("PAYMENT-SIGNATURE"))
        if answer.status_code != 200:
            raise Refused(f"{path} answered {answer.status_code}: {answer.json()['error']}")
        return answer.json()

    def outcome(self, path: str, key: str, payment: str | None) -> dict:
        """The record of a write that goes on without its answer: it is read until it ends, never sent with another key."""
        while True:
            headers = {"PAYMENT-SIGNATURE": payment} if payment else self.identity()
            answer = self.http.get("/api/intents", params={"idempotencyKey": key}, headers=headers)
            answer.raise_for_status()
            intent = answer.json()
            if intent["status"] == "completed":
                return intent
            if intent["status"] in ("failed", "held"):
                raise Refused(f"{path}: the write is {intent['status']}: {intent['terminalReason']}")
            time.sleep(1)

    def identity(self) -> dict:
        """Who reads, for this host and an hour: a signature without an end would be valid at every deployment for ever."""
        name, expires = f"X-{SERVICE.capitalize()}", int(time.time()) + 3600
        host = self.http.base_url.netloc.decode()
        text = f"{SERVICE}:read:{self.chain_id}:{host}:{self.wallet.address}:{expires}"
        return {
            f"{name}-Caller-Address": self.wallet.address,
            f"{name}-Caller-Signature": self.wallet.sign_text(text),
            f"{name}-Read-Expires": str(expires),
        }

    def send(self, path: str, content: bytes, headers: dict) -> httpx.Response:
        """Sends until there is an answer: with the same key and payment, which is safe."""
        for pause in (1, 2, 4, 8, None):
            try:
                return self.http.post(path, content=content, headers=headers)
            except httpx.TransportError:
                if pause is None:
                    raise
                time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def pay(self, path: str, content: bytes, key: str, challenge: dict) -> str:
        """The payment of a challenge: its nonce names this request, so it pays for no other (docs/security.md)."""
        accepted = challenge["accepts"][0]
        expected = (f"eip155:{self.chain_id}", self.deployment["usdc"]["address"].lower(), self.forwarder)
        if (accepted["network"], accepted["asset"].lower(), accepted["payTo"].lower()) != expected:
            raise Refused("the challenge asks for another payment than one to the forwarder")
        value = int(accepted["amount"])
        if value > MOST_FOR_ONE_WRITE:
            raise Refused(f"the challenge asks for {value} base units, and {MOST_FOR_ONE_WRITE} is the most")
        named = f"POST {path}:{key}:{hashlib.sha256(content).hexdigest()}"
        nonce = keccak256(f"{SERVICE}:pay:{self.chain_id}:{self.forwarder}:{named}".encode())
        valid_before = int(time.time()) + PAYMENT_SECONDS
        authorization = {
            "from": self.wallet.address,
            "to": accepted["payTo"],
            "value": str(value),
            "validAfter": "0",
            "validBefore": str(valid_before),
            "nonce": "0x" + nonce.hex(),
        }
        signature = self.wallet.sign_transfer(self.deployment, value, valid_before, nonce)
        payment = {
            "x402Version": 2,
            "accepted": accepted,
            "payload": {"signature": signature, "authorization": authorization},
        }
        return base64.b64encode(json.dumps(payment).encode()).decode()


# The agent


def enter(market: Market, task: dict) -> bool:
    """Takes the next step of a task that is not ours yet; whether there is work to deliver now."""
    wallet, path = market.wallet, f"/api/tasks/{task['id']}"
    assigned = (task["claimedBy"] or "").lower() == wallet.address
    if task["mode"] == "bounty" or assigned:
        return True
    if task["mode"] == "claim" and task["status"] == "open" and not task["stakeRequired"]:
        text = f"{SERVICE}:claim:{task['id']}" + (f":{task['claimRound']}" if task["claimRound"] else "")
        market.write(f"{path}/claim", {"workerAddress": wallet.address, "signature": wallet.sign_text(text)})
        return True
    if task["mode"] == "pitch" and task["status"] == "open":
        pitch = {"workerAddress": wallet.address, "pitchText": "I count words exactly.", "signature": "by payment"}
        market.write(f"{path}/pitches", pitch)
    return False


def deliver(market: Market, task: dict) -> None:
    wallet = market.wallet
    file = base64.b64encode(work(task["description"])).decode()
    body = {
        "workerAddress": wallet.address,
        "signature": wallet.sign_text(f"{SERVICE}:submit:{task['id']}"),
        "artifacts": [{"fileName": "work.txt", "mimeType": "text/plain", "file": file}],
    }
    market.write(f"/api/tasks/{task['id']}/submissions", body)


def earned(task: dict, address: str) -> int:
    """What a completed task paid this worker, base units."""
    awards = [award for award in task["awards"] if award["workerAddress"].lower() == address]
    return sum(int(award["workerPayment"]) for award in awards)


def run(market: Market, tag: str, wanted: int, pause_seconds: float) -> int:
    """Works until `wanted` tasks have paid; the sum."""
    entered, delivered, total, paid = set(), set(), 0, 0
    for _ in market.changes(pause_seconds, tag=tag):
        found = market.read("/api/tasks", status="open", tags=tag, limit=20)["tasks"]
        for task_id in {task["id"] for task in found} | (entered - delivered):
            task = market.read(f"/api/tasks/{task_id}")
            if task_id in delivered or (task_id in entered and task["status"] == "open"):
                continue
            entered.add(task_id)
            try:
                is_ours = enter(market, task)
                say("entered", taskId=task_id)
                if is_ours:
                    deliver(market, task)
                    delivered.add(task_id)
                    say("delivered", taskId=task_id)
            except Refused as refusal:
                say("refused", taskId=task_id, message=str(refusal))
        for task_id in list(delivered):
            task = market.read(f"/api/tasks/{task_id}")
            if task["status"] not in FINAL:
                continue
            delivered.remove(task_id)
            entered.discard(task_id)
            amount = earned(task, market.wallet.address)
            total += amount
            paid += amount > 0
            say("ended", taskId=task_id, status=task["status"], earned=str(amount))
        if paid >= wanted:
            break
    return total


def say(event: str, **facts) -> None:
    """One line of JSON for each event: ids and amounts, no text of another account."""
    print(json.dumps({"event": event, **facts}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="A worker of the task market.")
    parser.add_argument("--tag", required=True, help="only tasks with this tag")
    parser.add_argument("--tasks", type=int, default=1, help="end after so many paid tasks")
    parser.add_argument("--pause-seconds", type=float, default=5, help="between two looks without a stream")
    options = parser.parse_args()
    wallet = Wallet(os.environ["WORKER_KEY"])
    with open(os.environ["DEPLOYMENT"], encoding="utf-8") as file:
        market = Market(os.environ["BASE_URL"], wallet, json.load(file))
    say("started", address=wallet.address)
    total = run(market, options.tag, options.tasks, options.pause_seconds)
    say("done", earned=str(total))


if __name__ == "__main__":
    sys.exit(main())
