// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, EntryView, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract SubmitPitchTest is MarketTest {
    bytes32 internal constant PITCH = keccak256("pitch");

    bytes32 internal taskId;

    function setUp() public override {
        super.setUp();
        taskId = create(aPitchTask());
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        expectTaskNotFound("none");
        pitchAs(alice, "none", PITCH);
    }

    /// when the task is of another mode: it reverts with WrongMode, which names the mode
    function test_RevertWhen_OtherMode() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            if (all[i].mode == Modes.PITCH) continue;
            bytes32 other = create(all[i]);
            expectWrongMode(all[i].mode);
            pitchAs(alice, other, PITCH);
        }
    }

    /// given a worker is selected: it reverts with WrongStatus
    function test_RevertGiven_WorkerSelected() external {
        pitch(taskId, alice);
        select(taskId, alice);
        expectWrongStatus(Status.WorkerSelected);
        pitchAs(bob, taskId, PITCH);
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        cancel(taskId);
        expectWrongStatus(Status.Cancelled);
        pitchAs(alice, taskId, PITCH);
    }

    /// given entries are paused: it reverts with EntriesPaused
    function test_RevertGiven_Paused() external {
        pauseEntries();
        expectError(ITaskMarket.EntriesPaused.selector);
        pitchAs(alice, taskId, PITCH);
    }

    /// when the pitch deadline is reached: it reverts with DeadlinePassed
    function test_RevertWhen_DeadlineReached() external {
        uint256 deadline = block.timestamp + DURATION / 2;
        vm.warp(deadline);
        expectError(ITaskMarket.DeadlinePassed.selector, deadline);
        pitchAs(alice, taskId, PITCH);
        vm.warp(deadline + 1);
        expectError(ITaskMarket.DeadlinePassed.selector, deadline);
        pitchAs(alice, taskId, PITCH);
    }

    /// when in the last second before the pitch deadline: it accepts the pitch
    function test_AcceptsInTheLastSecond() external {
        vm.warp(block.timestamp + DURATION / 2 - 1);
        pitchAs(alice, taskId, PITCH);
        assertEq(market.getTask(taskId).pitchCount, 1);
    }

    /// given there is no pitch deadline: it accepts pitches until the expiry
    function test_AcceptsUntilExpiry() external {
        CreateTaskParams memory params = aPitchTask();
        params.pitchDuration = 0;
        taskId = create(params);
        uint256 expiry = block.timestamp + DURATION;
        vm.warp(expiry - 1);
        pitchAs(alice, taskId, PITCH);
        vm.warp(expiry);
        expectError(ITaskMarket.DeadlinePassed.selector, expiry);
        pitchAs(bob, taskId, PITCH);
    }

    /// when the hash is zero: it reverts with ZeroHash
    function test_RevertWhen_ZeroHash() external {
        expectError(ITaskMarket.ZeroHash.selector);
        pitchAs(alice, taskId, 0);
    }

    /// when the evaluator or the resolver pitches: it reverts with CannotEnter
    function test_RevertWhen_JudgePitches() external {
        bytes32 judged = create(evaluated(aPitchTask()));
        expectError(ITaskMarket.CannotEnter.selector, evaluator);
        pitchAs(evaluator, judged, PITCH);
        expectError(ITaskMarket.CannotEnter.selector, resolver);
        pitchAs(resolver, judged, PITCH);
        pitchAs(alice, judged, PITCH);
        assertEq(market.getTask(judged).pitchCount, 1);
    }

    /// when before the pitch deadline: it counts the pitch and leaves the task open
    function test_Counts() external {
        pitchAs(alice, taskId, PITCH);
        pitchAs(bob, taskId, PITCH);
        TaskView memory task = market.getTask(taskId);
        assertEq(task.pitchCount, 2);
        assertEq(uint8(task.status), uint8(Status.Open));
        assertEq(task.worker, address(0));
        assertEq(task.submissionCount, 0);
    }

    /// when before the pitch deadline: it remembers who pitched
    function test_RemembersTheWorker() external {
        pitchAs(alice, taskId, PITCH);
        EntryView memory expected;
        expected.pitched = true;
        assertEq(abi.encode(market.entryOf(taskId, alice)), abi.encode(expected));
        assertFalse(market.entryOf(taskId, bob).pitched);
    }

    /// when before the pitch deadline: it logs pitches by their position, also of the same worker
    function test_Logs() external {
        expectLog();
        emit PitchSubmitted(taskId, alice, PITCH, 0);
        pitchAs(alice, taskId, PITCH);
        expectLog();
        emit PitchSubmitted(taskId, bob, PITCH, 1);
        pitchAs(bob, taskId, PITCH);
        expectLog();
        emit PitchSubmitted(taskId, alice, PITCH, 2);
        pitchAs(alice, taskId, PITCH);
    }

    /// when before the pitch deadline: it moves no money
    function test_MovesNoMoney() external {
        pitchAs(alice, taskId, PITCH);
        assertEq(usdc.balanceOf(address(market)), REWARD);
        assertEq(market.totalEscrow(), REWARD);
        assertEq(market.getTask(taskId).escrow, REWARD);
    }

    /// when the requester pitches: it accepts the pitch
    function test_AcceptsTheRequester() external {
        pitchAs(requester, taskId, PITCH);
        assertTrue(market.entryOf(taskId, requester).pitched);
    }

    /// when relayed with a payment: it counts for the payer and leaves the payment to the forwarder
    function test_CountsForThePayer() external {
        allowPaid(ITaskMarket.submitPitch.selector);
        usdc.mint(alice, 1000);
        relayPaid(aliceKey, 1000, 0, abi.encodeCall(market.submitPitch, (taskId, PITCH)));
        assertTrue(market.entryOf(taskId, alice).pitched);
        assertEq(forwarder.fees(), 1000);
        assertEq(market.totalEscrow(), REWARD);
    }

    function pitchAs(address worker, bytes32 id, bytes32 pitchHash) private {
        vm.prank(worker);
        market.submitPitch(id, pitchHash);
    }
}
