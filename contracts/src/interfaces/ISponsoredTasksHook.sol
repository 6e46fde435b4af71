// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskHook} from "./ITaskHook.sol";
import {ISponsoredVault} from "./ISponsoredVault.sol";
import {ISponsoredVaultFactory} from "./ISponsoredVaultFactory.sol";

/// @notice The terms of a sponsored reward. The hook data of a sponsored task is this struct, ABI-encoded.
/// @param version Version of this struct, always 1.
/// @param vaultId Id of the vault that is charged.
/// @param manager Requester of the task, who must be a manager of the vault.
/// @param gross Tokens that are charged for the task, in base units of the vault's token, platform fee included.
/// @param epoch The present epoch of the vault: 0 until the exit, 1 after the exit.
/// @param feeBps Platform fee of the market, in basis points.
/// @param termsHash `ITaskMarket.taskTermsHash` of the new task.
struct FundingTerms {
    uint256 version;
    bytes32 vaultId;
    address manager;
    uint256 gross;
    uint256 epoch;
    uint256 feeBps;
    bytes32 termsHash;
}

/// @title Hook that pays rewards from sponsors' vaults
/// @notice Pays the winners of a task an additional reward from a sponsor's vault. A requester attaches this hook to a
/// task, as the last hook, with `FundingTerms` as hook data. The creation of the task charges the vault; if the charge
/// fails, the creation reverts.
///
/// When the task is paid out, each winner is credited with floor(net * award / base) tokens. `net`: the charge without
/// its platform fee. `award`: the winner's award in USDC. `base`: the gross amount that the task can pay in USDC, which
/// is the price if an auction assigned a worker, else the reward. The rest of the charge returns to the vault's owner.
/// If nobody is paid, the whole charge returns. An award of the requester to itself earns nothing.
///
/// `reconcile` repeats a failed credit or release. `installSettlement` opens the claims. Any account may call these two
/// functions.
///
/// Example: a charge of 100e18 with a fee of 7.5 % has a net of 92.5e18. An award of half the reward earns 46.25e18.
interface ISponsoredTasksHook is ITaskHook {
    /// @notice Only the market may call the functions of the hook ABI.
    error NotTheMarket(address caller);
    /// @notice The hook data is not an ABI-encoded `FundingTerms` of version 1.
    error InvalidHookData();
    /// @notice The requester of the task is not the manager that the hook data names.
    error NotTheManager(address requester, address manager);
    /// @notice The hook's factory has not created a vault with this id.
    error UnknownVault(bytes32 vaultId);
    /// @notice The terms hash of the task is `actual`, but the hook data contains `expected`.
    error TaskTermsMismatch(bytes32 expected, bytes32 actual);
    /// @notice The market's platform fee is `expected`, but the hook data contains `actual`. Both are basis points.
    error WrongFeeBps(uint256 expected, uint256 actual);
    /// @notice The vault's epoch is `expected`, but the hook data contains `actual`.
    error WrongEpoch(uint256 expected, uint256 actual);
    /// @notice The charged reward must be above zero and at most 2^128 - 1 base units of the token.
    error InvalidGross(uint256 gross);
    /// @notice No vault pays a reward for this task.
    error NoReward(bytes32 taskId);
    /// @notice The reward of the task is no longer reserved.
    error NothingToReconcile(bytes32 taskId);
    /// @notice The task has not ended.
    error TaskNotEnded(bytes32 taskId);
    /// @notice The state of the reward is not Credited, or the vault has exited since the charge.
    error NothingToSettle(bytes32 taskId);
    /// @notice The given workers and amounts are not the awards of the task. `expected`: the market's hash of the
    /// awards. `actual`: the hash of the given workers and amounts.
    error AwardsMismatch(bytes32 expected, bytes32 actual);

    /// @notice Credits or releases the reward of an ended task. Needed if `onComplete`, `onCancel` or `onExpire` of
    /// this hook failed. Any account may call.
    ///
    /// Example: `reconcile(taskId, [alice], [2000000])` for one award; `reconcile(taskId, [], [])` for a cancelled
    /// task.
    /// @param workers Workers of the task's awards, in the order of the awards; empty if the task has no awards.
    /// @param amounts Gross amounts of the awards, in the same order, in USDC base units.
    function reconcile(bytes32 taskId, address[] calldata workers, uint256[] calldata amounts) external;

    /// @notice Opens the claims of a credited reward. The given awards must match the hash that the market stores. Any
    /// account may call.
    ///
    /// Example: `installSettlement(taskId, [alice, bob], [1000000, 1000000])`.
    /// @param workers Workers of the task's awards, in the order of the awards.
    /// @param amounts Gross amounts of the awards, in the same order, in USDC base units.
    function installSettlement(bytes32 taskId, address[] calldata workers, uint256[] calldata amounts) external;

    /// @notice Returns the reasons why a manager cannot create a task that charges `gross` tokens, as bits of
    /// `FundingProblems`; zero if the creation is possible.
    ///
    /// Example: 6 for an announced exit (2) and a manager that is not active (4).
    function problemsOf(bytes32 vaultId, address manager, uint256 gross) external view returns (uint256);

    /// @notice Returns the vault that a task charged; zero if the task charged no vault.
    ///
    /// Example: zero for a task without this hook.
    function vaultOfTask(bytes32 taskId) external view returns (ISponsoredVault);

    /// @notice Returns the factory that creates the vaults of this hook.
    ///
    /// Example: the contract whose `hook()` is this hook.
    function factory() external view returns (ISponsoredVaultFactory);
    /// @notice Returns the market, the only account that may call the functions of the hook ABI.
    ///
    /// Example: the `TaskMarket` of the deployment.
    function market() external view returns (address);
}
