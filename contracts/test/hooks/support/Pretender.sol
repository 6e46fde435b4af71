// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title A contract that is asked whether it supports the hook ABI, and does not say so
contract Pretender {
    enum Answer {
        No,
        Two,
        Short,
        Nothing,
        Revert,
        Loop
    }

    error NoHook();

    Answer private immutable ANSWER;

    constructor(Answer answer) {
        ANSWER = answer;
    }

    fallback() external {
        Answer answer = ANSWER;
        if (answer == Answer.Revert) revert NoHook();
        if (answer == Answer.Loop) {
            while (true) {}
        }
        uint256 word = answer == Answer.No ? 0 : answer == Answer.Two ? 2 : 1;
        uint256 size = answer == Answer.Short ? 31 : answer == Answer.Nothing ? 0 : 32;
        assembly ("memory-safe") {
            mstore(0x00, word)
            return(0x00, size)
        }
    }
}
