// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ITaskHook} from "../interfaces/ITaskHook.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../interfaces/ITaskMarketEvents.sol";
import {Limits} from "../types/Limits.sol";
import {Entry, Flags, MarketStorage, Task} from "../types/MarketStorage.sol";
import {Kind, Modes} from "../types/Modes.sol";
import {ReturnReason, SelectionKind, Status} from "../types/TaskTypes.sol";
import {ClockPrice} from "./ClockPrice.sol";
import {SettlementFlow} from "./SettlementFlow.sol";
import {HookLib} from "./HookLib.sol";
import {Tasks} from "./Tasks.sol";

/// @title Auctions: bids, the selection of the lowest bidder, and accepted prices
/// @notice This library is deployed separately. The market calls it by delegatecall, so the library works on the
/// market's storage.
library AuctionLib {
    /// @dev Implements ITaskMarket.submitBid: places or lowers a bid.
    function submitBid(MarketStorage storage market, IERC20 usdc, address worker, bytes32 taskId, uint256 bid)
        external
    {
        // Check:
        Task storage task = Tasks.getOpen(market, taskId);
        if (!Modes.isBidding(task.kind)) revert ITaskMarket.WrongMode(_selectorOf(task.kind));
        Tasks.requireUnpaused(market);
        Tasks.requireBefore(task.entryDeadline);
        Tasks.requireMayEnter(market, task, taskId, worker);
        _requireForeign(task, worker);
        if (bid < Limits.MIN_BID) revert ITaskMarket.BidTooLow(bid, Limits.MIN_BID);
        Entry storage entry = market.entries[taskId][worker];
        uint72 lowest = task.price;
        _requireLower(task, bid, task.kind == Kind.English ? lowest : entry.bid);
        uint72 price = SafeCast.toUint72(bid);
        // The earlier of equal bids wins: only a lower bid takes the lead.
        bool isLeading = lowest == 0 || price < lowest;
        uint16 bidCount = task.bidCount;
        // A bid that takes the lead is never refused: one wallet cannot close an auction by placing all the bids.
        if (bidCount >= Limits.MAX_BIDS && !isLeading) revert ITaskMarket.BidLimitReached(Limits.MAX_BIDS);

        // Effect:
        entry.bid = price;
        if (bidCount < type(uint16).max) task.bidCount = ++bidCount;
        if (isLeading) (task.worker, task.price) = (worker, price);

        // Log:
        emit ITaskMarketEvents.BidSubmitted(taskId, worker, price, bidCount);
        if (Tasks.has(task, Flags.HOOKS)) {
            HookLib.checkAccount(market, usdc, taskId, ITaskHook.checkClaim.selector, worker, true);
        }
    }

    /// @dev Implements ITaskMarket.selectLowestBidder: assigns the lowest bidder to the task.
    function selectLowestBidder(MarketStorage storage market, IERC20 usdc, bytes32 taskId) external {
        // Check:
        Task storage task = Tasks.getOpen(market, taskId);
        if (!Modes.isBidding(task.kind)) revert ITaskMarket.WrongMode(_selectorOf(task.kind));
        if (task.bidCount == 0) revert ITaskMarket.NoBids();
        Tasks.requireReached(task.entryDeadline);
        Tasks.requireBefore(task.expiryTime);

        // Effect, interaction, log:
        address worker = task.worker;
        _assign(market, usdc, taskId, worker, task.price, SelectionKind.Bid);
        // Hooks checked each bid; a permissionless selection cannot be vetoed.
        if (Tasks.has(task, Flags.HOOKS)) {
            HookLib.checkAccount(market, usdc, taskId, ITaskHook.checkSelectWorker.selector, worker, false);
        }
    }

    /// @dev Implements ITaskMarket.acceptAuction: assigns the worker at the auction's current price.
    function acceptAuction(MarketStorage storage market, IERC20 usdc, address worker, bytes32 taskId, uint256 minPrice)
        external
    {
        // Check:
        Task storage task = Tasks.getOpen(market, taskId);
        if (!Modes.isClock(task.kind)) revert ITaskMarket.WrongMode(_selectorOf(task.kind));
        Tasks.requireUnpaused(market);
        Tasks.requireBefore(task.expiryTime);
        Tasks.requireMayEnter(market, task, taskId, worker);
        _requireForeign(task, worker);
        uint72 price = ClockPrice.priceOf(task, block.timestamp);
        if (price < minPrice) revert ITaskMarket.PriceBelowMinimum(price, minPrice);

        // Effect, interaction, log:
        _assign(market, usdc, taskId, worker, price, SelectionKind.ClockPrice);
        if (Tasks.has(task, Flags.HOOKS)) {
            HookLib.checkAccount(market, usdc, taskId, ITaskHook.checkClaim.selector, worker, true);
        }
    }

    /// @dev Assigns the worker at the given price. If the escrow is above the price, returns the difference to the
    /// requester.
    function _assign(
        MarketStorage storage market,
        IERC20 usdc,
        bytes32 taskId,
        address worker,
        uint72 price,
        SelectionKind kind
    ) private {
        // Effect:
        Task storage task = market.tasks[taskId];
        uint72 surplus = task.escrow - price;
        task.status = Status.Claimed;
        (task.worker, task.price) = (worker, price);
        if (surplus > 0) {
            task.escrow = price;
            market.totalEscrow -= surplus;
        }

        // Log, interaction:
        emit ITaskMarketEvents.TaskWorkerSelected(taskId, worker, kind, price, 0);
        if (surplus > 0) {
            SettlementFlow.returnEscrow(market, usdc, taskId, task.requester, surplus, ReturnReason.AuctionSurplus);
        }
    }

    /// @dev Requires that the bid is below the earlier bid `present`. Without an earlier bid (`present` is zero) the
    /// bid must be at most the reward.
    function _requireLower(Task storage task, uint256 bid, uint72 present) private view {
        if (present == 0 ? bid <= task.reward : bid < present) return;
        if (bid > task.reward) revert ITaskMarket.BidTooHigh(bid, task.reward);
        revert ITaskMarket.BidNotLower(bid, present);
    }

    /// @dev Reverts with OwnAuction if the worker is the requester. A requester's bid would displace the bids of
    /// workers.
    function _requireForeign(Task storage task, address worker) private view {
        if (worker == task.requester) revert ITaskMarket.OwnAuction(worker);
    }

    /// @dev Returns the selector that the error WrongMode reports for a task: the subtype of an auction, or the mode of
    /// any other task.
    function _selectorOf(Kind kind) private pure returns (bytes4) {
        return Modes.isAuction(kind) ? Modes.auctionTypeOf(kind) : Modes.modeOf(kind);
    }
}
