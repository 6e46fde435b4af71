// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HookVerdict, TaskContext} from "../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../src/interfaces/ITaskMarket.sol";
import {BaseTaskHook} from "../hooks/BaseTaskHook.sol";

/// @title Example: a hook that writes a receipt for every award of its tasks
/// @notice A notification can be missed: its gas is bounded, and the market pays whether it succeeds or not. So an
/// effect that matters must also be provable afterwards. Here any account can pass on the awards of a task whose
/// completion was missed; they are checked against the hash that the market stores.
contract CompletionReceiptHook is BaseTaskHook {
    /// @notice The stage of a task: its completion is expected from the creation on, and its receipts are issued once.
    enum Stage {
        Unknown,
        Expected,
        Issued
    }

    /// @notice The hook is not attached to the task, or its receipts are issued.
    error NothingToIssue(bytes32 taskId);
    /// @notice Workers and amounts are not the awards of the task, whose hash the market stores.
    error AwardsMismatch(bytes32 expected, bytes32 actual);

    /// @notice One award of a completed task; `amount` is gross, in USDC base units.
    event ReceiptIssued(bytes32 indexed taskId, address indexed worker, address indexed requester, uint256 amount);

    /// @notice Returns the stage of a task.
    mapping(bytes32 taskId => Stage) public stageOf;

    /// @param taskMarket The only caller of the hook's steps.
    constructor(ITaskMarket taskMarket) BaseTaskHook(taskMarket) {}

    /// @notice Issues the receipts of a completion whose notification failed. Example: `issueMissed(taskId, [alice],
    /// [2000000])`.
    /// @param workers Workers of the task's awards, in the order of its TaskCompleted events.
    /// @param amounts Their gross amounts.
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

    /// @dev Writes one slot for the task and a log for each award: fifty of them fit into the gas of a call.
    function _onComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict) internal override {
        if (stageOf[taskId] != Stage.Expected) return;
        stageOf[taskId] = Stage.Issued;
        for (uint256 i; i < verdict.awards.length; i++) {
            emit ReceiptIssued(taskId, verdict.awards[i].worker, context.requester, verdict.awards[i].amount);
        }
    }
}
