// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

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

contract ContestVerdictsTest is EvaluationTest {
    bytes32 internal taskId;

    function setUp() public override {
        super.setUp();
        taskId = createContest();
    }

    /// when awards are final: it pays each less its own fee and returns the rest
    function test_PaysEach() external {
        evaluateExpired(taskId, Verdict.Approve, twoAwards(5e6, 3e6));
        mark();
        finalizeLater(taskId);
        assertPaid(Gains({requester: 1.5e6, alice: 5e6 - 0.375e6, bob: 3e6 - 0.225e6, evaluator: 0, platform: 0.6e6}));
    }

    /// when awards are final: it rounds the platform's part down for each award
    function test_RoundsEachFeeDown() external {
        evaluateExpired(taskId, Verdict.Partial, twoAwards(13, 13));
        mark();
        finalizeLater(taskId);
        // 13 * 750 / 10000 = 0.975 each; of their sum it would be one.
        assertPaid(Gains({requester: PAYABLE - 26, alice: 13, bob: 13, evaluator: 0, platform: 0}));
    }

    /// when awards are final: it logs them in their order, under their ranks, without a deliverable
    function test_LogsEach() external {
        Award[] memory awards = twoAwards(5e6, 3e6);
        (awards[0].rank, awards[1].rank) = (2, 1);
        evaluateExpired(taskId, Verdict.Partial, awards);
        vm.warp(phaseDeadline(taskId));
        expectLog();
        emit VerdictFinalized(taskId, Status.Completed, Verdict.Partial, 1.5e6);
        expectLog();
        emit TaskCompleted(taskId, alice, 2, 5e6, 4.625e6, 0.375e6, 0, false);
        expectLog();
        emit TaskCompleted(taskId, bob, 1, 3e6, 2.775e6, 0.225e6, 0, false);
        expectLog();
        emit EscrowReturned(taskId, requester, 1.5e6, ReturnReason.Unawarded);
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Completed, uint96(REWARD), 2, false);
        market.finalizeVerdict(taskId);
    }

    /// when awards are final: it marks the awarded and no other account
    function test_MarksTheAwarded() external {
        evaluate(taskId, Verdict.Approve, oneAward(bob, PAYABLE));
        assertFalse(market.entryOf(taskId, bob).awarded);
        finalizeLater(taskId);
        assertTrue(market.entryOf(taskId, bob).awarded);
        assertFalse(market.entryOf(taskId, alice).awarded);
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.Completed));
        assertEq(task.awardCount, 1);
        assertEq(task.escrow, 0);
        assertEq(task.worker, address(0));
    }

    /// when the requester is awarded: it flags that award and the record
    function test_FlagsTheSelfAward() external {
        submit(taskId, requester, "r1");
        Award[] memory awards = twoAwards(5e6, 3e6);
        awards[0].worker = requester;
        evaluateExpired(taskId, Verdict.Approve, awards);
        vm.warp(phaseDeadline(taskId));
        mark();
        expectLog();
        emit TaskCompleted(taskId, requester, 1, 5e6, 4.625e6, 0.375e6, 0, true);
        expectLog();
        emit TaskCompleted(taskId, bob, 2, 3e6, 2.775e6, 0.225e6, 0, false);
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Completed, uint96(REWARD), 3, true);
        market.finalizeVerdict(taskId);
        assertPaid(Gains({requester: 1.5e6 + 4.625e6, alice: 0, bob: 2.775e6, evaluator: 0, platform: 0.6e6}));
    }

    /// when rejected: it returns everything and awards no account
    function test_Rejects() external {
        evaluateExpired(taskId, Verdict.Reject, noAwards());
        vm.warp(phaseDeadline(taskId));
        mark();
        expectLog();
        emit VerdictFinalized(taskId, Status.Cancelled, Verdict.Reject, uint96(PAYABLE));
        expectLog();
        emit TaskCancelled(taskId, uint96(PAYABLE), CancelReason.RejectVerdict);
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.RejectedByVerdict, uint96(REWARD), 2, false);
        market.finalizeVerdict(taskId);
        assertPaid(Gains({requester: PAYABLE, alice: 0, bob: 0, evaluator: 0, platform: 0}));
        assertStands(taskId, Status.Cancelled);
        assertFalse(market.entryOf(taskId, alice).awarded);
    }

    /// given an appeal and a silent resolver: it lets the awards stand
    function test_SilentResolver() external {
        evaluateExpired(taskId, Verdict.Partial, twoAwards(5e6, 3e6));
        appealBy(taskId, bob);
        mark();
        finalizeLater(taskId);
        assertPaid(Gains({requester: 1.5e6, alice: 4.625e6, bob: 2.775e6, evaluator: 0, platform: 0.6e6}));
    }

    /// given a benchmark: it pays who anchored a proof
    function test_PaysABenchmark() external {
        bytes32 benchmark = create(evaluated(aBenchmark()));
        vm.prank(bob);
        market.submitProof(benchmark, "proof", "type", 7);
        evaluate(benchmark, Verdict.Approve, oneAward(bob, PAYABLE));
        mark();
        finalizeLater(benchmark);
        assertPaid(Gains({requester: 0, alice: 0, bob: netOf(PAYABLE), evaluator: 0, platform: feeOf(PAYABLE)}));
    }

    /// when any verdict under any fees takes effect: it pays out exactly what came in
    function testFuzz_PaysExactlyTheReward(
        uint256 reward,
        uint256 count,
        uint256 seed,
        uint256 platformBps,
        uint256 evaluatorBps
    ) external {
        platformBps = bound(platformBps, 0, 2000);
        CreateTaskParams memory params = evaluated(aBounty());
        params.reward = uint96(bound(reward, 1000, type(uint72).max / 2));
        params.evaluation.feeBps = uint16(bound(evaluatorBps, 0, 10_000 - platformBps));
        vm.prank(owner);
        market.setFeeBps(uint16(platformBps));
        usdc.mint(requester, params.reward);
        uint256 heldBefore = usdc.balanceOf(address(market));
        bytes32 id = create(params);
        uint256 fee = uint256(params.reward) * params.evaluation.feeBps / 10_000;
        Award[] memory awards = drawAwards(id, params.reward - fee, bound(count, 1, 50), seed);

        evaluateExpired(id, Verdict.Partial, awards);
        uint256 requesterBefore = usdc.balanceOf(requester);
        finalizeLater(id);

        uint256 paid = fee;
        uint256 platform;
        for (uint256 i; i < awards.length; i++) {
            uint256 part = uint256(awards[i].amount) * platformBps / 10_000;
            assertEq(usdc.balanceOf(awards[i].worker), awards[i].amount - part);
            platform += part;
            paid += awards[i].amount;
        }
        assertEq(usdc.balanceOf(evaluator), fee);
        assertEq(usdc.balanceOf(feeRecipient), platform);
        assertEq(usdc.balanceOf(requester) - requesterBefore, params.reward - paid);
        assertEq(usdc.balanceOf(address(market)), heldBefore);
        assertEq(market.totalEscrow(), heldBefore);
    }

    /// @dev `count` fresh submitters, fewer when the money runs out, and awards that leave some of it or none.
    function drawAwards(bytes32 id, uint256 payable_, uint256 count, uint256 seed)
        private
        returns (Award[] memory awards)
    {
        if (count > payable_) count = payable_;
        vm.assume(count > 0);
        awards = new Award[](count);
        uint256 left = payable_;
        for (uint256 i; i < count; i++) {
            address worker = address(uint160(0x1000 + i));
            submit(id, worker, "w");
            // One unit is kept for each that follows.
            uint256 most = left - (count - 1 - i);
            uint256 amount = 1 + uint256(keccak256(abi.encode(seed, i))) % most;
            if (i + 1 == count && seed % 4 == 0) amount = left;
            awards[i] = Award(worker, uint80(amount), uint16(255 - i));
            left -= amount;
        }
    }
}
