// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {MarketStorage, Task} from "../types/MarketStorage.sol";
import {Status} from "../types/TaskTypes.sol";

/// @title Looking up tasks, with the refusals every operation shares
library Tasks {
    /// @dev Reverts with TaskNotFound.
    function get(MarketStorage storage market, bytes32 taskId) internal view returns (Task storage task) {
        task = market.tasks[taskId];
        if (task.status == Status.None) revert ITaskMarket.TaskNotFound(taskId);
    }

    /// @dev The task of this requester. Reverts with TaskNotFound, NotRequester.
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

    /// @dev The task, when it is open. Reverts with TaskNotFound, WrongStatus.
    function getOpen(MarketStorage storage market, bytes32 taskId) internal view returns (Task storage task) {
        task = get(market, taskId);
        if (task.status != Status.Open) revert ITaskMarket.WrongStatus(task.status);
    }

    /// @dev The open task of this requester. Reverts with TaskNotFound, NotRequester, WrongStatus.
    function getOpenOf(MarketStorage storage market, bytes32 taskId, address requester)
        internal
        view
        returns (Task storage task)
    {
        task = getOf(market, taskId, requester);
        if (task.status != Status.Open) revert ITaskMarket.WrongStatus(task.status);
    }
}
