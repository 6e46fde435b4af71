// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MarketStorage} from "../types/MarketStorage.sol";

/// @title Passing a caller's struct to a library without decoding it
/// @notice Copies the ABI-encoded bytes of the struct. The library decodes and checks the struct. This saves thousands
/// of gas. The copy is valid because the offsets in the struct are relative to the struct's start.
library CallForwarding {
    /// @dev Calls a library function by delegatecall. The function must have the signature `(MarketStorage storage,
    /// IERC20, address, Struct calldata) returns (bytes32)`. If the library reverts, this function reverts with the
    /// same data.
    /// @param struct_ Byte offset in the call data at which the struct begins. The struct must be the last argument.
    function delegate(
        address library_,
        bytes4 selector,
        MarketStorage storage market,
        address usdc,
        address actor,
        uint256 struct_
    ) internal returns (bytes32 result) {
        assembly ("memory-safe") {
            let call_ := mload(0x40)
            mstore(call_, selector)
            mstore(add(call_, 0x04), market.slot)
            mstore(add(call_, 0x24), usdc)
            mstore(add(call_, 0x44), actor)
            // The offset of the struct: behind these four words.
            mstore(add(call_, 0x64), 0x80)
            let length := sub(calldatasize(), struct_)
            calldatacopy(add(call_, 0x84), struct_, length)
            let success := delegatecall(gas(), library_, call_, add(0x84, length), 0, 0x20)
            if iszero(success) {
                returndatacopy(call_, 0, returndatasize())
                revert(call_, returndatasize())
            }
            result := mload(0)
        }
    }
}
