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

/// @title Every event of the task market
/// @notice The logs are complete: each column of the read model follows from them alone. All amounts are USDC base
/// units, all times Unix seconds. Every event comes from the market's address, whichever library wrote it.
interface ITaskMarketEvents {
    /// @notice A task exists and its reward is in escrow. `mode` is the ERC-8195 selector.
    event TaskCreated(bytes32 indexed taskId, address indexed requester, bytes4 indexed mode, Terms terms);

    /// @notice The hook list a task will run with, in order, snapshot at creation: first the `defaultCount` default
    /// hooks, then the requester's. `hookSet` = keccak256(abi.encode(defaultCount, hooks)).
    event HooksAttached(
        bytes32 indexed taskId, bytes32 indexed hookSet, address[] hooks, uint8 defaultCount, bytes32 hookDataHash
    );

    /// @notice An evaluator is assigned, at creation or later.
    event EvaluatorAssigned(
        bytes32 indexed taskId,
        address indexed evaluator,
        address indexed resolver,
        uint16 feeBps,
        uint40 evaluationWindow,
        uint40 appealWindow
    );

    /// @notice The terms after an update, all of them, changed or not.
    event TaskUpdated(
        bytes32 indexed taskId,
        uint96 reward,
        uint40 expiryTime,
        uint40 pitchDeadline,
        uint40 bidDeadline,
        uint96 clockPrice,
        bytes32 contentHash
    );

    /// @notice A worker is assigned. `price` is the payable amount, `stake` what the worker put in.
    event TaskWorkerSelected(
        bytes32 indexed taskId, address indexed worker, SelectionKind kind, uint96 price, uint96 stake
    );

    /// @notice A pitch is anchored.
    event PitchSubmitted(bytes32 indexed taskId, address indexed worker, bytes32 pitchHash, uint32 pitchIndex);

    /// @notice A bid is placed; a later bid of the same worker replaces the earlier one.
    event BidSubmitted(bytes32 indexed taskId, address indexed worker, uint96 price, uint32 bidCount);

    /// @notice A benchmark proof is anchored. `proofType` is keccak256 of the type's name.
    event ProofSubmitted(
        bytes32 indexed taskId,
        address indexed worker,
        bytes32 proofHash,
        bytes32 proofType,
        uint256 metricValue,
        uint32 proofIndex
    );

    /// @notice A deliverable is anchored. `submissionIndex` counts from 0 within the task; `status`, `expiryTime` and
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

    /// @notice All submissions of a worker are rejected. `activeSubmissions` is the task's count after it.
    event SubmissionRejected(bytes32 indexed taskId, address indexed worker, uint32 activeSubmissions);

    /// @notice The requester refused a delivery on record; the money waits for acceptance or settleStale.
    event DeliveryObjected(bytes32 indexed taskId);

    /// @notice One award is settled; one event for each award of a task. `deliverable` is zero where a verdict awarded
    /// a worker of a contest: it names the worker, whose latest submission then stands for it.
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

    /// @notice Escrow went back to the requester.
    event EscrowReturned(bytes32 indexed taskId, address indexed to, uint96 amount, ReturnReason reason);

    /// @notice The task is cancelled (terminal).
    event TaskCancelled(bytes32 indexed taskId, uint96 refund, CancelReason reason);

    /// @notice The task's expired escrow is resolved (terminal).
    event TaskExpired(bytes32 indexed taskId, uint96 refund);

    /// @notice A stake went back to its worker.
    event StakeReturned(bytes32 indexed taskId, address indexed worker, uint96 amount);

    /// @notice A stake was lost to the fee recipient.
    event StakeForfeited(bytes32 indexed taskId, address indexed worker, uint96 amount);

    /// @notice A forfeited claim is open again; `round` counts the reopens.
    event TaskReopened(bytes32 indexed taskId, uint32 round);

    /// @notice A verdict is stored and its fee paid.
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

    /// @notice A verdict is appealed to the resolver.
    event VerdictAppealed(
        bytes32 indexed taskId, address indexed worker, address indexed resolver, uint40 resolutionDeadline
    );

    /// @notice The resolver decided an appeal.
    event DisputeResolved(bytes32 indexed taskId, address indexed resolver, Verdict verdict, Award[] awards);

    /// @notice A verdict took effect; `status` is Completed or Cancelled.
    event VerdictFinalized(bytes32 indexed taskId, Status status, Verdict verdict, uint96 refund);

    /// @notice The evaluator was too late; `status` is where the task went.
    event EvaluatorTimedOut(bytes32 indexed taskId, address indexed evaluator, Status status);

    /// @notice An award recipient is rated.
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

    /// @notice How a task ended, for the requester's record. Emitted once, at the terminal transition.
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

    /// @notice A hook failed, or vetoed where it may not.
    event HookCallFailed(bytes32 indexed taskId, address indexed hook, bytes4 indexed selector);

    /// @notice The default hooks of future tasks changed.
    event DefaultHooksSet(address[] hooks);

    /// @notice The platform fee of future tasks changed.
    event FeeUpdated(uint16 feeBps);

    /// @notice The receiver of platform fees changed.
    event FeeRecipientUpdated(address indexed recipient);

    /// @notice The ERC-8004 registries changed.
    event RegistryUpdated(address identityRegistry, address reputationRegistry);

    /// @notice Entries are paused (exits never are).
    event Paused(address account);

    /// @notice Entries are open again.
    event Unpaused(address account);

    /// @notice USDC beyond all liabilities left the market.
    event ExcessSwept(address indexed to, uint256 amount);
}
