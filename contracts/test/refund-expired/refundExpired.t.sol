// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {SuffixRule} from "../../src/types/RelayTypes.sol";
import {ReputationKind, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract RefundExpiredTest is MarketTest {
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
        market.refundExpired("none");
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        expire();
        market.refundExpired(taskId);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Expired));
        market.refundExpired(taskId);
    }

    /// when the task has not expired: it reverts with DeadlineNotReached
    function test_RevertWhen_NotExpired() external {
        uint256 expiryTime = block.timestamp + DURATION;
        vm.warp(expiryTime - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, expiryTime);
        market.refundExpired(taskId);
    }

    /// given active submissions exist: it reverts with ActiveSubmissionsExist
    function test_RevertGiven_ActiveSubmissions() external {
        submit(taskId, alice, "a1");
        expire();
        expectError(ITaskMarket.ActiveSubmissionsExist.selector, 1);
        market.refundExpired(taskId);
    }

    /// when expired and no account submitted: it refunds the requester whichever account calls
    function test_RefundsTheRequester() external {
        expire();
        vm.prank(stranger);
        market.refundExpired(taskId);
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.Expired));
        assertEq(task.escrow, 0);
        assertEq(usdc.balanceOf(requester), before);
        assertEq(market.totalEscrow(), 0);
    }

    /// when expired and no account submitted: it logs the expiry and the record
    function test_Logs() external {
        expire();
        expectLog();
        emit TaskExpired(taskId, uint96(REWARD));
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.ExpiredNoAction, uint96(REWARD), 0, false);
        market.refundExpired(taskId);
    }

    /// when expired and every worker was rejected: it logs an expiry after rejections
    function test_LogsAnExpiryAfterRejections() external {
        submit(taskId, alice, "a1");
        reject(taskId, alice);
        expire();
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.ExpiredAfterRejections, uint96(REWARD), 1, false);
        market.refundExpired(taskId);
    }

    /// given entries are paused: it refunds all the same
    function test_RefundsWhilePaused() external {
        vm.prank(owner);
        market.pause();
        expire();
        market.refundExpired(taskId);
        assertEq(usdc.balanceOf(requester), before);
    }

    /// given the requester cannot receive: it credits the requester
    function test_CreditsABlockedRequester() external {
        usdc.blacklist(requester);
        expire();
        market.refundExpired(taskId);
        assertEq(market.creditOf(requester), REWARD);
        assertEq(market.totalEscrow(), REWARD);
    }

    /// when relayed with no actor: it refunds the requester
    function test_RefundsWhenRelayedOpen() external {
        allow(address(market), ITaskMarket.refundExpired.selector, 8, SuffixRule.None, "");
        expire();
        vm.prank(relayer);
        forwarder.relayOpen(nextIntent(), address(market), abi.encodeCall(market.refundExpired, (taskId)));
        assertEq(usdc.balanceOf(requester), before);
    }

    function expire() private {
        vm.warp(market.getTask(taskId).expiryTime);
    }
}
