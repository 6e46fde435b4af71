// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../src/types/Modes.sol";
import {Status, TaskView} from "../../src/types/TaskTypes.sol";
import {ThiefActions} from "./actions/ThiefActions.sol";
import {Environment} from "./Environment.sol";

/// @title All actions, one step at a time
/// @notice Each step takes a seed and finds a task that is ready for it. When there is none it moves some task one step
/// further instead, so that within one run tasks get as far as disputes.
contract MarketHandler is ThiefActions {
    /// @dev Half of the hooks are hostile from the start.
    constructor(Stage memory stage) Environment(stage) {
        for (uint256 i = 1; i < HOOKS; i += 2) {
            _feel(hooks[i]);
        }
    }

    /// @dev Advances time by minutes or hours, or to just before, at or just after a deadline of a live task; rarely
    /// beyond 90 days.
    function passTime(uint256 seed) external change(seed) {
        uint256 to = block.timestamp + _between(1, 3 hours);
        if (_live.length > 0 && !_oneIn(3)) {
            uint256 deadline = _someDeadline(_live[_roll(_live.length)]) + _between(0, 2) - 1;
            if (deadline > to) to = deadline;
        }
        if (_oneIn(32)) to = block.timestamp + _between(89 days, 100 days);
        vm.warp(to);
        _checkClocks();
    }

    /// @dev Tries a random call on a random task, mostly one that ended: such a task must not change.
    function disturb(uint256 seed) external change(seed) {
        (bytes32 taskId, TaskView memory task) = _anyTask();
        if (taskId == 0) return;
        uint256 choice = _roll(12);
        if (choice == 0) _accept(taskId, task);
        else if (choice == 1) _split(taskId, task);
        else if (choice == 2) _reject(taskId, task);
        else if (choice == 3) _submit(taskId, task);
        else if (choice == 4) _claim(taskId, task);
        else if (choice == 5) _select(taskId, task);
        else if (choice == 6) _bid(taskId, task);
        else if (choice == 7) _acceptClock(taskId);
        else if (choice == 8) _evaluate(taskId, task);
        else if (choice == 9) _finalize(taskId, task);
        else if (choice == 10) _extend(taskId, task);
        else _refund(taskId, task);
    }

    /// @dev Returns all steps, each as often as its weight.
    function steps() external pure returns (bytes4[] memory list) {
        list = new bytes4[](65);
        uint256 i;
        list[i++] = this.createBounty.selector;
        list[i++] = this.createClaim.selector;
        list[i++] = this.createPitch.selector;
        list[i++] = this.createBenchmark.selector;
        list[i++] = this.createDutch.selector;
        list[i++] = this.createEnglish.selector;
        list[i++] = this.createReverseDutch.selector;
        list[i++] = this.createReverseEnglish.selector;
        list[i++] = this.updateTask.selector;
        list[i++] = this.assignEvaluator.selector;
        list[i++] = this.claimTask.selector;
        list[i++] = this.submitPitch.selector;
        list[i++] = this.selectWorker.selector;
        list[i++] = this.submitBid.selector;
        list[i++] = this.floodBids.selector;
        list[i++] = this.selectLowestBidder.selector;
        list[i++] = this.acceptAuction.selector;
        list[i++] = this.forfeitAndReopen.selector;
        list[i++] = this.submitWork.selector;
        list[i++] = this.submitProof.selector;
        list[i++] = this.rejectSubmissions.selector;
        list[i++] = this.objectToDelivery.selector;
        list[i++] = this.acceptSubmission.selector;
        list[i++] = this.acceptSubmissions.selector;
        list[i++] = this.evaluate.selector;
        list[i++] = this.appeal.selector;
        list[i++] = this.finalizeVerdict.selector;
        list[i++] = this.resolveDispute.selector;
        list[i++] = this.evaluatorTimeout.selector;
        list[i++] = this.cancelTask.selector;
        list[i++] = this.refundExpired.selector;
        list[i++] = this.settleStale.selector;
        list[i++] = this.rateTask.selector;
        list[i++] = this.withdrawCredit.selector;
        list[i++] = this.pushCredit.selector;
        list[i++] = this.togglePause.selector;
        list[i++] = this.setFeeBps.selector;
        list[i++] = this.setFeeRecipient.selector;
        list[i++] = this.setRegistries.selector;
        list[i++] = this.setDefaultHooks.selector;
        list[i++] = this.sweepExcess.selector;
        list[i++] = this.handOver.selector;
        list[i++] = this.feelHook.selector;
        list[i++] = this.donate.selector;
        list[i++] = this.toggleBlacklist.selector;
        list[i++] = this.toggleUsdcPause.selector;
        list[i++] = this.settleAlone.selector;
        list[i++] = this.relayPrepaid.selector;
        list[i++] = this.refundPrepaid.selector;
        list[i++] = this.sweepFees.selector;
        list[i++] = this.replayIntent.selector;
        list[i++] = this.configureForwarder.selector;
        list[i++] = this.setBoundOnly.selector;
        list[i++] = this.setPrepaidPerDay.selector;
        list[i++] = this.setGuardian.selector;
        list[i++] = this.obeySignature.selector;
        list[i++] = this.misuseSignature.selector;
        list[i++] = this.misuseSignature.selector;
        list[i++] = this.submitAlone.selector;
        list[i++] = this.lureWallet.selector;
        list[i++] = this.stealPrepaid.selector;
        list[i++] = this.executeRefund.selector;
        list[i++] = this.vetoRefund.selector;
        list[i++] = this.passTime.selector;
        list[i++] = this.disturb.selector;
        assert(i == list.length);
    }

    function _advance() internal override {
        _reopenMarket();
        if (_live.length == 0 || _oneIn(6)) return _createAny();
        bytes32 taskId = _live[_roll(_live.length)];
        _pursue(taskId, MARKET.getTask(taskId));
    }

    function _pursue(bytes32 taskId, TaskView memory task) internal override {
        if (task.status == Status.Appealing && _isAppealable(taskId, task) && !_oneIn(3)) _appeal(taskId, task);
        else if (task.status == Status.Disputed && _isDisputed(taskId, task) && !_oneIn(3)) _resolve(taskId, task);
        else if (_isJudged(taskId, task)) _finalize(taskId, task);
        else if (_isEvaluable(taskId, task) && !_oneIn(4)) _evaluate(taskId, task);
        else if (task.status == Status.PendingApproval && _oneIn(4)) _object(taskId, task);
        else if (task.status == Status.PendingApproval) _accept(taskId, task);
        else if (_awaitsEvaluator(taskId, task) && _isOver(task)) _timeOut(taskId, task);
        else if (_isUndeliveredClaim(taskId, task) && _oneIn(4)) _forfeit(taskId, task);
        else if (_isAssigned(task) && block.timestamp < task.expiryTime) _submit(taskId, task);
        else if (_isExpired(taskId, task)) _leave(taskId, task);
        else _enter(taskId, task);
    }

    /// @dev Takes the next step of an expired task. A reopened claim mostly gets a second worker.
    function _leave(bytes32 taskId, TaskView memory task) private {
        if (_isUndeliveredClaim(taskId, task) && _oneIn(2)) _forfeit(taskId, task);
        else if (task.status == Status.Open && (task.round > 0 ? !_oneIn(4) : _oneIn(4))) _extend(taskId, task);
        else _refund(taskId, task);
    }

    /// @dev Returns whether no account can deliver any more.
    function _isOver(TaskView memory task) private view returns (bool) {
        return task.status == Status.Review || (task.activeSubmissions > 0 && block.timestamp >= task.expiryTime);
    }

    /// @dev Takes the next step of an open task.
    function _enter(bytes32 taskId, TaskView memory task) private {
        if (_isContest(task)) {
            if (_isContestToDecide(taskId, task) && _oneIn(4)) _reject(taskId, task);
            else if (_isContestToDecide(taskId, task) && _oneIn(3)) _split(taskId, task);
            else if (block.timestamp < task.expiryTime) _submit(taskId, task);
            else _settle(taskId, task);
        } else if (task.mode == Modes.CLAIM) {
            _claim(taskId, task);
        } else if (task.mode == Modes.PITCH) {
            if (task.pitchCount > 0 && !_oneIn(4)) _select(taskId, task);
            else _pitch(taskId);
        } else if (task.clockPrice > 0) {
            _acceptClock(taskId);
        } else if (block.timestamp < task.bidDeadline && (task.bidCount == 0 || _oneIn(2))) {
            _bid(taskId, task);
        } else {
            _selectLowest(taskId, task);
        }
    }

    /// @dev Undoes what closes the market, so that it does not last for a whole run.
    function _reopenMarket() private {
        if (USDC.paused() && _oneIn(4)) USDC.unpause();
        if (MARKET.paused() && owner != address(0) && _oneIn(4)) {
            _call(owner, address(MARKET), 0, abi.encodeCall(MARKET.unpause, ()));
        }
        if (!FORWARDER.relayers(RELAYER) && owner != address(0) && _oneIn(2)) {
            _call(owner, address(FORWARDER), 0, abi.encodeCall(FORWARDER.setRelayer, (RELAYER, true)));
        }
    }

    /// @dev Returns any of the times that change what may be done with a task.
    function _someDeadline(bytes32 taskId) private returns (uint256) {
        TaskView memory task = MARKET.getTask(taskId);
        uint256 choice = _roll(8);
        if (choice == 0 && _oneIn(3)) return _staleFrom(taskId, task);
        if (choice == 1) return uint256(task.expiryTime) + MARKET.evaluationOf(taskId).evaluationWindow;
        if (choice == 2) return task.expiryTime;
        uint256 phaseDeadline = MARKET.evaluationOf(taskId).phaseDeadline;
        if (phaseDeadline != 0) return phaseDeadline;
        if (task.pitchDeadline > block.timestamp) return task.pitchDeadline;
        if (task.bidDeadline > block.timestamp) return task.bidDeadline;
        return task.expiryTime;
    }
}
