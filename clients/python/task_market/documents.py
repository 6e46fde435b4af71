"""Documents whose hashes are on the chain: canonical JSON (RFC 8785) and keccak256 of its UTF-8 bytes."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .abi import encode
from .keys import keccak256, to_checksum, to_hex

MOST_JSON_INTEGER = 2**53 - 1


@dataclass(frozen=True)
class HashedDocument:
    text: str
    hash: str


def to_canonical_json(value: Any) -> str:
    """Serializes without whitespace, names sorted by UTF-16. Numbers must be whole. Example: `{"b": 1, "a": "x"}` is
    `{"a":"x","b":1}`.
    """
    if isinstance(value, Mapping):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{to_canonical_json(name)}:{to_canonical_json(value[name])}" for name in names) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(to_canonical_json, value)) + "]"
    if value is None or isinstance(value, (str, int)):
        return json.dumps(value, ensure_ascii=False)
    raise TypeError(f"a hashed document has no {type(value).__name__}")


def hash_document(document: Mapping[str, Any]) -> HashedDocument:
    text = to_canonical_json(document)
    return HashedDocument(text, to_hex(keccak256(text.encode())))


def task_document(texts: Mapping[str, Any], salt: str) -> HashedDocument:
    """Builds `service-task-v1`. `texts`: description, tags, both visibilities, metricDescription, metricTarget."""
    return hash_document({**texts, "salt": salt, "schema": "service-task-v1"})


def submission_manifest(task_id: str, worker: str, artifacts: Sequence[Mapping[str, Any]], salt: str) -> HashedDocument:
    """Builds `service-artifacts-v1`, whose hash is the deliverable. `artifacts`: results of `describe_file`, in order.
    """
    names = ("fileName", "keccak256Hash", "mimeType", "role", "sha256Hash", "sizeBytes")
    rows = [{**{name: file[name] for name in names}, "displayOrder": n} for n, file in enumerate(artifacts)]
    head = {"schema": "service-artifacts-v1", "taskId": task_id.lower(), "workerAddress": to_checksum(worker)}
    return hash_document({**head, "artifacts": rows, "salt": salt})


def describe_file(name: str, mime_type: str, data: bytes, role: str = "final") -> dict[str, Any]:
    """Returns a delivered file's entry in a manifest. Example: of `b"hi"`, `sizeBytes` is 2 and `role` is `final`."""
    hashes = {"sha256Hash": hashlib.sha256(data).hexdigest(), "keccak256Hash": to_hex(keccak256(data))}
    return {"fileName": name, "mimeType": mime_type, "role": role, "sizeBytes": len(data), **hashes}


def feedback_document(feedback: Mapping[str, Any], salt: str) -> HashedDocument:
    """Builds `service-feedback-v1`, an ERC-8004 feedback file. `workerAgentId`: a whole number; None: a human."""
    place = f"eip155:{feedback['chainId']}:"
    agent = feedback["workerAgentId"]
    return hash_document(
        {
            "agentId": str(agent) if agent is not None and agent > MOST_JSON_INTEGER else agent,
            "agentRegistry": place + to_checksum(feedback["identityRegistry"]),
            "clientAddress": place + to_checksum(feedback["requester"]),
            "createdAt": feedback["createdAt"],
            "feedbackText": feedback["feedbackText"],
            "salt": salt,
            "schema": "service-feedback-v1",
            "tag1": "starred",
            "taskId": feedback["taskId"].lower(),
            "value": feedback["rating"],
            "valueDecimals": 0,
            "workerAddress": to_checksum(feedback["worker"]),
        }
    )


def text_preimage(task_id: str, worker: str, text: str) -> bytes:
    """Returns the bytes that a pitch or a proof commits to, without a salt."""
    return encode("bytes32,address,string", task_id, worker, text)


def text_commitment(task_id: str, worker: str, text: str) -> str:
    return to_hex(keccak256(text_preimage(task_id, worker, text)))
