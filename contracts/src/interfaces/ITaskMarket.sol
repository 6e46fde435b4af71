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
/// @notice Holds the USDC reward of each task from its creation until winners are paid or the requester is refunded. A
/// task is a bounty, claim, pitch, benchmark or auction; the market enforces its terms and pays by its rules alone. The
/// actor of a call is `pgtrSender()` of the forwarder when the forwarder calls, else the caller: every account can act,
/// exit and be paid without any service. USDC comes in only by `transferFrom` of the caller, inside the call that needs
/// it.
///
/// Units: amounts are USDC base units (1 USDC = 1000000), times are Unix seconds, parts are basis points (750 = 7.5 %).
interface ITaskMarket is ITaskMarketEvents {
    /// @notice The address must not be zero.
    error ZeroAddress();
    /// @notice The forwarder called without an actor: a permissionless call reached a function that needs one.
    error ActorRequired();
    /// @notice A hook, token or wallet called the market while a call was in progress.
    error Reentered();
    /// @notice No task has this id.
    error TaskNotFound(bytes32 taskId);
    /// @notice The function does not exist for this mode. `selector` is the task's mode, the subtype of its auction, or
    /// an unknown one.
    error WrongMode(bytes4 selector);
    /// @notice The step is not possible in the task's present status.
    error WrongStatus(Status status);
    /// @notice Only the requester of the task may do this.
    error NotRequester(address actor);
    /// @notice The owner paused creations and entries. Exits continue.
    error EntriesPaused();
    /// @notice Less than `required` gas is left for a call to a hook or registry with its full stipend. Send more.
    error NotEnoughGas(uint256 required);
    // Terms
    /// @notice The reward is below the minimum of 1000 base units.
    error RewardTooLow(uint256 reward, uint256 minimum);
    /// @notice The amount, or the sum of all escrows with it, does not fit into 72 bits.
    error AmountTooLarge(uint256 amount, uint256 maximum);
    /// @notice The duration is zero or above ten years.
    error InvalidDuration(uint256 duration);
    /// @notice The deadline or window has passed, is more than ten years away, or does not fit the mode or the expiry.
    error InvalidDeadline(uint256 deadline);
    /// @notice A clock price must be above zero and at most the reward; it must be zero in modes without a clock.
    error InvalidPrice(uint256 price);
    /// @notice A stake is at most the reward (10000), and zero in modes other than claim.
    error InvalidStake(uint256 stakeBps);
    /// @notice The update sets a term that the task's mode does not have.
    error InvalidTerms();
    /// @notice A task has at most 10 tags.
    error TooManyTags(uint256 count, uint256 maximum);
    /// @notice The update would change nothing.
    error NothingToUpdate();
    /// @notice The terms changed since the worker read them: `taskTermsHash` is now `actual`.
    error TaskTermsMismatch(bytes32 expected, bytes32 actual);
    /// @notice A worker entered, and the change would take something from the workers who did.
    error TermsLocked(uint32 entries);
    /// @notice The fee is above the maximum: 20 % for the platform, 100 % less the platform's fee for an evaluator.
    error FeeTooHigh(uint256 feeBps, uint256 maximum);
    /// @notice The step was possible before this time only.
    error DeadlinePassed(uint256 deadline);
    /// @notice The step is possible from this time on.
    error DeadlineNotReached(uint256 deadline);
    // Evaluator
    /// @notice Requester, evaluator and resolver must be three accounts, and an evaluator must be given.
    error InvalidEvaluator(address evaluator);
    /// @notice An evaluation window is 1 second to ten years, an appeal window 300 seconds to ten years.
    error InvalidWindow(uint256 window);
    /// @notice The task has this evaluator.
    error EvaluatorAlreadyAssigned(address evaluator);
    /// @notice The requester cannot accept or reject while an evaluator is assigned.
    error EvaluatorDecides(address evaluator);
    /// @notice The task has no evaluator.
    error NoEvaluator();
    /// @notice Only the task's evaluator may do this.
    error NotEvaluator(address actor);
    /// @notice Only the task's resolver may do this.
    error NotResolver(address actor);
    /// @notice The task has no resolver: its verdict cannot be appealed.
    error NoResolver();
    /// @notice An evaluator issues Approve, Reject or Partial; a resolver Approve or Partial.
    error InvalidVerdict(Verdict verdict);
    /// @notice Score and confidence are at most 1000.
    error InvalidScore(uint256 score, uint256 maximum);
    /// @notice A rejection has no awards.
    error AwardsNotAllowed();
    /// @notice A rank is 1 to 255, and each award has a rank of its own.
    error InvalidRank(uint256 rank);
    /// @notice The awards sum to more than the task can pay.
    error AwardsExceedEscrow(uint256 sum, uint256 available);
    /// @notice Only the assigned worker, or in a contest a worker with an active submission, may appeal.
    error NotAppellant(address actor);
    /// @notice Before its expiry a contest accepts only an approval that awards everything, so that no evaluator can
    /// end it early for less.
    error ContestStillOpen(uint256 expiryTime);
    // Hooks
    /// @notice A task has at most 8 hooks, 3 of them default hooks.
    error TooManyHooks(uint256 count, uint256 maximum);
    /// @notice The contract does not report the hook ABI by ERC-165 (id 0x2187b4de).
    error InvalidHook(address hook);
    /// @notice The hook is in the list twice.
    error DuplicateHook(address hook);
    /// @notice Hook data is at most 4096 bytes.
    error HookDataTooLong(uint256 length, uint256 maximum);
    /// @notice A custom hook refused the step.
    /// @param hook The hook that refused.
    /// @param step Selector of the hook function, such as `checkClaim`.
    /// @param reason First 256 bytes of the hook's revert data; empty when the hook returned false.
    error HookVetoed(address hook, bytes4 step, bytes reason);
    // Entries
    /// @notice The evaluator and the resolver of a task cannot work on it.
    error CannotEnter(address actor);
    /// @notice Only the assigned worker may deliver, and only the assigned worker can be awarded.
    error NotSelectedWorker(address actor);
    /// @notice A deliverable is a hash other than zero.
    error ZeroDeliverable();
    /// @notice A pitch or proof is a hash other than zero.
    error ZeroHash();
    /// @notice The worker submitted this deliverable before.
    error DuplicateSubmission(address worker, bytes32 deliverable);
    /// @notice The requester rejected this worker, who cannot enter the task again.
    error WorkerIsRejected(address worker);
    /// @notice The list of workers to reject is empty.
    error NoWorkers();
    /// @notice The worker did not pitch.
    error NoPitch(address worker);
    /// @notice The worker has no active submission.
    error NoActiveSubmission(address worker);
    /// @notice The contest has no active submission.
    error NothingToEvaluate();
    /// @notice The worker did not commit this deliverable.
    error UnknownDeliverable(address worker, bytes32 deliverable);
    /// @notice The requester's objection is on record already.
    error AlreadyObjected();
    // Auctions
    /// @notice The requester cannot bid in its own auction or accept its price.
    error OwnAuction(address actor);
    /// @notice A bid is at least 1000 base units.
    error BidTooLow(uint256 price, uint256 minimum);
    /// @notice A bid is at most the reward, which is the maximum price.
    error BidTooHigh(uint256 price, uint256 maximum);
    /// @notice The bid must be below `present`: the lowest bid (english) or the worker's own last one (reverse
    /// english).
    error BidNotLower(uint256 price, uint256 present);
    /// @notice The auction has 500 bids or more: only a bid that takes the lead is accepted.
    error BidLimitReached(uint256 maximum);
    /// @notice An auction with bids cannot be cancelled.
    error BidsExist(uint32 bids);
    /// @notice The auction has no bids.
    error NoBids();
    /// @notice The clock price fell below the caller's minimum.
    error PriceBelowMinimum(uint256 price, uint256 minimum);
    // Endings
    /// @notice Active submissions wait for a decision: the task cannot be cancelled or refunded yet.
    error ActiveSubmissionsExist(uint32 activeSubmissions);
    /// @notice The decision must award at least one worker.
    error NoWinners();
    /// @notice A task has at most 50 awards.
    error TooManyWinners(uint256 count, uint256 maximum);
    /// @notice The worker is awarded twice.
    error DuplicateWinner(address worker);
    /// @notice The shares must sum to 10000.
    error InvalidShares(uint256 sum);
    /// @notice The award of this worker would be zero base units.
    error ZeroAward(address worker);
    /// @notice Only a worker with an award can be rated.
    error NotAwarded(address worker);
    /// @notice The worker is rated already.
    error AlreadyRated(address worker);
    /// @notice A requester that awarded itself cannot rate itself.
    error SelfRating(address actor);
    /// @notice A rating is 0 to 100.
    error InvalidRating(uint8 rating);
    /// @notice The account has no credit.
    error NoCredit(address account);
    /// @notice USDC sent to the market or its forwarder would belong to no account.
    error InvalidRecipient(address to);
    /// @notice The market holds no USDC beyond its liabilities.
    error NothingToSweep();

