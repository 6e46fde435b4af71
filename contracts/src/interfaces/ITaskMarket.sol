// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {
    Award,
    CreateTaskParams,
    EntryView,
    EvaluationView,
    EvaluatorTerms,
    RateParams,
    Status,
    TaskView,
    UpdateTaskParams,
    Verdict,
    Winner
} from "../types/TaskTypes.sol";
import {TaskContext} from "./ITaskHook.sol";
import {ITaskMarketEvents} from "./ITaskMarketEvents.sol";

/// @title The task market: escrow and state machine
/// @notice The actor of a call is `pgtrSender()` of the forwarder when the forwarder calls, else the caller itself:
/// every account can act, exit and be paid without any service. Money comes in only by `transferFrom` of the caller,
/// inside the call that needs it.
interface ITaskMarket is ITaskMarketEvents {
    error ZeroAddress();
    error ActorRequired();
    error Reentered();
    error TaskNotFound(bytes32 taskId);
    error WrongMode(bytes4 selector);
    error WrongStatus(Status status);
    error NotRequester(address actor);
    error EntriesPaused();
    error NotEnoughGas(uint256 required);
    // Terms
    error RewardTooLow(uint256 reward, uint256 minimum);
    error AmountTooLarge(uint256 amount, uint256 maximum);
    error InvalidDuration(uint256 duration);
    error InvalidDeadline(uint256 deadline);
    error InvalidPrice(uint256 price);
    error InvalidStake(uint256 stakeBps);
    error InvalidTerms();
    error TooManyTags(uint256 count, uint256 maximum);
    error NothingToUpdate();
    error TaskTermsMismatch(bytes32 expected, bytes32 actual);
    error TermsLocked(uint32 entries);
    error FeeTooHigh(uint256 feeBps, uint256 maximum);
    error DeadlinePassed(uint256 deadline);
    error DeadlineNotReached(uint256 deadline);
    // Evaluator
    error InvalidEvaluator(address evaluator);
    error InvalidWindow(uint256 window);
    error EvaluatorAlreadyAssigned(address evaluator);
    error EvaluatorDecides(address evaluator);
    error NoEvaluator();
    error NotEvaluator(address actor);
    error NotResolver(address actor);
    error NoResolver();
    error InvalidVerdict(Verdict verdict);
    error InvalidScore(uint256 score, uint256 maximum);
    error AwardsNotAllowed();
    error InvalidRank(uint256 rank);
    error AwardsExceedEscrow(uint256 sum, uint256 available);
    error NotAppellant(address actor);
    /// @notice Before the expiry of a contest only an approval that awards all that can be paid is taken.
    error ContestStillOpen(uint256 expiryTime);
    // Hooks
    error TooManyHooks(uint256 count, uint256 maximum);
    error InvalidHook(address hook);
    error DuplicateHook(address hook);
    error HookDataTooLong(uint256 length, uint256 maximum);
    /// @param reason First 256 bytes of what the hook reverted with, empty when it answered false.
    error HookVetoed(address hook, bytes4 step, bytes reason);
    // Entries
    error CannotEnter(address actor);
    error NotSelectedWorker(address actor);
    error ZeroDeliverable();
    error ZeroHash();
    error DuplicateSubmission(address worker, bytes32 deliverable);
    error WorkerIsRejected(address worker);
    error NoWorkers();
    error NoPitch(address worker);
    error NoActiveSubmission(address worker);
    error NothingToEvaluate();
    error UnknownDeliverable(address worker, bytes32 deliverable);
    error AlreadyObjected();
    // Auctions
    error OwnAuction(address actor);
    error BidTooLow(uint256 price, uint256 minimum);
    error BidTooHigh(uint256 price, uint256 maximum);
    error BidNotLower(uint256 price, uint256 present);
    error BidLimitReached(uint256 maximum);
    error BidsExist(uint32 bids);
    error NoBids();
    error PriceBelowMinimum(uint256 price, uint256 minimum);
    // Endings
    error ActiveSubmissionsExist(uint32 activeSubmissions);
    error NoWinners();
    error TooManyWinners(uint256 count, uint256 maximum);
    error DuplicateWinner(address worker);
    error InvalidShares(uint256 sum);
    error ZeroAward(address worker);
    error NotAwarded(address worker);
    error AlreadyRated(address worker);
    error SelfRating(address actor);
    error InvalidRating(uint8 rating);
    error NoCredit(address account);
    error InvalidRecipient(address to);
    error NothingToSweep();

