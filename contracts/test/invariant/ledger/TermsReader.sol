// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {ITaskMarketEvents} from "../../../src/interfaces/ITaskMarketEvents.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {EvaluationView, SelectionKind, Status, TaskView, Terms} from "../../../src/types/TaskTypes.sol";
import {LedgerStorage} from "./LedgerStorage.sol";

/// @title Terms of tasks, and who was assigned
abstract contract TermsReader is LedgerStorage {
    /// @dev Data of `TaskUpdated`.
    struct Update {
        uint96 reward;
        uint40 expiryTime;
        uint40 pitchDeadline;
        uint40 bidDeadline;
        uint96 clockPrice;
        bytes32 contentHash;
    }

    function _readTerms(bytes32 topic, bytes32 taskId, Vm.Log calldata log) internal returns (bool) {
        if (topic == ITaskMarketEvents.TaskCreated.selector) _created(taskId, log);
        else if (topic == ITaskMarketEvents.HooksAttached.selector) _hooked(taskId, log);
        else if (topic == ITaskMarketEvents.EvaluatorAssigned.selector) _assigned(taskId, log);
        else if (topic == ITaskMarketEvents.TaskUpdated.selector) _updated(taskId, log);
        else if (topic == ITaskMarketEvents.TaskWorkerSelected.selector) _selected(taskId, log);
        else if (topic == ITaskMarketEvents.TaskReopened.selector) _reopened(taskId, log);
        else return false;
        return true;
    }

    function _created(bytes32 taskId, Vm.Log calldata log) private {
        Terms memory terms = abi.decode(log.data, (Terms));
        address requester = address(uint160(uint256(log.topics[2])));
        require(terms.nonce == _nonces[requester]++, "nonces of a requester have a gap");
        require(terms.feeBps == _market.feeBps, "a task is stamped with another fee than today's");
        require(_tasks[taskId].status == Status.None, "a task is created twice");
        _taskIds.push(taskId);
        _know(requester);
        _take(taskId, terms.reward);
        TaskView storage task = _tasks[taskId];
        (task.requester, task.mode, task.auctionType) = (requester, bytes4(log.topics[3]), terms.auctionType);
        (task.status, task.reward, task.escrow) = (Status.Open, terms.reward, terms.reward);
        (task.feeBps, task.stakeBps) = (terms.feeBps, terms.stakeBps);
        (task.createdAt, task.expiryTime) = (terms.createdAt, terms.expiryTime);
        (task.pitchDeadline, task.bidDeadline) = (terms.pitchDeadline, terms.bidDeadline);
        (task.clockPrice, task.contentHash) = (terms.clockPrice, terms.contentHash);
        if (terms.tags.length > 0) task.tagsHash = keccak256(abi.encodePacked(terms.tags));
    }

    function _hooked(bytes32 taskId, Vm.Log calldata log) private {
        (address[] memory hooks, uint8 defaultCount,) = abi.decode(log.data, (address[], uint8, bytes32));
        require(log.topics[2] == keccak256(abi.encode(defaultCount, hooks)), "the id of a hook list is not its hash");
        address[] memory defaults = _market.defaultHooks;
        require(defaultCount == defaults.length, "a task has not the default hooks of its day");
        for (uint256 i; i < defaults.length; i++) {
            require(hooks[i] == defaults[i], "a task has not the default hooks of its day");
        }
        _tasks[taskId].hookSet = log.topics[2];
        (_books[taskId].hooks, _books[taskId].defaultCount) = (hooks, defaultCount);
    }

    function _assigned(bytes32 taskId, Vm.Log calldata log) private {
        EvaluationView storage evaluation = _evaluations[taskId];
        evaluation.evaluator = address(uint160(uint256(log.topics[2])));
        evaluation.resolver = address(uint160(uint256(log.topics[3])));
        (evaluation.feeBps, evaluation.evaluationWindow, evaluation.appealWindow) =
            abi.decode(log.data, (uint16, uint40, uint40));
        require(evaluation.feeBps + _tasks[taskId].feeBps <= 10_000, "the fees take more than everything");
        _tasks[taskId].hasEvaluator = true;
    }

    function _updated(bytes32 taskId, Vm.Log calldata log) private {
        TaskView storage task = _tasks[taskId];
        Update memory update = abi.decode(log.data, (Update));
        bool isEntered = task.submissionCount + task.pitchCount > 0;
        require(!isEntered || update.reward >= task.reward, "a reward fell after the first entry");
        require(!isEntered || update.expiryTime >= task.expiryTime, "time was taken after the first entry");
        require(task.bidCount == 0, "an auction changed after its first bid");
        if (update.reward > task.reward) _take(taskId, update.reward - task.reward);
        (task.reward, task.escrow) = (update.reward, update.reward);
        (task.expiryTime, task.pitchDeadline, task.bidDeadline) =
        (update.expiryTime, update.pitchDeadline, update.bidDeadline);
        (task.clockPrice, task.contentHash) = (update.clockPrice, update.contentHash);
        _books[taskId].updates++;
    }

    function _selected(bytes32 taskId, Vm.Log calldata log) private {
        (SelectionKind kind, uint96 price, uint96 stake) = abi.decode(log.data, (SelectionKind, uint96, uint96));
        TaskView storage task = _tasks[taskId];
        (task.worker, task.price, task.stake) = (address(uint160(uint256(log.topics[2]))), price, stake);
        task.status = kind == SelectionKind.Pitch ? Status.WorkerSelected : Status.Claimed;
        _know(task.worker);
        _take(taskId, stake);
        if (kind == SelectionKind.Pitch) require(_entries[taskId][task.worker].pitched, "selected without a pitch");
        if (kind == SelectionKind.ClockPrice) require(_isInRange(task, price), "a clock price is out of its range");
        if (kind != SelectionKind.Bid) return;
        Book storage book = _books[taskId];
        require(book.lowestBidder == task.worker && book.lowestBid == price, "another than the lowest bid won");
    }

    function _reopened(bytes32 taskId, Vm.Log calldata log) private {
        TaskView storage task = _tasks[taskId];
        require(task.stake == 0, "reopened with a stake");
        (task.status, task.worker, task.price) = (Status.Open, address(0), 0);
        task.round = abi.decode(log.data, (uint32));
    }

    /// @dev Between the clock's other price and the reward; a price of a task without a clock never is.
    function _isInRange(TaskView storage task, uint96 price) private view returns (bool) {
        bool isClock = task.auctionType == Modes.DUTCH || task.auctionType == Modes.REVERSE_DUTCH;
        return isClock && price >= task.clockPrice && price <= task.reward;
    }
}
