// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../src/types/Modes.sol";
import {
    Award,
    CancelReason,
    CreateTaskParams,
    ReputationKind,
    ReturnReason,
    Status,
    TaskView,
    Verdict
} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract FinalizeVerdictTest is EvaluationTest {
    bytes32 internal taskId;

    function setUp() public override {
        super.setUp();
        taskId = createReview();
    }

    /// when approved without awards: it pays everything to the worker, with the stake
    function test_PaysAll() external {
        evaluate(taskId, Verdict.Approve, noAwards());
        mark();
        finalizeLater(taskId);
        uint256 net = netOf(PAYABLE);
        assertPaid(Gains({requester: 0, alice: net + STAKE, bob: 0, evaluator: 0, platform: feeOf(PAYABLE)}));
        assertEq(usdc.balanceOf(alice), 1_000_000e6 + netOf(PAYABLE));
    }

    /// when approved without awards: it logs the verdict's effect, the award, the stake and the record
    function test_LogsAll() external {
        evaluate(taskId, Verdict.Approve, noAwards());
        vm.warp(phaseDeadline(taskId));
        expectLog();
        emit VerdictFinalized(taskId, Status.Completed, Verdict.Approve, 0);
        expectLog();
        emit TaskCompleted(
            taskId, alice, 1, uint96(PAYABLE), uint96(netOf(PAYABLE)), uint96(feeOf(PAYABLE)), "a1", false
        );
        expectLog();
        emit StakeReturned(taskId, alice, uint96(STAKE));
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Completed, uint96(REWARD), 1, false);
        market.finalizeVerdict(taskId);
    }

    /// when approved without awards: it completes the task with one award
    function test_Completes() external {
        evaluate(taskId, Verdict.Approve, noAwards());
        finalizeLater(taskId);
        assertCompleted(1);
        assertTrue(market.entryOf(taskId, alice).awarded);
    }

    /// when approved with an award: it pays the award and returns the rest
    function test_PaysTheAward() external {
        evaluate(taskId, Verdict.Approve, oneAward(alice, 8e6));
        assertAwardPaid(8e6, Verdict.Approve);
    }

    /// when the verdict is partial: it pays the award and returns the rest
    function test_PaysAPart() external {
        evaluate(taskId, Verdict.Partial, oneAward(alice, 1));
        assertAwardPaid(1, Verdict.Partial);
    }

    /// when the verdict is partial: it returns nothing when the award is all
    function test_PaysAPartThatIsAll() external {
        evaluate(taskId, Verdict.Partial, oneAward(alice, PAYABLE));
        mark();
        vm.recordLogs();
        finalizeLater(taskId);
        uint256 net = netOf(PAYABLE);
        assertPaid(Gains({requester: 0, alice: net + STAKE, bob: 0, evaluator: 0, platform: feeOf(PAYABLE)}));
        // VerdictFinalized, transfer and award, transfer of the fee, transfer and stake, record: nothing was returned.
        assertEq(vm.getRecordedLogs().length, 7);
    }

    /// when the verdict is partial: it logs the award under its own rank
    function test_LogsTheRank() external {
        Award[] memory awards = oneAward(alice, 2e6);
        awards[0].rank = 7;
        evaluate(taskId, Verdict.Partial, awards);
        vm.warp(phaseDeadline(taskId));
        expectLog();
        emit TaskCompleted(taskId, alice, 7, 2e6, uint96(netOf(2e6)), uint96(feeOf(2e6)), "a1", false);
        market.finalizeVerdict(taskId);
    }

    /// when rejected: it returns everything to the requester and the stake to the worker
    function test_ReturnsAll() external {
        evaluate(taskId, Verdict.Reject, noAwards());
        mark();
        finalizeLater(taskId);
        assertPaid(Gains({requester: PAYABLE, alice: STAKE, bob: 0, evaluator: 0, platform: 0}));
        assertEq(usdc.balanceOf(alice), 1_000_000e6);
    }

    /// when rejected: it logs the verdict's effect, the cancellation, the stake and the record
    function test_LogsTheRejection() external {
        evaluate(taskId, Verdict.Reject, noAwards());
        vm.warp(phaseDeadline(taskId));
        expectLog();
        emit VerdictFinalized(taskId, Status.Cancelled, Verdict.Reject, uint96(PAYABLE));
        expectLog();
        emit TaskCancelled(taskId, uint96(PAYABLE), CancelReason.RejectVerdict);
        expectLog();
        emit StakeReturned(taskId, alice, uint96(STAKE));
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.RejectedByVerdict, uint96(REWARD), 1, false);
        market.finalizeVerdict(taskId);
    }

    /// when rejected: it cancels the task without awards
    function test_Cancels() external {
        evaluate(taskId, Verdict.Reject, noAwards());
        finalizeLater(taskId);
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.Cancelled));
        assertEq(task.escrow, 0);
        assertEq(task.stake, 0);
        assertEq(task.awardCount, 0);
        assertFalse(market.entryOf(taskId, alice).awarded);
    }

    /// given an auction: it pays from the accepted price alone
    function test_PaysTheAuctionsPrice() external {
        bytes32 auction = create(evaluated(anAuction(Modes.REVERSE_ENGLISH)));
        mark();
        win(auction, 4e6);
        submit(auction, alice, "a1");
        evaluate(auction, Verdict.Approve, noAwards());
        finalizeLater(auction);
        assertPaid(Gains({requester: 6e6, alice: netOf(3.8e6), bob: 0, evaluator: 0.2e6, platform: feeOf(3.8e6)}));
    }

    /// given the worker is the requester: it flags the self award
    function test_FlagsTheSelfAward() external {
        bytes32 own = create(evaluated(aPitchTask()));
        pitch(own, requester);
        select(own, requester);
        submit(own, requester, "r1");
        evaluate(own, Verdict.Approve, noAwards());
        vm.warp(phaseDeadline(own));
        expectLog();
        emit TaskCompleted(
            own, requester, 1, uint96(PAYABLE), uint96(netOf(PAYABLE)), uint96(feeOf(PAYABLE)), "r1", true
        );
        expectLog();
        emit RequesterReputation(own, requester, ReputationKind.Completed, uint96(REWARD), 1, true);
        market.finalizeVerdict(own);
    }

    /// given the fees are at their bounds: it takes the platform's part of what the evaluator leaves
    function test_FeesAtTheirBounds() external {
        vm.prank(owner);
        market.setFeeBps(2000);
        CreateTaskParams memory params = evaluated(aPitchTask());
        params.evaluation.feeBps = 8000;
        bytes32 costly = create(params);
        pitch(costly, alice);
        select(costly, alice);
        submit(costly, alice, "a1");
        mark();
        evaluate(costly, Verdict.Approve, noAwards());
        finalizeLater(costly);
        // A fifth of the two million that the evaluator leaves.
        assertPaid(Gains({requester: 0, alice: 1.6e6, bob: 0, evaluator: 8e6, platform: 0.4e6}));
    }

    /// given the evaluator takes everything: it completes an approval with an award of nothing
    function test_NothingLeft() external {
        vm.prank(owner);
        market.setFeeBps(0);
        CreateTaskParams memory params = evaluated(aClaim());
        params.evaluation.feeBps = 10_000;
        bytes32 empty = create(params);
        claim(empty, alice);
        submit(empty, alice, "a1");
        mark();
        evaluate(empty, Verdict.Approve, noAwards());
        vm.warp(phaseDeadline(empty));
        expectLog();
        emit VerdictFinalized(empty, Status.Completed, Verdict.Approve, 0);
        expectLog();
        emit TaskCompleted(empty, alice, 1, 0, 0, 0, "a1", false);
        expectLog();
        emit StakeReturned(empty, alice, uint96(STAKE));
        market.finalizeVerdict(empty);
        assertPaid(Gains({requester: 0, alice: STAKE, bob: 0, evaluator: REWARD, platform: 0}));
    }

    function assertAwardPaid(uint256 gross, Verdict verdict) private {
        vm.warp(phaseDeadline(taskId));
        mark();
        expectLog();
        emit VerdictFinalized(taskId, Status.Completed, verdict, uint96(PAYABLE - gross));
        expectLog();
        emit TaskCompleted(taskId, alice, 1, uint96(gross), uint96(netOf(gross)), uint96(feeOf(gross)), "a1", false);
        expectLog();
        emit EscrowReturned(taskId, requester, uint96(PAYABLE - gross), ReturnReason.Unawarded);
        expectLog();
        emit StakeReturned(taskId, alice, uint96(STAKE));
        market.finalizeVerdict(taskId);
        assertPaid(
            Gains({
                requester: PAYABLE - gross, alice: netOf(gross) + STAKE, bob: 0, evaluator: 0, platform: feeOf(gross)
            })
        );
        assertCompleted(1);
    }

    function assertCompleted(uint256 awards) private view {
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.Completed));
        assertEq(task.escrow, 0);
        assertEq(task.stake, 0);
        assertEq(task.awardCount, awards);
    }
}
