// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title A contract wallet that answers every signature in one way
contract ScriptedWallet {
    enum Answer {
        Accept,
        Refuse,
        Revert,
        /// @dev The right four bytes, and nothing after them.
        Short,
        /// @dev The right four bytes, and something after them.
        Dirty
    }

    Answer private immutable ANSWER;

    error NotToday();

    constructor(Answer answer) {
        ANSWER = answer;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (ANSWER == Answer.Refuse) return 0xffffffff;
        if (ANSWER == Answer.Revert) revert NotToday();
        bytes4 magic = IERC1271.isValidSignature.selector;
        if (ANSWER == Answer.Accept) return magic;
        bytes memory answer =
            ANSWER == Answer.Short ? abi.encodePacked(magic) : abi.encodePacked(magic, bytes28(uint224(1)));
        assembly ("memory-safe") {
            return(add(answer, 0x20), mload(answer))
        }
    }
}