    /// @notice Creates a task and takes its reward into escrow. The caller must have approved the market for the
    /// reward.
    ///
    /// Example: a bounty of 2 USDC for a day has mode `bytes4(keccak256("TMP.mode.bounty"))`, reward 2000000 and
    /// duration 86400.
    /// @return taskId keccak256(abi.encode(chainid, market, requester, nonce)), the value of `nextTaskId` before the
    /// call.
    function createTask(CreateTaskParams calldata params) external returns (bytes32 taskId);

    /// @notice Changes the terms of an open task. Reward and deadlines may always rise; they may fall only before the
    /// first submission or pitch. An auction with a bid cannot change. An update that changes nothing reverts.
    ///
    /// Example: reward 3000000 for a task of 2000000 takes 1000000 from the caller; every other field is zero and
    /// stays.
    function updateTask(UpdateTaskParams calldata params) external;

    /// @notice Assigns an evaluator to an open task that has no entry and no evaluator (requester).
    ///
    /// Example: feeBps 500, evaluationWindow 86400 and appealWindow 3600 give the evaluator 5 % and a day from the
    /// delivery.
    function assignEvaluator(bytes32 taskId, EvaluatorTerms calldata terms) external;

    /// @notice Claims a task (claim mode) and takes the stake from the caller when one is required.
    ///
    /// Example: a task of 2000000 with stakeBps 1000 takes a stake of 200000.
    /// @param termsHash `taskTermsHash` of the terms that the worker agrees to; zero accepts any terms. It protects the
    /// worker from an update that lands just before the claim and raises the stake or shortens the time.
    function claimTask(bytes32 taskId, bytes32 termsHash) external;

