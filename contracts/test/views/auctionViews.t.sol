// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

/// @title `lowestBidOf` and `clockPriceOf` in every state
contract AuctionViewsTest is MarketTest {
    bytes32 internal taskId;

    /// when the lowest bid of no task is asked for: it is of no account and zero
    function test_NoTask() external view {
        expectLowest("none", address(0), 0);
    }

    /// when the lowest bid of a task of another mode is asked for: it is of no account and zero
    function test_NoBidsOfOtherModes() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            expectLowest(create(all[i]), address(0), 0);
        }
        expectLowest(createAssigned(aClaim()), address(0), 0);
        expectLowest(createAssigned(aPitchTask()), address(0), 0);
        expectLowest(createAssigned(anAuction(Modes.DUTCH)), address(0), 0);
    }

    /// given bids: it is the lowest bid while the auction is open, also after the bid deadline
    function test_LowestWhileOpen() external {
        taskId = create(anAuction(Modes.REVERSE_ENGLISH));
        bid(taskId, alice, 5000);
        expectLowest(taskId, alice, 5000);
        bid(taskId, bob, 4000);
        expectLowest(taskId, bob, 4000);
        vm.warp(block.timestamp + DURATION / 2);
        expectLowest(taskId, bob, 4000);
    }

    /// given the winner is selected: it is of no account and zero
    function test_NoneAfterSelection() external {
        expectLowest(createAssigned(anAuction(Modes.ENGLISH)), address(0), 0);
    }

    /// given the auction expired with bids: it is of no account and zero
    function test_NoneAfterExpiry() external {
        taskId = create(anAuction(Modes.ENGLISH));
        bid(taskId, alice, 5000);
        vm.warp(block.timestamp + DURATION);
        market.refundExpired(taskId);
        expectLowest(taskId, address(0), 0);
    }

    /// when the clock price of no task is asked for: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        expectTaskNotFound("none");
        market.clockPriceOf("none");
    }

    /// when the clock price is asked for where no clock runs: it reverts with WrongMode, which names the mode
    function test_RevertWhen_NoClock() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            if (all[i].clockPrice > 0) continue;
            taskId = create(all[i]);
            expectWrongMode(all[i].mode);
            market.clockPriceOf(taskId);
        }
    }

    /// when a clock runs: it is the price of the present second
    function test_PriceNow() external {
        bytes32 dutch = create(anAuction(Modes.DUTCH));
        bytes32 reverseDutch = create(anAuction(Modes.REVERSE_DUTCH));
        uint256 start = block.timestamp;
        expectPrices(dutch, reverseDutch, REWARD, REWARD / 4);
        // A hundredth of the 43 200 seconds, and of the way of 7 500 000.
        vm.warp(start + 432);
        expectPrices(dutch, reverseDutch, REWARD - 75_000, REWARD / 4 + 75_000);
        vm.warp(start + DURATION / 2);
        expectPrices(dutch, reverseDutch, REWARD / 4, REWARD);
        vm.warp(start + 2 * DURATION);
        expectPrices(dutch, reverseDutch, REWARD / 4, REWARD);
    }

    /// when the price was accepted: it goes on with the clock, apart from the accepted price
    function test_GoesOnAfterAcceptance() external {
        taskId = createAssigned(anAuction(Modes.DUTCH));
        vm.warp(block.timestamp + DURATION / 2);
        assertEq(market.clockPriceOf(taskId), REWARD / 4);
        assertEq(market.getTask(taskId).price, REWARD);
    }

    function expectLowest(bytes32 id, address worker, uint256 price) private view {
        (address lowestBidder, uint256 lowest) = market.lowestBidOf(id);
        assertEq(lowestBidder, worker);
        assertEq(lowest, price);
    }

    function expectPrices(bytes32 dutch, bytes32 reverseDutch, uint256 falling, uint256 rising) private view {
        assertEq(market.clockPriceOf(dutch), falling);
        assertEq(market.clockPriceOf(reverseDutch), rising);
    }
}
