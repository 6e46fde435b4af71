// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {ReputationKind, Status} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract SettleStaleTest is MarketTest {
    bytes32 internal taskId;
    uint256 internal before;
    uint256 internal staleAt;

    function setUp() public override {
        super.setUp();
        before = usdc.balanceOf(requester);
        taskId = createBounty();
        submit(taskId, alice, "a1");
        staleAt = block.timestamp + DURATION + 90 days;
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, bytes32("none")));
        market.settleStale("none");
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        vm.warp(staleAt);
        market.settleStale(taskId);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Expired));
        market.settleStale(taskId);
    }

    /// when less than 90 days have passed since expiry: it reverts with DeadlineNotReached
    function test_RevertWhen_NotStale() external {
        vm.warp(staleAt - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, staleAt);
        market.settleStale(taskId);
    }

    /// when 90 days have passed since expiry: it refunds a contest that no account decided
    function test_Refunds() external {
        vm.warp(staleAt);
        vm.prank(stranger);
        market.settleStale(taskId);
        assertEq(uint8(market.getTask(taskId).status), uint8(Status.Expired));
        assertEq(market.getTask(taskId).escrow, 0);
        assertEq(usdc.balanceOf(requester), before);
        assertEq(market.totalEscrow(), 0);
    }

    /// when 90 days have passed since expiry: it logs the expiry and a stale record
    function test_Logs() external {
        vm.warp(staleAt);
        expectLog();
        emit TaskExpired(taskId, uint96(REWARD));
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Stale, uint96(REWARD), 1, false);
        market.settleStale(taskId);
    }

    /// when 90 days have passed since expiry: it refunds a contest without submissions too
    function test_RefundsWithoutSubmissions() external {
        reject(taskId, alice);
        vm.warp(staleAt);
        market.settleStale(taskId);
        assertEq(usdc.balanceOf(requester), before);
    }

    /// given the requester accepted later than that: it has nothing left to settle
    function test_RevertGiven_AcceptedLate() external {
        vm.warp(staleAt);
        accept(taskId, alice, "a1");
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Completed));
        market.settleStale(taskId);
    }

    /// given entries are paused: it settles all the same
    function test_SettlesWhilePaused() external {
        vm.prank(owner);
        market.pause();
        vm.warp(staleAt);
        market.settleStale(taskId);
        assertEq(usdc.balanceOf(requester), before);
    }
}
