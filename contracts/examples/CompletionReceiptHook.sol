// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HookVerdict, TaskContext} from "../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../src/interfaces/ITaskMarket.sol";
import {BaseTaskHook} from "../hooks/BaseTaskHook.sol";

/// @title Example: a hook that logs a receipt for every award of its tasks
/// @notice A notification of the market can fail, because its gas is limited and the market pays the task in any case.
/// A hook with an important effect must therefore be able to catch up later. In this hook any account can submit the
/// awards of a task whose completion was missed. The hook checks these awards against the hash that the market stores.
contract CompletionReceiptHook is BaseTaskHook {
    /// @notice The stage of a task in this hook. `Unknown`: the hook is not attached to the task. `Expected`: the task
    /// was created with this hook, and its receipts are not issued. `Issued`: the receipts are issued.
    enum Stage {
        Unknown,
        Expected,
        Issued
    }

    /// @notice The hook is not attached to the task, or the receipts of the task are already issued.
    error NothingToIssue(bytes32 taskId);
    /// @notice The given workers and amounts are not the awards of the task. The hash of the given values is `actual`,
    /// but the market's hash of the awards is `expected`.
    error AwardsMismatch(bytes32 expected, bytes32 actual);

    /// @notice The receipt for one award of a completed task. `amount` is the gross award in USDC base units.
    event ReceiptIssued(bytes32 indexed taskId, address indexed worker, address indexed requester, uint256 amount);

    /// @notice Returns the stage of a task in this hook.
    mapping(bytes32 taskId => Stage) public stageOf;

    /// @param taskMarket The market, the only account that may call the functions of the hook ABI.
    constructor(ITaskMarket taskMarket) BaseTaskHook(taskMarket) {}

    /// @notice Issues the receipts of a completed task if the market's call of `onComplete` failed. Any account may
    /// call. Example: `issueMissed(taskId, [alice], [2000000])`.
    /// @param workers Workers of the task's awards, in the order of its TaskCompleted events.
    /// @param amounts Gross amounts of the same awards, in USDC base units.
    function issueMissed(bytes32 taskId, address[] calldata workers, uint256[] calldata amounts) external {
        // Check:
        if (stageOf[taskId] != Stage.Expected) revert NothingToIssue(taskId);
        bytes32 expected = MARKET.awardsHash(taskId);
        bytes32 actual = keccak256(abi.encode(workers, amounts));
        if (expected != actual) revert AwardsMismatch(expected, actual);

        // Effect:
        stageOf[taskId] = Stage.Issued;

        // Log:
        address requester = MARKET.getTask(taskId).requester;
        for (uint256 i; i < workers.length; i++) {
            emit ReceiptIssued(taskId, workers[i], requester, amounts[i]);
        }
    }

    function _checkFund(bytes32 taskId, TaskContext calldata, bytes calldata) internal override returns (bool) {
        stageOf[taskId] = Stage.Expected;
        return true;
    }

    /// @dev Writes one storage slot for the task and emits one event for each award. Fifty events fit into the gas of
    /// one call.
    function _onComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict) internal override {
        if (stageOf[taskId] != Stage.Expected) return;
        stageOf[taskId] = Stage.Issued;
        for (uint256 i; i < verdict.awards.length; i++) {
            emit ReceiptIssued(taskId, verdict.awards[i].worker, context.requester, verdict.awards[i].amount);
        }
    }
}
