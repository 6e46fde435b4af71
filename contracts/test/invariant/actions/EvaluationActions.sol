// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Award, EvaluationView, Status, TaskView, Verdict} from "../../../src/types/TaskTypes.sol";
import {DeliveryActions} from "./DeliveryActions.sol";

/// @title Verdicts, appeals, disputes, and what silence does
abstract contract EvaluationActions is DeliveryActions {
    function evaluate(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isEvaluable);
        if (taskId == 0) _prepare(_isOnTheWay);
        else _evaluate(taskId, task);
    }

    function appeal(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isAppealable);
        if (taskId == 0) _prepare(_isOnTheWay);
        else _appeal(taskId, task);
    }

    function finalizeVerdict(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isJudged);
        if (taskId == 0) _prepare(_isOnTheWay);
        else _finalize(taskId, task);
    }

    function resolveDispute(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isDisputed);
        if (taskId == 0) _prepare(_isOnTheWay);
        else _resolve(taskId, task);
    }

    function evaluatorTimeout(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_awaitsEvaluator);
        if (taskId == 0) _prepare(_isOnTheWay);
        else _timeOut(taskId, task);
    }

    // --- Steps ---

    /// @dev A verdict that fits, by the evaluator, goes through whatever hooks do.
    function _evaluate(bytes32 taskId, TaskView memory task) internal {
        EvaluationView memory evaluation = MARKET.evaluationOf(taskId);
        Verdict verdict = Verdict(_between(1, 3));
        if (_isContest(task) && _oneIn(2) && block.timestamp < task.expiryTime) vm.warp(task.expiryTime);
        uint256 available = task.escrow - (uint256(task.escrow) * evaluation.feeBps) / 10_000;
        Award[] memory awards;
        bool isForAll = verdict == Verdict.Approve && !_isContest(task) && _oneIn(2);
        if (verdict != Verdict.Reject && !isForAll) awards = _awards(taskId, task, available);
        bytes memory data = abi.encodeCall(
            MARKET.evaluate, (taskId, verdict, uint16(_roll(1001)), uint16(_roll(1001)), _fresh(), awards)
        );
        bool isFitting =
            awards.length > 0 || verdict == Verdict.Reject || (verdict == Verdict.Approve && !_isContest(task));
        isFitting = isFitting && _fit(taskId, awards, available) && _isEvaluable(taskId, task);
        isFitting = isFitting && _mayEnd(task, verdict, awards, available);
        if (isFitting && _oneIn(2)) {
            _must(indexOf(evaluation.evaluator), taskId, data, "a verdict was blocked");
        } else {
            _act(_mostly(evaluation.evaluator), taskId, data, 0);
        }
    }

    /// @dev Before its expiry a contest ends by an approval of all that can be paid, and by no other verdict.
    function _mayEnd(TaskView memory task, Verdict verdict, Award[] memory awards, uint256 available)
        private
        view
        returns (bool)
    {
        if (!_isContest(task) || block.timestamp >= task.expiryTime) return true;
        uint256 sum;
        for (uint256 i; i < awards.length; i++) {
            sum += awards[i].amount;
        }
        return verdict == Verdict.Approve && sum == available;
    }

    function _appeal(bytes32 taskId, TaskView memory task) internal {
        address worker = task.worker;
        if (worker == address(0)) {
            address[] memory standing = _standing(taskId, 1);
            if (standing.length > 0) worker = standing[0];
        }
        bytes memory data = abi.encodeCall(MARKET.appeal, (taskId));
        bool isDue = _isAppealable(taskId, task) && MARKET.entryOf(taskId, worker).active > 0;
        if (isDue && _oneIn(2)) _must(indexOf(worker), taskId, data, "an appeal was blocked");
        else _act(_mostly(worker), taskId, data, 0);
    }

    /// @dev Mostly waits for its time.
    function _finalize(bytes32 taskId, TaskView memory task) internal {
        uint256 deadline = MARKET.evaluationOf(taskId).phaseDeadline;
        if (!_oneIn(4) && block.timestamp < deadline) vm.warp(deadline);
        bytes memory data = abi.encodeCall(MARKET.finalizeVerdict, (taskId));
        bool isDue = _isJudged(taskId, task) && block.timestamp >= deadline;
        if (isDue && _oneIn(2)) _must(_anyAccount(), taskId, data, "a final verdict was blocked");
        else _act(_anyAccount(), taskId, data, 0);
    }

    function _resolve(bytes32 taskId, TaskView memory task) internal {
        EvaluationView memory evaluation = MARKET.evaluationOf(taskId);
        Verdict verdict = _oneIn(2) ? Verdict.Approve : Verdict.Partial;
        Award[] memory awards = _awards(taskId, task, task.escrow);
        bytes memory data = abi.encodeCall(MARKET.resolveDispute, (taskId, verdict, awards));
        bool isDue = _isDisputed(taskId, task) && awards.length > 0 && _fit(taskId, awards, task.escrow);
        if (isDue && _oneIn(2)) _must(indexOf(evaluation.resolver), taskId, data, "a resolution was blocked");
        else _act(_mostly(evaluation.resolver), taskId, data, 0);
    }

    function _timeOut(bytes32 taskId, TaskView memory task) internal {
        uint256 deadline = _evaluatorDeadline(taskId, task);
        if (_oneIn(2) && block.timestamp < deadline) vm.warp(deadline);
        bytes memory data = abi.encodeCall(MARKET.evaluatorTimeout, (taskId));
        bool isDue = _awaitsEvaluator(taskId, task) && block.timestamp >= deadline;
        if (isDue && _oneIn(2)) _must(indexOf(task.requester), taskId, data, "a timeout was blocked");
        else _act(_mostly(task.requester), taskId, data, 0);
    }

    /// @dev Returns up to three awards that fit into `available`, sometimes all of it, seldom a little more.
    function _awards(bytes32 taskId, TaskView memory task, uint256 available) internal returns (Award[] memory awards) {
        address[] memory workers = _standing(taskId, _isContest(task) ? _between(1, 3) : 1);
        uint256 count = workers.length < available ? workers.length : available;
        awards = new Award[](count);
        uint256 firstRank = _between(1, 250);
        for (uint256 i; i < count; i++) {
            uint256 left = available - (count - 1 - i);
            uint256 amount = _oneIn(3) ? left : _between(1, left);
            awards[i] = Award(workers[i], uint80(amount), uint16(firstRank + i));
            available -= amount;
        }
        if (count > 0 && _oneIn(24)) awards[0].amount += uint80(available + 1);
    }

    /// @dev Returns whether the awards fit into what is available, and their workers are active.
    function _fit(bytes32 taskId, Award[] memory awards, uint256 available) private view returns (bool) {
        uint256 sum;
        for (uint256 i; i < awards.length; i++) {
            if (MARKET.entryOf(taskId, awards[i].worker).active == 0) return false;
            sum += awards[i].amount;
        }
        return sum <= available;
    }

    /// @dev Returns the deadline of a verdict: in review the phase's; of a contest expiry plus the window.
    function _evaluatorDeadline(bytes32 taskId, TaskView memory task) internal view returns (uint256) {
        EvaluationView memory evaluation = MARKET.evaluationOf(taskId);
        if (task.status == Status.Open) return uint256(task.expiryTime) + evaluation.evaluationWindow;
        return evaluation.phaseDeadline;
    }

    // --- What is ready ---

    /// @dev A verdict may come, or an appeal.
    function _isOnTheWay(bytes32, TaskView memory task) private pure returns (bool) {
        return task.hasEvaluator;
    }

    function _awaitsEvaluator(bytes32, TaskView memory task) internal pure returns (bool) {
        if (!task.hasEvaluator) return false;
        return task.status == Status.Review || (_isContest(task) && task.status == Status.Open);
    }

    function _isEvaluable(bytes32 taskId, TaskView memory task) internal view returns (bool) {
        return _awaitsEvaluator(taskId, task) && task.activeSubmissions > 0
            && block.timestamp < _evaluatorDeadline(taskId, task);
    }

    function _isAppealable(bytes32 taskId, TaskView memory task) internal view returns (bool) {
        if (task.status != Status.Appealing) return false;
        EvaluationView memory evaluation = MARKET.evaluationOf(taskId);
        return evaluation.resolver != address(0) && block.timestamp < evaluation.phaseDeadline;
    }

    function _isJudged(bytes32, TaskView memory task) internal pure returns (bool) {
        return task.status == Status.Appealing || task.status == Status.Disputed;
    }

    function _isDisputed(bytes32 taskId, TaskView memory task) internal view returns (bool) {
        return task.status == Status.Disputed && block.timestamp < MARKET.evaluationOf(taskId).phaseDeadline;
    }
}
