// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";

/// @title A hook that answers every step with raw bytes, or reverts with them
contract RawHook {
    bool private _reverts;
    bytes private _head;
    uint256 private _size;

    /// @param head First bytes of the answer; the rest of `size` is zero.
    function answer(bool reverts, bytes calldata head, uint256 size) external {
        (_reverts, _head, _size) = (reverts, head, size);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == type(ITaskHook).interfaceId;
    }

    fallback() external {
        bytes memory head = _head;
        (bool reverts, uint256 size) = (_reverts, _size);
        assembly ("memory-safe") {
            let start := add(head, 0x20)
            if reverts { revert(start, size) }
            return(start, size)
        }
    }
}
