// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Bounds of the market, all in one place
library Limits {
    /// @dev USDC base units (0.001 USDC).
    uint256 internal constant MIN_REWARD = 1000;
    /// @dev Seconds; ten years of 365 days.
    uint256 internal constant MAX_DURATION = 3650 days;
    uint256 internal constant MAX_TAGS = 10;
    uint256 internal constant MAX_HOOKS = 8;
    uint256 internal constant MAX_DEFAULT_HOOKS = 3;
    uint256 internal constant MAX_HOOK_DATA = 4096;
    /// @dev Bids that do not lead are refused from this count on.
    uint256 internal constant MAX_BIDS = 500;
    /// @dev USDC base units (0.001 USDC).
    uint256 internal constant MIN_BID = 1000;
    uint256 internal constant MAX_WINNERS = 50;
    uint256 internal constant MAX_RATING = 100;
    /// @dev Of a verdict's score and confidence.
    uint16 internal constant MAX_SCORE = 1000;
    uint256 internal constant MAX_RANK = 255;
    /// @dev Seconds.
    uint256 internal constant MIN_APPEAL_WINDOW = 300;
    /// @dev Seconds a resolver has at least.
    uint40 internal constant MIN_RESOLUTION_WINDOW = 1 days;
    uint256 internal constant MAX_FEE_BPS = 2000;
    uint256 internal constant BPS = 10_000;
    /// @dev Time without an answer after the last deadline, after which any account may settle a task.
    uint256 internal constant STALE_AFTER = 90 days;
    /// @dev Amounts and their sum are kept in 72 bits.
    uint256 internal constant MAX_TOTAL_ESCROW = type(uint72).max;
}
