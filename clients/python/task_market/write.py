"""Execution of one write: journal, limits, signature, request, and after a doubtful answer the outcome by the same key.
"""

import hashlib
import json
import re
import time
from collections.abc import Mapping
from typing import Any

import httpx

from .calls import CallContext, ContractCall, call_of
from .errors import OutcomeUnknown, ReadError, Refused
from .facts import choose, read_facts, with_hashes
from .journal import Entry, Journal, Limits
from .judge import Judgement, judge, judge_intent
from .outcome import Operation, Options, Outcome
from .payment import (
    BOUND_SECONDS,
    PLAIN_SECONDS,
    Authorization,
    Challenge,
    bound_nonce,
    payment_header,
    read_challenge,
    request_hash,
    same_challenge,
)
from .service import HEADER, Service
from .texts import call_tail, request_text, task_text

# Age after which an unsent document's time is chosen again, seconds; the service accepts 300.
MOST_AGE_SECONDS = 240
FIRST_PAUSE, MOST_PAUSE = 0.5, 4.0


class Write:
    """One write. Money moves at most once for a key: call, key and body determine the nonce of a payment, and USDC
    takes a nonce once. A lost answer is looked up and never leads to another key.
    """

    def __init__(
        self, service: Service, journal: Journal, limits: Limits, *, operation: Operation, legal_receipt: str | None
    ):
        if service.wallet is None:
            raise Refused("no_wallet", "A write needs a wallet.")
        self.service, self.journal, self.limits = service, journal, limits
        self.operation, self.wallet, self.deployment = operation, service.wallet, service.deployment
        self.legal = {} if legal_receipt is None else {f"{HEADER}Legal-Receipt": legal_receipt}

    def run(self, given: Mapping[str, Any], options: Options) -> Outcome[Any]:
        """Makes the write. @raises Refused, LimitExceeded, OutcomeUnknown, ReadError (of a fact: nothing was sent)"""
        self.given = _lower_ids(given)
        self.path = re.sub(r"\{(\w+)\}", lambda match: _id(self.given, match[1]), self.operation.path)
        content = json.dumps([self.operation.name, self.path, self.given], sort_keys=True)
        now = int(time.time())
        self.entry: Entry = self.journal.begin(
            self.operation.name,
            self.path,
            hashlib.sha256(content.encode()).hexdigest(),
            key=options.key,
            again=options.again,
            now=now,
        )
        self.body: bytes | None = None
        try:
            return self._settle(options.wait_seconds)
        except (Refused, OutcomeUnknown, ReadError) as error:
            if isinstance(error, Refused):
                error.key = self.entry["key"]
            raise

    def _settle(self, wait_seconds: float) -> Outcome[Any]:
        deadline, pause = time.monotonic() + wait_seconds, FIRST_PAUSE
        judgement = self._look() if self.entry["state"] in ("sent", "completed") else self._attempt()
        while True:
            match judgement.kind:
                case "done":
                    return self._complete(judgement)
                case "refused" | "failed":
                    state = "refused" if judgement.kind == "refused" else "failed"
                    self.journal.change(self.entry["key"], state=state, updatedAt=int(time.time()))
                    raise judgement.refusal or Refused("unknown", judgement.message)
            if time.monotonic() > deadline:
                raise OutcomeUnknown(self.entry["key"], judgement.message)
            # An absent write is sent again: the service acts on a key once.
            if judgement.kind == "open":
                time.sleep(pause)
                pause = min(pause * 1.5, MOST_PAUSE)
                judgement = self._look()
            else:
                judgement = self._attempt()
                if judgement.kind == "absent":
                    time.sleep(pause)

    def _complete(self, judgement: Judgement) -> Outcome[Any]:
        answer, payment = judgement.answer, self.entry["payment"]
        tx_hash = judgement.tx_hash or (answer or {}).get("txHash")
        task_id = (answer or {}).get("taskId")
        self.journal.change(self.entry["key"], state="completed", txHash=tx_hash, updatedAt=int(time.time()))
        paid = int(payment["value"]) if payment else 0
        return Outcome(self.entry["key"], answer, tx_hash, task_id, paid)

    def _attempt(self) -> Judgement:
        """Sends the write once: both rounds for a paid write."""
        if self.body is None:
            self._prepare()
        if "paid" not in self.operation.modes or "signed" in self.operation.modes:
            self.entry = self.journal.change(self.entry["key"], state="sent")
        response = self._post(self.service.identity())
        if response is None:
            return Judgement("open", "The service did not answer.")
        judgement = judge(response, is_paid=False)
        if judgement.kind != "challenge":
            return judgement
        challenge = read_challenge(response.headers.get("PAYMENT-REQUIRED"), self.deployment)
        payment = self._post({"PAYMENT-SIGNATURE": self._pay(challenge)})
        return Judgement("open", "The service did not answer.") if payment is None else judge(payment, is_paid=True)

    def _post(self, headers: Mapping[str, str]) -> httpx.Response | None:
        key = {f"{HEADER}Idempotency-Key": self.entry["key"]}
        kind = {} if self.operation.bodyless else {"Content-Type": "application/json"}
        try:
            given = {**key, **kind, **self.legal, **headers}
            return self.service.send("POST", self.path, headers=given, content=self.body)
        except httpx.HTTPError:
            return None

    def _look(self) -> Judgement:
        """Reads the record of the key as its signer, then as its payer when a payment was signed."""
        query = {"idempotencyKey": self.entry["key"]}
        proofs = [self.service.identity()]
        if (payment := self.entry["payment"]) is not None:
            given = self._authorization(payment)
            challenge = same_challenge(self.deployment, given.value)
            proofs.insert(0, {"PAYMENT-SIGNATURE": payment_header(self.wallet, self.deployment, challenge, given)})
        judgement = Judgement("open", "The service did not answer.")
        for headers in proofs:
            try:
                judgement = judge_intent(self.service.send("GET", "/api/intents", headers=headers, params=query))
            except httpx.HTTPError:
                return Judgement("open", "The service did not answer.")
            if judgement.kind != "absent":
                return judgement
        return judgement

    def _prepare(self) -> None:
        """Builds the body, which every request of the write repeats, and its call."""
        now = self.service.now()
        chosen = choose(self.service, self.operation, self.given)
        chosen_at = self.entry["choices"].get("at", str(now))
        is_over = now - int(chosen_at) > MOST_AGE_SECONDS
        self.entry = self.journal.choose(self.entry["key"], {**chosen, "at": str(now)}, is_over=is_over)
        choices = {name: value for name, value in self.entry["choices"].items() if name != "at"}
        address, operation = self.wallet.address, self.operation
        actor = {} if operation.actor_field is None else {operation.actor_field: address}
        request = {**self.given, **choices, **actor}
        facts = read_facts(self.service, operation, request, address)
        context = CallContext(self.deployment, address, facts)
        self.call: ContractCall = call_of(operation.name, with_hashes(request), context)
        if actor:
            request["signature"] = self._signature(facts)
        if operation.bodyless:
            self.body = b""
        else:
            fields = {name: value for name, value in request.items() if f"{{{name}}}" not in operation.path}
            self.body = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()

    def _signature(self, facts: Mapping[str, Any]) -> str:
        if self.operation.verb is None:
            return "by payment"
        claim_round = facts.get("claimRound", 0) if self.operation.names_round else 0
        text = task_text(self.operation.verb, self.given["taskId"], claim_round)
        tail = call_tail(self.deployment.place, self.call.data) if self.deployment.bound else ""
        return self.wallet.sign_text(text + tail)

    def _pay(self, challenge: Challenge) -> str:
        """Records the payment, then signs it."""
        most = self.operation.fee + self.call.escrow
        if challenge.amount > most:
            message = f"The service asks for {challenge.amount} base units; the write costs {most}. Nothing was signed."
            raise Refused("wrong_price", message)
        key, place = self.entry["key"], self.deployment.place
        salt = request_hash(request_text(place, "POST", self.path, key, self.body or b""))
        now = self.service.now()
        amounts = {"value": str(challenge.amount), "escrow": str(self.call.escrow)}
        payment: dict[str, Any] = {"nonce": salt, **amounts, "validBefore": now + PLAIN_SECONDS}
        if self.deployment.bound:
            nonce = bound_nonce(self.call, place, salt)
            payment |= {"nonce": nonce, "salt": salt, "validBefore": now + BOUND_SECONDS}
        passed = min(now, int(time.time()))
        self.entry = self.journal.note_payment(key, payment, self.limits, now=int(time.time()), passed=passed)
        return payment_header(self.wallet, self.deployment, challenge, self._authorization(payment))

    def _authorization(self, payment: Mapping[str, Any]) -> Authorization:
        return Authorization(
            sender=self.wallet.address,
            to=self.deployment.forwarder,
            value=int(payment["value"]),
            valid_before=payment["validBefore"],
            nonce=payment["nonce"],
            salt=payment.get("salt"),
        )


def _lower_ids(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.lower() if name == "taskId" else value for name, value in given.items() if value is not None}


def _id(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not re.fullmatch(r"0x[0-9a-f]{64}", value):
        raise Refused("invalid_input", f"The write needs `{name}`: 0x and 64 hex digits.")
    return value
