"""Money and time, rounded as the contracts do it. Amounts are whole base units (1 USDC = 1,000,000)."""

import math
from collections.abc import Sequence

from .abi import encode
from .keys import from_hex, keccak256, to_hex

BPS = 10_000
ACTION_FEE = 1_000


def to_base_units(usdc: str) -> int:
    """Example: `1.5` is 1,500,000."""
    whole, _, fraction = usdc.partition(".")
    if not (whole + fraction).isdecimal() or len(fraction) > 6:
        raise ValueError(f"{usdc!r} is no amount of USDC with six decimals at most")
    return int((whole or "0") + fraction.ljust(6, "0"))


def part_of(amount: int, bps: int) -> int:
    """A fee, stake or share: rounded down."""
    return amount * bps // BPS


def split_reward(reward: int, shares_bps: Sequence[int]) -> list[int]:
    """The gross amounts of a split; what the division leaves over goes to the first."""
    grosses = [part_of(reward, share) for share in shares_bps]
    return [grosses[0] + reward - sum(grosses), *grosses[1:]]


def clock_price(is_dutch: bool, maximum: int, other: int, created_at: int, deadline: int, now: int) -> int:
    """The price of a clock auction: from `maximum` down to `other` (dutch), or from `other` up."""
    elapsed = max(0, min(now, deadline) - created_at)
    moved = (maximum - other) * elapsed // (deadline - created_at)
    return maximum - moved if is_dutch else other + moved


def to_seconds(hours: float) -> int:
    """Whole seconds of a window, rounded up, at least one; the noise of binary fractions does not count."""
    return max(1, math.ceil(round(hours * 3_600, 6)))


LEAF = "bytes32,uint64,bytes32,bytes32,uint256,address,uint256"


def settlement_leaf(vault_id: str, epoch: int, task_id: str, index: int, worker: str, amount: int) -> str:
    """The leaf of an award in the merkle tree of a vault's settlement."""
    return to_hex(keccak256(keccak256(encode(LEAF, vault_id, epoch, task_id, task_id, index, worker, amount))))


def root_of_proof(leaf: str, proof: Sequence[str]) -> str:
    """The root that a proof leads to: pairs are hashed in order."""
    node = from_hex(leaf)
    for sibling in map(from_hex, proof):
        node = keccak256(min(node, sibling) + max(node, sibling))
    return to_hex(node)
