// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Bits of the market's `flags`
library MarketFlags {
    /// @dev Entries are closed.
    uint8 internal constant PAUSED = 1;
    /// @dev There are default hooks: without them the creation of a task reads no list.
    uint8 internal constant DEFAULT_HOOKS = 2;
}
