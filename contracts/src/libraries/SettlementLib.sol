// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../interfaces/ITaskMarketEvents.sol";
import {Limits} from "../types/Limits.sol";
import {Entry, MarketStorage, Task} from "../types/MarketStorage.sol";
import {CancelReason, ReputationKind, Status, Winner} from "../types/TaskTypes.sol";
import {Money} from "./Money.sol";
import {Tasks} from "./Tasks.sol";

/// @title How tasks end: awards and refunds
/// @notice Each ending closes the task first (status, escrow and liability in one step), then money moves.
library SettlementLib {
    /// @dev One award of a settlement in progress.
    struct Payment {
        bytes32 taskId;
        address worker;
        uint256 rank;
        uint256 gross;
        bytes32 deliverable;
        bool selfAward;
    }

    /// @dev See ITaskMarket.acceptSubmission.
    function acceptSubmission(
        MarketStorage storage market,
        IERC20 usdc,
        address requester,
        bytes32 taskId,
        address worker,
        bytes32 deliverable
    ) external {
        // Check, effect:
        Task storage task = Tasks.getOpenOf(market, taskId, requester);
        _checkDelivered(market, taskId, worker, deliverable).awarded = true;
        uint256 reward = _close(market, task, Status.Completed, 1);

        // Interaction, log:
        bool selfAward = worker == requester;
        Payment memory payment = Payment(taskId, worker, 1, reward, deliverable, selfAward);
        Money.pay(market, usdc, taskId, market.feeRecipient, _payAward(market, usdc, task.feeBps, payment));
        _logEnding(task, taskId, requester, ReputationKind.Completed, selfAward);
    }

    /// @dev See ITaskMarket.acceptSubmissions.
    function acceptSubmissions(
        MarketStorage storage market,
        IERC20 usdc,
        address requester,
        bytes32 taskId,
        Winner[] calldata winners
    ) external {
        // Check, effect:
        Task storage task = Tasks.getOpenOf(market, taskId, requester);
        if (winners.length == 0) revert ITaskMarket.NoWinners();
        if (winners.length > Limits.MAX_WINNERS) {
            revert ITaskMarket.TooManyWinners(winners.length, Limits.MAX_WINNERS);
        }
        uint256 remainder = _awardAll(market, task.reward, taskId, winners);
        uint256 reward = _close(market, task, Status.Completed, winners.length);

        // Interaction, log:
        Payment memory payment = Payment(taskId, address(0), 0, 0, 0, false);
        uint256 fees;
        bool anySelfAward;
        for (uint256 i; i < winners.length; i++) {
            payment.worker = winners[i].worker;
            payment.rank = i + 1;
            // What the division left over belongs to rank 1, so that the grosses sum to the reward.
            payment.gross = _shareOf(reward, winners[i].shareBps) + (i == 0 ? remainder : 0);
            payment.deliverable = winners[i].deliverable;
            payment.selfAward = payment.worker == requester;
            anySelfAward = anySelfAward || payment.selfAward;
            fees += _payAward(market, usdc, task.feeBps, payment);
        }
        Money.pay(market, usdc, taskId, market.feeRecipient, fees);
        _logEnding(task, taskId, requester, ReputationKind.Completed, anySelfAward);
    }

    /// @dev See ITaskMarket.cancelTask.
    function cancelTask(MarketStorage storage market, IERC20 usdc, address requester, bytes32 taskId) external {
        // Check:
        Task storage task = Tasks.getOpenOf(market, taskId, requester);
        _checkNoneActive(task);

        // Effect:
        uint256 refund = _close(market, task, Status.Cancelled, 0);

        // Interaction:
        Money.pay(market, usdc, taskId, requester, refund);

        // Log:
        emit ITaskMarketEvents.TaskCancelled(taskId, uint96(refund), CancelReason.Requester);
        ReputationKind kind =
            task.submissionCount == 0 ? ReputationKind.Cancelled : ReputationKind.CancelledAfterSubmissions;
        _logEnding(task, taskId, requester, kind, false);
    }

    /// @dev See ITaskMarket.refundExpired.
    function refundExpired(MarketStorage storage market, IERC20 usdc, bytes32 taskId) external {
        // Check:
        Task storage task = Tasks.getOpen(market, taskId);
        _checkReached(task.expiryTime);
        _checkNoneActive(task);

        // Effect, interaction, log:
        ReputationKind kind =
            task.submissionCount == 0 ? ReputationKind.ExpiredNoAction : ReputationKind.ExpiredAfterRejections;
        _expire(market, usdc, task, taskId, kind);
    }

    /// @dev See ITaskMarket.settleStale.
    function settleStale(MarketStorage storage market, IERC20 usdc, bytes32 taskId) external {
        // Check:
        Task storage task = Tasks.getOpen(market, taskId);
        _checkReached(task.expiryTime + Limits.STALE_AFTER);

        // Effect, interaction, log:
        _expire(market, usdc, task, taskId, ReputationKind.Stale);
    }

    /// @dev Marks every winner, refusing what is not a valid split.
    /// @return remainder What the division of the reward leaves over.
    function _awardAll(MarketStorage storage market, uint256 reward, bytes32 taskId, Winner[] calldata winners)
        private
        returns (uint256 remainder)
    {
        uint256 shares;
        remainder = reward;
        for (uint256 i; i < winners.length; i++) {
            Winner calldata winner = winners[i];
            Entry storage entry = _checkDelivered(market, taskId, winner.worker, winner.deliverable);
            if (entry.awarded) revert ITaskMarket.DuplicateWinner(winner.worker);
            entry.awarded = true;
            uint256 gross = _shareOf(reward, winner.shareBps);
            if (gross == 0) revert ITaskMarket.ZeroAward(winner.worker);
            shares += winner.shareBps;
            // Too large shares would make this wrap: they are refused below, whatever it holds.
            unchecked {
                remainder -= gross;
            }
        }
        if (shares != Limits.BPS) revert ITaskMarket.InvalidShares(shares);
    }

    function _shareOf(uint256 reward, uint256 shareBps) private pure returns (uint256) {
        return (reward * shareBps) / Limits.BPS;
    }

    function _checkDelivered(MarketStorage storage market, bytes32 taskId, address worker, bytes32 deliverable)
        private
        view
        returns (Entry storage entry)
    {
        entry = market.entries[taskId][worker];
        if (entry.active == 0) revert ITaskMarket.NoActiveSubmission(worker);
        if (market.submissionNumbers[taskId][worker][deliverable] == 0) {
            revert ITaskMarket.UnknownDeliverable(worker, deliverable);
        }
    }

    function _checkNoneActive(Task storage task) private view {
        uint24 active = task.activeSubmissions;
        if (active > 0) revert ITaskMarket.ActiveSubmissionsExist(active);
    }

    function _checkReached(uint256 deadline) private view {
        if (block.timestamp < deadline) revert ITaskMarket.DeadlineNotReached(deadline);
    }

    /// @dev Ends the task: nothing is owed for it from here on.
    /// @return escrow What it held, to be paid out by the caller.
    function _close(MarketStorage storage market, Task storage task, Status ending, uint256 awardCount)
        private
        returns (uint256 escrow)
    {
        escrow = task.escrow;
        task.escrow = 0;
        task.awardCount = uint8(awardCount);
        task.status = ending;
        market.totalEscrow -= uint72(escrow);
    }

    function _expire(MarketStorage storage market, IERC20 usdc, Task storage task, bytes32 taskId, ReputationKind kind)
        private
    {
        uint256 refund = _close(market, task, Status.Expired, 0);
        address requester = task.requester;
        Money.pay(market, usdc, taskId, requester, refund);
        emit ITaskMarketEvents.TaskExpired(taskId, uint96(refund));
        _logEnding(task, taskId, requester, kind, false);
    }

    /// @return fee The platform's part: floor of the gross amount, for each award on its own.
    function _payAward(MarketStorage storage market, IERC20 usdc, uint256 feeBps, Payment memory payment)
        private
        returns (uint256 fee)
    {
        fee = (payment.gross * feeBps) / Limits.BPS;
        uint256 net = payment.gross - fee;
        Money.pay(market, usdc, payment.taskId, payment.worker, net);
        emit ITaskMarketEvents.TaskCompleted(
            payment.taskId,
            payment.worker,
            uint16(payment.rank),
            uint96(payment.gross),
            uint96(net),
            uint96(fee),
            payment.deliverable,
            payment.selfAward
        );
    }

    function _logEnding(Task storage task, bytes32 taskId, address requester, ReputationKind kind, bool selfAward)
        private
    {
        emit ITaskMarketEvents.RequesterReputation(
            taskId, requester, kind, task.reward, task.submissionCount, selfAward
        );
    }
}
