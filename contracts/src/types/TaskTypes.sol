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

/// @notice The decision of an evaluator or a resolver.
enum Verdict {
    None,
    Approve,
    Reject,
    Partial
}

/// @notice The way in which a worker was assigned (event `TaskWorkerSelected`).
enum SelectionKind {
    Claim,
    Pitch,
    Bid,
    ClockPrice
}

/// @notice The reason why escrow was returned to the requester (event `EscrowReturned`).
enum ReturnReason {
    RewardDecreased,
    AuctionSurplus,
    Unawarded
}

/// @notice The reason why a task was cancelled (event `TaskCancelled`).
enum CancelReason {
    Requester,
    RejectVerdict
}

/// @notice The ending of a task in its requester's record (event `RequesterReputation`). `Stale`: another account had
/// to end it. `ExpiredUndelivered`: the assigned worker delivered nothing. `RejectedByVerdict`: the evaluator's
/// decision.
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

/// @notice Terms of an optional evaluator. All zero: no evaluator.
/// @param evaluator Account that issues the verdict.
/// @param resolver Account that decides an appeal; zero: no appeal is possible.
/// @param feeBps The evaluator's part of the payable amount, in basis points.
/// @param evaluationWindow Seconds from the delivery, in a contest from the expiry, to the verdict.
/// @param appealWindow Seconds from the verdict to its finality, at least 300.
struct EvaluatorTerms {
    address evaluator;
    address resolver;
    uint16 feeBps;
    uint40 evaluationWindow;
    uint40 appealWindow;
}

/// @notice The requester's decisions at the creation of a task.
/// @param mode ERC-8195 selector: bytes4(keccak256("TMP.mode.<mode>")).
/// @param auctionType ERC-8195 selector of the auction subtype; zero unless the mode is auction.
/// @param reward Gross escrow in USDC base units (6 decimals); in auctions the maximum price.
/// @param duration Seconds from creation to expiry.
/// @param pitchDuration Pitch mode: seconds from creation to the pitch deadline; zero: until expiry.
/// @param bidDuration Auction mode: seconds from creation to the bid deadline. Zero: until expiry, for dutch and
/// reverse dutch alone.
/// @param clockPrice Floor (dutch) or start (reverse dutch) price in base units; zero otherwise.
/// @param stakeBps Claim mode: the worker's stake as basis points of the reward; zero: none.
/// @param contentHash Commitment to the off-chain text; zero: none.
/// @param tags keccak256 of each tag's UTF-8 bytes, at most 10; empty for private tasks.
/// @param listed Whether public lists show the task; false for private tasks.
/// @param evaluation Optional evaluator terms.
/// @param hooks Custom hooks, in order, after the market's default hooks.
/// @param hookData Data for the checkFund of every hook, at most 4096 bytes.
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
/// @param reward New gross escrow; an increase is pulled from the caller, a decrease is returned to the requester.
/// @param expiryTime New expiry, Unix seconds.
/// @param pitchDeadline New pitch deadline, Unix seconds (pitch mode).
/// @param bidDeadline New bid deadline, Unix seconds (auction mode).
/// @param clockPrice New floor or start price (dutch, reverse dutch).
/// @param contentHash New commitment to the off-chain text.
struct UpdateTaskParams {
    bytes32 taskId;
    uint96 reward;
    uint40 expiryTime;
    uint40 pitchDeadline;
    uint40 bidDeadline;
    uint96 clockPrice;
    bytes32 contentHash;
}

/// @notice One winner of a split acceptance. The rank is the position in the array, from 1.
/// @param worker The awarded worker.
/// @param shareBps Part of the reward; all shares sum to 10000.
/// @param deliverable A committed deliverable of this worker.
struct Winner {
    address worker;
    uint16 shareBps;
    bytes32 deliverable;
}

/// @notice One award of a verdict.
/// @param worker The awarded worker.
/// @param amount Gross, in base units, above zero.
/// @param rank 1 to 255, unique within the verdict; 1 is the primary award.
struct Award {
    address worker;
    uint80 amount;
    uint16 rank;
}

