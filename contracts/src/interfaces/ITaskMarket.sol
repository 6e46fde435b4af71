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
/// @notice Holds the USDC reward of each task until winners are paid or the requester is refunded. A task is a bounty,
/// claim, pitch, benchmark or auction. Bounties and benchmarks are contests: many workers submit. Every other task has
/// one assigned worker.
///
/// The actor is the account in whose name a call acts. If the forwarder makes the call, the actor is the account that
/// `pgtrSender()` of the forwarder returns. Otherwise the actor is the caller. Every account can use the market
/// directly. The market takes USDC only by `transferFrom` from its caller.
///
/// Units: amounts are USDC base units (1 USDC = 1000000), times are Unix seconds, parts are basis points (750 = 7.5 %).
interface ITaskMarket is ITaskMarketEvents {
    /// @notice An address argument must not be zero.
    error ZeroAddress();
    /// @notice The function needs an actor, but the forwarder made a permissionless call, which has none.
    error ActorRequired();
    /// @notice A hook, token or wallet called the market while another call of the market was in progress.
    error Reentered();
    /// @notice No task has this id.
    error TaskNotFound(bytes32 taskId);
    /// @notice The function does not support the task's mode or auction subtype, or `createTask` received an invalid
    /// selector. `selector` names the mode, subtype or invalid selector.
    error WrongMode(bytes4 selector);
    /// @notice The task's present status, `status`, does not allow this call.
    error WrongStatus(Status status);
    /// @notice Only the requester of the task may make this call.
    error NotRequester(address actor);
    /// @notice The market's owner paused new tasks and entries. Deliveries, decisions, refunds and payouts remain
    /// possible.
    error EntriesPaused();
    /// @notice The transaction has too little gas left. The next call to a hook or a registry needs `required` gas.
    error NotEnoughGas(uint256 required);
    // Terms
    /// @notice The reward is below the minimum of 1000 base units of USDC.
    error RewardTooLow(uint256 reward, uint256 minimum);
    /// @notice The amount, or the market's total liabilities including the amount, would not fit into 72 bits.
    error AmountTooLarge(uint256 amount, uint256 maximum);
    /// @notice The duration is zero or longer than ten years. Durations are in seconds.
    error InvalidDuration(uint256 duration);
    /// @notice The deadline is in the past, is more than ten years ahead, or does not fit the task's mode or expiry. In
    /// `createTask`, `deadline` is a duration in seconds. In `updateTask`, it is a Unix time.
    error InvalidDeadline(uint256 deadline);
    /// @notice The clock price is invalid. In a dutch or reverse dutch auction it must be above zero and at most the
    /// reward. In all other tasks it must be zero.
    error InvalidPrice(uint256 price);
    /// @notice In claim mode `stakeBps` must be at most 10000 (the whole reward); in all other modes it must be zero.
    error InvalidStake(uint256 stakeBps);
    /// @notice The update sets a term that the task's mode does not have.
    error InvalidTerms();
    /// @notice A task may have at most 10 tags.
    error TooManyTags(uint256 count, uint256 maximum);
    /// @notice The update would not change any term of the task.
    error NothingToUpdate();
    /// @notice The task's terms changed after the worker read the terms. `expected`: the terms hash that the worker
    /// sent with the call. `actual`: the present `taskTermsHash`.
    error TaskTermsMismatch(bytes32 expected, bytes32 actual);
    /// @notice Workers have entered the task, so the requester can no longer make this change. `entries` counts the
    /// submissions, pitches, bids and reopenings.
    error TermsLocked(uint32 entries);
    /// @notice The fee `feeBps` is above `maximum`, both in basis points. The maximum of the platform fee is 20 %. The
    /// maximum of an evaluator's fee is 100 % less the platform fee.
    error FeeTooHigh(uint256 feeBps, uint256 maximum);
    /// @notice The call was possible only before `deadline` (Unix seconds).
    error DeadlinePassed(uint256 deadline);
    /// @notice The call is possible only from `deadline` (Unix seconds) on.
    error DeadlineNotReached(uint256 deadline);
    // Evaluator
    /// @notice `evaluator` cannot have this role. The requester, the evaluator and the resolver must be different
    /// accounts. The evaluator must not be zero.
    error InvalidEvaluator(address evaluator);
    /// @notice An evaluation window must be 1 second to ten years, an appeal window 300 seconds to ten years.
    error InvalidWindow(uint256 window);
    /// @notice The task already has the evaluator `evaluator`.
    error EvaluatorAlreadyAssigned(address evaluator);
    /// @notice The requester can neither accept nor reject work while the task has an evaluator.
    error EvaluatorDecides(address evaluator);
    /// @notice The task has no evaluator.
    error NoEvaluator();
    /// @notice Only the task's evaluator may make this call.
    error NotEvaluator(address actor);
    /// @notice Only the task's resolver may make this call.
    error NotResolver(address actor);
    /// @notice The task has no resolver, so its verdict cannot be appealed.
    error NoResolver();
    /// @notice The verdict of an evaluator must be Approve, Reject or Partial; the verdict of a resolver must be
    /// Approve or Partial.
    error InvalidVerdict(Verdict verdict);
    /// @notice The score and the confidence of a verdict must be at most 1000 each.
    error InvalidScore(uint256 score, uint256 maximum);
    /// @notice A verdict that rejects the work must not contain awards.
    error AwardsNotAllowed();
    /// @notice The rank of an award must be 1 to 255, and no other award may have the same rank.
    error InvalidRank(uint256 rank);
    /// @notice The sum of the awards is above `available`: the amount that the task can pay. Both amounts are USDC base
    /// units.
    error AwardsExceedEscrow(uint256 sum, uint256 available);
    /// @notice The actor may not appeal. In a contest any worker with an active submission may appeal; in any other
    /// mode only the assigned worker.
    error NotAppellant(address actor);
    /// @notice The contest has not expired. Before the expiry an evaluator can only approve, and must award the whole
    /// amount.
    error ContestStillOpen(uint256 expiryTime);
    // Hooks
    /// @notice A task may have at most 8 hooks, and the market at most 3 default hooks.
    error TooManyHooks(uint256 count, uint256 maximum);
    /// @notice The contract does not confirm by ERC-165 that it implements `ITaskHook` (interface id 0x2187b4de).
    error InvalidHook(address hook);
    /// @notice The hook list contains this hook twice.
    error DuplicateHook(address hook);
    /// @notice Hook data must have at most 4096 bytes.
    error HookDataTooLong(uint256 length, uint256 maximum);
    /// @notice A hook that the requester attached to the task refused the step.
    /// @param hook The hook that refused.
    /// @param step Selector of the hook function, such as `checkClaim`.
    /// @param reason First 256 bytes of the hook's revert data; empty if the hook returned false.
    error HookVetoed(address hook, bytes4 step, bytes reason);
    // Entries
    /// @notice The evaluator and the resolver of a task cannot be workers of the same task.
    error CannotEnter(address actor);
    /// @notice The worker is not the assigned worker. In all modes except bounty and benchmark, only the assigned
    /// worker can deliver and be awarded.
    error NotSelectedWorker(address actor);
    /// @notice The hash of a deliverable must not be zero.
    error ZeroDeliverable();
    /// @notice The hash of a pitch or of a proof must not be zero.
    error ZeroHash();
    /// @notice The worker has already submitted this deliverable.
    error DuplicateSubmission(address worker, bytes32 deliverable);
    /// @notice The requester rejected this worker, who cannot submit to the task again.
    error WorkerIsRejected(address worker);
    /// @notice The list of workers to reject is empty.
    error NoWorkers();
    /// @notice The worker has not submitted a pitch.
    error NoPitch(address worker);
    /// @notice The worker has no active submission.
    error NoActiveSubmission(address worker);
    /// @notice The contest has no active submission that could be evaluated.
    error NothingToEvaluate();
    /// @notice The worker did not submit this deliverable.
    error UnknownDeliverable(address worker, bytes32 deliverable);
    /// @notice The requester has already objected to the delivery.
    error AlreadyObjected();
    // Auctions
    /// @notice The requester of an auction can neither bid nor accept the auction's price.
    error OwnAuction(address actor);
    /// @notice A bid must be at least 1000 base units of USDC.
    error BidTooLow(uint256 price, uint256 minimum);
    /// @notice A bid must be at most the reward, which is the maximum price.
    error BidTooHigh(uint256 price, uint256 maximum);
    /// @notice The bid must be below `present`. In an english auction `present` is the lowest bid so far. In a reverse
    /// english auction it is the worker's previous bid.
    error BidNotLower(uint256 price, uint256 present);
    /// @notice The auction already has 500 or more bids. It now accepts only a bid that is below the lowest bid.
    error BidLimitReached(uint256 maximum);
    /// @notice An auction that has bids cannot be cancelled.
    error BidsExist(uint32 bids);
    /// @notice The auction has no bids.
    error NoBids();
    /// @notice The current price of the dutch or reverse dutch auction, `price`, is below the minimum that the caller
    /// gave.
    error PriceBelowMinimum(uint256 price, uint256 minimum);
    // Endings
    /// @notice The task cannot be cancelled or refunded yet, because submissions wait for a decision.
    error ActiveSubmissionsExist(uint32 activeSubmissions);
    /// @notice The decision must award at least one worker.
    error NoWinners();
    /// @notice A task may have at most 50 awards.
    error TooManyWinners(uint256 count, uint256 maximum);
    /// @notice The decision awards this worker twice.
    error DuplicateWinner(address worker);
    /// @notice The shares of all winners must sum to 10000 basis points.
    error InvalidShares(uint256 sum);
    /// @notice The award of this worker would be zero base units.
    error ZeroAward(address worker);
    /// @notice Only a worker with an award can be rated.
    error NotAwarded(address worker);
    /// @notice The requester has already rated this worker.
    error AlreadyRated(address worker);
    /// @notice A requester cannot rate an award that the requester gave to itself.
    error SelfRating(address actor);
    /// @notice A rating must be 0 to 100.
    error InvalidRating(uint8 rating);
    /// @notice The account has no credit (payouts that could not be delivered) to withdraw.
    error NoCredit(address account);
    /// @notice The receiver must be neither the market nor the forwarder, because USDC there would belong to no
    /// account.
    error InvalidRecipient(address to);
    /// @notice The market holds no USDC beyond the amount that it owes.
    error NothingToSweep();

