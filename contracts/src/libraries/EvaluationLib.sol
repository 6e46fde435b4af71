// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ITaskHook} from "../interfaces/ITaskHook.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../interfaces/ITaskMarketEvents.sol";
import {Limits} from "../types/Limits.sol";
import {Evaluation, Flags, MarketStorage, Task} from "../types/MarketStorage.sol";
import {Modes} from "../types/Modes.sol";
import {Award, CancelReason, ReputationKind, Status, Verdict} from "../types/TaskTypes.sol";
import {Amounts} from "./Amounts.sol";
import {SettlementFlow} from "./SettlementFlow.sol";
import {HookLib} from "./HookLib.sol";
import {Payouts} from "./Payouts.sol";
import {Tasks} from "./Tasks.sol";
import {VerdictAwards} from "./VerdictAwards.sol";

/// @title Evaluation of tasks: verdict, appeal, dispute, and deadlines that pass without a decision
/// @notice This library is deployed separately. The market calls it by delegatecall, so the library works on the
/// market's storage.
library EvaluationLib {
    /// @dev The decision of an evaluator, without the awards.
    /// @param verdict Approve, Reject or Partial.
    /// @param score Score of the work, 0 to 1000.
    /// @param confidence The evaluator's confidence, 0 to 1000.
    /// @param evidenceHash Hash of the evaluator's evidence; zero if there is none.
    struct Opinion {
        Verdict verdict;
        uint16 score;
        uint16 confidence;
        bytes32 evidenceHash;
    }

    /// @dev Implements ITaskMarket.evaluate: stores the evaluator's verdict and pays the evaluator's fee.
    function evaluate(
        MarketStorage storage market,
        IERC20 usdc,
        address evaluator,
        bytes32 taskId,
        Opinion calldata opinion,
        Award[] calldata awards
    ) external {
        // Check:
        Task storage task = Tasks.get(market, taskId);
        Evaluation storage evaluation = _getAssigned(market, task, taskId);
        if (evaluation.evaluator != evaluator) revert ITaskMarket.NotEvaluator(evaluator);
        _checkEvaluable(task, evaluation);
        if (opinion.verdict == Verdict.None) revert ITaskMarket.InvalidVerdict(opinion.verdict);
        _checkScore(opinion.score);
        _checkScore(opinion.confidence);
        uint72 escrow = task.escrow;
        uint72 fee = Amounts.partOf(escrow, evaluation.feeBps);
        _checkAwards(market, taskId, opinion.verdict, awards, escrow - fee);

        // Effect:
        uint40 appealDeadline = Tasks.time() + evaluation.appealWindow;
        if (task.expiryTime < appealDeadline) task.expiryTime = appealDeadline;
        task.status = Status.Appealing;
        task.escrow = escrow - fee;
        market.totalEscrow -= fee;
        _store(evaluation, opinion, appealDeadline, awards);

        // Interaction:
        Payouts.pay(market, usdc, taskId, evaluator, fee);

        // Log:
        _logVerdict(taskId, evaluator, opinion, appealDeadline, task.expiryTime, fee, awards);
        if (Tasks.has(task, Flags.HOOKS)) {
            HookLib.checkAccount(market, usdc, taskId, ITaskHook.checkEvaluate.selector, evaluator, false);
        }
    }

    /// @dev Implements ITaskMarket.appeal: brings a verdict before the resolver.
    function appeal(MarketStorage storage market, address worker, bytes32 taskId) external {
        // Check:
        Task storage task = Tasks.get(market, taskId);
        Tasks.requireStatus(task, Status.Appealing);
        Evaluation storage evaluation = market.evaluations[taskId];
        if (evaluation.resolver == address(0)) revert ITaskMarket.NoResolver();
        Tasks.requireBefore(evaluation.phaseDeadline);
        if (!_mayAppeal(market, task, taskId, worker)) revert ITaskMarket.NotAppellant(worker);

        // Effect:
        uint40 window = evaluation.appealWindow;
        if (window < Limits.MIN_RESOLUTION_WINDOW) window = Limits.MIN_RESOLUTION_WINDOW;
        uint40 resolutionDeadline = Tasks.time() + window;
        evaluation.phaseDeadline = resolutionDeadline;
        task.status = Status.Disputed;

        // Log:
        emit ITaskMarketEvents.VerdictAppealed(taskId, worker, evaluation.resolver, resolutionDeadline);
    }

    /// @dev Implements ITaskMarket.finalizeVerdict: executes a verdict after the appeal deadline. If the resolver did
    /// not decide in time, the evaluator's verdict takes effect.
    function finalizeVerdict(MarketStorage storage market, IERC20 usdc, bytes32 taskId) external {
        // Check:
        Task storage task = Tasks.get(market, taskId);
        Status status = task.status;
        if (status != Status.Appealing && status != Status.Disputed) revert ITaskMarket.WrongStatus(status);
        Evaluation storage evaluation = market.evaluations[taskId];
        Tasks.requireReached(evaluation.phaseDeadline);

        // Effect, interaction, log:
        Verdict verdict = evaluation.verdict;
        uint72 escrow = task.escrow;
        if (verdict == Verdict.Reject) {
            emit ITaskMarketEvents.VerdictFinalized(taskId, Status.Cancelled, verdict, escrow);
            SettlementFlow.cancel(market, usdc, taskId, CancelReason.RejectVerdict, ReputationKind.RejectedByVerdict);
            return;
        }
        (SettlementFlow.Payment[] memory payments, uint72 sum) = VerdictAwards.toPayments(task, evaluation.awards);
        emit ITaskMarketEvents.VerdictFinalized(taskId, Status.Completed, verdict, escrow - sum);
        _complete(market, usdc, taskId, verdict, false, payments);
    }

    /// @dev Implements ITaskMarket.resolveDispute: executes the resolver's decision on an appeal.
    function resolveDispute(
        MarketStorage storage market,
        IERC20 usdc,
        address resolver,
        bytes32 taskId,
        Verdict verdict,
        Award[] calldata awards
    ) external {
        // Check:
        Task storage task = Tasks.get(market, taskId);
        Tasks.requireStatus(task, Status.Disputed);
        Evaluation storage evaluation = market.evaluations[taskId];
        if (evaluation.resolver != resolver) revert ITaskMarket.NotResolver(resolver);
        Tasks.requireBefore(evaluation.phaseDeadline);
        if (verdict != Verdict.Approve && verdict != Verdict.Partial) revert ITaskMarket.InvalidVerdict(verdict);
        if (awards.length == 0) revert ITaskMarket.NoWinners();
        VerdictAwards.check(market, task, taskId, awards, task.escrow);

        // Effect, interaction, log:
        emit ITaskMarketEvents.DisputeResolved(taskId, resolver, verdict, awards);
        (SettlementFlow.Payment[] memory payments,) = VerdictAwards.toPayments(task, awards);
        _complete(market, usdc, taskId, verdict, true, payments);
    }

    /// @dev Implements ITaskMarket.evaluatorTimeout: removes an evaluator that missed the deadline.
    function evaluatorTimeout(MarketStorage storage market, address requester, bytes32 taskId) external {
        // Check:
        Task storage task = Tasks.getOf(market, taskId, requester);
        Evaluation storage evaluation = _getAssigned(market, task, taskId);
        Status status = task.status;
        if (status == Status.Review) {
            Tasks.requireReached(evaluation.phaseDeadline);
            status = Status.PendingApproval;
        } else {
            if (status != Status.Open || !Modes.isContest(task.kind)) revert ITaskMarket.WrongStatus(status);
            Tasks.requireReached(task.expiryTime + evaluation.evaluationWindow);
        }

        // Effect:
        address evaluator = evaluation.evaluator;
        task.status = status;
        task.flags &= ~Flags.EVALUATOR;
        delete market.evaluations[taskId];

        // Log:
        emit ITaskMarketEvents.EvaluatorTimedOut(taskId, evaluator, status);
    }

    /// @dev Returns the stored evaluation of a task. Reverts with NoEvaluator if the task has no evaluator.
    function _getAssigned(MarketStorage storage market, Task storage task, bytes32 taskId)
        private
        view
        returns (Evaluation storage)
    {
        if (!Tasks.has(task, Flags.EVALUATOR)) revert ITaskMarket.NoEvaluator();
        return market.evaluations[taskId];
    }

    /// @dev Requires that a verdict is possible now. A contest must be open, have an active submission, and be before
    /// the end of the evaluation window. Any other task must be in status Review, before the evaluator's deadline.
    function _checkEvaluable(Task storage task, Evaluation storage evaluation) private view {
        if (!Modes.isContest(task.kind)) {
            Tasks.requireStatus(task, Status.Review);
            Tasks.requireBefore(evaluation.phaseDeadline);
            return;
        }
        Tasks.requireStatus(task, Status.Open);
        if (task.activeSubmissions == 0) revert ITaskMarket.NothingToEvaluate();
        Tasks.requireBefore(task.expiryTime + evaluation.evaluationWindow);
    }

    /// @dev Reverts if the awards do not fit the verdict, for example if a rejection has awards. A contest accepts
    /// submissions until it expires. Before the expiry, its verdict must be an approval, and the awards must add up to
    /// `available`.
    function _checkAwards(
        MarketStorage storage market,
        bytes32 taskId,
        Verdict verdict,
        Award[] calldata awards,
        uint72 available
    ) private view {
        Task storage task = market.tasks[taskId];
        bool isContest = Modes.isContest(task.kind);
        VerdictAwards.checkCount(verdict, awards.length, isContest);
        uint256 sum = VerdictAwards.check(market, task, taskId, awards, available);
        if (!isContest || (verdict == Verdict.Approve && sum == available)) return;
        uint40 expiryTime = task.expiryTime;
        if (block.timestamp < expiryTime) revert ITaskMarket.ContestStillOpen(expiryTime);
    }

    /// @dev Reverts with InvalidScore if the value is above 1000. The value is a score or a confidence.
    function _checkScore(uint16 score) private pure {
        if (score > Limits.MAX_SCORE) revert ITaskMarket.InvalidScore(score, Limits.MAX_SCORE);
    }

    /// @dev Stores the verdict. The verdict takes effect later, when it is finalized.
    function _store(
        Evaluation storage evaluation,
        Opinion calldata opinion,
        uint40 appealDeadline,
        Award[] calldata awards
    ) private {
        evaluation.verdict = opinion.verdict;
        (evaluation.score, evaluation.confidence) = (opinion.score, opinion.confidence);
        evaluation.phaseDeadline = appealDeadline;
        if (opinion.evidenceHash != 0) evaluation.evidenceHash = opinion.evidenceHash;
        for (uint256 i; i < awards.length; i++) {
            evaluation.awards.push(awards[i]);
        }
    }

    /// @dev Emits VerdictIssued. This is a separate function because of the compiler's stack limit.
    function _logVerdict(
        bytes32 taskId,
        address evaluator,
        Opinion calldata opinion,
        uint40 appealDeadline,
        uint40 expiryTime,
        uint72 fee,
        Award[] calldata awards
    ) private {
        emit ITaskMarketEvents.VerdictIssued(
            taskId,
            evaluator,
            opinion.verdict,
            opinion.score,
            opinion.confidence,
            opinion.evidenceHash,
            appealDeadline,
            expiryTime,
            fee,
            awards
        );
    }

    /// @dev Returns whether the account may appeal. In a contest: whether the account has an active submission. In any
    /// other mode: whether the account is the assigned worker.
    function _mayAppeal(MarketStorage storage market, Task storage task, bytes32 taskId, address worker)
        private
        view
        returns (bool)
    {
        if (!Modes.isContest(task.kind)) return worker == task.worker;
        return market.entries[taskId][worker].active > 0;
    }

    /// @dev Pays the awards and completes the task. In a contest the function first marks the workers' entries as
    /// awarded.
    function _complete(
        MarketStorage storage market,
        IERC20 usdc,
        bytes32 taskId,
        Verdict verdict,
        bool isResolved,
        SettlementFlow.Payment[] memory payments
    ) private {
        if (Modes.isContest(market.tasks[taskId].kind)) {
            for (uint256 i; i < payments.length; i++) {
                market.entries[taskId][payments[i].worker].awarded = true;
            }
        }
        SettlementFlow.complete(
            market,
            usdc,
            taskId,
            payments,
            SettlementFlow.Completion({
                kind: ReputationKind.Completed, canVeto: false, verdict: verdict, isResolved: isResolved
            })
        );
    }
}
