// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Kind, Modes} from "../../src/types/Modes.sol";
import {SuffixRule} from "../../src/types/RelayTypes.sol";
import {CreateTaskParams, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

/// @title Deliveries of the one assigned worker: claim, pitch and auctions
contract SubmitWorkAssignedTest is MarketTest {
    bytes32 internal taskId;
    uint40 internal expiry;

    function setUp() public override {
        super.setUp();
        taskId = createAssigned(aClaim());
        expiry = uint40(block.timestamp) + DURATION;
    }

    /// given no worker is assigned: it reverts with WrongStatus in every mode
    function test_RevertGiven_NoWorkerAssigned() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            if (isContest(Kind(i))) continue;
            bytes32 open = create(all[i]);
            expectWrongStatus(Status.Open);
            submit(open, alice, "a1");
        }
    }

    /// given the worker delivered: it reverts with WrongStatus
    function test_RevertGiven_Delivered() external {
        submit(taskId, alice, "a1");
        expectWrongStatus(Status.PendingApproval);
        submit(taskId, alice, "a2");
    }

    /// given the evaluator reviews: it reverts with WrongStatus
    function test_RevertGiven_Review() external {
        taskId = createAssigned(evaluated(aClaim()));
        submit(taskId, alice, "a1");
        expectWrongStatus(Status.Review);
        submit(taskId, alice, "a2");
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        vm.warp(expiry);
        market.refundExpired(taskId);
        expectWrongStatus(Status.Expired);
        submit(taskId, alice, "a1");
    }

    /// when another than the assigned worker delivers: it reverts with NotSelectedWorker in every mode
    function test_RevertWhen_NotAssigned() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            if (isContest(Kind(i))) continue;
            bytes32 assigned = createAssigned(all[i]);
            expectError(ITaskMarket.NotSelectedWorker.selector, bob);
            submit(assigned, bob, "b1");
            expectError(ITaskMarket.NotSelectedWorker.selector, requester);
            submit(assigned, requester, "r1");
        }
    }

    /// when another pitched: it reverts with NotSelectedWorker
    function test_RevertWhen_OnlyPitched() external {
        taskId = create(aPitchTask());
        pitch(taskId, bob);
        pitch(taskId, alice);
        select(taskId, alice);
        expectError(ITaskMarket.NotSelectedWorker.selector, bob);
        submit(taskId, bob, "b1");
    }

    /// when the task has expired: it reverts with DeadlinePassed
    function test_RevertWhen_Expired() external {
        vm.warp(expiry);
        expectError(ITaskMarket.DeadlinePassed.selector, expiry);
        submit(taskId, alice, "a1");
        vm.warp(expiry + 1);
        expectError(ITaskMarket.DeadlinePassed.selector, expiry);
        submit(taskId, alice, "a1");
    }

    /// when in the last second before expiry: it accepts the delivery
    function test_AcceptsInTheLastSecond() external {
        vm.warp(expiry - 1);
        submit(taskId, alice, "a1");
        assertEq(market.getTask(taskId).deliverable, "a1");
    }

    /// when the deliverable is zero: it reverts with ZeroDeliverable
    function test_RevertWhen_ZeroDeliverable() external {
        expectError(ITaskMarket.ZeroDeliverable.selector);
        submit(taskId, alice, 0);
    }

    /// given there is no evaluator: it waits for approval in every mode
    function test_WaitsForApproval() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            if (isContest(Kind(i))) continue;
            bytes32 assigned = createAssigned(all[i]);
            TaskView memory expected = market.getTask(assigned);
            (expected.status, expected.deliverable) = (Status.PendingApproval, "a1");
            (expected.submissionCount, expected.activeSubmissions) = (1, 1);
            submit(assigned, alice, "a1");
            assertEq(abi.encode(market.getTask(assigned)), abi.encode(expected));
        }
    }

    /// given there is no evaluator: it logs the delivery without a deadline
    function test_LogsTheDelivery() external {
        expectLog();
        emit TaskSubmitted(taskId, alice, "a1", 0, Status.PendingApproval, expiry, 0, 1);
        submit(taskId, alice, "a1");
    }

    /// given there is no evaluator: it moves no money and holds the stake
    function test_MovesNoMoney() external {
        submit(taskId, alice, "a1");
        assertEq(usdc.balanceOf(address(market)), REWARD + REWARD / 10);
        assertEq(market.totalEscrow(), REWARD + REWARD / 10);
        assertEq(market.getTask(taskId).stake, REWARD / 10);
    }

    /// given there is no evaluator: it numbers nothing, for there is one delivery
    function test_NumbersNothing() external {
        submit(taskId, alice, "a1");
        (bool exists, uint32 index) = market.submissionIndexOf(taskId, alice, "a1");
        assertFalse(exists);
        assertEq(index, 0);
    }

    /// given there is an evaluator: it goes to review in every mode
    function test_GoesToReview() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            if (isContest(Kind(i))) continue;
            bytes32 assigned = createAssigned(evaluated(all[i]));
            TaskView memory expected = market.getTask(assigned);
            (expected.status, expected.deliverable) = (Status.Review, "a1");
            (expected.submissionCount, expected.activeSubmissions) = (1, 1);
            submit(assigned, alice, "a1");
            assertEq(abi.encode(market.getTask(assigned)), abi.encode(expected));
            assertEq(market.evaluationOf(assigned).phaseDeadline, block.timestamp + 2 hours);
        }
    }

    /// given there is an evaluator: it leaves an expiry after the evaluator's deadline
    function test_LeavesALaterExpiry() external {
        taskId = createAssigned(evaluated(aClaim()));
        vm.warp(expiry - 2 hours - 1);
        expectLog();
        emit TaskSubmitted(taskId, alice, "a1", 0, Status.Review, expiry, expiry - 1, 1);
        submit(taskId, alice, "a1");
        assertEq(market.getTask(taskId).expiryTime, expiry);
    }

    /// given there is an evaluator: it leaves an expiry at the evaluator's deadline
    function test_LeavesAnEqualExpiry() external {
        taskId = createAssigned(evaluated(aClaim()));
        vm.warp(expiry - 2 hours);
        expectLog();
        emit TaskSubmitted(taskId, alice, "a1", 0, Status.Review, expiry, expiry, 1);
        submit(taskId, alice, "a1");
        assertEq(market.getTask(taskId).expiryTime, expiry);
    }

    /// given there is an evaluator: it raises an earlier expiry to the evaluator's deadline
    function test_RaisesAnEarlierExpiry() external {
        taskId = createAssigned(evaluated(aClaim()));
        vm.warp(expiry - 1);
        uint40 deadline = expiry - 1 + 2 hours;
        expectLog();
        emit TaskSubmitted(taskId, alice, "a1", 0, Status.Review, deadline, deadline, 1);
        submit(taskId, alice, "a1");
        assertEq(market.getTask(taskId).expiryTime, deadline);
        assertEq(market.evaluationOf(taskId).phaseDeadline, deadline);
    }

    /// given there is an evaluator: it moves no money
    function test_MovesNoMoneyForAReview() external {
        (uint256 held, uint256 owed) = (usdc.balanceOf(address(market)), market.totalEscrow());
        bytes32 judged = createAssigned(evaluated(anAuction(Modes.REVERSE_DUTCH)));
        submit(judged, alice, "a1");
        // An auction that alice took at its start price, a quarter of the reward.
        assertEq(usdc.balanceOf(address(market)), held + REWARD / 4);
        assertEq(market.totalEscrow(), owed + REWARD / 4);
        assertEq(usdc.balanceOf(evaluator), 0);
    }

    /// given a contest has an evaluator: it stays open and sets no deadline
    function test_ContestStaysOpen() external {
        taskId = create(evaluated(aBounty()));
        expectLog();
        emit TaskSubmitted(taskId, alice, "a1", 0, Status.Open, expiry, 0, 1);
        submit(taskId, alice, "a1");
        assertEq(uint8(market.getTask(taskId).status), uint8(Status.Open));
        assertEq(market.evaluationOf(taskId).phaseDeadline, 0);
    }

    /// given a contest has an evaluator: it reverts with CannotEnter for evaluator and resolver
    function test_RevertWhen_JudgeSubmits() external {
        taskId = create(evaluated(aBounty()));
        expectError(ITaskMarket.CannotEnter.selector, evaluator);
        submit(taskId, evaluator, "e1");
        expectError(ITaskMarket.CannotEnter.selector, resolver);
        submit(taskId, resolver, "e1");
    }

    /// given a contest's evaluator cannot be appealed from: it reverts with CannotEnter for the evaluator only
    function test_RevertWhen_LoneJudgeSubmits() external {
        CreateTaskParams memory params = evaluated(aBounty());
        params.evaluation.resolver = address(0);
        taskId = create(params);
        expectError(ITaskMarket.CannotEnter.selector, evaluator);
        submit(taskId, evaluator, "e1");
        submit(taskId, resolver, "r1");
        assertEq(market.entryOf(taskId, resolver).active, 1);
    }

    /// given entries are paused: it accepts the delivery
    function test_AcceptsWhilePaused() external {
        pauseEntries();
        submit(taskId, alice, "a1");
        assertEq(market.getTask(taskId).deliverable, "a1");
    }

    /// when relayed with the worker's signature: it delivers for the signer, over the content too
    function test_DeliversForTheSigner() external {
        allow(address(market), ITaskMarket.submitWork.selector, 4, SuffixRule.Content, "submit");
        bytes memory data = abi.encodeCall(market.submitWork, (taskId, "a1"));
        expectError(ITaskMarket.NotSelectedWorker.selector, bob);
        relaySigned(bobKey, "submit", taskId, ":key1,key2", data);
        relaySigned(aliceKey, "submit", taskId, ":key1,key2", data);
        assertEq(market.getTask(taskId).deliverable, "a1");
    }

    function isContest(Kind kind) private pure returns (bool) {
        return kind == Kind.Bounty || kind == Kind.Benchmark;
    }
}
