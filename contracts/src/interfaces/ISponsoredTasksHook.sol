// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskHook} from "./ITaskHook.sol";
import {ISponsoredVault} from "./ISponsoredVault.sol";
import {ISponsoredVaultFactory} from "./ISponsoredVaultFactory.sol";

/// @notice The hook data of a sponsored task, ABI-encoded.
/// @param version 1.
/// @param vaultId Vault that is charged.
/// @param manager Requester of the task, a manager of the vault.
/// @param gross Charge of the task, base units of the vault's token, platform fee included.
/// @param epoch Epoch of the vault.
/// @param feeBps Platform fee of the market.
/// @param termsHash `ITaskMarket.taskTermsHash` of the task that is created.
struct FundingTerms {
    uint256 version;
    bytes32 vaultId;
    address manager;
    uint256 gross;
    uint256 epoch;
    uint256 feeBps;
    bytes32 termsHash;
}

/// @title Rewards of vaults for tasks
/// @notice Pays winners of a task an extra reward from a sponsor's vault. A requester attaches it to a task, last in
/// the list, with `FundingTerms` as its hook data. The creation charges the vault, or reverts. When the task is paid
/// out, each winner is credited with floor(net * award / base) tokens, where `base` is what the task could pay and
/// `net` the charge without its platform fee. The rest returns to the vault's owner, and all of it when the task ends
/// otherwise. An award of the requester to itself earns nothing. `reconcile` makes up for a credit that was missed;
/// `installSettlement` opens the claims. Any account may call both.
///
/// Example: a charge of 100e18 with a fee of 7.5 % has a net of 92.5e18. An award of half the reward earns 46.25e18.
interface ISponsoredTasksHook is ITaskHook {
    /// @notice Only the market calls a hook's steps.
    error NotTheMarket(address caller);
    /// @notice The hook data is not one `FundingTerms` of version 1.
    error InvalidHookData();
    /// @notice The requester of the task must be the manager in its hook data.
    error NotTheManager(address requester, address manager);
    /// @notice The factory made no vault of this id.
    error UnknownVault(bytes32 vaultId);
    /// @notice The task's terms hash is `actual`, and the funding agrees to `expected`.
    error TaskTermsMismatch(bytes32 expected, bytes32 actual);
    /// @notice The market's fee is `expected`, and the funding names `actual`.
    error WrongFeeBps(uint256 expected, uint256 actual);
    /// @notice The vault's epoch is `expected`, and the funding names `actual`.
    error WrongEpoch(uint256 expected, uint256 actual);
    /// @notice A charge is above zero and at most 2^128 - 1.
    error InvalidGross(uint256 gross);
    /// @notice The task charged no vault.
    error NoReward(bytes32 taskId);
    /// @notice The reward is not reserved any more.
    error NothingToReconcile(bytes32 taskId);
    /// @notice The task has not ended.
    error TaskNotEnded(bytes32 taskId);
    /// @notice The reward is not credited, or its epoch has ended.
    error NothingToSettle(bytes32 taskId);
    /// @notice Workers and amounts are not the awards of the task, whose hash the market holds.
    error AwardsMismatch(bytes32 expected, bytes32 actual);

    /// @notice Credits or releases the reward of an ended task whose `onComplete`, `onCancel` or `onExpire` failed
    /// here. Any account may call.
    ///
    /// Example: `reconcile(taskId, [alice], [2000000])` for one award; `reconcile(taskId, [], [])` for a cancelled
    /// task.
    /// @param workers Workers of the task's awards, in their order; empty for a task that ended without awards.
    /// @param amounts Their gross amounts, USDC base units.
    function reconcile(bytes32 taskId, address[] calldata workers, uint256[] calldata amounts) external;

    /// @notice Opens the claims of a credited reward; any account may call. It computes the merkle root of the claims
    /// from the awards, which the market's hash proves.
    ///
    /// Example: `installSettlement(taskId, [alice, bob], [1000000, 1000000])`.
    /// @param workers Workers of the task's awards, in their order.
    /// @param amounts Their gross amounts, USDC base units.
    function installSettlement(bytes32 taskId, address[] calldata workers, uint256[] calldata amounts) external;

    /// @notice Returns what keeps a manager from creating a task that charges `gross`, as bits of `FundingProblems`;
    /// zero: nothing.
    ///
    /// Example: 6 for an announced exit (2) and a manager that is not active (4).
    function problemsOf(bytes32 vaultId, address manager, uint256 gross) external view returns (uint256);

    /// @notice Returns the vault that a task charged; zero: none.
    ///
    /// Example: zero for a task without this hook.
    function vaultOfTask(bytes32 taskId) external view returns (ISponsoredVault);

    /// @notice Returns the factory of the vaults.
    ///
    /// Example: the contract whose `hook()` is this hook.
    function factory() external view returns (ISponsoredVaultFactory);
    /// @notice Returns the only market that calls this hook.
    ///
    /// Example: the `TaskMarket` of the deployment.
    function market() external view returns (address);
}
