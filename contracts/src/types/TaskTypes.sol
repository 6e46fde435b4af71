// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice The status of a task. `None` is the status of a task that does not exist.
enum Status {
    None,
    Open,
    Claimed,
    WorkerSelected,
    PendingApproval,
    Review,
    Appealing,
    Disputed,
    Completed,
    Expired,
    Cancelled
}

/// @notice The decision of an evaluator or a resolver. `None` means that nobody has decided yet.
enum Verdict {
    None,
    Approve,
    Reject,
    Partial
}

/// @notice The way in which a worker was assigned (event `TaskWorkerSelected`). `Claim`: the worker claimed the task.
/// `Pitch`: the requester selected the worker's pitch. `Bid`: the worker had the lowest bid. `ClockPrice`: the worker
/// accepted the price of a dutch or reverse dutch auction.
enum SelectionKind {
    Claim,
    Pitch,
    Bid,
    ClockPrice
}

/// @notice The reason why escrow was returned to the requester (event `EscrowReturned`). `RewardDecreased`: an update
/// lowered the reward. `AuctionSurplus`: the price of the auction is below the escrow. `Unawarded`: the awards sum to
/// less than the escrow.
enum ReturnReason {
    RewardDecreased,
    AuctionSurplus,
    Unawarded
}

/// @notice The reason why a task was cancelled (event `TaskCancelled`). `Requester`: the requester cancelled the task.
/// `RejectVerdict`: a verdict rejected the work.
enum CancelReason {
    Requester,
    RejectVerdict
}

/// @notice The way in which a task ended, for the requester's record (event `RequesterReputation`). `ExpiredNoAction`:
/// no work was submitted. `ExpiredAfterRejections`: the requester rejected every submission. `Stale`: nobody decided
/// about submitted work within 90 days. `ExpiredUndelivered`: the assigned worker delivered nothing.
/// `RejectedByVerdict`: the evaluator rejected the work.
enum ReputationKind {
    Completed,
    Cancelled,
    CancelledAfterSubmissions,
    ExpiredNoAction,
    ExpiredAfterRejections,
    Stale,
    ExpiredUndelivered,
    RejectedByVerdict
}

/// @notice Terms of a task's optional evaluator. If all fields are zero, the task has no evaluator.
/// @param evaluator Account that issues the verdict.
/// @param resolver Account that decides an appeal; zero if appeals are not possible.
/// @param feeBps Fee of the evaluator, in basis points of the escrow.
/// @param evaluationWindow Seconds that the evaluator has for the verdict, counted from the delivery; in a contest
/// (bounty or benchmark), from the expiry.
/// @param appealWindow Seconds in which an appeal is possible, counted from the verdict; at least 300.
struct EvaluatorTerms {
    address evaluator;
    address resolver;
    uint16 feeBps;
    uint40 evaluationWindow;
    uint40 appealWindow;
}

/// @notice The terms that a requester chooses for a new task.
/// @param mode ERC-8195 selector of the mode: bytes4(keccak256("TMP.mode.<mode>")).
/// @param auctionType ERC-8195 selector of the auction subtype; zero unless the mode is auction.
/// @param reward Gross reward in USDC base units (6 decimals), which the market takes into escrow; in auctions the
/// maximum price.
/// @param duration Seconds from creation to expiry.
/// @param pitchDuration Seconds from creation to the pitch deadline. In pitch mode zero means the expiry. In any other
/// mode the value must be zero.
/// @param bidDuration Seconds from creation to the bid deadline. In dutch and reverse dutch auctions zero means the
/// expiry. In english and reverse english auctions the value must be above zero. In any other mode it must be zero.
/// @param clockPrice Floor price of a dutch auction or start price of a reverse dutch auction, in USDC base units; zero
/// in all other modes.
/// @param stakeBps Stake that a claim requires, in basis points of the reward; zero for no stake. In any mode except
/// claim it must be zero.
/// @param contentHash Hash of the task's off-chain text; zero if the task has no such text.
/// @param tags keccak256 of each tag's UTF-8 bytes, at most 10 tags; empty for private tasks.
/// @param listed Whether public lists show the task; false for private tasks.
/// @param evaluation Terms of the evaluator; all fields are zero for a task without an evaluator.
/// @param hooks Hooks that the requester attaches, in the order of their calls. The default hooks are called first.
/// @param hookData Data that the `checkFund` function of every hook receives, at most 4096 bytes.
struct CreateTaskParams {
    bytes4 mode;
    bytes4 auctionType;
    uint96 reward;
    uint40 duration;
    uint40 pitchDuration;
    uint40 bidDuration;
    uint96 clockPrice;
    uint16 stakeBps;
    bytes32 contentHash;
    bytes32[] tags;
    bool listed;
    EvaluatorTerms evaluation;
    address[] hooks;
    bytes hookData;
}

