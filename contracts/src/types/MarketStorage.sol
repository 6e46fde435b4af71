// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Status} from "./TaskTypes.sol";

/// @notice A task in storage. Fields are ordered so that a bounty fills two slots and its hashes.
/// @param feeBps Platform fee stamped at creation.
/// @param escrow What the market still holds for the task; zero in a terminal state.
/// @param activeSubmissions Deliverables of workers who are not rejected.
/// @param contentHash Zero when none was given.
/// @param tagsHash keccak256 of the concatenated tag hashes; zero when there are no tags.
struct Task {
    address requester;
    uint40 createdAt;
    Status status;
    uint16 feeBps;
    bytes4 mode;
    // slot
    uint80 reward;
    uint80 escrow;
    uint40 expiryTime;
    uint24 submissionCount;
    uint24 activeSubmissions;
    uint8 awardCount;
    // slot
    bytes32 contentHash;
    // slot
    bytes32 tagsHash;
}

/// @notice What one worker did in one task; one slot.
/// @param submissions Deliverables committed in all.
/// @param active Deliverables that stand; zero after a rejection.
struct Entry {
    uint24 submissions;
    uint24 active;
    bool rejected;
    bool awarded;
    bool rated;
}

/// @notice All storage of the market, handed to its libraries.
/// @param totalEscrow Sum of all task escrows and credits in USDC base units; 72 bits hold 4.7e15 USDC.
/// @param feeBps Platform fee of future tasks.
/// @param paused Whether entries are closed.
/// @param submissionNumbers One more than the position of a committed deliverable in its task; zero: not committed.
/// @param nonces Tasks a requester created so far.
/// @param credits Payouts that could not be delivered.
struct MarketStorage {
    address feeRecipient;
    uint72 totalEscrow;
    uint16 feeBps;
    bool paused;
    address identityRegistry;
    address reputationRegistry;
    mapping(bytes32 taskId => Task) tasks;
    mapping(bytes32 taskId => mapping(address worker => Entry)) entries;
    mapping(bytes32 taskId => mapping(address worker => mapping(bytes32 deliverable => uint256))) submissionNumbers;
    mapping(address requester => uint256) nonces;
    mapping(address account => uint256) credits;
}
