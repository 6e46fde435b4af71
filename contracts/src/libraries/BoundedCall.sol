// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../interfaces/ITaskMarket.sol";

/// @title Calls to contracts of unknown authors
/// @notice Calls with fixed gas, and copies at most one word of an answer and 256 bytes of revert data: the callee can
/// neither drain the caller's gas nor flood its memory. With too little gas for the call the whole transaction reverts,
/// so that no caller makes the call fail on purpose by starving it (and no gas estimate settles on doing so).
library BoundedCall {
    /// @dev Gas left to the caller after the call, enough to finish the operation around it.
    uint256 private constant RESERVE = 40_000;
    /// @dev Bytes of revert data that are copied.
    uint256 private constant MAX_REASON = 256;

    /// @dev Returns the first word of a view's answer. `ok` is false when it reverted or returned less than a word.
    function readWord(address target, uint256 gasLimit, bytes memory data)
        internal
        view
        returns (bool ok, uint256 word)
    {
        _requireGas(gasLimit);
        assembly ("memory-safe") {
            ok := staticcall(gasLimit, target, add(data, 0x20), mload(data), 0x00, 0x20)
            ok := and(ok, gt(returndatasize(), 0x1f))
            if ok { word := mload(0x00) }
        }
    }

    /// @dev Returns the first `maxSize` bytes of a view's answer; empty when it reverted.
    function readBytes(address target, uint256 gasLimit, bytes memory data, uint256 maxSize)
        internal
        view
        returns (bytes memory answer)
    {
        _requireGas(gasLimit);
        bool ok;
        uint256 size;
        assembly ("memory-safe") {
            ok := staticcall(gasLimit, target, add(data, 0x20), mload(data), 0x00, 0x00)
            size := returndatasize()
        }
        if (!ok) return answer;
        answer = new bytes(size < maxSize ? size : maxSize);
        assembly ("memory-safe") {
            returndatacopy(add(answer, 0x20), 0, mload(answer))
        }
    }

    /// @dev Calls a function that returns a boolean. Anything but the word 1 is a refusal.
    /// @return agrees Whether the call succeeded and returned true.
    /// @return reason The first 256 bytes of the revert data; empty when the call did not revert.
    function ask(address target, uint256 gasLimit, bytes memory data)
        internal
        returns (bool agrees, bytes memory reason)
    {
        _requireGas(gasLimit);
        bool ok;
        uint256 size;
        assembly ("memory-safe") {
            ok := call(gasLimit, target, 0, add(data, 0x20), mload(data), 0x00, 0x20)
            size := returndatasize()
            agrees := and(ok, and(gt(size, 0x1f), eq(mload(0x00), 1)))
        }
        if (ok) return (agrees, reason);
        reason = new bytes(size < MAX_REASON ? size : MAX_REASON);
        assembly ("memory-safe") {
            returndatacopy(add(reason, 0x20), 0, mload(reason))
        }
    }

    /// @dev Calls a function of a token. Some tokens return nothing, others a boolean.
    /// @return ok Whether the call succeeded and returned nothing or true.
    function tryTokenCall(address token, uint256 gasLimit, bytes memory data) internal returns (bool ok) {
        _requireGas(gasLimit);
        uint256 size;
        assembly ("memory-safe") {
            mstore(0x00, 0)
            ok := call(gasLimit, token, 0, add(data, 0x20), mload(data), 0x00, 0x20)
            size := returndatasize()
            ok := and(ok, or(iszero(size), and(gt(size, 0x1f), eq(mload(0x00), 1))))
        }
        if (size == 0) ok = ok && token.code.length > 0;
    }

    /// @dev Calls and drops the answer.
    function tryCall(address target, uint256 gasLimit, bytes memory data) internal returns (bool ok) {
        _requireGas(gasLimit);
        assembly ("memory-safe") {
            ok := call(gasLimit, target, 0, add(data, 0x20), mload(data), 0x00, 0x00)
        }
    }

    /// @dev Requires gas for the call: a call passes on at most 63/64 of what is left (EIP-150).
    function _requireGas(uint256 gasLimit) private view {
        uint256 required = (gasLimit * 64) / 63 + RESERVE;
        if (gasleft() < required) revert ITaskMarket.NotEnoughGas(required);
    }
}
