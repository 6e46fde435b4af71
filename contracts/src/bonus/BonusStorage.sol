// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BonusAccount, BonusBounds, BonusCaps, BonusLock, BonusRamp, BonusTerms} from "../interfaces/IBonusHook.sol";

/// @dev Credits of an epoch. Another number than the present epoch's reads as zeros.
/// @param epoch Number of the epoch.
/// @param usd Credited value, USDC base units.
/// @param tokens Credited tokens.
struct EpochTotals {
    uint16 epoch;
    uint48 usd;
    uint128 tokens;
}

/// @dev All storage of a programme; each struct but `caps` is one slot.
/// @param terms Rate, size and division.
/// @param bounds Bounds against the platform fee and the present rate.
/// @param caps Caps of an epoch.
/// @param ramp Multipliers by a wallet's age.
/// @param epochTotals Credits of the latest epoch that has any.
/// @param totalClaimable Sum of all `claimable`, never above the balance.
/// @param accounts Records of accounts.
/// @param locks Locked values by task.
/// @param nonces Nonces of signed withdrawals that an account used.
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
