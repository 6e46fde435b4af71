// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {HookState, TaskContext} from "../interfaces/ITaskHook.sol";
import {Evaluation, Flags, MarketStorage, Task} from "../types/MarketStorage.sol";
import {Modes} from "../types/Modes.sol";
import {Status} from "../types/TaskTypes.sol";
import {Tasks} from "./Tasks.sol";

/// @title A task in the form that hooks receive
/// @notice Converts the market's storage into the structs of the hook ABI (ERC-8195).
library Contexts {
    /// @dev Returns the context of a task. The tags are empty, because the market stores only a hash of the tags.
    function contextOf(MarketStorage storage market, IERC20 usdc, bytes32 taskId)
        internal
        view
        returns (TaskContext memory context)
    {
        Task storage task = market.tasks[taskId];
        context.taskId = taskId;
        context.requester = task.requester;
        context.paymentToken = address(usdc);
        Status status = task.status;
        // While an auction is open, `price` is its lowest bid, which no account owes yet.
        context.reward = status != Status.Open && task.worker != address(0) ? task.price : task.reward;
        context.submissionDeadline = task.expiryTime;
        context.currentState = stateOf(status);
        context.mode = Modes.modeOf(task.kind);
        if (!Tasks.has(task, Flags.EVALUATOR)) return context;
        Evaluation storage evaluation = market.evaluations[taskId];
        context.evaluator = evaluation.evaluator;
        context.disputeResolver = evaluation.resolver;
        context.evaluatorFeeBps = evaluation.feeBps;
        context.evaluationWindow = evaluation.evaluationWindow;
        context.appealWindow = evaluation.appealWindow;
    }

    /// @dev Returns the hook state for a status. The result is Open for the status None (the task does not exist).
    function stateOf(Status status) internal pure returns (HookState) {
        if (status >= Status.Completed) return _endOf(status);
        if (status == Status.Claimed) return HookState.Claimed;
        if (status == Status.WorkerSelected) return HookState.WorkerSelected;
        if (status == Status.PendingApproval) return HookState.PendingApproval;
        if (status == Status.Review) return HookState.Review;
        if (status == Status.Appealing) return HookState.Appealing;
        if (status == Status.Disputed) return HookState.Disputed;
        return HookState.Open;
    }

    /// @dev Returns the hook state that corresponds to a terminal status: Completed, Expired or Cancelled.
    function _endOf(Status status) private pure returns (HookState) {
        if (status == Status.Completed) return HookState.Accepted;
        return status == Status.Expired ? HookState.Expired : HookState.Cancelled;
    }
}
