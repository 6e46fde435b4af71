"""Computes protocol/vectors/vectors.json from the rules of the documents, apart from every implementation.

    python3 protocol/vectors/compute.py           writes the file
    python3 protocol/vectors/compute.py --check   compares it

Needs python3-pycryptodome and python3-ecdsa of Debian. It imports nothing of this repository: what TypeScript, Solidity
and the Python package compute is compared with what is written here.
"""

import hashlib
import json
import sys
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import ecdsa
from Cryptodome.Hash import keccak

FILE = Path(__file__).with_name("vectors.json")
# Account 6 of the public test mnemonic of anvil.
PRIVATE_KEY = 0x92DB14E403B83DFE3DF233F83DFA3A0D7096F21CA9B0D6D6B8D88B2B4EC1564E
SALT = "0x" + "5a" * 32
TASK, WORKER, OTHER = "0x" + "9f" * 32, "0x" + "a1" * 20, "0x" + "b2" * 20
SIGNATURE = "0x" + "5c" * 64 + "1b"
ZERO = "0x" + "00" * 20


def H(data: bytes) -> str:
    return "0x" + keccak.new(digest_bits=256, data=data).hexdigest()


def raw(text: str) -> bytes:
    return bytes.fromhex(text[2:])


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# ABI: a type is a text such as `uint256`, `bytes32[]` or `(address,uint16)[]`.


def members(tuple_type: str) -> list[str]:
    parts, depth, part = [], 0, ""
    for character in tuple_type[1:-1]:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts, part = parts + [part], ""
        else:
            part += character
    return parts + [part] if part else parts


def is_dynamic(kind: str) -> bool:
    if kind.endswith("[]") or kind in ("bytes", "string"):
        return True
    return kind.startswith("(") and any(is_dynamic(member) for member in members(kind))


def number(value) -> bytes:
    return int(value).to_bytes(32, "big")


def padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 32)


def encode(kind: str, value) -> bytes:
    if kind.endswith("[]"):
        return number(len(value)) + encode_list([kind[:-2]] * len(value), value)
    if kind.startswith("("):
        return encode_list(members(kind), value)
    if kind in ("bytes", "string"):
        data = value.encode() if kind == "string" else raw(value)
        return number(len(data)) + padded(data)
    if kind == "address":
        return number(int(value, 16))
    return padded(raw(value)) if kind.startswith("bytes") else number(value)


def encode_list(kinds: list[str], values) -> bytes:
    encoded = [encode(kind, value) for kind, value in zip(kinds, values, strict=True)]
    place = sum(32 if is_dynamic(kind) else len(part) for kind, part in zip(kinds, encoded))
    head, tail = b"", b""
    for kind, part in zip(kinds, encoded):
        if is_dynamic(kind):
            head, tail = head + number(place + len(tail)), tail + part
        else:
            head += part
    return head + tail


def abi_encode(kinds: str, *values) -> bytes:
    return encode_list(members(f"({kinds})"), values)


def call(signature: str, *values) -> str:
    kinds = signature[signature.index("(") :]
    return "0x" + (raw(H(signature.encode()))[:4] + encode_list(members(kinds), values)).hex()


# Accounts and signatures


def checksum(address: str) -> str:
    digits = address[2:].lower()
    hashed = H(digits.encode())[2:]
    return "0x" + "".join(d.upper() if int(h, 16) > 7 else d for d, h in zip(digits, hashed))


KEY = ecdsa.SigningKey.from_secret_exponent(PRIVATE_KEY, curve=ecdsa.SECP256k1)
ADDRESS = "0x" + H(KEY.verifying_key.to_string())[-40:]


def sign(digest: str) -> str:
    """RFC 6979, low s. The parity is found by recovering both keys."""
    encoded = KEY.sign_digest_deterministic(raw(digest), hashlib.sha256, ecdsa.util.sigencode_string_canonize)
    keys = ecdsa.VerifyingKey.from_public_key_recovery_with_digest(
        encoded, raw(digest), ecdsa.SECP256k1, hashlib.sha256
    )
    parity = [key.to_string() for key in keys].index(KEY.verifying_key.to_string())
    return f"0x{encoded.hex()}{27 + parity:02x}"


def personal(text: str) -> str:
    data = text.encode()
    return H(b"\x19Ethereum Signed Message:\n%d" % len(data) + data)


DOMAIN = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"


def typed(name: str, version: str, chain_id: int, contract: str, struct: str, *values) -> str:
    """EIP-712; every member is a word of its own."""
    domain = abi_encode(
        "bytes32,bytes32,bytes32,uint256,address",
        H(DOMAIN.encode()), H(name.encode()), H(version.encode()), chain_id, contract,
    )  # fmt: skip
    kinds = [member.split(" ")[0] for member in members(struct[struct.index("(") :])]
    message = raw(H(struct.encode())) + b"".join(encode(kind, value) for kind, value in zip(kinds, values, strict=True))
    return H(b"\x19\x01" + raw(H(domain)) + raw(H(message)))