    /// @notice Anchors a pitch (pitch mode) before the pitch deadline. A worker may pitch more than once.
    ///
    /// Example: the hash of a pitch's text; the first pitch of a task has pitchIndex 0 in `PitchSubmitted`.
    function submitPitch(bytes32 taskId, bytes32 pitchHash) external;

    /// @notice Assigns a worker who pitched (pitch mode, requester), before expiry.
    ///
    /// Example: after alice and bob pitched, `selectWorker(taskId, bob)` moves the task to WorkerSelected with bob as
    /// its worker.
    function selectWorker(bytes32 taskId, address worker) external;

    /// @notice Places or lowers a bid before the bid deadline; the requester cannot bid. English: strictly below the
    /// lowest bid. Reverse english: strictly below the worker's own last bid. From 500 bids on only a bid that takes
    /// the lead is accepted, so that one wallet cannot close an auction.
    ///
    /// Example: with a reward of 5000000 and a lowest bid of 4000000, an english auction accepts 3999999 and refuses
    /// 4000000.
    /// @param price What the worker asks for, 1000 base units at least, the reward at most.
    function submitBid(bytes32 taskId, uint96 price) external;

    /// @notice Assigns the lowest bidder, from the bid deadline until expiry; any account may call. Of equal bids the
    /// earlier one wins. The escrow above the price goes back to the requester now.
    ///
    /// Example: with an escrow of 5000000 and a lowest bid of 3500000 the requester receives 1500000.
    function selectLowestBidder(bytes32 taskId) external;