    /// @notice Creates a task and takes its reward into escrow. The caller must first give the market a USDC allowance
    /// of at least the reward.
    ///
    /// Example: a bounty of 2 USDC for a day has mode `bytes4(keccak256("TMP.mode.bounty"))`, reward 2000000 and
    /// duration 86400.
    /// @return taskId Id of the task: keccak256(abi.encode(chainid, market, requester, nonce)). `nextTaskId` returns
    /// this id in advance.
    function createTask(CreateTaskParams calldata params) external returns (bytes32 taskId);

    /// @notice Changes the terms of an open task. After the first submission or pitch, the reward and the deadlines can
    /// only rise. After the first bid, the terms of an auction cannot change. An update must change at least one term.
    /// Only the requester may call.
    ///
    /// Example: with reward 3000000 and zero in every other field, the update of a task of 2000000 takes 1000000 from
    /// the caller and keeps all other terms.
    function updateTask(UpdateTaskParams calldata params) external;

    /// @notice Assigns an evaluator to an open task without an evaluator, before any worker enters the task. Only the
    /// requester may call.
    ///
    /// Example: feeBps 500, evaluationWindow 86400 and appealWindow 3600. The evaluator gets 5 % of the escrow, and has
    /// one day from the delivery for the verdict. The verdict can then be appealed for one hour.
    function assignEvaluator(bytes32 taskId, EvaluatorTerms calldata terms) external;

