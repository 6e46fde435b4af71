// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, EvaluationView, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract VerdictTest is EvaluationTest {
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
        evaluateExpired(contestId, Verdict.Reject, noAwards());
        assertPaid(Gains({requester: 0, alice: 0, bob: 0, evaluator: EVALUATOR_FEE, platform: 0}));
        assertEq(market.getTask(contestId).escrow, PAYABLE);
    }

    /// when the verdict is valid: it stores the verdict and its awards
    function test_Stores() external {
        evaluateExpired(contestId, Verdict.Partial, twoAwards(2e6, 3e6));
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
            twoAwards(2e6, 7.5e6)
        );
        evaluate(contestId, Verdict.Approve, twoAwards(2e6, 7.5e6));
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
        vm.warp(expiryTime - APPEAL_WINDOW);
        evaluate(contestId, Verdict.Approve, oneAward(alice, PAYABLE));
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
        vm.warp(expiryTime - APPEAL_WINDOW + 1);
        evaluate(contestId, Verdict.Approve, oneAward(alice, PAYABLE));
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
        evaluateExpired(small, Verdict.Reject, noAwards());
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
        evaluateExpired(free, Verdict.Reject, noAwards());
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

    function evaluateAt(bytes32 id, uint256 time) private {
        vm.warp(time);
        evaluate(id, Verdict.Reject, noAwards());
    }
}
