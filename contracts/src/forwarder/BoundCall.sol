// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Hex} from "./Hex.sol";

/// @title Signatures that are valid for only one call
/// @notice A bound payment's nonce is a hash of the call. A call-bound message ends with a hash of the call data. A
/// relayer can therefore use such a signature only for this call.
library BoundCall {
    /// @dev Hash of the struct type `BoundCall`. `nonceOf` hashes it together with the values of a call.
    bytes32 private constant TYPEHASH = keccak256(
        "BoundCall(uint256 chainId,address forwarder,address target,bytes32 dataHash,uint256 escrowAmount,bytes32 salt)"
    );

    /// @dev Returns the nonce of an authorization that pays for this call only.
    function nonceOf(address target, bytes calldata data, uint256 escrowAmount, bytes32 salt)
        internal
        view
        returns (bytes32)
    {
        return
            keccak256(abi.encode(TYPEHASH, block.chainid, address(this), target, keccak256(data), escrowAmount, salt));
    }

    /// @dev Returns the tail of a call-bound message: `<head>:call:<chainId>:<forwarder>:<keccak256 of the data>`.
    /// `head` is `:<round>` or empty.
    function tailOf(string memory head, bytes calldata data) internal view returns (string memory) {
        (bytes32 left, bytes32 right) = Hex.digitsOf(keccak256(data));
        return string(abi.encodePacked(head, ":call", placeText(), ":0x", left, right));
    }

    /// @dev Returns the text that names this contract on this chain: `:<chainId>:<forwarder>`.
    function placeText() internal view returns (bytes memory) {
        return abi.encodePacked(":", Strings.toString(block.chainid), Hex.textOf(address(this)));
    }
}
