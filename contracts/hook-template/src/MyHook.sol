// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {BaseTaskHook} from "task-market-contracts/hooks/BaseTaskHook.sol";
import {TaskContext} from "task-market-contracts/src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "task-market-contracts/src/interfaces/ITaskMarket.sol";

/// @title A hook that admits one submission of each worker
/// @notice A second submission of a worker reverts with `HookVetoed`, whose reason is `SubmittedBefore`.
contract MyHook is BaseTaskHook {
    /// @notice The worker has submitted to this task.
    error SubmittedBefore(address worker);

    /// @param taskMarket The only caller of the hook's steps.
    constructor(ITaskMarket taskMarket) BaseTaskHook(taskMarket) {}

    /// @dev The market stores a step before it calls hooks, so its views count this submission.
    function _checkSubmit(bytes32 taskId, TaskContext calldata, address worker, bytes32)
        internal
        view
        override
        returns (bool)
    {
        if (MARKET.entryOf(taskId, worker).submissions > 1) revert SubmittedBefore(worker);
        return true;
    }
}
