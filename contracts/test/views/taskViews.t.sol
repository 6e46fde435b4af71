// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, Status, TaskView, Verdict} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

/// @title The whole of `getTask` in every status, field by field
contract TaskViewsTest is MarketTest {
    uint256 internal constant STAKE = REWARD / 10;
    /// @dev The evaluator's twentieth.
    uint256 internal constant EVALUATOR_FEE = REWARD / 20;

    bytes32 internal taskId;
    uint40 internal start;

    function setUp() public override {
        super.setUp();
        start = uint40(block.timestamp);
    }

    /// given the task does not exist: it is all zero
    function test_None() external view {
        TaskView memory nothing;
        assertEq(abi.encode(market.getTask("none")), abi.encode(nothing));
        assertEq(market.roundOf("none"), 0);
    }

    /// given an open contest with entries: it counts submissions, active ones and proofs
    function test_OpenContest() external {
        taskId = create(aBenchmark());
        submit(taskId, alice, "a1");
        prove(taskId, alice, "a2");
        prove(taskId, bob, "b1");
        reject(taskId, alice);
        TaskView memory expected = opened(aBenchmark());
        (expected.submissionCount, expected.activeSubmissions, expected.proofCount) = (3, 1, 2);
        expectView(expected);
    }

    /// given open with pitches: it counts them
    function test_OpenWithPitches() external {
        taskId = create(aPitchTask());
        pitch(taskId, alice);
        pitch(taskId, bob);
        TaskView memory expected = opened(aPitchTask());
        (expected.pitchDeadline, expected.pitchCount) = (start + DURATION / 2, 2);
        expectView(expected);
    }

    /// given open with bids: it counts them and shows neither worker nor price
    function test_OpenWithBids() external {
        taskId = create(anAuction(Modes.ENGLISH));
        bid(taskId, alice, 5000);
        bid(taskId, bob, 4000);
        TaskView memory expected = openedAuction(Modes.ENGLISH);
        expected.bidCount = 2;
        expectView(expected);
    }

    /// given a claim: it shows worker, price and stake
    function test_Claimed() external {
        expectView(claimed());
    }

    /// given a forfeited claim: it shows the round and no worker
    function test_Reopened() external {
        claimed();
        vm.warp(start + DURATION);
        vm.prank(requester);
        market.forfeitAndReopen(taskId);
        TaskView memory expected = opened(evaluated(aClaim()));
        (expected.hasEvaluator, expected.round) = (true, 1);
        expectView(expected);
    }

    /// given a selected pitch: it shows worker and price
    function test_WorkerSelected() external {
        taskId = createAssigned(aPitchTask());
        TaskView memory expected = opened(aPitchTask());
        (expected.pitchDeadline, expected.pitchCount) = (start + DURATION / 2, 1);
        (expected.status, expected.worker, expected.price) = (Status.WorkerSelected, alice, uint96(REWARD));
        expectView(expected);
    }

    /// given a won auction: it shows the winner, and the price as all that is held
    function test_Won() external {
        taskId = createAssigned(anAuction(Modes.REVERSE_ENGLISH));
        TaskView memory expected = openedAuction(Modes.REVERSE_ENGLISH);
        (expected.status, expected.worker, expected.bidCount) = (Status.Claimed, alice, 1);
        (expected.price, expected.escrow) = (uint96(REWARD / 2), uint96(REWARD / 2));
        expectView(expected);
    }

    /// given a delivery that waits: it shows the deliverable, and the requester's objection
    function test_PendingApproval() external {
        taskId = createAssigned(aPitchTask());
        TaskView memory expected = market.getTask(taskId);
        submit(taskId, alice, "a1");
        (expected.status, expected.deliverable) = (Status.PendingApproval, "a1");
        (expected.submissionCount, expected.activeSubmissions) = (1, 1);
        expectView(expected);
        vm.prank(requester);
        market.objectToDelivery(taskId);
        expected.objected = true;
        expectView(expected);
    }

    /// given a review: it shows the deliverable
    function test_Review() external {
        expectView(reviewed());
    }

    /// given an evaluator timed out: it waits for approval without an evaluator
    function test_TimedOut() external {
        TaskView memory expected = reviewed();
        vm.warp(start + 2 hours);
        vm.prank(requester);
        market.evaluatorTimeout(taskId);
        (expected.status, expected.hasEvaluator) = (Status.PendingApproval, false);
        expectView(expected);
    }

    /// given a verdict: it shows the escrow less the fee
    function test_Appealing() external {
        expectView(judged(Verdict.Approve));
    }

    /// given an appeal: it shows the dispute
    function test_Disputed() external {
        TaskView memory expected = judged(Verdict.Reject);
        vm.prank(alice);
        market.appeal(taskId);
        expected.status = Status.Disputed;
        expectView(expected);
    }

    /// given a completed claim: it holds nothing and remembers worker and price
    function test_Completed() external {
        TaskView memory expected = judged(Verdict.Approve);
        vm.warp(start + 1 hours);
        market.finalizeVerdict(taskId);
        (expected.status, expected.awardCount) = (Status.Completed, 1);
        (expected.escrow, expected.stake) = (0, 0);
        expectView(expected);
    }

    /// given a completed contest: it counts the awards and names no worker
    function test_CompletedContest() external {
        taskId = createBounty();
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
        split(taskId, winnersOf(alice, 6000, bob, 4000));
        TaskView memory expected = opened(aBounty());
        (expected.status, expected.escrow, expected.awardCount) = (Status.Completed, 0, 2);
        (expected.submissionCount, expected.activeSubmissions) = (2, 2);
        expectView(expected);
    }

    /// given a rejecting verdict took effect: it holds nothing and remembers the worker
    function test_CancelledByVerdict() external {
        TaskView memory expected = judged(Verdict.Reject);
        vm.warp(start + 1 hours);
        market.finalizeVerdict(taskId);
        (expected.status, expected.escrow, expected.stake) = (Status.Cancelled, 0, 0);
        expectView(expected);
    }

    /// given a cancelled task: it holds nothing
    function test_Cancelled() external {
        taskId = create(aClaim());
        cancel(taskId);
        TaskView memory expected = opened(aClaim());
        (expected.status, expected.escrow) = (Status.Cancelled, 0);
        expectView(expected);
    }

    /// given an expired claim: it holds nothing and remembers the worker
    function test_Expired() external {
        TaskView memory expected = claimed();
        vm.warp(start + DURATION);
        market.refundExpired(taskId);
        (expected.status, expected.escrow, expected.stake) = (Status.Expired, 0, 0);
        expectView(expected);
    }

    /// given an expired auction without a selected bid: it names no worker
    function test_ExpiredAuction() external {
        taskId = create(anAuction(Modes.ENGLISH));
        bid(taskId, alice, 5000);
        vm.warp(start + DURATION);
        market.refundExpired(taskId);
        TaskView memory expected = openedAuction(Modes.ENGLISH);
        (expected.status, expected.escrow, expected.bidCount) = (Status.Expired, 0, 1);
        expectView(expected);
    }

    function claimed() private returns (TaskView memory expected) {
        taskId = createAssigned(evaluated(aClaim()));
        expected = opened(aClaim());
        (expected.status, expected.hasEvaluator) = (Status.Claimed, true);
        (expected.worker, expected.price, expected.stake) = (alice, uint96(REWARD), uint96(STAKE));
    }

    function reviewed() private returns (TaskView memory expected) {
        expected = claimed();
        submit(taskId, alice, "a1");
        (expected.status, expected.deliverable) = (Status.Review, "a1");
        (expected.submissionCount, expected.activeSubmissions) = (1, 1);
    }

    function judged(Verdict verdict) private returns (TaskView memory expected) {
        expected = reviewed();
        evaluate(taskId, verdict, noAwards());
        (expected.status, expected.escrow) = (Status.Appealing, uint96(REWARD - EVALUATOR_FEE));
    }

    function opened(CreateTaskParams memory params) private view returns (TaskView memory expected) {
        (expected.requester, expected.mode, expected.auctionType) = (requester, params.mode, params.auctionType);
        expected.status = Status.Open;
        (expected.reward, expected.escrow) = (uint96(REWARD), uint96(REWARD));
        (expected.feeBps, expected.stakeBps) = (FEE_BPS, params.stakeBps);
        (expected.createdAt, expected.expiryTime) = (start, start + DURATION);
        expected.contentHash = params.contentHash;
    }

    function openedAuction(bytes4 subtype) private view returns (TaskView memory expected) {
        expected = opened(anAuction(subtype));
        expected.bidDeadline = start + DURATION / 2;
    }

    function expectView(TaskView memory expected) private view {
        assertEq(abi.encode(market.getTask(taskId)), abi.encode(expected));
        assertEq(market.roundOf(taskId), expected.round);
    }
}
