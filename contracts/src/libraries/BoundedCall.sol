// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../interfaces/ITaskMarket.sol";

/// @title Calls to contracts that are not trusted
/// @notice Calls a contract with a fixed amount of gas, and copies a limited number of bytes of its answer. The called
/// contract can neither use up the caller's gas nor fill the caller's memory. If the gas that remains cannot cover the
/// fixed amount, the whole transaction reverts. A sender can therefore not use a low gas limit to make the called
/// contract fail while the rest of the transaction succeeds.
library BoundedCall {
    /// @dev Gas that remains for the caller after a call, enough to finish the caller's operation.
    uint256 private constant RESERVE = 40_000;
    /// @dev The highest number of bytes of revert data that are copied.
    uint256 private constant MAX_REASON = 256;

    /// @dev Calls a view function and returns the first word of the answer. `ok` is false if the call reverted or
    /// returned less than 32 bytes.
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

    /// @dev Calls a view function and returns at most the first `maxSize` bytes of the answer; empty if the call
    /// reverted.
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

    /// @dev Calls a function that returns a boolean. Any answer other than 1 counts as false.
    /// @return agrees Whether the call succeeded and returned true.
    /// @return reason The first 256 bytes of the revert data; empty if the call did not revert.
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
    /// @return ok Whether the call succeeded. If the token returned data, the data must be the boolean true. If it
    /// returned nothing, the address must have code.
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

    /// @dev Calls a function and ignores the answer. Returns whether the call succeeded.
    function tryCall(address target, uint256 gasLimit, bytes memory data) internal returns (bool ok) {
        _requireGas(gasLimit);
        assembly ("memory-safe") {
            ok := call(gasLimit, target, 0, add(data, 0x20), mload(data), 0x00, 0x00)
        }
    }

    /// @dev Reverts with NotEnoughGas if the call would get less than `gasLimit` gas. A call gets at most 63/64 of the
    /// remaining gas (EIP-150).
    function _requireGas(uint256 gasLimit) private view {
        uint256 required = (gasLimit * 64) / 63 + RESERVE;
        if (gasleft() < required) revert ITaskMarket.NotEnoughGas(required);
    }
}
