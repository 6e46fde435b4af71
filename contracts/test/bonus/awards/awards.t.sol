// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BonusRole, SkipReason} from "../../../src/interfaces/IBonusHook.sol";
import {CreateTaskParams, Verdict, Winner} from "../../../src/types/TaskTypes.sol";
import {BonusTest} from "../support/BonusTest.sol";

contract AwardsTest is BonusTest {
    event BonusCredited(
        bytes32 indexed taskId,
        address indexed account,
        BonusRole indexed role,
        uint256 rank,
        uint256 usdBonus,
        uint256 usdCredited,
        uint256 tokenPerUsdc,
        uint256 share,
        uint256 multiplierBps,
        uint256 credited,
        uint256 epoch
    );

    /// when a contest is accepted: it credits the worker's part and the requester's part
    function test_CreditsBothSides() external {
        finish(createBounty());
        assertClaimable(WORKER_TOKENS, REQUESTER_TOKENS);
        assertEq(bonus.available(), RESERVE - WORKER_TOKENS - REQUESTER_TOKENS);
    }

    /// when a contest is accepted: it logs every number of both credits
    function test_LogsBothCredits() external {
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        vm.expectEmit(address(bonus));
        emit BonusCredited(
            taskId, alice, BonusRole.Worker, 1, USD, 600_000, RATE, WORKER_TOKENS, 10_000, WORKER_TOKENS, 0
        );
        vm.expectEmit(address(bonus));
        emit BonusCredited(
            taskId, requester, BonusRole.Requester, 1, USD, 150_000, RATE, REQUESTER_TOKENS, 10_000, REQUESTER_TOKENS, 0
        );
        accept(taskId, alice, "a1");
    }

    /// when a reward is split among winners: it credits each by its gross amount, in their order
    function test_CreditsEachWinner() external {
        splitUnevenly(alice, bob);
        assertEq(bonus.claimableOf(alice), 1.5e18);
        assertEq(bonus.claimableOf(bob), 4.5e18);
        assertEq(bonus.claimableOf(requester), REQUESTER_TOKENS);
    }

    /// when the requester awards itself: it credits neither side and logs why
    function test_IgnoresASelfAward() external {
        bytes32 taskId = createBounty();
        submit(taskId, requester, "r1");
        expectSkip(taskId, requester, BonusRole.Award, SkipReason.SelfAward);
        accept(taskId, requester, "r1");
        assertClaimable(0, 0);
    }

    /// when a winner of a split is the requester: it credits the other winner alone
    function test_IgnoresASelfAwardAmongOthers() external {
        splitUnevenly(alice, requester);
        assertClaimable(1.5e18, 0.375e18);
    }

    /// when an evaluator took a fee: it credits by what is left of the locked price
    function test_CreditsLessAfterAnEvaluatorsFee() external {
        bytes32 taskId = createAssigned(evaluated(aClaim()));
        submit(taskId, alice, "a1");
        evaluate(taskId, Verdict.Approve, oneAward(alice, 9_500_000));
        skip(1 hours);
        market.finalizeVerdict(taskId);
        assertClaimable(WORKER_TOKENS * 95 / 100, REQUESTER_TOKENS * 95 / 100);
    }

    /// when a verdict awards a part: it credits by the part that is awarded
    function test_CreditsAPart() external {
        bytes32 taskId = createAssigned(evaluated(aClaim()));
        submit(taskId, alice, "a1");
        evaluate(taskId, Verdict.Partial, oneAward(alice, REWARD / 4));
        skip(1 hours);
        market.finalizeVerdict(taskId);
        assertClaimable(WORKER_TOKENS / 4, REQUESTER_TOKENS / 4);
    }

    /// when a stale delivery is settled: it credits as an acceptance does
    function test_CreditsAStaleDelivery() external {
        bytes32 taskId = createAssigned(aClaim());
        submit(taskId, alice, "a1");
        skip(200 days);
        market.settleStale(taskId);
        assertClaimable(WORKER_TOKENS, REQUESTER_TOKENS);
    }

    /// when a task is cancelled or expires: it credits nothing
    function test_CreditsNoOtherEnding() external {
        cancel(createBounty());
        createAssigned(aClaim());
        bytes32 taskId = createBounty();
        skip(DURATION);
        market.refundExpired(taskId);
        assertClaimable(0, 0);
    }

    /// when an award is too small for a part: it credits nothing
    function test_CreditsNoDust() external {
        vm.prank(owner);
        bonus.setBonusBps(1);
        CreateTaskParams memory params = aBounty();
        params.reward = 9999;
        bytes32 taskId = create(params);
        submit(taskId, alice, "a1");
        expectSkip(taskId, alice, BonusRole.Award, SkipReason.TooSmall);
        accept(taskId, alice, "a1");
        assertClaimable(0, 0);
    }

    /// when the worker's split does not divide evenly: it gives what is left over to the requester
    function test_GivesTheRestToTheRequester() external {
        setRate(1_000_001);
        finish(createBounty());
        // 750,000 base units are worth 750,000 tokens and three quarters of one: 600,000 of them, and the rest.
        assertClaimable(600_000, 150_000);
        setRate(1_000_003);
        finish(createBounty());
        // 750,002: four fifths are 600,001.6.
        assertClaimable(1_200_001, 300_001);
    }

    /// @dev A quarter for the first, the rest for the second.
    function splitUnevenly(address first, address second) private {
        bytes32 taskId = createBounty();
        submit(taskId, first, "a1");
        submit(taskId, second, "b1");
        Winner[] memory winners = winnersOf(first, 2500, second, 7500);
        split(taskId, winners);
    }
}
