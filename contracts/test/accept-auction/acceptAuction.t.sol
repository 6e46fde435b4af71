// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, ReturnReason, SelectionKind, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract AcceptAuctionTest is MarketTest {
    /// @dev Floor of the dutch, start of the reverse dutch auction.
    uint256 internal constant OTHER = REWARD / 4;
    /// @dev Fall of the price within one second, of 7 500 000 in 43 200 seconds: 173.6, rounded down.
    uint256 internal constant FIRST_STEP = 173;

    bytes32 internal dutch;
    bytes32 internal reverseDutch;
    uint256 internal deadline;
    uint256 internal expiry;

    function setUp() public override {
        super.setUp();
        dutch = create(anAuction(Modes.DUTCH));
        reverseDutch = create(anAuction(Modes.REVERSE_DUTCH));
        (deadline, expiry) = (block.timestamp + DURATION / 2, block.timestamp + DURATION);
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        expectTaskNotFound("none");
        acceptAt("none", alice, 0);
    }

    /// when the task is no auction: it reverts with WrongMode, which names the mode
    function test_RevertWhen_NoAuction() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < 4; i++) {
            bytes32 other = create(all[i]);
            expectWrongMode(all[i].mode);
            acceptAt(other, alice, 0);
        }
    }

    /// when bids decide: it reverts with WrongMode, which names the subtype
    function test_RevertWhen_Bids() external {
        bytes32 english = create(anAuction(Modes.ENGLISH));
        expectWrongMode(Modes.ENGLISH);
        acceptAt(english, alice, 0);
        bytes32 reverseEnglish = create(anAuction(Modes.REVERSE_ENGLISH));
        expectWrongMode(Modes.REVERSE_ENGLISH);
        acceptAt(reverseEnglish, alice, 0);
    }

    /// given an account accepted: it reverts with WrongStatus
    function test_RevertGiven_Accepted() external {
        acceptAt(dutch, alice, 0);
        expectWrongStatus(Status.Claimed);
        acceptAt(dutch, bob, 0);
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        cancel(dutch);
        expectWrongStatus(Status.Cancelled);
        acceptAt(dutch, alice, 0);
    }

    /// given entries are paused: it reverts with EntriesPaused
    function test_RevertGiven_Paused() external {
        pauseEntries();
        expectError(ITaskMarket.EntriesPaused.selector);
        acceptAt(dutch, alice, 0);
    }

    /// when the task has expired: it reverts with DeadlinePassed
    function test_RevertWhen_Expired() external {
        vm.warp(expiry);
        expectError(ITaskMarket.DeadlinePassed.selector, expiry);
        acceptAt(dutch, alice, 0);
        vm.warp(expiry + 1);
        expectError(ITaskMarket.DeadlinePassed.selector, expiry);
        acceptAt(reverseDutch, alice, 0);
    }

    /// when the evaluator or the resolver accepts: it reverts with CannotEnter
    function test_RevertWhen_JudgeAccepts() external {
        bytes32 judged = create(evaluated(anAuction(Modes.DUTCH)));
        expectError(ITaskMarket.CannotEnter.selector, evaluator);
        acceptAt(judged, evaluator, 0);
        expectError(ITaskMarket.CannotEnter.selector, resolver);
        acceptAt(judged, resolver, 0);
        acceptAt(judged, alice, 0);
        assertEq(market.getTask(judged).worker, alice);
    }

    /// when the price is below the minimum: it reverts with PriceBelowMinimum
    function test_RevertWhen_BelowMinimum() external {
        vm.warp(block.timestamp + 1);
        expectError(ITaskMarket.PriceBelowMinimum.selector, REWARD - FIRST_STEP, REWARD - FIRST_STEP + 1);
        acceptAt(dutch, alice, REWARD - FIRST_STEP + 1);
        expectError(ITaskMarket.PriceBelowMinimum.selector, OTHER + FIRST_STEP, OTHER + FIRST_STEP + 1);
        acceptAt(reverseDutch, alice, OTHER + FIRST_STEP + 1);
    }

    /// when the price is the minimum: it assigns at the price
    function test_AssignsAtTheMinimum() external {
        vm.warp(block.timestamp + 1);
        acceptAt(dutch, alice, REWARD - FIRST_STEP);
        acceptAt(reverseDutch, bob, OTHER + FIRST_STEP);
        assertEq(market.getTask(dutch).price, REWARD - FIRST_STEP);
        assertEq(market.getTask(reverseDutch).price, OTHER + FIRST_STEP);
    }

    /// when a dutch auction is accepted: it costs the reward at creation
    function test_DutchAtCreation() external {
        expectPrice(dutch, block.timestamp, REWARD);
    }

    /// when a dutch auction is accepted: it costs the middle at half time
    function test_DutchAtHalfTime() external {
        expectPrice(dutch, block.timestamp + DURATION / 4, (REWARD + OTHER) / 2);
    }

    /// when a dutch auction is accepted: it costs a step more than the floor a second before the deadline
    function test_DutchBeforeTheDeadline() external {
        expectPrice(dutch, deadline - 1, OTHER + FIRST_STEP + 1);
    }

    /// when a dutch auction is accepted: it costs the floor from the deadline until expiry
    function test_DutchFromTheDeadline() external {
        (bytes32 second, bytes32 third) = (create(anAuction(Modes.DUTCH)), create(anAuction(Modes.DUTCH)));
        expectPrice(dutch, deadline, OTHER);
        expectPrice(second, deadline + 1, OTHER);
        expectPrice(third, expiry - 1, OTHER);
    }

    /// when a reverse dutch auction is accepted: it costs the start price at creation
    function test_ReverseDutchAtCreation() external {
        expectPrice(reverseDutch, block.timestamp, OTHER);
    }

    /// when a reverse dutch auction is accepted: it costs the middle at half time
    function test_ReverseDutchAtHalfTime() external {
        expectPrice(reverseDutch, block.timestamp + DURATION / 4, (REWARD + OTHER) / 2);
    }

    /// when a reverse dutch auction is accepted: it costs a step less than the reward a second before the deadline
    function test_ReverseDutchBeforeTheDeadline() external {
        expectPrice(reverseDutch, deadline - 1, REWARD - FIRST_STEP - 1);
    }

    /// when a reverse dutch auction is accepted: it costs the reward from the deadline until expiry
    function test_ReverseDutchFromTheDeadline() external {
        bytes4 subtype = Modes.REVERSE_DUTCH;
        (bytes32 second, bytes32 third) = (create(anAuction(subtype)), create(anAuction(subtype)));
        expectPrice(reverseDutch, deadline, REWARD);
        expectPrice(second, deadline + 1, REWARD);
        expectPrice(third, expiry - 1, REWARD);
    }

    /// when the price is below the reward: it assigns and keeps the price in escrow
    function test_Assigns() external {
        vm.warp(deadline);
        acceptAt(dutch, alice, 0);
        TaskView memory task = market.getTask(dutch);
        assertEq(uint8(task.status), uint8(Status.Claimed));
        assertEq(task.worker, alice);
        assertEq(task.price, OTHER);
        assertEq(task.escrow, OTHER);
        assertEq(task.reward, REWARD);
        assertEq(task.stake, 0);
    }

    /// when the price is below the reward: it returns the surplus to the requester
    function test_ReturnsTheSurplus() external {
        vm.warp(deadline);
        uint256 before = usdc.balanceOf(requester);
        acceptAt(dutch, alice, 0);
        assertEq(usdc.balanceOf(requester), before + REWARD - OTHER);
        assertEq(usdc.balanceOf(address(market)), REWARD + OTHER);
        assertEq(market.totalEscrow(), REWARD + OTHER);
    }

    /// when the price is below the reward: it logs assignment and surplus
    function test_Logs() external {
        expectLog();
        emit TaskWorkerSelected(reverseDutch, alice, SelectionKind.ClockPrice, uint96(OTHER), 0);
        expectLog();
        emit EscrowReturned(reverseDutch, requester, uint96(REWARD - OTHER), ReturnReason.AuctionSurplus);
        acceptAt(reverseDutch, alice, 0);
    }

    /// when any terms are accepted at any time: it parts the reward into price and surplus
    function testFuzz_PartsTheReward(bool falls, uint256 reward, uint256 other, uint256 window, uint256 wait) external {
        CreateTaskParams memory params = anAuction(falls ? Modes.DUTCH : Modes.REVERSE_DUTCH);
        params.reward = uint96(bound(reward, 1000, 1_000_000e6 - 2 * REWARD));
        params.clockPrice = uint96(bound(other, 1, params.reward));
        params.bidDuration = uint40(bound(window, 1, DURATION));
        uint256 before = usdc.balanceOf(requester);
        bytes32 taskId = create(params);
        vm.warp(block.timestamp + bound(wait, 0, DURATION - 1));
        uint256 price = market.clockPriceOf(taskId);
        acceptAt(taskId, alice, price);
        assertGe(price, params.clockPrice);
        assertLe(price, params.reward);
        assertEq(market.getTask(taskId).price, price);
        assertEq(market.getTask(taskId).escrow, price);
        assertEq(usdc.balanceOf(requester), before - price);
        assertEq(market.totalEscrow(), 2 * REWARD + price);
        assertEq(usdc.balanceOf(address(market)), 2 * REWARD + price);
    }

    /// when the price is the reward: it returns nothing
    function test_ReturnsNothing() external {
        uint256 before = usdc.balanceOf(requester);
        vm.recordLogs();
        acceptAt(dutch, alice, REWARD);
        assertEq(countLogs(EscrowReturned.selector), 0);
        assertEq(usdc.balanceOf(requester), before);
        assertEq(market.getTask(dutch).escrow, REWARD);
        assertEq(market.totalEscrow(), 2 * REWARD);
    }

    /// given the requester cannot receive: it assigns and credits the surplus
    function test_CreditsTheSurplus() external {
        usdc.blacklist(requester);
        expectLog();
        emit TaskWorkerSelected(reverseDutch, alice, SelectionKind.ClockPrice, uint96(OTHER), 0);
        expectLog();
        emit PayoutDeferred(requester, reverseDutch, uint96(REWARD - OTHER));
        expectLog();
        emit EscrowReturned(reverseDutch, requester, uint96(REWARD - OTHER), ReturnReason.AuctionSurplus);
        acceptAt(reverseDutch, alice, 0);
        assertEq(market.creditOf(requester), REWARD - OTHER);
        assertEq(market.getTask(reverseDutch).escrow, OTHER);
        assertEq(market.totalEscrow(), 2 * REWARD);
        assertEq(usdc.balanceOf(address(market)), 2 * REWARD);
    }

    /// when the requester accepts: it reverts with OwnAuction
    function test_RevertWhen_TheRequesterAccepts() external {
        expectError(ITaskMarket.OwnAuction.selector, requester);
        acceptAt(dutch, requester, 0);
        expectError(ITaskMarket.OwnAuction.selector, requester);
        acceptAt(reverseDutch, requester, 0);
    }

    /// when the work is accepted: it pays the price less the platform's part
    function test_PaysThePrice() external {
        acceptAt(reverseDutch, alice, 0);
        submit(reverseDutch, alice, "a1");
        accept(reverseDutch, alice, "a1");
        uint256 fee = OTHER * FEE_BPS / 10_000;
        assertEq(usdc.balanceOf(alice), OTHER - fee);
        assertEq(usdc.balanceOf(feeRecipient), fee);
        assertEq(market.totalEscrow(), REWARD);
        assertEq(usdc.balanceOf(address(market)), REWARD);
    }

    /// when relayed with a payment: it assigns the payer
    function test_AssignsThePayer() external {
        allowPaid(ITaskMarket.acceptAuction.selector);
        usdc.mint(alice, 1000);
        relayPaid(aliceKey, 1000, 0, abi.encodeCall(market.acceptAuction, (dutch, uint96(REWARD))));
        assertEq(market.getTask(dutch).worker, alice);
        assertEq(forwarder.fees(), 1000);
    }

    function acceptAt(bytes32 taskId, address worker, uint256 minPrice) private {
        vm.prank(worker);
        market.acceptAuction(taskId, uint96(minPrice));
    }

    function expectPrice(bytes32 taskId, uint256 time, uint256 price) private {
        vm.warp(time);
        assertEq(market.clockPriceOf(taskId), price);
        expectLog();
        emit TaskWorkerSelected(taskId, alice, SelectionKind.ClockPrice, uint96(price), 0);
        acceptAt(taskId, alice, price);
    }
}
