"""Interpretation of an answer to a write, by its reason and not by its message."""

from dataclasses import dataclass
from typing import Any, Literal

import httpx

from .errors import Refused
from .service import json_of


@dataclass(frozen=True)
class Judgement:
    """Meaning of an answer. `challenge`: a payment is required. `done`: the write is complete. `refused`: the request
    had no effect. `failed`: the write ended without an effect. `open`: the outcome is unknown. `absent`: the service
    has no such write.
    """

    kind: Literal["challenge", "done", "refused", "failed", "open", "absent"]
    message: str = ""
    answer: dict[str, Any] | None = None
    tx_hash: str | None = None
    refusal: Refused | None = None


HARMLESS = ("payment_payer_mismatch", "idempotency_key_required", "idempotency_key_conflict")
STANDING = (
    "intent_in_flight",
    "intent_completion_deferred",
    "idempotency_key_reused",
    "idempotency_key_payload_mismatch",
)


def judge(response: httpx.Response, is_paid: bool) -> Judgement:
    status, body = response.status_code, json_of(response)
    if status == 402 and not is_paid:
        return Judgement("challenge")
    if 200 <= status < 300:
        # A proxy may have answered in place of the service.
        return Judgement("done", answer=body) if isinstance(body, dict) else Judgement("open", "The answer is no JSON.")
    error = body if isinstance(body, dict) else {}
    service = error.get("service")
    facts = service if isinstance(service, dict) else {}
    reason, message = facts.get("reason"), str(error.get("error", f"The answer is {status} without an error."))
    refusal = Refused(str(reason), message, detail=facts.get("detail"), status=status)
    refused = Judgement("refused", message, refusal=refusal)
    if not isinstance(reason, str):
        return Judgement("open", message)
    if reason in HARMLESS:
        return refused
    if reason in STANDING or (reason == "payment_preflight_rejected" and facts.get("intentStatus") == "failed"):
        return judge_status(facts.get("intentStatus"), facts.get("txHash"), message)
    if reason == "payment_preflight_rejected":
        return refused
    if reason in ("payment_rejected", "unclassified") and status < 500 and status != 408:
        return refused
    return Judgement("open", message)


def judge_status(status: Any, tx_hash: Any, message: str, answer: dict[str, Any] | None = None) -> Judgement:
    """Interprets the status of an intent; `reserved` binds nothing yet."""
    if status == "completed":
        return Judgement("done", answer=answer, tx_hash=tx_hash)
    if status == "failed":
        return Judgement("failed", message, refusal=Refused("write_failed", message))
    return Judgement("absent" if status == "reserved" else "open", message)


def judge_intent(response: httpx.Response) -> Judgement:
    """Interprets the answer of `GET /api/intents`."""
    body = json_of(response)
    facts = body if isinstance(body, dict) else {}
    if response.status_code == 404 and (facts.get("service") or {}).get("reason") == "intent_not_found":
        return Judgement("absent", "The service shows no write of this key.")
    if response.status_code != 200 or not facts:
        return Judgement("open", f"The record of the write cannot be read ({response.status_code}).")
    status, reason = facts.get("status"), facts.get("terminalReason")
    message = f"The write is {status}." + (f" {reason}." if reason else "")
    answer = {"taskId": facts["taskId"]} if facts.get("taskId") else None
    return judge_status(status, facts.get("txHash"), message, answer)