# Texts. Spec, "Authentication"; Interface, "Bound payments", "Consent", "Identity, devices, wallet".


def texts() -> dict:
    values = {
        "chainId": 8453,
        "forwarder": "0x" + "c3" * 20,
        "wallet": ADDRESS,
        "other": "0x" + "d4" * 20,
        "taskId": "0x" + "a1" * 32,
        "id": "0x" + "e5" * 32,
        "round": 1,
        "counter": "0",
        "time": "1800000000",
        "data": call("submitWork(bytes32,bytes32)", "0x" + "a1" * 32, "0x" + "d1" * 32),
        "keys": ["0x" + "a1" * 32 + "/6e7c9e52-1b1d-4a4e-9d3c-0f6f3c1b2a90"],
        "host": "market.example",
        "request": "POST /api/tasks",
        "key": "0b5f1c2e-8f1d-4a55-9a0e-0c6a3f9d1e11",
        "body": "ab" * 32,
        "status": "approved",
    }
    v = SimpleNamespace(**values)
    place = f"{v.chainId}:{v.forwarder}"
    tail = f":call:{place}:{H(raw(v.data))}"
    pay = f"pay:{place}:{v.request}:{v.key}:{v.body}"
    rows = {"submit, plain": f"submit:{v.taskId}"}
    for verb in ("claim", "forfeit"):
        rows[f"{verb}, plain"] = f"{verb}:{v.taskId}"
        rows[f"{verb}, round"] = f"{verb}:{v.taskId}:{v.round}"
        rows[f"{verb}, call"] = f"{verb}:{v.taskId}{tail}"
        rows[f"{verb}, call in a round"] = f"{verb}:{v.taskId}:{v.round}{tail}"
    for verb in ("rotate", "resume", "test", "replay", "delete"):
        rows[f"webhook, {verb}"] = f"webhook:{verb}:{v.chainId}:{v.host}:{v.wallet}:{v.key}:{v.time}"
    for state in ("on", "off"):
        rows[f"bound-only, {state}"] = f"bound-only:{state}:{place}:{v.wallet}:{v.counter}:{v.time}"
        rows[f"consent, {state}"] = f"consent:{state}:{place}:{v.wallet}:{v.time}"
    rows |= {
        "submit, keys": f"submit:{v.taskId}:{v.keys[0]}",
        "submit, call": f"submit:{v.taskId}{tail}",
        "select-worker, selection": f"select-worker:{v.taskId}:{v.id}:{v.other}",
        "upload, files": f"upload:{place}:{v.taskId}:{v.wallet}",
        "pay, request": pay,
        "pay, proof": f"{pay}:{v.id}",
        "withdraw-token, withdrawal": f"withdraw-token:{v.other}:{v.id}:{v.time}",
        "read, lasting": f"read:{v.wallet}",
        "read, ending": f"read:{v.chainId}:{v.host}:{v.wallet}:{v.time}",
        "device-register, device": f"device-register:{v.wallet}",
        "set-withdrawal-address, address": f"set-withdrawal-address:{v.other}",
        "reveal-account-recovery-code, code": f"reveal-account-recovery-code:{v.wallet}",
        "curate, decision": f"curate:{v.id}:{v.status}:{v.time}",
        "webhook, create": f"webhook:create:{v.chainId}:{v.host}:{v.wallet}:{v.body}:{v.time}",
    }
    listed = [{"name": name, "text": "service:" + rows[name]} for name in sorted(rows)]
    # Two that are long or not ASCII: the length in the prefix is that of the bytes.
    listed += [{"name": "bytes, not characters", "text": "öß 🐈"}, {"name": "long", "text": "x" * 1000}]
    for row in listed:
        row["digest"] = personal(row["text"])
        row["signature"] = sign(row["digest"])
    return {"values": values, "rows": listed}


# Payments. Interface, "Consent", form (a), and "Bound payments".

BOUND = "BoundCall(uint256 chainId,address forwarder,address target,bytes32 dataHash,uint256 escrowAmount,bytes32 salt)"
FIELDS = "(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
USDC = {
    8453: ("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", "USD Coin", "2"),
    84532: ("0x036cbd53842c5426634e7929541ec2318f3dcf7e", "USDC", "2"),
}


