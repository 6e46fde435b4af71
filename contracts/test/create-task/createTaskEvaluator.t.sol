// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {CreateTaskParams, EvaluationView, EvaluatorTerms} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

/// @title Evaluators that come with the task
contract CreateTaskEvaluatorTest is MarketTest {
    uint40 internal constant TEN_YEARS = 3650 days;

    CreateTaskParams internal params;

    function setUp() public override {
        super.setUp();
        params = evaluated(aBounty());
    }

    /// when no term of an evaluator is given: it assigns none
    function test_AssignsNone() external {
        delete params.evaluation;
        vm.recordLogs();
        bytes32 taskId = create(params);
        assertEq(countLogs(EvaluatorAssigned.selector), 0);
        assertFalse(market.getTask(taskId).hasEvaluator);
        EvaluationView memory none;
        assertEq(abi.encode(market.evaluationOf(taskId)), abi.encode(none));
    }

    /// when another term is given without an evaluator: it reverts with InvalidEvaluator
    function test_RevertWhen_TermsWithoutEvaluator() external {
        EvaluatorTerms[4] memory lone;
        lone[0].resolver = resolver;
        lone[1].feeBps = 1;
        lone[2].evaluationWindow = 1;
        lone[3].appealWindow = 300;
        for (uint256 i; i < lone.length; i++) {
            params.evaluation = lone[i];
            expectError(ITaskMarket.InvalidEvaluator.selector, address(0));
            create(params);
        }
    }

    /// when the requester would judge: it reverts with InvalidEvaluator
    function test_RevertWhen_RequesterJudges() external {
        params.evaluation.evaluator = requester;
        expectError(ITaskMarket.InvalidEvaluator.selector, requester);
        create(params);
    }

    /// when the payer of a relayed creation would judge: it reverts with InvalidEvaluator
    function test_RevertWhen_PayerJudges() external {
        allowPaid(ITaskMarket.createTask.selector);
        params.evaluation.evaluator = alice;
        expectError(ITaskMarket.InvalidEvaluator.selector, alice);
        this.relayCreation(aliceKey);
    }

    /// when the evaluator would resolve its own disputes: it reverts with InvalidEvaluator
    function test_RevertWhen_EvaluatorResolves() external {
        params.evaluation.resolver = evaluator;
        expectError(ITaskMarket.InvalidEvaluator.selector, evaluator);
        create(params);
    }

    /// when the requester would resolve disputes: it reverts with InvalidEvaluator
    function test_RevertWhen_RequesterResolves() external {
        params.evaluation.resolver = requester;
        expectError(ITaskMarket.InvalidEvaluator.selector, requester);
        create(params);
    }

    /// when both fees exceed the whole: it reverts with FeeTooHigh
    function test_RevertWhen_FeeTooHigh() external {
        params.evaluation.feeBps = 10_000 - FEE_BPS + 1;
        expectError(ITaskMarket.FeeTooHigh.selector, 10_000 - FEE_BPS + 1, 10_000 - FEE_BPS);
        create(params);
    }

    /// when both fees are the whole: it accepts the fee
    function test_AcceptsTheHighestFee() external {
        params.evaluation.feeBps = 10_000 - FEE_BPS;
        assertEq(market.evaluationOf(create(params)).feeBps, 10_000 - FEE_BPS);
    }

    /// when there is no evaluator's fee: it accepts none
    function test_AcceptsNoFee() external {
        params.evaluation.feeBps = 0;
        assertEq(market.evaluationOf(create(params)).feeBps, 0);
    }

    /// given the platform takes no fee: it accepts the whole as the evaluator's fee and no more
    function test_MeasuresAgainstThePlatformFee() external {
        vm.prank(owner);
        market.setFeeBps(0);
        params.evaluation.feeBps = 10_000;
        assertEq(market.evaluationOf(create(params)).feeBps, 10_000);
        params.evaluation.feeBps = 10_001;
        expectError(ITaskMarket.FeeTooHigh.selector, 10_001, 10_000);
        create(params);
    }

    /// when the evaluation window is zero or exceeds ten years: it reverts with InvalidWindow
    function test_RevertWhen_EvaluationWindowOutOfBounds() external {
        params.evaluation.evaluationWindow = 0;
        expectError(ITaskMarket.InvalidWindow.selector, uint256(0));
        create(params);
        params.evaluation.evaluationWindow = TEN_YEARS + 1;
        expectError(ITaskMarket.InvalidWindow.selector, TEN_YEARS + 1);
        create(params);
    }

    /// when the evaluation window is at its bounds: it accepts a second and ten years
    function test_AcceptsEvaluationWindowBounds() external {
        params.evaluation.evaluationWindow = 1;
        assertEq(market.evaluationOf(create(params)).evaluationWindow, 1);
        params.evaluation.evaluationWindow = TEN_YEARS;
        assertEq(market.evaluationOf(create(params)).evaluationWindow, TEN_YEARS);
    }

    /// when the appeal window is below 300 seconds or exceeds ten years: it reverts with InvalidWindow
    function test_RevertWhen_AppealWindowOutOfBounds() external {
        params.evaluation.appealWindow = 299;
        expectError(ITaskMarket.InvalidWindow.selector, 299);
        create(params);
        params.evaluation.appealWindow = TEN_YEARS + 1;
        expectError(ITaskMarket.InvalidWindow.selector, TEN_YEARS + 1);
        create(params);
    }

    /// when the appeal window is at its bounds: it accepts 300 seconds and ten years
    function test_AcceptsAppealWindowBounds() external {
        params.evaluation.appealWindow = 300;
        assertEq(market.evaluationOf(create(params)).appealWindow, 300);
        params.evaluation.appealWindow = TEN_YEARS;
        assertEq(market.evaluationOf(create(params)).appealWindow, TEN_YEARS);
    }

    /// when there is no resolver: it stores none
    function test_StoresNoResolver() external {
        params.evaluation.resolver = address(0);
        bytes32 taskId = create(params);
        assertTrue(market.getTask(taskId).hasEvaluator);
        assertEq(market.evaluationOf(taskId).resolver, address(0));
    }

    /// when all terms are right: it stores them in every mode
    function test_StoresTheTerms() external {
        CreateTaskParams[8] memory all = oneOfEach();
        EvaluationView memory expected;
        (expected.evaluator, expected.resolver) = (evaluator, resolver);
        (expected.feeBps, expected.evaluationWindow, expected.appealWindow) = (500, 2 hours, 1 hours);
        for (uint256 i; i < all.length; i++) {
            bytes32 taskId = create(evaluated(all[i]));
            assertTrue(market.getTask(taskId).hasEvaluator);
            assertEq(abi.encode(market.evaluationOf(taskId)), abi.encode(expected));
        }
    }

    /// when all terms are right: it logs them
    function test_LogsTheTerms() external {
        bytes32 taskId = market.nextTaskId(requester);
        expectLog();
        emit EvaluatorAssigned(taskId, evaluator, resolver, 500, 2 hours, 1 hours);
        create(params);
    }

    /// when all terms are right: it takes the reward and no fee yet
    function test_TakesTheRewardOnly() external {
        uint256 before = usdc.balanceOf(requester);
        bytes32 taskId = create(params);
        assertEq(usdc.balanceOf(requester), before - REWARD);
        assertEq(usdc.balanceOf(evaluator), 0);
        assertEq(market.getTask(taskId).escrow, REWARD);
        assertEq(market.totalEscrow(), REWARD);
    }

    function relayCreation(uint256 payerKey) external {
        fund(vm.addr(payerKey));
        relayPaid(payerKey, REWARD, REWARD, abi.encodeCall(market.createTask, params));
    }
}
