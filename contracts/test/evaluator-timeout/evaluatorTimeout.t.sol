// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {EvaluationView, Status, TaskView, UpdateTaskParams, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract EvaluatorTimeoutTest is EvaluationTest {
    bytes32 internal taskId;
    bytes32 internal contestId;
    uint40 internal deadline;
    uint40 internal contestDeadline;

    function setUp() public override {
        super.setUp();
        taskId = createReview();
        contestId = createContest();
        deadline = uint40(block.timestamp) + EVALUATION_WINDOW;
        contestDeadline = uint40(block.timestamp) + DURATION + EVALUATION_WINDOW;
        mark();
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, bytes32("none")));
        timeOut("none");
    }

    /// when another than the requester calls: it reverts with NotRequester
    function test_RevertWhen_NotRequester() external {
        vm.warp(deadline);
        vm.prank(alice);
        expectError(ITaskMarket.NotRequester.selector, alice);
        market.evaluatorTimeout(taskId);
    }

    /// given no evaluator is assigned: it reverts with NoEvaluator
    function test_RevertGiven_NoEvaluator() external {
        bytes32 pending = createPending();
        vm.warp(contestDeadline);
        expectError(ITaskMarket.NoEvaluator.selector);
        timeOut(pending);
    }

    /// given the evaluator timed out: it reverts with NoEvaluator
    function test_RevertGiven_TimedOut() external {
        vm.warp(contestDeadline);
        timeOut(taskId);
        timeOut(contestId);
        expectError(ITaskMarket.NoEvaluator.selector);
        timeOut(taskId);
        expectError(ITaskMarket.NoEvaluator.selector);
        timeOut(contestId);
    }

    /// given no worker delivered to a single-worker task: it reverts with WrongStatus
    function test_RevertGiven_NotDelivered() external {
        bytes32 undelivered = create(evaluated(aClaim()));
        vm.warp(contestDeadline);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Open));
        timeOut(undelivered);
        bytes32 claimed = create(evaluated(aClaim()));
        claim(claimed, alice);
        vm.warp(block.timestamp + 365 days);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Claimed));
        timeOut(claimed);
    }

    /// given a verdict was issued: it reverts with WrongStatus
    function test_RevertGiven_Verdict() external {
        evaluate(taskId, Verdict.Approve, noAwards());
        evaluateExpired(contestId, Verdict.Reject, noAwards());
        appealBy(contestId, alice);
        vm.warp(contestDeadline);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        timeOut(taskId);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Disputed));
        timeOut(contestId);
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        evaluate(taskId, Verdict.Approve, noAwards());
        finalizeLater(taskId);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Completed));
        timeOut(taskId);
    }

    /// given a delivery in review: when the evaluator's deadline is a second away: it reverts with DeadlineNotReached
    function test_RevertWhen_InTime() external {
        vm.warp(deadline - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, deadline);
        timeOut(taskId);
    }

    /// given a delivery in review: when the evaluator's deadline is reached: it gives the decision to the requester
    function test_GivesTheDecisionBack() external {
        vm.warp(deadline);
        TaskView memory expected = market.getTask(taskId);
        timeOut(taskId);
        (expected.status, expected.hasEvaluator) = (Status.PendingApproval, false);
        assertEq(abi.encode(market.getTask(taskId)), abi.encode(expected));
    }

    /// given a delivery in review: when the evaluator's deadline is reached: it forgets the evaluator
    function test_ForgetsTheEvaluator() external {
        vm.warp(deadline);
        timeOut(taskId);
        EvaluationView memory none;
        assertEq(abi.encode(market.evaluationOf(taskId)), abi.encode(none));
        assertNothingPaid();
    }

    /// given a delivery in review: when the evaluator's deadline is reached: it logs where the task went
    function test_Logs() external {
        vm.warp(deadline);
        expectLog();
        emit EvaluatorTimedOut(taskId, evaluator, Status.PendingApproval);
        timeOut(taskId);
    }

    /// given a delivery in review: when the requester then accepts: it pays everything without an evaluator's fee
    function test_ThenAccepts() external {
        vm.warp(deadline);
        timeOut(taskId);
        accept(taskId, alice, "a1");
        assertPaid(Gains({requester: 0, alice: netOf(REWARD) + STAKE, bob: 0, evaluator: 0, platform: feeOf(REWARD)}));
    }

    /// given a delivery in review: when the requester then objects: it takes the objection
    function test_ThenObjects() external {
        vm.warp(deadline);
        timeOut(taskId);
        objectTo(taskId);
        assertTrue(market.getTask(taskId).objected);
    }

    /// given a contest: when expiry plus the window is a second away: it reverts with DeadlineNotReached
    function test_RevertWhen_ContestInTime() external {
        vm.warp(contestDeadline - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, contestDeadline);
        timeOut(contestId);
    }

    /// given a contest: when expiry plus the window is reached: it stays open without an evaluator
    function test_LeavesTheContestOpen() external {
        vm.warp(contestDeadline);
        TaskView memory expected = market.getTask(contestId);
        timeOut(contestId);
        expected.hasEvaluator = false;
        assertEq(abi.encode(market.getTask(contestId)), abi.encode(expected));
        EvaluationView memory none;
        assertEq(abi.encode(market.evaluationOf(contestId)), abi.encode(none));
        assertNothingPaid();
    }

    /// given a contest: when expiry plus the window is reached: it logs that the contest is open
    function test_LogsTheContest() external {
        vm.warp(contestDeadline);
        expectLog();
        emit EvaluatorTimedOut(contestId, evaluator, Status.Open);
        timeOut(contestId);
    }

    /// given a contest: when the requester then accepts: it pays everything without an evaluator's fee
    function test_ThenAcceptsOne() external {
        vm.warp(contestDeadline);
        timeOut(contestId);
        accept(contestId, bob, "b1");
        assertPaid(Gains({requester: 0, alice: 0, bob: netOf(REWARD), evaluator: 0, platform: feeOf(REWARD)}));
    }

    /// given a contest: when the requester then splits: it pays the shares
    function test_ThenSplits() external {
        vm.warp(contestDeadline);
        timeOut(contestId);
        split(contestId, winnersOf(alice, 4000, bob, 6000));
        assertPaid(Gains({requester: 0, alice: 3.7e6, bob: 5.55e6, evaluator: 0, platform: 0.75e6}));
    }

    /// given a contest: when the requester then rejects every account: it can be refunded
    function test_ThenRejects() external {
        vm.warp(contestDeadline);
        timeOut(contestId);
        vm.prank(requester);
        market.rejectSubmissions(contestId, asList(alice, bob));
        market.refundExpired(contestId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given a contest: given its expiry was extended: it counts from the new expiry
    function test_ExtendedContest() external {
        UpdateTaskParams memory update = anUpdate(contestId);
        update.expiryTime = uint40(block.timestamp) + DURATION + 1 days;
        vm.prank(requester);
        market.updateTask(update);
        vm.warp(contestDeadline);
        expectError(ITaskMarket.DeadlineNotReached.selector, contestDeadline + 1 days);
        timeOut(contestId);
        vm.warp(contestDeadline + 1 days);
        timeOut(contestId);
        assertFalse(market.getTask(contestId).hasEvaluator);
    }

    /// given a contest: given no account submitted: it can be given another evaluator
    function test_AnotherEvaluator() external {
        bytes32 empty = create(evaluated(aBounty()));
        vm.warp(contestDeadline);
        timeOut(empty);
        vm.prank(requester);
        market.assignEvaluator(empty, evaluatorTerms());
        assertTrue(market.getTask(empty).hasEvaluator);
    }

    /// given a contest: given an account submitted: it cannot be given another evaluator
    function test_RevertGiven_Submissions() external {
        vm.warp(contestDeadline);
        timeOut(contestId);
        vm.prank(requester);
        expectError(ITaskMarket.TermsLocked.selector, 2);
        market.assignEvaluator(contestId, evaluatorTerms());
    }

    /// given entries are paused: it gives the decision to the requester
    function test_WhilePaused() external {
        vm.prank(owner);
        market.pause();
        vm.warp(deadline);
        timeOut(taskId);
        assertStands(taskId, Status.PendingApproval);
    }

    /// when relayed: it takes the payer for the requester
    function test_Relayed() external {
        allowPaid(ITaskMarket.evaluatorTimeout.selector);
        vm.warp(deadline);
        relayPaid(requesterKey, 1000, 0, abi.encodeCall(market.evaluatorTimeout, (taskId)));
        assertStands(taskId, Status.PendingApproval);
    }
}
