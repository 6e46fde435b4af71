// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title Asks, and says only whether there was an answer
contract Asker {
    function isAnswered(address target, bytes calldata question) external view returns (bool ok) {
        bytes memory answer;
        (ok, answer) = target.staticcall(question);
        ok = ok && answer.length >= 32;
    }
}
