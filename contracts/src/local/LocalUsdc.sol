// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {LocalFiatToken} from "./LocalFiatToken.sol";

/// @title USDC for a local chain that simulates Base
/// @notice The token's name, which is part of the EIP-712 domain, is the name on Base: "USD Coin".
contract LocalUsdc is LocalFiatToken {
    /// @notice Returns "USD Coin".
    // forge-lint: disable-next-line(screaming-snake-case-const)
    string public constant name = "USD Coin";

    /// @dev Returns the hash of the token's name.
    function _nameHash() internal pure override returns (bytes32) {
        return keccak256("USD Coin");
    }
}
