"""Payments (x402, version 2, scheme `exact`): USDC authorizations to the deployment file's forwarder only."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .abi import encode
from .calls import ContractCall
from .deployment import Deployment
from .errors import Refused
from .keys import Wallet, from_hex, keccak256, to_checksum, to_hex
from .texts import Place

# Lifetimes. A plain payment lives as long as the challenge allows; a bound one can only make its own call.
PLAIN_SECONDS = 300
BOUND_SECONDS = 120

DOMAIN_TYPE = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
STRUCT = "(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
BOUND_CALL = (
    "BoundCall(uint256 chainId,address forwarder,address target,bytes32 dataHash,uint256 escrowAmount,bytes32 salt)"
)


@dataclass(frozen=True)
class Authorization:
    """An ERC-3009 transfer of USDC. `salt`: of a payment bound to its call; None: the payment names the request only.
    """

    sender: str
    to: str
    value: int
    valid_before: int
    nonce: str
    salt: str | None = None

    @property
    def form(self) -> str:
        return "TransferWithAuthorization" if self.salt is None else "ReceiveWithAuthorization"


def request_hash(text: str) -> str:
    """Hashes the text of a request: the nonce of a plain payment, and the salt of a bound one."""
    return to_hex(keccak256(text.encode()))


def bound_nonce(call: ContractCall, place: Place, salt: str) -> str:
    """Returns the nonce of a bound payment. Equal calls, keys and bodies have equal nonces."""
    type_hash, data_hash = keccak256(BOUND_CALL.encode()), keccak256(from_hex(call.data))
    words = encode(
        "bytes32,uint256,address,address,bytes32,uint256,bytes32",
        to_hex(type_hash), place.chain_id, place.forwarder, call.target, to_hex(data_hash), call.escrow, salt,
    )  # fmt: skip
    return to_hex(keccak256(words))


def typed_data_digest(
    name: str, version: str, chain_id: int, contract: str, *, struct: str, types: str, values: tuple[Any, ...]
) -> bytes:
    """Returns the EIP-712 digest of a struct whose members are words. `types`: ABI types of the members."""
    named = (to_hex(keccak256(text.encode())) for text in (DOMAIN_TYPE, name, version))
    domain = encode("bytes32,bytes32,bytes32,uint256,address", *named, chain_id, contract)
    message = keccak256(struct.encode()) + encode(types, *values)
    return keccak256(b"\x19\x01" + keccak256(domain) + keccak256(message))


def authorization_digest(deployment: Deployment, given: Authorization) -> bytes:
    return typed_data_digest(
        deployment.usdc_name,
        deployment.usdc_version,
        deployment.chain_id,
        deployment.usdc,
        struct=given.form + STRUCT,
        types="address,address,uint256,uint256,uint256,bytes32",
        values=(given.sender, given.to, given.value, 0, given.valid_before, given.nonce),
    )


@dataclass(frozen=True)
class Challenge:
    """A payment challenge after the check that it pays the deployment. Only the amount and the echo come from the
    server.
    """

    accepted: Mapping[str, Any]
    resource: Any
    amount: int


def read_challenge(header: str | None, deployment: Deployment) -> Challenge:
    """Parses a challenge. @raises Refused for anything but a payment of the deployment's USDC to its forwarder"""
    try:
        required = json.loads(base64.b64decode(header or "", validate=True))
        accepted = next(one for one in required["accepts"] if one["scheme"] == "exact")
        asked = tuple(str(accepted[name]).lower() for name in ("network", "asset", "payTo"))
        amount = int(accepted["amount"])
    except (ValueError, KeyError, TypeError, StopIteration) as error:
        raise Refused("wrong_challenge", "The challenge of the 402 cannot be read. Nothing was signed.") from error
    expected = (f"eip155:{deployment.chain_id}", deployment.usdc, deployment.forwarder)
    if required.get("x402Version") != 2 or asked != expected or amount < 0:
        message = f"The challenge asks for another payment ({' '.join(asked)}) than the deployment's."
        raise Refused("wrong_challenge", f"{message} Nothing was signed.")
    return Challenge(accepted, required.get("resource"), amount)


def same_challenge(deployment: Deployment, value: int) -> Challenge:
    """Builds the challenge of an earlier payment, to present that payment again."""
    accepted = {
        "scheme": "exact",
        "network": f"eip155:{deployment.chain_id}",
        "asset": deployment.usdc,
        "amount": str(value),
        "payTo": deployment.forwarder,
        "maxTimeoutSeconds": PLAIN_SECONDS,
        "extra": {},
    }
    return Challenge(accepted, None, value)


def payment_header(wallet: Wallet, deployment: Deployment, challenge: Challenge, given: Authorization) -> str:
    """Signs a payment and returns the header `PAYMENT-SIGNATURE`.

    @raises Refused for an unbound payment on a deployment that takes bound ones, or a bound one on another
    """
    if (given.salt is not None) != deployment.bound or given.to != deployment.forwarder:
        raise Refused("wrong_payment", "This deployment takes no such payment. Nothing was signed.")
    authorization = {
        "from": to_checksum(given.sender),
        "to": to_checksum(given.to),
        "value": str(given.value),
        "validAfter": "0",
        "validBefore": str(given.valid_before),
        "nonce": given.nonce,
    }
    signature = wallet.sign_digest(authorization_digest(deployment, given))
    payload: dict[str, Any] = {"signature": signature, "authorization": authorization}
    if given.salt is not None:
        payload["bound"] = {"salt": given.salt}
    payment = {"x402Version": 2, "accepted": challenge.accepted, "payload": payload}
    if challenge.resource is not None:
        payment["resource"] = challenge.resource
    return base64.b64encode(json.dumps(payment).encode()).decode()
