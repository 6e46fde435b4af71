// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskHook} from "./ITaskHook.sol";
import {ISponsoredVault} from "./ISponsoredVault.sol";
import {ISponsoredVaultFactory} from "./ISponsoredVaultFactory.sol";

/// @notice The hook data of a sponsored task, ABI-encoded.
/// @param version 1.
/// @param manager Requester of the task.
/// @param gross What the task charges, base units of the vault's token, platform fee included.
/// @param epoch Of the vault.
/// @param feeBps Of the market.
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
/// @notice A requester attaches it to a task, last in the list, with `FundingTerms` as its hook data. The creation charges
/// the vault, or reverts. When the task is paid out each winner is credited with floor(net * award / base) tokens, where
/// `base` is what the task could pay and `net` the charge without its platform fee; the rest, and all of it when the task
/// ends otherwise, goes back to the vault's owner. An award of the requester to itself earns nothing. A credit that was
/// missed is made up by `reconcile`; claims open with `installSettlement`. Both are open to any account.
interface ISponsoredTasksHook is ITaskHook {
    error NotTheMarket(address caller);
    error InvalidHookData();
    error NotTheManager(address requester, address manager);
    error UnknownVault(bytes32 vaultId);
    error TaskTermsMismatch(bytes32 expected, bytes32 actual);
    error WrongFeeBps(uint256 expected, uint256 actual);
    error WrongEpoch(uint256 expected, uint256 actual);
    error InvalidGross(uint256 gross);
    error NoReward(bytes32 taskId);
    error NothingToReconcile(bytes32 taskId);
    error TaskNotEnded(bytes32 taskId);
    error NothingToSettle(bytes32 taskId);
    error AwardsMismatch(bytes32 expected, bytes32 actual);

    /// @notice Credits or releases the reward of an ended task whose ending this hook missed.
    /// @param workers Of the task's awards, in their order; empty for a task that ended without awards.
    /// @param amounts Their gross amounts, USDC base units.
    function reconcile(bytes32 taskId, address[] calldata workers, uint256[] calldata amounts) external;

    /// @notice Opens the claims of a credited reward. Parameters as of `reconcile`.
    function installSettlement(bytes32 taskId, address[] calldata workers, uint256[] calldata amounts) external;

    /// @notice What keeps a manager from creating a task that charges `gross`; bits of `FundingProblems`.
    function problemsOf(bytes32 vaultId, address manager, uint256 gross) external view returns (uint256);

    /// @notice The vault that a task charged; zero: none.
    function vaultOfTask(bytes32 taskId) external view returns (ISponsoredVault);

    function factory() external view returns (ISponsoredVaultFactory);
    function market() external view returns (address);
}
