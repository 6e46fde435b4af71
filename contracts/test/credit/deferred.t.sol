// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../src/types/Modes.sol";
import {ReturnReason, Status, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract DeferredTest is EvaluationTest {
    bytes32 internal taskId;

    /// given the evaluator cannot receive: it credits the fee of the verdict and pays it later
    function test_Evaluator() external {
        taskId = createReview();
        usdc.blacklist(evaluator);
        expectDeferred(evaluator, EVALUATOR_FEE);
        evaluate(taskId, Verdict.Approve, noAwards());
        assertCredit(evaluator, EVALUATOR_FEE);
        usdc.unBlacklist(evaluator);
        market.pushCredit(evaluator);
        assertEq(usdc.balanceOf(evaluator), EVALUATOR_FEE);
        assertCredit(evaluator, 0);
    }

    /// given the worker cannot receive: it credits award and stake of an acceptance
    function test_WorkerOfAnAcceptance() external {
        taskId = createPending();
        usdc.blacklist(alice);
        mark();
        expectDeferred(alice, netOf(REWARD));
        expectDeferred(alice, STAKE);
        accept(taskId, alice, "a1");
        assertCredit(alice, netOf(REWARD) + STAKE);
        assertPaid(Gains({requester: 0, alice: 0, bob: 0, evaluator: 0, platform: feeOf(REWARD)}));
    }

    /// given the worker cannot receive: it credits award and stake of a verdict
    function test_WorkerOfAVerdict() external {
        createVerdict(Verdict.Partial, 4e6);
        usdc.blacklist(alice);
        mark();
        expectDeferred(alice, netOf(4e6));
        expectDeferred(alice, STAKE);
        market.finalizeVerdict(taskId);
        assertCredit(alice, netOf(4e6) + STAKE);
        assertPaid(Gains({requester: PAYABLE - 4e6, alice: 0, bob: 0, evaluator: 0, platform: feeOf(4e6)}));
    }

    /// given the worker cannot receive: it credits the stake after a rejection
    function test_WorkerOfARejection() external {
        createVerdict(Verdict.Reject, 0);
        usdc.blacklist(alice);
        mark();
        expectDeferred(alice, STAKE);
        market.finalizeVerdict(taskId);
        assertCredit(alice, STAKE);
        assertPaid(Gains({requester: PAYABLE, alice: 0, bob: 0, evaluator: 0, platform: 0}));
        assertStands(taskId, Status.Cancelled);
    }

    /// given the worker cannot receive: it credits award and stake of a resolved dispute
    function test_WorkerOfADispute() external {
        createDispute();
        usdc.blacklist(alice);
        mark();
        expectDeferred(alice, netOf(4e6));
        expectDeferred(alice, STAKE);
        resolve(taskId, Verdict.Partial, oneAward(alice, 4e6));
        assertCredit(alice, netOf(4e6) + STAKE);
        assertPaid(Gains({requester: PAYABLE - 4e6, alice: 0, bob: 0, evaluator: 0, platform: feeOf(4e6)}));
    }

    /// given the worker cannot receive: it credits award and stake of a stale delivery
    function test_WorkerOfAStaleDelivery() external {
        taskId = createPending();
        vm.warp(block.timestamp + DURATION + 90 days);
        usdc.blacklist(alice);
        mark();
        expectDeferred(alice, netOf(REWARD));
        expectDeferred(alice, STAKE);
        market.settleStale(taskId);
        assertCredit(alice, netOf(REWARD) + STAKE);
        assertPaid(Gains({requester: 0, alice: 0, bob: 0, evaluator: 0, platform: feeOf(REWARD)}));
    }

    /// given the worker cannot receive: it credits the stake of a stale delivery that was refused
    function test_WorkerOfAnObjection() external {
        taskId = createPending();
        objectTo(taskId);
        vm.warp(block.timestamp + DURATION + 90 days);
        usdc.blacklist(alice);
        mark();
        expectDeferred(alice, STAKE);
        market.settleStale(taskId);
        assertCredit(alice, STAKE);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given one of two awarded cannot receive: it credits that one and pays the other
    function test_OneOfTwo() external {
        taskId = createContest();
        evaluateExpired(taskId, Verdict.Approve, twoAwards(5e6, 3e6));
        vm.warp(phaseDeadline(taskId));
        usdc.blacklist(alice);
        mark();
        expectDeferred(alice, 4.625e6);
        market.finalizeVerdict(taskId);
        assertCredit(alice, 4.625e6);
        assertPaid(Gains({requester: 1.5e6, alice: 0, bob: 2.775e6, evaluator: 0, platform: 0.6e6}));
    }

    /// given the requester cannot receive: it credits the rest of a verdict
    function test_RequesterOfAVerdict() external {
        createVerdict(Verdict.Partial, 4e6);
        usdc.blacklist(requester);
        mark();
        expectDeferred(requester, PAYABLE - 4e6);
        expectLog();
        emit EscrowReturned(taskId, requester, uint96(PAYABLE - 4e6), ReturnReason.Unawarded);
        market.finalizeVerdict(taskId);
        assertCredit(requester, PAYABLE - 4e6);
        assertPaid(Gains({requester: 0, alice: netOf(4e6) + STAKE, bob: 0, evaluator: 0, platform: feeOf(4e6)}));
    }

    /// given the requester cannot receive: it credits everything after a rejection
    function test_RequesterOfARejection() external {
        createVerdict(Verdict.Reject, 0);
        usdc.blacklist(requester);
        mark();
        expectDeferred(requester, PAYABLE);
        market.finalizeVerdict(taskId);
        assertCredit(requester, PAYABLE);
        assertPaid(Gains({requester: 0, alice: STAKE, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given the requester cannot receive: it credits the rest of a resolved dispute
    function test_RequesterOfADispute() external {
        createDispute();
        usdc.blacklist(requester);
        mark();
        expectDeferred(requester, PAYABLE - 4e6);
        resolve(taskId, Verdict.Partial, oneAward(alice, 4e6));
        assertCredit(requester, PAYABLE - 4e6);
        assertPaid(Gains({requester: 0, alice: netOf(4e6) + STAKE, bob: 0, evaluator: 0, platform: feeOf(4e6)}));
    }

    /// given the requester cannot receive: it credits the refund of an undelivered claim
    function test_RequesterOfAnExpiredClaim() external {
        createExpiredClaim();
        usdc.blacklist(requester);
        mark();
        expectDeferred(requester, REWARD);
        market.refundExpired(taskId);
        assertCredit(requester, REWARD);
        assertPaid(Gains({requester: 0, alice: 0, bob: 0, evaluator: 0, platform: STAKE}));
    }

    /// given the requester cannot receive: it credits the refund of a stale delivery that was refused
    function test_RequesterOfAnObjection() external {
        taskId = createPending();
        objectTo(taskId);
        vm.warp(block.timestamp + DURATION + 90 days);
        usdc.blacklist(requester);
        mark();
        expectDeferred(requester, REWARD);
        market.settleStale(taskId);
        assertCredit(requester, REWARD);
        assertPaid(Gains({requester: 0, alice: STAKE, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given the requester cannot receive: it credits the surplus of an auction and assigns the winner
    function test_RequesterOfAnAuction() external {
        taskId = create(anAuction(Modes.ENGLISH));
        bid(taskId, alice, 4e6);
        vm.warp(block.timestamp + DURATION / 2);
        usdc.blacklist(requester);
        mark();
        expectDeferred(requester, 6e6);
        expectLog();
        emit EscrowReturned(taskId, requester, 6e6, ReturnReason.AuctionSurplus);
        market.selectLowestBidder(taskId);
        assertCredit(requester, 6e6);
        assertNothingPaid();
        assertEq(market.getTask(taskId).escrow, 4e6);
        assertStands(taskId, Status.Claimed);
    }

    /// given the fee recipient cannot receive: it credits the platform's part of a verdict
    function test_FeeRecipientOfAVerdict() external {
        createVerdict(Verdict.Approve, 0);
        usdc.blacklist(feeRecipient);
        mark();
        expectDeferred(feeRecipient, feeOf(PAYABLE));
        market.finalizeVerdict(taskId);
        assertCredit(feeRecipient, feeOf(PAYABLE));
        assertPaid(Gains({requester: 0, alice: netOf(PAYABLE) + STAKE, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given the fee recipient cannot receive: it credits the platform's part of a resolved dispute
    function test_FeeRecipientOfADispute() external {
        createDispute();
        usdc.blacklist(feeRecipient);
        mark();
        expectDeferred(feeRecipient, feeOf(4e6));
        resolve(taskId, Verdict.Partial, oneAward(alice, 4e6));
        assertCredit(feeRecipient, feeOf(4e6));
        assertPaid(Gains({requester: PAYABLE - 4e6, alice: netOf(4e6) + STAKE, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given the fee recipient cannot receive: it credits the platform's part of a stale delivery
    function test_FeeRecipientOfAStaleDelivery() external {
        taskId = createPending();
        vm.warp(block.timestamp + DURATION + 90 days);
        usdc.blacklist(feeRecipient);
        mark();
        expectDeferred(feeRecipient, feeOf(REWARD));
        market.settleStale(taskId);
        assertCredit(feeRecipient, feeOf(REWARD));
        assertPaid(Gains({requester: 0, alice: netOf(REWARD) + STAKE, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given the fee recipient cannot receive: it credits the forfeited stake of a refund
    function test_FeeRecipientOfAnExpiredClaim() external {
        createExpiredClaim();
        usdc.blacklist(feeRecipient);
        mark();
        expectDeferred(feeRecipient, STAKE);
        expectLog();
        emit StakeForfeited(taskId, alice, uint96(STAKE));
        market.refundExpired(taskId);
        assertCredit(feeRecipient, STAKE);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given the fee recipient cannot receive: it credits the forfeited stake of a reopened claim
    function test_FeeRecipientOfAReopenedClaim() external {
        createExpiredClaim();
        usdc.blacklist(feeRecipient);
        mark();
        expectDeferred(feeRecipient, STAKE);
        vm.prank(requester);
        market.forfeitAndReopen(taskId);
        assertCredit(feeRecipient, STAKE);
        assertNothingPaid();
        assertStands(taskId, Status.Open);
        assertEq(market.getTask(taskId).escrow, REWARD);
    }

    /// given no account can receive: it credits every account, and pays all of them when they can, though entries are paused
    function test_EveryAccount() external {
        taskId = createReview();
        usdc.pause();
        mark();
        evaluate(taskId, Verdict.Partial, oneAward(alice, 4e6));
        finalizeLater(taskId);
        assertNothingPaid();
        assertStands(taskId, Status.Completed);
        assertCredit(evaluator, EVALUATOR_FEE);
        assertCredit(alice, netOf(4e6) + STAKE);
        assertCredit(feeRecipient, feeOf(4e6));
        assertCredit(requester, PAYABLE - 4e6);
        assertEq(market.totalEscrow(), REWARD + STAKE);

        usdc.unpause();
        vm.prank(owner);
        market.pause();
        vm.prank(evaluator);
        market.withdrawCredit(evaluator);
        vm.prank(alice);
        market.withdrawCredit(bob);
        market.pushCredit(feeRecipient);
        market.pushCredit(requester);
        assertPaid(
            Gains({
                requester: PAYABLE - 4e6,
                alice: 0,
                bob: netOf(4e6) + STAKE,
                evaluator: EVALUATOR_FEE,
                platform: feeOf(4e6)
            })
        );
        assertEq(market.totalEscrow(), 0);
    }

    /// @dev A staked claim with a verdict whose time to appeal is over; an award of nothing is none.
    function createVerdict(Verdict verdict, uint256 award) private {
        taskId = createReview();
        evaluate(taskId, verdict, award == 0 ? noAwards() : oneAward(alice, award));
        vm.warp(phaseDeadline(taskId));
    }

    function createDispute() private {
        taskId = createReview();
        evaluate(taskId, Verdict.Reject, noAwards());
        appealBy(taskId, alice);
    }

    function createExpiredClaim() private {
        taskId = create(aClaim());
        claim(taskId, alice);
        vm.warp(block.timestamp + DURATION);
    }

    function expectDeferred(address account, uint256 amount) private {
        expectLog();
        emit PayoutDeferred(account, taskId, uint96(amount));
    }

    /// @dev The account's credit, all of which the market still holds.
    function assertCredit(address account, uint256 amount) private view {
        assertEq(market.creditOf(account), amount, "credit");
        assertEq(market.totalEscrow(), usdc.balanceOf(address(market)), "liabilities");
    }
}
