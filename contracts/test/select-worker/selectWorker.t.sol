// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, SelectionKind, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract SelectWorkerTest is MarketTest {
    bytes32 internal taskId;

    function setUp() public override {
        super.setUp();
        taskId = create(aPitchTask());
        pitch(taskId, alice);
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        expectTaskNotFound("none");
        select("none", alice);
    }

    /// when another than the requester calls: it reverts with NotRequester
    function test_RevertWhen_NotRequester() external {
        vm.prank(alice);
        expectError(ITaskMarket.NotRequester.selector, alice);
        market.selectWorker(taskId, alice);
    }

    /// when the task is of another mode: it reverts with WrongMode, which names the mode
    function test_RevertWhen_OtherMode() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            if (all[i].mode == Modes.PITCH) continue;
            bytes32 other = create(all[i]);
            expectWrongMode(all[i].mode);
            select(other, alice);
        }
    }

    /// given a worker is selected: it reverts with WrongStatus
    function test_RevertGiven_WorkerSelected() external {
        pitch(taskId, bob);
        select(taskId, alice);
        expectWrongStatus(Status.WorkerSelected);
        select(taskId, bob);
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        cancel(taskId);
        expectWrongStatus(Status.Cancelled);
        select(taskId, alice);
    }

    /// when the task has expired: it reverts with DeadlinePassed
    function test_RevertWhen_Expired() external {
        uint256 expiry = block.timestamp + DURATION;
        vm.warp(expiry);
        expectError(ITaskMarket.DeadlinePassed.selector, expiry);
        select(taskId, alice);
        vm.warp(expiry + 1);
        expectError(ITaskMarket.DeadlinePassed.selector, expiry);
        select(taskId, alice);
    }

    /// when the worker did not pitch: it reverts with NoPitch
    function test_RevertWhen_NoPitch() external {
        expectError(ITaskMarket.NoPitch.selector, bob);
        select(taskId, bob);
        expectError(ITaskMarket.NoPitch.selector, address(0));
        select(taskId, address(0));
    }

    /// when the worker pitched for another task: it reverts with NoPitch
    function test_RevertWhen_PitchElsewhere() external {
        bytes32 other = create(aPitchTask());
        expectError(ITaskMarket.NoPitch.selector, alice);
        select(other, alice);
    }

    /// when before the pitch deadline: it assigns the worker at the reward
    function test_AssignsBeforeTheDeadline() external {
        select(taskId, alice);
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.WorkerSelected));
        assertEq(task.worker, alice);
        assertEq(task.price, REWARD);
        assertEq(task.stake, 0);
    }

    /// when before the pitch deadline: it logs the assignment
    function test_Logs() external {
        expectLog();
        emit TaskWorkerSelected(taskId, alice, SelectionKind.Pitch, uint96(REWARD), 0);
        select(taskId, alice);
    }

    /// when before the pitch deadline: it moves no money
    function test_MovesNoMoney() external {
        uint256 before = usdc.balanceOf(requester);
        select(taskId, alice);
        assertEq(usdc.balanceOf(requester), before);
        assertEq(usdc.balanceOf(address(market)), REWARD);
        assertEq(market.totalEscrow(), REWARD);
        assertEq(market.getTask(taskId).escrow, REWARD);
    }

    /// when at the pitch deadline or in the last second before expiry: it assigns the worker
    function test_AssignsUntilExpiry() external {
        bytes32 other = create(aPitchTask());
        pitch(other, bob);
        uint256 expiry = block.timestamp + DURATION;
        vm.warp(block.timestamp + DURATION / 2);
        select(taskId, alice);
        vm.warp(expiry - 1);
        select(other, bob);
        assertEq(market.getTask(taskId).worker, alice);
        assertEq(market.getTask(other).worker, bob);
    }

    /// given the reward was raised after the pitch: it assigns at the raised reward
    function test_AssignsAtTheRaisedReward() external {
        update(aRaise(taskId, REWARD + 5));
        expectLog();
        emit TaskWorkerSelected(taskId, alice, SelectionKind.Pitch, uint96(REWARD + 5), 0);
        select(taskId, alice);
        assertEq(market.getTask(taskId).price, REWARD + 5);
    }

    /// given entries are paused: it assigns the worker
    function test_AssignsWhilePaused() external {
        pauseEntries();
        select(taskId, alice);
        assertEq(market.getTask(taskId).worker, alice);
    }

    /// when relayed with a payment: it takes the payer for the caller
    function test_TakesThePayerForTheCaller() external {
        allowPaid(ITaskMarket.selectWorker.selector);
        usdc.mint(bob, 1000);
        expectError(ITaskMarket.NotRequester.selector, bob);
        this.relaySelection(bobKey);
        this.relaySelection(requesterKey);
        assertEq(market.getTask(taskId).worker, alice);
        assertEq(forwarder.fees(), 1000);
    }

    function relaySelection(uint256 payerKey) external {
        relayPaid(payerKey, 1000, 0, abi.encodeCall(market.selectWorker, (taskId, alice)));
    }
}