    /// @notice Assigns the actor to a task in claim mode. If the task requires a stake, the caller pays the stake: the
    /// actor in a direct call, the forwarder in a relayed call.
    ///
    /// Example: a task of 2000000 with stakeBps 1000 takes a stake of 200000.
    /// @param termsHash `taskTermsHash` of the terms that the worker agrees to; zero accepts any terms. A claim with an
    /// outdated hash reverts.
    function claimTask(bytes32 taskId, bytes32 termsHash) external;

    /// @notice Logs the hash of a pitch before the pitch deadline (pitch mode). A worker may pitch more than once.
    ///
    /// Example: `submitPitch(taskId, keccak256(text))`; the first pitch of a task has pitchIndex 0 in `PitchSubmitted`.
    function submitPitch(bytes32 taskId, bytes32 pitchHash) external;

    /// @notice Assigns a worker who pitched (pitch mode), before the expiry. Only the requester may call.
    ///
    /// Example: after alice and bob pitched, `selectWorker(taskId, bob)` moves the task to WorkerSelected with bob as
    /// its worker.
    function selectWorker(bytes32 taskId, address worker) external;

    /// @notice Places a bid, or lowers the worker's earlier bid, before the bid deadline. In an english auction a bid
    /// must be below the lowest bid so far. In a reverse english auction a bid must be below the worker's own previous
    /// bid. After 500 bids, every bid must be below the lowest bid. The requester cannot bid.
    ///
    /// Example: with a reward of 5000000 and a lowest bid of 4000000, an english auction accepts 3999999 and refuses
    /// 4000000.
    /// @param price Payment that the worker asks for, in USDC base units: at least 1000, at most the reward.
    function submitBid(bytes32 taskId, uint96 price) external;

