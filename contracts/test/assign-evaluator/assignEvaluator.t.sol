// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, EvaluationView, EvaluatorTerms, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract AssignEvaluatorTest is MarketTest {
    uint40 internal constant TEN_YEARS = 3650 days;

    bytes32 internal taskId;
    EvaluatorTerms internal terms;

    function setUp() public override {
        super.setUp();
        taskId = createBounty();
        terms = evaluatorTerms();
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        expectTaskNotFound("none");
        assignEvaluator("none", terms);
    }

    /// when another than the requester calls: it reverts with NotRequester
    function test_RevertWhen_NotRequester() external {
        vm.prank(evaluator);
        expectError(ITaskMarket.NotRequester.selector, evaluator);
        market.assignEvaluator(taskId, terms);
    }

    /// given a worker is assigned: it reverts with WrongStatus
    function test_RevertGiven_Assigned() external {
        taskId = createAssigned(aClaim());
        expectWrongStatus(Status.Claimed);
        assignEvaluator(taskId, terms);
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        cancel(taskId);
        expectWrongStatus(Status.Cancelled);
        assignEvaluator(taskId, terms);
    }

    /// given there is an evaluator: it reverts with EvaluatorAlreadyAssigned
    function test_RevertGiven_AlreadyAssigned() external {
        assignEvaluator(taskId, terms);
        terms.evaluator = stranger;
        expectError(ITaskMarket.EvaluatorAlreadyAssigned.selector, evaluator);
        assignEvaluator(taskId, terms);
        taskId = create(evaluated(aBounty()));
        expectError(ITaskMarket.EvaluatorAlreadyAssigned.selector, evaluator);
        assignEvaluator(taskId, terms);
    }

    /// given submissions: it reverts with TermsLocked, also after their rejection
    function test_RevertGiven_Submissions() external {
        submit(taskId, alice, "a1");
        expectError(ITaskMarket.TermsLocked.selector, 1);
        assignEvaluator(taskId, terms);
        submit(taskId, alice, "a2");
        reject(taskId, alice);
        expectError(ITaskMarket.TermsLocked.selector, 2);
        assignEvaluator(taskId, terms);
    }

    /// given a proof: it reverts with TermsLocked
    function test_RevertGiven_Proof() external {
        taskId = create(aBenchmark());
        prove(taskId, alice, "p1");
        expectError(ITaskMarket.TermsLocked.selector, 1);
        assignEvaluator(taskId, terms);
    }

    /// given a pitch: it reverts with TermsLocked
    function test_RevertGiven_Pitch() external {
        taskId = create(aPitchTask());
        pitch(taskId, alice);
        expectError(ITaskMarket.TermsLocked.selector, 1);
        assignEvaluator(taskId, terms);
    }

    /// given a bid: it reverts with TermsLocked
    function test_RevertGiven_Bid() external {
        taskId = create(anAuction(Modes.REVERSE_ENGLISH));
        bid(taskId, alice, 5000);
        bid(taskId, alice, 4000);
        expectError(ITaskMarket.TermsLocked.selector, 2);
        assignEvaluator(taskId, terms);
    }

    /// given a claim was forfeited: it reverts with TermsLocked
    function test_RevertGiven_Reopened() external {
        taskId = createAssigned(aClaim());
        vm.warp(block.timestamp + DURATION);
        vm.prank(requester);
        market.forfeitAndReopen(taskId);
        expectError(ITaskMarket.TermsLocked.selector, 1);
        assignEvaluator(taskId, terms);
    }

    /// when the evaluator is the zero address: it reverts with InvalidEvaluator, also when no term is given
    function test_RevertWhen_EvaluatorIsZeroAddress() external {
        terms.evaluator = address(0);
        expectError(ITaskMarket.InvalidEvaluator.selector, address(0));
        assignEvaluator(taskId, terms);
        delete terms;
        expectError(ITaskMarket.InvalidEvaluator.selector, address(0));
        assignEvaluator(taskId, terms);
    }

    /// when the requester would judge: it reverts with InvalidEvaluator
    function test_RevertWhen_RequesterJudges() external {
        terms.evaluator = requester;
        expectError(ITaskMarket.InvalidEvaluator.selector, requester);
        assignEvaluator(taskId, terms);
    }

    /// when the resolver is the evaluator or the requester: it reverts with InvalidEvaluator
    function test_RevertWhen_ResolverIsAnother() external {
        terms.resolver = evaluator;
        expectError(ITaskMarket.InvalidEvaluator.selector, evaluator);
        assignEvaluator(taskId, terms);
        terms.resolver = requester;
        expectError(ITaskMarket.InvalidEvaluator.selector, requester);
        assignEvaluator(taskId, terms);
    }

    /// when both fees exceed the whole: it reverts with FeeTooHigh
    function test_RevertWhen_FeeTooHigh() external {
        terms.feeBps = 10_000 - FEE_BPS + 1;
        expectError(ITaskMarket.FeeTooHigh.selector, 10_000 - FEE_BPS + 1, 10_000 - FEE_BPS);
        assignEvaluator(taskId, terms);
        terms.feeBps = 10_000 - FEE_BPS;
        assignEvaluator(taskId, terms);
        assertEq(market.evaluationOf(taskId).feeBps, 10_000 - FEE_BPS);
    }

    /// given the platform fee changed since creation: it measures against the fee of the creation
    function test_MeasuresAgainstTheStampedFee() external {
        vm.prank(owner);
        market.setFeeBps(2000);
        terms.feeBps = 10_000 - FEE_BPS + 1;
        expectError(ITaskMarket.FeeTooHigh.selector, 10_000 - FEE_BPS + 1, 10_000 - FEE_BPS);
        assignEvaluator(taskId, terms);
        terms.feeBps = 10_000 - FEE_BPS;
        assignEvaluator(taskId, terms);
        assertTrue(market.getTask(taskId).hasEvaluator);
    }

    /// when the evaluation window is out of bounds: it reverts with InvalidWindow
    function test_RevertWhen_EvaluationWindowOutOfBounds() external {
        terms.evaluationWindow = 0;
        expectError(ITaskMarket.InvalidWindow.selector, uint256(0));
        assignEvaluator(taskId, terms);
        terms.evaluationWindow = TEN_YEARS + 1;
        expectError(ITaskMarket.InvalidWindow.selector, TEN_YEARS + 1);
        assignEvaluator(taskId, terms);
    }

    /// when the appeal window is out of bounds: it reverts with InvalidWindow
    function test_RevertWhen_AppealWindowOutOfBounds() external {
        terms.appealWindow = 299;
        expectError(ITaskMarket.InvalidWindow.selector, 299);
        assignEvaluator(taskId, terms);
        terms.appealWindow = TEN_YEARS + 1;
        expectError(ITaskMarket.InvalidWindow.selector, TEN_YEARS + 1);
        assignEvaluator(taskId, terms);
    }

    /// when the windows are at their bounds: it accepts the shortest and the longest
    function test_AcceptsWindowBounds() external {
        (terms.evaluationWindow, terms.appealWindow) = (1, 300);
        assignEvaluator(taskId, terms);
        taskId = createBounty();
        (terms.evaluationWindow, terms.appealWindow) = (TEN_YEARS, TEN_YEARS);
        assignEvaluator(taskId, terms);
        assertEq(market.evaluationOf(taskId).evaluationWindow, TEN_YEARS);
        assertEq(market.evaluationOf(taskId).appealWindow, TEN_YEARS);
    }

    /// when all terms are right: it stores them in every mode and changes nothing else
    function test_StoresTheTerms() external {
        CreateTaskParams[8] memory all = oneOfEach();
        EvaluationView memory expected;
        (expected.evaluator, expected.resolver) = (evaluator, resolver);
        (expected.feeBps, expected.evaluationWindow, expected.appealWindow) = (500, 2 hours, 1 hours);
        for (uint256 i; i < all.length; i++) {
            taskId = create(all[i]);
            TaskView memory task = market.getTask(taskId);
            task.hasEvaluator = true;
            assignEvaluator(taskId, terms);
            assertEq(abi.encode(market.evaluationOf(taskId)), abi.encode(expected));
            assertEq(abi.encode(market.getTask(taskId)), abi.encode(task));
        }
    }

    /// when all terms are right: it logs them
    function test_LogsTheTerms() external {
        expectLog();
        emit EvaluatorAssigned(taskId, evaluator, resolver, 500, 2 hours, 1 hours);
        assignEvaluator(taskId, terms);
    }

    /// when all terms are right: it moves no money
    function test_MovesNoMoney() external {
        uint256 before = usdc.balanceOf(requester);
        assignEvaluator(taskId, terms);
        assertEq(usdc.balanceOf(requester), before);
        assertEq(usdc.balanceOf(evaluator), 0);
        assertEq(market.totalEscrow(), REWARD);
    }

    /// when all terms are right: it keeps evaluator and resolver out from then on
    function test_KeepsJudgesOut() external {
        assignEvaluator(taskId, terms);
        expectError(ITaskMarket.CannotEnter.selector, evaluator);
        submit(taskId, evaluator, "e1");
        expectError(ITaskMarket.CannotEnter.selector, resolver);
        submit(taskId, resolver, "r1");
    }

    /// when there is no resolver: it stores none
    function test_StoresNoResolver() external {
        terms.resolver = address(0);
        expectLog();
        emit EvaluatorAssigned(taskId, evaluator, address(0), 500, 2 hours, 1 hours);
        assignEvaluator(taskId, terms);
        assertEq(market.evaluationOf(taskId).resolver, address(0));
    }

    /// given an evaluator of a contest without entries timed out: it assigns anew and keeps nothing of the old
    function test_AssignsAnew() external {
        assignEvaluator(taskId, terms);
        vm.warp(block.timestamp + DURATION + 2 hours);
        vm.prank(requester);
        market.evaluatorTimeout(taskId);
        assignEvaluator(taskId, EvaluatorTerms(stranger, address(0), 0, 1, 300));
        EvaluationView memory expected;
        (expected.evaluator, expected.evaluationWindow, expected.appealWindow) = (stranger, 1, 300);
        assertEq(abi.encode(market.evaluationOf(taskId)), abi.encode(expected));
    }

    /// given entries are paused: it assigns the evaluator
    function test_AssignsWhilePaused() external {
        pauseEntries();
        assignEvaluator(taskId, terms);
        assertTrue(market.getTask(taskId).hasEvaluator);
    }

    /// when relayed with a payment: it takes the payer for the caller
    function test_TakesThePayerForTheCaller() external {
        allowPaid(ITaskMarket.assignEvaluator.selector);
        usdc.mint(alice, 1000);
        expectError(ITaskMarket.NotRequester.selector, alice);
        this.relayAssignment(aliceKey);
        this.relayAssignment(requesterKey);
        assertTrue(market.getTask(taskId).hasEvaluator);
        assertEq(forwarder.fees(), 1000);
    }

    function relayAssignment(uint256 payerKey) external {
        relayPaid(payerKey, 1000, 0, abi.encodeCall(market.assignEvaluator, (taskId, terms)));
    }
}
