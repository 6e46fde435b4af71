// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EvaluationView, Status, TaskView, Verdict} from "../../src/types/TaskTypes.sol";
import {HostileHook} from "./HostileHook.sol";
import {EnvironmentTest} from "./EnvironmentTest.sol";

/// @notice From every reachable state, time and calls of workers, judges and strangers bring all liabilities to zero:
/// without requester and owner, with hostile hooks, closed entries, and accounts that are blacklisted for good. Credits
/// of accounts that cannot receive remain. Whatever the hooks do, every account gets the same.
contract LivenessTest is EnvironmentTest {
    uint256 private constant DEPTH = 48;
    uint256 private constant STALE_AFTER = 90 days;

    bytes32 private dice;

    /// forge-config: tests.fuzz.runs = 32
    function testFuzz_EveryAccountIsPaidWithoutRequesterOwnerOrHooks(uint256 seed) external {
        reachSomeState(seed);
        closeTheMarket();

        uint256 snapshot = vm.snapshotState();
        moodOfHooks(HostileHook.Mood.Agree);
        drain(seed);
        bytes32 withFriendlyHooks = outcome();
        vm.revertToStateAndDelete(snapshot);

        moodOfHooks(HostileHook.Mood(1 + seed % 8));
        drain(seed);
        assertEq(outcome(), withFriendlyHooks, "hooks changed what an account got");
    }

    function reachSomeState(uint256 seed) private {
        bytes4[] memory steps = handler.steps();
        for (uint256 i; i < DEPTH; i++) {
            uint256 stepSeed = uint256(keccak256(abi.encode(seed, i)));
            (bool success,) = address(handler).call(abi.encodeWithSelector(steps[stepSeed % steps.length], stepSeed));
            assertTrue(success, "a step failed");
        }
    }

    /// @dev USDC itself works; who is blacklisted by now stays so.
    function closeTheMarket() private {
        address owner_ = handler.owner();
        if (owner_ != address(0)) {
            vm.prank(owner_);
            market.pause();
        }
        vm.prank(address(handler));
        usdc.unpause();
    }

    function moodOfHooks(HostileHook.Mood mood) private {
        for (uint256 i; i < ACTORS; i++) {
            handler.hooks(i).feel(mood, type(uint256).max);
        }
    }

    /// @dev Lets every account that may act do so, or not, at random, then time passes, round by round. In the end only
    /// the clock and a stranger act.
    function drain(uint256 seed) private {
        dice = keccak256(abi.encode("drain", seed));
        bytes32[] memory taskIds = handler.liveTasks();
        for (uint256 i; i < taskIds.length; i++) {
            for (uint256 round; round < 3; round++) {
                workOrJudge(taskIds[i]);
            }
        }
        for (uint256 i; i < taskIds.length; i++) {
            end(taskIds[i]);
        }
        uint256 stuck;
        for (uint256 i; i < ACTORS; i++) {
            address account = handler.actorAt(i);
            if (usdc.isBlacklisted(account)) stuck += market.creditOf(account);
            else if (market.creditOf(account) > 0) pushCredit(account);
        }
        if (!usdc.isBlacklisted(feeRecipient) && market.creditOf(feeRecipient) > 0) pushCredit(feeRecipient);
        assertEq(market.totalEscrow(), stuck, "money is left in the market");
    }

    /// @dev An act of the worker or of a judge, if one is possible and they feel like it.
    function workOrJudge(bytes32 taskId) private {
        TaskView memory task = market.getTask(taskId);
        EvaluationView memory evaluation = market.evaluationOf(taskId);
        if (oneIn(3)) return;
        bool isAssigned = task.status == Status.Claimed || task.status == Status.WorkerSelected;
        if (isAssigned && block.timestamp < task.expiryTime) {
            vm.prank(task.worker);
            market.submitWork(taskId, "at last");
        } else if (mayEvaluate(task, evaluation)) {
            bool isContest = task.status == Status.Open;
            if (isContest && block.timestamp < task.expiryTime) vm.warp(task.expiryTime);
            vm.prank(evaluation.evaluator);
            market.evaluate(taskId, isContest || oneIn(2) ? Verdict.Reject : Verdict.Approve, 0, 0, 0, noAwards());
        } else if (task.status == Status.Appealing && evaluation.resolver != address(0)) {
            if (block.timestamp >= evaluation.phaseDeadline || task.worker == address(0)) return;
            vm.prank(task.worker);
            market.appeal(taskId);
        } else if (task.status == Status.Disputed && block.timestamp < evaluation.phaseDeadline) {
            if (task.worker == address(0) || task.escrow == 0) return;
            vm.prank(evaluation.resolver);
            market.resolveDispute(taskId, Verdict.Partial, oneAward(task.worker, 1 + task.escrow / 2));
        }
    }

    function mayEvaluate(TaskView memory task, EvaluationView memory evaluation) private view returns (bool) {
        if (!task.hasEvaluator || task.activeSubmissions == 0) return false;
        if (task.status == Status.Review) return block.timestamp < evaluation.phaseDeadline;
        return task.status == Status.Open && block.timestamp < task.expiryTime + evaluation.evaluationWindow;
    }

    /// @dev A stranger waits until the time of every other account is over, and ends the task.
    function end(bytes32 taskId) private {
        TaskView memory task = market.getTask(taskId);
        if (task.status >= Status.Completed) return;
        EvaluationView memory evaluation = market.evaluationOf(taskId);
        if (task.status == Status.Appealing || task.status == Status.Disputed) {
            waitUntil(evaluation.phaseDeadline);
            vm.prank(stranger);
            market.finalizeVerdict(taskId);
        } else if (task.status < Status.PendingApproval && task.activeSubmissions == 0) {
            waitUntil(task.expiryTime);
            vm.prank(stranger);
            market.refundExpired(taskId);
        } else {
            bool isContest = task.status == Status.Open;
            if (isContest && block.timestamp < task.expiryTime) vm.warp(task.expiryTime);
            uint256 last = uint256(task.expiryTime) + (isContest ? evaluation.evaluationWindow : 0);
            waitUntil(last + STALE_AFTER);
            vm.prank(stranger);
            market.settleStale(taskId);
        }
        assertGe(uint8(market.getTask(taskId).status), uint8(Status.Completed));
    }

    function pushCredit(address account) private {
        vm.prank(stranger);
        market.pushCredit(account);
    }

    function waitUntil(uint256 time) private {
        if (block.timestamp < time) vm.warp(time);
    }

    /// @dev Returns what every account has in the end, in USDC and in credits.
    function outcome() private view returns (bytes32 hash) {
        for (uint256 i; i < ACTORS; i++) {
            address account = handler.actorAt(i);
            hash = keccak256(abi.encode(hash, usdc.balanceOf(account), market.creditOf(account)));
        }
        return keccak256(abi.encode(hash, usdc.balanceOf(feeRecipient), usdc.balanceOf(address(market))));
    }

    function oneIn(uint256 sides) private returns (bool) {
        dice = keccak256(abi.encode(dice));
        return uint256(dice) % sides == 0;
    }
}
