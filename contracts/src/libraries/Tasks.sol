// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {MarketFlags} from "../types/MarketFlags.sol";
import {Evaluation, Flags, MarketStorage, Task} from "../types/MarketStorage.sol";
import {Kind, Modes} from "../types/Modes.sol";
import {Status} from "../types/TaskTypes.sol";
import {Amounts} from "./Amounts.sol";

/// @title Reading tasks, with the refusals that every operation shares
/// @notice Each function returns what it reads or reverts with an error of `ITaskMarket`.
library Tasks {
    /// @dev Returns the id of a requester's task; `nonce` counts them from 0. ERC-8195.
    function idOf(address requester, uint256 nonce) internal view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), requester, nonce));
    }

    /// @dev Returns a task. Reverts with TaskNotFound.
    function get(MarketStorage storage market, bytes32 taskId) internal view returns (Task storage task) {
        task = market.tasks[taskId];
        if (task.status == Status.None) revert ITaskMarket.TaskNotFound(taskId);
    }

    /// @dev Returns a task of this requester. Reverts with TaskNotFound, NotRequester.
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

    /// @dev Returns an open task. Reverts with TaskNotFound, WrongStatus.
    function getOpen(MarketStorage storage market, bytes32 taskId) internal view returns (Task storage task) {
        task = market.tasks[taskId];
        Status status = task.status;
        if (status == Status.Open) return task;
        if (status == Status.None) revert ITaskMarket.TaskNotFound(taskId);
        revert ITaskMarket.WrongStatus(status);
    }

    /// @dev Returns an open task of this requester. Reverts with TaskNotFound, NotRequester, WrongStatus.
    function getOpenOf(MarketStorage storage market, bytes32 taskId, address requester)
        internal
        view
        returns (Task storage task)
    {
        task = getOf(market, taskId, requester);
        requireStatus(task, Status.Open);
    }

    /// @dev Reverts with WrongStatus.
    function requireStatus(Task storage task, Status status) internal view {
        if (task.status != status) revert ITaskMarket.WrongStatus(task.status);
    }

    /// @dev Reverts with WrongMode.
    function requireKind(Task storage task, Kind kind) internal view {
        if (task.kind != kind) revert ITaskMarket.WrongMode(Modes.modeOf(task.kind));
    }

    /// @dev Requires a bounty or a benchmark.
    function requireContest(Task storage task) internal view {
        if (!Modes.isContest(task.kind)) revert ITaskMarket.WrongMode(Modes.modeOf(task.kind));
    }

    /// @dev Requires now < deadline. Every window is [start, end): a step is allowed while now < end.
    function requireBefore(uint256 deadline) internal view {
        if (block.timestamp >= deadline) revert ITaskMarket.DeadlinePassed(deadline);
    }

    /// @dev Requires now >= deadline: the step after a window is allowed from its end on.
    function requireReached(uint256 deadline) internal view {
        if (block.timestamp < deadline) revert ITaskMarket.DeadlineNotReached(deadline);
    }

    /// @dev Reverts with EntriesPaused.
    function requireUnpaused(MarketStorage storage market) internal view {
        if (market.flags & MarketFlags.PAUSED != 0) revert ITaskMarket.EntriesPaused();
    }

    /// @dev Refuses the requester's decision while an evaluator is assigned.
    function requireNoEvaluator(MarketStorage storage market, Task storage task, bytes32 taskId) internal view {
        if (has(task, Flags.EVALUATOR)) revert ITaskMarket.EvaluatorDecides(market.evaluations[taskId].evaluator);
    }

    /// @dev Refuses evaluator and resolver as workers: an account that judges a task does not compete in it.
    function requireMayEnter(MarketStorage storage market, Task storage task, bytes32 taskId, address worker)
        internal
        view
    {
        if (!has(task, Flags.EVALUATOR)) return;
        Evaluation storage evaluation = market.evaluations[taskId];
        if (worker == evaluation.evaluator || worker == evaluation.resolver) revert ITaskMarket.CannotEnter(worker);
    }

    /// @dev Returns Unix seconds; 40 bits last for 34,000 years.
    function time() internal view returns (uint40) {
        return SafeCast.toUint40(block.timestamp);
    }

    /// @dev Returns whether a bit of `Flags` is set.
    function has(Task storage task, uint8 flag) internal view returns (bool) {
        return task.flags & flag != 0;
    }

    /// @dev Returns the stake that the market holds for the task; zero outside claim mode, where `stakeBps` is zero.
    /// The reward of an assigned task never changes, so the stake follows from it.
    function stakeHeld(Task storage task) internal view returns (uint72) {
        Status status = task.status;
        return status >= Status.Claimed && status <= Status.Disputed ? Amounts.partOf(task.reward, task.stakeBps) : 0;
    }
}
