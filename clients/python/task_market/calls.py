"""Contract call of each operation, which a bound payment or a call-bound text names. Inputs are JSON requests."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .abi import encode, encode_call
from .amounts import to_seconds
from .deployment import Deployment
from .documents import feedback_document, submission_manifest, task_document, text_commitment
from .keys import keccak256, to_hex

ZERO_ADDRESS = "0x" + "00" * 20
ZERO_HASH = "0x" + "00" * 32
EVALUATOR = "(address,address,uint16,uint40,uint40)"
AWARDS = "(address,uint80,uint16)[]"
VERDICTS = ("approve", "reject", "partial")
TEXTS = ("description", "tags", "taskVisibility", "submissionVisibility", "metricDescription", "metricTarget")


@dataclass(frozen=True)
class ContractCall:
    """A call of a contract. `escrow`: the part of the payment that the contract takes, base units."""

    target: str
    data: str
    escrow: int = 0


@dataclass(frozen=True)
class CallContext:
    """Inputs of a call besides its request. `facts`: state of the market, by name. `actor`: payer or signer."""

    deployment: Deployment
    actor: str
    facts: Mapping[str, Any]


Request = Mapping[str, Any]
Arguments = Callable[[Request, CallContext], tuple[Any, ...]]


def call_of(operation: str, request: Request, context: CallContext) -> ContractCall:
    """Returns the call of an operation. Example: `call_of("tasks.cancel", {"taskId": task_id}, context)`.

    @raises KeyError for an operation that is not in `CALLS`
    """
    signature, arguments = CALLS[operation]
    target = context.deployment.market
    if operation.startswith("identity."):
        target = context.deployment.identity_registrar or ""
        if not target:
            raise ValueError("the deployment names no identityRegistrar")
    data = encode_call(signature, *arguments(request, context))
    return ContractCall(target, data, _escrow(operation, request, context))


def _escrow(operation: str, request: Request, context: CallContext) -> int:
    if operation == "tasks.create":
        return int(request["reward"])
    if operation == "tasks.update":
        return max(0, int(request.get("reward", 0)) - int(context.facts["reward"]))
    return int(context.facts["stake"]) if operation == "claims.create" else 0


def _task(request: Request, _: CallContext) -> tuple[Any, ...]:
    return (request["taskId"],)


def _fields(*names: str) -> Arguments:
    return lambda request, _: tuple(request[name] for name in names)


def _create(request: Request, _: CallContext) -> tuple[Any, ...]:
    mode, auction = request.get("mode", "bounty"), request.get("auctionType")
    defaults = {"taskVisibility": "public", "submissionVisibility": "public"}
    texts = {name: request.get(name, defaults.get(name)) for name in TEXTS}
    clock = {"dutch": "auctionFloorPrice", "reverse_dutch": "auctionStartPrice"}.get(str(auction), "")
    is_auction, bid_deadline = mode == "auction", request.get("bidDeadline")
    pitch_deadline, custom = request.get("pitchDeadline"), request.get("hookContract")
    return (
        (
            _selector(f"TMP.mode.{mode}"),
            _selector(f"TMP.auction.{auction.replace('_', '-')}") if is_auction and auction else "0x00000000",
            request["reward"],
            to_seconds(request["duration"]),
            to_seconds(pitch_deadline / 3_600) if mode == "pitch" and pitch_deadline is not None else 0,
            to_seconds(bid_deadline) if is_auction and bid_deadline is not None else 0,
            request.get(clock, 0) if is_auction else 0,
            request.get("stakeBps", 0) if request.get("stakeRequired", False) else 0,
            task_document(texts, request["documentSalt"]).hash,
            [] if texts["taskVisibility"] == "private" else [_hash(tag) for tag in request["tags"]],
            texts["taskVisibility"] == "public",
            _evaluator(request) if "evaluator" in request else (ZERO_ADDRESS, ZERO_ADDRESS, 0, 0, 0),
            request.get("hookContracts", [] if custom is None else [custom]),
            request.get("hookData", "0x"),
        ),
    )


def _evaluator(request: Request) -> tuple[Any, ...]:
    windows = (to_seconds(request.get(f"{name}WindowHours", 24)) for name in ("evaluation", "appeal"))
    resolver, fee = request.get("disputeResolver", ZERO_ADDRESS), request.get("evaluatorFeeBps", 0)
    return (request["evaluator"], resolver, fee, *windows)


def _update(request: Request, context: CallContext) -> tuple[Any, ...]:
    """Encodes an update; a zero leaves a value unchanged."""
    present = context.facts["texts"]
    changes = {name: request[name] for name in ("description", "tags", "metricDescription") if name in request}
    texts = {**present, **changes}
    content = ZERO_HASH if texts == present else task_document(texts, request["documentSalt"]).hash
    clock = request.get("auctionFloorPrice", request.get("auctionStartPrice", 0))
    times = (request.get(name, 0) for name in ("expiryTime", "pitchDeadline", "bidDeadline"))
    return ((request["taskId"], request.get("reward", 0), *times, clock, content),)


def _winners(request: Request, context: CallContext) -> tuple[Any, ...]:
    deliverables = context.facts["deliverables"]
    rows = zip(request["winners"], deliverables, strict=True)
    return (request["taskId"], [(winner["worker"], winner["share"], deliverable) for winner, deliverable in rows])


def _rating(request: Request, context: CallContext) -> tuple[Any, ...]:
    task_id, worker, facts = request["taskId"], request["worker"], context.facts
    agent = facts["workerAgentId"]
    uri = facts["feedbackBase"] + to_hex(keccak256(encode("bytes32,address", task_id, worker)))
    place = {"chainId": context.deployment.chain_id, "identityRegistry": context.deployment.identity_registry}
    feedback = {"feedbackText": "", **request, **place, "requester": context.actor, "workerAgentId": agent}
    document = feedback_document(feedback, request["documentSalt"])
    ids = (facts["raterAgentId"] or 0, agent or 0, agent is not None)
    return ((task_id, worker, request["rating"], *ids, uri, document.hash),)


def _deliverable(request: Request, context: CallContext) -> tuple[Any, ...]:
    manifest = submission_manifest(request["taskId"], context.actor, request["artifacts"], request["documentSalt"])
    return (request["taskId"], manifest.hash)


def _pitch(request: Request, _: CallContext) -> tuple[Any, ...]:
    task_id = request["taskId"]
    return (task_id, text_commitment(task_id, request["workerAddress"], request["pitchText"]))


def _proof(request: Request, _: CallContext) -> tuple[Any, ...]:
    task_id = request["taskId"]
    commitment = text_commitment(task_id, request["workerAddress"], request["proofData"])
    return (task_id, commitment, _hash(request["proofType"]), request.get("metricValue", 0))


def _awards(request: Request) -> list[tuple[Any, ...]]:
    return [(award["worker"], award["amount"], award["rank"]) for award in request.get("awards", [])]


def _verdict(request: Request) -> int:
    return VERDICTS.index(request["verdict"]) + 1


def _selector(name: str) -> str:
    return _hash(name)[:10]


def _hash(text: str) -> str:
    return to_hex(keccak256(text.encode()))


CREATE = (
    "createTask((bytes4,bytes4,uint96,uint40,uint40,uint40,uint96,uint16,bytes32,bytes32[],bool,"
    f"{EVALUATOR},address[],bytes))"
)

CALLS: Mapping[str, tuple[str, Arguments]] = {
    "tasks.create": (CREATE, _create),
    "tasks.update": ("updateTask((bytes32,uint96,uint40,uint40,uint40,uint96,bytes32))", _update),
    "tasks.cancel": ("cancelTask(bytes32)", _task),
    "tasks.refundExpired": ("refundExpired(bytes32)", _task),
    "tasks.accept": (
        "acceptSubmission(bytes32,address,bytes32)",
        lambda request, context: (request["taskId"], request["worker"], context.facts["deliverables"][0]),
    ),
    "tasks.acceptSubmissions": ("acceptSubmissions(bytes32,(address,uint16,bytes32)[])", _winners),
    "tasks.rate": ("rateTask((bytes32,address,uint8,uint256,uint256,bool,string,bytes32))", _rating),
    "tasks.object": ("objectToDelivery(bytes32)", _task),
    "tasks.forfeit": ("forfeitAndReopen(bytes32)", _task),
    "tasks.settleStale": ("settleStale(bytes32)", _task),
    "tasks.assignEvaluator": (
        f"assignEvaluator(bytes32,{EVALUATOR})",
        lambda request, _: (request["taskId"], _evaluator(request)),
    ),
    "tasks.evaluate": (
        f"evaluate(bytes32,uint8,uint16,uint16,bytes32,{AWARDS})",
        lambda request, _: (
            request["taskId"],
            _verdict(request),
            request.get("score", 1_000),
            request.get("confidence", 1_000),
            request.get("evidenceHash", ZERO_HASH),
            _awards(request),
        ),
    ),
    "tasks.appeal": ("appeal(bytes32)", _task),
    "tasks.resolveDispute": (
        f"resolveDispute(bytes32,uint8,{AWARDS})",
        lambda request, _: (request["taskId"], _verdict(request), _awards(request)),
    ),
    "tasks.finalizeVerdict": ("finalizeVerdict(bytes32)", _task),
    "tasks.evaluatorTimeout": ("evaluatorTimeout(bytes32)", _task),
    "submissions.create": ("submitWork(bytes32,bytes32)", _deliverable),
    "submissions.createFromKeys": ("submitWork(bytes32,bytes32)", _deliverable),
    "submissions.reject": (
        "rejectSubmissions(bytes32,address[])",
        lambda request, _: (request["taskId"], [request["worker"]]),
    ),
    "claims.create": (
        "claimTask(bytes32,bytes32)",
        lambda request, context: (request["taskId"], request.get("termsHash", context.facts["termsHash"])),
    ),
    "bids.create": ("submitBid(bytes32,uint96)", _fields("taskId", "price")),
    "bids.accept": ("acceptAuction(bytes32,uint96)", _fields("taskId", "minPrice")),
    "bids.selectWinner": ("selectLowestBidder(bytes32)", _task),
    "pitches.create": ("submitPitch(bytes32,bytes32)", _pitch),
    "pitches.select": ("selectWorker(bytes32,address)", _fields("taskId", "workerAddress")),
    "proofs.create": ("submitProof(bytes32,bytes32,bytes32,uint256)", _proof),
    "wallet.pushCredit": ("pushCredit(address)", _fields("address")),
    "identity.register": ("register(string)", lambda request, _: (request.get("agentURI", ""),)),
    "identity.adopt": ("adopt(uint256)", _fields("agentId")),
}
