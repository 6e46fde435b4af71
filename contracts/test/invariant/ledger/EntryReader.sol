// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {ITaskMarketEvents} from "../../../src/interfaces/ITaskMarketEvents.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {EntryView, Status, TaskView} from "../../../src/types/TaskTypes.sol";
import {TermsReader} from "./TermsReader.sol";

/// @title Pitches, bids, deliveries and their refusal
abstract contract EntryReader is TermsReader {
    /// @dev Data of `TaskSubmitted`.
    struct Submission {
        uint32 index;
        Status status;
        uint40 expiryTime;
        uint40 phaseDeadline;
        uint32 active;
    }

    function _readEntry(bytes32 topic, bytes32 taskId, Vm.Log calldata log) internal returns (bool) {
        if (topic == ITaskMarketEvents.DeliveryObjected.selector) {
            _tasks[taskId].objected = true;
            return true;
        }
        if (log.topics.length < 3) return false;
        address worker = address(uint160(uint256(log.topics[2])));
        if (topic == ITaskMarketEvents.PitchSubmitted.selector) _pitched(taskId, worker, log);
        else if (topic == ITaskMarketEvents.BidSubmitted.selector) _bid(taskId, worker, log);
        else if (topic == ITaskMarketEvents.ProofSubmitted.selector) _proved(taskId, log);
        else if (topic == ITaskMarketEvents.TaskSubmitted.selector) _submitted(taskId, worker, log);
        else if (topic == ITaskMarketEvents.SubmissionRejected.selector) _rejected(taskId, worker, log);
        else return false;
        return true;
    }

    function _pitched(bytes32 taskId, address worker, Vm.Log calldata log) private {
        (, uint32 index) = abi.decode(log.data, (bytes32, uint32));
        require(index == _tasks[taskId].pitchCount++, "pitches have a gap");
        _entries[taskId][worker].pitched = true;
        _requireMayEnter(taskId, worker);
    }

    function _bid(bytes32 taskId, address worker, Vm.Log calldata log) private {
        (uint96 price, uint32 count) = abi.decode(log.data, (uint96, uint32));
        TaskView storage task = _tasks[taskId];
        Book storage book = _books[taskId];
        EntryView storage entry = _entries[taskId][worker];
        require(count == ++task.bidCount, "bids have a gap");
        require(price >= 1000 && price <= task.reward, "a bid is out of range");
        require(worker != task.requester, "a requester bid in its own auction");
        require(entry.bid == 0 || price < entry.bid, "a bid is not below one's own last");
        bool isLowest = book.lowestBid == 0 || price < book.lowestBid;
        require(count <= 500 || isLowest, "a bid beyond the limit does not lead");
        require(isLowest || task.auctionType == Modes.REVERSE_ENGLISH, "an english bid is not below the lowest");
        if (isLowest) (book.lowestBidder, book.lowestBid) = (worker, price);
        entry.bid = price;
        _requireMayEnter(taskId, worker);
    }

    function _proved(bytes32 taskId, Vm.Log calldata log) private {
        (,,, uint32 index) = abi.decode(log.data, (bytes32, bytes32, uint256, uint32));
        require(index == _tasks[taskId].proofCount++, "proofs have a gap");
    }

    function _submitted(bytes32 taskId, address worker, Vm.Log calldata log) private {
        Submission memory submission = abi.decode(log.data, (Submission));
        TaskView storage task = _tasks[taskId];
        EntryView storage entry = _entries[taskId][worker];
        require(submission.index == task.submissionCount++, "submissions have a gap");
        require(!entry.rejected, "a rejected worker came back");
        entry.submissions++;
        entry.active++;
        bytes32 deliverable = log.topics[3];
        _deliverables[taskId][worker].push(deliverable);
        task.activeSubmissions = submission.active;
        (task.status, task.expiryTime) = (submission.status, submission.expiryTime);
        if (submission.phaseDeadline != 0) _evaluations[taskId].phaseDeadline = submission.phaseDeadline;
        _requireMayEnter(taskId, worker);
        if (submission.status == Status.Open) {
            _indexes[taskId][worker][deliverable] = submission.index;
        } else {
            require(worker == task.worker, "another than the assigned worker delivered");
            task.deliverable = deliverable;
        }
    }

    function _rejected(bytes32 taskId, address worker, Vm.Log calldata log) private {
        EntryView storage entry = _entries[taskId][worker];
        TaskView storage task = _tasks[taskId];
        uint32 active = abi.decode(log.data, (uint32));
        require(entry.active > 0 && active == task.activeSubmissions - entry.active, "a wrong count after a rejection");
        task.activeSubmissions = active;
        (entry.active, entry.rejected) = (0, true);
    }

    /// @dev Asserts that an account that judges a task does not compete in it.
    function _requireMayEnter(bytes32 taskId, address worker) private view {
        bool isJudge = worker == _evaluations[taskId].evaluator || worker == _evaluations[taskId].resolver;
        require(!isJudge, "a judge entered its own task");
    }
}
