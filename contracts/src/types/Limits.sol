// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Bounds of the market
/// @notice Every bound of the market in one place. They are constants of the code: no owner can change them.
library Limits {
    /// @dev Least reward, USDC base units (0.001 USDC).
    uint256 internal constant MIN_REWARD = 1000;
    /// @dev Longest duration and window, seconds; ten years of 365 days.
    uint256 internal constant MAX_DURATION = 3650 days;
    /// @dev Tags of a task.
    uint256 internal constant MAX_TAGS = 10;
    /// @dev Hooks of a task, default hooks included: all of them fit into the gas of one transaction.
    uint256 internal constant MAX_HOOKS = 8;
    /// @dev Default hooks of the market.
    uint256 internal constant MAX_DEFAULT_HOOKS = 3;
    /// @dev Bytes of hook data.
    uint256 internal constant MAX_HOOK_DATA = 4096;
    /// @dev Bids that do not lead are refused from this count on.
    uint256 internal constant MAX_BIDS = 500;
    /// @dev Lowest bid, USDC base units (0.001 USDC).
    uint256 internal constant MIN_BID = 1000;
    /// @dev Awards of a task: paying them all fits into one transaction.
    uint256 internal constant MAX_WINNERS = 50;
    /// @dev Best rating.
    uint256 internal constant MAX_RATING = 100;
    /// @dev Best score and confidence of a verdict.
    uint16 internal constant MAX_SCORE = 1000;
    /// @dev Last rank of an award; a verdict's ranks are checked as bits of one word.
    uint256 internal constant MAX_RANK = 255;
    /// @dev Shortest appeal window, seconds.
    uint256 internal constant MIN_APPEAL_WINDOW = 300;
    /// @dev Least time of a resolver, seconds.
    uint40 internal constant MIN_RESOLUTION_WINDOW = 1 days;
    /// @dev Highest platform fee, basis points (20 %).
    uint256 internal constant MAX_FEE_BPS = 2000;
    /// @dev Basis points of a whole.
    uint256 internal constant BPS = 10_000;
    /// @dev Time without a decision after the last deadline, after which any account may settle a task.
    uint256 internal constant STALE_AFTER = 90 days;
    /// @dev Amounts and their sum are stored in 72 bits.
    uint256 internal constant MAX_TOTAL_ESCROW = type(uint72).max;
}
