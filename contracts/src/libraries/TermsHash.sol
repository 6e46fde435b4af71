// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Evaluation, MarketStorage, Task} from "../types/MarketStorage.sol";
import {Kind, Modes} from "../types/Modes.sol";

/// @title Hash of a task's present terms
/// @notice The hash commits an account to the terms. A worker passes it in a claim, and the requester of a sponsored
/// task passes it in the hook data. If the terms differ, the call reverts.
library TermsHash {
    /// @dev Implements ITaskMarket.taskTermsHash: returns the hash of a task's present terms. The values are encoded in
    /// two parts, because fifteen values at once exceed the compiler's stack.
    function hashOf(MarketStorage storage market, bytes32 taskId) internal view returns (bytes32) {
        Task storage task = market.tasks[taskId];
        Evaluation storage evaluation = market.evaluations[taskId];
        uint256 entryDuration = task.entryDeadline == 0 ? 0 : task.entryDeadline - task.createdAt;
        bytes memory terms = abi.encode(
            Modes.modeOf(task.kind),
            Modes.auctionTypeOf(task.kind),
            uint256(task.reward),
            uint256(task.expiryTime - task.createdAt),
            task.kind == Kind.Pitch ? entryDuration : 0,
            Modes.isAuction(task.kind) ? entryDuration : 0,
            uint256(task.clockPrice)
        );
        return keccak256(
            abi.encodePacked(
                terms,
                abi.encode(
                    uint256(task.stakeBps),
                    task.tagsHash,
                    evaluation.evaluator,
                    evaluation.resolver,
                    uint256(evaluation.feeBps),
                    uint256(evaluation.evaluationWindow),
                    uint256(evaluation.appealWindow),
                    task.hookSet
                )
            )
        );
    }
}