    /// @notice Assigns the caller at the present clock price (dutch, reverse dutch), before expiry; the requester
    /// cannot call. The escrow above the price goes back to the requester now.
    ///
    /// Example: at a clock price of 3000000, minPrice 2900000 passes and minPrice 3000001 reverts with
    /// PriceBelowMinimum.
    /// @param minPrice The least that the worker accepts: a dutch price falls until the transaction is mined.
    function acceptAuction(bytes32 taskId, uint96 minPrice) external;

    /// @notice Anchors a deliverable before expiry. In a contest any worker may submit any number of deliverables. In
    /// other modes the assigned worker delivers once: the requester decides next, or the evaluator when there is one.
    ///
    /// Example: the keccak256 of the manifest of the delivered files.
    function submitWork(bytes32 taskId, bytes32 deliverable) external;

    /// @notice Anchors a benchmark proof, and the proof's hash as a submission.
    ///
    /// Example: `submitProof(taskId, proofHash, keccak256("log"), 9730)` for a measured value of 9730.
    /// @param proofType keccak256 of the type's name.
    /// @param metricValue The measured value, an integer without a unit.
    function submitProof(bytes32 taskId, bytes32 proofHash, bytes32 proofType, uint256 metricValue) external;

    /// @notice Rejects workers of a contest with all their active submissions (requester). They cannot enter again.
    ///
    /// Example: rejecting alice, who has 2 of 3 active submissions, leaves 1.
    function rejectSubmissions(bytes32 taskId, address[] calldata workers) external;

    /// @notice Pays the whole escrow to one worker for a committed deliverable: any one in a contest, else the
    /// delivered one.
    ///
    /// Example: an escrow of 2000000 with a fee of 7.5 % pays 1850000 to the worker and 150000 to the fee recipient.
    function acceptSubmission(bytes32 taskId, address worker, bytes32 deliverable) external;

    /// @notice Splits the reward of a contest among at most 50 winners (requester). The rounding remainder goes to the
    /// first.
    ///
    /// Example: shares 3334, 3333 and 3333 of 1000001 give gross awards of 333401, 333300 and 333300.
    function acceptSubmissions(bytes32 taskId, Winner[] calldata winners) external;

    /// @notice Cancels an open task without active submissions or bids, and returns the escrow (requester).
    ///
    /// Example: an untouched bounty of 2000000 returns 2000000.
    function cancelTask(bytes32 taskId) external;

    /// @notice Refunds an expired task without a delivery, and forfeits the stake of a claim; any account may call.
    ///
    /// Example: an expired claim of 2000000 with a stake of 200000 returns 2000000 to the requester and pays 200000 to
    /// the fee recipient.
    function refundExpired(bytes32 taskId) external;

    /// @notice Records the requester's refusal of a delivery (single-worker tasks, once). Without it the worker is paid
    /// by `settleStale` 90 days after the last deadline; with it the requester is refunded.
    ///
    /// Example: `objectToDelivery(taskId)` in PendingApproval emits `DeliveryObjected`; a second call reverts with
    /// AlreadyObjected.
    function objectToDelivery(bytes32 taskId) external;

