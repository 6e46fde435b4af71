// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {TaskContext} from "../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../src/interfaces/ITaskMarket.sol";
import {BaseTaskHook} from "../hooks/BaseTaskHook.sol";

/// @title Lets only listed workers in
/// @notice Others cannot claim, pitch, bid, be selected or submit to a contest: the market reverts with
/// `HookVetoed(hook, step, reason)`, whose reason begins with this contract's `WorkerNotAllowed`. One hook serves any
/// number of tasks. The owner keeps the list; renouncing ownership fixes it for ever.
///
/// A worker who is removed after being assigned still delivers and is paid: the market overrules the veto of assigned
/// workers, and so it should.
contract AllowListHook is BaseTaskHook, Ownable2Step {
    error WorkerNotAllowed(address worker);

    event WorkerSet(address indexed worker, bool allowed);

    mapping(address worker => bool) public isAllowed;

    constructor(ITaskMarket taskMarket, address owner, address[] memory workers)
        BaseTaskHook(taskMarket)
        Ownable(owner)
    {
        for (uint256 i; i < workers.length; i++) {
            _set(workers[i], true);
        }
    }

    /// @notice Lists workers, or takes them off the list.
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

    /// @dev A revert instead of false, so that a refused account can see why.
    function _requireAllowed(address worker) private view returns (bool) {
        if (!isAllowed[worker]) revert WorkerNotAllowed(worker);
        return true;
    }

    function _set(address worker, bool allowed) private {
        isAllowed[worker] = allowed;
        emit WorkerSet(worker, allowed);
    }
}
