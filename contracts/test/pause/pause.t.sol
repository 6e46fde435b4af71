// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {Award, CreateTaskParams, RateParams, Status, UpdateTaskParams, Verdict} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

/// @title The functions that a pause closes, and those that it leaves open
contract PauseTest is MarketTest {
    uint256 internal start;

    function setUp() public override {
        super.setUp();
        start = block.timestamp;
        fund(alice);
    }

    /// given entries are paused: it refuses every way in, and a raise
    function test_RefusesEntries() external {
        CreateTaskParams[8] memory all = oneOfEach();
        bytes32[8] memory tasks;
        for (uint256 i; i < all.length; i++) {
            tasks[i] = create(all[i]);
        }
        pauseEntries();
        for (uint256 i; i < all.length; i++) {
            expectPaused();
            create(all[i]);
            expectPaused();
            update(aRaise(tasks[i], REWARD + 1));
        }
        expectPaused();
        claim(tasks[1], alice);
        expectPaused();
        pitch(tasks[2], alice);
        for (uint256 i = 4; i < all.length; i += 2) {
            expectPaused();
            vm.prank(alice);
            market.acceptAuction(tasks[i], 0);
            expectPaused();
            bid(tasks[i + 1], alice, 1);
        }
    }

    /// given entries are paused: it lets the requester change, judge and assign
    function test_LetsTheRequesterWork() external {
        bytes32 bounty = createBounty();
        bytes32 pitched = create(aPitchTask());
        pitch(pitched, alice);
        bytes32 auctioned = create(anAuction(Modes.ENGLISH));
        bid(auctioned, alice, 5000);
        pauseEntries();
        UpdateTaskParams memory change = aRaise(bounty, REWARD - 1);
        change.expiryTime = uint40(start) + DURATION + 1;
        update(change);
        assignEvaluator(bounty, evaluatorTerms());
        select(pitched, alice);
        vm.warp(start + DURATION / 2);
        market.selectLowestBidder(auctioned);
        expectStatus(pitched, Status.WorkerSelected);
        expectStatus(auctioned, Status.Claimed);
        assertTrue(market.getTask(bounty).hasEvaluator);
        assertEq(market.getTask(bounty).escrow, REWARD - 1);
    }

    /// given entries are paused: it lets workers deliver in contests and where they are assigned
    function test_LetsWorkersDeliver() external {
        bytes32 bounty = createBounty();
        bytes32 benchmark = create(aBenchmark());
        bytes32 claimed = createAssigned(aClaim());
        pauseEntries();
        submit(bounty, alice, "a1");
        prove(benchmark, alice, "a1");
        submit(claimed, alice, "a1");
        expectStatus(claimed, Status.PendingApproval);
        assertEq(market.getTask(bounty).activeSubmissions + market.getTask(benchmark).activeSubmissions, 2);
    }

    /// given entries are paused: it lets the requester reject, accept, split, object and rate
    function test_LetsTheRequesterDecide() external {
        bytes32 one = contested();
        bytes32 several = contested();
        bytes32 claimed = createAssigned(aClaim());
        submit(claimed, alice, "a1");
        bytes32 objected = createAssigned(aClaim());
        submit(objected, alice, "a1");
        pauseEntries();
        reject(one, bob);
        accept(one, alice, "a1");
        split(several, winnersOf(alice, 5000, bob, 5000));
        accept(claimed, alice, "a1");
        vm.startPrank(requester);
        market.objectToDelivery(objected);
        market.rateTask(RateParams(claimed, alice, 80, 0, 0, false, "", 0));
        vm.stopPrank();
        expectStatus(one, Status.Completed);
        expectStatus(several, Status.Completed);
        expectStatus(claimed, Status.Completed);
        assertTrue(market.getTask(objected).objected);
        assertTrue(market.entryOf(claimed, alice).rated);
    }

    /// given entries are paused: it lets the evaluator flow take its course
    function test_LetsJudgesWork() external {
        bytes32 appealed = inReview();
        bytes32 final_ = inReview();
        bytes32 silent = inReview();
        pauseEntries();
        evaluate(appealed, Verdict.Reject, noAwards());
        evaluate(final_, Verdict.Approve, noAwards());
        vm.prank(alice);
        market.appeal(appealed);
        Award[] memory awards = oneAward(alice, REWARD / 2);
        vm.prank(resolver);
        market.resolveDispute(appealed, Verdict.Partial, awards);
        vm.warp(start + 2 hours);
        market.finalizeVerdict(final_);
        vm.prank(requester);
        market.evaluatorTimeout(silent);
        expectStatus(appealed, Status.Completed);
        expectStatus(final_, Status.Completed);
        expectStatus(silent, Status.PendingApproval);
    }

    /// given entries are paused: it lets every task end and every credit be paid
    function test_LetsTasksEnd() external {
        createCredit();
        bytes32 cancelled = createBounty();
        bytes32 expired = createBounty();
        bytes32 forfeited = createAssigned(aClaim());
        bytes32 stale = createAssigned(aClaim());
        submit(stale, alice, "a1");
        pauseEntries();
        cancel(cancelled);
        vm.warp(start + DURATION);
        market.refundExpired(expired);
        vm.startPrank(requester);
        market.forfeitAndReopen(forfeited);
        market.withdrawCredit(stranger);
        vm.stopPrank();
        market.refundExpired(forfeited);
        vm.warp(start + DURATION + 90 days);
        market.settleStale(stale);
        expectStatus(cancelled, Status.Cancelled);
        expectStatus(expired, Status.Expired);
        expectStatus(forfeited, Status.Expired);
        expectStatus(stale, Status.Completed);
        assertEq(usdc.balanceOf(stranger), REWARD);
        assertEq(market.totalEscrow(), 0);
        assertEq(usdc.balanceOf(address(market)), 0);
    }

    /// given entries are paused: it lets any account push a credit to its owner
    function test_LetsCreditsBePushed() external {
        createCredit();
        pauseEntries();
        uint256 before = usdc.balanceOf(requester);
        market.pushCredit(requester);
        assertEq(usdc.balanceOf(requester), before + REWARD);
    }

    /// given the pause is over: it takes entries again
    function test_TakesEntriesAgain() external {
        bytes32 taskId = create(aClaim());
        pauseEntries();
        vm.prank(owner);
        market.unpause();
        claim(taskId, alice);
        createBounty();
        expectStatus(taskId, Status.Claimed);
    }

    function contested() private returns (bytes32 taskId) {
        taskId = createBounty();
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
    }

    function inReview() private returns (bytes32 taskId) {
        taskId = createAssigned(evaluated(aClaim()));
        submit(taskId, alice, "a1");
    }

    function expectPaused() private {
        expectError(ITaskMarket.EntriesPaused.selector);
    }

    function expectStatus(bytes32 taskId, Status status) private view {
        assertEq(uint8(market.getTask(taskId).status), uint8(status));
    }
}
