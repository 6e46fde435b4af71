// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {ITaskMarketEvents} from "../../../src/interfaces/ITaskMarketEvents.sol";
import {
    Award,
    CancelReason,
    EntryView,
    EvaluationView,
    ReputationKind,
    ReturnReason,
    Status,
    TaskView,
    Verdict
} from "../../../src/types/TaskTypes.sol";
import {EntryReader} from "./EntryReader.sol";

/// @title Verdicts, awards, refunds and stakes
abstract contract EndingReader is EntryReader {
    /// @dev Data of `VerdictIssued`.
    struct Opinion {
        Verdict verdict;
        uint16 score;
        uint16 confidence;
        bytes32 evidenceHash;
        uint40 appealDeadline;
        uint40 expiryTime;
        uint96 fee;
        Award[] awards;
    }

    /// @dev Data of `TaskCompleted`.
    struct Payment {
        uint16 rank;
        uint96 gross;
        uint96 net;
        uint96 fee;
        bytes32 deliverable;
        bool selfAward;
    }

    function _readEnding(bytes32 topic, bytes32 taskId, Vm.Log calldata log) internal returns (bool) {
        if (topic == ITaskMarketEvents.VerdictIssued.selector) _judged(taskId, log);
        else if (topic == ITaskMarketEvents.VerdictAppealed.selector) _appealed(taskId, log);
        else if (topic == ITaskMarketEvents.DisputeResolved.selector) _resolved(taskId, log);
        else if (topic == ITaskMarketEvents.VerdictFinalized.selector) _finalized(taskId, log);
        else if (topic == ITaskMarketEvents.EvaluatorTimedOut.selector) _timedOut(taskId, log);
        else if (topic == ITaskMarketEvents.TaskCompleted.selector) _completed(taskId, log);
        else if (topic == ITaskMarketEvents.EscrowReturned.selector) _returned(taskId, log);
        else if (topic == ITaskMarketEvents.TaskCancelled.selector) _cancelled(taskId, log);
        else if (topic == ITaskMarketEvents.TaskExpired.selector) _expired(taskId, log);
        else if (topic == ITaskMarketEvents.StakeReturned.selector) _unstaked(taskId, log, _tasks[taskId].worker);
        else if (topic == ITaskMarketEvents.StakeForfeited.selector) _unstaked(taskId, log, _market.feeRecipient);
        else if (topic == ITaskMarketEvents.RequesterReputation.selector) _ended(taskId, log);
        else if (topic == ITaskMarketEvents.TaskRated.selector) _rated(taskId, log);
        else return false;
        return true;
    }

    function _judged(bytes32 taskId, Vm.Log calldata log) private {
        // A tuple with a list is laid out like a struct behind its offset.
        Opinion memory opinion = abi.decode(bytes.concat(bytes32(uint256(0x20)), log.data), (Opinion));
        TaskView storage task = _tasks[taskId];
        EvaluationView storage evaluation = _evaluations[taskId];
        require(evaluation.evaluator == address(uint160(uint256(log.topics[2]))), "another than the evaluator judged");
        require(opinion.fee == (uint256(task.escrow) * evaluation.feeBps) / 10_000, "a wrong evaluator fee");
        task.escrow -= opinion.fee;
        _pay(taskId, evaluation.evaluator, opinion.fee);
        _checkAwards(taskId, opinion.awards, task.escrow);
        (task.status, task.expiryTime) = (Status.Appealing, opinion.expiryTime);
        (evaluation.verdict, evaluation.score, evaluation.confidence) =
        (opinion.verdict, opinion.score, opinion.confidence);
        (evaluation.evidenceHash, evaluation.phaseDeadline) = (opinion.evidenceHash, opinion.appealDeadline);
        for (uint256 i; i < opinion.awards.length; i++) {
            evaluation.awards.push(opinion.awards[i]);
            _rulings[taskId].push(opinion.awards[i]);
        }
    }

    function _appealed(bytes32 taskId, Vm.Log calldata log) private {
        _tasks[taskId].status = Status.Disputed;
        _evaluations[taskId].phaseDeadline = abi.decode(log.data, (uint40));
    }

    function _resolved(bytes32 taskId, Vm.Log calldata log) private {
        (, Award[] memory awards) = abi.decode(log.data, (Verdict, Award[]));
        require(awards.length > 0, "a dispute was resolved for no account");
        _checkAwards(taskId, awards, _tasks[taskId].escrow);
        delete _rulings[taskId];
        for (uint256 i; i < awards.length; i++) {
            _rulings[taskId].push(awards[i]);
        }
    }

    function _finalized(bytes32 taskId, Vm.Log calldata log) private view {
        (, Verdict verdict, uint96 refund) = abi.decode(log.data, (Status, Verdict, uint96));
        EvaluationView memory evaluation = _evaluations[taskId];
        require(verdict == evaluation.verdict, "another verdict became final");
        uint256 sum;
        for (uint256 i; i < evaluation.awards.length; i++) {
            sum += evaluation.awards[i].amount;
        }
        uint256 escrow = _tasks[taskId].escrow;
        if (verdict == Verdict.Approve && sum == 0) sum = escrow;
        require(refund == escrow - sum, "a wrong refund after a verdict");
    }

    function _timedOut(bytes32 taskId, Vm.Log calldata log) private {
        delete _evaluations[taskId];
        (_tasks[taskId].hasEvaluator, _tasks[taskId].status) = (false, abi.decode(log.data, (Status)));
    }

    function _completed(bytes32 taskId, Vm.Log calldata log) private {
        Payment memory payment = abi.decode(log.data, (Payment));
        TaskView storage task = _tasks[taskId];
        address worker = address(uint160(uint256(log.topics[2])));
        require(payment.fee == (uint256(payment.gross) * task.feeBps) / 10_000, "a wrong platform fee");
        require(payment.gross == payment.net + payment.fee, "gross is not net plus fee");
        require(payment.selfAward == (worker == task.requester), "a wrong mark of a self-award");
        _requireDelivered(taskId, worker);
        EntryView storage entry = _entries[taskId][worker];
        require(!entry.awarded, "two awards to one worker");
        entry.awarded = true;
        _checkRuling(taskId, worker, payment);
        (task.status, task.escrow) = (Status.Completed, task.escrow - payment.gross);
        task.awardCount++;
        _pay(taskId, worker, payment.net);
        _pay(taskId, _market.feeRecipient, payment.fee);
        _books[taskId].winners.push(worker);
        _books[taskId].amounts.push(payment.gross);
    }

    function _returned(bytes32 taskId, Vm.Log calldata log) private {
        (uint96 amount, ReturnReason reason) = abi.decode(log.data, (uint96, ReturnReason));
        bool isJudged = _evaluations[taskId].verdict != Verdict.None;
        require(isJudged || reason != ReturnReason.Unawarded, "only a verdict leaves something over");
        _refund(taskId, amount);
        require(address(uint160(uint256(log.topics[2]))) == _tasks[taskId].requester, "returned to another account");
    }

    function _cancelled(bytes32 taskId, Vm.Log calldata log) private {
        (uint96 refund,) = abi.decode(log.data, (uint96, CancelReason));
        _refund(taskId, refund);
        _tasks[taskId].status = Status.Cancelled;
    }

    function _expired(bytes32 taskId, Vm.Log calldata log) private {
        _refund(taskId, abi.decode(log.data, (uint96)));
        _tasks[taskId].status = Status.Expired;
    }

    function _unstaked(bytes32 taskId, Vm.Log calldata log, address to) private {
        TaskView storage task = _tasks[taskId];
        uint96 amount = abi.decode(log.data, (uint96));
        require(address(uint160(uint256(log.topics[2]))) == task.worker, "a stake of another account");
        require(amount == task.stake, "a stake changed while it was held");
        bool isLost = to != task.worker || log.topics[0] == ITaskMarketEvents.StakeForfeited.selector;
        require(!isLost || task.deliverable == 0, "a delivered stake was forfeited");
        task.stake = 0;
        _pay(taskId, to, amount);
    }

    function _ended(bytes32 taskId, Vm.Log calldata log) private {
        TaskView storage task = _tasks[taskId];
        (, uint96 reward, uint32 count,) = abi.decode(log.data, (ReputationKind, uint96, uint32, bool));
        require(reward == task.reward && count == task.submissionCount, "a wrong record of the requester");
        require(++_books[taskId].endings == 1, "a task ended twice");
        require(task.escrow == 0 && task.stake == 0, "a task ended with money in it");
    }

    function _rated(bytes32 taskId, Vm.Log calldata log) private {
        EntryView storage entry = _entries[taskId][address(uint160(uint256(log.topics[2])))];
        require(entry.awarded && !entry.rated, "rated without an award, or twice");
        entry.rated = true;
    }

    function _refund(bytes32 taskId, uint96 amount) private {
        _tasks[taskId].escrow -= amount;
        _pay(taskId, _tasks[taskId].requester, amount);
    }

    function _checkAwards(bytes32 taskId, Award[] memory awards, uint256 available) private view {
        uint256 sum;
        for (uint256 i; i < awards.length; i++) {
            _requireDelivered(taskId, awards[i].worker);
            sum += awards[i].amount;
        }
        require(sum <= available, "awards exceed what is there");
    }

    /// @dev The next award of the ruling, when there is one; without any, ranks count from one.
    function _checkRuling(bytes32 taskId, address worker, Payment memory payment) private view {
        Award[] storage ruling = _rulings[taskId];
        uint256 position = _tasks[taskId].awardCount;
        if (ruling.length == 0) {
            require(payment.rank == position + 1, "ranks have a gap");
            return;
        }
        Award memory award = ruling[position];
        require(award.worker == worker && award.amount == payment.gross, "another award than ruled");
        require(award.rank == payment.rank, "another rank than ruled");
    }

    /// @dev The assigned worker where there is one, else an account whose submission stands.
    function _requireDelivered(bytes32 taskId, address worker) private view {
        TaskView storage task = _tasks[taskId];
        require(task.worker == address(0) || task.worker == worker, "an award to another than the assigned worker");
        require(_entries[taskId][worker].active > 0, "an award without a standing submission");
    }
}
