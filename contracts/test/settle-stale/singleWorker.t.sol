// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {ReputationKind, Status, TaskView, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract StaleSingleWorkerTest is EvaluationTest {
    uint256 internal staleAt;

    function setUp() public override {
        super.setUp();
        staleAt = block.timestamp + DURATION + 90 days;
    }

    /// given no account entered: when 90 days are a second away: it reverts with DeadlineNotReached
    function test_RevertWhen_OpenNotStale() external {
        bytes32 taskId = create(aClaim());
        vm.warp(staleAt - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, staleAt);
        market.settleStale(taskId);
    }

    /// given no account entered: when 90 days have passed: it refunds every mode
    function test_RefundsOpen() external {
        bytes32[4] memory tasks =
            [create(aClaim()), create(aPitchTask()), create(anAuction(Modes.DUTCH)), create(anAuction(Modes.ENGLISH))];
        vm.warp(staleAt);
        for (uint256 i; i < tasks.length; i++) {
            mark();
            expectLog();
            emit TaskExpired(tasks[i], uint96(REWARD));
            expectLog();
            emit RequesterReputation(tasks[i], requester, ReputationKind.ExpiredNoAction, uint96(REWARD), 0, false);
            market.settleStale(tasks[i]);
            assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
            assertStands(tasks[i], Status.Expired);
        }
    }

    /// given an auction with bids of which none was selected: it refunds it and assigns no worker
    function test_RefundsUnselectedBids() external {
        bytes32 taskId = create(anAuction(Modes.ENGLISH));
        bid(taskId, alice, 4e6);
        vm.warp(staleAt);
        mark();
        market.settleStale(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.Expired));
        assertEq(task.worker, address(0));
        assertEq(task.price, 0);
    }

    /// given a claim that was not delivered: when 90 days are a second away: it reverts with DeadlineNotReached
    function test_RevertWhen_ClaimedNotStale() external {
        bytes32 taskId = create(aClaim());
        claim(taskId, alice);
        vm.warp(staleAt - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, staleAt);
        market.settleStale(taskId);
    }

    /// given a claim that was not delivered: when 90 days have passed: it refunds the requester and forfeits the stake
    function test_ForfeitsTheStake() external {
        bytes32 taskId = create(aClaim());
        claim(taskId, alice);
        vm.warp(staleAt);
        mark();
        expectLog();
        emit TaskExpired(taskId, uint96(REWARD));
        expectLog();
        emit StakeForfeited(taskId, alice, uint96(STAKE));
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.ExpiredUndelivered, uint96(REWARD), 0, false);
        market.settleStale(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: STAKE}));
        assertStands(taskId, Status.Expired);
        assertEq(market.getTask(taskId).stake, 0);
    }

    /// given a selected worker who did not deliver: it refunds the requester
    function test_RefundsASelection() external {
        bytes32 taskId = create(aPitchTask());
        pitch(taskId, alice);
        select(taskId, alice);
        vm.warp(staleAt);
        mark();
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.ExpiredUndelivered, uint96(REWARD), 0, false);
        market.settleStale(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given an auction won and not delivered: it refunds the price
    function test_RefundsThePrice() external {
        bytes32 taskId = create(anAuction(Modes.ENGLISH));
        win(taskId, 4e6);
        vm.warp(staleAt);
        mark();
        expectLog();
        emit TaskExpired(taskId, 4e6);
        market.settleStale(taskId);
        assertPaid(Gains({requester: 4e6, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given a delivery: when 90 days are a second away: it reverts with DeadlineNotReached
    function test_RevertWhen_DeliveredNotStale() external {
        bytes32 taskId = createPending();
        vm.warp(staleAt - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, staleAt);
        market.settleStale(taskId);
    }

    /// given a delivery: when the requester never answered: it pays the worker and returns the stake
    function test_PaysTheWorker() external {
        bytes32 taskId = createPending();
        vm.warp(staleAt);
        mark();
        expectLog();
        emit TaskCompleted(taskId, alice, 1, uint96(REWARD), uint96(netOf(REWARD)), uint96(feeOf(REWARD)), "a1", false);
        expectLog();
        emit StakeReturned(taskId, alice, uint96(STAKE));
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Stale, uint96(REWARD), 1, false);
        vm.prank(stranger);
        market.settleStale(taskId);
        assertPaid(Gains({requester: 0, alice: netOf(REWARD) + STAKE, bob: 0, evaluator: 0, platform: feeOf(REWARD)}));
        assertStands(taskId, Status.Completed);
        assertEq(market.getTask(taskId).awardCount, 1);
        assertTrue(market.entryOf(taskId, alice).awarded);
    }

    /// given a delivery: when the requester never answered: it pays the price of an auction
    function test_PaysThePrice() external {
        bytes32 taskId = create(anAuction(Modes.REVERSE_ENGLISH));
        win(taskId, 4e6);
        submit(taskId, alice, "a1");
        vm.warp(staleAt);
        mark();
        market.settleStale(taskId);
        assertPaid(Gains({requester: 0, alice: netOf(4e6), bob: 0, evaluator: 0, platform: feeOf(4e6)}));
    }

    /// given a delivery: when the requester objected: it refunds the requester and returns the stake
    function test_RefundsAnObjection() external {
        bytes32 taskId = createPending();
        objectTo(taskId);
        vm.warp(staleAt);
        mark();
        expectLog();
        emit TaskExpired(taskId, uint96(REWARD));
        expectLog();
        emit StakeReturned(taskId, alice, uint96(STAKE));
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Stale, uint96(REWARD), 1, false);
        market.settleStale(taskId);
        assertPaid(Gains({requester: REWARD, alice: STAKE, bob: 0, evaluator: 0, platform: 0}));
        assertStands(taskId, Status.Expired);
        assertFalse(market.entryOf(taskId, alice).awarded);
    }

    /// given a delivery: when the requester objected too late: it was settled before
    function test_ObjectionTooLate() external {
        bytes32 taskId = createPending();
        vm.warp(staleAt);
        market.settleStale(taskId);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Completed));
        objectTo(taskId);
    }

    /// given a review: when 90 days after a raised expiry are a second away: it reverts with DeadlineNotReached
    function test_RevertWhen_ReviewNotStale() external {
        (bytes32 taskId, uint256 reviewStaleAt) = createLateReview();
        vm.warp(reviewStaleAt - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, reviewStaleAt);
        market.settleStale(taskId);
    }

    /// given a review: when 90 days after a raised expiry have passed: it pays the worker without an evaluator's fee
    function test_PaysTheWorkerOfAReview() external {
        (bytes32 taskId, uint256 reviewStaleAt) = createLateReview();
        vm.warp(reviewStaleAt);
        mark();
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Stale, uint96(REWARD), 1, false);
        market.settleStale(taskId);
        assertPaid(Gains({requester: 0, alice: netOf(REWARD) + STAKE, bob: 0, evaluator: 0, platform: feeOf(REWARD)}));
        assertStands(taskId, Status.Completed);
    }

    /// given a review that timed out: it refunds the requester who objected since
    function test_RefundsAnObjectionAfterATimeout() external {
        bytes32 taskId = createReview();
        vm.warp(phaseDeadline(taskId));
        timeOut(taskId);
        objectTo(taskId);
        vm.warp(staleAt);
        mark();
        market.settleStale(taskId);
        assertPaid(Gains({requester: REWARD, alice: STAKE, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given a verdict: it reverts with WrongStatus while appealing and while disputed
    function test_RevertGiven_Verdict() external {
        bytes32 taskId = createReview();
        evaluate(taskId, Verdict.Approve, noAwards());
        bytes32 disputed = createReview();
        evaluate(disputed, Verdict.Reject, noAwards());
        appealBy(disputed, alice);
        vm.warp(staleAt + 365 days);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        market.settleStale(taskId);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Disputed));
        market.settleStale(disputed);
    }

    /// given the task has ended: it reverts with WrongStatus for every ending
    function test_RevertGiven_Ended() external {
        bytes32 completed = createPending();
        accept(completed, alice, "a1");
        bytes32 cancelled = create(aClaim());
        cancel(cancelled);
        bytes32 expired = create(aClaim());
        vm.warp(staleAt);
        market.refundExpired(expired);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Completed));
        market.settleStale(completed);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Cancelled));
        market.settleStale(cancelled);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Expired));
        market.settleStale(expired);
    }

    /// given entries are paused: it settles claims and deliveries all the same
    function test_WhilePaused() external {
        bytes32 claimed = create(aClaim());
        claim(claimed, alice);
        bytes32 pending = createPending();
        vm.prank(owner);
        market.pause();
        vm.warp(staleAt);
        market.settleStale(claimed);
        market.settleStale(pending);
        assertEq(market.totalEscrow(), 0);
    }

    /// @dev A delivery in the last second, which raised the expiry to the end of the evaluator's window.
    function createLateReview() private returns (bytes32 taskId, uint256 reviewStaleAt) {
        taskId = create(evaluated(aClaim()));
        claim(taskId, alice);
        vm.warp(block.timestamp + DURATION - 1);
        submit(taskId, alice, "a1");
        reviewStaleAt = block.timestamp + EVALUATION_WINDOW + 90 days;
    }
}
