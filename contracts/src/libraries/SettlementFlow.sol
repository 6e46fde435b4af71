// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {HookAward, HookVerdict, HookVerdictType, ITaskHook} from "../interfaces/ITaskHook.sol";
import {ITaskMarketEvents} from "../interfaces/ITaskMarketEvents.sol";
import {Limits} from "../types/Limits.sol";
import {Evaluation, Flags, MarketStorage, Task} from "../types/MarketStorage.sol";
import {CancelReason, ReputationKind, ReturnReason, Status, Verdict} from "../types/TaskTypes.sol";
import {Amounts} from "./Amounts.sol";
import {HookLib} from "./HookLib.sol";
import {Payouts} from "./Payouts.sol";
import {Tasks} from "./Tasks.sol";

/// @title Endings of tasks: payment of awards, or a refund
/// @notice Every ending stores the final status and lowers the market's liabilities, then transfers USDC, then notifies
/// hooks. This order prevents a second payment by reentrance.
library SettlementFlow {
    /// @dev One award that is to be paid.
    /// @param worker The awarded worker.
    /// @param gross Gross amount in USDC base units.
    /// @param rank Rank of the award; the first rank is 1.
    /// @param deliverable The awarded deliverable; zero if a verdict awards a worker of a contest.
    struct Payment {
        address worker;
        uint72 gross;
        uint16 rank;
        bytes32 deliverable;
    }

    /// @dev The decision that completes a task.
    /// @param kind The way in which the task ends. The event RequesterReputation logs `kind`. The requester's record is
    /// built from this event.
    /// @param canVeto Whether hooks may veto the completion; true only if the requester accepts the work.
    /// @param verdict Verdict of the evaluator or the resolver; None if neither of them decided.
    /// @param isResolved Whether the resolver decided. If true, the evaluator's score, confidence and evidence do not
    /// apply.
    struct Completion {
        ReputationKind kind;
        bool canVeto;
        Verdict verdict;
        bool isResolved;
    }

    /// @dev Completes the task. Pays each winner the award less the platform fee. Returns the rest of the escrow to the
    /// requester, and the stake to the worker. The caller ensures that the gross amounts do not exceed the escrow.
    function complete(
        MarketStorage storage market,
        IERC20 usdc,
        bytes32 taskId,
        Payment[] memory payments,
        Completion memory completion
    ) internal {
        // Effect:
        Task storage task = market.tasks[taskId];
        (uint72 rest, uint72 stake) = _close(market, task, Status.Completed);
        task.awardCount = SafeCast.toUint8(payments.length);
        HookVerdict memory verdict;
        bool hasHooks = Tasks.has(task, Flags.HOOKS);
        if (hasHooks) {
            verdict = _toHookVerdict(market, taskId, payments, completion);
            HookLib.checkComplete(market, usdc, taskId, verdict, completion.canVeto);
        }

        // Interaction, log:
        (uint72 paid, bool anySelfAward) = _payAwards(market, usdc, task, taskId, payments);
        _payBack(market, usdc, task, taskId, rest - paid, stake);
        _logEnding(task, taskId, completion.kind, anySelfAward);
        if (hasHooks) HookLib.onComplete(market, usdc, taskId, verdict);
    }

    /// @dev Cancels the task. The escrow is returned to the requester, and a stake is returned to the worker.
    function cancel(MarketStorage storage market, IERC20 usdc, bytes32 taskId, CancelReason reason, ReputationKind kind)
        internal
    {
        // Effect:
        Task storage task = market.tasks[taskId];
        (uint72 refund, uint72 stake) = _close(market, task, Status.Cancelled);
        address requester = task.requester;

        // Interaction:
        Payouts.pay(market, usdc, taskId, requester, refund);

        // Log:
        emit ITaskMarketEvents.TaskCancelled(taskId, refund, reason);
        if (stake > 0) _returnStake(market, usdc, taskId, task.worker, stake);
        _logEnding(task, taskId, kind, false);
        if (Tasks.has(task, Flags.HOOKS)) HookLib.notify(market, usdc, taskId, ITaskHook.onCancel.selector);
    }

    /// @dev Ends the task as expired. The requester gets the escrow. If the worker delivered, the worker gets the
    /// stake. If not, the stake is forfeited.
    function expire(MarketStorage storage market, IERC20 usdc, bytes32 taskId, ReputationKind kind) internal {
        // Effect:
        Task storage task = market.tasks[taskId];
        // An open auction stores its lowest bid as worker and price: no worker was assigned.
        if (task.status == Status.Open && task.bidCount > 0) (task.worker, task.price) = (address(0), 0);
        (uint72 refund, uint72 stake) = _close(market, task, Status.Expired);
        address requester = task.requester;

        // Interaction:
        Payouts.pay(market, usdc, taskId, requester, refund);

        // Log:
        emit ITaskMarketEvents.TaskExpired(taskId, refund);
        if (stake > 0) {
            if (task.deliverable != 0) _returnStake(market, usdc, taskId, task.worker, stake);
            else forfeitStake(market, usdc, taskId, task.worker, stake);
        }
        _logEnding(task, taskId, kind, false);
        if (Tasks.has(task, Flags.HOOKS)) HookLib.notify(market, usdc, taskId, ITaskHook.onExpire.selector);
    }

    /// @dev Pays escrow to the requester and emits EscrowReturned. The amount was already subtracted from
    /// `totalEscrow`.
    function returnEscrow(
        MarketStorage storage market,
        IERC20 usdc,
        bytes32 taskId,
        address requester,
        uint72 amount,
        ReturnReason reason
    ) internal {
        Payouts.pay(market, usdc, taskId, requester, amount);
        emit ITaskMarketEvents.EscrowReturned(taskId, requester, amount, reason);
    }

    /// @dev Pays a stake to the fee recipient and emits StakeForfeited. The stake was already subtracted from
    /// `totalEscrow`.
    function forfeitStake(MarketStorage storage market, IERC20 usdc, bytes32 taskId, address worker, uint72 stake)
        internal
    {
        Payouts.pay(market, usdc, taskId, market.feeRecipient, stake);
        emit ITaskMarketEvents.StakeForfeited(taskId, worker, stake);
    }

    /// @dev Pays a stake back to the worker and emits StakeReturned. The stake was already subtracted from
    /// `totalEscrow`.
    function _returnStake(MarketStorage storage market, IERC20 usdc, bytes32 taskId, address worker, uint72 stake)
        private
    {
        Payouts.pay(market, usdc, taskId, worker, stake);
        emit ITaskMarketEvents.StakeReturned(taskId, worker, stake);
    }

    /// @dev Stores the final status of the task and subtracts the task's escrow and stake from `totalEscrow`.
    /// @return escrow Escrow of the task, which the caller must pay out.
    /// @return stake Stake of the task, which the caller must pay out.
    function _close(MarketStorage storage market, Task storage task, Status ending)
        private
        returns (uint72 escrow, uint72 stake)
    {
        (escrow, stake) = (task.escrow, Tasks.stakeHeld(task));
        task.escrow = 0;
        task.status = ending;
        market.totalEscrow -= escrow + stake;
    }

    /// @dev Pays each winner the award less the platform fee, and pays the fees to the fee recipient.
    /// @return sum Sum of the gross amounts, platform fees included.
    /// @return anySelfAward Whether the requester awarded itself.
    function _payAwards(
        MarketStorage storage market,
        IERC20 usdc,
        Task storage task,
        bytes32 taskId,
        Payment[] memory payments
    ) private returns (uint72 sum, bool anySelfAward) {
        uint72 fees;
        for (uint256 i; i < payments.length; i++) {
            Payment memory payment = payments[i];
            bool isSelf = payment.worker == task.requester;
            // The fee of each award is rounded down on its own.
            (uint72 fee, uint72 net) = Amounts.splitFee(payment.gross, task.feeBps);
            Payouts.pay(market, usdc, taskId, payment.worker, net);
            _logAward(taskId, payment, fee, net, isSelf);
            fees += fee;
            sum += payment.gross;
            anySelfAward = anySelfAward || isSelf;
        }
        Payouts.pay(market, usdc, taskId, market.feeRecipient, fees);
    }

    /// @dev Emits TaskCompleted for one award. This is a separate function because of the compiler's stack limit.
    function _logAward(bytes32 taskId, Payment memory payment, uint72 fee, uint72 net, bool isSelf) private {
        emit ITaskMarketEvents.TaskCompleted(
            taskId, payment.worker, payment.rank, payment.gross, net, fee, payment.deliverable, isSelf
        );
    }

    /// @dev Returns the unawarded escrow to the requester and the stake to the worker.
    function _payBack(
        MarketStorage storage market,
        IERC20 usdc,
        Task storage task,
        bytes32 taskId,
        uint72 rest,
        uint72 stake
    ) private {
        if (rest > 0) returnEscrow(market, usdc, taskId, task.requester, rest, ReturnReason.Unawarded);
        if (stake > 0) _returnStake(market, usdc, taskId, task.worker, stake);
    }

    /// @dev Emits RequesterReputation. The event adds the ending of the task to the requester's record.
    function _logEnding(Task storage task, bytes32 taskId, ReputationKind kind, bool selfAward) private {
        emit ITaskMarketEvents.RequesterReputation(
            taskId, task.requester, kind, task.reward, task.submissionCount, selfAward
        );
    }

    /// @dev Returns the verdict that hooks receive. If the requester attached a hook, the function also stores the hash
    /// of the awards.
    function _toHookVerdict(
        MarketStorage storage market,
        bytes32 taskId,
        Payment[] memory payments,
        Completion memory completion
    ) private returns (HookVerdict memory verdict) {
        address[] memory workers = new address[](payments.length);
        uint256[] memory amounts = new uint256[](payments.length);
        verdict.awards = new HookAward[](payments.length);
        for (uint256 i; i < payments.length; i++) {
            (workers[i], amounts[i]) = (payments[i].worker, payments[i].gross);
            verdict.awards[i] =
                HookAward({worker: payments[i].worker, amount: payments[i].gross, rank: payments[i].rank});
        }
        Task storage task = market.tasks[taskId];
        if (Tasks.has(task, Flags.CUSTOM_HOOKS)) task.awardsHash = keccak256(abi.encode(workers, amounts));
        verdict.issued = true;
        (verdict.score, verdict.confidence) = (Limits.MAX_SCORE, Limits.MAX_SCORE);
        if (completion.verdict == Verdict.Partial) verdict.verdictType = HookVerdictType.Partial;
        if (completion.verdict == Verdict.None || completion.isResolved) return verdict;
        Evaluation storage evaluation = market.evaluations[taskId];
        (verdict.score, verdict.confidence) = (evaluation.score, evaluation.confidence);
        verdict.evidenceHash = evaluation.evidenceHash;
    }
}
