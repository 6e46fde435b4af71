// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BonusAccount, BonusBounds, BonusCaps, BonusLock, BonusRamp, BonusTerms} from "../interfaces/IBonusHook.sol";

/// @dev What an epoch credited. A number other than the present epoch's reads as zeros.
struct EpochTotals {
    uint16 epoch;
    uint48 usd;
    uint128 tokens;
}

/// @dev Everything a programme keeps; each struct but `caps` is one slot.
struct BonusStorage {
    BonusTerms terms;
    BonusBounds bounds;
    BonusCaps caps;
    BonusRamp ramp;
    EpochTotals epochTotals;
    /// @dev Sum of all `claimable`, never above the balance.
    uint256 totalClaimable;
    mapping(address account => BonusAccount) accounts;
    mapping(bytes32 taskId => BonusLock) locks;
    mapping(address account => mapping(bytes32 nonce => bool)) nonces;
}
