// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Kind, Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams, Status, TaskView, Terms} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";

/// @title Required terms of each mode and auction subtype
contract CreateTaskModesTest is MarketTest {
    bytes4[4] internal subtypes = [Modes.DUTCH, Modes.ENGLISH, Modes.REVERSE_DUTCH, Modes.REVERSE_ENGLISH];

    /// when a subtype comes without an auction: it reverts with WrongMode, which names the subtype
    function test_RevertWhen_SubtypeWithoutAuction() external {
        bytes4[4] memory modes = [Modes.BOUNTY, Modes.CLAIM, Modes.PITCH, Modes.BENCHMARK];
        for (uint256 i; i < 4; i++) {
            for (uint256 k; k < 4; k++) {
                CreateTaskParams memory params = aBounty();
                (params.mode, params.auctionType) = (modes[i], subtypes[k]);
                expectWrongMode(subtypes[k]);
                create(params);
            }
        }
    }

    /// when an auction has no subtype: it reverts with WrongMode
    function test_RevertWhen_NoSubtype() external {
        CreateTaskParams memory params = anAuction(0);
        expectWrongMode(0);
        create(params);
    }

    /// when the subtype of an auction is unknown: it reverts with WrongMode
    function test_RevertWhen_SubtypeUnknown() external {
        CreateTaskParams memory params = anAuction(Modes.AUCTION);
        expectWrongMode(Modes.AUCTION);
        create(params);
    }

    /// when a stake is asked for outside claim mode: it reverts with InvalidStake
    function test_RevertWhen_StakeOutsideClaim() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            if (Kind(i) == Kind.Claim) continue;
            all[i].stakeBps = 1;
            expectError(ITaskMarket.InvalidStake.selector, 1);
            create(all[i]);
        }
    }

    /// when the stake exceeds the reward: it reverts with InvalidStake
    function test_RevertWhen_StakeTooHigh() external {
        CreateTaskParams memory params = aClaim();
        params.stakeBps = 10_001;
        expectError(ITaskMarket.InvalidStake.selector, 10_001);
        create(params);
    }

    /// when the stake is at its bounds: it stores nothing and the whole reward
    function test_StoresStakeBounds() external {
        CreateTaskParams memory params = aClaim();
        params.stakeBps = 0;
        assertEq(market.getTask(create(params)).stakeBps, 0);
        params.stakeBps = 10_000;
        assertEq(market.getTask(create(params)).stakeBps, 10_000);
    }

    /// when a pitch deadline is given outside pitch mode: it reverts with InvalidDeadline
    function test_RevertWhen_PitchDeadlineOutsidePitch() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            if (Kind(i) == Kind.Pitch) continue;
            all[i].pitchDuration = 7;
            expectError(ITaskMarket.InvalidDeadline.selector, 7);
            create(all[i]);
        }
    }

    /// when a bid deadline is given outside auctions: it reverts with InvalidDeadline
    function test_RevertWhen_BidDeadlineOutsideAuction() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < uint256(Kind.Dutch); i++) {
            all[i].bidDuration = 7;
            expectError(ITaskMarket.InvalidDeadline.selector, 7);
            create(all[i]);
        }
    }

    /// when pitches may come after the expiry: it reverts with InvalidDeadline
    function test_RevertWhen_PitchDeadlineAfterExpiry() external {
        CreateTaskParams memory params = aPitchTask();
        params.pitchDuration = DURATION + 1;
        expectError(ITaskMarket.InvalidDeadline.selector, DURATION + 1);
        create(params);
    }

    /// when pitches may come until the expiry: it stores the expiry as their deadline
    function test_PitchesUntilExpiry() external {
        CreateTaskParams memory params = aPitchTask();
        params.pitchDuration = DURATION;
        assertEq(market.getTask(create(params)).pitchDeadline, block.timestamp + DURATION);
    }

    /// when a pitch task has no pitch deadline: it defaults to the expiry
    function test_PitchDeadlineDefaults() external {
        CreateTaskParams memory params = aPitchTask();
        params.pitchDuration = 0;
        assertEq(market.getTask(create(params)).pitchDeadline, block.timestamp + DURATION);
    }

    /// when an auction of bids has no bid deadline: it reverts with InvalidDeadline
    function test_RevertWhen_BidsWithoutDeadline() external {
        for (uint256 i = 1; i < 4; i += 2) {
            CreateTaskParams memory params = anAuction(subtypes[i]);
            params.bidDuration = 0;
            expectError(ITaskMarket.InvalidDeadline.selector, uint256(0));
            create(params);
        }
    }

    /// when bids may come until the expiry: it reverts with InvalidDeadline
    function test_RevertWhen_BidsUntilExpiry() external {
        for (uint256 i = 1; i < 4; i += 2) {
            CreateTaskParams memory params = anAuction(subtypes[i]);
            params.bidDuration = DURATION;
            expectError(ITaskMarket.InvalidDeadline.selector, DURATION);
            create(params);
        }
    }

    /// when bids may come until a second before the expiry: it stores the deadline
    function test_BidsUntilASecondBeforeExpiry() external {
        for (uint256 i = 1; i < 4; i += 2) {
            CreateTaskParams memory params = anAuction(subtypes[i]);
            params.bidDuration = DURATION - 1;
            assertEq(market.getTask(create(params)).bidDeadline, block.timestamp + DURATION - 1);
        }
    }

    /// when a clock runs beyond the expiry: it reverts with InvalidDeadline
    function test_RevertWhen_ClockBeyondExpiry() external {
        for (uint256 i; i < 4; i += 2) {
            CreateTaskParams memory params = anAuction(subtypes[i]);
            params.bidDuration = DURATION + 1;
            expectError(ITaskMarket.InvalidDeadline.selector, DURATION + 1);
            create(params);
        }
    }

    /// when a clock runs until the expiry: it stores the expiry as its end, given or by default
    function test_ClockUntilExpiry() external {
        for (uint256 i; i < 4; i += 2) {
            CreateTaskParams memory params = anAuction(subtypes[i]);
            params.bidDuration = DURATION;
            assertEq(market.getTask(create(params)).bidDeadline, block.timestamp + DURATION);
            params.bidDuration = 0;
            assertEq(market.getTask(create(params)).bidDeadline, block.timestamp + DURATION);
        }
    }

    /// when a clock price is given where no clock runs: it reverts with InvalidPrice
    function test_RevertWhen_ClockPriceWithoutClock() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            if (all[i].clockPrice > 0) continue;
            all[i].clockPrice = 1;
            expectError(ITaskMarket.InvalidPrice.selector, 1);
            create(all[i]);
        }
    }

    /// when a clock has no other price: it reverts with InvalidPrice
    function test_RevertWhen_NoClockPrice() external {
        for (uint256 i; i < 4; i += 2) {
            CreateTaskParams memory params = anAuction(subtypes[i]);
            params.clockPrice = 0;
            expectError(ITaskMarket.InvalidPrice.selector, uint256(0));
            create(params);
        }
    }

    /// when the clock price exceeds the reward: it reverts with InvalidPrice
    function test_RevertWhen_ClockPriceAboveReward() external {
        for (uint256 i; i < 4; i += 2) {
            CreateTaskParams memory params = anAuction(subtypes[i]);
            params.clockPrice = uint96(REWARD + 1);
            expectError(ITaskMarket.InvalidPrice.selector, REWARD + 1);
            create(params);
        }
    }

    /// when the clock price is at its bounds: it stores one base unit and the whole reward
    function test_StoresClockPriceBounds() external {
        for (uint256 i; i < 4; i += 2) {
            CreateTaskParams memory params = anAuction(subtypes[i]);
            params.clockPrice = 1;
            assertEq(market.getTask(create(params)).clockPrice, 1);
            params.clockPrice = uint96(REWARD);
            assertEq(market.getTask(create(params)).clockPrice, REWARD);
        }
    }

    /// when the terms fit the mode: it stores them and nothing else
    function test_StoresTheTerms() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            assertEq(abi.encode(market.getTask(create(all[i]))), abi.encode(expectedView(Kind(i), all[i])));
        }
    }

    /// when the terms fit the mode: it logs them
    function test_LogsTheTerms() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            Terms memory terms = expectedTerms(Kind(i), all[i]);
            terms.nonce = i;
            bytes32 taskId = market.nextTaskId(requester);
            expectLog();
            emit TaskCreated(taskId, requester, all[i].mode, terms);
            create(all[i]);
        }
    }

    /// when the terms fit the mode: it takes the reward and no more
    function test_TakesTheReward() external {
        CreateTaskParams[8] memory all = oneOfEach();
        uint256 before = usdc.balanceOf(requester);
        for (uint256 i; i < all.length; i++) {
            create(all[i]);
            assertEq(usdc.balanceOf(requester), before - (i + 1) * REWARD);
            assertEq(usdc.balanceOf(address(market)), (i + 1) * REWARD);
            assertEq(market.totalEscrow(), (i + 1) * REWARD);
        }
    }

    function expectedTerms(Kind kind, CreateTaskParams memory params) private view returns (Terms memory terms) {
        terms.reward = uint96(REWARD);
        terms.createdAt = uint40(block.timestamp);
        terms.expiryTime = uint40(block.timestamp) + DURATION;
        if (kind == Kind.Pitch) terms.pitchDeadline = uint40(block.timestamp) + DURATION / 2;
        if (kind >= Kind.Dutch) terms.bidDeadline = uint40(block.timestamp) + DURATION / 2;
        terms.auctionType = params.auctionType;
        if (kind == Kind.Dutch || kind == Kind.ReverseDutch) terms.clockPrice = uint96(REWARD / 4);
        if (kind == Kind.Claim) terms.stakeBps = 1000;
        terms.feeBps = FEE_BPS;
        terms.contentHash = params.contentHash;
    }

    function expectedView(Kind kind, CreateTaskParams memory params) private view returns (TaskView memory task) {
        Terms memory terms = expectedTerms(kind, params);
        (task.requester, task.mode, task.auctionType) = (requester, params.mode, params.auctionType);
        task.status = Status.Open;
        (task.reward, task.escrow) = (terms.reward, terms.reward);
        (task.feeBps, task.stakeBps) = (terms.feeBps, terms.stakeBps);
        (task.createdAt, task.expiryTime) = (terms.createdAt, terms.expiryTime);
        (task.pitchDeadline, task.bidDeadline) = (terms.pitchDeadline, terms.bidDeadline);
        (task.clockPrice, task.contentHash) = (terms.clockPrice, terms.contentHash);
    }
}
