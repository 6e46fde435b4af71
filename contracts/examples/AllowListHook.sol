// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {TaskContext} from "../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../src/interfaces/ITaskMarket.sol";
import {BaseTaskHook} from "../hooks/BaseTaskHook.sol";

/// @title Example: a hook that admits listed workers only
/// @notice Other workers cannot claim, pitch, bid, be selected or submit to a contest: the market reverts with
/// `HookVetoed(hook, step, reason)`, whose reason begins with this contract's `WorkerNotAllowed`. One hook serves any
/// number of tasks. The owner keeps the list; renouncing ownership fixes it for ever.
///
/// A worker who is removed after being assigned still delivers and is paid: the market overrules the veto of assigned
/// workers.
contract AllowListHook is BaseTaskHook, Ownable2Step {
    /// @notice The worker is not on the list.
    error WorkerNotAllowed(address worker);

    /// @notice The owner listed or removed a worker.
    event WorkerSet(address indexed worker, bool allowed);

    /// @notice Returns whether a worker is listed.
    mapping(address worker => bool) public isAllowed;

    /// @param taskMarket The only caller of the hook's steps.
    /// @param owner Account that keeps the list.
    /// @param workers Workers listed from the beginning.
    constructor(ITaskMarket taskMarket, address owner, address[] memory workers)
        BaseTaskHook(taskMarket)
        Ownable(owner)
    {
        for (uint256 i; i < workers.length; i++) {
            _set(workers[i], true);
        }
    }

    /// @notice Lists workers, or removes them (owner). Example: `setAllowed([alice], false)` removes alice.
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

    /// @dev Reverts instead of returning false, so that a refused account sees the reason.
    function _requireAllowed(address worker) private view returns (bool) {
        if (!isAllowed[worker]) revert WorkerNotAllowed(worker);
        return true;
    }

    function _set(address worker, bool allowed) private {
        isAllowed[worker] = allowed;
        emit WorkerSet(worker, allowed);
    }
}
