// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../../src/types/Modes.sol";
import {EvaluationView, Status, TaskView} from "../../../src/types/TaskTypes.sol";
import {CreateActions} from "./CreateActions.sol";

/// @title Claims, pitches, bids and clock prices: how workers come to a task
abstract contract EntryActions is CreateActions {
    function claimTask(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isClaimable);
        if (taskId == 0) _advance();
        else _claim(taskId, task);
    }

    function submitPitch(uint256 seed) external step(seed) {
        (bytes32 taskId,) = _find(_isPitchable);
        if (taskId == 0) _advance();
        else _pitch(taskId);
    }

    function selectWorker(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isSelectable);
        if (taskId == 0) _advance();
        else _select(taskId, task);
    }

    function submitBid(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isBiddable);
        if (taskId == 0) _advance();
        else _bid(taskId, task);
    }

    /// @dev One actor lowers its bid by one over and over, beyond the limit of bids that do not lead.
    function floodBids(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isFloodable);
        if (taskId == 0) _create(Modes.AUCTION, _oneIn(2) ? Modes.ENGLISH : Modes.REVERSE_ENGLISH);
        else if (_isFloodable(taskId, task)) _flood(taskId, task);
    }

    function selectLowestBidder(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_hasBids);
        if (taskId == 0) _advance();
        else _selectLowest(taskId, task);
    }

    function acceptAuction(uint256 seed) external step(seed) {
        (bytes32 taskId,) = _find(_isClock);
        if (taskId == 0) _advance();
        else _acceptClock(taskId);
    }

    function forfeitAndReopen(uint256 seed) external step(seed) {
        (bytes32 taskId, TaskView memory task) = _find(_isUndeliveredClaim);
        if (taskId == 0) _prepare(_isClaim);
        else _forfeit(taskId, task);
    }

    // --- Steps ---

    function _claim(bytes32 taskId, TaskView memory task) internal {
        uint256 stake = (uint256(task.reward) * task.stakeBps) / 10_000;
        _act(_anyAccount(), taskId, abi.encodeCall(MARKET.claimTask, (taskId, 0)), stake);
    }

    function _pitch(bytes32 taskId) internal {
        _act(_anyAccount(), taskId, abi.encodeCall(MARKET.submitPitch, (taskId, _fresh())), 0);
    }

    /// @dev The first from a random actor on who pitched.
    function _select(bytes32 taskId, TaskView memory task) internal {
        uint256 worker = _anyAccount();
        for (uint256 i; i < ACTORS && !MARKET.entryOf(taskId, actorAt(worker)).pitched; i++) {
            worker++;
        }
        bytes memory data = abi.encodeCall(MARKET.selectWorker, (taskId, actorAt(worker)));
        _act(_mostly(task.requester), taskId, data, 0);
    }

    /// @dev Bids up to the reward at first, then around the lowest bid.
    function _bid(bytes32 taskId, TaskView memory task) internal {
        (, uint256 lowest) = MARKET.lowestBidOf(taskId);
        uint256 most = lowest == 0 ? task.reward : lowest + (_oneIn(4) ? 1 : 0);
        uint256 least = most / 2 < 1000 && most >= 1000 ? 1000 : most / 2;
        uint96 price = uint96(_between(least, most));
        _act(_anyAccount(), taskId, abi.encodeCall(MARKET.submitBid, (taskId, price)), 0);
    }

    function _flood(bytes32 taskId, TaskView memory task) private {
        (, uint256 lowest) = MARKET.lowestBidOf(taskId);
        uint256 price = lowest == 0 ? task.reward : lowest;
        address bidder = _entrantOf(taskId, task);
        vm.recordLogs();
        for (uint256 i = 1; i <= 510 && i + 1000 <= price; i++) {
            vm.prank(bidder);
            (bool success,) = address(MARKET).call(abi.encodeCall(MARKET.submitBid, (taskId, uint96(price - i))));
            if (!success) break;
        }
        LEDGER.read(vm.getRecordedLogs(), address(MARKET), address(FORWARDER));
        _checkTask(taskId);
    }

    /// @dev Neither the requester nor a judge of the task.
    function _entrantOf(bytes32 taskId, TaskView memory task) private returns (address) {
        EvaluationView memory evaluation = MARKET.evaluationOf(taskId);
        uint256 index = _anyAccount();
        for (uint256 i; i < ACTORS; i++) {
            address actor = actorAt(index + i);
            if (actor == task.requester) continue;
            if (actor != evaluation.evaluator && actor != evaluation.resolver) return actor;
        }
        return actorAt(index);
    }

    /// @dev Mostly waits until the bids are in.
    function _selectLowest(bytes32 taskId, TaskView memory task) internal {
        if (!_oneIn(4) && block.timestamp < task.bidDeadline) vm.warp(task.bidDeadline);
        bytes memory data = abi.encodeCall(MARKET.selectLowestBidder, (taskId));
        bool isDue = _hasBids(taskId, task) && block.timestamp >= task.bidDeadline && block.timestamp < task.expiryTime;
        if (isDue && _oneIn(2)) _must(_anyAccount(), taskId, data, "the lowest bidder was blocked");
        else _act(_anyAccount(), taskId, data, 0);
    }

    function _acceptClock(bytes32 taskId) internal {
        bytes memory data = abi.encodeCall(MARKET.acceptAuction, (taskId, _oneIn(2) ? 0 : uint96(_roll(100e6))));
        _act(_anyAccount(), taskId, data, 0);
    }

    /// @dev Mostly waits until the claim is over.
    function _forfeit(bytes32 taskId, TaskView memory task) internal {
        if (!_oneIn(4) && task.expiryTime > block.timestamp) vm.warp(task.expiryTime);
        bytes memory data = abi.encodeCall(MARKET.forfeitAndReopen, (taskId));
        bool isDue = block.timestamp >= task.expiryTime && _isUndeliveredClaim(taskId, task);
        if (isDue && _oneIn(2)) _must(indexOf(task.requester), taskId, data, "a forfeit was blocked");
        else _act(_mostly(task.requester), taskId, data, 0);
    }

    // --- What is ready ---

    function _isLiveOpen(TaskView memory task) internal view returns (bool) {
        return task.status == Status.Open && block.timestamp < task.expiryTime;
    }

    function _isClaimable(bytes32, TaskView memory task) private view returns (bool) {
        return task.mode == Modes.CLAIM && _isLiveOpen(task);
    }

    function _isClaim(bytes32, TaskView memory task) private pure returns (bool) {
        return task.mode == Modes.CLAIM;
    }

    function _isPitchable(bytes32, TaskView memory task) private view returns (bool) {
        return task.mode == Modes.PITCH && _isLiveOpen(task) && block.timestamp < task.pitchDeadline;
    }

    function _isSelectable(bytes32, TaskView memory task) private view returns (bool) {
        return task.mode == Modes.PITCH && _isLiveOpen(task) && task.pitchCount > 0;
    }

    function _isBiddable(bytes32, TaskView memory task) private view returns (bool) {
        bool isBidding = task.auctionType == Modes.ENGLISH || task.auctionType == Modes.REVERSE_ENGLISH;
        return isBidding && task.status == Status.Open && block.timestamp < task.bidDeadline;
    }

    /// @dev Without hooks 500 bids are soon made.
    function _isFloodable(bytes32 taskId, TaskView memory task) private view returns (bool) {
        return _isBiddable(taskId, task) && task.hookSet == 0 && task.reward > 10_000;
    }

    function _hasBids(bytes32, TaskView memory task) private view returns (bool) {
        return task.bidCount > 0 && _isLiveOpen(task);
    }

    function _isClock(bytes32, TaskView memory task) private view returns (bool) {
        return task.clockPrice > 0 && _isLiveOpen(task);
    }

    function _isUndeliveredClaim(bytes32, TaskView memory task) internal pure returns (bool) {
        return task.mode == Modes.CLAIM && task.status == Status.Claimed;
    }
}
