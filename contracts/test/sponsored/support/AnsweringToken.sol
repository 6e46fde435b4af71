// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A token that answers every call with the same bytes, or burns all gas where there are none
contract AnsweringToken {
    bytes private _answer;
    uint256 private immutable SIZE;

    /// @param size Of the answer, at least: zeros follow.
    constructor(bytes memory answer, uint256 size) {
        _answer = answer;
        SIZE = answer.length > size ? answer.length : size;
    }

    fallback() external {
        bytes memory answer = _answer;
        if (answer.length == 0) {
            assembly {
                invalid()
            }
        }
        uint256 size = SIZE;
        assembly {
            return(add(answer, 0x20), size)
        }
    }
}
