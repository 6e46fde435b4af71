// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Kind} from "./Modes.sol";
import {Award, Status, Verdict} from "./TaskTypes.sol";

/// @notice A task as the market stores it. The order of the fields minimises the written storage slots. A new bounty
/// writes the first two slots and the slots of nonzero hashes. A claim also writes the slot of `worker`.
/// @param requester Creator of the task.
/// @param createdAt Time of the creation, in Unix seconds.
/// @param status Status of the task; None if the task does not exist.
/// @param kind Mode of the task and, for an auction, its subtype.
/// @param feeBps Platform fee in basis points, which is fixed at the creation.
/// @param stakeBps Stake that a claim requires, in basis points of the reward.
/// @param flags Bits that the library `Flags` names.
/// @param reward Gross reward in USDC base units; in auctions the maximum price.
/// @param escrow Amount in USDC base units that the market holds for the task, without the stake; zero after the task
/// has ended.
/// @param expiryTime Time of the expiry, in Unix seconds.
/// @param submissionCount Number of deliverables that workers have submitted, rejected ones included.
/// @param activeSubmissions Number of deliverables whose workers are not rejected.
/// @param awardCount Number of awards that were paid.
/// @param round Number of times that the task was reopened after a forfeited claim.
/// @param contentHash Hash of the task's off-chain text; zero if the task has no such text.
/// @param tagsHash keccak256 of the concatenated tag hashes; zero if the task has no tags.
/// @param worker The assigned worker; while an auction is open, the lowest bidder.
/// @param price Gross payment of the assigned worker in USDC base units; while an auction is open, the lowest bid.
/// @param bidCount Number of bids, replaced bids included; at most 65535.
/// @param entryDeadline Unix time at which pitching ends (pitch mode), bidding ends (english auctions) or the price
/// stops changing (dutch auctions); zero in other modes.
/// @param clockPrice Floor price of a dutch auction or start price of a reverse dutch auction, in USDC base units; zero
/// in other modes.
/// @param pitchCount Number of pitches submitted.
/// @param proofCount Number of benchmark proofs submitted.
/// @param deliverable Hash of the assigned worker's deliverable. For a contest (bounty or benchmark), see
/// `MarketStorage.submissionNumbers`.
/// @param hookSet Id of the task's hook list; zero if the task has no hooks.
/// @param awardsHash keccak256(abi.encode(workers, amounts)) of the awards, if the task is completed and its requester
/// attached a hook; else zero.
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
/// @notice Names the bits of `Task.flags`. One storage read returns these bits together with the task's status.
library Flags {
    /// @dev Bit that is set if the task has hooks.
    uint8 internal constant HOOKS = 1;
    /// @dev Bit that is set while an evaluator is assigned. `evaluatorTimeout` clears the bit.
    uint8 internal constant EVALUATOR = 2;
    /// @dev Bit that is set if the requester objected to the delivery.
    uint8 internal constant OBJECTED = 4;
    /// @dev Bit that is set if the requester rated the assigned worker. In a contest `Entry.rated` records this for
    /// each worker instead.
    uint8 internal constant RATED = 8;
    /// @dev Bit that is set if the requester attached at least one of the task's hooks.
    uint8 internal constant CUSTOM_HOOKS = 16;
}

/// @notice The record of one worker in one task. The delivery of an assigned worker is in `Task` instead.
/// @param submissions Number of deliverables that the worker has submitted (only in contests).
/// @param active Number of deliverables that can be awarded; zero after the requester rejected the worker (only in
/// contests).
/// @param rejected Whether the requester rejected the worker (only in contests).
/// @param awarded Whether the worker has an award (only in contests).
/// @param rated Whether the requester rated the worker (only in contests).
/// @param pitched Whether the worker pitched.
/// @param bid The worker's latest bid in USDC base units; zero if the worker has not bid.
struct Entry {
    uint24 submissions;
    uint24 active;
    bool rejected;
    bool awarded;
    bool rated;
    bool pitched;
    uint72 bid;
}

/// @notice The evaluator's terms, the verdict and the current deadline of a task with an evaluator.
/// @param evaluator Account that issues the verdict.
/// @param feeBps Fee of the evaluator, in basis points of the escrow.
/// @param evaluationWindow Seconds that the evaluator has for the verdict, counted from the delivery; in a contest,
/// from the expiry.
/// @param appealWindow Seconds in which an appeal is possible, counted from the verdict.
/// @param resolver Account that decides an appeal; zero if appeals are not possible.
/// @param verdict The evaluator's verdict; None until it is issued.
/// @param score Score in the verdict, 0 to 1000.
/// @param confidence The evaluator's confidence in the verdict, 0 to 1000.
/// @param phaseDeadline Unix time of the current deadline: the evaluator's deadline in status Review, the end of the
/// appeal window in Appealing, and the resolver's deadline in Disputed.
/// @param evidenceHash Hash of the evaluator's evidence; zero if there is none.
/// @param awards The awards of the verdict, in the order in which the evaluator gave them.
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

/// @notice One hook of a stored hook list. The record of each hook also contains the counts of the whole list, so a
/// call to a hook needs one storage read.
/// @param hook Address of the hook.
/// @param count Number of hooks in the list.
/// @param defaultCount Number of default hooks. The default hooks are the first hooks in the list.
struct StoredHook {
    address hook;
    uint8 count;
    uint8 defaultCount;
}

/// @notice All state of the market. The market passes this storage to its libraries.
/// @param feeRecipient Receiver of platform fees and forfeited stakes.
/// @param totalEscrow Sum of all escrows, stakes and credits in USDC base units. 72 bits are enough for 4.7e15 USDC.
/// @param feeBps Platform fee of future tasks, in basis points.
/// @param flags Bits that the library `MarketFlags` names.
/// @param identityRegistry ERC-8004 registry of agents; zero if ratings are not copied.
/// @param reputationRegistry ERC-8004 registry of feedback; zero if ratings are not copied.
/// @param defaultHooks Hooks that the market adds to every future task.
/// @param tasks Tasks by id.
/// @param entries Records of workers, by task and worker.
/// @param submissionNumbers Number of a deliverable among the submissions of its contest, counted from 1; zero if the
/// worker did not submit the deliverable.
/// @param evaluations Evaluators and verdicts by task.
/// @param hookSets Hook lists by id. Tasks with the same list share one stored list.
/// @param nonces Number of tasks that each requester has created.
/// @param credits Payouts in USDC base units that could not be delivered, by account.
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
