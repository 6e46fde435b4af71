// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {TaskContext} from "../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../src/interfaces/ITaskMarket.sol";
import {BaseTaskHook} from "../hooks/BaseTaskHook.sol";

/// @title Example: a hook that admits only workers on a list
/// @notice Workers who are not on the list cannot claim, pitch, bid, be selected or submit to a contest. The market
/// then reverts with `HookVetoed(hook, step, reason)`, and `reason` is the error `WorkerNotAllowed` of this contract.
/// One hook serves any number of tasks. The owner changes the list; if the owner renounces the ownership, the list can
/// no longer change.
///
/// A worker who is removed from the list after being assigned can still deliver and be paid, because the market ignores
/// a veto against an assigned worker.
contract AllowListHook is BaseTaskHook, Ownable2Step {
    /// @notice The worker is not on the list.
    error WorkerNotAllowed(address worker);

    /// @notice The owner added a worker to the list (`allowed` is true) or removed the worker from the list.
    event WorkerSet(address indexed worker, bool allowed);

    /// @notice Returns whether a worker is on the list.
    mapping(address worker => bool) public isAllowed;

    /// @param taskMarket The market, the only account that may call the functions of the hook ABI.
    /// @param owner Account that may change the list.
    /// @param workers Workers who are on the list from the beginning.
    constructor(ITaskMarket taskMarket, address owner, address[] memory workers)
        BaseTaskHook(taskMarket)
        Ownable(owner)
    {
        for (uint256 i; i < workers.length; i++) {
            _set(workers[i], true);
        }
    }

    /// @notice Adds workers to the list or removes them from it. Only the owner may call. Example: `setAllowed([alice],
    /// false)` removes alice.
    function setAllowed(address[] calldata workers, bool allowed) external onlyOwner {
        for (uint256 i; i < workers.length; i++) {
            _set(workers[i], allowed);
        }
    }

    function _checkClaim(bytes32, TaskContext calldata, address worker) internal view override returns (bool) {
        return _requireAllowed(worker);
    }

    function _checkSelectWorker(bytes32, TaskContext calldata, address worker) internal view override returns (bool) {
        return _requireAllowed(worker);
    }

    function _checkSubmit(bytes32, TaskContext calldata, address worker, bytes32)
        internal
        view
        override
        returns (bool)
    {
        return _requireAllowed(worker);
    }

    /// @dev Reverts with WorkerNotAllowed if the worker is not on the list. Unlike the answer false, the error tells a
    /// refused account the reason.
    function _requireAllowed(address worker) private view returns (bool) {
        if (!isAllowed[worker]) revert WorkerNotAllowed(worker);
        return true;
    }

    function _set(address worker, bool allowed) private {
        isAllowed[worker] = allowed;
        emit WorkerSet(worker, allowed);
    }
}
