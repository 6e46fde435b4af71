// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MarketStorage} from "../types/MarketStorage.sol";

/// @title Passing a caller's struct to a library without decoding it
/// @notice Decoding a struct of many fields and encoding it again would cost thousands of gas, and code. The offsets
/// inside an encoded struct count from its start, so that it can be copied as a whole; the library checks it.
library CallForwarding {
    /// @dev Calls a library function `(MarketStorage storage, IERC20, address, Struct calldata) returns (bytes32)`.
    /// Reverts as the library does.
    /// @param struct_ Start of the struct in the call data; it is the last argument of the call in progress.
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