    /// @notice Ends an expired claim, forfeits its stake and opens the task again (claim mode, requester). The expiry
    /// stays in the past: `updateTask` extends it for the next worker.
    ///
    /// Example: the first reopening sets `roundOf` to 1.
    function forfeitAndReopen(bytes32 taskId) external;

    /// @notice Issues a verdict (evaluator). A single-worker task accepts it in review, before the evaluator's
    /// deadline. A contest with active submissions accepts it until expiry plus the evaluation window; before the
    /// expiry only an approval whose awards sum to everything that can be paid. The evaluator's fee is paid now,
    /// whatever the verdict.
    ///
    /// Example: an escrow of 1000000 with an evaluator's fee of 5 % pays 50000 now and leaves 950000 for awards.
    /// @param score 0 to 1000, informative.
    /// @param confidence 0 to 1000, informative.
    /// @param evidenceHash Hash of the evaluator's evidence; zero: none.
    /// @param awards At most 50. Empty for a rejection, and for an approval that pays everything to the assigned
    /// worker.
    function evaluate(
        bytes32 taskId,
        Verdict verdict,
        uint16 score,
        uint16 confidence,
        bytes32 evidenceHash,
        Award[] calldata awards
    ) external;

    /// @notice Appeals a verdict to the resolver before the appeal deadline: the assigned worker, in a contest any
    /// worker with an active submission. The resolver then has the appeal window, and at least a day.
    ///
    /// Example: with an appeal window of 3600 the resolver has 86400 seconds.
    function appeal(bytes32 taskId) external;

    /// @notice Lets a verdict take effect after the appeal deadline, or after the deadline of a resolver that did not
    /// decide; any account may call.
    ///
    /// Example: a rejection of a task with an escrow of 950000 cancels it and returns 950000 to the requester.
    function finalizeVerdict(bytes32 taskId) external;

    /// @notice Settles an appeal with the resolver's own awards, before its deadline (resolver). It cannot reject: an
    /// evaluator's rejection stands when no resolver decides.
    ///
    /// Example: Partial with one award of 400000 out of 950000 returns 550000 to the requester.
    function resolveDispute(bytes32 taskId, Verdict verdict, Award[] calldata awards) external;

    /// @notice Takes the task back from an evaluator that issued no verdict in time (requester). The requester decides
    /// from then on.
    ///
    /// Example: a delivery in review goes to PendingApproval; `evaluationOf` returns zeros after it.
    function evaluatorTimeout(bytes32 taskId) external;

    /// @notice Ends a task that no party decided, 90 days after its last deadline; any account may call. It pays the
    /// worker of a delivery that the requester did not object to, and refunds every other task.
    ///
    /// Example: a delivery that the requester ignored for 90 days after the expiry pays its worker as an acceptance
    /// would.
    function settleStale(bytes32 taskId) external;

    /// @notice Rates an award recipient once (requester, after completion). The rating is copied to the ERC-8004
    /// reputation registry when the worker owns the named agent; a failure of the registry changes nothing.
    ///
    /// Example: rating 95 with hasAgent true and workerAgentId 7 gives feedback on agent 7 when `ownerOf(7)` is the
    /// worker.
    function rateTask(RateParams calldata params) external;

    /// @notice Pays the caller's credit to any address but the market and its forwarder, where no account would own it.
    /// A credit is a payout that USDC refused, for example to a blacklisted account.
    ///
    /// Example: after `PayoutDeferred(alice, taskId, 1850000)` alice can withdraw 1850000 to another address.
    function withdrawCredit(address to) external;

    /// @notice Pays an account's credit to that account; any account may call.
    ///
    /// Example: `pushCredit(alice)` after USDC removed alice from its blacklist.
    function pushCredit(address account) external;

    // --- Administration (owner) ---