/// @notice A rating of one award recipient.
/// @param taskId The completed task.
/// @param worker The rated worker.
/// @param rating 0 to 100.
/// @param raterAgentId ERC-8004 agent id of the requester, informative.
/// @param workerAgentId ERC-8004 agent id of the worker; meaningful only when `hasAgent` (0 is a valid id).
/// @param hasAgent Whether the rating is copied to the reputation registry.
/// @param feedbackURI URI of the feedback file.
/// @param feedbackHash keccak256 of the feedback file; zero: none.
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

/// @notice The terms of a task at its creation, as logged. Times are Unix seconds, amounts USDC base units.
/// @param reward Gross escrow.
/// @param createdAt Time of the creation.
/// @param expiryTime Expiry.
/// @param pitchDeadline End of pitching; zero outside pitch mode.
/// @param bidDeadline End of bidding or of the clock; zero outside auctions.
/// @param auctionType Subtype's selector; zero outside auctions.
/// @param clockPrice Floor or start price; zero without a clock.
/// @param stakeBps Stake of a claim, basis points of the reward.
/// @param feeBps Platform fee, basis points.
/// @param contentHash Commitment to the off-chain text; zero: none.
/// @param tags keccak256 of each tag's UTF-8 bytes.
/// @param listed Whether public lists show the task.
/// @param nonce Number of tasks that the requester created before.
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

/// @notice A task as the contract stores it. Times are Unix seconds, amounts USDC base units.
/// @param requester Creator of the task.
/// @param mode ERC-8195 selector.
/// @param auctionType Subtype's selector; zero outside auctions.
/// @param status Status of the task.
/// @param reward Gross reward; in auctions the maximum price.
/// @param escrow USDC that the market still holds for the task, without the stake.
/// @param feeBps Platform fee, basis points.
/// @param stakeBps Stake of a claim, basis points of the reward.
/// @param createdAt Time of the creation.
/// @param expiryTime Expiry.
/// @param pitchDeadline End of pitching; zero outside pitch mode.
/// @param bidDeadline End of bidding or of the clock; zero outside auctions.
/// @param clockPrice Floor or start price; zero without a clock.
/// @param contentHash Commitment to the off-chain text; zero: none.
/// @param tagsHash keccak256 of the concatenated tag hashes; zero: no tags.
/// @param worker Worker assigned by claim, pitch selection or auction; zero in contests and before.
/// @param price Payable amount once a worker is assigned; zero before and in contests.
/// @param stake The assigned worker's deposit that the market holds.
/// @param deliverable The assigned worker's deliverable; zero in contests, which have many.
/// @param submissionCount Deliverables committed in all.
/// @param activeSubmissions Deliverables of workers who are not rejected.
/// @param pitchCount Pitches anchored.
/// @param bidCount Bids placed in all, each lowering counted.
/// @param proofCount Proofs anchored.
/// @param awardCount Awards paid.
/// @param round Number of reopenings.
/// @param objected Whether the requester objected to the delivery.
/// @param hasEvaluator Whether an evaluator decides; false again after its timeout.
/// @param hookSet Id of the hook list; zero: none.
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

/// @notice The evaluator flow of a task; all zero without an evaluator and after its timeout.
/// @param evaluator Account that issues the verdict.
/// @param resolver Account that decides an appeal; zero: no appeal.
/// @param feeBps The evaluator's part of the escrow, basis points.
/// @param evaluationWindow Seconds from the delivery, in a contest from the expiry, to the verdict.
/// @param appealWindow Seconds from the verdict to its finality.
/// @param verdict The evaluator's verdict; a dispute does not change it.
/// @param score 0 to 1000.
/// @param confidence 0 to 1000.
/// @param evidenceHash Hash of the evaluator's evidence; zero: none.
/// @param phaseDeadline End of the present window: the evaluator's in review, the appeal's in appealing, the resolver's
/// in disputed. Zero while a contest is open, whose evaluator has until expiry plus the evaluation window.
/// @param awards The evaluator's awards.
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

/// @notice The entry of one worker in one task.
/// @param submissions Deliverables committed in all.
/// @param active Deliverables that are active; zero after a rejection.
/// @param rejected Whether the requester rejected the worker.
/// @param awarded Whether the worker has an award.
/// @param rated Whether the award is rated.
/// @param pitched Whether the worker pitched.
/// @param bid The worker's present bid; zero: none.
struct EntryView {
    uint32 submissions;
    uint32 active;
    bool rejected;
    bool awarded;
    bool rated;
    bool pitched;
    uint96 bid;
}