def payments() -> list[dict]:
    create = '{"description":"Name a cat","reward":"2000000","duration":24,"tags":["cats"]}'
    accept = '{"worker":"0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65","note":"öß 🐈"}'
    usual, short = "0x306395bf23e50afec5f3456c80102480a4e286b6", "0x" + "ff".rjust(40, "0")
    uuid, task = "0b5f1c2e-8f1d-4a55-9a0e-0c6a3f9d1e11", "0x" + "ab" * 32
    data = "0x12345678" + number(42).hex()
    return [
        payment(8453, usual, "/api/tasks", uuid, create, data, 2_000_000, 2_001_000),
        payment(84532, usual, "/api/tasks", uuid, create, data, 2_000_000, 2_001_000),
        payment(8453, short, f"/api/tasks/{task}/accept", "k", accept, "0xdeadbeef", 0, 1000),
        payment(8453, short, "/api/wallet/withdraw", "A" * 64, "", "0x", 2**256 - 1, 1000),
    ]


def payment(chain_id, forwarder, path, key, body, data, escrow, value) -> dict:
    usdc, name, version = USDC[chain_id]
    target, valid_before = "0x5e6dd222f966dc8d9218e8944ba580bafd2f2c7f", 1_800_000_000
    text = f"service:pay:{chain_id}:{forwarder}:POST {path}:{key}:{sha(body.encode())}"
    salt = H(text.encode())
    nonce = H(
        abi_encode(
            "bytes32,uint256,address,address,bytes32,uint256,bytes32",
            H(BOUND.encode()), chain_id, forwarder, target, H(raw(data)), escrow, salt,
        )
    )  # fmt: skip
    struct = (ADDRESS, forwarder, value, 0, valid_before)
    receive = typed(name, version, chain_id, usdc, f"ReceiveWithAuthorization{FIELDS}", *struct, nonce)
    transfer = typed(name, version, chain_id, usdc, f"TransferWithAuthorization{FIELDS}", *struct, salt)
    return {
        "chainId": chain_id,
        "forwarder": forwarder,
        "usdc": {"address": usdc, "name": name, "version": version},
        "method": "POST",
        "path": path,
        "key": key,
        "body": body,
        "target": target,
        "data": data,
        "escrow": str(escrow),
        "requestText": text,
        "salt": salt,
        "nonce": nonce,
        "authorization": {
            "from": ADDRESS,
            "to": forwarder,
            "value": str(value),
            "validAfter": "0",
            "validBefore": str(valid_before),
        },
        "receive": {"digest": receive, "signature": sign(receive)},
        "transfer": {"digest": transfer, "signature": sign(transfer)},
    }


# Hashed documents. Spec, "Content verification (raw bytes)": RFC 8785, here for texts, whole numbers, null and lists.


def canonical(value) -> str:
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


TASK_TEXTS = {
    "description": "Write a haiku.",
    "tags": ["poetry"],
    "taskVisibility": "public",
    "submissionVisibility": "public",
    "metricDescription": None,
    "metricTarget": None,
}


def task_document(texts: dict, salt: str) -> dict:
    return {**texts, "salt": salt, "schema": "service-task-v1"}


def manifest(task_id: str, worker: str, artifacts: list[dict], salt: str) -> dict:
    """`artifacts` in their order."""
    rows = [{**artifact, "displayOrder": order} for order, artifact in enumerate(artifacts)]
    head = {"schema": "service-artifacts-v1", "taskId": task_id, "workerAddress": checksum(worker), "salt": salt}
    return {**head, "artifacts": rows}


def feedback(given: dict, salt: str) -> dict:
    place = f"eip155:{given['chainId']}:"
    agent = given["workerAgentId"]
    return {
        "agentId": agent if agent is None or int(agent) >= 2**53 else int(agent),
        "agentRegistry": place + checksum(given["identityRegistry"]),
        "clientAddress": place + checksum(given["requester"]),
        "createdAt": given["createdAt"],
        "feedbackText": given["feedbackText"],
        "salt": salt,
        "schema": "service-feedback-v1",
        "tag1": "starred",
        "taskId": given["taskId"],
        "value": given["rating"],
        "valueDecimals": 0,
        "workerAddress": checksum(given["worker"]),
    }


HAIKU = {
    "fileName": "haiku.txt",
    "mimeType": "text/plain",
    "role": "final",
    "sizeBytes": 62,
    "sha256Hash": "c4" * 32,
    "keccak256Hash": "0x" + "d4" * 32,
}
FEEDBACK = {
    "chainId": 8453,
    "identityRegistry": "0x8004a169fb4a3325136eb29fa0ceb6d2e539a432",
    "taskId": TASK,
    "requester": "0x" + "aa" * 20,
    "worker": WORKER,
    "workerAgentId": "7",
    "rating": 90,
    "feedbackText": "Thanks!",
    "createdAt": "2030-01-01T00:00:00.000Z",
}


