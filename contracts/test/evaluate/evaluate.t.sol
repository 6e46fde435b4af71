// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, EvaluationView, Status, UpdateTaskParams, Verdict} from "../../src/types/TaskTypes.sol";
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

    /// given an assigned worker: given nobody delivered: it reverts with WrongStatus while open and while claimed
    function test_RevertGiven_NotDelivered() external {
        bytes32 undelivered = create(evaluated(aClaim()));
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Open));
        evaluate(undelivered, Verdict.Approve, noAwards());
        claim(undelivered, alice);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Claimed));
        evaluate(undelivered, Verdict.Approve, noAwards());
    }

    /// given an assigned worker: given nobody delivered: it reverts with WrongStatus while a worker is selected
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

    /// given a contest: given nobody submitted: it reverts with NothingToEvaluate
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

    /// given a contest: when it has not expired: it issues the verdict and closes the entrance
    function test_ClosesAContest() external {
        evaluate(contestId, Verdict.Approve, oneAward(alice, 1e6));
        assertStands(contestId, Status.Appealing);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        submit(contestId, bob, "b2");
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
        evaluate(contestId, Verdict.Reject, noAwards());
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

    /// when the verdict is valid: it pays the evaluator now, whatever the verdict
    function test_PaysNow() external {
        Verdict[3] memory verdicts = [Verdict.Approve, Verdict.Reject, Verdict.Partial];
        for (uint256 i; i < verdicts.length; i++) {
            bytes32 review = createReview();
            mark();
            evaluate(review, verdicts[i], verdicts[i] == Verdict.Partial ? oneAward(alice, 1e6) : noAwards());
            assertPaid(Gains({requester: 0, alice: 0, bob: 0, evaluator: EVALUATOR_FEE, platform: 0}));
            assertEq(market.getTask(review).escrow, PAYABLE);
            assertEq(market.getTask(review).stake, STAKE);
        }
    }

    /// when the verdict is valid: it pays the evaluator of a contest now
    function test_PaysNowInAContest() external {
        evaluate(contestId, Verdict.Reject, noAwards());
        assertPaid(Gains({requester: 0, alice: 0, bob: 0, evaluator: EVALUATOR_FEE, platform: 0}));
        assertEq(market.getTask(contestId).escrow, PAYABLE);
    }

    /// when the verdict is valid: it stores the verdict and its awards
    function test_Stores() external {
        evaluate(contestId, Verdict.Partial, twoAwards(2e6, 3e6));
        EvaluationView memory evaluation = market.evaluationOf(contestId);
        assertEq(evaluation.evaluator, evaluator);
        assertEq(evaluation.resolver, resolver);
        assertEq(uint8(evaluation.verdict), uint8(Verdict.Partial));
        assertEq(evaluation.score, 900);
        assertEq(evaluation.confidence, 800);
        assertEq(evaluation.evidenceHash, keccak256("evidence"));
        assertEq(evaluation.phaseDeadline, block.timestamp + APPEAL_WINDOW);
        assertEq(abi.encode(evaluation.awards), abi.encode(twoAwards(2e6, 3e6)));
    }

    /// when the verdict is valid: it logs the verdict with its awards
    function test_Logs() external {
        uint40 now_ = uint40(block.timestamp);
        expectLog();
        emit VerdictIssued(
            contestId,
            evaluator,
            Verdict.Approve,
            900,
            800,
            keccak256("evidence"),
            now_ + APPEAL_WINDOW,
            expiryTime,
            uint96(EVALUATOR_FEE),
            twoAwards(2e6, 3e6)
        );
        evaluate(contestId, Verdict.Approve, twoAwards(2e6, 3e6));
    }

    /// when scores and evidence are at their bounds: it takes 1000 and no evidence
    function test_TakesTheBounds() external {
        expectLog();
        emit VerdictIssued(
            taskId,
            evaluator,
            Verdict.Reject,
            1000,
            1000,
            0,
            uint40(block.timestamp) + APPEAL_WINDOW,
            expiryTime,
            uint96(EVALUATOR_FEE),
            noAwards()
        );
        vm.prank(evaluator);
        market.evaluate(taskId, Verdict.Reject, 1000, 1000, 0, noAwards());
        assertEq(market.evaluationOf(taskId).evidenceHash, 0);
    }

    /// when the appeal deadline is not after the expiry: it leaves the expiry
    function test_LeavesTheExpiry() external {
        evaluateAt(contestId, expiryTime - APPEAL_WINDOW);
        assertEq(market.getTask(contestId).expiryTime, expiryTime);
    }

    /// when the appeal deadline is after the expiry: it raises the expiry to it and says so
    function test_RaisesTheExpiry() external {
        vm.warp(expiryTime);
        expectLog();
        emit VerdictIssued(
            contestId,
            evaluator,
            Verdict.Reject,
            900,
            800,
            keccak256("evidence"),
            expiryTime + APPEAL_WINDOW,
            expiryTime + APPEAL_WINDOW,
            uint96(EVALUATOR_FEE),
            noAwards()
        );
        evaluate(contestId, Verdict.Reject, noAwards());
        assertEq(market.getTask(contestId).expiryTime, expiryTime + APPEAL_WINDOW);
    }

    /// when the appeal deadline is after the expiry: it raises the expiry by a second when it is a second after
    function test_RaisesTheExpiryByASecond() external {
        evaluateAt(contestId, expiryTime - APPEAL_WINDOW + 1);
        assertEq(market.getTask(contestId).expiryTime, expiryTime + 1);
    }

    /// when the appeal deadline is after the expiry: it raises an expiry that review raised before
    function test_RaisesTheExpiryAgain() external {
        bytes32 review = create(evaluated(aClaim()));
        claim(review, alice);
        vm.warp(expiryTime - 1);
        submit(review, alice, "a1");
        assertEq(market.getTask(review).expiryTime, expiryTime - 1 + EVALUATION_WINDOW);
        evaluateAt(review, expiryTime - 1 + EVALUATION_WINDOW - 1);
        assertEq(market.getTask(review).expiryTime, expiryTime - 2 + EVALUATION_WINDOW + APPEAL_WINDOW);
    }

    /// given an auction: it takes the fee from the accepted price
    function test_FeeOfAnAuction() external {
        bytes32 auction = create(evaluated(anAuction(Modes.ENGLISH)));
        win(auction, 4e6);
        submit(auction, alice, "a1");
        mark();
        evaluate(auction, Verdict.Approve, noAwards());
        assertPaid(Gains({requester: 0, alice: 0, bob: 0, evaluator: 0.2e6, platform: 0}));
        assertEq(market.getTask(auction).escrow, 3.8e6);
    }

    /// given the fee is not a whole number: it rounds the fee down
    function test_RoundsTheFeeDown() external {
        CreateTaskParams memory params = evaluated(aBounty());
        params.reward = 1999;
        bytes32 small = create(params);
        submit(small, alice, "a1");
        mark();
        // 1999 * 500 / 10000 = 99.95
        evaluate(small, Verdict.Reject, noAwards());
        assertPaid(Gains({requester: 0, alice: 0, bob: 0, evaluator: 99, platform: 0}));
        assertEq(market.getTask(small).escrow, 1900);
    }

    /// given the evaluator takes no fee: it pays nothing
    function test_NoFee() external {
        CreateTaskParams memory params = evaluated(aBounty());
        params.evaluation.feeBps = 0;
        bytes32 free = create(params);
        submit(free, alice, "a1");
        mark();
        evaluate(free, Verdict.Reject, noAwards());
        assertNothingPaid();
        assertEq(market.getTask(free).escrow, REWARD);
    }

    /// given the evaluator cannot receive: it credits the evaluator
    function test_CreditsABlockedEvaluator() external {
        usdc.blacklist(evaluator);
        uint256 owed = market.totalEscrow();
        expectLog();
        emit PayoutDeferred(evaluator, taskId, uint96(EVALUATOR_FEE));
        evaluate(taskId, Verdict.Approve, noAwards());
        assertNothingPaid();
        assertEq(market.creditOf(evaluator), EVALUATOR_FEE);
        assertEq(market.totalEscrow(), owed);
        assertEq(market.getTask(taskId).escrow, PAYABLE);
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

    function evaluateAt(bytes32 id, uint256 time) private {
        vm.warp(time);
        evaluate(id, Verdict.Reject, noAwards());
    }
}
