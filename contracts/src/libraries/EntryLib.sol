// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../interfaces/ITaskMarketEvents.sol";
import {Entry, MarketStorage, Task} from "../types/MarketStorage.sol";
import {Status} from "../types/TaskTypes.sol";
import {Tasks} from "./Tasks.sol";

/// @title What workers enter into a task, and its rejection
library EntryLib {
    /// @dev See ITaskMarket.submitWork.
    function submitWork(MarketStorage storage market, address worker, bytes32 taskId, bytes32 deliverable) external {
        // Check:
        Task storage task = Tasks.getOpen(market, taskId);
        uint40 expiryTime = task.expiryTime;
        if (block.timestamp >= expiryTime) revert ITaskMarket.DeadlinePassed(expiryTime);
        if (deliverable == 0) revert ITaskMarket.ZeroDeliverable();
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

    /// @dev See ITaskMarket.rejectSubmissions.
    function rejectSubmissions(
        MarketStorage storage market,
        address requester,
        bytes32 taskId,
        address[] calldata workers
    ) external {
        Task storage task = Tasks.getOpenOf(market, taskId, requester);
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
}
