// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Award, Status, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract AwardsTest is EvaluationTest {
    bytes32 internal taskId;
    bytes32 internal contestId;

    function setUp() public override {
        super.setUp();
        taskId = createReview();
        contestId = createContest();
    }

    /// when a rejection awards an account: it reverts with AwardsNotAllowed
    function test_RevertWhen_RejectionAwards() external {
        expectError(ITaskMarket.AwardsNotAllowed.selector);
        evaluate(taskId, Verdict.Reject, oneAward(alice, 1));
        expectError(ITaskMarket.AwardsNotAllowed.selector);
        evaluate(contestId, Verdict.Reject, oneAward(alice, 1));
    }

    /// when a partial verdict awards no account: it reverts with NoWinners
    function test_RevertWhen_PartialAwardsNoAccount() external {
        expectError(ITaskMarket.NoWinners.selector);
        evaluate(taskId, Verdict.Partial, noAwards());
        expectError(ITaskMarket.NoWinners.selector);
        evaluate(contestId, Verdict.Partial, noAwards());
    }

    /// when an approval awards no account: it reverts with NoWinners in a contest
    function test_RevertWhen_ContestApprovalAwardsNoAccount() external {
        expectError(ITaskMarket.NoWinners.selector);
        evaluate(contestId, Verdict.Approve, noAwards());
    }

    /// when an approval awards no account: it is issued for an assigned worker
    function test_ApprovalAwardsTheWorker() external {
        evaluate(taskId, Verdict.Approve, noAwards());
        assertEq(market.evaluationOf(taskId).awards.length, 0);
        assertStands(taskId, Status.Appealing);
    }

    /// when there are more than 50 awards: it reverts with TooManyWinners
    function test_RevertWhen_TooManyAwards() external {
        expectError(ITaskMarket.TooManyWinners.selector, 51, 50);
        evaluate(contestId, Verdict.Approve, new Award[](51));
    }

    /// when there are 50 awards: it takes all of them
    function test_TakesFifty() external {
        Award[] memory awards = new Award[](50);
        for (uint256 i; i < 50; i++) {
            awards[i] = Award(address(uint160(0x1000 + i)), 1, uint16(i + 1));
            submit(contestId, awards[i].worker, "w");
        }
        evaluateExpired(contestId, Verdict.Approve, awards);
        assertEq(abi.encode(market.evaluationOf(contestId).awards), abi.encode(awards));
    }

    /// when an award is nothing: it reverts with ZeroAward
    function test_RevertWhen_ZeroAward() external {
        expectError(ITaskMarket.ZeroAward.selector, bob);
        evaluate(contestId, Verdict.Approve, twoAwards(1, 0));
    }

    /// when a rank is out of range: it reverts with InvalidRank below 1
    function test_RevertWhen_RankZero() external {
        expectRankError(0);
    }

    /// when a rank is out of range: it reverts with InvalidRank above 255
    function test_RevertWhen_RankTooHigh() external {
        expectRankError(256);
        expectRankError(type(uint16).max);
    }

    /// when two awards have the same rank: it reverts with InvalidRank
    function test_RevertWhen_RankTwice() external {
        Award[] memory awards = twoAwards(1e6, 1e6);
        awards[0].rank = 2;
        expectError(ITaskMarket.InvalidRank.selector, 2);
        evaluate(contestId, Verdict.Approve, awards);
    }

    /// when ranks are unique: it takes them in any order up to 255
    function test_TakesAnyRanks() external {
        Award[] memory awards = twoAwards(1e6, 2e6);
        (awards[0].rank, awards[1].rank) = (255, 3);
        evaluateExpired(contestId, Verdict.Approve, awards);
        assertEq(abi.encode(market.evaluationOf(contestId).awards), abi.encode(awards));
    }

    /// given an assigned worker: when another is awarded: it reverts with NotSelectedWorker
    function test_RevertWhen_NotSelected() external {
        expectError(ITaskMarket.NotSelectedWorker.selector, bob);
        evaluate(taskId, Verdict.Approve, oneAward(bob, 1e6));
        expectError(ITaskMarket.NotSelectedWorker.selector, evaluator);
        evaluate(taskId, Verdict.Partial, oneAward(evaluator, 1e6));
    }

    /// given a contest: when an account without a submission is awarded: it reverts with NoActiveSubmission
    function test_RevertWhen_NotSubmitted() external {
        address[4] memory others = [stranger, evaluator, resolver, requester];
        for (uint256 i; i < others.length; i++) {
            expectError(ITaskMarket.NoActiveSubmission.selector, others[i]);
            evaluate(contestId, Verdict.Approve, oneAward(others[i], 1e6));
        }
    }

    /// when a worker is awarded twice: it reverts with DuplicateWinner
    function test_RevertWhen_Duplicate() external {
        Award[] memory awards = twoAwards(1e6, 1e6);
        awards[1].worker = alice;
        expectError(ITaskMarket.DuplicateWinner.selector, alice);
        evaluate(contestId, Verdict.Approve, awards);
        expectError(ITaskMarket.DuplicateWinner.selector, alice);
        evaluate(taskId, Verdict.Partial, awards);
    }

    /// when the awards exceed what the fee leaves: it reverts with AwardsExceedEscrow
    function test_RevertWhen_Excess() external {
        expectError(ITaskMarket.AwardsExceedEscrow.selector, PAYABLE + 1, PAYABLE);
        evaluate(contestId, Verdict.Approve, twoAwards(PAYABLE, 1));
        expectError(ITaskMarket.AwardsExceedEscrow.selector, REWARD, PAYABLE);
        evaluate(taskId, Verdict.Partial, oneAward(alice, REWARD));
    }

    /// when the awards exceed what the fee leaves: it reverts with the true sum of the largest amounts
    function test_RevertWhen_HugeExcess() external {
        uint256 most = type(uint80).max;
        expectError(ITaskMarket.AwardsExceedEscrow.selector, 2 * most, PAYABLE);
        evaluate(contestId, Verdict.Approve, twoAwards(most, most));
    }

    /// when the awards are all that the fee leaves: it takes them
    function test_TakesAll() external {
        evaluateExpired(contestId, Verdict.Partial, twoAwards(PAYABLE - 1, 1));
        assertStands(contestId, Status.Appealing);
    }

    function expectRankError(uint16 rank) private {
        Award[] memory awards = oneAward(alice, 1e6);
        awards[0].rank = rank;
        expectError(ITaskMarket.InvalidRank.selector, rank);
        evaluate(contestId, Verdict.Approve, awards);
    }
}
