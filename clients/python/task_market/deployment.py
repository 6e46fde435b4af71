"""Deployment file of the caller: chain, USDC and contracts. No answer of a server replaces it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from .texts import Place

ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")
# Accounts of the public test mnemonic, which hold no money on a real chain. The local stack uses only these.
PUBLIC_ACCOUNTS = frozenset(
    """
    0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266 0x70997970c51812dc3a010c7d01b50e0d17dc79c8
    0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc 0x90f79bf6eb2c4f870365e785982e1f101e93b906
    0x15d34aaf54267db7d7c367839aaf71a00a2c6a65 0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc
    0x976ea74026e726554db657fa54763abd0c3a0aa9 0x14dc79964da2c08b23698b3d3cc7ca32193d9955
    0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f 0xa0ee7a142d267c1f36714e4a8f75612f20a79720
    0xbcd4042de499d14e55001ccbb24a551f3b954096 0x71be63f3384f5fb98995898a86b02fb2426c5788
    0xfabb0ac9d68b0b445fb7357272ff202c5651694a 0x1cbd3b2770909d4e10f157cabc84c7264073c9ec
    0xdf3e18d64bc6a983f673ab319ccae4f1a57c7097 0xcd3b766ccdd6ae721141f452c550ca635964ce71
    0x2546bcd3c84621e976d8185a91a922ae77ecec30 0xbda5747bfd65f08deb54cb465eb87d40e51b197e
    0xdd2fd4581271e230360230f9337d5c0430bf44c0 0x8626f6940e2eb28930efb4cef49b2d1f2c9c1199
    """.split()
)


@dataclass(frozen=True)
class Deployment:
    """Contracts of one chain. Addresses in lower case."""

    chain_id: int
    name: str
    market: str
    forwarder: str
    usdc: str
    usdc_name: str
    usdc_version: str
    identity_registry: str | None
    identity_registrar: str | None
    # True: payments and texts of free writes are bound to their calls.
    bound: bool
    # True for a chain of one machine with the id and addresses of a real one: a payment signed there is valid on both.
    local: bool = False

    @property
    def place(self) -> Place:
        return Place(self.chain_id, self.forwarder)


def load_deployment(given: str | PathLike[str] | Mapping[str, Any]) -> Deployment:
    """Reads a deployment file (`deployments/<chainId>.json`), an older flat one, or its content.

    @raises ValueError naming the missing field
    """
    content: Any = given if isinstance(given, Mapping) else json.loads(Path(given).read_text(encoding="utf-8"))
    chain_id = content.get("chainId") if isinstance(content, Mapping) else None
    if not isinstance(chain_id, int) or isinstance(chain_id, bool):
        raise ValueError("the deployment has no chainId")
    name = content.get("name") or ("base" if chain_id == 8453 else f"eip155:{chain_id}")
    bound = content.get("bound", False)
    if not isinstance(bound, bool):
        raise ValueError("the deployment says something else than true or false in `bound`")
    if "contracts" not in content:
        # Older files without a domain are of Base, whose USDC is `USD Coin`, version 2.
        addresses: Mapping[str, Any] = content
        domain = content.get("usdcDomain", {"name": "USD Coin", "version": "2"} if chain_id == 8453 else {})
        usdc: Mapping[str, Any] = {"address": content.get("usdc"), **domain}
    else:
        contracts, registries, usdc = (_record(content, field) for field in ("contracts", "registries", "usdc"))
        if not contracts:
            raise ValueError(f"the market is not deployed to {name}: that deployment file names no contracts")
        rows = {**contracts, **registries}
        addresses = {field: row.get("address") for field, row in rows.items() if isinstance(row, Mapping)}
    if not all(isinstance(usdc.get(field), str) for field in ("name", "version")):
        raise ValueError("the deployment does not say the name and version of USDC")
    return Deployment(
        chain_id=chain_id,
        name=name,
        market=_address(addresses, "market"),
        forwarder=_address(addresses, "forwarder"),
        usdc=_address({"usdc": usdc.get("address")}, "usdc"),
        usdc_name=usdc["name"],
        usdc_version=usdc["version"],
        identity_registry=_optional(addresses, "identityRegistry"),
        identity_registrar=_optional(addresses, "identityRegistrar"),
        bound=bound,
        local=content.get("local") is True,
    )


def _record(content: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = content.get(name)
    if not isinstance(value, Mapping):
        raise ValueError("the deployment lacks contracts, usdc or registries")
    return value


def _address(addresses: Mapping[str, Any], name: str) -> str:
    address = _optional(addresses, name)
    if address is None:
        raise ValueError(f"the deployment has no address of `{name}`")
    return address


def _optional(addresses: Mapping[str, Any], name: str) -> str | None:
    value = addresses.get(name)
    return value.lower() if isinstance(value, str) and ADDRESS.fullmatch(value) else None