    /// @notice Assigns the lowest bidder, from the bid deadline until the expiry. Of equal bids the earlier bid wins.
    /// The requester gets back the part of the escrow above the lowest bid. Any account may call.
    ///
    /// Example: with an escrow of 5000000 and a lowest bid of 3500000 the requester receives 1500000.
    function selectLowestBidder(bytes32 taskId) external;

    /// @notice Makes the actor the worker of the task, at the current price of a dutch or reverse dutch auction.
    /// Reverts after the expiry, and if the actor is the requester of the task. The requester gets back the part of the
    /// escrow above the price.
    ///
    /// Example: at a current price of 3000000, a call with minPrice 2900000 succeeds, and a call with minPrice 3000001
    /// reverts with PriceBelowMinimum.
    /// @param minPrice Lowest price that the worker accepts, in USDC base units. A dutch price can fall until the
    /// transaction is mined.
    function acceptAuction(bytes32 taskId, uint96 minPrice) external;

    /// @notice Stores the hash of a deliverable before the expiry. In a contest any worker may submit any number of
    /// deliverables. In any other mode the assigned worker delivers once. The evaluator then decides; without an
    /// evaluator, the requester decides.
    ///
    /// Example: `submitWork(taskId, deliverable)`, where `deliverable` is the keccak256 of the list of delivered files.
    function submitWork(bytes32 taskId, bytes32 deliverable) external;

    /// @notice Logs a benchmark proof and stores the proof's hash as a submission (benchmark mode).
    ///
    /// Example: `submitProof(taskId, proofHash, keccak256("log"), 9730)` for a measured value of 9730.
    /// @param proofType keccak256 of the name of the proof type.
    /// @param metricValue The measured value, an integer without a unit.
    function submitProof(bytes32 taskId, bytes32 proofHash, bytes32 proofType, uint256 metricValue) external;

    /// @notice Rejects workers of a contest, and all active submissions of these workers. The rejected workers cannot
    /// submit to the contest again. Only the requester may call.
    ///
    /// Example: rejecting alice, who made 2 of 3 active submissions, leaves 1 active submission.
    function rejectSubmissions(bytes32 taskId, address[] calldata workers) external;

    /// @notice Pays the whole escrow, less the platform fee, to one worker for a deliverable. In a contest, any worker
    /// with an active submission can be paid. In any other mode, only the assigned worker can be paid. Only the
    /// requester may call.
    ///
    /// Example: an escrow of 2000000 with a fee of 7.5 % pays 1850000 to the worker and 150000 to the fee recipient.
    function acceptSubmission(bytes32 taskId, address worker, bytes32 deliverable) external;

    /// @notice Splits the reward of a contest among at most 50 winners. The first winner also receives the rounding
    /// remainder. Only the requester may call.
    ///
    /// Example: shares 3334, 3333 and 3333 of 1000001 give gross awards of 333401, 333300 and 333300.
    function acceptSubmissions(bytes32 taskId, Winner[] calldata winners) external;

    /// @notice Cancels an open task without active submissions or bids, and returns the escrow to the requester. Only
    /// the requester may call.
    ///
    /// Example: cancelling a bounty of 2000000 without submissions returns 2000000.
    function cancelTask(bytes32 taskId) external;

    /// @notice Refunds to the requester the escrow of an expired task. The task must have no active submission. If a
    /// worker claimed the task with a stake, the fee recipient gets the stake. Any account may call.
    ///
    /// Example: an expired claim of 2000000 with a stake of 200000 returns 2000000 to the requester and pays 200000 to
    /// the fee recipient.
    function refundExpired(bytes32 taskId) external;

    /// @notice Records that the requester refuses the assigned worker's delivery. If nobody decides within 90 days
    /// after the last deadline, `settleStale` then refunds the requester instead of paying the worker. Only the
    /// requester may call, once.
    ///
    /// Example: `objectToDelivery(taskId)` in PendingApproval emits `DeliveryObjected`; a second call reverts with
    /// AlreadyObjected.
    function objectToDelivery(bytes32 taskId) external;

