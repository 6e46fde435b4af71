// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../interfaces/ITaskMarketEvents.sol";
import {Limits} from "../types/Limits.sol";
import {MarketStorage, Task} from "../types/MarketStorage.sol";
import {Kind, Modes} from "../types/Modes.sol";
import {ReturnReason, UpdateTaskParams} from "../types/TaskTypes.sol";
import {SettlementFlow} from "./SettlementFlow.sol";
import {Payouts} from "./Payouts.sol";
import {Tasks} from "./Tasks.sol";
import {TermsChecks} from "./TermsChecks.sol";

/// @title Updates of an open task's terms
/// @notice Protects workers who entered a task. After the first submission or pitch, the reward and the deadlines can
/// only rise. After the first bid, the terms of an auction cannot change.
library UpdateLib {
    /// @dev The terms that an update can change. The content hash can also change, but is not part of this struct.
    /// @param reward Gross reward in USDC base units.
    /// @param expiryTime Time of the expiry, in Unix seconds.
    /// @param entryDeadline Unix time at which pitching ends (pitch mode), bidding ends (english auctions) or the price
    /// stops changing (dutch auctions); zero in other modes.
    /// @param clockPrice Floor price of a dutch auction or start price of a reverse dutch auction, in USDC base units;
    /// zero in other modes.
    struct Mutable {
        uint72 reward;
        uint40 expiryTime;
        uint40 entryDeadline;
        uint72 clockPrice;
    }

    /// @dev Implements ITaskMarket.updateTask: changes the terms of an open task.
    function updateTask(MarketStorage storage market, IERC20 usdc, address requester, UpdateTaskParams calldata params)
        external
    {
        // Check:
        Task storage task = Tasks.getOpenOf(market, params.taskId, requester);
        if (task.bidCount > 0) revert ITaskMarket.TermsLocked(task.bidCount);
        Kind kind = task.kind;
        Mutable memory present = Mutable({
            reward: task.reward,
            expiryTime: task.expiryTime,
            entryDeadline: task.entryDeadline,
            clockPrice: task.clockPrice
        });
        Mutable memory next = _merge(kind, present, params);
        bytes32 contentHash = params.contentHash == 0 ? task.contentHash : params.contentHash;
        _checkChange(task, kind, present, next, contentHash);
        if (next.reward > present.reward) Tasks.requireUnpaused(market);

        // Effect:
        _store(task, present, next, contentHash);

        // Interaction:
        if (next.reward > present.reward) Payouts.take(market, usdc, next.reward - present.reward);
        if (next.reward < present.reward) {
            uint72 decrease = present.reward - next.reward;
            market.totalEscrow -= decrease;
            SettlementFlow.returnEscrow(market, usdc, params.taskId, requester, decrease, ReturnReason.RewardDecreased);
        }

        // Log:
        emit ITaskMarketEvents.TaskUpdated(
            params.taskId,
            next.reward,
            next.expiryTime,
            kind == Kind.Pitch ? next.entryDeadline : 0,
            Modes.isAuction(kind) ? next.entryDeadline : 0,
            next.clockPrice,
            contentHash
        );
    }

    /// @dev Returns the terms after the update. If a parameter is zero, the present value stays. If a parameter is not
    /// zero and the task's mode does not use the parameter, reverts with InvalidTerms.
    function _merge(Kind kind, Mutable memory present, UpdateTaskParams calldata params)
        private
        pure
        returns (Mutable memory next)
    {
        if (params.pitchDeadline != 0 && kind != Kind.Pitch) revert ITaskMarket.InvalidTerms();
        if (params.bidDeadline != 0 && !Modes.isAuction(kind)) revert ITaskMarket.InvalidTerms();
        if (params.clockPrice != 0 && !Modes.isClock(kind)) revert ITaskMarket.InvalidTerms();
        uint40 entryDeadline = params.pitchDeadline + params.bidDeadline;
        next.reward = params.reward == 0 ? present.reward : TermsChecks.toAmount(params.reward);
        next.expiryTime = params.expiryTime == 0 ? present.expiryTime : params.expiryTime;
        next.entryDeadline = entryDeadline == 0 ? present.entryDeadline : entryDeadline;
        next.clockPrice = params.clockPrice == 0 ? present.clockPrice : TermsChecks.toAmount(params.clockPrice);
    }

    /// @dev Requires valid terms, and at least one change. If the task already has a submission or a pitch, the update
    /// must not lower the reward or move a deadline to an earlier time; otherwise reverts with TermsLocked.
    function _checkChange(
        Task storage task,
        Kind kind,
        Mutable memory present,
        Mutable memory next,
        bytes32 contentHash
    ) private view {
        if (
            next.reward == present.reward && next.expiryTime == present.expiryTime
                && next.entryDeadline == present.entryDeadline && next.clockPrice == present.clockPrice
                && contentHash == task.contentHash
        ) revert ITaskMarket.NothingToUpdate();
        TermsChecks.checkReward(next.reward);
        TermsChecks.checkClockPrice(kind, next.clockPrice, next.reward);
        _checkDeadline(present.expiryTime, next.expiryTime);
        _checkDeadline(present.entryDeadline, next.entryDeadline);
        if (!TermsChecks.isEntryDeadline(kind, next.entryDeadline, next.expiryTime)) {
            revert ITaskMarket.InvalidDeadline(next.entryDeadline);
        }
        if (
            next.reward < present.reward || next.expiryTime < present.expiryTime
                || next.entryDeadline < present.entryDeadline
        ) {
            uint32 entries = uint32(task.submissionCount) + task.pitchCount;
            if (entries > 0) revert ITaskMarket.TermsLocked(entries);
        }
    }

    /// @dev Requires that a changed deadline is in the future and at most ten years ahead. The present deadline may be
    /// in the past.
    function _checkDeadline(uint256 present, uint256 next) private view {
        if (next == present) return;
        if (next <= block.timestamp || next > block.timestamp + Limits.MAX_DURATION) {
            revert ITaskMarket.InvalidDeadline(next);
        }
    }

    /// @dev Stores the terms after the update. The entry deadline, the clock price and the content hash are written
    /// only if they changed, because each write costs gas.
    function _store(Task storage task, Mutable memory present, Mutable memory next, bytes32 contentHash) private {
        task.reward = next.reward;
        task.escrow = next.reward;
        task.expiryTime = next.expiryTime;
        if (next.entryDeadline != present.entryDeadline || next.clockPrice != present.clockPrice) {
            (task.entryDeadline, task.clockPrice) = (next.entryDeadline, next.clockPrice);
        }
        if (contentHash != task.contentHash) task.contentHash = contentHash;
    }
}
