// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HookVerdict, TaskContext} from "../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../src/interfaces/ITaskMarket.sol";
import {BaseTaskHook} from "../hooks/BaseTaskHook.sol";

/// @title Writes a receipt for every award of the tasks it is attached to
/// @notice A notification can be missed: its gas is bounded, and the market pays whether it succeeds or not. So what
/// matters must also be provable afterwards. Here any account can hand in the awards of a task whose completion was
/// missed; they are checked against the hash that the market keeps.
contract CompletionReceiptHook is BaseTaskHook {
    /// @dev A task this hook was attached to is expected to be completed, and has its receipts once.
    enum Stage {
        Unknown,
        Expected,
        Issued
    }

    error NothingToIssue(bytes32 taskId);
    error AwardsMismatch(bytes32 expected, bytes32 actual);

    /// @notice One award of a completed task; `amount` is gross, in USDC base units.
    event ReceiptIssued(bytes32 indexed taskId, address indexed worker, address indexed requester, uint256 amount);

    mapping(bytes32 taskId => Stage) public stageOf;

    constructor(ITaskMarket taskMarket) BaseTaskHook(taskMarket) {}

    /// @notice Issues the receipts of a completion that this hook did not hear of.
    /// @param workers Of the task's awards, in the order of its TaskCompleted events.
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

    /// @dev One slot for the task and a log for each award: fifty of them fit into the gas of a call.
    function _onComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict) internal override {
        if (stageOf[taskId] != Stage.Expected) return;
        stageOf[taskId] = Stage.Issued;
        for (uint256 i; i < verdict.awards.length; i++) {
            emit ReceiptIssued(taskId, verdict.awards[i].worker, context.requester, verdict.awards[i].amount);
        }
    }
}