    /// @notice Ends an expired claim, forfeits the worker's stake and opens the task again (claim mode). The requester
    /// can then extend the expiry with `updateTask`. Only the requester may call.
    ///
    /// Example: the first reopening sets `roundOf` to 1.
    function forfeitAndReopen(bytes32 taskId) external;

    /// @notice Issues a verdict and pays the evaluator's fee. Only the task's evaluator may call. If the task has an
    /// assigned worker, the call is possible in status Review until the evaluator's deadline. If the task is a contest,
    /// it must have an active submission, and the call is possible until the expiry plus the evaluation window. Before
    /// the expiry of a contest, the verdict must approve and award the whole amount.
    ///
    /// Example: for an escrow of 1000000 and an evaluator's fee of 5 %, the call pays 50000 to the evaluator and leaves
    /// 950000 for awards.
    /// @param score Score of the work, 0 to 1000. It does not change payments.
    /// @param confidence The evaluator's confidence, 0 to 1000. It does not change payments.
    /// @param evidenceHash Hash of the evaluator's evidence; zero if there is none.
    /// @param awards At most 50 awards; empty for a rejection. An approval without awards pays the whole amount to the
    /// assigned worker.
    function evaluate(
        bytes32 taskId,
        Verdict verdict,
        uint16 score,
        uint16 confidence,
        bytes32 evidenceHash,
        Award[] calldata awards
    ) external;

    /// @notice Appeals a verdict to the resolver, before the appeal deadline. In a contest any worker with an active
    /// submission may call; in any other mode the assigned worker. The resolver must decide within a second appeal
    /// window, or within one day if the appeal window is shorter than one day.
    ///
    /// Example: with an appeal window of 3600 seconds the resolver has 86400 seconds.
    function appeal(bytes32 taskId) external;

    /// @notice Executes a verdict after the appeal deadline. If the verdict was appealed, the call is possible after
    /// the resolver's deadline. Any account may call.
    ///
    /// Example: a rejection cancels a task with an escrow of 950000 and returns 950000 to the requester.
    function finalizeVerdict(bytes32 taskId) external;

    /// @notice Settles an appeal with the resolver's awards, before the resolver's deadline. The resolver cannot reject
    /// the work. Only the resolver may call.
    ///
    /// Example: Partial with one award of 400000 out of 950000 returns 550000 to the requester.
    function resolveDispute(bytes32 taskId, Verdict verdict, Award[] calldata awards) external;

    /// @notice Removes an evaluator that missed the deadline for the verdict. The requester then decides. Only the
    /// requester may call.
    ///
    /// Example: the status of a task in Review changes to PendingApproval, and `evaluationOf` then returns zeros.
    function evaluatorTimeout(bytes32 taskId) external;

    /// @notice Ends a task on which nobody decided within 90 days after its last deadline. Pays the assigned worker if
    /// the worker delivered and the requester did not object. Otherwise refunds the requester. Any account may call.
    ///
    /// Example: if the requester ignores a delivery until 90 days after the expiry, the call pays the worker as an
    /// acceptance would.
    function settleStale(bytes32 taskId) external;

    /// @notice Rates an awarded worker of a completed task. Each worker of a task can be rated only once. If the worker
    /// owns the agent `workerAgentId`, the rating is copied to the ERC-8004 reputation registry. A failed copy does not
    /// affect the rating. Only the requester may call.
    ///
    /// Example: rating 95 with hasAgent true and workerAgentId 7 gives feedback on agent 7 when `ownerOf(7)` is the
    /// worker.
    function rateTask(RateParams calldata params) external;

    /// @notice Pays the actor's credit to `to`, which must be neither the market nor the forwarder. A credit is a
    /// payout that USDC refused, for example to a blacklisted account.
    ///
    /// Example: after `PayoutDeferred(alice, taskId, 1850000)` alice can withdraw 1850000 to another address.
    function withdrawCredit(address to) external;

    /// @notice Pays an account's credit (payouts that could not be delivered) to that account. Any account may call.
    ///
    /// Example: `pushCredit(alice)` pays alice's credit after USDC removed alice from its blacklist.
    function pushCredit(address account) external;

    // --- Administration (owner) ---

