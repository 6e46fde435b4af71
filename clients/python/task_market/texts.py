"""Texts that wallets sign (EIP-191). Each begins with the name of the service and its purpose."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from .keys import from_hex, keccak256, to_hex

SERVICE = "service"


@dataclass(frozen=True)
class Place:
    """The forwarder of a deployment, part of everything that is bound to a call."""

    chain_id: int
    forwarder: str

    def __str__(self) -> str:
        return f"{self.chain_id}:{self.forwarder.lower()}"


def task_text(verb: str, task_id: str, claim_round: int = 0) -> str:
    """Builds the text of a task action. `verb`: claim, submit or forfeit. Example: `service:claim:0x9f..:2`; a first
    round has no number.
    """
    return f"{SERVICE}:{verb}:{task_id.lower()}" + (f":{claim_round}" if claim_round else "")


def call_tail(place: Place, data: str) -> str:
    """Builds the end of a text that allows one call only. Example: `:call:8453:0x3063..:0x5d1c..`."""
    return f":call:{place}:{to_hex(keccak256(from_hex(data)))}"


def keys_text(task_id: str, artifact_keys: Sequence[str]) -> str:
    return f"{task_text('submit', task_id)}:{','.join(artifact_keys)}"


def select_worker_text(task_id: str, pitch_id: str, worker: str) -> str:
    return f"{SERVICE}:select-worker:{task_id}:{pitch_id}:{worker.lower()}"


def upload_text(place: Place, task_id: str, worker: str) -> str:
    return f"{SERVICE}:upload:{place}:{task_id.lower()}:{worker.lower()}"


def request_text(place: Place, method: str, path: str, key: str, body: bytes) -> str:
    """Builds the text that names one request. Its hash is the nonce of a plain payment and the salt of a bound one.

    Example: `service:pay:8453:<forwarder>:POST /api/tasks:<key>:<SHA-256 of the body>`.
    """
    return request_text_of_hash(place, f"{method} {path}", key, hashlib.sha256(body).hexdigest())


def request_text_of_hash(place: Place, request: str, key: str, body_sha256: str) -> str:
    return f"{SERVICE}:pay:{place}:{request}:{key}:{body_sha256}"


def proof_text(request: str, payment_nonce: str) -> str:
    """Builds the header `X-Service-Payment-Proof` of a payment whose nonce does not name its request."""
    return f"{request}:{payment_nonce}"


def bound_only_text(place: Place, wallet: str, is_on: bool, counter: int, valid_before: int) -> str:
    return f"{SERVICE}:bound-only:{_state(is_on)}:{place}:{wallet.lower()}:{counter}:{valid_before}"


def consent_text(place: Place, wallet: str, is_required: bool, timestamp: int) -> str:
    return f"{SERVICE}:consent:{_state(is_required)}:{place}:{wallet.lower()}:{timestamp}"


def read_text(chain_id: int, host: str, wallet: str, expires: int) -> str:
    """Builds the text of a read identity, valid at one host until `expires` (Unix seconds)."""
    return f"{SERVICE}:read:{chain_id}:{host}:{wallet.lower()}:{expires}"


def withdraw_token_text(destination: str, nonce: str, valid_before: int) -> str:
    return f"{SERVICE}:withdraw-token:{destination.lower()}:{nonce}:{valid_before}"


def device_text(wallet: str) -> str:
    return f"{SERVICE}:device-register:{wallet.lower()}"


def withdrawal_address_text(destination: str) -> str:
    return f"{SERVICE}:set-withdrawal-address:{destination.lower()}"


def recovery_code_text(wallet: str) -> str:
    return f"{SERVICE}:reveal-account-recovery-code:{wallet.lower()}"


def webhook_text(verb: str, chain_id: int, host: str, wallet: str, subject: str, timestamp: int) -> str:
    """Builds the text of a webhook change. `subject`: SHA-256 of the URL of a creation, else the id of the webhook."""
    return f"{SERVICE}:webhook:{verb}:{chain_id}:{host}:{wallet.lower()}:{subject}:{timestamp}"


def _state(is_on: bool) -> str:
    return "on" if is_on else "off"
