// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../src/types/Modes.sol";
import {EntryView, RateParams, Verdict} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

/// @title The whole of `entryOf` for each account that acted in a task
contract EntryViewsTest is MarketTest {
    bytes32 internal taskId;
    EntryView internal expected;

    /// given no account entered: it is all zero, also where there is no task
    function test_NoEntry() external {
        taskId = createBounty();
        expectEntry(alice);
        taskId = "none";
        expectEntry(alice);
        expectEntry(address(0));
    }

    /// given submissions in a contest: it counts those of the worker
    function test_Submissions() external {
        taskId = createBounty();
        submit(taskId, alice, "a1");
        submit(taskId, alice, "a2");
        submit(taskId, bob, "b1");
        (expected.submissions, expected.active) = (2, 2);
        expectEntry(alice);
        (expected.submissions, expected.active) = (1, 1);
        expectEntry(bob);
    }

    /// given a rejection: it shows it, and no active submission
    function test_Rejected() external {
        taskId = createBounty();
        submit(taskId, alice, "a1");
        submit(taskId, alice, "a2");
        reject(taskId, alice);
        (expected.submissions, expected.rejected) = (2, true);
        expectEntry(alice);
    }

    /// given an award of a contest: it shows it to its winner only, and then the rating
    function test_Awarded() external {
        taskId = createBounty();
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
        accept(taskId, alice, "a1");
        (expected.submissions, expected.active) = (1, 1);
        expectEntry(bob);
        expected.awarded = true;
        expectEntry(alice);
        rate(alice);
        expected.rated = true;
        expectEntry(alice);
    }

    /// given a pitch: it shows it, and what the selected worker did beside it
    function test_Pitched() external {
        taskId = create(aPitchTask());
        pitch(taskId, alice);
        pitch(taskId, bob);
        expected.pitched = true;
        expectEntry(alice);
        select(taskId, alice);
        expectEntry(alice);
        submit(taskId, alice, "a1");
        expectEntry(bob);
        (expected.submissions, expected.active) = (1, 1);
        expectEntry(alice);
    }

    /// given bids: it shows the last of the worker, also after the auction
    function test_Bid() external {
        taskId = create(anAuction(Modes.REVERSE_ENGLISH));
        bid(taskId, alice, 5000);
        bid(taskId, bob, 4500);
        bid(taskId, alice, 4000);
        vm.warp(block.timestamp + DURATION / 2);
        market.selectLowestBidder(taskId);
        submit(taskId, alice, "a1");
        expected.bid = 4500;
        expectEntry(bob);
        (expected.bid, expected.submissions, expected.active) = (4000, 1, 1);
        expectEntry(alice);
    }

    /// given an assigned worker: it shows the delivery, the award and the rating as they come
    function test_AssignedWorker() external {
        taskId = createAssigned(aClaim());
        expectEntry(alice);
        submit(taskId, alice, "a1");
        (expected.submissions, expected.active) = (1, 1);
        expectEntry(alice);
        accept(taskId, alice, "a1");
        expected.awarded = true;
        expectEntry(alice);
        rate(alice);
        expected.rated = true;
        expectEntry(alice);
        delete expected;
        expectEntry(bob);
    }

    /// given the evaluator rejected the delivery: it shows the delivery and no award
    function test_NotAwarded() external {
        taskId = createAssigned(evaluated(aClaim()));
        submit(taskId, alice, "a1");
        evaluate(taskId, Verdict.Reject, noAwards());
        vm.warp(block.timestamp + 1 hours);
        market.finalizeVerdict(taskId);
        (expected.submissions, expected.active) = (1, 1);
        expectEntry(alice);
    }

    /// given the assigned worker delivered nothing: it shows nothing after the end
    function test_Undelivered() external {
        taskId = createAssigned(aClaim());
        vm.warp(block.timestamp + DURATION);
        market.refundExpired(taskId);
        expectEntry(alice);
    }

    function rate(address worker) private {
        RateParams memory params;
        (params.taskId, params.worker, params.rating) = (taskId, worker, 80);
        vm.prank(requester);
        market.rateTask(params);
    }

    function expectEntry(address worker) private view {
        assertEq(abi.encode(market.entryOf(taskId, worker)), abi.encode(expected));
    }
}