    /// @notice Sets the platform fee of future tasks in basis points, at most 2000. The fees of existing tasks do not
    /// change.
    ///
    /// Example: 750 for 7.5 %.
    function setFeeBps(uint16 feeBps) external;
    /// @notice Sets the receiver of platform fees and forfeited stakes. The receiver must not be zero, the market or
    /// the forwarder.
    ///
    /// Example: `setFeeRecipient(treasury)` sends the fees of every later payout to treasury.
    function setFeeRecipient(address recipient) external;
    /// @notice Sets the ERC-8004 registries to which ratings are copied. If either address is zero, ratings are not
    /// copied.
    ///
    /// Example: on Base 0x8004A169FB4a3325136EB29fA0ceB6D2e539a432 and 0x8004BAa17C55a88189AE136b182e5fdA19dE9b63.
    function setRegistries(address identityRegistry, address reputationRegistry) external;
    /// @notice Sets the default hooks: at most 3 hooks that the market calls for every future task, before the
    /// requester's own hooks.
    ///
    /// Example: `[bonusHook]`; an empty list means that future tasks have no default hooks.
    function setDefaultHooks(address[] calldata hooks) external;
    /// @notice Pauses entries: the market refuses new tasks, claims, pitches, bids, accepted auction prices and reward
    /// increases. Deliveries, decisions, refunds and payouts remain possible.
    ///
    /// Example: `createTask` reverts with EntriesPaused until `unpause`.
    function pause() external;
    /// @notice Ends the pause, so that new tasks and entries are possible again.
    ///
    /// Example: `paused()` returns false after the call.
    function unpause() external;
    /// @notice Sends to `to` the market's USDC balance above `totalEscrow`. Such USDC arrived by plain transfers.
    ///
    /// Example: with a balance of 5100000 and a `totalEscrow` of 5000000, the call sends 100000.
    function sweepExcess(address to) external;

    // --- Views ---

    /// @notice Returns a task. All fields are zero if the task does not exist.
    ///
    /// Example: an open bounty of 2 USDC has status 1 (Open), reward 2000000, escrow 2000000 and worker zero.
    function getTask(bytes32 taskId) external view returns (TaskView memory);

    /// @notice Returns the counts of a worker's submissions to a task, and the worker's pitch, bid, award and rating.
    ///
    /// Example: for a worker with one active submission in a bounty, submissions is 1, active is 1 and bid is 0.
    function entryOf(bytes32 taskId, address worker) external view returns (EntryView memory);

    /// @notice Returns the evaluator, the windows and the verdict of a task. All fields are zero if the task has no
    /// evaluator.
    ///
    /// Example: before the verdict `verdict` is 0 (None) and `awards` is empty.
    function evaluationOf(bytes32 taskId) external view returns (EvaluationView memory);

    /// @notice Returns the hooks of a task in the order of their calls. The first `defaultCount` are default hooks.
    ///
    /// Example: `([bonusHook, allowListHook], 1)` for a task with one default hook and one hook of its requester.
    function hooksOf(bytes32 taskId) external view returns (address[] memory hooks, uint256 defaultCount);

    /// @notice Returns the lowest bidder and the lowest bid of an open auction; zeros if the auction is not open or has
    /// no bids.
    ///
    /// Example: `(alice, 3500000)` if alice's bid of 3.5 USDC is the lowest.
    function lowestBidOf(bytes32 taskId) external view returns (address worker, uint256 price);

    /// @notice Returns the current price of a dutch or reverse dutch auction, in USDC base units. Reverts with
    /// WrongMode for every other task.
    ///
    /// Example: a dutch price falls from 1000 to 100 in 7 seconds. One second after the creation the price is 872 (1000
    /// less 900 / 7, rounded down).
    function clockPriceOf(bytes32 taskId) external view returns (uint256);

    // --- Views for hooks and vaults, true also while a hook runs ---

    /// @notice Returns the `TaskContext` that hooks receive for a task, but without tags. Only `checkFund` receives the
    /// tags.
    ///
    /// Example: a completed task has currentState 4 (Accepted).
    function contextOf(bytes32 taskId) external view returns (TaskContext memory);

