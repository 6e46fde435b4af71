// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {Status, TaskView, Verdict} from "../../src/types/TaskTypes.sol";
import {EvaluationTest} from "../support/EvaluationTest.sol";

contract ObjectToDeliveryTest is EvaluationTest {
    bytes32 internal taskId;

    function setUp() public override {
        super.setUp();
        taskId = createPending();
        mark();
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, bytes32("none")));
        objectTo("none");
    }

    /// when another than the requester calls: it reverts with NotRequester
    function test_RevertWhen_NotRequester() external {
        vm.prank(alice);
        expectError(ITaskMarket.NotRequester.selector, alice);
        market.objectToDelivery(taskId);
    }

    /// given nothing is delivered: it reverts with WrongStatus
    function test_RevertGiven_NotDelivered() external {
        bytes32 undelivered = create(aClaim());
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Open));
        objectTo(undelivered);
        claim(undelivered, alice);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Claimed));
        objectTo(undelivered);
    }

    /// given a contest: it reverts with WrongStatus
    function test_RevertGiven_Contest() external {
        bytes32 contest = createBounty();
        submit(contest, alice, "a1");
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Open));
        objectTo(contest);
    }

    /// given the evaluator decides: it reverts with WrongStatus
    function test_RevertGiven_Evaluator() external {
        bytes32 review = createReview();
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Review));
        objectTo(review);
        evaluate(review, Verdict.Approve, noAwards());
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Appealing));
        objectTo(review);
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        accept(taskId, alice, "a1");
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Completed));
        objectTo(taskId);
    }

    /// given the requester objected already: it reverts with AlreadyObjected
    function test_RevertGiven_Objected() external {
        objectTo(taskId);
        expectError(ITaskMarket.AlreadyObjected.selector);
        objectTo(taskId);
    }

    /// when a delivery waits: it puts the objection on record and nothing else
    function test_Records() external {
        TaskView memory expected = market.getTask(taskId);
        assertFalse(expected.objected);
        objectTo(taskId);
        expected.objected = true;
        assertEq(abi.encode(market.getTask(taskId)), abi.encode(expected));
        assertNothingPaid();
    }

    /// when a delivery waits: it logs the objection
    function test_Logs() external {
        expectLog();
        emit DeliveryObjected(taskId);
        objectTo(taskId);
    }

    /// when a delivery waits: it takes it in pitch and auction tasks
    function test_InEveryMode() external {
        bytes32 pitched = create(aPitchTask());
        pitch(pitched, alice);
        select(pitched, alice);
        submit(pitched, alice, "a1");
        objectTo(pitched);
        assertTrue(market.getTask(pitched).objected);
        bytes32 auction = create(anAuction(Modes.ENGLISH));
        win(auction, 4e6);
        submit(auction, alice, "a1");
        objectTo(auction);
        assertTrue(market.getTask(auction).objected);
    }

    /// when the task has expired: it takes it all the same
    function test_AfterExpiry() external {
        vm.warp(block.timestamp + DURATION);
        objectTo(taskId);
        assertTrue(market.getTask(taskId).objected);
    }

    /// given the requester objected: it can still be accepted
    function test_CanBeAccepted() external {
        objectTo(taskId);
        accept(taskId, alice, "a1");
        assertPaid(Gains({requester: 0, alice: netOf(REWARD) + STAKE, bob: 0, evaluator: 0, platform: feeOf(REWARD)}));
    }

    /// given the requester objected: it cannot be refunded before it is stale
    function test_CannotBeRefunded() external {
        objectTo(taskId);
        vm.warp(block.timestamp + DURATION + 90 days - 1);
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.PendingApproval));
        market.refundExpired(taskId);
    }

    /// given entries are paused: it puts the objection on record
    function test_WhilePaused() external {
        vm.prank(owner);
        market.pause();
        objectTo(taskId);
        assertTrue(market.getTask(taskId).objected);
    }

    /// when relayed: it takes the payer for the requester
    function test_Relayed() external {
        allowPaid(ITaskMarket.objectToDelivery.selector);
        relayPaid(requesterKey, 1000, 0, abi.encodeCall(market.objectToDelivery, (taskId)));
        assertTrue(market.getTask(taskId).objected);
    }
}
