// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {MarketFlags} from "../types/MarketFlags.sol";
import {Evaluation, Flags, MarketStorage, Task} from "../types/MarketStorage.sol";
import {Kind, Modes} from "../types/Modes.sol";
import {Status} from "../types/TaskTypes.sol";
import {Amounts} from "./Amounts.sol";

/// @title Task lookups and shared checks
/// @notice A function whose check fails reverts with an error of `ITaskMarket`.
library Tasks {
    /// @dev Returns the id of a task, as ERC-8195 defines it. `nonce` is the number of tasks that the requester created
    /// before.
    function idOf(address requester, uint256 nonce) internal view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), requester, nonce));
    }

    /// @dev Returns a task. Reverts with TaskNotFound if the task does not exist.
    function get(MarketStorage storage market, bytes32 taskId) internal view returns (Task storage task) {
        task = market.tasks[taskId];
        if (task.status == Status.None) revert ITaskMarket.TaskNotFound(taskId);
    }

    /// @dev Returns a task of this requester. Reverts with TaskNotFound if the task does not exist. Reverts with
    /// NotRequester if the task belongs to a different account.
    function getOf(MarketStorage storage market, bytes32 taskId, address requester)
        internal
        view
        returns (Task storage task)
    {
        task = market.tasks[taskId];
        if (task.requester == requester) return task;
        // A task that does not exist has no requester, and an actor is never the zero address.
        if (task.requester == address(0)) revert ITaskMarket.TaskNotFound(taskId);
        revert ITaskMarket.NotRequester(requester);
    }

    /// @dev Returns an open task. Reverts with TaskNotFound if the task does not exist, or with WrongStatus if it is
    /// not open.
    function getOpen(MarketStorage storage market, bytes32 taskId) internal view returns (Task storage task) {
        task = market.tasks[taskId];
        Status status = task.status;
        if (status == Status.Open) return task;
        if (status == Status.None) revert ITaskMarket.TaskNotFound(taskId);
        revert ITaskMarket.WrongStatus(status);
    }

    /// @dev Returns an open task of this requester. Reverts with TaskNotFound, NotRequester or WrongStatus.
    function getOpenOf(MarketStorage storage market, bytes32 taskId, address requester)
        internal
        view
        returns (Task storage task)
    {
        task = getOf(market, taskId, requester);
        requireStatus(task, Status.Open);
    }

    /// @dev Reverts with WrongStatus if the task has another status.
    function requireStatus(Task storage task, Status status) internal view {
        if (task.status != status) revert ITaskMarket.WrongStatus(task.status);
    }

    /// @dev Reverts with WrongMode if the task is of another kind.
    function requireKind(Task storage task, Kind kind) internal view {
        if (task.kind != kind) revert ITaskMarket.WrongMode(Modes.modeOf(task.kind));
    }

    /// @dev Reverts with WrongMode if the task is not a contest (bounty or benchmark).
    function requireContest(Task storage task) internal view {
        if (!Modes.isContest(task.kind)) revert ITaskMarket.WrongMode(Modes.modeOf(task.kind));
    }

    /// @dev Reverts with DeadlinePassed if the block's time is at or after the deadline.
    function requireBefore(uint256 deadline) internal view {
        if (block.timestamp >= deadline) revert ITaskMarket.DeadlinePassed(deadline);
    }

    /// @dev Reverts with DeadlineNotReached if the block's time is before the deadline. At the deadline itself the
    /// check passes.
    function requireReached(uint256 deadline) internal view {
        if (block.timestamp < deadline) revert ITaskMarket.DeadlineNotReached(deadline);
    }

    /// @dev Reverts with EntriesPaused while the owner has paused entries.
    function requireUnpaused(MarketStorage storage market) internal view {
        if (market.flags & MarketFlags.PAUSED != 0) revert ITaskMarket.EntriesPaused();
    }

    /// @dev Reverts with EvaluatorDecides if the task has an evaluator, because then the requester must not decide.
    function requireNoEvaluator(MarketStorage storage market, Task storage task, bytes32 taskId) internal view {
        if (has(task, Flags.EVALUATOR)) revert ITaskMarket.EvaluatorDecides(market.evaluations[taskId].evaluator);
    }

    /// @dev Reverts with CannotEnter if the worker is the task's evaluator or resolver. Such an account decides about
    /// the work.
    function requireMayEnter(MarketStorage storage market, Task storage task, bytes32 taskId, address worker)
        internal
        view
    {
        if (!has(task, Flags.EVALUATOR)) return;
        Evaluation storage evaluation = market.evaluations[taskId];
        if (worker == evaluation.evaluator || worker == evaluation.resolver) revert ITaskMarket.CannotEnter(worker);
    }

    /// @dev Returns the time of the block in which the call runs, in Unix seconds. 40 bits are enough for 34,000 years.
    function time() internal view returns (uint40) {
        return SafeCast.toUint40(block.timestamp);
    }

    /// @dev Returns whether the task has the given bit of `Flags` set.
    function has(Task storage task, uint8 flag) internal view returns (bool) {
        return task.flags & flag != 0;
    }

    /// @dev Returns the stake that the market holds for the task, in USDC base units; zero if no worker is assigned.
    /// The stake can be calculated from the reward, because the reward of an assigned task never changes.
    function stakeHeld(Task storage task) internal view returns (uint72) {
        Status status = task.status;
        return status >= Status.Claimed && status <= Status.Disputed ? Amounts.partOf(task.reward, task.stakeBps) : 0;
    }
}
