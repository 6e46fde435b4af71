// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {ReputationKind, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract AcceptSubmissionTest is MarketTest {
    uint256 private constant FEE = REWARD * FEE_BPS / 10_000;
    uint256 private constant NET = REWARD - FEE;

    bytes32 internal taskId;

    function setUp() public override {
        super.setUp();
        taskId = createBounty();
        submit(taskId, alice, "a1");
        submit(taskId, alice, "a2");
        submit(taskId, bob, "b1");
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, bytes32("none")));
        accept("none", alice, "a1");
    }

    /// when another than the requester calls: it reverts with NotRequester
    function test_RevertWhen_NotRequester() external {
        vm.prank(alice);
        expectError(ITaskMarket.NotRequester.selector, alice);
        market.acceptSubmission(taskId, alice, "a1");
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        accept(taskId, alice, "a1");
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Completed));
        accept(taskId, bob, "b1");
    }

    /// when the worker has no active submission: it reverts with NoActiveSubmission for a stranger
    function test_RevertWhen_Stranger() external {
        expectError(ITaskMarket.NoActiveSubmission.selector, stranger);
        accept(taskId, stranger, "a1");
    }

    /// when the worker has no active submission: it reverts with NoActiveSubmission for a rejected worker
    function test_RevertWhen_Rejected() external {
        reject(taskId, alice);
        expectError(ITaskMarket.NoActiveSubmission.selector, alice);
        accept(taskId, alice, "a1");
    }

    /// when the worker did not commit the deliverable: it reverts with UnknownDeliverable
    function test_RevertWhen_UnknownDeliverable() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.UnknownDeliverable.selector, alice, bytes32("b1")));
        accept(taskId, alice, "b1");
    }

    /// when the worker committed the deliverable: it pays the worker and the platform
    function test_Pays() external {
        accept(taskId, alice, "a1");
        assertEq(usdc.balanceOf(alice), NET);
        assertEq(usdc.balanceOf(feeRecipient), FEE);
        assertEq(usdc.balanceOf(address(market)), 0);
        assertEq(market.totalEscrow(), 0);
    }

    /// when the worker committed the deliverable: it completes the task
    function test_Completes() external {
        accept(taskId, alice, "a1");
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.Completed));
        assertEq(task.escrow, 0);
        assertEq(task.reward, REWARD);
        assertEq(task.awardCount, 1);
        assertTrue(market.entryOf(taskId, alice).awarded);
        assertFalse(market.entryOf(taskId, bob).awarded);
    }

    /// when the worker committed the deliverable: it logs the award
    function test_LogsTheAward() external {
        expectLog();
        emit TaskCompleted(taskId, alice, 1, uint96(REWARD), uint96(NET), uint96(FEE), "a1", false);
        accept(taskId, alice, "a1");
    }

    /// when the worker committed the deliverable: it logs the requester's record
    function test_LogsTheRecord() external {
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Completed, uint96(REWARD), 3, false);
        accept(taskId, alice, "a1");
    }

    /// when any of several deliverables is named: it accepts an earlier one
    function test_AcceptsAnEarlierOne() external {
        accept(taskId, alice, "a1");
        assertEq(usdc.balanceOf(alice), NET);
    }

    /// when the task has expired: it accepts all the same
    function test_AcceptsAfterExpiry() external {
        vm.warp(block.timestamp + DURATION);
        accept(taskId, alice, "a2");
        assertEq(usdc.balanceOf(alice), NET);
    }

    /// when the requester is the worker: it flags the self award
    function test_FlagsTheSelfAward() external {
        submit(taskId, requester, "r1");
        expectLog();
        emit TaskCompleted(taskId, requester, 1, uint96(REWARD), uint96(NET), uint96(FEE), "r1", true);
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Completed, uint96(REWARD), 4, true);
        accept(taskId, requester, "r1");
    }

    /// given the platform takes no fee: it pays the whole reward to the worker
    function test_PaysAllWithoutFee() external {
        vm.prank(owner);
        market.setFeeBps(0);
        bytes32 freeTask = createBounty();
        submit(freeTask, alice, "a1");
        accept(freeTask, alice, "a1");
        assertEq(usdc.balanceOf(alice), REWARD);
        assertEq(usdc.balanceOf(feeRecipient), 0);
    }

    /// given the worker cannot receive: it credits the worker and completes
    function test_CreditsABlockedWorker() external {
        usdc.blacklist(alice);
        expectLog();
        emit PayoutDeferred(alice, taskId, uint96(NET));
        expectLog();
        emit TaskCompleted(taskId, alice, 1, uint96(REWARD), uint96(NET), uint96(FEE), "a1", false);
        accept(taskId, alice, "a1");
        assertEq(market.creditOf(alice), NET);
        assertEq(market.totalEscrow(), NET);
        assertEq(usdc.balanceOf(feeRecipient), FEE);
    }

    /// given the fee recipient cannot receive: it credits the fee recipient and completes
    function test_CreditsABlockedFeeRecipient() external {
        usdc.blacklist(feeRecipient);
        accept(taskId, alice, "a1");
        assertEq(market.creditOf(feeRecipient), FEE);
        assertEq(market.totalEscrow(), FEE);
        assertEq(usdc.balanceOf(alice), NET);
    }

    /// given USDC is paused: it credits both and completes
    function test_CreditsWhileUsdcIsPaused() external {
        usdc.pause();
        accept(taskId, alice, "a1");
        assertEq(market.creditOf(alice), NET);
        assertEq(market.creditOf(feeRecipient), FEE);
        assertEq(market.totalEscrow(), REWARD);
        assertEq(uint8(market.getTask(taskId).status), uint8(Status.Completed));
    }

    /// given entries are paused: it accepts all the same
    function test_AcceptsWhilePaused() external {
        vm.prank(owner);
        market.pause();
        accept(taskId, alice, "a1");
        assertEq(usdc.balanceOf(alice), NET);
    }
}
