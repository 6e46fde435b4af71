// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {ReturnReason, Status, UpdateTaskParams} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract UpdateTaskTest is MarketTest {
    bytes32 internal taskId;
    UpdateTaskParams internal params;

    function setUp() public override {
        super.setUp();
        taskId = createBounty();
        params.taskId = taskId;
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        params.taskId = "none";
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, params.taskId));
        update();
    }

    /// when another than the requester calls: it reverts with NotRequester
    function test_RevertWhen_NotRequester() external {
        params.reward = uint96(REWARD + 1);
        vm.prank(alice);
        expectError(ITaskMarket.NotRequester.selector, alice);
        market.updateTask(params);
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        cancel(taskId);
        params.reward = uint96(REWARD + 1);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Cancelled));
        update();
    }

    /// when a field of another mode is set: it reverts with InvalidTerms for each of them
    function test_RevertWhen_FieldOfAnotherMode() external {
        for (uint256 i; i < 3; i++) {
            UpdateTaskParams memory other = anUpdate(taskId);
            other.reward = uint96(REWARD + 1);
            if (i == 0) other.pitchDeadline = 1;
            if (i == 1) other.bidDeadline = 1;
            if (i == 2) other.clockPrice = 1;
            vm.prank(requester);
            expectError(ITaskMarket.InvalidTerms.selector);
            market.updateTask(other);
        }
    }

    /// when nothing changes: it reverts with NothingToUpdate for no fields
    function test_RevertWhen_NoFields() external {
        expectError(ITaskMarket.NothingToUpdate.selector);
        update();
    }

    /// when nothing changes: it reverts with NothingToUpdate for present values
    function test_RevertWhen_PresentValues() external {
        params.reward = uint96(REWARD);
        params.expiryTime = market.getTask(taskId).expiryTime;
        params.contentHash = aBounty().contentHash;
        expectError(ITaskMarket.NothingToUpdate.selector);
        update();
    }

    /// when the reward is below 1000 base units: it reverts with RewardTooLow
    function test_RevertWhen_RewardTooLow() external {
        params.reward = 999;
        expectError(ITaskMarket.RewardTooLow.selector, 999, 1000);
        update();
    }

    /// when the reward exceeds what the market can hold: it reverts with AmountTooLarge
    function test_RevertWhen_RewardTooLarge() external {
        params.reward = type(uint96).max;
        expectError(ITaskMarket.AmountTooLarge.selector, type(uint96).max, type(uint72).max);
        update();
    }

    /// when the reward is raised: it takes the difference into escrow
    function test_TakesTheRaise() external {
        uint256 before = usdc.balanceOf(requester);
        params.reward = uint96(REWARD + 3);
        update();
        assertEq(usdc.balanceOf(requester), before - 3);
        assertEq(market.getTask(taskId).reward, REWARD + 3);
        assertEq(market.getTask(taskId).escrow, REWARD + 3);
        assertEq(market.totalEscrow(), REWARD + 3);
    }

    /// when the reward is raised: it works after a submission
    function test_RaisesAfterASubmission() external {
        submit(taskId, alice, "a1");
        params.reward = uint96(REWARD + 1);
        update();
        assertEq(market.getTask(taskId).reward, REWARD + 1);
    }

    /// when the reward is raised: it reverts with EntriesPaused while entries are paused
    function test_RevertWhen_RaisedWhilePaused() external {
        vm.prank(owner);
        market.pause();
        params.reward = uint96(REWARD + 1);
        expectError(ITaskMarket.EntriesPaused.selector);
        update();
    }

    /// when the reward is lowered: it returns the difference to the requester
    function test_ReturnsTheDecrease() external {
        uint256 before = usdc.balanceOf(requester);
        params.reward = 1000;
        expectLog();
        emit EscrowReturned(taskId, requester, uint96(REWARD - 1000), ReturnReason.RewardDecreased);
        update();
        assertEq(usdc.balanceOf(requester), before + REWARD - 1000);
        assertEq(market.getTask(taskId).reward, 1000);
        assertEq(market.getTask(taskId).escrow, 1000);
        assertEq(market.totalEscrow(), 1000);
    }

    /// when the reward is lowered: it reverts with TermsLocked after a submission
    function test_RevertWhen_LoweredAfterASubmission() external {
        submit(taskId, alice, "a1");
        submit(taskId, alice, "a2");
        reject(taskId, alice);
        params.reward = uint96(REWARD - 1);
        expectError(ITaskMarket.TermsLocked.selector, 2);
        update();
    }

    /// when the reward is lowered: it works while entries are paused
    function test_LowersWhilePaused() external {
        vm.prank(owner);
        market.pause();
        params.reward = 1000;
        update();
        assertEq(market.totalEscrow(), 1000);
    }

    /// when the reward is lowered: it credits a requester who cannot receive
    function test_CreditsABlockedRequester() external {
        usdc.blacklist(requester);
        params.reward = 1000;
        expectLog();
        emit PayoutDeferred(requester, taskId, uint96(REWARD - 1000));
        update();
        assertEq(market.creditOf(requester), REWARD - 1000);
        assertEq(market.totalEscrow(), REWARD);
    }

    /// when the expiry is not in the future: it reverts with InvalidDeadline
    function test_RevertWhen_ExpiryNotInFuture() external {
        params.expiryTime = uint40(block.timestamp);
        expectError(ITaskMarket.InvalidDeadline.selector, block.timestamp);
        update();
    }

    /// when the expiry is more than ten years ahead: it reverts with InvalidDeadline
    function test_RevertWhen_ExpiryTooFar() external {
        params.expiryTime = uint40(block.timestamp + 3650 days);
        update();
        params.expiryTime += 1;
        expectError(ITaskMarket.InvalidDeadline.selector, params.expiryTime);
        update();
    }

    /// when the expiry is extended: it moves the expiry
    function test_Extends() external {
        submit(taskId, alice, "a1");
        params.expiryTime = uint40(block.timestamp + DURATION + 1);
        update();
        assertEq(market.getTask(taskId).expiryTime, params.expiryTime);
    }

    /// when the expiry is extended: it opens an expired task again
    function test_OpensAnExpiredTask() external {
        vm.warp(block.timestamp + DURATION);
        params.expiryTime = uint40(block.timestamp + 1);
        update();
        submit(taskId, alice, "a1");
        assertEq(market.getTask(taskId).activeSubmissions, 1);
    }

    /// when the expiry is shortened: it moves the expiry before any submission
    function test_Shortens() external {
        params.expiryTime = uint40(block.timestamp + 1);
        update();
        assertEq(market.getTask(taskId).expiryTime, params.expiryTime);
    }

    /// when the expiry is shortened: it reverts with TermsLocked after a submission
    function test_RevertWhen_ShortenedAfterASubmission() external {
        submit(taskId, alice, "a1");
        params.expiryTime = uint40(block.timestamp + 1);
        expectError(ITaskMarket.TermsLocked.selector, 1);
        update();
    }

    /// when the content hash changes: it replaces the content hash
    function test_ReplacesTheContentHash() external {
        params.contentHash = keccak256("better content");
        update();
        assertEq(market.getTask(taskId).contentHash, params.contentHash);
        assertEq(market.getTask(taskId).reward, REWARD);
    }

    /// when anything changes: it logs all terms
    function test_LogsAllTerms() external {
        params.contentHash = keccak256("better content");
        expectLog();
        emit TaskUpdated(taskId, uint96(REWARD), uint40(block.timestamp) + DURATION, 0, 0, 0, params.contentHash);
        update();
    }

    /// when relayed with the payment of a raise: it takes exactly the raise from the payment
    function test_TakesTheRaiseFromThePayment() external {
        allowPaid(ITaskMarket.updateTask.selector);
        params.reward = uint96(REWARD + 5e6);
        relayPaid(requesterKey, 5e6 + 1000, 5e6, abi.encodeCall(market.updateTask, params));
        assertEq(market.totalEscrow(), REWARD + 5e6);
        assertEq(forwarder.fees(), 1000);
    }

    function update() private {
        vm.prank(requester);
        market.updateTask(params);
    }
}