/// @notice New terms of an open task. A zero field keeps the present value.
/// @param taskId The task.
/// @param reward New gross reward in USDC base units. The market takes an increase from the caller and returns a
/// decrease to the requester.
/// @param expiryTime New expiry, Unix seconds.
/// @param pitchDeadline New pitch deadline, Unix seconds (pitch mode).
/// @param bidDeadline New bid deadline, Unix seconds (auction mode).
/// @param clockPrice New floor price of a dutch auction, or new start price of a reverse dutch auction, in USDC base
/// units.
/// @param contentHash New hash of the task's off-chain text.
struct UpdateTaskParams {
    bytes32 taskId;
    uint96 reward;
    uint40 expiryTime;
    uint40 pitchDeadline;
    uint40 bidDeadline;
    uint96 clockPrice;
    bytes32 contentHash;
}

/// @notice One winner of a contest whose reward the requester splits. The winner's rank is the position in the array,
/// counted from 1.
/// @param worker The awarded worker.
/// @param shareBps Share of the reward in basis points; the shares of all winners sum to 10000.
/// @param deliverable A deliverable that this worker submitted.
struct Winner {
    address worker;
    uint16 shareBps;
    bytes32 deliverable;
}

/// @notice One award of a verdict.
/// @param worker The awarded worker.
/// @param amount Gross amount in USDC base units, above zero.
/// @param rank Rank of the award: 1 to 255, unique within the verdict. Rank 1 is the primary award.
struct Award {
    address worker;
    uint80 amount;
    uint16 rank;
}

/// @notice A requester's rating of one worker who received an award.
/// @param taskId The completed task.
/// @param worker The rated worker.
/// @param rating Rating of the worker, 0 to 100.
/// @param raterAgentId ERC-8004 agent id that the requester states for itself. The market logs this id without a check.
/// @param workerAgentId ERC-8004 agent id of the worker. Ignored if `hasAgent` is false.
/// @param hasAgent Whether `workerAgentId` is given. If true, the rating is copied to the reputation registry.
/// @param feedbackURI URI of the feedback file.
/// @param feedbackHash keccak256 of the feedback file; zero if there is no file.
struct RateParams {
    bytes32 taskId;
    address worker;
    uint8 rating;
    uint256 raterAgentId;
    uint256 workerAgentId;
    bool hasAgent;
    string feedbackURI;
    bytes32 feedbackHash;
}

/// @notice The terms of a new task, as the event `TaskCreated` logs them. Times are Unix seconds, amounts are USDC base
/// units.
/// @param reward Gross reward; in auctions the maximum price.
/// @param createdAt Time of the creation.
/// @param expiryTime Time of the expiry.
/// @param pitchDeadline Time at which pitching ends; zero if the mode is not pitch.
/// @param bidDeadline Time at which bidding ends (english, reverse english) or the price stops changing (dutch, reverse
/// dutch); zero if the mode is not auction.
/// @param auctionType ERC-8195 selector of the auction subtype; zero if the mode is not auction.
/// @param clockPrice Floor price (dutch) or start price (reverse dutch); zero for all other tasks.
/// @param stakeBps Stake that a claim requires, in basis points of the reward.
/// @param feeBps Platform fee in basis points.
/// @param contentHash Hash of the task's off-chain text; zero if the task has no such text.
/// @param tags keccak256 of each tag's UTF-8 bytes.
/// @param listed Whether public lists show the task.
/// @param nonce Number of tasks that the requester created before this task.
struct Terms {
    uint96 reward;
    uint40 createdAt;
    uint40 expiryTime;
    uint40 pitchDeadline;
    uint40 bidDeadline;
    bytes4 auctionType;
    uint96 clockPrice;
    uint16 stakeBps;
    uint16 feeBps;
    bytes32 contentHash;
    bytes32[] tags;
    bool listed;
    uint256 nonce;
}

