// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {CancelReason, ReputationKind, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract CancelTaskTest is MarketTest {
    bytes32 internal taskId;
    uint256 internal before;

    function setUp() public override {
        super.setUp();
        before = usdc.balanceOf(requester);
        taskId = createBounty();
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, bytes32("none")));
        cancel("none");
    }

    /// when another than the requester calls: it reverts with NotRequester
    function test_RevertWhen_NotRequester() external {
        vm.prank(alice);
        expectError(ITaskMarket.NotRequester.selector, alice);
        market.cancelTask(taskId);
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        cancel(taskId);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Cancelled));
        cancel(taskId);
    }

    /// given active submissions exist: it reverts with ActiveSubmissionsExist
    function test_RevertGiven_ActiveSubmissions() external {
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
        reject(taskId, bob);
        expectError(ITaskMarket.ActiveSubmissionsExist.selector, 1);
        cancel(taskId);
    }

    /// given no account submitted: it returns the escrow and ends the task
    function test_ReturnsTheEscrow() external {
        cancel(taskId);
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.Cancelled));
        assertEq(task.escrow, 0);
        assertEq(task.awardCount, 0);
        assertEq(usdc.balanceOf(requester), before);
        assertEq(market.totalEscrow(), 0);
    }

    /// given no account submitted: it logs the cancellation and the record
    function test_Logs() external {
        expectLog();
        emit TaskCancelled(taskId, uint96(REWARD), CancelReason.Requester);
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Cancelled, uint96(REWARD), 0, false);
        cancel(taskId);
    }

    /// given every worker was rejected: it logs a cancellation after submissions
    function test_LogsACancellationAfterSubmissions() external {
        submit(taskId, alice, "a1");
        reject(taskId, alice);
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.CancelledAfterSubmissions, uint96(REWARD), 1, false);
        cancel(taskId);
    }

    /// when the task has expired: it cancels all the same
    function test_CancelsAfterExpiry() external {
        vm.warp(block.timestamp + DURATION);
        cancel(taskId);
        assertEq(usdc.balanceOf(requester), before);
    }

    /// given entries are paused: it cancels all the same
    function test_CancelsWhilePaused() external {
        vm.prank(owner);
        market.pause();
        cancel(taskId);
        assertEq(usdc.balanceOf(requester), before);
    }

    /// given the requester cannot receive: it credits the requester and cancels
    function test_CreditsABlockedRequester() external {
        usdc.blacklist(requester);
        cancel(taskId);
        assertEq(market.creditOf(requester), REWARD);
        assertEq(market.totalEscrow(), REWARD);
        assertEq(uint8(market.getTask(taskId).status), uint8(Status.Cancelled));
    }
}
