// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Bits of the market's `flags`
/// @notice Names the bits of `MarketStorage.flags`. One storage read returns these bits together with the platform fee.
library MarketFlags {
    /// @dev Bit that is set while entries are paused: the market refuses new tasks, claims, pitches, bids, accepted
    /// auction prices and reward increases.
    uint8 internal constant PAUSED = 1;
    /// @dev Bit that is set if the market has default hooks. If not set, `createTask` skips the read of the default
    /// hooks.
    uint8 internal constant DEFAULT_HOOKS = 2;
}
