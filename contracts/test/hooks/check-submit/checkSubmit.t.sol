// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HookState, ITaskHook, TaskContext} from "../../../src/interfaces/ITaskHook.sol";
import {CreateTaskParams, Status} from "../../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {HookTest} from "../support/HookTest.sol";

contract CheckSubmitTest is HookTest {
    bytes4 private constant STEP = ITaskHook.checkSubmit.selector;

    /// when a worker submits to a contest: it tells of the worker, the deliverable and the open task
    function test_TellsOfASubmission() external {
        CreateTaskParams memory params = hooked(aBounty());
        bytes32 taskId = create(params);
        submit(taskId, alice, "a1");
        TaskContext memory context = contextFor(taskId, params, HookState.Open);
        assertTold(hook, abi.encodeCall(ITaskHook.checkSubmit, (taskId, context, alice, "a1")));
    }

    /// when a worker proves a benchmark: it tells of the proof as the deliverable
    function test_TellsOfAProof() external {
        CreateTaskParams memory params = hooked(aBenchmark());
        bytes32 taskId = create(params);
        vm.prank(bob);
        market.submitProof(taskId, "proof", "type", 42);
        TaskContext memory context = contextFor(taskId, params, HookState.Open);
        assertTold(hook, abi.encodeCall(ITaskHook.checkSubmit, (taskId, context, bob, "proof")));
    }

    /// when the assigned worker delivers: it tells of the task that waits for approval
    function test_TellsOfADelivery() external {
        CreateTaskParams memory params = hooked(aClaim());
        bytes32 taskId = create(params);
        claim(taskId, alice);
        submit(taskId, alice, "a1");
        TaskContext memory context = contextFor(taskId, params, HookState.PendingApproval);
        assertTold(hook, abi.encodeCall(ITaskHook.checkSubmit, (taskId, context, alice, "a1")));
    }

    /// when the assigned worker delivers: it tells of the task in review and its raised deadline when there is an evaluator
    function test_TellsOfADeliveryToTheEvaluator() external {
        CreateTaskParams memory params = hooked(evaluated(aClaim()));
        bytes32 taskId = create(params);
        claim(taskId, alice);
        skip(DURATION - 1);
        submit(taskId, alice, "a1");
        TaskContext memory context = contextFor(taskId, params, HookState.Review);
        context.submissionDeadline = start + DURATION - 1 + 2 hours;
        assertTold(hook, abi.encodeCall(ITaskHook.checkSubmit, (taskId, context, alice, "a1")));
    }

    /// when a hook refuses a submission to a contest: it reverts with HookVetoed and counts nothing
    function test_RevertWhen_ASubmissionIsRefused() external {
        bytes32 taskId = create(hooked(aBounty()));
        hook.script(STEP, ScriptedHook.Behaviour.Refuse);
        vm.prank(alice);
        expectVeto(address(hook), STEP);
        market.submitWork(taskId, "a1");
        assertEq(market.getTask(taskId).activeSubmissions, 0);
        assertEq(market.entryOf(taskId, alice).submissions, 0);
    }

    /// when a hook refuses a proof: it reverts with HookVetoed and counts nothing
    function test_RevertWhen_AProofIsRefused() external {
        bytes32 taskId = create(hooked(aBenchmark()));
        hook.script(STEP, ScriptedHook.Behaviour.Refuse);
        vm.prank(alice);
        expectVeto(address(hook), STEP);
        market.submitProof(taskId, "proof", "type", 42);
        assertEq(market.getTask(taskId).proofCount, 0);
    }

    /// when a hook refuses the assigned worker's delivery: it takes the delivery all the same and logs HookCallFailed
    function test_OverrulesTheRefusalOfADelivery() external {
        bytes32 taskId = create(hooked(aPitchTask()));
        pitch(taskId, alice);
        select(taskId, alice);
        hook.script(STEP, ScriptedHook.Behaviour.Refuse);
        expectOverruled(taskId, address(hook), STEP);
        submit(taskId, alice, "a1");
        assertEq(market.getTask(taskId).deliverable, "a1");
        assertEq(uint8(market.getTask(taskId).status), uint8(Status.PendingApproval));
    }
}
