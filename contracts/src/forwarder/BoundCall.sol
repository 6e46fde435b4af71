// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Hex} from "./Hex.sol";

/// @title Signatures that are valid for one call alone
/// @notice A payment names the call in its nonce, a message in its tail: a relayer can submit it with that call only.
library BoundCall {
    /// @dev Type of the hashed call.
    bytes32 private constant TYPEHASH = keccak256(
        "BoundCall(uint256 chainId,address forwarder,address target,bytes32 dataHash,uint256 escrowAmount,bytes32 salt)"
    );

    /// @dev Returns the nonce of the authorization that pays for the call.
    function nonceOf(address target, bytes calldata data, uint256 escrowAmount, bytes32 salt)
        internal
        view
        returns (bytes32)
    {
        return
            keccak256(abi.encode(TYPEHASH, block.chainid, address(this), target, keccak256(data), escrowAmount, salt));
    }

    /// @dev Returns the end of the message that allows the call: `<head>:call:<chainId>:<forwarder>:<keccak256 of the
    /// data>`.
    function tailOf(string memory head, bytes calldata data) internal view returns (string memory) {
        (bytes32 left, bytes32 right) = Hex.digitsOf(keccak256(data));
        return string(abi.encodePacked(head, ":call", placeText(), ":0x", left, right));
    }

    /// @dev Returns the name of this contract on this chain: `:<chainId>:<forwarder>`.
    function placeText() internal view returns (bytes memory) {
        return abi.encodePacked(":", Strings.toString(block.chainid), Hex.textOf(address(this)));
    }
}
