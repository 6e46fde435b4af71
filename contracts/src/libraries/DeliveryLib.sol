// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../interfaces/ITaskMarketEvents.sol";
import {Entry, Evaluation, Flags, MarketStorage, Task} from "../types/MarketStorage.sol";
import {Kind, Modes} from "../types/Modes.sol";
import {Status} from "../types/TaskTypes.sol";
import {HookLib} from "./HookLib.sol";
import {Tasks} from "./Tasks.sol";

/// @title Submissions of work, and refusals by the requester
/// @notice This library is deployed separately. The market calls it by delegatecall, so the library works on the
/// market's storage.
library DeliveryLib {
    /// @dev Implements ITaskMarket.submitWork: stores the hash of a worker's deliverable.
    function submitWork(MarketStorage storage market, IERC20 usdc, address worker, bytes32 taskId, bytes32 deliverable)
        external
    {
        Task storage task = Tasks.get(market, taskId);
        if (deliverable == 0) revert ITaskMarket.ZeroDeliverable();
        bool isContest = Modes.isContest(task.kind);
        if (isContest) _append(market, task, taskId, worker, deliverable);
        else _deliver(market, task, taskId, worker, deliverable);
        if (Tasks.has(task, Flags.HOOKS)) HookLib.checkSubmit(market, usdc, taskId, worker, deliverable, isContest);
    }

    /// @dev Implements ITaskMarket.submitProof: logs a benchmark proof and stores it as a submission.
    function submitProof(
        MarketStorage storage market,
        IERC20 usdc,
        address worker,
        bytes32 taskId,
        bytes32 proofHash,
        bytes32 proofType,
        uint256 metricValue
    ) external {
        // Check:
        Task storage task = Tasks.get(market, taskId);
        Tasks.requireKind(task, Kind.Benchmark);
        if (proofHash == 0) revert ITaskMarket.ZeroHash();

        // Effect:
        uint24 index = task.proofCount;
        task.proofCount = index + 1;

        // Log:
        emit ITaskMarketEvents.ProofSubmitted(taskId, worker, proofHash, proofType, metricValue, index);
        _append(market, task, taskId, worker, proofHash);
        if (Tasks.has(task, Flags.HOOKS)) HookLib.checkSubmit(market, usdc, taskId, worker, proofHash, true);
    }

    /// @dev Implements ITaskMarket.rejectSubmissions: rejects workers of a contest and their submissions.
    function rejectSubmissions(
        MarketStorage storage market,
        address requester,
        bytes32 taskId,
        address[] calldata workers
    ) external {
        Task storage task = Tasks.getOf(market, taskId, requester);
        Tasks.requireContest(task);
        Tasks.requireStatus(task, Status.Open);
        Tasks.requireNoEvaluator(market, task, taskId);
        if (workers.length == 0) revert ITaskMarket.NoWorkers();
        for (uint256 i; i < workers.length; i++) {
            // Check:
            Entry storage entry = market.entries[taskId][workers[i]];
            uint24 rejected = entry.active;
            if (rejected == 0) revert ITaskMarket.NoActiveSubmission(workers[i]);

            // Effect:
            uint24 active = task.activeSubmissions - rejected;
            task.activeSubmissions = active;
            (entry.active, entry.rejected) = (0, true);

            // Log:
            emit ITaskMarketEvents.SubmissionRejected(taskId, workers[i], active);
        }
    }

    /// @dev Implements ITaskMarket.objectToDelivery: records that the requester refuses a delivery.
    function objectToDelivery(MarketStorage storage market, address requester, bytes32 taskId) external {
        // Check:
        Task storage task = Tasks.getOf(market, taskId, requester);
        Tasks.requireStatus(task, Status.PendingApproval);
        if (Tasks.has(task, Flags.OBJECTED)) revert ITaskMarket.AlreadyObjected();

        // Effect:
        task.flags |= Flags.OBJECTED;

        // Log:
        emit ITaskMarketEvents.DeliveryObjected(taskId);
    }

    /// @dev Adds a worker's submission to a contest (bounty or benchmark).
    function _append(
        MarketStorage storage market,
        Task storage task,
        bytes32 taskId,
        address worker,
        bytes32 deliverable
    ) private {
        // Check:
        Tasks.requireStatus(task, Status.Open);
        uint40 expiryTime = task.expiryTime;
        Tasks.requireBefore(expiryTime);
        Tasks.requireMayEnter(market, task, taskId, worker);
        Entry storage entry = market.entries[taskId][worker];
        if (entry.rejected) revert ITaskMarket.WorkerIsRejected(worker);
        mapping(bytes32 => uint256) storage numbers = market.submissionNumbers[taskId][worker];
        if (numbers[deliverable] != 0) revert ITaskMarket.DuplicateSubmission(worker, deliverable);

        // Effect:
        uint24 number = task.submissionCount + 1;
        uint24 active = task.activeSubmissions + 1;
        (task.submissionCount, task.activeSubmissions) = (number, active);
        (entry.submissions, entry.active) = (entry.submissions + 1, entry.active + 1);
        numbers[deliverable] = number;

        // Log:
        emit ITaskMarketEvents.TaskSubmitted(
            taskId, worker, deliverable, number - 1, Status.Open, expiryTime, 0, active
        );
    }

    /// @dev Stores the assigned worker's delivery. If the evaluator's deadline is after the expiry, the expiry moves to
    /// that deadline.
    function _deliver(
        MarketStorage storage market,
        Task storage task,
        bytes32 taskId,
        address worker,
        bytes32 deliverable
    ) private {
        // Check:
        Status status = task.status;
        if (status != Status.Claimed && status != Status.WorkerSelected) revert ITaskMarket.WrongStatus(status);
        if (worker != task.worker) revert ITaskMarket.NotSelectedWorker(worker);
        uint40 expiryTime = task.expiryTime;
        Tasks.requireBefore(expiryTime);

        // Effect:
        uint40 phaseDeadline;
        status = Status.PendingApproval;
        if (Tasks.has(task, Flags.EVALUATOR)) {
            Evaluation storage evaluation = market.evaluations[taskId];
            status = Status.Review;
            phaseDeadline = Tasks.time() + evaluation.evaluationWindow;
            evaluation.phaseDeadline = phaseDeadline;
            if (expiryTime < phaseDeadline) expiryTime = phaseDeadline;
        }
        task.status = status;
        (task.expiryTime, task.submissionCount, task.activeSubmissions) = (expiryTime, 1, 1);
        task.deliverable = deliverable;

        // Log:
        emit ITaskMarketEvents.TaskSubmitted(taskId, worker, deliverable, 0, status, expiryTime, phaseDeadline, 1);
    }
}
