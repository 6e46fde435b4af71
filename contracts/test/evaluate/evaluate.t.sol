// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {CreateTaskParams, Status, UpdateTaskParams, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract EvaluateTest is EvaluationTest {
    bytes32 internal taskId;
    bytes32 internal contestId;
    uint40 internal expiryTime;

    function setUp() public override {
        super.setUp();
        taskId = createReview();
        contestId = createContest();
        expiryTime = uint40(block.timestamp) + DURATION;
        mark();
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, bytes32("none")));
        evaluate("none", Verdict.Approve, noAwards());
    }

    /// given no evaluator is assigned: it reverts with NoEvaluator
    function test_RevertGiven_NoEvaluator() external {
        bytes32 pending = createPending();
        expectError(ITaskMarket.NoEvaluator.selector);
        evaluate(pending, Verdict.Approve, noAwards());
    }

    /// given the evaluator timed out: it reverts with NoEvaluator
    function test_RevertGiven_TimedOut() external {
        vm.warp(phaseDeadline(taskId));
        timeOut(taskId);
        expectError(ITaskMarket.NoEvaluator.selector);
        evaluate(taskId, Verdict.Approve, noAwards());
    }

    /// when another than the evaluator calls: it reverts with NotEvaluator
    function test_RevertWhen_NotEvaluator() external {
        address[4] memory others = [requester, alice, resolver, stranger];
        for (uint256 i; i < others.length; i++) {
            vm.prank(others[i]);
            expectError(ITaskMarket.NotEvaluator.selector, others[i]);
            market.evaluate(taskId, Verdict.Approve, 1000, 1000, 0, noAwards());
        }
    }

    /// given an assigned worker: given no worker delivered: it reverts with WrongStatus while open and while claimed
    function test_RevertGiven_NotDelivered() external {
        bytes32 undelivered = create(evaluated(aClaim()));
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Open));
        evaluate(undelivered, Verdict.Approve, noAwards());
        claim(undelivered, alice);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Claimed));
        evaluate(undelivered, Verdict.Approve, noAwards());
    }

    /// given an assigned worker: given no worker delivered: it reverts with WrongStatus while a worker is selected
    function test_RevertGiven_NotDeliveredPitch() external {
        bytes32 undelivered = create(evaluated(aPitchTask()));
        pitch(undelivered, alice);
        select(undelivered, alice);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.WorkerSelected));
        evaluate(undelivered, Verdict.Approve, noAwards());
    }

    /// given an assigned worker: when the evaluator's deadline is reached: it reverts with DeadlinePassed
    function test_RevertWhen_Late() external {
        uint40 deadline = phaseDeadline(taskId);
        assertEq(deadline, block.timestamp + EVALUATION_WINDOW);
        vm.warp(deadline);
        expectError(ITaskMarket.DeadlinePassed.selector, deadline);
        evaluate(taskId, Verdict.Approve, noAwards());
    }

    /// given an assigned worker: when the evaluator's deadline is a second away: it issues the verdict
    function test_InTime() external {
        vm.warp(phaseDeadline(taskId) - 1);
        evaluate(taskId, Verdict.Approve, noAwards());
        assertStands(taskId, Status.Appealing);
    }

    /// given a contest: given no account submitted: it reverts with NothingToEvaluate
    function test_RevertGiven_NothingToEvaluate() external {
        bytes32 empty = create(evaluated(aBounty()));
        expectError(ITaskMarket.NothingToEvaluate.selector);
        evaluate(empty, Verdict.Reject, noAwards());
    }

    /// given a contest: when expiry plus the evaluation window is reached: it reverts with DeadlinePassed
    function test_RevertWhen_LateInAContest() external {
        vm.warp(expiryTime + EVALUATION_WINDOW);
        expectError(ITaskMarket.DeadlinePassed.selector, expiryTime + EVALUATION_WINDOW);
        evaluate(contestId, Verdict.Reject, noAwards());
    }

    /// given a contest: when expiry plus the evaluation window is a second away: it issues the verdict
    function test_InTimeInAContest() external {
        vm.warp(expiryTime + EVALUATION_WINDOW - 1);
        evaluate(contestId, Verdict.Reject, noAwards());
        assertStands(contestId, Status.Appealing);
    }

    /// given a contest: when it has not expired: it issues an approval of all that can be paid and closes the entrance
    function test_ClosesAContest() external {
        evaluate(contestId, Verdict.Approve, twoAwards(PAYABLE - 1, 1));
        assertStands(contestId, Status.Appealing);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        submit(contestId, bob, "b2");
    }

    /// given a contest: when it has not expired: it refuses every other verdict with ContestStillOpen
    function test_RevertWhen_ContestStillOpen() external {
        vm.warp(expiryTime - 1);
        expectError(ITaskMarket.ContestStillOpen.selector, expiryTime);
        evaluate(contestId, Verdict.Reject, noAwards());
        expectError(ITaskMarket.ContestStillOpen.selector, expiryTime);
        evaluate(contestId, Verdict.Partial, twoAwards(PAYABLE - 1, 1));
        expectError(ITaskMarket.ContestStillOpen.selector, expiryTime);
        evaluate(contestId, Verdict.Approve, oneAward(alice, PAYABLE - 1));
        assertNothingPaid();
    }

    /// given a contest: when it has expired: it issues every verdict
    function test_EveryVerdictFromTheExpiry() external {
        bytes32 second = createContest();
        bytes32 third = createContest();
        vm.warp(expiryTime);
        evaluate(contestId, Verdict.Reject, noAwards());
        evaluate(second, Verdict.Partial, oneAward(alice, 1));
        evaluate(third, Verdict.Approve, oneAward(alice, 1));
        assertStands(contestId, Status.Appealing);
        assertStands(second, Status.Appealing);
        assertStands(third, Status.Appealing);
    }

    /// given a contest: given its expiry was extended: it gives the evaluator the window after the new expiry
    function test_ExtendedContest() external {
        UpdateTaskParams memory update = anUpdate(contestId);
        update.expiryTime = expiryTime + 1 days;
        vm.prank(requester);
        market.updateTask(update);
        vm.warp(expiryTime + 1 days + EVALUATION_WINDOW - 1);
        evaluate(contestId, Verdict.Reject, noAwards());
        assertStands(contestId, Status.Appealing);
    }

    /// given a verdict was issued: it reverts with WrongStatus while appealing and while disputed
    function test_RevertGiven_Verdict() external {
        evaluate(taskId, Verdict.Reject, noAwards());
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        evaluate(taskId, Verdict.Approve, noAwards());
        appealBy(taskId, alice);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Disputed));
        evaluate(taskId, Verdict.Approve, noAwards());
    }

    /// given a verdict was issued: it reverts with WrongStatus in a contest, too
    function test_RevertGiven_VerdictInAContest() external {
        evaluateExpired(contestId, Verdict.Reject, noAwards());
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        evaluate(contestId, Verdict.Reject, noAwards());
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        evaluate(taskId, Verdict.Approve, noAwards());
        finalizeLater(taskId);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Completed));
        evaluate(taskId, Verdict.Approve, noAwards());
    }

    /// when there is no verdict: it reverts with InvalidVerdict
    function test_RevertWhen_NoVerdict() external {
        expectError(ITaskMarket.InvalidVerdict.selector, uint256(Verdict.None));
        evaluate(taskId, Verdict.None, noAwards());
    }

    /// when the score exceeds 1000: it reverts with InvalidScore
    function test_RevertWhen_ScoreTooHigh() external {
        vm.prank(evaluator);
        expectError(ITaskMarket.InvalidScore.selector, 1001, 1000);
        market.evaluate(taskId, Verdict.Approve, 1001, 1000, 0, noAwards());
    }

    /// when the confidence exceeds 1000: it reverts with InvalidScore
    function test_RevertWhen_ConfidenceTooHigh() external {
        vm.prank(evaluator);
        expectError(ITaskMarket.InvalidScore.selector, 1002, 1000);
        market.evaluate(taskId, Verdict.Approve, 1000, 1002, 0, noAwards());
    }

    /// given entries are paused: it issues the verdict
    function test_WhilePaused() external {
        vm.prank(owner);
        market.pause();
        evaluate(taskId, Verdict.Approve, noAwards());
        assertStands(taskId, Status.Appealing);
    }

    /// when relayed: it takes the payer for the evaluator
    function test_Relayed() external {
        CreateTaskParams memory params = evaluated(aBounty());
        params.evaluation.evaluator = bob;
        bytes32 relayed = create(params);
        submit(relayed, alice, "a1");
        allowPaid(ITaskMarket.evaluate.selector);
        vm.warp(expiryTime);
        uint256 before = usdc.balanceOf(bob);
        relayPaid(
            bobKey,
            1000,
            0,
            abi.encodeCall(market.evaluate, (relayed, Verdict.Reject, uint16(1), uint16(2), bytes32(0), noAwards()))
        );
        assertStands(relayed, Status.Appealing);
        // The relay cost a thousand base units.
        assertEq(usdc.balanceOf(bob), before + EVALUATOR_FEE - 1000);
    }
}
