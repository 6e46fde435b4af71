// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {LocalFiatToken} from "./LocalFiatToken.sol";

/// @title USDC for a local chain that simulates a chain other than Base
/// @notice The deployment chooses the token's name. The name is part of the EIP-712 domain. On Base Sepolia the name is
/// "USDC".
contract LocalNamedUsdc is LocalFiatToken {
    /// @notice Returns the name of the token.
    string public name;

    /// @notice Sets the name of the token. Reverts if the token already has a name.
    function setName(string calldata given) external {
        require(bytes(name).length == 0, "LocalNamedUsdc: it has a name already");
        name = given;
    }

    /// @dev Returns the hash of the token's name.
    function _nameHash() internal view override returns (bytes32) {
        return keccak256(bytes(name));
    }
}