/// @notice A task as `getTask` returns it. Times are Unix seconds, amounts are USDC base units.
/// @param requester Creator of the task.
/// @param mode ERC-8195 selector of the mode.
/// @param auctionType ERC-8195 selector of the auction subtype; zero if the mode is not auction.
/// @param status Status of the task.
/// @param reward Gross reward; in auctions the maximum price.
/// @param escrow Amount that the market still holds for the task, without the worker's stake.
/// @param feeBps Platform fee in basis points.
/// @param stakeBps Stake that a claim requires, in basis points of the reward.
/// @param createdAt Time of the creation.
/// @param expiryTime Time of the expiry.
/// @param pitchDeadline Time at which pitching ends; zero if the mode is not pitch.
/// @param bidDeadline Time at which bidding ends (english, reverse english) or the price stops changing (dutch, reverse
/// dutch); zero if the mode is not auction.
/// @param clockPrice Floor price (dutch) or start price (reverse dutch); zero for all other tasks.
/// @param contentHash Hash of the task's off-chain text; zero if the task has no such text.
/// @param tagsHash keccak256 of the concatenated tag hashes; zero if the task has no tags.
/// @param worker The worker that a claim, a pitch selection or an auction assigned; zero in contests and until a worker
/// is assigned.
/// @param price Gross amount that the assigned worker can be paid; zero in contests and until a worker is assigned.
/// @param stake Deposit of the assigned worker that the market holds.
/// @param deliverable Hash of the assigned worker's deliverable; zero in contests, which can have many deliverables.
/// @param submissionCount Number of deliverables that workers have submitted, rejected ones included.
/// @param activeSubmissions Number of deliverables whose workers are not rejected.
/// @param pitchCount Number of pitches submitted.
/// @param bidCount Number of bids placed; each lower bid of the same worker counts again.
/// @param proofCount Number of benchmark proofs submitted.
/// @param awardCount Number of awards that were paid.
/// @param round Number of times that the task was reopened after a forfeited claim.
/// @param objected Whether the requester objected to the delivery.
/// @param hasEvaluator Whether an evaluator is assigned; false again after `evaluatorTimeout`.
/// @param hookSet Id of the task's hook list; zero if the task has no hooks.
struct TaskView {
    address requester;
    bytes4 mode;
    bytes4 auctionType;
    Status status;
    uint96 reward;
    uint96 escrow;
    uint16 feeBps;
    uint16 stakeBps;
    uint40 createdAt;
    uint40 expiryTime;
    uint40 pitchDeadline;
    uint40 bidDeadline;
    uint96 clockPrice;
    bytes32 contentHash;
    bytes32 tagsHash;
    address worker;
    uint96 price;
    uint96 stake;
    bytes32 deliverable;
    uint32 submissionCount;
    uint32 activeSubmissions;
    uint32 pitchCount;
    uint32 bidCount;
    uint32 proofCount;
    uint32 awardCount;
    uint32 round;
    bool objected;
    bool hasEvaluator;
    bytes32 hookSet;
}

/// @notice The evaluator, the windows and the verdict of a task. All fields are zero if the task has no evaluator or
/// `evaluatorTimeout` removed the evaluator.
/// @param evaluator Account that issues the verdict.
/// @param resolver Account that decides an appeal; zero if appeals are not possible.
/// @param feeBps Fee of the evaluator, in basis points of the escrow.
/// @param evaluationWindow Seconds that the evaluator has for the verdict, counted from the delivery; in a contest,
/// from the expiry.
/// @param appealWindow Seconds in which an appeal is possible, counted from the verdict.
/// @param verdict The evaluator's verdict; None until it is issued. A resolver's decision does not change this field.
/// @param score Score in the verdict, 0 to 1000.
/// @param confidence The evaluator's confidence in the verdict, 0 to 1000.
/// @param evidenceHash Hash of the evaluator's evidence; zero if there is none.
/// @param phaseDeadline Unix time of the current deadline: the evaluator's deadline in status Review, the end of the
/// appeal window in Appealing, and the resolver's deadline in Disputed. Zero for an open contest, whose evaluator has
/// until the expiry plus the evaluation window.
/// @param awards The awards of the verdict, in the order in which the evaluator gave them.
struct EvaluationView {
    address evaluator;
    address resolver;
    uint16 feeBps;
    uint40 evaluationWindow;
    uint40 appealWindow;
    Verdict verdict;
    uint16 score;
    uint16 confidence;
    bytes32 evidenceHash;
    uint40 phaseDeadline;
    Award[] awards;
}

/// @notice The record of one worker in one task.
/// @param submissions Number of deliverables that the worker has submitted.
/// @param active Number of deliverables that can be awarded; zero after the requester rejected the worker.
/// @param rejected Whether the requester rejected the worker.
/// @param awarded Whether the worker has an award.
/// @param rated Whether the requester rated the worker.
/// @param pitched Whether the worker pitched.
/// @param bid The worker's latest bid in USDC base units; zero if the worker has not bid.
struct EntryView {
    uint32 submissions;
    uint32 active;
    bool rejected;
    bool awarded;
    bool rated;
    bool pitched;
    uint96 bid;
}
