// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Refusals} from "./Refusals.sol";

/// @title A hook that agrees in simulations and refuses in blocks, or as a test tells it to
/// @dev Tests write its storage: slot 0 is `refusal`, slot 1 is `burns`.
contract FickleHook {
    uint256 public refusal;

    /// @notice Not zero: a refusal takes all gas that the market gives a hook.
    uint256 public burns;

    /// @dev Every interface, so that the market takes it.
    function supportsInterface(bytes4) external pure returns (bool) {
        return true;
    }

    /// @dev Every step of the hook ABI.
    fallback() external {
        bool agrees = !Refusals.refuses(refusal);
        if (!agrees && burns != 0) Refusals.burn();
        assembly ("memory-safe") {
            mstore(0x00, agrees)
            return(0x00, 0x20)
        }
    }
}
