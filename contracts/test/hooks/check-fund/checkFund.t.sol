// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HookState, ITaskHook, TaskContext} from "../../../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {Authorization} from "../../../src/types/RelayTypes.sol";
import {CreateTaskParams} from "../../../src/types/TaskTypes.sol";
import {Relay} from "../../support/Relay.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {HookTest} from "../support/HookTest.sol";

contract CheckFundTest is HookTest {
    bytes4 private constant STEP = ITaskHook.checkFund.selector;

    /// when a task is created: it tells every hook the task, its tags and the hook data
    function test_TellsEveryHook() external {
        setDefault(address(standing));
        CreateTaskParams memory params = hooked(aClaim());
        params.tags = new bytes32[](2);
        (params.tags[0], params.tags[1]) = (keccak256("one"), keccak256("two"));
        params.hookData = "data";
        bytes32 taskId = create(params);
        TaskContext memory context = contextFor(taskId, params, HookState.Open);
        context.tags = params.tags;
        bytes memory told = abi.encodeCall(ITaskHook.checkFund, (taskId, context, "data"));
        assertTold(standing, told);
        assertTold(hook, told);
    }

    /// when a task is created: it tells of the evaluator's terms
    function test_TellsOfTheEvaluator() external {
        CreateTaskParams memory params = hooked(evaluated(aBounty()));
        bytes32 taskId = create(params);
        TaskContext memory context = contextFor(taskId, params, HookState.Open);
        assertEq(context.evaluator, evaluator);
        assertEq(context.disputeResolver, resolver);
        assertEq(context.evaluatorFeeBps, 500);
        assertTold(hook, abi.encodeCall(ITaskHook.checkFund, (taskId, context, "")));
    }

    /// when a task is created: it asks after the reward is in escrow
    function test_AsksAfterTheEscrow() external {
        hook.script(STEP, ScriptedHook.Behaviour.CallBack);
        hook.scriptCallback(address(market), abi.encodeCall(market.totalEscrow, ()));
        second.script(STEP, ScriptedHook.Behaviour.CallBack);
        second.scriptCallback(address(usdc), abi.encodeCall(usdc.balanceOf, (address(market))));
        CreateTaskParams memory params = aBounty();
        params.hooks = asList(address(hook), address(second));
        create(params);
        assertEq(abi.decode(hook.callbackAnswer(), (uint256)), REWARD);
        assertEq(abi.decode(second.callbackAnswer(), (uint256)), REWARD);
    }

    /// when a hook refuses, reverts, burns its gas, floods or mumbles: it reverts with HookVetoed and takes nothing
    function test_RevertWhen_AHookDisagrees() external {
        uint256 before = usdc.balanceOf(requester);
        bytes32 taskId = market.nextTaskId(requester);
        CreateTaskParams memory params = hooked(aBounty());
        for (uint256 i = 1; i <= uint256(ScriptedHook.Behaviour.Mumble); i++) {
            hook.script(STEP, ScriptedHook.Behaviour(i));
            vm.prank(requester);
            vm.expectPartialRevert(ITaskMarket.HookVetoed.selector);
            market.createTask(params);
            assertEq(usdc.balanceOf(requester), before);
            assertEq(market.totalEscrow(), 0);
            assertEq(market.nextTaskId(requester), taskId);
        }
    }

    /// when the last of several hooks refuses: it names that one
    function test_RevertWhen_TheLastRefuses() external {
        second.script(STEP, ScriptedHook.Behaviour.Refuse);
        CreateTaskParams memory params = aBounty();
        params.hooks = asList(address(hook), address(second));
        vm.prank(requester);
        expectVeto(address(second), STEP);
        market.createTask(params);
        assertEq(hook.calls(STEP), 0, "an undone task left a trace");
    }

    /// when a default hook refuses, reverts, burns its gas, floods or mumbles: it logs HookCallFailed and creates the task
    function test_CreatesDespiteADefaultHook() external {
        setDefault(address(standing));
        for (uint256 i = 1; i <= uint256(ScriptedHook.Behaviour.Mumble); i++) {
            standing.script(STEP, ScriptedHook.Behaviour(i));
            bytes32 taskId = market.nextTaskId(requester);
            expectOverruled(taskId, address(standing), STEP);
            create(aBounty());
            assertEq(market.getTask(taskId).escrow, REWARD);
        }
    }

    /// when the creation is relayed and a hook refuses: it undoes the payment as well
    function test_RevertWhen_ARelayedCreationIsRefused() external {
        allowPaid(ITaskMarket.createTask.selector);
        hook.script(STEP, ScriptedHook.Behaviour.Refuse);
        bytes memory data = abi.encodeCall(market.createTask, (hooked(aBounty())));
        uint256 before = usdc.balanceOf(requester);
        Authorization memory authorization = Relay.authorizationOf(requester, REWARD + 1000, "nonce");
        bytes memory signature = Relay.sign(usdc, requesterKey, address(forwarder), authorization);
        vm.prank(relayer);
        expectVeto(address(hook), STEP);
        forwarder.relayPaid("intent", authorization, signature, REWARD, address(market), data);
        assertEq(usdc.balanceOf(requester), before);
        assertFalse(usdc.authorizationState(requester, "nonce"));
    }
}