    /// @notice Sets the platform fee of future tasks, at most 2000. Tasks keep the fee of their creation.
    ///
    /// Example: 750 for 7.5 %.
    function setFeeBps(uint16 feeBps) external;
    /// @notice Sets the receiver of platform fees and forfeited stakes, never zero, the market or its forwarder.
    ///
    /// Example: `setFeeRecipient(treasury)` sends the fees of every later payout to treasury.
    function setFeeRecipient(address recipient) external;
    /// @notice Sets the ERC-8004 registries that ratings are copied to. Zero for either switches the copies off.
    ///
    /// Example: on Base 0x8004A169FB4a3325136EB29fA0ceB6D2e539a432 and 0x8004BAa17C55a88189AE136b182e5fdA19dE9b63.
    function setRegistries(address identityRegistry, address reputationRegistry) external;
    /// @notice Sets the hooks that every future task runs with, at most 3, before the requester's own.
    ///
    /// Example: `[bonusHook]`; an empty list for none.
    function setDefaultHooks(address[] calldata hooks) external;
    /// @notice Stops creations, claims, pitches, bids, accepted prices and reward increases. Deliveries, decisions and
    /// exits go on.
    ///
    /// Example: `createTask` reverts with EntriesPaused until `unpause`.
    function pause() external;
    /// @notice Opens entries again.
    ///
    /// Example: `paused()` is false after it.
    function unpause() external;
    /// @notice Sends the USDC beyond `totalEscrow` to an address. Such USDC was sent here outside any call of the
    /// market.
    ///
    /// Example: a balance of 5100000 with a `totalEscrow` of 5000000 sends 100000.
    function sweepExcess(address to) external;

    // --- Views ---

    /// @notice Returns a task, all zero when it does not exist.
    ///
    /// Example: an open bounty of 2 USDC has status 1 (Open), reward 2000000, escrow 2000000 and worker zero.
    function getTask(bytes32 taskId) external view returns (TaskView memory);

    /// @notice Returns the submissions, pitch, bid, award and rating of a worker in a task.
    ///
    /// Example: one active submission in a bounty reads submissions 1, active 1 and bid 0.
    function entryOf(bytes32 taskId, address worker) external view returns (EntryView memory);

    /// @notice Returns the evaluator, windows and verdict of a task; zeros without an evaluator.
    ///
    /// Example: before the verdict `verdict` is 0 (None) and `awards` is empty.
    function evaluationOf(bytes32 taskId) external view returns (EvaluationView memory);

    /// @notice Returns the hooks of a task in the order of their calls. The first `defaultCount` are default hooks.
    ///
    /// Example: `([bonusHook, allowListHook], 1)`.
    function hooksOf(bytes32 taskId) external view returns (address[] memory hooks, uint256 defaultCount);

    /// @notice Returns the lowest bid of an open auction; zeros when there is none.
    ///
    /// Example: `(alice, 3500000)`.
    function lowestBidOf(bytes32 taskId) external view returns (address worker, uint256 price);

    /// @notice Returns the clock price now. It reverts with WrongMode outside dutch and reverse dutch.
    ///
    /// Example: a dutch auction from 1000 to 100 over 7 seconds costs 872 one second after its creation.
    function clockPriceOf(bytes32 taskId) external view returns (uint256);

    // --- Views for hooks and vaults, true also while a hook runs ---

    /// @notice Returns what hooks receive about a task, without its tags, which only `checkFund` receives.
    ///
    /// Example: a completed task has currentState 4 (Accepted).
    function contextOf(bytes32 taskId) external view returns (TaskContext memory);

