// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HookState, ITaskHook, TaskContext} from "../../../src/interfaces/ITaskHook.sol";
import {CreateTaskParams, Status, Verdict} from "../../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {HookTest} from "../support/HookTest.sol";

contract CheckEvaluateTest is HookTest {
    bytes4 private constant STEP = ITaskHook.checkEvaluate.selector;

    /// when a verdict on a delivery is issued: it tells of the evaluator, the task in appeal and its raised deadline
    function test_TellsOfAVerdict() external {
        CreateTaskParams memory params = hooked(evaluated(aClaim()));
        bytes32 taskId = create(params);
        claim(taskId, alice);
        skip(DURATION - 1);
        submit(taskId, alice, "a1");
        skip(2 hours - 1);
        evaluate(taskId, Verdict.Approve, noAwards());
        TaskContext memory context = contextFor(taskId, params, HookState.Appealing);
        context.submissionDeadline = start + DURATION - 1 + 2 hours - 1 + 1 hours;
        assertTold(hook, abi.encodeCall(ITaskHook.checkEvaluate, (taskId, context, evaluator)));
    }

    /// when a verdict on a contest is issued: it tells of the evaluator and the task in appeal
    function test_TellsOfAVerdictOnAContest() external {
        CreateTaskParams memory params = hooked(evaluated(aBounty()));
        bytes32 taskId = create(params);
        submit(taskId, alice, "a1");
        evaluateExpired(taskId, Verdict.Partial, oneAward(alice, 1e6));
        TaskContext memory context = contextFor(taskId, params, HookState.Appealing);
        context.submissionDeadline = start + DURATION + 1 hours;
        assertTold(hook, abi.encodeCall(ITaskHook.checkEvaluate, (taskId, context, evaluator)));
    }

    /// when a hook refuses a verdict: it keeps the verdict all the same, pays its fee and logs HookCallFailed
    function test_OverrulesTheRefusalOfAVerdict() external {
        bytes32 taskId = create(hooked(evaluated(aBounty())));
        submit(taskId, alice, "a1");
        hook.script(STEP, ScriptedHook.Behaviour.Revert);
        skip(DURATION);
        expectOverruled(taskId, address(hook), STEP);
        evaluate(taskId, Verdict.Reject, noAwards());
        assertEq(uint8(market.getTask(taskId).status), uint8(Status.Appealing));
        assertEq(usdc.balanceOf(evaluator), REWARD / 20);
    }
}
