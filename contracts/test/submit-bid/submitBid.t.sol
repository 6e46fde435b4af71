// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, EntryView, Status, TaskView} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract SubmitBidTest is MarketTest {
    bytes32 internal english;
    bytes32 internal sealed_;

    function setUp() public override {
        super.setUp();
        english = create(anAuction(Modes.ENGLISH));
        sealed_ = create(anAuction(Modes.REVERSE_ENGLISH));
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        expectTaskNotFound("none");
        bid("none", alice, 1000);
    }

    /// when the task is no auction: it reverts with WrongMode, which names the mode
    function test_RevertWhen_NoAuction() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < 4; i++) {
            bytes32 other = create(all[i]);
            expectWrongMode(all[i].mode);
            bid(other, alice, 1000);
        }
    }

    /// when the price follows the clock: it reverts with WrongMode, which names the subtype
    function test_RevertWhen_Clock() external {
        bytes32 dutch = create(anAuction(Modes.DUTCH));
        expectWrongMode(Modes.DUTCH);
        bid(dutch, alice, 1000);
        bytes32 reverseDutch = create(anAuction(Modes.REVERSE_DUTCH));
        expectWrongMode(Modes.REVERSE_DUTCH);
        bid(reverseDutch, alice, 1000);
    }

    /// given the winner is selected: it reverts with WrongStatus
    function test_RevertGiven_Selected() external {
        bytes32 taskId = createAssigned(anAuction(Modes.ENGLISH));
        expectWrongStatus(Status.Claimed);
        bid(taskId, bob, 1000);
    }

    /// given the task has ended: it reverts with WrongStatus
    function test_RevertGiven_Ended() external {
        cancel(english);
        expectWrongStatus(Status.Cancelled);
        bid(english, alice, 1000);
    }

    /// given entries are paused: it reverts with EntriesPaused
    function test_RevertGiven_Paused() external {
        bid(english, alice, 1001);
        pauseEntries();
        expectError(ITaskMarket.EntriesPaused.selector);
        bid(english, alice, 1000);
    }

    /// when the bid deadline is reached: it reverts with DeadlinePassed
    function test_RevertWhen_DeadlineReached() external {
        uint256 deadline = block.timestamp + DURATION / 2;
        vm.warp(deadline);
        expectError(ITaskMarket.DeadlinePassed.selector, deadline);
        bid(english, alice, 1000);
        vm.warp(deadline + 1);
        expectError(ITaskMarket.DeadlinePassed.selector, deadline);
        bid(sealed_, alice, 1000);
    }

    /// when in the last second before the bid deadline: it accepts the bid
    function test_AcceptsInTheLastSecond() external {
        vm.warp(block.timestamp + DURATION / 2 - 1);
        bid(english, alice, 1000);
        bid(sealed_, alice, 1000);
        assertEq(market.getTask(english).bidCount, 1);
        assertEq(market.getTask(sealed_).bidCount, 1);
    }

    /// when the evaluator or the resolver bids: it reverts with CannotEnter
    function test_RevertWhen_JudgeBids() external {
        bytes32 judged = create(evaluated(anAuction(Modes.ENGLISH)));
        expectError(ITaskMarket.CannotEnter.selector, evaluator);
        bid(judged, evaluator, 1000);
        expectError(ITaskMarket.CannotEnter.selector, resolver);
        bid(judged, resolver, 1000);
        bid(judged, alice, 1000);
        assertEq(market.getTask(judged).bidCount, 1);
    }

    /// given 500 bids: when a bid does not lead: it reverts with BidLimitReached in both subtypes
    function test_RevertWhen_BidLimitReached() external {
        place500(english);
        place500(sealed_);
        expectError(ITaskMarket.BidNotLower.selector, REWARD - 499, REWARD - 499);
        bid(english, bob, REWARD - 499);
        expectError(ITaskMarket.BidLimitReached.selector, 500);
        bid(sealed_, bob, REWARD - 499);
        assertEq(market.entryOf(sealed_, bob).bid, 0);
    }

    /// given 500 bids: when a bid leads: it is taken in both subtypes
    function test_TakesALeadingBidBeyondTheLimit() external {
        place500(english);
        place500(sealed_);
        bid(english, bob, REWARD - 500);
        bid(sealed_, bob, REWARD - 500);
        expectLowest(english, bob, REWARD - 500);
        expectLowest(sealed_, bob, REWARD - 500);
        assertEq(market.getTask(english).bidCount, 501);
        expectLog();
        emit BidSubmitted(english, alice, 1000, 502);
        bid(english, alice, 1000);
    }

    /// given 65535 bids: it takes a leading bid and counts no further
    function test_StopsCounting() external {
        bid(english, alice, 20_000);
        setBidCount(english, type(uint16).max);
        expectLog();
        emit BidSubmitted(english, bob, 10_000, type(uint16).max);
        bid(english, bob, 10_000);
        expectLowest(english, bob, 10_000);
    }

    /// when the price is below 1000 base units: it reverts with BidTooLow
    function test_RevertWhen_PriceTooLow() external {
        uint96[3] memory prices = [uint96(0), 1, 999];
        for (uint256 i; i < prices.length; i++) {
            expectError(ITaskMarket.BidTooLow.selector, prices[i], 1000);
            bid(english, alice, prices[i]);
            expectError(ITaskMarket.BidTooLow.selector, prices[i], 1000);
            bid(sealed_, alice, prices[i]);
        }
    }

    /// when the price exceeds the reward: it reverts with BidTooHigh
    function test_RevertWhen_PriceAboveReward() external {
        expectError(ITaskMarket.BidTooHigh.selector, REWARD + 1, REWARD);
        bid(english, alice, REWARD + 1);
        expectError(ITaskMarket.BidTooHigh.selector, REWARD + 1, REWARD);
        bid(sealed_, alice, REWARD + 1);
    }

    /// when the price is at its bounds: it accepts the reward and 1000 base units
    function test_AcceptsBounds() external {
        bid(english, alice, REWARD);
        expectLowest(english, alice, REWARD);
        bid(english, alice, 1000);
        expectLowest(english, alice, 1000);
    }

    /// when an english bid equals the lowest: it reverts with BidNotLower
    function test_RevertWhen_EnglishEqual() external {
        bid(english, alice, 10_000);
        expectError(ITaskMarket.BidNotLower.selector, 10_000, 10_000);
        bid(english, bob, 10_000);
    }

    /// when an english bid is above the lowest: it reverts with BidNotLower, also below the worker's own
    function test_RevertWhen_EnglishAboveTheLowest() external {
        bid(english, alice, 10_000);
        bid(english, bob, 9800);
        expectError(ITaskMarket.BidNotLower.selector, 9801, 9800);
        bid(english, alice, 9801);
    }

    /// when the lowest english bidder repeats its price: it reverts with BidNotLower
    function test_RevertWhen_EnglishRepeats() external {
        bid(english, alice, 10_000);
        expectError(ITaskMarket.BidNotLower.selector, 10_000, 10_000);
        bid(english, alice, 10_000);
    }

    /// when an english bid is lower by one: it takes the lead
    function test_EnglishTakesTheLead() external {
        bid(english, alice, 10_000);
        bid(english, bob, 9999);
        expectLowest(english, bob, 9999);
        bid(english, bob, 9998);
        expectLowest(english, bob, 9998);
        assertEq(market.entryOf(english, alice).bid, 10_000);
        assertEq(market.entryOf(english, bob).bid, 9998);
    }

    /// when a reverse english bid equals the worker's own: it reverts with BidNotLower
    function test_RevertWhen_SealedEqualsOwn() external {
        bid(sealed_, alice, 10_000);
        expectError(ITaskMarket.BidNotLower.selector, 10_000, 10_000);
        bid(sealed_, alice, 10_000);
    }

    /// when a reverse english bid is above the worker's own: it reverts with BidNotLower
    function test_RevertWhen_SealedAboveOwn() external {
        bid(sealed_, alice, 10_000);
        bid(sealed_, bob, 10_400);
        expectError(ITaskMarket.BidNotLower.selector, 10_001, 10_000);
        bid(sealed_, alice, 10_001);
        expectError(ITaskMarket.BidNotLower.selector, 10_401, 10_400);
        bid(sealed_, bob, 10_401);
    }

    /// when a reverse english bid is above another's: it accepts the bid without giving it the lead
    function test_SealedAboveAnother() external {
        bid(sealed_, alice, 10_000);
        bid(sealed_, bob, 10_001);
        expectLowest(sealed_, alice, 10_000);
        assertEq(market.entryOf(sealed_, bob).bid, 10_001);
        assertEq(market.getTask(sealed_).bidCount, 2);
    }

    /// when a reverse english bid equals another's: it accepts the bid and leaves the lead to the earlier
    function test_SealedEqualsAnother() external {
        bid(sealed_, alice, 10_000);
        bid(sealed_, bob, 10_100);
        bid(sealed_, bob, 10_000);
        expectLowest(sealed_, alice, 10_000);
        assertEq(market.entryOf(sealed_, bob).bid, 10_000);
    }

    /// when a reverse english bid is the lowest: it takes the lead
    function test_SealedTakesTheLead() external {
        bid(sealed_, alice, 10_000);
        bid(sealed_, bob, 10_100);
        bid(sealed_, bob, 9999);
        expectLowest(sealed_, bob, 9999);
    }

    /// when a bid is accepted: it stores the bid and leaves the task open to its reward
    function test_Stores() external {
        bid(english, alice, 10_000);
        EntryView memory entry;
        entry.bid = 10_000;
        assertEq(abi.encode(market.entryOf(english, alice)), abi.encode(entry));
        TaskView memory task = market.getTask(english);
        assertEq(uint8(task.status), uint8(Status.Open));
        assertEq(task.worker, address(0));
        assertEq(task.price, 0);
        assertEq(task.reward, REWARD);
        assertEq(task.bidCount, 1);
    }

    /// when a bid is accepted: it logs every bid with their number so far
    function test_Logs() external {
        expectLog();
        emit BidSubmitted(english, alice, 10_000, 1);
        bid(english, alice, 10_000);
        expectLog();
        emit BidSubmitted(english, bob, 9900, 2);
        bid(english, bob, 9900);
        expectLog();
        emit BidSubmitted(english, alice, 9800, 3);
        bid(english, alice, 9800);
        expectLog();
        emit BidSubmitted(sealed_, alice, 10_000, 1);
        bid(sealed_, alice, 10_000);
    }

    /// when a bid is accepted: it moves no money
    function test_MovesNoMoney() external {
        bid(english, alice, 10_000);
        assertEq(usdc.balanceOf(address(market)), 2 * REWARD);
        assertEq(market.totalEscrow(), 2 * REWARD);
        assertEq(market.getTask(english).escrow, REWARD);
    }

    /// when the requester bids: it reverts with OwnAuction
    function test_RevertWhen_TheRequesterBids() external {
        expectError(ITaskMarket.OwnAuction.selector, requester);
        bid(english, requester, 5000);
        expectError(ITaskMarket.OwnAuction.selector, requester);
        bid(sealed_, requester, 5000);
        assertEq(market.getTask(english).bidCount, 0);
    }

    /// when any bids come: it keeps the lowest english one, refusing every other
    function testFuzz_English(uint256[16] memory prices, uint256 seed) external {
        (address leader, uint256 lowest) = (address(0), 0);
        for (uint256 i; i < prices.length; i++) {
            uint256 price = bound(prices[i], 1000, 1063);
            bool refused = lowest != 0 && price >= lowest;
            if (refused) expectError(ITaskMarket.BidNotLower.selector, price, lowest);
            else (leader, lowest) = (bidderOf(seed, i), price);
            bid(english, bidderOf(seed, i), price);
        }
        expectLowest(english, leader, lowest);
    }

    /// when any bids come: it keeps the lowest reverse english one, of equal ones the earliest
    function testFuzz_ReverseEnglish(uint256[16] memory prices, uint256 seed) external {
        (address leader, uint256 lowest, uint256 count) = (address(0), 0, 0);
        for (uint256 i; i < prices.length; i++) {
            (address worker, uint256 price) = (bidderOf(seed, i), bound(prices[i], 1000, 1015));
            uint256 own = market.entryOf(sealed_, worker).bid;
            bool refused = own != 0 && price >= own;
            if (refused) expectError(ITaskMarket.BidNotLower.selector, price, own);
            else if (lowest == 0 || price < lowest) (leader, lowest) = (worker, price);
            bid(sealed_, worker, price);
            if (!refused) count++;
            assertEq(market.entryOf(sealed_, worker).bid, refused ? own : price);
        }
        expectLowest(sealed_, leader, lowest);
        assertEq(market.getTask(sealed_).bidCount, count);
    }

    /// when relayed with a payment: it makes the payer the bidder
    function test_MakesThePayerTheBidder() external {
        allowPaid(ITaskMarket.submitBid.selector);
        usdc.mint(alice, 1000);
        relayPaid(aliceKey, 1000, 0, abi.encodeCall(market.submitBid, (english, 10_000)));
        expectLowest(english, alice, 10_000);
        assertEq(forwarder.fees(), 1000);
    }

    /// @dev Places 500 bids of alice, each a base unit lower.
    function place500(bytes32 taskId) private {
        for (uint256 i; i < 500; i++) {
            bid(taskId, alice, REWARD - i);
        }
        assertEq(market.getTask(taskId).bidCount, 500);
    }

    /// @dev Into the slot of worker (160 bits), price (72) and bid count (16), the fifth of a task.
    function setBidCount(bytes32 taskId, uint16 count) private {
        vm.record();
        market.getTask(taskId);
        (bytes32[] memory slots,) = vm.accesses(address(market));
        for (uint256 i; i < slots.length; i++) {
            uint256 word = uint256(vm.load(address(market), slots[i]));
            if (uint160(word) != uint160(alice) || uint16(word >> 232) != 1) continue;
            vm.store(address(market), slots[i], bytes32((word & (type(uint256).max >> 24)) | (uint256(count) << 232)));
        }
        assertEq(market.getTask(taskId).bidCount, count);
    }

    /// @dev One of three, as two bits of the seed choose.
    function bidderOf(uint256 seed, uint256 i) private view returns (address) {
        return [alice, bob, stranger][(seed >> (2 * i)) % 4 % 3];
    }

    function expectLowest(bytes32 taskId, address worker, uint256 price) private view {
        (address lowestBidder, uint256 lowest) = market.lowestBidOf(taskId);
        assertEq(lowestBidder, worker);
        assertEq(lowest, price);
    }
}