def documents() -> dict:
    odd = {**TASK_TEXTS, "description": "Fix the “flaky” test\n", "tags": ["b", "a"], "metricTarget": "é \\ \u2028 \x01"}
    named = [{**HAIKU, "fileName": f'../ünïcode "{n}".txt', "sizeBytes": 524_288_000 - n} for n in range(3)]
    strange = "Précis, “concis” — 五\n\tTabs, a \\ and a </script>; e\u0301, 👩‍🔧, שלום"
    agents = [(agent, "Thanks!") for agent in (None, "0", "9007199254740991", "9007199254740992")] + [("7", strange)]
    ratings = [{**FEEDBACK, "workerAgentId": agent, "feedbackText": text} for agent, text in agents]

    def row(given, document):
        text = canonical(document)
        return {"given": given, "salt": SALT, "text": text, "hash": H(text.encode())}

    return {
        "task": [row(texts, task_document(texts, SALT)) for texts in (TASK_TEXTS, odd)],
        "manifest": [
            row({"taskId": TASK, "worker": WORKER, "artifacts": files}, manifest(TASK, WORKER, files, SALT))
            for files in ([], [HAIKU], named)
        ],
        "feedback": [row(given, feedback(given, SALT)) for given in ratings],
        "commitment": [commitment(text) for text in ("", "I write haiku every day.", "öß 🐈" * 20)],
        "canonical": [
            {"value": value, "text": canonical(value)}
            for value in ({"b": [1, "x"], "a": None}, {"é": 1, "z": 2, "\ue000": 3, "😀": 4}, {"": {}, "a": []})
        ],
    }


def commitment(text: str) -> dict:
    """Of a pitch or a proof."""
    preimage = abi_encode("bytes32,address,string", TASK, WORKER, text)
    return {"taskId": TASK, "worker": WORKER, "text": text, "preimage": "0x" + preimage.hex(), "hash": H(preimage)}


# Calls of the operations: what a bound payment names.

EVALUATOR = "(address,address,uint16,uint40,uint40)"
CREATE = (
    "createTask((bytes4,bytes4,uint96,uint40,uint40,uint40,uint96,uint16,bytes32,bytes32[],bool,"
    f"{EVALUATOR},address[],bytes))"
)
AWARDS = "(address,uint80,uint16)[]"
DEPLOYMENT = {
    "chainId": 8453,
    "market": "0x" + "01" * 20,
    "forwarder": "0x" + "02" * 20,
    "usdc": "0x" + "03" * 20,
    "usdcDomain": {"name": "USD Coin", "version": "2"},
    "identityRegistry": "0x" + "04" * 20,
    "identityRegistrar": "0x" + "05" * 20,
}
FACTS = {
    "reward": "5000000",
    "requester": "0x" + "0e" * 20,
    "termsHash": "0x" + "7e" * 32,
    "stake": "350000",
    "claimRound": 2,
    "texts": TASK_TEXTS,
    "deliverables": ["0x" + "d1" * 32, "0x" + "d3" * 32],
    "raterAgentId": "12",
    "workerAgentId": "0",
    "feedbackBase": "https://market.example/api/feedback/",
    "vault": {"address": "0x" + "0a" * 20, "epoch": "3"},
    "programme": "0x" + "0b" * 20,
}
ACTOR = "0x" + "aa" * 20
NO_EVALUATOR = [ZERO, ZERO, 0, 0, 0]


def selector(name: str) -> str:
    return H(name.encode())[:10]


def creation(request: dict) -> list:
    """Spec, "Create task": the parameters of the market. `hours` are rounded up to whole seconds."""
    mode, auction = request.get("mode", "bounty"), request.get("auctionType")
    texts = {name: request.get(name, default) for name, default in {**TASK_TEXTS, "tags": []}.items()}
    document = task_document(texts, request["documentSalt"])
    clock = {"dutch": "auctionFloorPrice", "reverse_dutch": "auctionStartPrice"}.get(auction or "", "")
    evaluation = NO_EVALUATOR
    if "evaluator" in request:
        resolver, fee = request.get("disputeResolver", ZERO), request.get("evaluatorFeeBps", 0)
        windows = [seconds(request.get(f"{name}WindowHours", 24)) for name in ("evaluation", "appeal")]
        evaluation = [request["evaluator"], resolver, fee, *windows]
    visibility = request.get("taskVisibility", "public")
    return [
        selector(f"TMP.mode.{mode}"),
        selector(f"TMP.auction.{auction.replace('_', '-')}") if mode == "auction" else "0x00000000",
        request["reward"],
        seconds(request["duration"]),
        request.get("pitchDeadline", 0) if mode == "pitch" else 0,
        seconds(request["bidDeadline"]) if mode == "auction" and "bidDeadline" in request else 0,
        request.get(clock, 0) if mode == "auction" else 0,
        request.get("stakeBps", 0) if request.get("stakeRequired") else 0,
        H(canonical(document).encode()),
        [] if visibility == "private" else [H(tag.encode()) for tag in request["tags"]],
        visibility == "public",
        evaluation,
        request.get("hookContracts", [request["hookContract"]] if "hookContract" in request else []),
        request.get("hookData", "0x"),
    ]


