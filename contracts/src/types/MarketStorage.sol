// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Kind} from "./Modes.sol";
import {Award, Status, Verdict} from "./TaskTypes.sol";

/// @notice A task in storage. Fields are ordered so that a bounty fills two slots and its hashes, a claim one more, and
/// that each operation writes as few slots as it can.
/// @param feeBps Platform fee stamped at creation.
/// @param flags Bits of `Flags`.
/// @param escrow What the market still holds for the task, without the stake; zero in a terminal state.
/// @param submissionCount Deliverables committed in all.
/// @param activeSubmissions Deliverables of workers who are not rejected.
/// @param round How often it was reopened.
/// @param contentHash Zero when none was given.
/// @param tagsHash keccak256 of the concatenated tag hashes; zero when there are no tags.
/// @param worker The assigned worker. While an auction is open: the lowest bidder.
/// @param price What the assigned worker is paid gross. While an auction is open: the lowest bid.
/// @param bidCount Bids placed in all, each lowering counted; stays at 65535.
/// @param entryDeadline End of pitching (pitch mode) or bidding and the clock (auctions).
/// @param clockPrice Floor (dutch) or start price (reverse dutch).
/// @param deliverable What the assigned worker delivered; contests keep theirs by worker.
/// @param hookSet Id of the interned hook list.
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
library Flags {
    /// @dev The task runs with hooks.
    uint8 internal constant HOOKS = 1;
    /// @dev An evaluator decides; cleared by its timeout.
    uint8 internal constant EVALUATOR = 2;
    /// @dev The requester refused the delivery on record.
    uint8 internal constant OBJECTED = 4;
    /// @dev The assigned worker is rated; contests keep this by worker.
    uint8 internal constant RATED = 8;
    /// @dev At least one of the hooks was named by the requester.
    uint8 internal constant CUSTOM_HOOKS = 16;
}

/// @notice What one worker did in one task; one slot. The assigned worker of a task is in the task instead.
/// @param submissions Deliverables committed in all (contests).
/// @param active Deliverables that stand; zero after a rejection (contests).
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
/// @param phaseDeadline Evaluator's deadline in review, appeal deadline in appealing, resolver's deadline in disputed.
/// @param awards The evaluator's awards, in the order given.
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

/// @notice One hook of an interned list; each carries what a reader needs of the whole list.
/// @param count Hooks in the list.
/// @param defaultCount How many of the first are default hooks.
struct StoredHook {
    address hook;
    uint8 count;
    uint8 defaultCount;
}

/// @notice All storage of the market, handed to its libraries.
/// @param totalEscrow Sum of all escrows, stakes and credits in USDC base units; 72 bits hold 4.7e15 USDC.
/// @param feeBps Platform fee of future tasks.
/// @param flags Bits of `MarketFlags`.
/// @param submissionNumbers One more than the position of a committed deliverable in its contest; zero: not committed.
/// @param hookSets Hook lists by their id: once stored, every task with the same list shares it.
/// @param nonces Tasks a requester created so far.
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
