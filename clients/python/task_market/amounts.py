"""Arithmetic of money and time, rounded as the contracts do. Amounts are whole base units (1 USDC = 1,000,000)."""

import math
from collections.abc import Sequence

from .abi import encode
from .keys import from_hex, keccak256, to_hex

BPS = 10_000
ACTION_FEE = 1_000


def to_base_units(usdc: str) -> int:
    """Parses an amount of USDC. Example: `to_base_units("1.5")` is 1,500,000."""
    whole, _, fraction = usdc.partition(".")
    if not (whole + fraction).isdecimal() or len(fraction) > 6:
        raise ValueError(f"{usdc!r} is no amount of USDC with six decimals at most")
    return int((whole or "0") + fraction.ljust(6, "0"))


def part_of(amount: int, bps: int) -> int:
    """Returns a fee, stake or share, rounded down. Example: `part_of(2_000_000, 500)` is 100,000."""
    return amount * bps // BPS


def split_reward(reward: int, shares_bps: Sequence[int]) -> list[int]:
    """Returns the gross amounts of a split; the first gets the remainder. Example: 100 by `[3333, 6667]` is `[34, 66]`.
    """
    grosses = [part_of(reward, share) for share in shares_bps]
    return [grosses[0] + reward - sum(grosses), *grosses[1:]]


def clock_price(is_dutch: bool, maximum: int, other: int, created_at: int, deadline: int, now: int) -> int:
    """Returns the price of a clock auction: from `maximum` down to `other` (dutch), or from `other` up. Times in Unix
    seconds. Example: `clock_price(True, 100, 40, 0, 60, 30)` is 70.
    """
    elapsed = max(0, min(now, deadline) - created_at)
    moved = (maximum - other) * elapsed // (deadline - created_at)
    return maximum - moved if is_dutch else other + moved


def to_seconds(hours: float) -> int:
    """Converts hours to whole seconds, rounded up, at least 1. Ignores floating-point noise. Example: 1.5 hours are
    5400.
    """
    return max(1, math.ceil(round(hours * 3_600, 6)))


LEAF = "bytes32,uint64,bytes32,bytes32,uint256,address,uint256"


def settlement_leaf(vault_id: str, epoch: int, task_id: str, index: int, worker: str, amount: int) -> str:
    """Returns the leaf of an award in the Merkle tree of a vault's settlement."""
    return to_hex(keccak256(keccak256(encode(LEAF, vault_id, epoch, task_id, task_id, index, worker, amount))))


def root_of_proof(leaf: str, proof: Sequence[str]) -> str:
    """Returns the root of a Merkle proof. Each pair is sorted before it is hashed."""
    node = from_hex(leaf)
    for sibling in map(from_hex, proof):
        node = keccak256(min(node, sibling) + max(node, sibling))
    return to_hex(node)
