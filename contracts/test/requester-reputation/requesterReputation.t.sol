// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {ITaskMarketEvents} from "../../src/interfaces/ITaskMarketEvents.sol";
import {Modes} from "../../src/types/Modes.sol";
import {Award, ReputationKind, UpdateTaskParams, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

/// @title The requester's record after every ending
/// @notice The whole life of each task is recorded: the record comes once, whatever happened before.
contract RequesterReputationTest is EvaluationTest {
    uint256 internal staleAt;

    function setUp() public override {
        super.setUp();
        staleAt = block.timestamp + DURATION + 90 days;
        vm.recordLogs();
    }

    /// when a submission is accepted: it logs a completion
    function test_Accepted() external {
        createCompleted();
        assertRecord(ReputationKind.Completed, 1, false);
    }

    /// when shares are accepted: it logs a completion with all submissions
    function test_Split() external {
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
        submit(taskId, bob, "b2");
        split(taskId, winnersOf(alice, 5000, bob, 5000));
        assertRecord(ReputationKind.Completed, 3, false);
    }

    /// when an assigned worker's delivery is accepted: it logs a completion
    function test_AcceptedDelivery() external {
        accept(createPending(), alice, "a1");
        assertRecord(ReputationKind.Completed, 1, false);
    }

    /// when it is accepted after objection and expiry: it logs a completion
    function test_AcceptedLate() external {
        bytes32 taskId = createPending();
        objectTo(taskId);
        vm.warp(staleAt);
        accept(taskId, alice, "a1");
        assertRecord(ReputationKind.Completed, 1, false);
    }

    /// when it is accepted after an evaluator's timeout: it logs a completion
    function test_AcceptedAfterATimeout() external {
        bytes32 taskId = createReview();
        vm.warp(phaseDeadline(taskId));
        timeOut(taskId);
        accept(taskId, alice, "a1");
        assertRecord(ReputationKind.Completed, 1, false);
    }

    /// when a verdict awards: it logs a completion
    function test_Approved() external {
        bytes32 taskId = createReview();
        evaluate(taskId, Verdict.Approve, noAwards());
        finalizeLater(taskId);
        assertRecord(ReputationKind.Completed, 1, false);
    }

    /// when a verdict awards: it logs a completion of a partial one
    function test_Partial() external {
        bytes32 taskId = createContest();
        evaluateExpired(taskId, Verdict.Partial, twoAwards(1, 1));
        finalizeLater(taskId);
        assertRecord(ReputationKind.Completed, 2, false);
    }

    /// when a dispute is resolved: it logs a completion
    function test_Resolved() external {
        bytes32 taskId = createReview();
        evaluate(taskId, Verdict.Reject, noAwards());
        appealBy(taskId, alice);
        resolve(taskId, Verdict.Partial, oneAward(alice, 1));
        assertRecord(ReputationKind.Completed, 1, false);
    }

    /// when a verdict rejects: it logs a rejection by verdict
    function test_Rejected() external {
        bytes32 taskId = createContest();
        evaluateExpired(taskId, Verdict.Reject, noAwards());
        finalizeLater(taskId);
        assertRecord(ReputationKind.RejectedByVerdict, 2, false);
    }

    /// when a verdict rejects: it logs a rejection by verdict after a silent resolver
    function test_RejectedAfterAnAppeal() external {
        bytes32 taskId = createReview();
        evaluate(taskId, Verdict.Reject, noAwards());
        appealBy(taskId, alice);
        finalizeLater(taskId);
        assertRecord(ReputationKind.RejectedByVerdict, 1, false);
    }

    /// when it is cancelled: it logs a cancellation when no account submitted
    function test_Cancelled() external {
        bytes32 taskId = create(aPitchTask());
        pitch(taskId, alice);
        cancel(taskId);
        assertRecord(ReputationKind.Cancelled, 0, false);
    }

    /// when it is cancelled: it logs a cancellation after submissions when all were rejected
    function test_CancelledAfterSubmissions() external {
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        submit(taskId, alice, "a2");
        reject(taskId, alice);
        cancel(taskId);
        assertRecord(ReputationKind.CancelledAfterSubmissions, 2, false);
    }

    /// when it expires open: it logs an expiry without action when no account submitted
    function test_ExpiredNoAction() external {
        bytes32 taskId = createBounty();
        expire(taskId);
        assertRecord(ReputationKind.ExpiredNoAction, 0, false);
    }

    /// when it expires open: it logs an expiry without action when no worker was selected
    function test_ExpiredUnselected() external {
        bytes32 taskId = create(anAuction(Modes.ENGLISH));
        bid(taskId, alice, 4e6);
        expire(taskId);
        assertRecord(ReputationKind.ExpiredNoAction, 0, false);
    }

    /// when it expires open: it logs an expiry without action after a forfeited claim
    function test_ExpiredAfterAForfeit() external {
        bytes32 taskId = create(aClaim());
        claim(taskId, alice);
        vm.warp(block.timestamp + DURATION);
        vm.prank(requester);
        market.forfeitAndReopen(taskId);
        expire(taskId);
        assertRecord(ReputationKind.ExpiredNoAction, 0, false);
    }

    /// when it expires open: it logs an expiry after rejections when all were rejected
    function test_ExpiredAfterRejections() external {
        bytes32 taskId = create(aBenchmark());
        vm.prank(alice);
        market.submitProof(taskId, "proof", "type", 1);
        reject(taskId, alice);
        expire(taskId);
        assertRecord(ReputationKind.ExpiredAfterRejections, 1, false);
    }

    /// when it expires assigned: it logs an undelivered expiry of a claim
    function test_ExpiredClaim() external {
        bytes32 taskId = create(aClaim());
        claim(taskId, alice);
        expire(taskId);
        assertRecord(ReputationKind.ExpiredUndelivered, 0, false);
    }

    /// when it expires assigned: it logs an undelivered expiry of a selected worker
    function test_ExpiredSelection() external {
        bytes32 taskId = create(aPitchTask());
        pitch(taskId, alice);
        select(taskId, alice);
        expire(taskId);
        assertRecord(ReputationKind.ExpiredUndelivered, 0, false);
    }

    /// when it expires assigned: it logs an undelivered expiry of an auction with the reward offered
    function test_ExpiredAuction() external {
        bytes32 taskId = create(anAuction(Modes.ENGLISH));
        win(taskId, 4e6);
        expire(taskId);
        assertRecord(ReputationKind.ExpiredUndelivered, 0, false);
    }

    /// when another account settles it: it logs a stale contest
    function test_StaleContest() external {
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        settle(taskId, staleAt);
        assertRecord(ReputationKind.Stale, 1, false);
    }

    /// when another account settles it: it logs rejections as at any expiry
    function test_StaleRejections() external {
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        reject(taskId, alice);
        settle(taskId, staleAt);
        assertRecord(ReputationKind.ExpiredAfterRejections, 1, false);
    }

    /// when another account settles it: it logs a stale delivery that paid
    function test_StaleDelivery() external {
        settle(createPending(), staleAt);
        assertRecord(ReputationKind.Stale, 1, false);
    }

    /// when another account settles it: it logs a stale delivery that was refused
    function test_StaleObjection() external {
        bytes32 taskId = createPending();
        objectTo(taskId);
        settle(taskId, staleAt);
        assertRecord(ReputationKind.Stale, 1, false);
    }

    /// when another account settles it: it logs a stale review
    function test_StaleReview() external {
        settle(createReview(), staleAt);
        assertRecord(ReputationKind.Stale, 1, false);
    }

    /// when another account settles it: it logs an undelivered expiry of an assigned worker
    function test_StaleClaim() external {
        bytes32 taskId = create(aClaim());
        claim(taskId, alice);
        settle(taskId, staleAt);
        assertRecord(ReputationKind.ExpiredUndelivered, 0, false);
    }

    /// given the requester is awarded: it flags an acceptance
    function test_SelfAcceptance() external {
        bytes32 taskId = createBounty();
        submit(taskId, requester, "r1");
        submit(taskId, alice, "a1");
        accept(taskId, requester, "r1");
        assertRecord(ReputationKind.Completed, 2, true);
    }

    /// given the requester is awarded: it flags one share among others
    function test_SelfShare() external {
        bytes32 taskId = createBounty();
        submit(taskId, requester, "b1");
        submit(taskId, alice, "a1");
        split(taskId, winnersOf(alice, 9999, requester, 1));
        assertRecord(ReputationKind.Completed, 2, true);
    }

    /// given the requester is awarded: it flags an award that is not the last
    function test_SelfVerdict() external {
        bytes32 taskId = createContest();
        submit(taskId, requester, "r1");
        Award[] memory awards = twoAwards(1, 1);
        awards[0].worker = requester;
        evaluateExpired(taskId, Verdict.Approve, awards);
        finalizeLater(taskId);
        assertRecord(ReputationKind.Completed, 3, true);
    }

    /// given the requester is awarded: it flags a resolver's award
    function test_SelfDispute() external {
        bytes32 taskId = createContest();
        submit(taskId, requester, "r1");
        evaluateExpired(taskId, Verdict.Reject, noAwards());
        appealBy(taskId, requester);
        resolve(taskId, Verdict.Approve, oneAward(requester, 1));
        assertRecord(ReputationKind.Completed, 3, true);
    }

    /// given the requester is awarded: it flags a stale delivery
    function test_SelfStale() external {
        bytes32 taskId = create(aClaim());
        claim(taskId, requester);
        submit(taskId, requester, "r1");
        settle(taskId, staleAt);
        assertRecord(ReputationKind.Stale, 1, true);
    }

    /// given the requester entered without an award: it flags nothing
    function test_SelfWithoutAward() external {
        bytes32 taskId = createBounty();
        submit(taskId, requester, "r1");
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
        assertRecord(ReputationKind.Completed, 2, false);
    }

    /// given the reward was changed: it logs the last reward
    function test_LastReward() external {
        bytes32 taskId = createBounty();
        UpdateTaskParams memory update = anUpdate(taskId);
        update.reward = uint96(3 * REWARD);
        vm.prank(requester);
        market.updateTask(update);
        cancel(taskId);
        assertRecord(ReputationKind.Cancelled, 0, false, 3 * REWARD);
    }

    function expire(bytes32 taskId) private {
        vm.warp(market.getTask(taskId).expiryTime);
        market.refundExpired(taskId);
    }

    function settle(bytes32 taskId, uint256 time) private {
        vm.warp(time);
        vm.prank(stranger);
        market.settleStale(taskId);
    }

    function assertRecord(ReputationKind kind, uint256 submissions, bool selfAward) private {
        assertRecord(kind, submissions, selfAward, REWARD);
    }

    /// @dev Among all logs since the test began there is one record, and it says this.
    function assertRecord(ReputationKind kind, uint256 submissions, bool selfAward, uint256 reward) private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        uint256 count;
        for (uint256 i; i < logs.length; i++) {
            if (logs[i].topics[0] != ITaskMarketEvents.RequesterReputation.selector) continue;
            count++;
            assertEq(logs[i].topics[2], bytes32(uint256(uint160(requester))));
            assertEq(logs[i].data, abi.encode(kind, reward, submissions, selfAward));
        }
        assertEq(count, 1);
    }
}