    /// @notice Creates a task and takes its reward into escrow.
    /// @return taskId keccak256(abi.encode(chainid, market, requester, nonce)).
    function createTask(CreateTaskParams calldata params) external returns (bytes32 taskId);

    /// @notice Changes the terms of an open task. Increase and extension always; decrease and shortening never after
    /// the first submission or pitch; nothing of an auction after its first bid. An update that changes nothing reverts.
    function updateTask(UpdateTaskParams calldata params) external;

    /// @notice Assigns an evaluator to an open task that has no entry and no evaluator.
    function assignEvaluator(bytes32 taskId, EvaluatorTerms calldata terms) external;

    /// @notice Claims a task (claim mode), with the stake when one is required.
    /// @param termsHash `taskTermsHash` of the terms the worker agrees to, so that no change slips in before the claim and
    /// takes another stake or time; zero: whatever they are.
    function claimTask(bytes32 taskId, bytes32 termsHash) external;

    /// @notice Anchors a pitch (pitch mode), until the pitch deadline. A worker may pitch more than once.
    function submitPitch(bytes32 taskId, bytes32 pitchHash) external;

    /// @notice Selects a worker who pitched (pitch mode, requester), until expiry.
    function selectWorker(bytes32 taskId, address worker) external;

    /// @notice Places or lowers a bid, until the bid deadline. English: strictly below the lowest bid. Reverse english:
    /// strictly below the worker's own last bid. At least 1000 base units, never by the requester. From 500 bids on only
    /// a bid below the lowest one is taken.
    function submitBid(bytes32 taskId, uint96 price) external;

    /// @notice Assigns the lowest bidder, from the bid deadline until expiry; of equal bids the earlier wins. What the
    /// price leaves of the escrow goes back to the requester now. Anyone may call.
    function selectLowestBidder(bytes32 taskId) external;

    /// @notice Takes the task at the current clock price (dutch, reverse dutch), when it is at least `minPrice`, until
    /// expiry; never by the requester. What the price leaves of the escrow goes back to the requester now.
    function acceptAuction(bytes32 taskId, uint96 minPrice) external;

    /// @notice Anchors a deliverable, before expiry. Contests: as often as the worker likes. Else the assigned worker,
    /// once: the requester decides, or the evaluator when there is one.
    function submitWork(bytes32 taskId, bytes32 deliverable) external;

    /// @notice Anchors a benchmark proof, and the proof's hash as a submission.
    /// @param proofType keccak256 of the type's name.
    function submitProof(bytes32 taskId, bytes32 proofHash, bytes32 proofType, uint256 metricValue) external;

    /// @notice Rejects workers of a contest with all their active submissions; they cannot enter again.
    function rejectSubmissions(bytes32 taskId, address[] calldata workers) external;

    /// @notice Pays the whole escrow to one worker for a committed deliverable: any of a contest, the delivered one else.
    function acceptSubmission(bytes32 taskId, address worker, bytes32 deliverable) external;

    /// @notice Splits the reward of a contest among at most 50 winners.
    function acceptSubmissions(bytes32 taskId, Winner[] calldata winners) external;

    /// @notice Cancels an open task without active submissions or bids; the escrow goes back.
    function cancelTask(bytes32 taskId) external;

    /// @notice Refunds an expired task without a delivery, and forfeits the stake of a claim; anyone may call.
    function refundExpired(bytes32 taskId) external;