def seconds(hours) -> int:
    """Rounded up, at least one; a millionth of a second does not count."""
    millionths = round(Fraction(hours) * 3600 * 1_000_000)
    return max(1, -(-millionths // 1_000_000))


def creations() -> list[dict]:
    base = {"description": "Write a haiku about escrow.", "tags": ["poetry", "öß"], "reward": "5000000"}
    base |= {"duration": 24, "documentSalt": SALT}
    judged = {"evaluator": "0x" + "c3" * 20, "evaluatorFeeBps": 500, "appealWindowHours": 0.5}
    auction = {"mode": "auction", "maxPrice": "5000000", "bidDeadline": 12}
    requests = [
        base,
        {**base, "mode": "claim", "stakeRequired": True, "stakeBps": 1000, "duration": 0.0003, "tags": []},
        {**base, "mode": "pitch", "pitchDeadline": 3600, "taskVisibility": "unlisted", **judged},
        {**base, "mode": "benchmark", "metricDescription": "words", "metricTarget": "17", "taskVisibility": "private"},
        {**base, **auction, "auctionType": "dutch", "auctionFloorPrice": "1000000"},
        {**base, **auction, "auctionType": "english", "disputeResolver": "0x" + "d4" * 20, **judged},
        {**base, **auction, "auctionType": "reverse_dutch", "auctionStartPrice": "1000000", "bidDeadline": 0.1},
        {**base, **auction, "auctionType": "reverse_english", "submissionVisibility": "winner_only"},
    ]
    rows = []
    for request in requests:
        params = creation(request)
        mode, kind, reward, duration, pitch, bid, clock, stake, _, tags, _, evaluation, _, _ = params
        # The market's `taskTermsHash`, without hooks. Entries without a deadline of their own end with the task.
        pitch = (pitch or duration) if mode == selector("TMP.mode.pitch") else 0
        bid = (bid or duration) if mode == selector("TMP.mode.auction") else 0
        tags_hash = H(b"".join(map(raw, tags))) if tags else "0x" + "00" * 32
        terms = abi_encode(
            "bytes4,bytes4,uint256,uint256,uint256,uint256,uint256,uint256,bytes32,address,address,uint256,uint256,"
            "uint256,bytes32",
            mode, kind, reward, duration, pitch, bid, clock, stake, tags_hash, *evaluation, "0x" + "00" * 32,
        )  # fmt: skip
        rows.append({"request": request, "data": call(CREATE, params), "termsHash": H(terms)})
    return rows


def calls() -> dict:
    winners = [
        {"worker": WORKER, "share": 7000},
        {"worker": OTHER, "share": 3000, "submissionId": "0x" + "e1" * 32},
    ]
    awards = [{"worker": WORKER, "amount": "3000000", "rank": 1}, {"worker": OTHER, "amount": "1000000", "rank": 2}]
    award_rows = [[award["worker"], award["amount"], award["rank"]] for award in awards]
    changes = {"reward": "6000000", "expiryTime": 1_900_000_000, "description": "Write two haiku."}
    task, destination, nonce, end = {"taskId": TASK}, "0x" + "f6" * 20, "0x" + "7b" * 32, 1_795_694_400
    actor = {"workerAddress": WORKER, "signature": SIGNATURE}
    deliverables = FACTS["deliverables"]
    delivered = H(canonical(manifest(TASK, ACTOR, [HAIKU], SALT)).encode())
    pitch, proof = commitment("I write haiku every day."), commitment("https://example.org/run/42")
    rating = {"worker": WORKER, "rating": 90, "feedbackText": "Five.", "createdAt": "2026-11-27T12:00:00.000Z"}
    rated = {**FEEDBACK, **rating, "identityRegistry": DEPLOYMENT["identityRegistry"], "workerAgentId": "0"}
    feedback_hash = H(canonical(feedback({**rated, "requester": ACTOR}, SALT)).encode())
    rating_id = H(abi_encode("bytes32,address", TASK, WORKER))
    updated = H(canonical(task_document({**TASK_TEXTS, "description": "Write two haiku."}, SALT)).encode())
    transfer = {"from": WORKER, "to": destination, "value": "5000000", "validAfter": "0", "validBefore": str(end)}
    evaluator, resolver, evidence, vault = "0x" + "c3" * 20, "0x" + "d4" * 20, "0x" + "e5" * 32, "0x" + "8c" * 32
    create = {"description": "Write a haiku about escrow.", "tags": ["poetry"], "reward": "5000000", "duration": 24}
    create |= {"documentSalt": SALT}
    claim = [vault, 3, TASK, TASK, 1, WORKER, destination, 3 * 10**18, 4, end]
    tuple_of_claim = "(bytes32,uint64,bytes32,bytes32,uint256,address,address,uint256,uint256,uint256)"
    only_task = {
        "tasks.cancel": "cancelTask",
        "tasks.refundExpired": "refundExpired",
        "bids.selectWinner": "selectLowestBidder",
        "tasks.appeal": "appeal",
        "tasks.finalizeVerdict": "finalizeVerdict",
        "tasks.evaluatorTimeout": "evaluatorTimeout",
        "tasks.object": "objectToDelivery",
        "tasks.settleStale": "settleStale",
    }
    rows = {name: (task, call(f"{function}(bytes32)", TASK)) for name, function in only_task.items()}
    rows |= {
        "tasks.create": (create, call(CREATE, creation(create))),
        "tasks.update": (
            {**task, **changes, "documentSalt": SALT},
            call(
                "updateTask((bytes32,uint96,uint40,uint40,uint40,uint96,bytes32))",
                [TASK, 6_000_000, 1_900_000_000, 0, 0, 0, updated],
            ),
        ),
        "tasks.accept": (
            {**task, "worker": WORKER},
            call("acceptSubmission(bytes32,address,bytes32)", TASK, WORKER, deliverables[0]),
        ),
        "tasks.acceptSubmissions": (
            {**task, "winners": winners},
            call(
                "acceptSubmissions(bytes32,(address,uint16,bytes32)[])",
                TASK,
                [[winner["worker"], winner["share"], deliverables[n]] for n, winner in enumerate(winners)],
            ),
        ),
        "tasks.rate": (
            {**task, **rating, "documentSalt": SALT},
            call(
                "rateTask((bytes32,address,uint8,uint256,uint256,bool,string,bytes32))",
                [TASK, WORKER, 90, 12, 0, True, FACTS["feedbackBase"] + rating_id, feedback_hash],
            ),
        ),
        "submissions.create": (
            {**task, **actor, "artifacts": [HAIKU], "documentSalt": SALT},
            call("submitWork(bytes32,bytes32)", TASK, delivered),
        ),
        "submissions.createFromKeys": (
            {
                **task,
                **actor,
                "artifacts": [{**HAIKU, "artifactKey": f"{TASK}/6e7c9e52-1b1d-4a4e-9d3c-0f6f3c1b2a90"}],
                "documentSalt": SALT,
            },
            call("submitWork(bytes32,bytes32)", TASK, delivered),
        ),
        "submissions.reject": (
            {**task, "worker": WORKER},
            call("rejectSubmissions(bytes32,address[])", TASK, [WORKER]),
        ),
        "claims.create": ({**task, **actor}, call("claimTask(bytes32,bytes32)", TASK, FACTS["termsHash"])),
        "bids.create": ({**task, "price": "4000000"}, call("submitBid(bytes32,uint96)", TASK, 4_000_000)),
        "bids.accept": ({**task, "minPrice": "3500000"}, call("acceptAuction(bytes32,uint96)", TASK, 3_500_000)),
        "tasks.forfeit": (
            {**task, "requesterAddress": WORKER, "signature": SIGNATURE},
            call("forfeitAndReopen(bytes32)", TASK),
        ),
        "tasks.assignEvaluator": (
            {
                **task,
                "evaluator": evaluator,
                "evaluatorFeeBps": 500,
                "evaluationWindowHours": 48,
                "appealWindowHours": 0.5,
                "disputeResolver": resolver,
            },
            call(f"assignEvaluator(bytes32,{EVALUATOR})", TASK, [evaluator, resolver, 500, 172_800, 1_800]),
        ),
        "tasks.evaluate": (
            {**task, "verdict": "partial", "score": 900, "confidence": 800, "evidenceHash": evidence, "awards": awards},
            call(f"evaluate(bytes32,uint8,uint16,uint16,bytes32,{AWARDS})", TASK, 3, 900, 800, evidence, award_rows),
        ),
        "tasks.resolveDispute": (
            {**task, "verdict": "approve", "awards": awards},
            call(f"resolveDispute(bytes32,uint8,{AWARDS})", TASK, 1, award_rows),
        ),
        "wallet.pushCredit": ({"address": WORKER}, call("pushCredit(address)", WORKER)),
        "identity.register": (
            {"agentURI": "https://agent.example/registration.json"},
            call("register(string)", "https://agent.example/registration.json"),
        ),
        "identity.adopt": ({"agentId": "42"}, call("adopt(uint256)", 42)),
        "pitches.create": (
            {**task, **actor, "pitchText": pitch["text"]},
            call("submitPitch(bytes32,bytes32)", TASK, pitch["hash"]),
        ),
        "pitches.select": (
            {**task, "pitchId": "0x" + "f1" * 32, "workerAddress": WORKER},
            call("selectWorker(bytes32,address)", TASK, WORKER),
        ),
        "proofs.create": (
            {**task, **actor, "proofData": proof["text"], "proofType": "url", "metricValue": "42"},
            call("submitProof(bytes32,bytes32,bytes32,uint256)", TASK, proof["hash"], H(b"url"), 42),
        ),
        "wallet.withdraw": (
            {
                "from": WORKER,
                "amountBaseUnits": "5000000",
                "authorization": {**transfer, "nonce": nonce},
                "signature": SIGNATURE,
            },
            call(
                "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
                WORKER, destination, 5_000_000, 0, end, nonce, SIGNATURE,
            ),
        ),
        "wallet.withdrawToken": (
            {**actor, "destination": destination, "nonce": nonce, "validBefore": str(end)},
            call("withdrawFor(address,address,bytes32,uint256,bytes)", WORKER, destination, nonce, end, SIGNATURE),
        ),
        "wallet.boundOnly": (
            {"walletAddress": WORKER, "boundOnly": True, "counter": "0", "validBefore": end, "signature": SIGNATURE},
            call("setBoundOnlyFor(address,bool,uint256,uint256,bytes)", WORKER, True, 0, end, SIGNATURE),
        ),
        "sponsoredTaskVaults.claim": (
            {
                **task,
                **actor,
                "vaultId": vault,
                "index": 1,
                "destination": destination,
                "amount": str(3 * 10**18),
                "nonce": "4",
                "deadline": str(end),
                "proof": ["0x" + "e7" * 32],
            },
            call(f"claimTo({tuple_of_claim},bytes32[],bytes)", claim, ["0x" + "e7" * 32], SIGNATURE),
        ),
    }  # fmt: skip
    escrow = {"tasks.create": "5000000", "tasks.update": "1000000", "claims.create": FACTS["stake"]}
    return {
        "deployment": DEPLOYMENT,
        "facts": FACTS,
        "actor": ACTOR,
        "rows": {
            name: {"request": rows[name][0], "data": rows[name][1], "escrow": escrow.get(name, "0")}
            for name in sorted(rows)
        },
    }


# Rounding. Spec, "Token bonus rules" apart, every division of money is a floor with a named owner of the rest.

MOST = 2**72 - 1


def rounding() -> dict:
    clocks = [
        (maximum, other, created, deadline, now)
        for maximum, other, created, deadline in (
            (1_000, 100, 50, 57),
            (25, 15, 1_000, 1_003),
            (MOST, 1, 1, 1 + 315_360_000),
            (1_000_000, 1_000_000, 10, 20),
            (5_000_000, 1, 1_750_000_000, 1_750_086_400),
            (2, 1, 7, 8),
        )
        for now in sorted({created, created + 1, (created + deadline) // 2, deadline - 1, deadline, deadline + 9})
    ]
    parts = [(0, 750), (13, 750), (14, 750), (1, 10_000), (5, 0), (1_001, 9_250), (MOST, 9_999), (MOST, 10_000)]
    splits = [
        (10, [3_333, 3_333, 3_334]),
        (1_000_000, [10_000]),
        (1_001, [5_000, 5_000]),
        (9_999, [1, 9_999]),
        (MOST, [200] * 50),
        (1_000_003, [1, 2, 3, 9_994]),
    ]
    verdicts = [
        ("approve", [], 5_000_001, 333, 750),
        ("approve", [3_000_000, 1], 5_000_001, 0, 750),
        ("partial", [1], 1_000, 10_000 - 1, 10_000),
        ("reject", [], 999_999, 1_001, 750),
    ]
    return {
        "clockPrices": [clock(*row) for row in clocks],
        "parts": [{"amount": str(a), "bps": bps, "part": str(a * bps // 10_000)} for a, bps in parts],
        "splits": [{"reward": str(a), "sharesBps": shares, "grosses": split(a, shares)} for a, shares in splits],
        "verdicts": [verdict(*row) for row in verdicts],
        # As texts: a JSON writer prints the same number in different ways.
        "durations": [
            {"hours": hours, "seconds": seconds(float(hours))}
            for hours in ("24", "0.5", "0.0001", "0.0003", "1.1", "2.3", "0.1", "87600", "0.00027777777777777778")
        ],
    }


def clock(maximum, other, created, deadline, now) -> dict:
    moved = (maximum - other) * (min(now, deadline) - created) // (deadline - created)
    times = {"createdAt": str(created), "deadline": str(deadline), "now": str(now)}
    prices = {"dutch": str(maximum - moved), "reverseDutch": str(other + moved)}
    return {"maximum": str(maximum), "other": str(other), **times, **prices}


def split(reward, shares) -> list[str]:
    """What the division leaves over goes to the first."""
    grosses = [reward * share // 10_000 for share in shares]
    return [str(gross + (reward - sum(grosses) if n == 0 else 0)) for n, gross in enumerate(grosses)]


def verdict(name, awards, base, fee_bps, platform_bps) -> dict:
    fee = base * fee_bps // 10_000
    left = base - fee
    grosses = [left] if name == "approve" and not awards else awards
    rows = [{"gross": str(gross), "platformFee": str(gross * platform_bps // 10_000)} for gross in grosses]
    given = {"verdict": name, "awards": [str(award) for award in awards], "base": str(base)}
    given |= {"evaluatorFeeBps": fee_bps, "platformFeeBps": platform_bps}
    return {**given, "evaluatorFee": str(fee), "payouts": rows, "returned": str(left - sum(grosses))}


# Settlements of vaults: OpenZeppelin's StandardMerkleTree; an award that earned nothing is no leaf.


def settlements() -> list[dict]:
    head = ("0x" + "8c" * 32, 3, TASK, TASK)
    rows = [[5], [5, 0, 7], [1, 2, 3], list(range(1, 8)), [0, 3 * 10**18, 10**18, 1]]
    return [settlement(head, amounts) for amounts in rows]


def settlement(head, amounts) -> dict:
    workers = ["0x" + f"{0xA1 + n:02x}" * 20 for n in range(len(amounts))]
    kinds = "bytes32,uint64,bytes32,bytes32,uint256,address,uint256"
    leaves = {
        n: H(raw(H(abi_encode(kinds, *head, n, workers[n], amount)))) for n, amount in enumerate(amounts) if amount
    }
    tree = [""] * (len(leaves) - 1) + sorted(leaves.values(), reverse=True)
    for n in range(len(leaves) - 2, -1, -1):
        tree[n] = H(b"".join(sorted([raw(tree[2 * n + 1]), raw(tree[2 * n + 2])])))

    def proof(leaf):
        at, path = tree.index(leaf, len(leaves) - 1), []
        while at > 0:
            path, at = path + [tree[at + 1 if at % 2 else at - 1]], (at - 1) // 2
        return path

    rows = [{"index": n, "amount": str(amounts[n]), "leaf": leaf, "proof": proof(leaf)} for n, leaf in leaves.items()]
    given = {"vaultId": head[0], "epoch": head[1], "taskId": head[2], "workers": workers}
    return {**given, "amounts": [str(amount) for amount in amounts], "leaves": rows, "root": tree[0]}


def vault_claim() -> dict:
    vault, end = "0x" + "0a" * 20, 1_795_694_400
    struct = (
        "ClaimTo(bytes32 vaultId,uint64 epoch,bytes32 allocationId,bytes32 taskId,uint256 index,address worker,"
        "address destination,uint256 amount,uint256 nonce,uint256 deadline)"
    )
    values = ["0x" + "8c" * 32, 3, TASK, TASK, 1, ADDRESS, "0x" + "f6" * 20, 3 * 10**18, 4, end]
    names = [member.split(" ")[1] for member in members(struct[struct.index("(") :])]
    digest = typed("SponsoredTasksVault", "1", 8453, vault, struct, *values)
    message = dict(zip(names, map(str, values)))
    return {"chainId": 8453, "vault": vault, "message": message, "digest": digest, "signature": sign(digest)}


def main() -> None:
    vectors = {
        "wallet": {"privateKey": f"0x{PRIVATE_KEY:064x}", "address": ADDRESS, "checksum": checksum(ADDRESS)},
        "texts": texts(),
        "boundCallType": {"text": BOUND, "hash": H(BOUND.encode())},
        "payments": payments(),
        "documents": documents(),
        "creations": creations(),
        "calls": calls(),
        "rounding": rounding(),
        "settlements": settlements(),
        "vaultClaim": vault_claim(),
    }
    text = json.dumps(vectors, ensure_ascii=False, indent=1) + "\n"
    if "--check" not in sys.argv:
        FILE.write_text(text, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != text:
        sys.exit(f"{FILE.name} differs from what its rules give: run {Path(__file__).name}")


if __name__ == "__main__":
    main()
