// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {ReputationKind, Status, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract StaleEvaluatedContestTest is EvaluationTest {
    bytes32 internal taskId;
    uint256 internal staleAt;

    function setUp() public override {
        super.setUp();
        taskId = createContest();
        staleAt = block.timestamp + DURATION + EVALUATION_WINDOW + 90 days;
        mark();
    }

    /// given an evaluator: when 90 days after its window are a second away: it reverts with DeadlineNotReached
    function test_RevertWhen_NotStale() external {
        vm.warp(staleAt - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, staleAt);
        market.settleStale(taskId);
    }

    /// given an evaluator: when 90 days after its window have passed: it refunds the requester
    function test_Refunds() external {
        vm.warp(staleAt);
        expectLog();
        emit TaskExpired(taskId, uint96(REWARD));
        expectLog();
        emit RequesterReputation(taskId, requester, ReputationKind.Stale, uint96(REWARD), 2, false);
        market.settleStale(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
        assertStands(taskId, Status.Expired);
    }

    /// given a timed-out evaluator: when 90 days after expiry are a second away: it reverts with DeadlineNotReached
    function test_RevertWhen_NotStaleAfterATimeout() external {
        vm.warp(staleAt - 90 days);
        timeOut(taskId);
        vm.warp(staleAt - EVALUATION_WINDOW - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, staleAt - EVALUATION_WINDOW);
        market.settleStale(taskId);
    }

    /// given a timed-out evaluator: when 90 days after expiry have passed: it refunds the requester
    function test_RefundsAfterATimeout() external {
        vm.warp(staleAt - 90 days);
        timeOut(taskId);
        vm.warp(staleAt - EVALUATION_WINDOW);
        market.settleStale(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    /// given a verdict: it reverts with WrongStatus while appealing and while disputed
    function test_RevertGiven_Verdict() external {
        evaluateExpired(taskId, Verdict.Reject, noAwards());
        vm.warp(block.timestamp + APPEAL_WINDOW - 1);
        appealBy(taskId, bob);
        bytes32 second = createContest();
        evaluate(second, Verdict.Approve, oneAward(alice, PAYABLE));
        vm.warp(staleAt + 365 days);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Disputed));
        market.settleStale(taskId);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        market.settleStale(second);
    }

    /// given a verdict: it takes effect when any account asks
    function test_FinalizesWhenever() external {
        evaluate(taskId, Verdict.Approve, oneAward(alice, PAYABLE));
        vm.warp(staleAt + 365 days);
        market.finalizeVerdict(taskId);
        assertPaid(
            Gains({requester: 0, alice: netOf(PAYABLE), bob: 0, evaluator: EVALUATOR_FEE, platform: feeOf(PAYABLE)})
        );
    }

    /// given entries are paused: it refunds the requester
    function test_WhilePaused() external {
        vm.prank(owner);
        market.pause();
        vm.warp(staleAt);
        market.settleStale(taskId);
        assertPaid(Gains({requester: REWARD, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }
}
