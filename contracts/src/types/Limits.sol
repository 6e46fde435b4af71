// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Limits of the market
/// @notice Contains all limits that the market checks. All are constants, so the market's owner cannot change them.
library Limits {
    /// @dev The lowest reward of a task: 1000 base units of USDC (0.001 USDC).
    uint256 internal constant MIN_REWARD = 1000;
    /// @dev The longest duration of a task, and the longest evaluation or appeal window, in seconds: ten years of 365
    /// days.
    uint256 internal constant MAX_DURATION = 3650 days;
    /// @dev The highest number of tags of a task.
    uint256 internal constant MAX_TAGS = 10;
    /// @dev The highest number of hooks of a task, default hooks included. Calls to eight hooks fit into the gas limit
    /// of one transaction.
    uint256 internal constant MAX_HOOKS = 8;
    /// @dev The highest number of default hooks. The market's owner sets the default hooks of all future tasks.
    uint256 internal constant MAX_DEFAULT_HOOKS = 3;
    /// @dev The greatest length of a task's hook data, in bytes.
    uint256 internal constant MAX_HOOK_DATA = 4096;
    /// @dev A limit for the bids of an auction. After this many bids, a bid is accepted only if it is below the lowest
    /// bid.
    uint256 internal constant MAX_BIDS = 500;
    /// @dev The lowest bid that an auction accepts: 1000 base units of USDC (0.001 USDC).
    uint256 internal constant MIN_BID = 1000;
    /// @dev The highest number of awards of a task. Payments to this many workers fit into one transaction.
    uint256 internal constant MAX_WINNERS = 50;
    /// @dev The best rating of a worker; the worst rating is 0.
    uint256 internal constant MAX_RATING = 100;
    /// @dev The highest score and the highest confidence of a verdict; the lowest value of both is 0.
    uint16 internal constant MAX_SCORE = 1000;
    /// @dev The highest rank of an award. The market records the used ranks of a verdict as bits of one 256-bit word.
    uint256 internal constant MAX_RANK = 255;
    /// @dev The shortest appeal window, in seconds.
    uint256 internal constant MIN_APPEAL_WINDOW = 300;
    /// @dev The shortest time that a resolver has to decide an appeal, in seconds.
    uint40 internal constant MIN_RESOLUTION_WINDOW = 1 days;
    /// @dev The highest platform fee, in basis points (20 %).
    uint256 internal constant MAX_FEE_BPS = 2000;
    /// @dev The number of basis points that equals 100 %.
    uint256 internal constant BPS = 10_000;
    /// @dev The waiting time after a task's last deadline, in seconds. If nobody has decided when the waiting time is
    /// over, any account may settle the task.
    uint256 internal constant STALE_AFTER = 90 days;
    /// @dev The highest value of an amount, such as a reward, and of the sum that the market owes, in USDC base units.
    /// Both have 72 bits in storage.
    uint256 internal constant MAX_TOTAL_ESCROW = type(uint72).max;
}
