// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {
    Award,
    CancelReason,
    ReputationKind,
    ReturnReason,
    SelectionKind,
    Status,
    Terms,
    Verdict
} from "../types/TaskTypes.sol";

/// @title Events of the task market
/// @notice Every fact of a task can be derived from the task's events alone. Amounts are USDC base units, times are
/// Unix seconds. Events of the libraries are also logged under the market's address.
interface ITaskMarketEvents {
    /// @notice A task was created and its reward is in escrow. `mode` is the ERC-8195 selector of the task's mode.
    event TaskCreated(bytes32 indexed taskId, address indexed requester, bytes4 indexed mode, Terms terms);

    /// @notice A task was created with hooks. `hooks`: the default hooks, then the requester's hooks, in the order of
    /// their calls. `defaultCount`: number of default hooks. `hookSet`: keccak256(abi.encode(defaultCount, hooks)).
    /// `hookDataHash`: keccak256 of the hook data.
    event HooksAttached(
        bytes32 indexed taskId, bytes32 indexed hookSet, address[] hooks, uint8 defaultCount, bytes32 hookDataHash
    );

    /// @notice An evaluator was assigned to a task, at the creation or later. `resolver` is zero if appeals are not
    /// possible.
    event EvaluatorAssigned(
        bytes32 indexed taskId,
        address indexed evaluator,
        address indexed resolver,
        uint16 feeBps,
        uint40 evaluationWindow,
        uint40 appealWindow
    );

    /// @notice The requester changed terms of a task. The event contains the values after the update.
    event TaskUpdated(
        bytes32 indexed taskId,
        uint96 reward,
        uint40 expiryTime,
        uint40 pitchDeadline,
        uint40 bidDeadline,
        uint96 clockPrice,
        bytes32 contentHash
    );

    /// @notice A worker was assigned. `price` is the gross amount that the worker can be paid, `stake` is the worker's
    /// deposit.
    event TaskWorkerSelected(
        bytes32 indexed taskId, address indexed worker, SelectionKind kind, uint96 price, uint96 stake
    );

    /// @notice A worker submitted the hash of a pitch. `pitchIndex` is the number of the pitch within the task, counted
    /// from 0.
    event PitchSubmitted(bytes32 indexed taskId, address indexed worker, bytes32 pitchHash, uint32 pitchIndex);

    /// @notice A worker placed a bid. A later bid of the same worker replaces the earlier bid. `bidCount` is the number
    /// of all bids so far, replaced bids included.
    event BidSubmitted(bytes32 indexed taskId, address indexed worker, uint96 price, uint32 bidCount);

    /// @notice A worker submitted a benchmark proof. `proofType` is keccak256 of the name of the proof type.
    /// `proofIndex` is the number of the proof within the task, counted from 0.
    event ProofSubmitted(
        bytes32 indexed taskId,
        address indexed worker,
        bytes32 proofHash,
        bytes32 proofType,
        uint256 metricValue,
        uint32 proofIndex
    );

    /// @notice A worker submitted a deliverable. `submissionIndex`: number of the submission within the task, counted
    /// from 0. `status`, `expiryTime`, `activeSubmissions`: values after the submission. `phaseDeadline`: the
    /// evaluator's deadline; zero in contests and for tasks without an evaluator.
    event TaskSubmitted(
        bytes32 indexed taskId,
        address indexed worker,
        bytes32 indexed deliverable,
        uint32 submissionIndex,
        Status status,
        uint40 expiryTime,
        uint40 phaseDeadline,
        uint32 activeSubmissions
    );

    /// @notice The requester rejected all submissions of a worker. `activeSubmissions` is the number of active
    /// submissions that remain in the task.
    event SubmissionRejected(bytes32 indexed taskId, address indexed worker, uint32 activeSubmissions);

    /// @notice The requester objected to a delivery. If nobody decides about the delivery, `settleStale` refunds the
    /// requester.
    event DeliveryObjected(bytes32 indexed taskId);

    /// @notice An award was paid. Each award of a task emits one event. `deliverable`: the awarded deliverable. If a
    /// verdict decided a contest, `deliverable` is zero, and the award is for the worker's latest submission.
    /// `selfAward`: whether the worker is the requester.
    event TaskCompleted(
        bytes32 indexed taskId,
        address indexed worker,
        uint16 rank,
        uint96 grossAmount,
        uint96 workerPayment,
        uint96 platformFee,
        bytes32 deliverable,
        bool selfAward
    );

