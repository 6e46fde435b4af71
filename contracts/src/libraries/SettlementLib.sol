// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {Limits} from "../types/Limits.sol";
import {Entry, Flags, MarketStorage, Task} from "../types/MarketStorage.sol";
import {Modes} from "../types/Modes.sol";
import {CancelReason, ReputationKind, Status, Verdict, Winner} from "../types/TaskTypes.sol";
import {Amounts} from "./Amounts.sol";
import {SettlementFlow} from "./SettlementFlow.sol";
import {Tasks} from "./Tasks.sol";

/// @title Endings without an evaluator's decision: acceptance, cancellation, expiry, and settlement of tasks that
/// nobody decided in time
/// @notice This library is deployed separately. The market calls it by delegatecall, so the library works on the
/// market's storage.
library SettlementLib {
    /// @dev Implements ITaskMarket.acceptSubmission: pays the whole reward to one worker.
    function acceptSubmission(
        MarketStorage storage market,
        IERC20 usdc,
        address requester,
        bytes32 taskId,
        address worker,
        bytes32 deliverable
    ) external {
        // Check, effect:
        Task storage task = Tasks.getOf(market, taskId, requester);
        if (Modes.isContest(task.kind)) {
            Tasks.requireStatus(task, Status.Open);
            Tasks.requireNoEvaluator(market, task, taskId);
            _checkDelivered(market, taskId, worker, deliverable).awarded = true;
        } else {
            Tasks.requireStatus(task, Status.PendingApproval);
            if (worker != task.worker) revert ITaskMarket.NoActiveSubmission(worker);
            if (deliverable != task.deliverable) revert ITaskMarket.UnknownDeliverable(worker, deliverable);
        }

        // Effect, interaction, log:
        _payOne(market, usdc, taskId, worker, deliverable, ReputationKind.Completed, true);
    }

    /// @dev Implements ITaskMarket.acceptSubmissions: splits the reward of a contest among several workers.
    function acceptSubmissions(
        MarketStorage storage market,
        IERC20 usdc,
        address requester,
        bytes32 taskId,
        Winner[] calldata winners
    ) external {
        // Check, effect:
        Task storage task = Tasks.getOf(market, taskId, requester);
        Tasks.requireContest(task);
        Tasks.requireStatus(task, Status.Open);
        Tasks.requireNoEvaluator(market, task, taskId);
        if (winners.length == 0) revert ITaskMarket.NoWinners();
        if (winners.length > Limits.MAX_WINNERS) {
            revert ITaskMarket.TooManyWinners(winners.length, Limits.MAX_WINNERS);
        }
        SettlementFlow.Payment[] memory payments = _split(market, task.escrow, taskId, winners);

        // Effect, interaction, log:
        SettlementFlow.complete(
            market,
            usdc,
            taskId,
            payments,
            SettlementFlow.Completion({
                kind: ReputationKind.Completed, canVeto: true, verdict: Verdict.None, isResolved: false
            })
        );
    }

    /// @dev Implements ITaskMarket.cancelTask: cancels an open task and returns the escrow.
    function cancelTask(MarketStorage storage market, IERC20 usdc, address requester, bytes32 taskId) external {
        // Check:
        Task storage task = Tasks.getOpenOf(market, taskId, requester);
        _checkNoneActive(task);
        if (task.bidCount > 0) revert ITaskMarket.BidsExist(task.bidCount);

        // Effect, interaction, log:
        ReputationKind kind =
            task.submissionCount == 0 ? ReputationKind.Cancelled : ReputationKind.CancelledAfterSubmissions;
        SettlementFlow.cancel(market, usdc, taskId, CancelReason.Requester, kind);
    }

    /// @dev Implements ITaskMarket.refundExpired: returns the escrow of an expired task.
    function refundExpired(MarketStorage storage market, IERC20 usdc, bytes32 taskId) external {
        // Check:
        Task storage task = Tasks.get(market, taskId);
        Status status = task.status;
        if (status != Status.Open && status != Status.Claimed && status != Status.WorkerSelected) {
            revert ITaskMarket.WrongStatus(status);
        }
        Tasks.requireReached(task.expiryTime);
        _checkNoneActive(task);

        // Effect, interaction, log:
        SettlementFlow.expire(market, usdc, taskId, _expiredKind(status, task.submissionCount));
    }

    /// @dev Implements ITaskMarket.settleStale: ends a task that nobody decided in time. A delivery without an
    /// objection is paid; any other task expires. Reverts with WrongStatus if the task has ended or has a verdict. A
    /// task with a verdict is ended by finalizeVerdict.
    function settleStale(MarketStorage storage market, IERC20 usdc, bytes32 taskId) external {
        // Check:
        Task storage task = Tasks.get(market, taskId);
        Status status = task.status;
        if (status > Status.Review) revert ITaskMarket.WrongStatus(status);
        Tasks.requireReached(_lastDeadline(market, task, taskId) + Limits.STALE_AFTER);

        // Effect, interaction, log:
        bool isDelivered = status == Status.PendingApproval || status == Status.Review;
        if (isDelivered && !Tasks.has(task, Flags.OBJECTED)) {
            _payOne(market, usdc, taskId, task.worker, task.deliverable, ReputationKind.Stale, false);
        } else {
            // Stale: a worker waited for a decision. Else it is an ordinary expiry.
            bool isUnanswered = isDelivered || task.activeSubmissions > 0;
            ReputationKind kind = isUnanswered ? ReputationKind.Stale : _expiredKind(status, task.submissionCount);
            SettlementFlow.expire(market, usdc, taskId, kind);
        }
    }

    /// @dev Completes the task by paying the whole escrow, less the platform fee, to one worker.
    function _payOne(
        MarketStorage storage market,
        IERC20 usdc,
        bytes32 taskId,
        address worker,
        bytes32 deliverable,
        ReputationKind kind,
        bool canVeto
    ) private {
        SettlementFlow.Payment[] memory payments = new SettlementFlow.Payment[](1);
        payments[0] = SettlementFlow.Payment({
            worker: worker, gross: market.tasks[taskId].escrow, rank: 1, deliverable: deliverable
        });
        SettlementFlow.complete(
            market,
            usdc,
            taskId,
            payments,
            SettlementFlow.Completion({kind: kind, canVeto: canVeto, verdict: Verdict.None, isResolved: false})
        );
    }

    /// @dev Divides the reward among the winners, and marks the winners' entries as awarded. Reverts if the winners or
    /// the shares are invalid.
    function _split(MarketStorage storage market, uint72 reward, bytes32 taskId, Winner[] calldata winners)
        private
        returns (SettlementFlow.Payment[] memory payments)
    {
        payments = new SettlementFlow.Payment[](winners.length);
        uint256[] memory shares = new uint256[](winners.length);
        uint256 sum;
        for (uint256 i; i < winners.length; i++) {
            Winner calldata winner = winners[i];
            Entry storage entry = _checkDelivered(market, taskId, winner.worker, winner.deliverable);
            if (entry.awarded) revert ITaskMarket.DuplicateWinner(winner.worker);
            entry.awarded = true;
            if (Amounts.partOf(reward, winner.shareBps) == 0) revert ITaskMarket.ZeroAward(winner.worker);
            payments[i] = SettlementFlow.Payment({
                worker: winner.worker, gross: 0, rank: SafeCast.toUint16(i + 1), deliverable: winner.deliverable
            });
            shares[i] = winner.shareBps;
            sum += winner.shareBps;
        }
        if (sum != Limits.BPS) revert ITaskMarket.InvalidShares(sum);
        uint72[] memory parts = Amounts.split(reward, shares);
        for (uint256 i; i < parts.length; i++) {
            payments[i].gross = parts[i];
        }
    }

    /// @dev Requires that the worker has an active submission and submitted this deliverable. Returns the worker's
    /// entry.
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

    /// @dev Reverts with ActiveSubmissionsExist if the task has active submissions.
    function _checkNoneActive(Task storage task) private view {
        uint24 active = task.activeSubmissions;
        if (active > 0) revert ITaskMarket.ActiveSubmissionsExist(active);
    }

    /// @dev Returns the latest deadline of a task in Unix seconds. For an open contest with an evaluator: the expiry
    /// plus the evaluation window. For any other task: the expiry.
    function _lastDeadline(MarketStorage storage market, Task storage task, bytes32 taskId)
        private
        view
        returns (uint256)
    {
        if (task.status != Status.Open || !Tasks.has(task, Flags.EVALUATOR) || !Modes.isContest(task.kind)) {
            return task.expiryTime;
        }
        return uint256(task.expiryTime) + market.evaluations[taskId].evaluationWindow;
    }

    /// @dev Returns the kind of an expiry for the event RequesterReputation, from which the requester's record is
    /// built.
    function _expiredKind(Status status, uint256 submissionCount) private pure returns (ReputationKind) {
        if (status != Status.Open) return ReputationKind.ExpiredUndelivered;
        return submissionCount == 0 ? ReputationKind.ExpiredNoAction : ReputationKind.ExpiredAfterRejections;
    }
}
