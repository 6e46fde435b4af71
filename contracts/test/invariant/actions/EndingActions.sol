// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {EntryView, RateParams, Status, TaskView} from "../../../src/types/TaskTypes.sol";
import {HostileRegistry} from "../../support/HostileRegistry.sol";
import {EvaluationActions} from "./EvaluationActions.sol";

/// @title Cancellation, expiry, the exit from silence, ratings and credits
abstract contract EndingActions is EvaluationActions {
    uint256 private constant STALE_AFTER = 90 days;

    function cancelTask(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isCancellable);
        if (taskId == 0) return _advance();
        _act(_mostly(task.requester), taskId, abi.encodeCall(MARKET.cancelTask, (taskId)), 0);
    }

    function refundExpired(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isExpired);
        if (taskId == 0 && _oneIn(3)) (taskId, task) = _find(_isRefundable);
        if (taskId == 0) _advance();
        else _refund(taskId, task);
    }

    function settleStale(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isStale);
        // A jump of months ends every other window, too: not too often.
        if (taskId == 0 && _oneIn(4)) (taskId, task) = _find(_maySettle);
        if (taskId == 0) _advance();
        else _settle(taskId, task);
    }

    function rateTask(uint256 seed) external step(seed) {
        if (_completed.length == 0) return _prepare(_maySettle);
        bytes32 taskId = _completed[_roll(_completed.length)];
        RateParams memory params;
        (params.taskId, params.worker, params.rating) = (taskId, _awarded(taskId), uint8(_roll(101)));
        (params.workerAgentId, params.hasAgent) = (_roll(3), !_oneIn(4));
        (params.feedbackURI, params.feedbackHash) = ("ipfs://feedback", _fresh());
        uint256 feedbacks = _scriptRegistry(params.worker, taskId);
        bytes memory data = abi.encodeCall(MARKET.rateTask, (params));
        _act(_mostly(MARKET.getTask(taskId).requester), taskId, data, 0);
        if (REGISTRY.feedbacks() == feedbacks || REGISTRY.feedbackHarm() != HostileRegistry.Harm.Reenter) return;
        bytes memory refusal = abi.encodeWithSelector(ITaskMarket.Reentered.selector);
        assertEq(REGISTRY.answer(), refusal, "a registry reentered the market");
    }

    function withdrawCredit(uint256 seed) external step(seed) {
        uint256 creditor = _creditor();
        uint256 credit = MARKET.creditOf(actorAt(creditor));
        if (credit == 0) return;
        address to = actorAt(_anyAccount());
        if (_oneIn(16)) to = address(FORWARDER);
        if (_oneIn(16)) to = address(MARKET);
        bytes memory data = abi.encodeCall(MARKET.withdrawCredit, (to));
        // Who cannot receive cannot pay for a relay, either: mostly a call of one's own.
        bool isRelayed = _oneIn(4);
        bool acted = isRelayed ? _act(creditor, 0, data, 0) : _call(actorAt(creditor), address(MARKET), 0, data);
        if (!acted) return;
        if (to == address(FORWARDER)) waiting += credit;
        if (to == address(MARKET)) (donated, given) = (donated + credit, given + credit);
    }

    function pushCredit(uint256 seed) external step(seed) {
        address creditor = actorAt(_creditor());
        if (MARKET.creditOf(creditor) == 0) return;
        if (_oneIn(2)) USDC.unBlacklist(creditor);
        bytes memory data = abi.encodeCall(MARKET.pushCredit, (creditor));
        bool isDue = !USDC.paused() && !USDC.isBlacklisted(creditor);
        if (isDue) _must(_anyAccount(), 0, data, "a credit was blocked");
        else _call(actorAt(_anyAccount()), address(MARKET), 0, data);
    }

    // --- Steps ---

    function _refund(bytes32 taskId, TaskView memory task) internal {
        if (!_oneIn(4) && block.timestamp < task.expiryTime) vm.warp(task.expiryTime);
        bytes memory data = abi.encodeCall(MARKET.refundExpired, (taskId));
        if (_isExpired(taskId, task) && _oneIn(2)) _must(_anyAccount(), taskId, data, "an expired refund was blocked");
        else _act(_anyAccount(), taskId, data, 0);
    }

    function _settle(bytes32 taskId, TaskView memory task) internal {
        uint256 deadline = _staleFrom(taskId, task);
        if (!_oneIn(8) && block.timestamp < deadline) vm.warp(deadline);
        bytes memory data = abi.encodeCall(MARKET.settleStale, (taskId));
        bool isDue = _isStale(taskId, task);
        if (isDue) _must(_anyAccount(), taskId, data, "the last exit was blocked");
        else _call(actorAt(_anyAccount()), address(MARKET), taskId, data);
    }

    /// @dev Returns the time from which a task is stale: 90 days after the last deadline of any account.
    function _staleFrom(bytes32 taskId, TaskView memory task) internal view returns (uint256) {
        if (!_awaitsEvaluator(taskId, task)) return uint256(task.expiryTime) + STALE_AFTER;
        uint256 deadline = _evaluatorDeadline(taskId, task);
        return (deadline > task.expiryTime ? deadline : task.expiryTime) + STALE_AFTER;
    }

    /// @dev The first from a random actor on with an award that is not rated.
    function _awarded(bytes32 taskId) private returns (address) {
        uint256 worker = _anyAccount();
        for (uint256 i; i < ACTORS; i++) {
            EntryView memory entry = MARKET.entryOf(taskId, actorAt(worker + i));
            if (entry.awarded && !entry.rated) return actorAt(worker + i);
        }
        return actorAt(worker);
    }

    /// @dev Any harm, or a call back into the market that would end a task or pay a credit.
    function _scriptRegistry(address worker, bytes32 taskId) private returns (uint256 feedbacks) {
        HostileRegistry.Harm onOwner = HostileRegistry.Harm(_oneIn(4) ? _roll(4) : 0);
        REGISTRY.behave(worker, onOwner, HostileRegistry.Harm(_roll(5)));
        bytes memory callback = abi.encodeCall(MARKET.refundExpired, (_live.length > 0 ? _live[0] : taskId));
        if (_oneIn(2)) callback = abi.encodeCall(MARKET.pushCredit, (actorAt(_firstCreditor())));
        REGISTRY.callBack(address(MARKET), callback);
        return REGISTRY.feedbacks();
    }

    /// @dev The first from a random actor on who has a credit. When there is none, an account cannot receive any more,
    /// and a task of it goes on: that may make one.
    function _creditor() private returns (uint256 index) {
        index = _firstCreditor();
        if (MARKET.creditOf(actorAt(index)) > 0 || _live.length == 0) return index;
        bytes32 taskId = _live[_roll(_live.length)];
        TaskView memory task = MARKET.getTask(taskId);
        USDC.blacklist(task.worker == address(0) || _oneIn(2) ? task.requester : task.worker);
        _pursue(taskId, task);
        return _firstCreditor();
    }

    function _firstCreditor() private returns (uint256 index) {
        index = _anyAccount();
        for (uint256 i; i < ACTORS && MARKET.creditOf(actorAt(index)) == 0; i++) {
            index++;
        }
    }

    // --- What is ready ---

    function _isCancellable(bytes32, TaskView memory task) private pure returns (bool) {
        return task.status == Status.Open && task.activeSubmissions == 0 && task.bidCount == 0;
    }

    /// @dev No worker delivered: only time is missing.
    function _isRefundable(bytes32, TaskView memory task) internal pure returns (bool) {
        return (task.status == Status.Open && task.activeSubmissions == 0) || _isAssigned(task);
    }

    function _isExpired(bytes32 taskId, TaskView memory task) internal view returns (bool) {
        return _isRefundable(taskId, task) && block.timestamp >= task.expiryTime;
    }

    function _maySettle(bytes32, TaskView memory task) internal pure returns (bool) {
        return task.status >= Status.Open && task.status <= Status.Review;
    }

    function _isStale(bytes32 taskId, TaskView memory task) internal view returns (bool) {
        return _maySettle(taskId, task) && block.timestamp >= _staleFrom(taskId, task);
    }
}
