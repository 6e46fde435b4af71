// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BonusAccount, BonusBounds, BonusCaps, BonusLock, BonusRamp, BonusTerms} from "../interfaces/IBonusHook.sol";

/// @dev Sums of the bonuses credited in one epoch. If `epoch` is below the present epoch, the sums of the present epoch
/// are zero.
/// @param epoch Number of the epoch, counted from 0.
/// @param usd Credited value in USDC base units.
/// @param tokens Credited tokens in base units.
struct EpochTotals {
    uint16 epoch;
    uint48 usd;
    uint128 tokens;
}

/// @dev All state of the bonus hook. The structs `terms`, `bounds` and `epochTotals` fill one storage slot each.
/// @param terms Rate, size and split of bonuses.
/// @param bounds Limits of a bonus and of a locked rate.
/// @param caps Caps of the bonuses in one epoch of 7 days.
/// @param ramp Multipliers by the age of a wallet.
/// @param epochTotals Sums of the latest epoch in which a bonus was credited.
/// @param totalClaimable Sum of the claimable tokens of all accounts, never above the token balance.
/// @param accounts Bonus records by account.
/// @param locks Locked bonus terms by task.
/// @param nonces Nonces of signed withdrawals that each account has used.
struct BonusStorage {
    BonusTerms terms;
    BonusBounds bounds;
    BonusCaps caps;
    BonusRamp ramp;
    EpochTotals epochTotals;
    uint256 totalClaimable;
    mapping(address account => BonusAccount) accounts;
    mapping(bytes32 taskId => BonusLock) locks;
    mapping(address account => mapping(bytes32 nonce => bool)) nonces;
}
