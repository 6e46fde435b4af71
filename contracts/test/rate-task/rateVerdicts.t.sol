// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {ReputationRegistry} from "../../src/local/ReputationRegistry.sol";
import {Modes} from "../../src/types/Modes.sol";
import {RateParams, Status, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract RateVerdictsTest is EvaluationTest {
    /// given an accepted delivery: when another than its worker is named: it reverts with NotAwarded
    function test_RevertWhen_AnotherWorker() external {
        bytes32 taskId = createPending();
        accept(taskId, alice, "a1");
        expectError(ITaskMarket.NotAwarded.selector, bob);
        rate(taskId, bob);
        expectError(ITaskMarket.NotAwarded.selector, address(0));
        rate(taskId, address(0));
    }

    /// given an accepted delivery: when its worker is named: it records and logs the rating
    function test_RatesTheWorker() external {
        bytes32 taskId = createPending();
        accept(taskId, alice, "a1");
        assertFalse(market.entryOf(taskId, alice).rated);
        expectLog();
        emit TaskRated(taskId, alice, 90, 7, 0, false, "uri", "hash");
        rate(taskId, alice);
        assertTrue(market.entryOf(taskId, alice).rated);
        assertFalse(market.entryOf(taskId, bob).rated);
    }

    /// given an accepted delivery: when its worker is named twice: it reverts with AlreadyRated
    function test_RevertWhen_Twice() external {
        bytes32 taskId = createPending();
        accept(taskId, alice, "a1");
        rate(taskId, alice);
        expectError(ITaskMarket.AlreadyRated.selector, alice);
        rate(taskId, alice);
    }

    /// given an accepted delivery: when its worker owns the agent: it gives the rating as feedback
    function test_GivesFeedback() external {
        vm.prank(alice);
        uint256 agentId = identity.register();
        bytes32 taskId = createPending();
        accept(taskId, alice, "a1");
        vm.expectEmit(address(reputation));
        emit ReputationRegistry.NewFeedback(
            agentId, address(market), 1, 90, 0, "starred", "starred", "", "", "uri", "hash"
        );
        vm.prank(requester);
        market.rateTask(RateParams(taskId, alice, 90, 7, agentId, true, "uri", "hash"));
    }

    /// given a delivery that waits: it reverts with WrongStatus
    function test_RevertGiven_Pending() external {
        bytes32 taskId = createPending();
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.PendingApproval));
        rate(taskId, alice);
    }

    /// given a won auction: it rates who delivered and no other bidder
    function test_RatesAnAuction() external {
        bytes32 taskId = create(anAuction(Modes.ENGLISH));
        bid(taskId, bob, 5e6);
        win(taskId, 4e6);
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
        expectError(ITaskMarket.NotAwarded.selector, bob);
        rate(taskId, bob);
        rate(taskId, alice);
        assertTrue(market.entryOf(taskId, alice).rated);
    }

    /// given a stale delivery was paid: it rates the worker
    function test_RatesAStaleDelivery() external {
        bytes32 taskId = createPending();
        vm.warp(block.timestamp + DURATION + 90 days);
        market.settleStale(taskId);
        rate(taskId, alice);
        assertTrue(market.entryOf(taskId, alice).rated);
    }

    /// given a verdict: while it can be appealed: it reverts with WrongStatus
    function test_RevertGiven_Appealing() external {
        bytes32 taskId = createReview();
        evaluate(taskId, Verdict.Approve, noAwards());
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        rate(taskId, alice);
        appealBy(taskId, alice);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Disputed));
        rate(taskId, alice);
    }

    /// given a verdict: when it approved a delivery: it rates the worker once
    function test_RatesAnApproval() external {
        bytes32 taskId = createReview();
        evaluate(taskId, Verdict.Approve, noAwards());
        finalizeLater(taskId);
        rate(taskId, alice);
        expectError(ITaskMarket.AlreadyRated.selector, alice);
        rate(taskId, alice);
    }

    /// given a verdict: when it rejected: it reverts with WrongStatus
    function test_RevertGiven_Rejection() external {
        bytes32 taskId = createReview();
        evaluate(taskId, Verdict.Reject, noAwards());
        finalizeLater(taskId);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Cancelled));
        rate(taskId, alice);
    }

    /// given a verdict: when it awarded several of a contest: it rates each of them once
    function test_RatesEachAward() external {
        bytes32 taskId = createContest();
        evaluateExpired(taskId, Verdict.Partial, twoAwards(1e6, 2e6));
        finalizeLater(taskId);
        rate(taskId, alice);
        assertTrue(market.entryOf(taskId, alice).rated);
        assertFalse(market.entryOf(taskId, bob).rated);
        rate(taskId, bob);
        expectError(ITaskMarket.AlreadyRated.selector, bob);
        rate(taskId, bob);
    }

    /// given a verdict: when it awarded some of a contest: it reverts with NotAwarded for the others
    function test_RevertWhen_NotAwarded() external {
        bytes32 taskId = createContest();
        evaluateExpired(taskId, Verdict.Approve, oneAward(alice, 1e6));
        finalizeLater(taskId);
        expectError(ITaskMarket.NotAwarded.selector, bob);
        rate(taskId, bob);
        expectError(ITaskMarket.NotAwarded.selector, evaluator);
        rate(taskId, evaluator);
    }

    /// given a resolver's awards: it rates whom the resolver awarded and not whom the evaluator did
    function test_RatesTheResolversAwards() external {
        bytes32 taskId = createContest();
        evaluateExpired(taskId, Verdict.Partial, oneAward(bob, 1e6));
        appealBy(taskId, bob);
        resolve(taskId, Verdict.Approve, oneAward(alice, 1e6));
        expectError(ITaskMarket.NotAwarded.selector, bob);
        rate(taskId, bob);
        rate(taskId, alice);
        assertTrue(market.entryOf(taskId, alice).rated);
    }

    function rate(bytes32 taskId, address worker) private {
        vm.prank(requester);
        market.rateTask(RateParams(taskId, worker, 90, 7, 0, false, "uri", "hash"));
    }
}
