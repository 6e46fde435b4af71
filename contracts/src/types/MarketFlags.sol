// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Bits of the market's `flags`
/// @notice Settings of the market that one storage read returns together with its fee.
library MarketFlags {
    /// @dev Entries are paused.
    uint8 internal constant PAUSED = 1;
    /// @dev Default hooks are set: without them the creation of a task reads no list.
    uint8 internal constant DEFAULT_HOOKS = 2;
}
