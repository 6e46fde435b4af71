// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {SuffixRule} from "../../src/types/RelayTypes.sol";
import {EntryView, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";
import {Relay} from "../support/Relay.sol";

contract SubmitWorkTest is MarketTest {
    bytes32 internal taskId;

    function setUp() public override {
        super.setUp();
        taskId = createBounty();
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, bytes32("none")));
        submit("none", alice, "a1");
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        cancel(taskId);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Cancelled));
        submit(taskId, alice, "a1");
    }

    /// when the task has expired: it reverts with DeadlinePassed
    function test_RevertWhen_Expired() external {
        vm.warp(block.timestamp + DURATION);
        expectError(ITaskMarket.DeadlinePassed.selector, block.timestamp);
        submit(taskId, alice, "a1");
    }

    /// when the deliverable is zero: it reverts with ZeroDeliverable
    function test_RevertWhen_ZeroDeliverable() external {
        expectError(ITaskMarket.ZeroDeliverable.selector);
        submit(taskId, alice, 0);
    }

    /// given the worker is rejected: it reverts with WorkerIsRejected
    function test_RevertGiven_Rejected() external {
        submit(taskId, alice, "a1");
        reject(taskId, alice);
        expectError(ITaskMarket.WorkerIsRejected.selector, alice);
        submit(taskId, alice, "a2");
    }

    /// when the worker already committed the deliverable: it reverts with DuplicateSubmission
    function test_RevertWhen_Duplicate() external {
        submit(taskId, alice, "a1");
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.DuplicateSubmission.selector, alice, bytes32("a1")));
        submit(taskId, alice, "a1");
    }

    /// when before expiry: it counts the submission for task and worker
    function test_Counts() external {
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
        submit(taskId, alice, "a2");
        TaskView memory task = market.getTask(taskId);
        assertEq(task.submissionCount, 3);
        assertEq(task.activeSubmissions, 3);
        EntryView memory entry = market.entryOf(taskId, alice);
        assertEq(entry.submissions, 2);
        assertEq(entry.active, 2);
        assertFalse(entry.rejected || entry.awarded || entry.rated);
    }

    /// when before expiry: it numbers the deliverables from zero
    function test_NumbersFromZero() external {
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
        (bool exists, uint32 index) = market.submissionIndexOf(taskId, alice, "a1");
        assertTrue(exists);
        assertEq(index, 0);
        (exists, index) = market.submissionIndexOf(taskId, bob, "b1");
        assertTrue(exists);
        assertEq(index, 1);
        (exists, index) = market.submissionIndexOf(taskId, bob, "a1");
        assertFalse(exists);
        assertEq(index, 0);
    }

    /// when before expiry: it logs the submission with the values after it
    function test_Logs() external {
        uint40 expiryTime = market.getTask(taskId).expiryTime;
        submit(taskId, alice, "a1");
        expectLog();
        emit TaskSubmitted(taskId, bob, "b1", 1, Status.Open, expiryTime, 0, 2);
        submit(taskId, bob, "b1");
    }

    /// when in the last second before expiry: it accepts the submission
    function test_AcceptsInTheLastSecond() external {
        vm.warp(block.timestamp + DURATION - 1);
        submit(taskId, alice, "a1");
        assertEq(market.getTask(taskId).activeSubmissions, 1);
    }

    /// when another worker commits the same deliverable: it accepts the submission
    function test_AcceptsTheSameFromAnother() external {
        submit(taskId, alice, "a1");
        submit(taskId, bob, "a1");
        assertEq(market.getTask(taskId).activeSubmissions, 2);
    }

    /// when the requester submits: it accepts the submission
    function test_AcceptsTheRequester() external {
        submit(taskId, requester, "r1");
        assertEq(market.entryOf(taskId, requester).active, 1);
    }

    /// given entries are paused: it accepts the submission
    function test_AcceptsWhilePaused() external {
        vm.prank(owner);
        market.pause();
        submit(taskId, alice, "a1");
        assertEq(market.getTask(taskId).activeSubmissions, 1);
    }

    /// when relayed with the worker's signature: it counts for the signer
    function test_CountsForTheSigner() external {
        allow(address(market), ITaskMarket.submitWork.selector, 4, SuffixRule.Content, "submit");
        bytes memory signature = Relay.signMessage(aliceKey, "service:submit:", taskId, "");
        bytes memory data = abi.encodeCall(market.submitWork, (taskId, "a1"));
        vm.prank(relayer);
        forwarder.relaySigned(nextIntent(), alice, signature, "", address(market), data);
        assertEq(market.entryOf(taskId, alice).active, 1);
    }
}
