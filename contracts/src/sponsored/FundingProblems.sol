// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title What can keep a task from being funded by a vault, one bit each
library FundingProblems {
    /// @dev The vault is none of the hook's factory.
    uint256 internal constant HOOK_NOT_CONFIGURED = 1 << 0;
    uint256 internal constant VAULT_NOT_ACTIVE = 1 << 1;
    uint256 internal constant MANAGER_NOT_ACTIVE = 1 << 2;
    uint256 internal constant MANAGER_CAP_EXCEEDED = 1 << 3;
    /// @dev The balance is below what the vault counts, or cannot be read.
    uint256 internal constant VAULT_INSOLVENT = 1 << 4;
    uint256 internal constant VAULT_INSUFFICIENT_AVAILABLE = 1 << 5;
    uint256 internal constant HOOK_NOT_AUTHORIZED_CHARGER = 1 << 6;
    uint256 internal constant INSUFFICIENT_FEE_CREDIT = 1 << 7;
}
