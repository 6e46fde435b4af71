// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {
    Award,
    CreateTaskParams,
    EntryView,
    EvaluatorTerms,
    RateParams,
    Status,
    TaskView,
    UpdateTaskParams,
    Verdict,
    Winner
} from "../types/TaskTypes.sol";
import {ITaskMarketEvents} from "./ITaskMarketEvents.sol";

/// @title The task market: escrow and state machine
/// @notice The actor of a call is `pgtrSender()` of the forwarder when the forwarder calls, else the caller itself:
/// everybody can act, exit and be paid without any service. Money comes in only by `transferFrom` of the caller,
/// inside the call that needs it.
interface ITaskMarket is ITaskMarketEvents {
    error ZeroAddress();
    error ActorRequired();
    error Reentered();
    error TaskNotFound(bytes32 taskId);
    error WrongMode(bytes4 mode);
    error WrongStatus(Status status);
    error NotRequester(address actor);
    error SelfEntry(address actor);
    error RewardTooLow(uint256 reward, uint256 minimum);
    error AmountTooLarge(uint256 amount, uint256 maximum);
    error InvalidDuration(uint256 duration);
    error InvalidDeadline(uint256 deadline);
    error InvalidTerms();
    error TooManyTags(uint256 count, uint256 maximum);
    error HookDataTooLong(uint256 length, uint256 maximum);
    error EvaluatorNotAvailable();
    error HooksNotAvailable();
    error DeadlinePassed(uint256 deadline);
    error DeadlineNotReached(uint256 deadline);
    error NothingToUpdate();
    error TermsLocked(uint32 entries);
    error ZeroDeliverable();
    error DuplicateSubmission(address worker, bytes32 deliverable);
    error WorkerIsRejected(address worker);
    error NoWorkers();
    error NoActiveSubmission(address worker);
    error UnknownDeliverable(address worker, bytes32 deliverable);
    error ActiveSubmissionsExist(uint32 activeSubmissions);
    error NoWinners();
    error TooManyWinners(uint256 count, uint256 maximum);
    error DuplicateWinner(address worker);
    error InvalidShares(uint256 sum);
    error ZeroAward(address worker);
    error NotAwarded(address worker);
    error AlreadyRated(address worker);
    error InvalidRating(uint8 rating);
    error NoCredit(address account);
    error FeeTooHigh(uint256 feeBps, uint256 maximum);
    error EntriesPaused();
    error NothingToSweep();
    error NotEnoughGas(uint256 required);

    /// @notice Creates a task and takes its reward into escrow.
    /// @return taskId keccak256(abi.encode(chainid, market, requester, nonce)).
    function createTask(CreateTaskParams calldata params) external returns (bytes32 taskId);

    /// @notice Changes the terms of an open task. Increase and extension always; decrease and shortening never after
    /// the first entry. An update that changes nothing reverts.
    function updateTask(UpdateTaskParams calldata params) external;

    /// @notice Assigns an evaluator to an open task that nobody entered.
    function assignEvaluator(bytes32 taskId, EvaluatorTerms calldata terms) external;

    /// @notice Claims a task (claim mode), with the stake when one is required.
    function claimTask(bytes32 taskId) external;

    /// @notice Anchors a pitch (pitch mode).
    function submitPitch(bytes32 taskId, bytes32 pitchHash) external;

    /// @notice Selects a worker who pitched (pitch mode, requester).
    function selectWorker(bytes32 taskId, address worker) external;

    /// @notice Places or lowers a bid (english, reverse english).
    function submitBid(bytes32 taskId, uint96 price) external;

    /// @notice Assigns the lowest bidder after the bid deadline; anyone may call.
    function selectLowestBidder(bytes32 taskId) external;

    /// @notice Takes the task at the current clock price (dutch, reverse dutch).
    function acceptAuction(bytes32 taskId, uint96 minPrice) external;

    /// @notice Anchors a deliverable. Contests: while open and before expiry, as often as the worker likes.
    function submitWork(bytes32 taskId, bytes32 deliverable) external;

