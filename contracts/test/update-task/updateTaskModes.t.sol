// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, ReturnReason, Status, TaskView, UpdateTaskParams} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

/// @title Terms that an update can change in each mode, and locks by entries
contract UpdateTaskModesTest is MarketTest {
    uint40 internal start;
    uint40 internal half;
    uint40 internal expiry;

    function setUp() public override {
        super.setUp();
        start = uint40(block.timestamp);
        (half, expiry) = (start + DURATION / 2, start + DURATION);
    }

    /// when a field of another mode is set: it reverts with InvalidTerms in every mode
    function test_RevertWhen_FieldOfAnotherMode() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            bytes32 taskId = create(all[i]);
            if (all[i].mode != Modes.PITCH) refuse(withDeadlines(taskId, 0, half + 1, 0));
            if (all[i].mode != Modes.AUCTION) refuse(withDeadlines(taskId, 0, 0, half + 1));
            if (all[i].clockPrice == 0) refuse(withClockPrice(taskId, 1));
        }
    }

    /// given a worker is assigned: it reverts with WrongStatus in every mode
    function test_RevertGiven_Assigned() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            if (all[i].mode == Modes.BOUNTY || all[i].mode == Modes.BENCHMARK) continue;
            bytes32 taskId = createAssigned(all[i]);
            expectWrongStatus(all[i].mode == Modes.PITCH ? Status.WorkerSelected : Status.Claimed);
            update(aRaise(taskId, 2 * REWARD));
        }
    }

    /// given the market is nearly full: it reverts with AmountTooLarge for the raise
    function test_RevertGiven_MarketFull() external {
        usdc.mint(requester, type(uint72).max);
        bytes32 taskId = create(aBounty());
        CreateTaskParams memory rest = aBounty();
        rest.reward = uint96(type(uint72).max - REWARD - 5);
        create(rest);
        expectError(ITaskMarket.AmountTooLarge.selector, 6, type(uint72).max);
        update(aRaise(taskId, REWARD + 6));
        update(aRaise(taskId, REWARD + 5));
        assertEq(market.totalEscrow(), type(uint72).max);
    }

    /// when the requester cannot pay the raise: it reverts as USDC does
    function test_RevertWhen_NotEnoughMoney() external {
        bytes32 taskId = create(aClaim());
        uint256 rest = usdc.balanceOf(requester);
        vm.expectRevert("ERC20: transfer amount exceeds balance");
        update(aRaise(taskId, REWARD + rest + 1));
        vm.prank(requester);
        usdc.approve(address(market), rest - 1);
        vm.expectRevert("ERC20: transfer amount exceeds allowance");
        update(aRaise(taskId, REWARD + rest));
    }

    /// when reward and everything else change together: it moves the difference only
    function testFuzz_MovesTheDifference(uint256 first, uint256 second) external {
        (first, second) = (bound(first, 1000, 900_000e6), bound(second, 1000, 900_000e6));
        CreateTaskParams memory params = aClaim();
        params.reward = uint96(first);
        uint256 before = usdc.balanceOf(requester);
        bytes32 taskId = create(params);
        UpdateTaskParams memory change = withDeadlines(taskId, expiry + 1, 0, 0);
        change.reward = uint96(second);
        update(change);
        assertEq(usdc.balanceOf(requester), before - second);
        assertEq(market.getTask(taskId).reward, second);
        assertEq(market.getTask(taskId).escrow, second);
        assertEq(market.totalEscrow(), second);
        assertEq(usdc.balanceOf(address(market)), second);
    }

    /// given a pitch: it reverts with TermsLocked for a lower reward and for any earlier deadline
    function test_RevertGiven_PitchAndLess() external {
        bytes32 taskId = create(aPitchTask());
        pitch(taskId, alice);
        pitch(taskId, alice);
        UpdateTaskParams[3] memory less = [
            aRaise(taskId, REWARD - 1), withDeadlines(taskId, expiry - 1, 0, 0), withDeadlines(taskId, 0, half - 1, 0)
        ];
        for (uint256 i; i < less.length; i++) {
            expectError(ITaskMarket.TermsLocked.selector, 2);
            update(less[i]);
        }
    }

    /// given a pitch: it still takes a raise, later deadlines and new content
    function test_RaisesAfterAPitch() external {
        bytes32 taskId = create(aPitchTask());
        pitch(taskId, alice);
        UpdateTaskParams memory params = withDeadlines(taskId, expiry + 2, half + 1, 0);
        (params.reward, params.contentHash) = (uint96(REWARD + 7), keccak256("new"));
        expectLog();
        emit TaskUpdated(taskId, uint96(REWARD + 7), expiry + 2, half + 1, 0, 0, keccak256("new"));
        update(params);
        assertEq(market.totalEscrow(), REWARD + 7);
    }

    /// given a proof: it reverts with TermsLocked for less and takes more
    function test_LocksAfterAProof() external {
        bytes32 taskId = create(aBenchmark());
        prove(taskId, alice, "p1");
        expectError(ITaskMarket.TermsLocked.selector, 1);
        update(aRaise(taskId, REWARD - 1));
        expectError(ITaskMarket.TermsLocked.selector, 1);
        update(withDeadlines(taskId, expiry - 1, 0, 0));
        update(aRaise(taskId, REWARD + 1));
        assertEq(market.getTask(taskId).escrow, REWARD + 1);
    }

    /// given a bid: it reverts with TermsLocked for every change, also for more
    function test_RevertGiven_Bid() external {
        bytes4[2] memory subtypes = [Modes.ENGLISH, Modes.REVERSE_ENGLISH];
        for (uint256 i; i < subtypes.length; i++) {
            bytes32 taskId = create(anAuction(subtypes[i]));
            bid(taskId, alice, 5000);
            bid(taskId, alice, 4000);
            UpdateTaskParams memory content = anUpdate(taskId);
            content.contentHash = keccak256("new");
            UpdateTaskParams[6] memory changes = [
                aRaise(taskId, REWARD + 1),
                aRaise(taskId, REWARD - 1),
                withDeadlines(taskId, expiry + 1, 0, 0),
                withDeadlines(taskId, 0, 0, half + 1),
                content,
                anUpdate(taskId)
            ];
            for (uint256 k; k < changes.length; k++) {
                expectError(ITaskMarket.TermsLocked.selector, 2);
                update(changes[k]);
            }
        }
    }

    /// given no account bid: it changes all terms of an auction and logs them
    function test_ChangesAnAuction() external {
        bytes32 taskId = create(anAuction(Modes.ENGLISH));
        UpdateTaskParams memory params = withDeadlines(taskId, expiry - 10, 0, half - 5);
        params.reward = 1000;
        expectLog();
        emit EscrowReturned(taskId, requester, uint96(REWARD - 1000), ReturnReason.RewardDecreased);
        expectLog();
        emit TaskUpdated(taskId, 1000, expiry - 10, 0, half - 5, 0, aBounty().contentHash);
        update(params);
        TaskView memory task = market.getTask(taskId);
        assertEq(task.bidDeadline, half - 5);
        assertEq(task.pitchDeadline, 0);
        assertEq(market.totalEscrow(), 1000);
        expectError(ITaskMarket.BidTooHigh.selector, 1001, 1000);
        bid(taskId, alice, 1001);
    }

    /// when a clock auction changes: it changes all its terms and logs them
    function test_ChangesAClock() external {
        bytes32 taskId = create(anAuction(Modes.REVERSE_DUTCH));
        UpdateTaskParams memory params = withDeadlines(taskId, expiry + 10, 0, half + 5);
        (params.reward, params.clockPrice) = (uint96(2 * REWARD), uint96(REWARD));
        expectLog();
        emit TaskUpdated(taskId, uint96(2 * REWARD), expiry + 10, 0, half + 5, uint96(REWARD), aBounty().contentHash);
        update(params);
        assertEq(market.getTask(taskId).clockPrice, REWARD);
        assertEq(market.getTask(taskId).bidDeadline, half + 5);
        assertEq(market.clockPriceOf(taskId), REWARD);
        vm.warp(half + 5);
        assertEq(market.clockPriceOf(taskId), 2 * REWARD);
        assertEq(market.totalEscrow(), 2 * REWARD);
    }

    /// when only the clock price changes: it keeps the deadline, in both directions
    function test_ChangesTheClockPriceOnly() external {
        bytes32 taskId = create(anAuction(Modes.DUTCH));
        update(withClockPrice(taskId, 1));
        assertEq(market.getTask(taskId).bidDeadline, half);
        vm.warp(half);
        assertEq(market.clockPriceOf(taskId), 1);
        update(withClockPrice(taskId, REWARD));
        assertEq(market.clockPriceOf(taskId), REWARD);
    }

    /// when only the bid deadline changes: it keeps the clock price
    function test_ChangesTheBidDeadlineOnly() external {
        bytes32 taskId = create(anAuction(Modes.DUTCH));
        update(withDeadlines(taskId, 0, 0, start + 2));
        assertEq(market.getTask(taskId).clockPrice, REWARD / 4);
        vm.warp(start + 1);
        assertEq(market.clockPriceOf(taskId), (REWARD + REWARD / 4) / 2);
    }

    /// when the clock price exceeds the reward: it reverts with InvalidPrice, whichever of them changed
    function test_RevertWhen_ClockPriceAboveReward() external {
        bytes32 taskId = create(anAuction(Modes.DUTCH));
        expectError(ITaskMarket.InvalidPrice.selector, REWARD + 1);
        update(withClockPrice(taskId, REWARD + 1));
        expectError(ITaskMarket.InvalidPrice.selector, REWARD / 4);
        update(aRaise(taskId, REWARD / 4 - 1));
        update(aRaise(taskId, REWARD / 4));
        assertEq(market.clockPriceOf(taskId), REWARD / 4);
    }

    /// when the present clock price is given: it reverts with NothingToUpdate
    function test_RevertWhen_PresentClockPrice() external {
        bytes32 taskId = create(anAuction(Modes.DUTCH));
        UpdateTaskParams memory params = withDeadlines(taskId, expiry, 0, half);
        (params.reward, params.clockPrice) = (uint96(REWARD), uint96(REWARD / 4));
        expectError(ITaskMarket.NothingToUpdate.selector);
        update(params);
    }

    /// when a new entry deadline is not in the future: it reverts with InvalidDeadline
    function test_RevertWhen_EntryDeadlineNotInFuture() external {
        bytes32 pitched = create(aPitchTask());
        bytes32 auctioned = create(anAuction(Modes.ENGLISH));
        vm.warp(start + 100);
        expectError(ITaskMarket.InvalidDeadline.selector, start + 100);
        update(withDeadlines(pitched, 0, start + 100, 0));
        expectError(ITaskMarket.InvalidDeadline.selector, start + 99);
        update(withDeadlines(auctioned, 0, 0, start + 99));
        update(withDeadlines(pitched, 0, start + 101, 0));
        update(withDeadlines(auctioned, 0, 0, start + 101));
        assertEq(market.getTask(pitched).pitchDeadline, start + 101);
        assertEq(market.getTask(auctioned).bidDeadline, start + 101);
    }

    /// when a new entry deadline is more than ten years ahead: it reverts with InvalidDeadline
    function test_RevertWhen_EntryDeadlineTooFar() external {
        bytes32 taskId = create(aPitchTask());
        update(withDeadlines(taskId, start + 3650 days, 0, 0));
        vm.warp(start + 100);
        update(withDeadlines(taskId, start + 3650 days + 100, start + 3650 days + 100, 0));
        expectError(ITaskMarket.InvalidDeadline.selector, start + 3650 days + 101);
        update(withDeadlines(taskId, 0, start + 3650 days + 101, 0));
    }

    /// when pitches or a clock would outlast the expiry: it reverts with InvalidDeadline and takes the expiry itself
    function test_RevertWhen_EntriesOutlastTheExpiry() external {
        bytes32 pitched = create(aPitchTask());
        bytes32 clock = create(anAuction(Modes.DUTCH));
        expectError(ITaskMarket.InvalidDeadline.selector, expiry + 1);
        update(withDeadlines(pitched, 0, expiry + 1, 0));
        expectError(ITaskMarket.InvalidDeadline.selector, expiry + 1);
        update(withDeadlines(clock, 0, 0, expiry + 1));
        update(withDeadlines(pitched, 0, expiry, 0));
        update(withDeadlines(clock, 0, 0, expiry));
        assertEq(market.getTask(pitched).pitchDeadline, expiry);
        assertEq(market.getTask(clock).bidDeadline, expiry);
    }

    /// when bids would last until the expiry: it reverts with InvalidDeadline and takes a second less
    function test_RevertWhen_BidsLastUntilExpiry() external {
        bytes32 taskId = create(anAuction(Modes.REVERSE_ENGLISH));
        expectError(ITaskMarket.InvalidDeadline.selector, expiry);
        update(withDeadlines(taskId, 0, 0, expiry));
        update(withDeadlines(taskId, 0, 0, expiry - 1));
        assertEq(market.getTask(taskId).bidDeadline, expiry - 1);
    }

    /// when the expiry would come before the entry deadline: it reverts with InvalidDeadline, which names that deadline
    function test_RevertWhen_ExpiryBeforeTheEntryDeadline() external {
        bytes32 pitched = create(aPitchTask());
        bytes32 auctioned = create(anAuction(Modes.ENGLISH));
        expectError(ITaskMarket.InvalidDeadline.selector, half);
        update(withDeadlines(pitched, half - 1, 0, 0));
        expectError(ITaskMarket.InvalidDeadline.selector, half);
        update(withDeadlines(auctioned, half, 0, 0));
        update(withDeadlines(pitched, half, 0, 0));
        update(withDeadlines(auctioned, half + 1, 0, 0));
        assertEq(market.getTask(pitched).expiryTime, half);
        assertEq(market.getTask(auctioned).expiryTime, half + 1);
    }

    /// when both deadlines come earlier together: it takes them
    function test_ShortensBoth() external {
        bytes32 taskId = create(aPitchTask());
        update(withDeadlines(taskId, half - 10, half - 20, 0));
        assertEq(market.getTask(taskId).expiryTime, half - 10);
        assertEq(market.getTask(taskId).pitchDeadline, half - 20);
    }

    /// when only the expiry is extended after the entry deadline: it leaves that deadline in the past
    function test_LeavesAPassedDeadline() external {
        bytes32 taskId = create(anAuction(Modes.ENGLISH));
        vm.warp(expiry);
        update(withDeadlines(taskId, expiry + 10, 0, 0));
        expectError(ITaskMarket.DeadlinePassed.selector, half);
        bid(taskId, alice, 1000);
    }

    /// when both deadlines are extended after the expiry: it takes entries again
    function test_TakesEntriesAgain() external {
        bytes32 taskId = create(anAuction(Modes.ENGLISH));
        vm.warp(expiry);
        update(withDeadlines(taskId, expiry + 10, 0, expiry + 9));
        bid(taskId, alice, 1000);
        vm.warp(expiry + 9);
        market.selectLowestBidder(taskId);
        assertEq(market.getTask(taskId).worker, alice);
    }

    /// given entries are paused: it refuses only a raise
    function test_RefusesOnlyARaiseWhilePaused() external {
        bytes32 taskId = create(anAuction(Modes.DUTCH));
        pauseEntries();
        UpdateTaskParams memory params = withDeadlines(taskId, expiry + 1, 0, half + 1);
        (params.clockPrice, params.contentHash) = (1, keccak256("new"));
        update(params);
        params.reward = uint96(REWARD + 1);
        expectError(ITaskMarket.EntriesPaused.selector);
        update(params);
        params.reward = uint96(REWARD - 1);
        update(params);
        assertEq(market.getTask(taskId).escrow, REWARD - 1);
    }

    function withDeadlines(bytes32 taskId, uint40 expiryTime, uint40 pitchDeadline, uint40 bidDeadline)
        private
        pure
        returns (UpdateTaskParams memory params)
    {
        params = anUpdate(taskId);
        (params.expiryTime, params.pitchDeadline, params.bidDeadline) = (expiryTime, pitchDeadline, bidDeadline);
    }

    function withClockPrice(bytes32 taskId, uint256 price) private pure returns (UpdateTaskParams memory params) {
        (params.taskId, params.clockPrice) = (taskId, uint96(price));
    }

    function refuse(UpdateTaskParams memory params) private {
        expectError(ITaskMarket.InvalidTerms.selector);
        update(params);
    }
}
