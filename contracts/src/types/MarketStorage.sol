// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Kind} from "./Modes.sol";
import {Award, Status, Verdict} from "./TaskTypes.sol";

/// @notice A task in storage. Its fields are ordered so that a bounty fills two slots and its hashes, a claim one more,
/// and that each operation writes as few slots as it can.
/// @param requester Creator of the task.
/// @param createdAt Unix seconds.
/// @param status Status of the task; None: it does not exist.
/// @param kind Mode and auction subtype.
/// @param feeBps Platform fee, fixed at creation.
/// @param stakeBps Stake of a claim, basis points of the reward.
/// @param flags Bits of `Flags`.
/// @param reward Gross reward, USDC base units; in auctions the maximum price.
/// @param escrow USDC that the market still holds for the task, without the stake; zero in a terminal status.
/// @param expiryTime Unix seconds.
/// @param submissionCount Deliverables committed in all.
/// @param activeSubmissions Deliverables of workers who are not rejected.
/// @param awardCount Awards paid.
/// @param round Number of reopenings.
/// @param contentHash Commitment to the off-chain text; zero: none.
/// @param tagsHash keccak256 of the concatenated tag hashes; zero: no tags.
/// @param worker The assigned worker. While an auction is open: the lowest bidder.
/// @param price The assigned worker's gross payment. While an auction is open: the lowest bid.
/// @param bidCount Bids placed in all, each lowering counted; it stays at 65535.
/// @param entryDeadline End of pitching (pitch mode), of bidding or of the clock (auctions).
/// @param clockPrice Floor (dutch) or start price (reverse dutch).
/// @param pitchCount Pitches anchored.
/// @param proofCount Proofs anchored.
/// @param deliverable The assigned worker's deliverable; a contest stores its deliverables by worker.
/// @param hookSet Id of the hook list; zero: none.
/// @param awardsHash keccak256(abi.encode(workers, amounts)) of a completed task with a custom hook.
struct Task {
    address requester;
    uint40 createdAt;
    Status status;
    Kind kind;
    uint16 feeBps;
    uint16 stakeBps;
    uint8 flags;
    // slot
    uint72 reward;
    uint72 escrow;
    uint40 expiryTime;
    uint24 submissionCount;
    uint24 activeSubmissions;
    uint8 awardCount;
    uint16 round;
    // slot
    bytes32 contentHash;
    // slot
    bytes32 tagsHash;
    // slot
    address worker;
    uint72 price;
    uint16 bidCount;
    // slot
    uint40 entryDeadline;
    uint72 clockPrice;
    uint24 pitchCount;
    uint24 proofCount;
    // slot
    bytes32 deliverable;
    // slot
    bytes32 hookSet;
    // slot
    bytes32 awardsHash;
}

/// @title Bits of a task's `flags`
/// @notice Facts of a task that share a storage slot with its status, so that reading them costs nothing more.
library Flags {
    /// @dev The task has hooks.
    uint8 internal constant HOOKS = 1;
    /// @dev An evaluator decides; cleared by the evaluator's timeout.
    uint8 internal constant EVALUATOR = 2;
    /// @dev The requester objected to the delivery.
    uint8 internal constant OBJECTED = 4;
    /// @dev The assigned worker is rated; a contest stores this by worker.
    uint8 internal constant RATED = 8;
    /// @dev The requester named at least one of the hooks.
    uint8 internal constant CUSTOM_HOOKS = 16;
}

/// @notice The entry of one worker in one task; one slot. The assigned worker's delivery is in `Task` instead.
/// @param submissions Deliverables committed in all (contests).
/// @param active Deliverables that are active; zero after a rejection (contests).
/// @param rejected Whether the requester rejected the worker (contests).
/// @param awarded Whether the worker has an award (contests).
/// @param rated Whether the award is rated (contests).
/// @param pitched Whether the worker pitched.
/// @param bid The worker's present bid; zero: none.
struct Entry {
    uint24 submissions;
    uint24 active;
    bool rejected;
    bool awarded;
    bool rated;
    bool pitched;
    uint72 bid;
}

/// @notice The evaluator flow of a task.
/// @param evaluator Account that issues the verdict.
/// @param feeBps The evaluator's part of the escrow, basis points.
/// @param evaluationWindow Seconds from the delivery, in a contest from the expiry, to the verdict.
/// @param appealWindow Seconds from the verdict to its finality.
/// @param resolver Account that decides an appeal; zero: no appeal.
/// @param verdict The evaluator's verdict; None before it.
/// @param score 0 to 1000.
/// @param confidence 0 to 1000.
/// @param phaseDeadline Evaluator's deadline in review, appeal deadline in appealing, resolver's deadline in disputed.
/// @param evidenceHash Hash of the evaluator's evidence; zero: none.
/// @param awards The evaluator's awards, in the given order.
struct Evaluation {
    address evaluator;
    uint16 feeBps;
    uint40 evaluationWindow;
    uint40 appealWindow;
    // slot
    address resolver;
    Verdict verdict;
    uint16 score;
    uint16 confidence;
    uint40 phaseDeadline;
    // slot
    bytes32 evidenceHash;
    // slot
    Award[] awards;
}

/// @notice One hook of a list. Each carries the counts of the whole list, so that a call reads one slot for each hook.
/// @param hook Address of the hook.
/// @param count Hooks in the list.
/// @param defaultCount Default hooks at the start of the list.
struct StoredHook {
    address hook;
    uint8 count;
    uint8 defaultCount;
}

/// @notice All storage of the market, which its libraries receive.
/// @param feeRecipient Receiver of platform fees and forfeited stakes.
/// @param totalEscrow Sum of all escrows, stakes and credits, USDC base units; 72 bits hold 4.7e15 USDC.
/// @param feeBps Platform fee of future tasks.
/// @param flags Bits of `MarketFlags`.
/// @param identityRegistry ERC-8004 registry of agents; zero: none.
/// @param reputationRegistry ERC-8004 registry of feedback; zero: none.
/// @param defaultHooks Hooks of every future task.
/// @param tasks Tasks by id.
/// @param entries Entries by task and worker.
/// @param submissionNumbers One more than the position of a committed deliverable in its contest; zero: not committed.
/// @param evaluations Evaluator flows by task.
/// @param hookSets Hook lists by their id: tasks with the same list share it, so that only the first stores it.
/// @param nonces Tasks that a requester created so far.
/// @param credits Payouts that could not be delivered.
struct MarketStorage {
    address feeRecipient;
    uint72 totalEscrow;
    uint16 feeBps;
    uint8 flags;
    address identityRegistry;
    address reputationRegistry;
    address[] defaultHooks;
    mapping(bytes32 taskId => Task) tasks;
    mapping(bytes32 taskId => mapping(address worker => Entry)) entries;
    mapping(bytes32 taskId => mapping(address worker => mapping(bytes32 deliverable => uint256))) submissionNumbers;
    mapping(bytes32 taskId => Evaluation) evaluations;
    mapping(bytes32 hookSet => mapping(uint256 index => StoredHook)) hookSets;
    mapping(address requester => uint256) nonces;
    mapping(address account => uint256) credits;
}