    /// @notice Puts the requester's refusal of a delivery on record (single-worker tasks, once).
    function objectToDelivery(bytes32 taskId) external;

    /// @notice Ends an expired claim, forfeits its stake and opens the task again (claim mode, requester).
    function forfeitAndReopen(bytes32 taskId) external;

    /// @notice Issues a verdict (evaluator): in review before the evaluator's deadline, in a contest with active
    /// submissions before expiry plus the evaluation window, and before its expiry only an approval whose awards sum to
    /// all that can be paid. The fee is paid now, whatever the verdict.
    /// @param score 0..1000, informative.
    /// @param confidence 0..1000, informative.
    function evaluate(
        bytes32 taskId,
        Verdict verdict,
        uint16 score,
        uint16 confidence,
        bytes32 evidenceHash,
        Award[] calldata awards
    ) external;

    /// @notice Appeals a verdict to the resolver, before the appeal deadline: the assigned worker; in a contest any
    /// worker with an active submission.
    function appeal(bytes32 taskId) external;

    /// @notice Lets a verdict take effect, after the appeal deadline, or after a resolver's; anyone may call.
    function finalizeVerdict(bytes32 taskId) external;

    /// @notice Settles an appeal with awards of its own (resolver, before its deadline).
    function resolveDispute(bytes32 taskId, Verdict verdict, Award[] calldata awards) external;

    /// @notice Takes the task back from an evaluator that did not answer in time (requester).
    function evaluatorTimeout(bytes32 taskId) external;

    /// @notice The last exit of a task without an answer, 90 days after the last deadline; anyone may call. Pays the worker of a
    /// delivery that the requester did not refuse, else refunds.
    function settleStale(bytes32 taskId) external;

    /// @notice Rates an award recipient once (requester, after completion), never itself.
    function rateTask(RateParams calldata params) external;

    /// @notice Pays the caller's credit to any address but the market and its forwarder, where no account would own it.
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

    /// @notice The evaluator flow of a task.
    function evaluationOf(bytes32 taskId) external view returns (EvaluationView memory);

    /// @notice The hooks of a task, in order; the first `defaultCount` are default hooks.
    function hooksOf(bytes32 taskId) external view returns (address[] memory hooks, uint256 defaultCount);

    /// @notice The lowest bid of an open auction; zeros when there is none.
    function lowestBidOf(bytes32 taskId) external view returns (address worker, uint256 price);

    /// @notice The clock price now. Reverts with WrongMode outside dutch and reverse dutch.
    function clockPriceOf(bytes32 taskId) external view returns (uint256);

    // --- Views for hooks and vaults, true also while a hook runs ---

    /// @notice What every hook is told about a task, but its tags, which only `checkFund` is told.
    function contextOf(bytes32 taskId) external view returns (TaskContext memory);

    /// @notice keccak256(abi.encode(bytes4 mode, bytes4 auctionType, uint256 reward, uint256 duration,
    /// uint256 pitchDuration, uint256 bidDuration, uint256 clockPrice, uint256 stakeBps, bytes32 tagsHash,
    /// address evaluator, address resolver, uint256 evaluatorFeeBps, uint256 evaluationWindow, uint256 appealWindow,
    /// bytes32 hookSet)) of the present terms. Durations are seconds from creation, zero where the mode has none. It changes
    /// with `updateTask`, with the evaluator's assignment and timeout, and when a delivery or a verdict moves the expiry.
    function taskTermsHash(bytes32 taskId) external view returns (bytes32);

    /// @notice keccak256(abi.encode(address[] workers, uint256[] amounts)) of the gross awards of a completed task with
    /// a custom hook, in the order of their TaskCompleted events; zero for every other task.
    function awardsHash(bytes32 taskId) external view returns (bytes32);

    /// @notice Position of a committed deliverable in its contest, counted from 0. The deliverable of an assigned worker
    /// is in `getTask`.
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
