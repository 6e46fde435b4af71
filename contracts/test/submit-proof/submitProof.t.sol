// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, EntryView, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract SubmitProofTest is MarketTest {
    bytes32 internal constant TYPE = keccak256("eval");

    bytes32 internal taskId;
    uint40 internal expiry;

    function setUp() public override {
        super.setUp();
        taskId = create(aBenchmark());
        expiry = uint40(block.timestamp) + DURATION;
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        expectTaskNotFound("none");
        prove("none", alice, "p1");
    }

    /// when the task is of another mode: it reverts with WrongMode, which names the mode
    function test_RevertWhen_OtherMode() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            if (all[i].mode == Modes.BENCHMARK) continue;
            bytes32 other = create(all[i]);
            expectWrongMode(all[i].mode);
            prove(other, alice, "p1");
        }
    }

    /// when the hash is zero: it reverts with ZeroHash
    function test_RevertWhen_ZeroHash() external {
        expectError(ITaskMarket.ZeroHash.selector);
        prove(taskId, alice, 0);
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        cancel(taskId);
        expectWrongStatus(Status.Cancelled);
        prove(taskId, alice, "p1");
    }

    /// when the task has expired: it reverts with DeadlinePassed
    function test_RevertWhen_Expired() external {
        vm.warp(expiry);
        expectError(ITaskMarket.DeadlinePassed.selector, expiry);
        prove(taskId, alice, "p1");
        vm.warp(expiry + 1);
        expectError(ITaskMarket.DeadlinePassed.selector, expiry);
        prove(taskId, alice, "p1");
    }

    /// when in the last second before expiry: it accepts the proof
    function test_AcceptsInTheLastSecond() external {
        vm.warp(expiry - 1);
        prove(taskId, alice, "p1");
        assertEq(market.getTask(taskId).proofCount, 1);
    }

    /// when the evaluator or the resolver proves: it reverts with CannotEnter
    function test_RevertWhen_JudgeProves() external {
        bytes32 judged = create(evaluated(aBenchmark()));
        expectError(ITaskMarket.CannotEnter.selector, evaluator);
        prove(judged, evaluator, "p1");
        expectError(ITaskMarket.CannotEnter.selector, resolver);
        prove(judged, resolver, "p1");
        prove(judged, alice, "p1");
        assertEq(market.getTask(judged).proofCount, 1);
    }

    /// given the worker is rejected: it reverts with WorkerIsRejected
    function test_RevertGiven_Rejected() external {
        prove(taskId, alice, "p1");
        reject(taskId, alice);
        expectError(ITaskMarket.WorkerIsRejected.selector, alice);
        prove(taskId, alice, "p2");
    }

    /// when the worker already committed the hash: it reverts with DuplicateSubmission, as proof and as work
    function test_RevertWhen_Duplicate() external {
        prove(taskId, alice, "p1");
        submit(taskId, alice, "a1");
        expectDuplicate("p1");
        prove(taskId, alice, "p1");
        expectDuplicate("a1");
        prove(taskId, alice, "a1");
        expectDuplicate("p1");
        submit(taskId, alice, "p1");
    }

    /// when before expiry: it counts the proof and a submission
    function test_Counts() external {
        prove(taskId, alice, "p1");
        prove(taskId, bob, "p1");
        submit(taskId, alice, "a1");
        TaskView memory task = market.getTask(taskId);
        assertEq(task.proofCount, 2);
        assertEq(task.submissionCount, 3);
        assertEq(task.activeSubmissions, 3);
        assertEq(uint8(task.status), uint8(Status.Open));
        EntryView memory expected;
        (expected.submissions, expected.active) = (2, 2);
        assertEq(abi.encode(market.entryOf(taskId, alice)), abi.encode(expected));
    }

    /// when before expiry: it numbers the proof's hash among the submissions
    function test_Numbers() external {
        submit(taskId, alice, "a1");
        prove(taskId, alice, "p1");
        (bool exists, uint32 index) = market.submissionIndexOf(taskId, alice, "p1");
        assertTrue(exists);
        assertEq(index, 1);
    }

    /// when before expiry: it logs proof and submission, each with its own position
    function test_Logs() external {
        submit(taskId, bob, "b1");
        expectProofLogs(alice, "p1", 7, 0, 1);
        proveWith(alice, "p1", TYPE, 7);
        expectProofLogs(bob, "p2", type(uint256).max, 1, 2);
        proveWith(bob, "p2", TYPE, type(uint256).max);
    }

    /// when before expiry: it moves no money
    function test_MovesNoMoney() external {
        prove(taskId, alice, "p1");
        assertEq(usdc.balanceOf(address(market)), REWARD);
        assertEq(market.totalEscrow(), REWARD);
    }

    /// when type and metric are zero: it accepts the proof
    function test_AcceptsZeros() external {
        expectLog();
        emit ProofSubmitted(taskId, alice, "p1", 0, 0, 0);
        proveWith(alice, "p1", 0, 0);
    }

    /// when the requester proves: it accepts the proof
    function test_AcceptsTheRequester() external {
        prove(taskId, requester, "p1");
        assertEq(market.entryOf(taskId, requester).active, 1);
    }

    /// given entries are paused: it accepts the proof
    function test_AcceptsWhilePaused() external {
        pauseEntries();
        prove(taskId, alice, "p1");
        assertEq(market.getTask(taskId).proofCount, 1);
    }

    /// when the proof is accepted: it is paid as a deliverable
    function test_IsPaid() external {
        prove(taskId, alice, "p1");
        accept(taskId, alice, "p1");
        assertEq(usdc.balanceOf(alice), REWARD - REWARD * FEE_BPS / 10_000);
        assertEq(market.totalEscrow(), 0);
    }

    /// when relayed with a payment: it counts for the payer
    function test_CountsForThePayer() external {
        allowPaid(ITaskMarket.submitProof.selector);
        usdc.mint(alice, 1000);
        relayPaid(aliceKey, 1000, 0, abi.encodeCall(market.submitProof, (taskId, "p1", TYPE, 7)));
        assertEq(market.entryOf(taskId, alice).active, 1);
        assertEq(forwarder.fees(), 1000);
    }

    function proveWith(address worker, bytes32 proofHash, bytes32 proofType, uint256 metric) private {
        vm.prank(worker);
        market.submitProof(taskId, proofHash, proofType, metric);
    }

    function expectProofLogs(address worker, bytes32 proofHash, uint256 metric, uint32 proofIndex, uint32 index)
        private
    {
        expectLog();
        emit ProofSubmitted(taskId, worker, proofHash, TYPE, metric, proofIndex);
        expectLog();
        emit TaskSubmitted(taskId, worker, proofHash, index, Status.Open, expiry, 0, index + 1);
    }

    function expectDuplicate(bytes32 deliverable) private {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.DuplicateSubmission.selector, alice, deliverable));
    }
}
