// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {
    Award,
    CreateTaskParams,
    EvaluationView,
    ReputationKind,
    ReturnReason,
    Status,
    TaskView,
    Verdict
} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract ResolveDisputeTest is EvaluationTest {
    bytes32 internal taskId;
    bytes32 internal contestId;

    function setUp() public override {
        super.setUp();
        contestId = createContest();
        evaluateExpired(contestId, Verdict.Partial, oneAward(bob, 1e6));
        appealBy(contestId, bob);
        taskId = createReview();
        evaluate(taskId, Verdict.Reject, noAwards());
        appealBy(taskId, alice);
        mark();
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, bytes32("none")));
        resolve("none", Verdict.Approve, oneAward(alice, 1e6));
    }

    /// given no party appealed: it reverts with WrongStatus
    function test_RevertGiven_NotAppealed() external {
        bytes32 review = createReview();
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Review));
        resolve(review, Verdict.Approve, oneAward(alice, 1e6));
        evaluate(review, Verdict.Reject, noAwards());
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        resolve(review, Verdict.Approve, oneAward(alice, 1e6));
    }

    /// given the dispute is resolved: it reverts with WrongStatus
    function test_RevertGiven_Resolved() external {
        resolve(taskId, Verdict.Approve, oneAward(alice, 1e6));
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Completed));
        resolve(taskId, Verdict.Approve, oneAward(alice, 1e6));
    }

    /// when another than the resolver calls: it reverts with NotResolver
    function test_RevertWhen_NotResolver() external {
        address[4] memory others = [evaluator, requester, alice, stranger];
        for (uint256 i; i < others.length; i++) {
            vm.prank(others[i]);
            expectError(ITaskMarket.NotResolver.selector, others[i]);
            market.resolveDispute(taskId, Verdict.Approve, oneAward(alice, 1e6));
        }
    }

    /// when the resolver's deadline is reached: it reverts with DeadlinePassed
    function test_RevertWhen_Late() external {
        uint256 deadline = block.timestamp + 1 days;
        vm.warp(deadline);
        expectError(ITaskMarket.DeadlinePassed.selector, deadline);
        resolve(taskId, Verdict.Approve, oneAward(alice, 1e6));
    }

    /// when the resolver's deadline is a second away: it settles the appeal
    function test_InTime() external {
        vm.warp(block.timestamp + 1 days - 1);
        resolve(taskId, Verdict.Approve, oneAward(alice, 1e6));
        assertStands(taskId, Status.Completed);
    }

    /// when the verdict is a rejection or none: it reverts with InvalidVerdict
    function test_RevertWhen_Rejection() external {
        expectError(ITaskMarket.InvalidVerdict.selector, uint256(Verdict.Reject));
        resolve(taskId, Verdict.Reject, noAwards());
        expectError(ITaskMarket.InvalidVerdict.selector, uint256(Verdict.None));
        resolve(taskId, Verdict.None, oneAward(alice, 1e6));
    }

    /// when no account is awarded: it reverts with NoWinners
    function test_RevertWhen_NoAwards() external {
        expectError(ITaskMarket.NoWinners.selector);
        resolve(taskId, Verdict.Approve, noAwards());
        expectError(ITaskMarket.NoWinners.selector);
        resolve(contestId, Verdict.Partial, noAwards());
    }

    /// when there are more than 50 awards: it reverts with TooManyWinners
    function test_RevertWhen_TooManyAwards() external {
        expectError(ITaskMarket.TooManyWinners.selector, 51, 50);
        resolve(contestId, Verdict.Approve, new Award[](51));
    }

    /// when an award is nothing: it reverts with ZeroAward
    function test_RevertWhen_ZeroAward() external {
        expectError(ITaskMarket.ZeroAward.selector, alice);
        resolve(taskId, Verdict.Approve, oneAward(alice, 0));
    }

    /// when a rank is out of range or taken: it reverts with InvalidRank
    function test_RevertWhen_InvalidRank() external {
        Award[] memory awards = twoAwards(1, 1);
        uint16[3] memory ranks = [0, 256, awards[0].rank];
        for (uint256 i; i < ranks.length; i++) {
            awards[1].rank = ranks[i];
            expectError(ITaskMarket.InvalidRank.selector, ranks[i]);
            resolve(contestId, Verdict.Approve, awards);
        }
    }

    /// when an account is awarded who cannot be: it reverts with NotSelectedWorker for an assigned task
    function test_RevertWhen_NotSelected() external {
        expectError(ITaskMarket.NotSelectedWorker.selector, resolver);
        resolve(taskId, Verdict.Approve, oneAward(resolver, 1e6));
    }

    /// when an account is awarded who cannot be: it reverts with NoActiveSubmission in a contest
    function test_RevertWhen_NotSubmitted() external {
        expectError(ITaskMarket.NoActiveSubmission.selector, stranger);
        resolve(contestId, Verdict.Approve, oneAward(stranger, 1e6));
    }

    /// when a worker is awarded twice: it reverts with DuplicateWinner
    function test_RevertWhen_Duplicate() external {
        Award[] memory awards = twoAwards(1, 1);
        awards[0].worker = bob;
        expectError(ITaskMarket.DuplicateWinner.selector, bob);
        resolve(contestId, Verdict.Approve, awards);
    }

    /// when the awards exceed what the evaluator's fee left: it reverts with AwardsExceedEscrow
    function test_RevertWhen_Excess() external {
        expectError(ITaskMarket.AwardsExceedEscrow.selector, PAYABLE + 1, PAYABLE);
        resolve(taskId, Verdict.Approve, oneAward(alice, PAYABLE + 1));
        expectError(ITaskMarket.AwardsExceedEscrow.selector, PAYABLE + 1, PAYABLE);
        resolve(contestId, Verdict.Partial, twoAwards(1, PAYABLE));
    }

    /// given an assigned worker: it pays the award, returns the rest and the stake
    function test_Pays() external {
        resolve(taskId, Verdict.Partial, oneAward(alice, 6e6));
        assertPaid(Gains({requester: 3.5e6, alice: netOf(6e6) + STAKE, bob: 0, evaluator: 0, platform: feeOf(6e6)}));
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.Completed));
        assertEq(task.escrow, 0);
        assertEq(task.stake, 0);
        assertEq(task.awardCount, 1);
        assertTrue(market.entryOf(taskId, alice).awarded);
    }

    /// given an assigned worker: it pays everything that the evaluator refused
    function test_PaysAll() external {
        resolve(taskId, Verdict.Approve, oneAward(alice, PAYABLE));
        uint256 net = netOf(PAYABLE);
        assertPaid(Gains({requester: 0, alice: net + STAKE, bob: 0, evaluator: 0, platform: feeOf(PAYABLE)}));
    }

    /// given an assigned worker: it logs the decision, the award, the rest, the stake and the record
    function test_Logs() external {
        expectLog();
        emit DisputeResolved(taskId, resolver, Verdict.Partial, oneAward(alice, 6e6));
        expectLog();
        emit TaskCompleted(taskId, alice, 1, 6e6, uint96(netOf(6e6)), uint96(feeOf(6e6)), "a1", false);
        expectLog();
        emit EscrowReturned(taskId, requester, 3.5e6, ReturnReason.Unawarded);
        expectLog();
        emit StakeReturned(taskId, alice, uint96(STAKE));
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Completed, uint96(REWARD), 1, false);
        resolve(taskId, Verdict.Partial, oneAward(alice, 6e6));
    }

    /// given a contest: it pays the resolver's awards instead of the evaluator's
    function test_PaysTheResolversAwards() external {
        resolve(contestId, Verdict.Approve, oneAward(alice, 2e6));
        assertPaid(Gains({requester: 7.5e6, alice: netOf(2e6), bob: 0, evaluator: 0, platform: feeOf(2e6)}));
        assertTrue(market.entryOf(contestId, alice).awarded);
        assertFalse(market.entryOf(contestId, bob).awarded);
        assertEq(market.getTask(contestId).awardCount, 1);
    }

    /// given a contest: it logs awards under their ranks without a deliverable
    function test_LogsTheContest() external {
        Award[] memory awards = twoAwards(2e6, 4e6);
        (awards[0].rank, awards[1].rank) = (9, 4);
        expectLog();
        emit DisputeResolved(contestId, resolver, Verdict.Approve, awards);
        expectLog();
        emit TaskCompleted(contestId, alice, 9, 2e6, 1.85e6, 0.15e6, 0, false);
        expectLog();
        emit TaskCompleted(contestId, bob, 4, 4e6, 3.7e6, 0.3e6, 0, false);
        expectLog();
        emit EscrowReturned(contestId, requester, 3.5e6, ReturnReason.Unawarded);
        expectLog();
        emit RequesterReputation(contestId, requester, ReputationKind.Completed, uint96(REWARD), 2, false);
        resolve(contestId, Verdict.Approve, awards);
    }

    /// given a contest: it leaves the evaluator's verdict on record
    function test_LeavesTheVerdict() external {
        EvaluationView memory before = market.evaluationOf(contestId);
        assertEq(uint8(before.verdict), uint8(Verdict.Partial));
        resolve(contestId, Verdict.Approve, oneAward(alice, 2e6));
        assertEq(abi.encode(market.evaluationOf(contestId)), abi.encode(before));
    }

    /// when the deadline passes after it: it leaves nothing to finalize
    function test_NothingToFinalize() external {
        resolve(taskId, Verdict.Approve, oneAward(alice, 1e6));
        vm.warp(block.timestamp + 1 days);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Completed));
        market.finalizeVerdict(taskId);
    }

    /// given entries are paused: it settles the appeal
    function test_WhilePaused() external {
        vm.prank(owner);
        market.pause();
        resolve(taskId, Verdict.Approve, oneAward(alice, 1e6));
        assertStands(taskId, Status.Completed);
    }

    /// when relayed: it takes the payer for the resolver
    function test_Relayed() external {
        CreateTaskParams memory params = evaluated(aBounty());
        params.evaluation.resolver = bob;
        bytes32 relayed = create(params);
        submit(relayed, alice, "a1");
        evaluateExpired(relayed, Verdict.Reject, noAwards());
        appealBy(relayed, alice);
        allowPaid(ITaskMarket.resolveDispute.selector);
        relayPaid(
            bobKey, 1000, 0, abi.encodeCall(market.resolveDispute, (relayed, Verdict.Partial, oneAward(alice, 1e6)))
        );
        assertStands(relayed, Status.Completed);
    }

    /// when any award settles an appeal: it pays out exactly what came in
    function testFuzz_PaysExactlyWhatCameIn(uint256 first, uint256 second) external {
        first = bound(first, 1, PAYABLE - 1);
        second = bound(second, 1, PAYABLE - first);
        resolve(contestId, Verdict.Partial, twoAwards(first, second));
        assertPaid(
            Gains({
                requester: PAYABLE - first - second,
                alice: netOf(first),
                bob: netOf(second),
                evaluator: 0,
                platform: feeOf(first) + feeOf(second)
            })
        );
    }
}