    /// @notice Returns the hash of a task's present terms, to which a claim or a sponsor's funding agrees:
    /// keccak256(abi.encode(bytes4 mode, bytes4 auctionType, uint256 reward, uint256 duration, uint256 pitchDuration,
    /// uint256 bidDuration, uint256 clockPrice, uint256 stakeBps, bytes32 tagsHash, address evaluator, address
    /// resolver, uint256 evaluatorFeeBps, uint256 evaluationWindow, uint256 appealWindow, bytes32 hookSet)). Durations
    /// are seconds from creation, zero where the mode has none. The hash changes with `updateTask`, with the
    /// evaluator's assignment and timeout, and when a delivery or a verdict moves the expiry.
    ///
    /// Example: a bounty of 2000000 for 86400 seconds, with neither tags nor evaluator nor hooks, encodes its mode,
    /// 2000000, 86400 and zeros.
    function taskTermsHash(bytes32 taskId) external view returns (bytes32);

    /// @notice Returns keccak256(abi.encode(address[] workers, uint256[] amounts)) of the gross awards of a completed
    /// task with a custom hook, in the order of its TaskCompleted events; zero for every other task. A hook that missed
    /// a completion checks the awards by it.
    ///
    /// Example: one award of 2000000 to alice: `keccak256(abi.encode([alice], [2000000]))`.
    function awardsHash(bytes32 taskId) external view returns (bytes32);

    /// @notice Returns the position of a committed deliverable in its contest, counted from 0. `getTask` has the
    /// deliverable of an assigned worker.
    ///
    /// Example: `(true, 0)` for the first submission of a bounty, `(false, 0)` for an unknown one.
    function submissionIndexOf(bytes32 taskId, address worker, bytes32 deliverable)
        external
        view
        returns (bool exists, uint32 index);

    /// @notice Returns the id of the requester's next task.
    ///
    /// Example: the id of an account's first task, with nonce 0, before `createTask`.
    function nextTaskId(address requester) external view returns (bytes32);

    /// @notice Returns how often a task was reopened: the `<round>` of signed claim and forfeit messages.
    ///
    /// Example: 0 before the first `forfeitAndReopen`, 1 after it.
    function roundOf(bytes32 taskId) external view returns (uint32);

    /// @notice Returns how many tasks a requester created: the nonce of its next task id.
    ///
    /// Example: 2 after two tasks, whose nonces are 0 and 1.
    function nonceOf(address requester) external view returns (uint256);
    /// @notice Returns the payouts of an account that could not be delivered.
    ///
    /// Example: 1850000 after a worker's payment met its blacklisting.
    function creditOf(address account) external view returns (uint256);

    /// @notice Returns the sum of all escrows, stakes and credits: what the market owes. The market's USDC balance is
    /// never below it.
    ///
    /// Example: 2200000 for one claimed task of 2000000 with a stake of 200000.
    function totalEscrow() external view returns (uint256);

    /// @notice Returns the token of all payments.
    ///
    /// Example: 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 on Base.
    function usdc() external view returns (address);
    /// @notice Returns the only contract whose `pgtrSender` the market accepts as the actor. It never changes.
    ///
    /// Example: the `PaymentForwarder` of the deployment.
    function forwarder() external view returns (address);
    /// @notice Returns the platform fee of future tasks.
    ///
    /// Example: 750 for 7.5 %.
    function feeBps() external view returns (uint16);
    /// @notice Returns the receiver of platform fees and forfeited stakes.
    ///
    /// Example: the treasury that the owner set.
    function feeRecipient() external view returns (address);
    /// @notice Returns the ERC-8004 registry of agents; zero: none.
    ///
    /// Example: 0x8004A169FB4a3325136EB29fA0ceB6D2e539a432 on Base.
    function identityRegistry() external view returns (address);
    /// @notice Returns the ERC-8004 registry of feedback; zero: none.
    ///
    /// Example: 0x8004BAa17C55a88189AE136b182e5fdA19dE9b63 on Base.
    function reputationRegistry() external view returns (address);
    /// @notice Returns the hooks that every future task runs with.
    ///
    /// Example: `[bonusHook]`.
    function defaultHooks() external view returns (address[] memory);
    /// @notice Returns whether entries are paused.
    ///
    /// Example: false in a new market.
    function paused() external view returns (bool);
}