    /// @notice Anchors a benchmark proof and a submission.
    function submitProof(bytes32 taskId, bytes32 proofHash, bytes32 proofType, uint256 metricValue) external;

    /// @notice Rejects workers of a contest with all their active submissions; they cannot enter again.
    function rejectSubmissions(bytes32 taskId, address[] calldata workers) external;

    /// @notice Pays the whole reward to one worker for a committed deliverable.
    function acceptSubmission(bytes32 taskId, address worker, bytes32 deliverable) external;

    /// @notice Splits the reward of a contest among at most 50 winners.
    function acceptSubmissions(bytes32 taskId, Winner[] calldata winners) external;

    /// @notice Cancels an open task without active submissions or bids; the escrow goes back.
    function cancelTask(bytes32 taskId) external;

    /// @notice Refunds an expired task that nobody delivered; anyone may call.
    function refundExpired(bytes32 taskId) external;

    /// @notice Puts the requester's refusal of a delivery on record (single-worker tasks).
    function objectToDelivery(bytes32 taskId) external;

    /// @notice Ends an expired claim and opens the task again (claim mode, requester).
    function forfeitAndReopen(bytes32 taskId) external;

    /// @notice Issues a verdict (evaluator).
    function evaluate(
        bytes32 taskId,
        Verdict verdict,
        uint16 score,
        uint16 confidence,
        bytes32 evidenceHash,
        Award[] calldata awards
    ) external;

    /// @notice Appeals a verdict (worker).
    function appeal(bytes32 taskId) external;

    /// @notice Lets a verdict take effect; anyone may call.
    function finalizeVerdict(bytes32 taskId) external;

    /// @notice Settles an appeal (resolver).
    function resolveDispute(bytes32 taskId, Verdict verdict, Award[] calldata awards) external;

    /// @notice Takes the task back from a silent evaluator (requester).
    function evaluatorTimeout(bytes32 taskId) external;

    /// @notice The last exit from silence, 90 days after the last deadline; anyone may call.
    function settleStale(bytes32 taskId) external;

    /// @notice Rates an award recipient once (requester, after completion).
    function rateTask(RateParams calldata params) external;

    /// @notice Pays the caller's credit to any address.
    function withdrawCredit(address to) external;

    /// @notice Pays an account's credit to that account; anyone may call.
    function pushCredit(address account) external;

    // --- Administration (owner) ---

    function setFeeBps(uint16 feeBps) external;
    function setFeeRecipient(address recipient) external;
    function setRegistries(address identityRegistry, address reputationRegistry) external;
    function setDefaultHooks(address[] calldata hooks) external;
    function pause() external;
    function unpause() external;
    function sweepExcess(address to) external;

    // --- Views ---

    /// @notice A task, all zero when it does not exist.
    function getTask(bytes32 taskId) external view returns (TaskView memory);

    /// @notice What a worker did in a task.
    function entryOf(bytes32 taskId, address worker) external view returns (EntryView memory);

    /// @notice Position of a committed deliverable in the task, counted from 0.
    function submissionIndexOf(bytes32 taskId, address worker, bytes32 deliverable)
        external
        view
        returns (bool exists, uint32 index);

    /// @notice The id the next task of a requester will get.
    function nextTaskId(address requester) external view returns (bytes32);

    /// @notice How often a task was reopened: the `<round>` of bound claim and forfeit messages.
    function roundOf(bytes32 taskId) external view returns (uint32);

    function nonceOf(address requester) external view returns (uint256);
    function creditOf(address account) external view returns (uint256);

    /// @notice Sum of all escrows, stakes and credits: what the market owes.
    function totalEscrow() external view returns (uint256);

    function usdc() external view returns (address);
    function forwarder() external view returns (address);
    function feeBps() external view returns (uint16);
    function feeRecipient() external view returns (address);
    function identityRegistry() external view returns (address);
    function reputationRegistry() external view returns (address);
    function defaultHooks() external view returns (address[] memory);
    function paused() external view returns (bool);
}
