// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HookState, ITaskHook, TaskContext} from "../../../src/interfaces/ITaskHook.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {CreateTaskParams, Status, UpdateTaskParams} from "../../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {HookTest} from "../support/HookTest.sol";

contract CheckClaimTest is HookTest {
    bytes4 private constant STEP = ITaskHook.checkClaim.selector;

    /// when a worker claims: it tells of the worker and the claimed task
    function test_TellsOfAClaim() external {
        CreateTaskParams memory params = hooked(aClaim());
        // Told to checkFund alone.
        params.tags = new bytes32[](1);
        bytes32 taskId = create(params);
        claim(taskId, alice);
        TaskContext memory context = contextFor(taskId, params, HookState.Claimed);
        assertTold(hook, abi.encodeCall(ITaskHook.checkClaim, (taskId, context, alice)));
    }

    /// when a worker claims: it asks after the stake is in
    function test_AsksAfterTheStake() external {
        bytes32 taskId = create(hooked(aClaim()));
        hook.script(STEP, ScriptedHook.Behaviour.CallBack);
        hook.scriptCallback(address(usdc), abi.encodeCall(usdc.balanceOf, (address(market))));
        claim(taskId, alice);
        assertEq(abi.decode(hook.callbackAnswer(), (uint256)), REWARD + REWARD / 10);
    }

    /// when a worker pitches: it tells of the worker and the open task
    function test_TellsOfAPitch() external {
        CreateTaskParams memory params = hooked(aPitchTask());
        bytes32 taskId = create(params);
        pitch(taskId, alice);
        TaskContext memory context = contextFor(taskId, params, HookState.Open);
        assertTold(hook, abi.encodeCall(ITaskHook.checkClaim, (taskId, context, alice)));
    }

    /// when a worker bids: it tells of the worker and the reward that is still to be bid for
    function test_TellsOfABid() external {
        CreateTaskParams memory params = hooked(anAuction(Modes.ENGLISH));
        bytes32 taskId = create(params);
        bid(taskId, alice, 6e6);
        bid(taskId, bob, 5e6);
        TaskContext memory context = contextFor(taskId, params, HookState.Open);
        assertEq(context.reward, REWARD);
        assertTold(hook, abi.encodeCall(ITaskHook.checkClaim, (taskId, context, bob)));
    }

    /// when a worker takes the clock price: it tells of the worker and the price
    function test_TellsOfTheClockPrice() external {
        CreateTaskParams memory params = hooked(anAuction(Modes.DUTCH));
        bytes32 taskId = create(params);
        skip(DURATION / 4);
        // Half of the way from the reward down to a quarter of it.
        uint256 price = (REWARD * 5) / 8;
        vm.prank(alice);
        market.acceptAuction(taskId, uint96(price));
        TaskContext memory context = contextFor(taskId, params, HookState.Claimed);
        context.reward = price;
        assertTold(hook, abi.encodeCall(ITaskHook.checkClaim, (taskId, context, alice)));
    }

    /// when a hook refuses an entry: it refuses the claim and takes no stake
    function test_RevertWhen_AClaimIsRefused() external {
        bytes32 taskId = create(hooked(aClaim()));
        hook.script(STEP, ScriptedHook.Behaviour.Refuse);
        uint256 before = usdc.balanceOf(alice);
        vm.prank(alice);
        expectVeto(address(hook), STEP);
        market.claimTask(taskId, 0);
        assertEq(usdc.balanceOf(alice), before);
        assertEq(uint8(market.getTask(taskId).status), uint8(Status.Open));
    }

    /// when a hook refuses an entry: it refuses the pitch
    function test_RevertWhen_APitchIsRefused() external {
        bytes32 taskId = create(hooked(aPitchTask()));
        hook.script(STEP, ScriptedHook.Behaviour.Refuse);
        vm.prank(alice);
        expectVeto(address(hook), STEP);
        market.submitPitch(taskId, "pitch");
        assertEq(market.getTask(taskId).pitchCount, 0);
        assertFalse(market.entryOf(taskId, alice).pitched);
    }

    /// when a hook refuses an entry: it refuses the bid and keeps the one before
    function test_RevertWhen_ABidIsRefused() external {
        bytes32 taskId = create(hooked(anAuction(Modes.REVERSE_ENGLISH)));
        bid(taskId, alice, 6e6);
        hook.script(STEP, ScriptedHook.Behaviour.Refuse);
        vm.prank(bob);
        expectVeto(address(hook), STEP);
        market.submitBid(taskId, 5e6);
        (address lowest, uint256 price) = market.lowestBidOf(taskId);
        assertEq(lowest, alice);
        assertEq(price, 6e6);
        assertEq(market.entryOf(taskId, bob).bid, 0);
    }

    /// when a hook refuses an entry: it refuses the clock price and returns no surplus
    function test_RevertWhen_AClockPriceIsRefused() external {
        bytes32 taskId = create(hooked(anAuction(Modes.REVERSE_DUTCH)));
        hook.script(STEP, ScriptedHook.Behaviour.Refuse);
        uint256 before = usdc.balanceOf(requester);
        vm.prank(alice);
        expectVeto(address(hook), STEP);
        market.acceptAuction(taskId, 1);
        assertEq(usdc.balanceOf(requester), before);
        assertEq(market.getTask(taskId).escrow, REWARD);
    }

    /// when a forfeited task is claimed again: it tells of the second worker
    function test_TellsOfTheSecondClaim() external {
        CreateTaskParams memory params = hooked(aClaim());
        bytes32 taskId = create(params);
        claim(taskId, alice);
        skip(DURATION);
        vm.startPrank(requester);
        market.forfeitAndReopen(taskId);
        UpdateTaskParams memory update = anUpdate(taskId);
        update.expiryTime = uint40(start + 2 * DURATION);
        update.reward = uint96(2 * REWARD);
        market.updateTask(update);
        vm.stopPrank();
        claim(taskId, bob);
        TaskContext memory context = contextFor(taskId, params, HookState.Claimed);
        (context.reward, context.submissionDeadline) = (2 * REWARD, start + 2 * DURATION);
        assertTold(hook, abi.encodeCall(ITaskHook.checkClaim, (taskId, context, bob)));
    }
}
