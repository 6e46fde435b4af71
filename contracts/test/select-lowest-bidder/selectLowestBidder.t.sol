// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {SuffixRule} from "../../src/types/RelayTypes.sol";
import {CreateTaskParams, ReturnReason, SelectionKind, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract SelectLowestBidderTest is MarketTest {
    uint256 internal constant PRICE = 4_000_001;

    bytes32 internal taskId;
    uint256 internal deadline;
    uint256 internal expiry;

    function setUp() public override {
        super.setUp();
        taskId = create(anAuction(Modes.ENGLISH));
        (deadline, expiry) = (block.timestamp + DURATION / 2, block.timestamp + DURATION);
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        expectTaskNotFound("none");
        market.selectLowestBidder("none");
    }

    /// when the task is no auction: it reverts with WrongMode, which names the mode
    function test_RevertWhen_NoAuction() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < 4; i++) {
            bytes32 other = create(all[i]);
            expectWrongMode(all[i].mode);
            market.selectLowestBidder(other);
        }
    }

    /// when the price follows the clock: it reverts with WrongMode, which names the subtype
    function test_RevertWhen_Clock() external {
        bytes32 dutch = create(anAuction(Modes.DUTCH));
        expectWrongMode(Modes.DUTCH);
        market.selectLowestBidder(dutch);
        bytes32 reverseDutch = create(anAuction(Modes.REVERSE_DUTCH));
        expectWrongMode(Modes.REVERSE_DUTCH);
        market.selectLowestBidder(reverseDutch);
    }

    /// given the winner is selected: it reverts with WrongStatus
    function test_RevertGiven_Selected() external {
        bidAndClose();
        market.selectLowestBidder(taskId);
        expectWrongStatus(Status.Claimed);
        market.selectLowestBidder(taskId);
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        bid(taskId, alice, PRICE);
        vm.warp(expiry);
        market.refundExpired(taskId);
        expectWrongStatus(Status.Expired);
        market.selectLowestBidder(taskId);
    }

    /// given no account bid: it reverts with NoBids
    function test_RevertGiven_NoBids() external {
        vm.warp(deadline);
        expectError(ITaskMarket.NoBids.selector);
        market.selectLowestBidder(taskId);
    }

    /// when bids may still come: it reverts with DeadlineNotReached
    function test_RevertWhen_BeforeTheDeadline() external {
        bid(taskId, alice, PRICE);
        vm.warp(deadline - 1);
        expectError(ITaskMarket.DeadlineNotReached.selector, deadline);
        market.selectLowestBidder(taskId);
    }

    /// when the task has expired: it reverts with DeadlinePassed
    function test_RevertWhen_Expired() external {
        bid(taskId, alice, PRICE);
        vm.warp(expiry);
        expectError(ITaskMarket.DeadlinePassed.selector, expiry);
        market.selectLowestBidder(taskId);
        vm.warp(expiry + 1);
        expectError(ITaskMarket.DeadlinePassed.selector, expiry);
        market.selectLowestBidder(taskId);
    }

    /// when in the last second before expiry: it assigns the lowest bidder
    function test_AssignsInTheLastSecond() external {
        bid(taskId, alice, PRICE);
        vm.warp(expiry - 1);
        market.selectLowestBidder(taskId);
        assertEq(market.getTask(taskId).worker, alice);
    }

    /// when any account calls at the bid deadline: it assigns the lowest bidder at the bid
    function test_Assigns() external {
        bid(taskId, bob, PRICE + 1);
        bidAndClose();
        vm.prank(stranger);
        market.selectLowestBidder(taskId);
        TaskView memory task = market.getTask(taskId);
        assertEq(uint8(task.status), uint8(Status.Claimed));
        assertEq(task.worker, alice);
        assertEq(task.price, PRICE);
        assertEq(task.escrow, PRICE);
        assertEq(task.reward, REWARD);
        assertEq(task.stake, 0);
        assertEq(task.bidCount, 2);
    }

    /// when any account calls at the bid deadline: it returns the surplus to the requester
    function test_ReturnsTheSurplus() external {
        bidAndClose();
        uint256 before = usdc.balanceOf(requester);
        market.selectLowestBidder(taskId);
        assertEq(usdc.balanceOf(requester), before + REWARD - PRICE);
        assertEq(usdc.balanceOf(address(market)), PRICE);
        assertEq(market.totalEscrow(), PRICE);
    }

    /// when any account calls at the bid deadline: it logs assignment and surplus
    function test_Logs() external {
        bidAndClose();
        expectLog();
        emit TaskWorkerSelected(taskId, alice, SelectionKind.Bid, uint96(PRICE), 0);
        expectLog();
        emit EscrowReturned(taskId, requester, uint96(REWARD - PRICE), ReturnReason.AuctionSurplus);
        market.selectLowestBidder(taskId);
    }

    /// when the lowest bid is the reward: it returns nothing
    function test_ReturnsNothing() external {
        bid(taskId, alice, REWARD);
        vm.warp(deadline);
        uint256 before = usdc.balanceOf(requester);
        vm.recordLogs();
        market.selectLowestBidder(taskId);
        assertEq(countLogs(EscrowReturned.selector), 0);
        assertEq(usdc.balanceOf(requester), before);
        assertEq(market.getTask(taskId).escrow, REWARD);
        assertEq(market.totalEscrow(), REWARD);
    }

    /// when reverse english bids are equal: it assigns the earlier bidder
    function test_AssignsTheEarlier() external {
        taskId = create(anAuction(Modes.REVERSE_ENGLISH));
        bid(taskId, bob, PRICE + 1);
        bid(taskId, alice, PRICE);
        bid(taskId, bob, PRICE);
        vm.warp(deadline);
        market.selectLowestBidder(taskId);
        assertEq(market.getTask(taskId).worker, alice);
        assertEq(market.getTask(taskId).price, PRICE);
    }

    /// when a worker lowered a reverse english bid: it assigns at the last bid
    function test_AssignsAtTheLastBid() external {
        taskId = create(anAuction(Modes.REVERSE_ENGLISH));
        bid(taskId, bob, PRICE + 2);
        bid(taskId, alice, PRICE + 1);
        bid(taskId, bob, PRICE);
        vm.warp(deadline);
        expectLog();
        emit TaskWorkerSelected(taskId, bob, SelectionKind.Bid, uint96(PRICE), 0);
        market.selectLowestBidder(taskId);
        assertEq(market.totalEscrow(), REWARD + PRICE);
    }

    /// given the requester cannot receive: it assigns and credits the surplus
    function test_CreditsTheSurplus() external {
        bidAndClose();
        usdc.blacklist(requester);
        expectLog();
        emit TaskWorkerSelected(taskId, alice, SelectionKind.Bid, uint96(PRICE), 0);
        expectLog();
        emit PayoutDeferred(requester, taskId, uint96(REWARD - PRICE));
        expectLog();
        emit EscrowReturned(taskId, requester, uint96(REWARD - PRICE), ReturnReason.AuctionSurplus);
        market.selectLowestBidder(taskId);
        assertEq(market.creditOf(requester), REWARD - PRICE);
        assertEq(market.getTask(taskId).escrow, PRICE);
        assertEq(market.totalEscrow(), REWARD);
        assertEq(usdc.balanceOf(address(market)), REWARD);
    }

    /// given entries are paused: it assigns the lowest bidder
    function test_AssignsWhilePaused() external {
        bidAndClose();
        pauseEntries();
        market.selectLowestBidder(taskId);
        assertEq(market.getTask(taskId).worker, alice);
    }

    /// when the work is accepted: it pays the bid less the platform's part
    function test_PaysTheBid() external {
        bidAndClose();
        market.selectLowestBidder(taskId);
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
        // floor(4 000 001 * 750 / 10 000) = 300 000
        assertEq(usdc.balanceOf(alice), PRICE - 300_000);
        assertEq(usdc.balanceOf(feeRecipient), 300_000);
        assertEq(market.totalEscrow(), 0);
        assertEq(usdc.balanceOf(address(market)), 0);
    }

    /// when relayed in the name of no account: it assigns the lowest bidder
    function test_RelaysInTheNameOfNoAccount() external {
        allow(address(market), ITaskMarket.selectLowestBidder.selector, 8, SuffixRule.None, "");
        bidAndClose();
        bytes32 intentId = nextIntent();
        vm.prank(relayer);
        forwarder.relayOpen(intentId, address(market), abi.encodeCall(market.selectLowestBidder, (taskId)));
        assertEq(market.getTask(taskId).worker, alice);
        assertEq(usdc.balanceOf(address(forwarder)), 0);
    }

    function bidAndClose() private {
        bid(taskId, alice, PRICE);
        vm.warp(deadline);
    }
}
