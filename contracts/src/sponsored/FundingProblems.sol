// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Problems that prevent the funding of a task, one bit each
/// @notice Names the bits in the result of `problemsOf`; zero means that a task can be funded. Example: 6 is an
/// announced exit (2) and an inactive manager (4).
library FundingProblems {
    /// @dev The hook's factory has not created a vault with the given id.
    uint256 internal constant HOOK_NOT_CONFIGURED = 1 << 0;
    /// @dev The owner has announced the exit of the vault, or has already exited.
    uint256 internal constant VAULT_NOT_ACTIVE = 1 << 1;
    /// @dev The owner has not allowed charges for this manager.
    uint256 internal constant MANAGER_NOT_ACTIVE = 1 << 2;
    /// @dev The charge would exceed the manager's cap.
    uint256 internal constant MANAGER_CAP_EXCEEDED = 1 << 3;
    /// @dev The vault's token balance cannot be read, or is below the sum of the vault's available, reserved, owed and
    /// fee amounts.
    uint256 internal constant VAULT_INSOLVENT = 1 << 4;
    /// @dev The vault has fewer available tokens than the charge.
    uint256 internal constant VAULT_INSUFFICIENT_AVAILABLE = 1 << 5;
    /// @dev The owner has not allowed this hook to charge the vault.
    uint256 internal constant HOOK_NOT_AUTHORIZED_CHARGER = 1 << 6;
    /// @dev The platform fee of the charge is above the vault's fee credit. The fee credit is the owner's limit on the
    /// platform fees of new charges.
    uint256 internal constant INSUFFICIENT_FEE_CREDIT = 1 << 7;
}