    /// @notice Returns the hash of a task's present terms: keccak256(abi.encode(bytes4 mode, bytes4 auctionType,
    /// uint256 reward, uint256 duration, uint256 pitchDuration, uint256 bidDuration, uint256 clockPrice, uint256
    /// stakeBps, bytes32 tagsHash, address evaluator, address resolver, uint256 evaluatorFeeBps, uint256
    /// evaluationWindow, uint256 appealWindow, bytes32 hookSet)).
    ///
    /// A worker or a sponsor passes this hash to agree to the terms. Durations are seconds from the creation; zero if
    /// the mode does not have the duration. The hash changes with `updateTask`, with an evaluator's assignment or
    /// timeout, and with each extension of the expiry.
    ///
    /// Example: a bounty of 2000000 for 86400 seconds, with neither tags nor evaluator nor hooks, encodes its mode,
    /// 2000000, 86400 and zeros.
    function taskTermsHash(bytes32 taskId) external view returns (bytes32);

    /// @notice Returns keccak256(abi.encode(address[] workers, uint256[] amounts)) of a completed task's gross awards,
    /// in the order of payment. Zero if the task is not completed, or if the requester attached no hook. A hook checks
    /// awards against this hash.
    ///
    /// Example: `keccak256(abi.encode([alice], [2000000]))` for one award of 2000000 to alice.
    function awardsHash(bytes32 taskId) external view returns (bytes32);

    /// @notice Returns whether a worker submitted a deliverable to a contest, and the number of the submission, counted
    /// from 0. For a task with an assigned worker, `getTask` returns the deliverable.
    ///
    /// Example: `(true, 0)` for the first submission of a bounty, `(false, 0)` for an unknown deliverable.
    function submissionIndexOf(bytes32 taskId, address worker, bytes32 deliverable)
        external
        view
        returns (bool exists, uint32 index);

    /// @notice Returns the id that the requester's next task will have.
    ///
    /// Example: before an account's first `createTask`, the id of the task with nonce 0.
    function nextTaskId(address requester) external view returns (bytes32);

    /// @notice Returns how often a task was reopened. Signed messages that claim a task or forfeit a claim contain this
    /// number as `<round>`.
    ///
    /// Example: 0 before the first `forfeitAndReopen`, 1 after it.
    function roundOf(bytes32 taskId) external view returns (uint32);

    /// @notice Returns how many tasks a requester has created. This number is the nonce in the id of the requester's
    /// next task.
    ///
    /// Example: 2 after two tasks, whose nonces are 0 and 1.
    function nonceOf(address requester) external view returns (uint256);
    /// @notice Returns the sum of an account's payouts that could not be delivered, in USDC base units.
    ///
    /// Example: 1850000 after USDC refused a payment of 1850000 to a blacklisted worker.
    function creditOf(address account) external view returns (uint256);

    /// @notice Returns the amount that the market owes, in USDC base units: the sum of all escrows, stakes and credits.
    /// The market's USDC balance is at least this sum.
    ///
    /// Example: 2200000 for one claimed task of 2000000 with a stake of 200000.
    function totalEscrow() external view returns (uint256);

    /// @notice Returns the address of USDC, the token of all payments.
    ///
    /// Example: 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 on Base.
    function usdc() external view returns (address);
    /// @notice Returns the payment forwarder. If it calls the market, the actor is the account that its `pgtrSender()`
    /// returns. The address never changes.
    ///
    /// Example: the `PaymentForwarder` of the deployment.
    function forwarder() external view returns (address);
    /// @notice Returns the platform fee of future tasks, in basis points.
    ///
    /// Example: 750 for 7.5 %.
    function feeBps() external view returns (uint16);
    /// @notice Returns the receiver of platform fees and forfeited stakes.
    ///
    /// Example: the treasury that the owner set.
    function feeRecipient() external view returns (address);
    /// @notice Returns the ERC-8004 registry of agents; zero if ratings are not copied.
    ///
    /// Example: 0x8004A169FB4a3325136EB29fA0ceB6D2e539a432 on Base.
    function identityRegistry() external view returns (address);
    /// @notice Returns the ERC-8004 registry of feedback; zero if ratings are not copied.
    ///
    /// Example: 0x8004BAa17C55a88189AE136b182e5fdA19dE9b63 on Base.
    function reputationRegistry() external view returns (address);
    /// @notice Returns the default hooks, which the market calls for every future task.
    ///
    /// Example: `[bonusHook]`.
    function defaultHooks() external view returns (address[] memory);
    /// @notice Returns whether new tasks and entries are paused.
    ///
    /// Example: false in a new market.
    function paused() external view returns (bool);
}
