// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {HookState, ITaskHook, TaskContext} from "../../../src/interfaces/ITaskHook.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {CreateTaskParams, Verdict} from "../../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {HookTest} from "../support/HookTest.sol";

contract EndingsTest is HookTest {
    /// when the requester cancels: it tells of the cancelled task
    function test_TellsOfACancellation() external {
        CreateTaskParams memory params = hooked(aBounty());
        bytes32 taskId = create(params);
        cancel(taskId);
        TaskContext memory context = contextFor(taskId, params, HookState.Cancelled);
        assertTold(hook, abi.encodeCall(ITaskHook.onCancel, (taskId, context)));
    }

    /// when a rejecting verdict is final: it tells of the cancelled task and never of a completion
    function test_TellsOfARejection() external {
        CreateTaskParams memory params = hooked(evaluated(aBounty()));
        bytes32 taskId = create(params);
        submit(taskId, alice, "a1");
        evaluateExpired(taskId, Verdict.Reject, noAwards());
        skip(1 hours);
        market.finalizeVerdict(taskId);
        TaskContext memory context = contextFor(taskId, params, HookState.Cancelled);
        context.submissionDeadline = start + DURATION + 1 hours;
        assertTold(hook, abi.encodeCall(ITaskHook.onCancel, (taskId, context)));
        assertEq(hook.calls(ITaskHook.checkComplete.selector), 0);
        assertEq(hook.calls(ITaskHook.onComplete.selector), 0);
    }

    /// when a task expires: it tells of the expired task
    function test_TellsOfAnExpiry() external {
        CreateTaskParams memory params = hooked(aClaim());
        bytes32 taskId = create(params);
        claim(taskId, alice);
        skip(DURATION);
        market.refundExpired(taskId);
        TaskContext memory context = contextFor(taskId, params, HookState.Expired);
        assertTold(hook, abi.encodeCall(ITaskHook.onExpire, (taskId, context)));
    }

    /// when a task expires: it tells of the price when a worker was assigned in an auction
    function test_TellsOfTheLostPrice() external {
        CreateTaskParams memory params = hooked(anAuction(Modes.ENGLISH));
        bytes32 taskId = create(params);
        bid(taskId, alice, 6e6);
        skip(DURATION / 2);
        market.selectLowestBidder(taskId);
        skip(DURATION / 2);
        market.refundExpired(taskId);
        TaskContext memory context = contextFor(taskId, params, HookState.Expired);
        context.reward = 6e6;
        assertTold(hook, abi.encodeCall(ITaskHook.onExpire, (taskId, context)));
    }

    /// when an auction expires with bids but unassigned: it tells of the reward
    function test_TellsOfTheRewardThatNoAccountWon() external {
        CreateTaskParams memory params = hooked(anAuction(Modes.ENGLISH));
        bytes32 taskId = create(params);
        bid(taskId, alice, 6e6);
        skip(DURATION);
        market.refundExpired(taskId);
        TaskContext memory context = contextFor(taskId, params, HookState.Expired);
        assertTold(hook, abi.encodeCall(ITaskHook.onExpire, (taskId, context)));
    }

    /// when the time for an answer ends in a refund: it tells of the expired task
    function test_TellsOfARefundedSilence() external {
        CreateTaskParams memory params = hooked(aBounty());
        bytes32 taskId = create(params);
        submit(taskId, alice, "a1");
        skip(DURATION + 90 days);
        market.settleStale(taskId);
        TaskContext memory context = contextFor(taskId, params, HookState.Expired);
        assertTold(hook, abi.encodeCall(ITaskHook.onExpire, (taskId, context)));
    }

    /// when a claim is forfeited: it tells of the worker and the task that is open again
    function test_TellsOfAForfeit() external {
        CreateTaskParams memory params = hooked(aClaim());
        bytes32 taskId = create(params);
        claim(taskId, alice);
        skip(DURATION);
        vm.prank(requester);
        market.forfeitAndReopen(taskId);
        TaskContext memory context = contextFor(taskId, params, HookState.Open);
        assertTold(hook, abi.encodeCall(ITaskHook.onForfeit, (taskId, context, alice)));
    }

    /// when a hook answers a notification with false: it counts as heard
    function test_TakesAnyAnswerForHeard() external {
        bytes32 taskId = create(hooked(aBounty()));
        hook.script(ITaskHook.onCancel.selector, ScriptedHook.Behaviour.Refuse);
        vm.recordLogs();
        cancel(taskId);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(countFailures(logs, address(hook), ITaskHook.onCancel.selector), 0);
        assertEq(hook.calls(ITaskHook.onCancel.selector), 1);
    }

    /// when a hook hears of an ending: it hears after the refund
    function test_TellsAfterTheRefund() external {
        hook.scriptCallback(address(usdc), abi.encodeCall(usdc.balanceOf, (address(market))));
        bytes32 taskId = create(hooked(aBounty()));
        hook.script(ITaskHook.onExpire.selector, ScriptedHook.Behaviour.CallBack);
        skip(DURATION);
        market.refundExpired(taskId);
        assertTrue(hook.callbackSucceeded());
        assertEq(abi.decode(hook.callbackAnswer(), (uint256)), 0);
    }
}