    /// @notice Escrow was returned to the requester, `to`.
    event EscrowReturned(bytes32 indexed taskId, address indexed to, uint96 amount, ReturnReason reason);

    /// @notice A task ended by cancellation. `refund` is the amount that was returned to the requester.
    event TaskCancelled(bytes32 indexed taskId, uint96 refund, CancelReason reason);

    /// @notice A task ended by expiry. `refund` is the amount that was returned to the requester.
    event TaskExpired(bytes32 indexed taskId, uint96 refund);

    /// @notice The stake of a worker was returned to the worker. The task ended by an award, a verdict or a
    /// cancellation, or expired after a delivery.
    event StakeReturned(bytes32 indexed taskId, address indexed worker, uint96 amount);

    /// @notice The stake of a worker was paid to the fee recipient. The task expired without a delivery, and was
    /// refunded or reopened.
    event StakeForfeited(bytes32 indexed taskId, address indexed worker, uint96 amount);

    /// @notice A task was opened again after its worker forfeited the claim. `round` is the number of reopenings so
    /// far.
    event TaskReopened(bytes32 indexed taskId, uint32 round);

    /// @notice An evaluator issued a verdict and received `fee`. If the task would expire before the appeal deadline,
    /// the verdict extends the expiry to this deadline. `expiryTime` is the task's expiry after this change.
    event VerdictIssued(
        bytes32 indexed taskId,
        address indexed evaluator,
        Verdict verdict,
        uint16 score,
        uint16 confidence,
        bytes32 evidenceHash,
        uint40 appealDeadline,
        uint40 expiryTime,
        uint96 fee,
        Award[] awards
    );

    /// @notice A worker appealed a verdict to the resolver.
    event VerdictAppealed(
        bytes32 indexed taskId, address indexed worker, address indexed resolver, uint40 resolutionDeadline
    );

    /// @notice The resolver decided an appeal.
    event DisputeResolved(bytes32 indexed taskId, address indexed resolver, Verdict verdict, Award[] awards);

    /// @notice A verdict took effect. `status`: Cancelled after a rejection, Completed after any other verdict.
    /// `refund`: the amount that is returned to the requester.
    event VerdictFinalized(bytes32 indexed taskId, Status status, Verdict verdict, uint96 refund);

    /// @notice The evaluator missed its deadline and was removed. `status` is the task's status after the removal.
    event EvaluatorTimedOut(bytes32 indexed taskId, address indexed evaluator, Status status);

    /// @notice The requester rated a worker who received an award.
    event TaskRated(
        bytes32 indexed taskId,
        address indexed worker,
        uint8 rating,
        uint256 raterAgentId,
        uint256 workerAgentId,
        bool hasAgent,
        string feedbackURI,
        bytes32 feedbackHash
    );

    /// @notice A task ended. Emitted once for each task. `kind`: the way in which the task ended, for the requester's
    /// record.
    event RequesterReputation(
        bytes32 indexed taskId,
        address indexed requester,
        ReputationKind kind,
        uint96 reward,
        uint32 submissionCount,
        bool selfAward
    );

    /// @notice A payout could not be delivered and became a credit of `account`.
    event PayoutDeferred(address indexed account, bytes32 indexed taskId, uint96 amount);

    /// @notice The credit of `account` (payouts that could not be delivered) was paid to `to`.
    event CreditWithdrawn(address indexed account, address indexed to, uint256 amount);

    /// @notice A call to a hook failed, or a hook refused a step that it cannot veto. The step took effect. `selector`:
    /// the called function of the hook.
    event HookCallFailed(bytes32 indexed taskId, address indexed hook, bytes4 indexed selector);

    /// @notice The owner set the default hooks of future tasks.
    event DefaultHooksSet(address[] hooks);

    /// @notice The owner set the platform fee of future tasks, in basis points.
    event FeeUpdated(uint16 feeBps);

    /// @notice The owner set the receiver of platform fees and forfeited stakes.
    event FeeRecipientUpdated(address indexed recipient);

    /// @notice The owner set the ERC-8004 registries to which ratings are copied.
    event RegistryUpdated(address identityRegistry, address reputationRegistry);

    /// @notice The owner, `account`, paused new tasks and entries. Refunds and payouts are never paused.
    event Paused(address account);

    /// @notice The owner, `account`, ended the pause of new tasks and entries.
    event Unpaused(address account);

    /// @notice The owner withdrew USDC that the market held beyond the amount that it owes.
    event ExcessSwept(address indexed to, uint256 amount);
}
