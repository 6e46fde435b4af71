// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../../src/types/Modes.sol";
import {EntryView, Status, TaskView, Winner} from "../../../src/types/TaskTypes.sol";
import {EntryActions} from "./EntryActions.sol";

/// @title Deliveries, and the requester's answer to them
abstract contract DeliveryActions is EntryActions {
    function submitWork(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isDeliverable);
        if (taskId == 0) _advance();
        else _submit(taskId, task);
    }

    function submitProof(uint256 seed) external step(seed) {
        (bytes32 taskId,) = _find(_isProvable);
        if (taskId == 0) _create(Modes.BENCHMARK, 0);
        else _prove(taskId);
    }

    function rejectSubmissions(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isContestToDecide);
        if (taskId == 0) _prepare(_isPlainContest);
        else _reject(taskId, task);
    }

    function objectToDelivery(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isPending);
        if (taskId == 0) _prepare(_isPlainAssignment);
        else _object(taskId, task);
    }

    function acceptSubmission(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isAcceptable);
        if (taskId == 0) _prepare(_isPlainAssignment);
        else _accept(taskId, task);
    }

    function acceptSubmissions(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isContestToDecide);
        if (taskId == 0) _prepare(_isPlainContest);
        else _split(taskId, task);
    }

    // --- Steps ---

    /// @dev In a contest any account, a few deliverables over and over; else the assigned worker, whom nothing may stop.
    function _submit(bytes32 taskId, TaskView memory task) internal {
        if (_isProvable(taskId, task) && _oneIn(2)) return _prove(taskId);
        bytes memory data = abi.encodeCall(MARKET.submitWork, (taskId, bytes32(_between(1, 20))));
        if (task.status == Status.Open) {
            _act(_anyAccount(), taskId, data, 0);
            return;
        }
        bool isDue = _isDeliverable(taskId, task) && indexOf(task.worker) < ACTORS;
        if (isDue && _oneIn(2)) _must(indexOf(task.worker), taskId, data, "a delivery was blocked");
        else _act(_mostly(task.worker), taskId, data, 0);
    }

    function _prove(bytes32 taskId) internal {
        _act(_anyAccount(), taskId, abi.encodeCall(MARKET.submitProof, (taskId, _fresh(), "type", _roll(1000))), 0);
    }

    function _object(bytes32 taskId, TaskView memory task) internal {
        _act(_mostly(task.requester), taskId, abi.encodeCall(MARKET.objectToDelivery, (taskId)), 0);
    }

    function _reject(bytes32 taskId, TaskView memory task) internal {
        address[] memory workers = _standing(taskId, _between(1, 2));
        bytes memory data = abi.encodeCall(MARKET.rejectSubmissions, (taskId, workers));
        _act(_mostly(task.requester), taskId, data, 0);
    }

    function _accept(bytes32 taskId, TaskView memory task) internal {
        address worker = task.worker;
        if (worker == address(0)) {
            address[] memory standing = _standing(taskId, 1);
            if (standing.length == 1) worker = standing[0];
        }
        bytes32 deliverable = _deliverableOf(taskId, worker);
        bytes memory data = abi.encodeCall(MARKET.acceptSubmission, (taskId, worker, deliverable));
        _act(_mostly(task.requester), taskId, data, 0);
    }

    /// @dev Splits the reward among up to four winners; the last one's share is the remainder.
    function _split(bytes32 taskId, TaskView memory task) internal {
        address[] memory standing = _standing(taskId, _between(1, 4));
        Winner[] memory winners = new Winner[](standing.length);
        uint256 rest = 10_000;
        for (uint256 i; i < winners.length; i++) {
            uint256 share = i + 1 == winners.length ? rest : _between(1, rest / 2);
            rest -= share;
            winners[i] = Winner(standing[i], uint16(share), _deliverableOf(taskId, standing[i]));
        }
        bytes memory data = abi.encodeCall(MARKET.acceptSubmissions, (taskId, winners));
        _act(_mostly(task.requester), taskId, data, 0);
    }

    /// @dev Returns at most `most` workers with an active submission, from a random one on; seldom one without, then
    /// mostly one whose work was rejected.
    function _standing(bytes32 taskId, uint256 most) internal returns (address[] memory list) {
        list = new address[](most);
        uint256 count;
        uint256 start = _anyAccount();
        for (uint256 i; i < ACTORS && count < most; i++) {
            EntryView memory entry = MARKET.entryOf(taskId, actorAt(start + i));
            bool isFalse = entry.active == 0 && _oneIn(entry.rejected ? 4 : 40);
            if (entry.active > 0 || isFalse) list[count++] = actorAt(start + i);
        }
        assembly ("memory-safe") {
            mstore(list, count)
        }
    }

    /// @dev Returns any deliverable of the worker; zero when there is none.
    function _deliverableOf(bytes32 taskId, address worker) private returns (bytes32) {
        bytes32[] memory delivered = LEDGER.deliverablesOf(taskId, worker);
        return delivered.length == 0 ? bytes32(0) : delivered[_roll(delivered.length)];
    }

    // --- What is ready ---

    function _isContest(TaskView memory task) internal pure returns (bool) {
        return task.mode == Modes.BOUNTY || task.mode == Modes.BENCHMARK;
    }

    function _isAssigned(TaskView memory task) internal pure returns (bool) {
        return task.status == Status.Claimed || task.status == Status.WorkerSelected;
    }

    function _isDeliverable(bytes32, TaskView memory task) private view returns (bool) {
        return (_isContest(task) && _isLiveOpen(task)) || (_isAssigned(task) && block.timestamp < task.expiryTime);
    }

    function _isProvable(bytes32, TaskView memory task) private view returns (bool) {
        return task.mode == Modes.BENCHMARK && _isLiveOpen(task);
    }

    /// @dev The requester decides it, once there is a submission.
    function _isPlainContest(bytes32, TaskView memory task) private pure returns (bool) {
        return _isContest(task) && !task.hasEvaluator;
    }

    /// @dev The requester decides it, once the one worker delivers.
    function _isPlainAssignment(bytes32, TaskView memory task) private pure returns (bool) {
        return !_isContest(task) && !task.hasEvaluator;
    }

    function _isPending(bytes32, TaskView memory task) private pure returns (bool) {
        return task.status == Status.PendingApproval;
    }

    function _isContestToDecide(bytes32, TaskView memory task) internal pure returns (bool) {
        return _isContest(task) && task.status == Status.Open && !task.hasEvaluator && task.activeSubmissions > 0;
    }

    function _isAcceptable(bytes32 taskId, TaskView memory task) private pure returns (bool) {
        return task.status == Status.PendingApproval || _isContestToDecide(taskId, task);
    }
}
