// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {CreateTaskParams, Status, TaskView, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract AppealTest is EvaluationTest {
    bytes32 internal taskId;
    bytes32 internal contestId;

    function setUp() public override {
        super.setUp();
        taskId = createReview();
        contestId = createContest();
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, bytes32("none")));
        appealBy("none", alice);
    }

    /// given there is no verdict yet: it reverts with WrongStatus
    function test_RevertGiven_NoVerdict() external {
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Review));
        appealBy(taskId, alice);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Open));
        appealBy(contestId, alice);
    }

    /// given it was appealed already: it reverts with WrongStatus
    function test_RevertGiven_Appealed() external {
        evaluateExpired(contestId, Verdict.Reject, noAwards());
        appealBy(contestId, alice);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Disputed));
        appealBy(contestId, bob);
    }

    /// given the verdict took effect: it reverts with WrongStatus
    function test_RevertGiven_Final() external {
        evaluate(taskId, Verdict.Reject, noAwards());
        finalizeLater(taskId);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Cancelled));
        appealBy(taskId, alice);
    }

    /// given there is no resolver: it reverts with NoResolver
    function test_RevertGiven_NoResolver() external {
        CreateTaskParams memory params = evaluated(aBounty());
        params.evaluation.resolver = address(0);
        bytes32 unappealable = create(params);
        submit(unappealable, alice, "a1");
        evaluateExpired(unappealable, Verdict.Reject, noAwards());
        expectError(ITaskMarket.NoResolver.selector);
        appealBy(unappealable, alice);
    }

    /// when the appeal deadline is reached: it reverts with DeadlinePassed
    function test_RevertWhen_Late() external {
        evaluate(taskId, Verdict.Reject, noAwards());
        uint256 deadline = block.timestamp + APPEAL_WINDOW;
        vm.warp(deadline);
        expectError(ITaskMarket.DeadlinePassed.selector, deadline);
        appealBy(taskId, alice);
    }

    /// when the appeal deadline is a second away: it opens the dispute
    function test_InTime() external {
        evaluate(taskId, Verdict.Reject, noAwards());
        vm.warp(block.timestamp + APPEAL_WINDOW - 1);
        appealBy(taskId, alice);
        assertStands(taskId, Status.Disputed);
    }

    /// given an assigned worker: when another calls: it reverts with NotAppellant
    function test_RevertWhen_NotTheWorker() external {
        evaluate(taskId, Verdict.Reject, noAwards());
        address[5] memory others = [requester, bob, evaluator, resolver, stranger];
        for (uint256 i; i < others.length; i++) {
            expectError(ITaskMarket.NotAppellant.selector, others[i]);
            appealBy(taskId, others[i]);
        }
    }

    /// given an assigned worker: when the worker calls: it opens the dispute of every verdict
    function test_WorkerOfEveryVerdict() external {
        Verdict[3] memory verdicts = [Verdict.Approve, Verdict.Reject, Verdict.Partial];
        for (uint256 i; i < verdicts.length; i++) {
            bytes32 review = createReview();
            evaluate(review, verdicts[i], verdicts[i] == Verdict.Partial ? oneAward(alice, 1e6) : noAwards());
            appealBy(review, alice);
            assertStands(review, Status.Disputed);
        }
    }

    /// given a contest with awards: when an account without a submission that stands calls: it reverts with NotAppellant
    function test_RevertWhen_NotSubmittedButOthersAwarded() external {
        evaluate(contestId, Verdict.Approve, oneAward(bob, PAYABLE));
        address[3] memory others = [requester, evaluator, stranger];
        for (uint256 i; i < others.length; i++) {
            expectError(ITaskMarket.NotAppellant.selector, others[i]);
            appealBy(contestId, others[i]);
        }
    }

    /// given a contest with awards: when an awarded worker calls: it opens the dispute for the last of them, too
    function test_AnyAwarded() external {
        evaluateExpired(contestId, Verdict.Partial, twoAwards(1e6, 2e6));
        appealBy(contestId, bob);
        assertStands(contestId, Status.Disputed);
    }

    /// given a contest with awards: when an active submitter without an award calls: it opens the dispute
    function test_AnySubmitterWithoutAnAward() external {
        evaluate(contestId, Verdict.Approve, oneAward(bob, PAYABLE));
        appealBy(contestId, alice);
        assertStands(contestId, Status.Disputed);
    }

    /// given a contest without awards: when an account that did not submit calls: it reverts with NotAppellant
    function test_RevertWhen_NotSubmitted() external {
        evaluateExpired(contestId, Verdict.Reject, noAwards());
        address[3] memory others = [requester, evaluator, stranger];
        for (uint256 i; i < others.length; i++) {
            expectError(ITaskMarket.NotAppellant.selector, others[i]);
            appealBy(contestId, others[i]);
        }
    }

    /// given a contest without awards: when an active submitter calls: it opens the dispute
    function test_AnySubmitter() external {
        evaluateExpired(contestId, Verdict.Reject, noAwards());
        appealBy(contestId, bob);
        assertStands(contestId, Status.Disputed);
    }

    /// given an appeal window under a day: it gives the resolver a day
    function test_ADayAtLeast() external {
        evaluate(taskId, Verdict.Reject, noAwards());
        vm.warp(block.timestamp + 10 minutes);
        appealBy(taskId, alice);
        assertEq(phaseDeadline(taskId), block.timestamp + 1 days);
    }

    /// given an appeal window of a day: it gives the resolver a day
    function test_ExactlyADay() external {
        assertResolutionWindow(1 days, 1 days);
        assertResolutionWindow(1 days - 1, 1 days);
    }

    /// given an appeal window over a day: it gives the resolver the same window
    function test_TheAppealWindow() external {
        assertResolutionWindow(1 days + 1, 1 days + 1);
        assertResolutionWindow(3 days, 3 days);
    }

    /// when the dispute opens: it logs the appeal with its resolver and deadline
    function test_Logs() external {
        evaluate(taskId, Verdict.Reject, noAwards());
        expectLog();
        emit VerdictAppealed(taskId, alice, resolver, uint40(block.timestamp) + 1 days);
        appealBy(taskId, alice);
    }

    /// when the dispute opens: it moves no money and leaves verdict and expiry
    function test_MovesNothing() external {
        evaluateExpired(contestId, Verdict.Partial, twoAwards(1e6, 2e6));
        TaskView memory before = market.getTask(contestId);
        mark();
        appealBy(contestId, alice);
        assertNothingPaid();
        before.status = Status.Disputed;
        assertEq(abi.encode(market.getTask(contestId)), abi.encode(before));
        assertEq(uint8(market.evaluationOf(contestId).verdict), uint8(Verdict.Partial));
        assertEq(abi.encode(market.evaluationOf(contestId).awards), abi.encode(twoAwards(1e6, 2e6)));
    }

    /// given entries are paused: it opens the dispute
    function test_WhilePaused() external {
        evaluate(taskId, Verdict.Reject, noAwards());
        vm.prank(owner);
        market.pause();
        appealBy(taskId, alice);
        assertStands(taskId, Status.Disputed);
    }

    /// when relayed: it takes the payer for the worker
    function test_Relayed() external {
        evaluate(taskId, Verdict.Reject, noAwards());
        allowPaid(ITaskMarket.appeal.selector);
        relayPaid(aliceKey, 1000, 0, abi.encodeCall(market.appeal, (taskId)));
        assertStands(taskId, Status.Disputed);
    }

    function assertResolutionWindow(uint40 appealWindow, uint256 expected) private {
        CreateTaskParams memory params = evaluated(aBounty());
        params.evaluation.appealWindow = appealWindow;
        bytes32 id = create(params);
        submit(id, alice, "a1");
        evaluateExpired(id, Verdict.Reject, noAwards());
        appealBy(id, alice);
        assertEq(phaseDeadline(id), block.timestamp + expected);
    }
}
