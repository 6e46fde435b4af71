// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HookState, ITaskHook, TaskContext} from "../../../src/interfaces/ITaskHook.sol";
import {CreateTaskParams} from "../../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {HookTest} from "../support/HookTest.sol";

/// @title Lines of the checklist in contracts/README.md that no other test proves
contract AssumptionsTest is HookTest {
    bytes4 private constant SUBMISSION = ITaskHook.checkSubmit.selector;

    /// when any account creates a task with the hook: it is attached by any requester
    function test_IsAttachedByAnyRequester() external {
        fund(stranger);
        vm.prank(stranger);
        bytes32 taskId = market.createTask(hooked(aBounty()));
        (address[] memory hooks,) = market.hooksOf(taskId);
        assertEq(hooks, asList(address(hook)));
        TaskContext memory context = contextFor(taskId, aBounty(), HookState.Open);
        context.requester = stranger;
        assertTold(hook, abi.encodeCall(ITaskHook.checkFund, (taskId, context, "")));
    }

    /// when a hook after it vetoes a step: it passes a check of a step that another hook vetoes
    function test_PassesAStepThatAnotherVetoes() external {
        CreateTaskParams memory params = aBounty();
        params.hooks = asList(address(hook), address(second));
        bytes32 taskId = create(params);
        second.script(SUBMISSION, ScriptedHook.Behaviour.Refuse);
        vm.expectCall(address(hook), abi.encodeWithSelector(SUBMISSION), 1);
        expectVeto(address(second), SUBMISSION);
        submit(taskId, alice, "a1");
        assertEq(hook.calls(SUBMISSION), 0, "what it stored is undone");
        assertEq(market.entryOf(taskId, alice).submissions, 0);
    }

    /// when the state changes after a simulation: it refuses a call whose simulation passed
    function test_RefusesWhatASimulationPassed() external {
        bytes32 taskId = create(hooked(aBounty()));
        uint256 simulation = vm.snapshotState();
        submit(taskId, alice, "a1");
        vm.revertToState(simulation);
        hook.script(SUBMISSION, ScriptedHook.Behaviour.Refuse);
        expectVeto(address(hook), SUBMISSION);
        submit(taskId, alice, "a1");
    }

    /// when terms are updated or an evaluator is assigned: it hears of no update
    function test_HearsOfNoUpdate() external {
        bytes32 taskId = create(hooked(aBounty()));
        bytes32 terms = market.taskTermsHash(taskId);
        vm.expectCall(address(hook), "", 0);
        update(aRaise(taskId, 2 * REWARD));
        assignEvaluator(taskId, evaluatorTerms());
        assertNotEq(market.taskTermsHash(taskId), terms);
    }

    /// when a task has tags: it is told the tags in checkFund alone
    function test_IsToldTagsAtCreationAlone() external {
        CreateTaskParams memory params = hooked(aBounty());
        params.tags = new bytes32[](1);
        params.tags[0] = keccak256("solidity");
        bytes32 taskId = create(params);
        TaskContext memory context = contextFor(taskId, params, HookState.Open);
        submit(taskId, alice, "a1");
        assertTold(hook, abi.encodeCall(ITaskHook.checkSubmit, (taskId, context, alice, "a1")));
        context.tags = params.tags;
        assertTold(hook, abi.encodeCall(ITaskHook.checkFund, (taskId, context, "")));
    }
}
