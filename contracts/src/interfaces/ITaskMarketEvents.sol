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
/// @notice The logs are complete: every fact of a task follows from its events alone, without a call. Amounts are USDC
/// base units, times are Unix seconds. Every event comes from the market's address, whichever library emits it.
interface ITaskMarketEvents {
    /// @notice A task was created and its reward is in escrow. `mode` is the ERC-8195 selector.
    event TaskCreated(bytes32 indexed taskId, address indexed requester, bytes4 indexed mode, Terms terms);

    /// @notice A task has hooks: first the `defaultCount` default hooks, then the requester's, in the order of their
    /// calls. The list is fixed at creation. `hookSet` is keccak256(abi.encode(defaultCount, hooks)).
    event HooksAttached(
        bytes32 indexed taskId, bytes32 indexed hookSet, address[] hooks, uint8 defaultCount, bytes32 hookDataHash
    );

    /// @notice An evaluator was assigned, at creation or later. `resolver` is zero where no appeal is possible.
    event EvaluatorAssigned(
        bytes32 indexed taskId,
        address indexed evaluator,
        address indexed resolver,
        uint16 feeBps,
        uint40 evaluationWindow,
        uint40 appealWindow
    );

    /// @notice The requester changed the terms. Every term is logged as it is now, changed or not.
    event TaskUpdated(
        bytes32 indexed taskId,
        uint96 reward,
        uint40 expiryTime,
        uint40 pitchDeadline,
        uint40 bidDeadline,
        uint96 clockPrice,
        bytes32 contentHash
    );

    /// @notice A worker was assigned. `price` is the payable amount, `stake` the worker's own deposit.
    event TaskWorkerSelected(
        bytes32 indexed taskId, address indexed worker, SelectionKind kind, uint96 price, uint96 stake
    );

    /// @notice A pitch was anchored. `pitchIndex` counts from 0 within the task.
    event PitchSubmitted(bytes32 indexed taskId, address indexed worker, bytes32 pitchHash, uint32 pitchIndex);

    /// @notice A bid was placed. A later bid of the same worker replaces the earlier one; `bidCount` counts both.
    event BidSubmitted(bytes32 indexed taskId, address indexed worker, uint96 price, uint32 bidCount);

    /// @notice A benchmark proof was anchored. `proofType` is keccak256 of the type's name.
    event ProofSubmitted(
        bytes32 indexed taskId,
        address indexed worker,
        bytes32 proofHash,
        bytes32 proofType,
        uint256 metricValue,
        uint32 proofIndex
    );

    /// @notice A deliverable was anchored. `submissionIndex` counts from 0 within the task; `status`, `expiryTime` and
    /// `activeSubmissions` are the values after it; `phaseDeadline` is the evaluator's deadline or zero.
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

    /// @notice The requester rejected all submissions of a worker. `activeSubmissions` is the task's count after it.
    event SubmissionRejected(bytes32 indexed taskId, address indexed worker, uint32 activeSubmissions);

    /// @notice The requester objected to a delivery. The escrow waits for an acceptance or for `settleStale`.
    event DeliveryObjected(bytes32 indexed taskId);

    /// @notice One award was settled; a task with several awards has one event each. `deliverable` is zero where a
    /// verdict awarded a worker of a contest: a verdict names a worker, and the worker's latest submission counts as
    /// the awarded one.
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

    /// @notice Escrow was returned to the requester.
    event EscrowReturned(bytes32 indexed taskId, address indexed to, uint96 amount, ReturnReason reason);

    /// @notice The task was cancelled (terminal).
    event TaskCancelled(bytes32 indexed taskId, uint96 refund, CancelReason reason);

    /// @notice The task expired and its escrow was refunded (terminal).
    event TaskExpired(bytes32 indexed taskId, uint96 refund);

    /// @notice A stake was returned to its worker.
    event StakeReturned(bytes32 indexed taskId, address indexed worker, uint96 amount);

    /// @notice A stake was forfeited to the fee recipient.
    event StakeForfeited(bytes32 indexed taskId, address indexed worker, uint96 amount);

    /// @notice A forfeited claim was opened again; `round` counts the reopenings.
    event TaskReopened(bytes32 indexed taskId, uint32 round);

    /// @notice A verdict was stored and the evaluator's fee paid.
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

    /// @notice A verdict took effect. `status` is Completed or Cancelled; `refund` is the requester's part.
    event VerdictFinalized(bytes32 indexed taskId, Status status, Verdict verdict, uint96 refund);

    /// @notice The evaluator missed its deadline and was removed. `status` is the task's status after it.
    event EvaluatorTimedOut(bytes32 indexed taskId, address indexed evaluator, Status status);

    /// @notice The requester rated an award recipient.
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

    /// @notice A task ended in the way that `kind` names; counted in the requester's record. Emitted once, at the end.
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

    /// @notice A credit was paid out.
    event CreditWithdrawn(address indexed account, address indexed to, uint256 amount);

    /// @notice A hook failed, or refused a step that it cannot veto. The task went on.
    event HookCallFailed(bytes32 indexed taskId, address indexed hook, bytes4 indexed selector);

    /// @notice The owner set the default hooks of future tasks.
    event DefaultHooksSet(address[] hooks);

    /// @notice The owner set the platform fee of future tasks.
    event FeeUpdated(uint16 feeBps);

    /// @notice The owner set the receiver of platform fees.
    event FeeRecipientUpdated(address indexed recipient);

    /// @notice The owner set the ERC-8004 registries.
    event RegistryUpdated(address identityRegistry, address reputationRegistry);

    /// @notice The owner paused entries. Exits are never paused.
    event Paused(address account);

    /// @notice The owner opened entries again.
    event Unpaused(address account);

    /// @notice The owner took USDC beyond all liabilities.
    event ExcessSwept(address indexed to, uint256 amount);
}
