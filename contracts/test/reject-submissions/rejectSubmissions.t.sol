// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {EntryView, Status, TaskView, Verdict} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract RejectSubmissionsTest is MarketTest {
    bytes32 internal taskId;

    function setUp() public override {
        super.setUp();
        taskId = createBounty();
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
        submit(taskId, alice, "a2");
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, bytes32("none")));
        reject("none", alice);
    }

    /// when another than the requester calls: it reverts with NotRequester
    function test_RevertWhen_NotRequester() external {
        vm.prank(bob);
        expectError(ITaskMarket.NotRequester.selector, bob);
        market.rejectSubmissions(taskId, asList(alice));
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        accept(taskId, alice, "a1");
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Completed));
        reject(taskId, bob);
    }

    /// given one worker is assigned: it reverts with WrongMode
    function test_RevertGiven_SingleWorker() external {
        bytes32 pitched = create(aPitchTask());
        pitch(pitched, alice);
        select(pitched, alice);
        submit(pitched, alice, "a1");
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.WrongMode.selector, Modes.PITCH));
        reject(pitched, alice);
    }

    /// given an evaluator is assigned: it reverts with EvaluatorDecides
    function test_RevertGiven_Evaluator() external {
        bytes32 contest = createEvaluated();
        expectError(ITaskMarket.EvaluatorDecides.selector, evaluator);
        reject(contest, alice);
    }

    /// given a verdict was issued: it reverts with WrongStatus
    function test_RevertGiven_Verdict() external {
        bytes32 contest = createEvaluated();
        evaluateExpired(contest, Verdict.Reject, noAwards());
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        reject(contest, alice);
    }

    /// when no worker is named: it reverts with NoWorkers
    function test_RevertWhen_NoWorkers() external {
        vm.prank(requester);
        expectError(ITaskMarket.NoWorkers.selector);
        market.rejectSubmissions(taskId, new address[](0));
    }

    /// when a worker has no active submission: it reverts with NoActiveSubmission for a stranger
    function test_RevertWhen_Stranger() external {
        expectError(ITaskMarket.NoActiveSubmission.selector, stranger);
        reject(taskId, stranger);
    }

    /// when a worker has no active submission: it reverts with NoActiveSubmission for a rejected worker
    function test_RevertWhen_Rejected() external {
        reject(taskId, alice);
        expectError(ITaskMarket.NoActiveSubmission.selector, alice);
        reject(taskId, alice);
    }

    /// when a worker has no active submission: it reverts with NoActiveSubmission for one named twice
    function test_RevertWhen_NamedTwice() external {
        vm.prank(requester);
        expectError(ITaskMarket.NoActiveSubmission.selector, alice);
        market.rejectSubmissions(taskId, asList(alice, alice));
    }

    /// when the workers have active submissions: it rejects all submissions of each
    function test_RejectsAll() external {
        vm.prank(requester);
        market.rejectSubmissions(taskId, asList(alice, bob));
        TaskView memory task = market.getTask(taskId);
        assertEq(task.activeSubmissions, 0);
        assertEq(task.submissionCount, 3);
        EntryView memory entry = market.entryOf(taskId, alice);
        assertEq(entry.active, 0);
        assertEq(entry.submissions, 2);
        assertTrue(entry.rejected);
        assertTrue(market.entryOf(taskId, bob).rejected);
    }

    /// when the workers have active submissions: it leaves other workers alone
    function test_LeavesOthersAlone() external {
        reject(taskId, alice);
        assertEq(market.getTask(taskId).activeSubmissions, 1);
        assertEq(market.entryOf(taskId, bob).active, 1);
        assertFalse(market.entryOf(taskId, bob).rejected);
    }

    /// when the workers have active submissions: it logs each worker with the count after it
    function test_LogsEach() external {
        expectLog();
        emit SubmissionRejected(taskId, alice, 1);
        expectLog();
        emit SubmissionRejected(taskId, bob, 0);
        vm.prank(requester);
        market.rejectSubmissions(taskId, asList(alice, bob));
    }

    /// given the evaluator timed out: it rejects
    function test_AfterAnEvaluatorsTimeout() external {
        bytes32 contest = createEvaluated();
        vm.warp(block.timestamp + DURATION + 2 hours);
        vm.prank(requester);
        market.evaluatorTimeout(contest);
        expectLog();
        emit SubmissionRejected(contest, alice, 0);
        reject(contest, alice);
    }

    /// given a benchmark: it rejects a worker's proofs and files alike
    function test_RejectsProofs() external {
        bytes32 benchmark = create(aBenchmark());
        vm.prank(alice);
        market.submitProof(benchmark, "proof", "type", 1);
        submit(benchmark, alice, "a1");
        expectLog();
        emit SubmissionRejected(benchmark, alice, 0);
        reject(benchmark, alice);
        assertTrue(market.entryOf(benchmark, alice).rejected);
    }

    /// when the task has expired: it rejects all the same
    function test_RejectsAfterExpiry() external {
        vm.warp(block.timestamp + DURATION);
        reject(taskId, alice);
        assertEq(market.getTask(taskId).activeSubmissions, 1);
    }

    function createEvaluated() private returns (bytes32 contest) {
        contest = create(evaluated(aBounty()));
        submit(contest, alice, "a1");
    }
}
