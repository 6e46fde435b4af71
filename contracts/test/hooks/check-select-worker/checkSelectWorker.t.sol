// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HookState, ITaskHook, TaskContext} from "../../../src/interfaces/ITaskHook.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {CreateTaskParams, Status} from "../../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {HookTest} from "../support/HookTest.sol";

contract CheckSelectWorkerTest is HookTest {
    bytes4 private constant STEP = ITaskHook.checkSelectWorker.selector;

    /// when the requester selects a worker: it tells of the worker and the selected task
    function test_TellsOfTheSelection() external {
        CreateTaskParams memory params = hooked(aPitchTask());
        bytes32 taskId = create(params);
        pitch(taskId, alice);
        select(taskId, alice);
        TaskContext memory context = contextFor(taskId, params, HookState.WorkerSelected);
        assertTold(hook, abi.encodeCall(ITaskHook.checkSelectWorker, (taskId, context, alice)));
    }

    /// when the lowest bidder is selected: it tells of the worker and the price
    function test_TellsOfTheLowestBidder() external {
        CreateTaskParams memory params = hooked(anAuction(Modes.ENGLISH));
        bytes32 taskId = create(params);
        bid(taskId, bob, 6e6);
        skip(DURATION / 2);
        market.selectLowestBidder(taskId);
        TaskContext memory context = contextFor(taskId, params, HookState.Claimed);
        context.reward = 6e6;
        assertTold(hook, abi.encodeCall(ITaskHook.checkSelectWorker, (taskId, context, bob)));
    }

    /// when a hook refuses the requester's selection: it reverts with HookVetoed and leaves the task open
    function test_RevertWhen_TheSelectionIsRefused() external {
        bytes32 taskId = create(hooked(aPitchTask()));
        pitch(taskId, alice);
        hook.script(STEP, ScriptedHook.Behaviour.Refuse);
        vm.prank(requester);
        expectVeto(address(hook), STEP);
        market.selectWorker(taskId, alice);
        assertEq(uint8(market.getTask(taskId).status), uint8(Status.Open));
    }

    /// when a hook refuses the lowest bidder: it selects the bidder all the same and logs HookCallFailed
    function test_OverrulesTheRefusalOfABidder() external {
        bytes32 taskId = create(hooked(anAuction(Modes.ENGLISH)));
        bid(taskId, bob, 6e6);
        skip(DURATION / 2);
        hook.script(STEP, ScriptedHook.Behaviour.Refuse);
        expectOverruled(taskId, address(hook), STEP);
        market.selectLowestBidder(taskId);
        assertEq(market.getTask(taskId).worker, bob);
        assertEq(uint8(market.getTask(taskId).status), uint8(Status.Claimed));
    }
}
