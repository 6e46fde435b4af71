// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IIdentityRegistry, IReputationRegistry} from "../interfaces/IErc8004.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../interfaces/ITaskMarketEvents.sol";
import {Limits} from "../types/Limits.sol";
import {Entry, Flags, MarketStorage, Task} from "../types/MarketStorage.sol";
import {Modes} from "../types/Modes.sol";
import {RateParams, Status} from "../types/TaskTypes.sol";
import {BoundedCall} from "./BoundedCall.sol";
import {Tasks} from "./Tasks.sol";

/// @title Ratings, and copies of ratings in the ERC-8004 reputation registry
/// @notice This library is deployed separately. The market calls it by delegatecall, so the library works on the
/// market's storage. If a call to the identity or the reputation registry fails, the market still stores the rating.
library RatingLib {
    /// @dev Gas of a call to `ownerOf` of the identity registry.
    uint256 private constant OWNER_GAS = 50_000;
    /// @dev Gas of a call to `giveFeedback` of the reputation registry.
    uint256 private constant FEEDBACK_GAS = 400_000;

    /// @dev Tag that ERC-8004 defines for a quality rating from 0 to 100.
    string private constant TAG = "starred";

    /// @dev Implements ITaskMarket.rateTask: stores the rating of an awarded worker.
    function rateTask(MarketStorage storage market, address requester, RateParams calldata params) external {
        // Check:
        Task storage task = Tasks.getOf(market, params.taskId, requester);
        if (task.status != Status.Completed) revert ITaskMarket.WrongStatus(task.status);
        if (params.worker == requester) revert ITaskMarket.SelfRating(requester);
        if (params.rating > Limits.MAX_RATING) revert ITaskMarket.InvalidRating(params.rating);

        // Check, effect:
        _markRated(market, task, params.taskId, params.worker);

        // Interaction:
        if (params.hasAgent) _giveFeedback(market, params);

        // Log:
        emit ITaskMarketEvents.TaskRated(
            params.taskId,
            params.worker,
            params.rating,
            params.raterAgentId,
            params.workerAgentId,
            params.hasAgent,
            params.feedbackURI,
            params.feedbackHash
        );
    }

    /// @dev Records that the worker is rated. Reverts with NotAwarded or AlreadyRated. The record of an assigned worker
    /// is a flag of the task. The record in a contest is a field of the worker's entry.
    function _markRated(MarketStorage storage market, Task storage task, bytes32 taskId, address worker) private {
        if (!Modes.isContest(task.kind)) {
            if (worker != task.worker) revert ITaskMarket.NotAwarded(worker);
            if (Tasks.has(task, Flags.RATED)) revert ITaskMarket.AlreadyRated(worker);
            task.flags |= Flags.RATED;
            return;
        }
        Entry storage entry = market.entries[taskId][worker];
        if (!entry.awarded) revert ITaskMarket.NotAwarded(worker);
        if (entry.rated) revert ITaskMarket.AlreadyRated(worker);
        entry.rated = true;
    }

    /// @dev Copies the rating to the reputation registry if the worker owns the agent `params.workerAgentId`. Failures
    /// of the registries are ignored, because other parties control the registries.
    function _giveFeedback(MarketStorage storage market, RateParams calldata params) private {
        (address identity, address reputation) = (market.identityRegistry, market.reputationRegistry);
        if (identity == address(0) || reputation == address(0)) return;
        (bool ok, uint256 owner) =
            BoundedCall.readWord(identity, OWNER_GAS, abi.encodeCall(IIdentityRegistry.ownerOf, (params.workerAgentId)));
        if (!ok || owner != uint160(params.worker)) return;
        bytes memory feedback = abi.encodeCall(
            IReputationRegistry.giveFeedback,
            (
                params.workerAgentId,
                int128(uint128(params.rating)),
                0,
                TAG,
                "",
                "",
                params.feedbackURI,
                params.feedbackHash
            )
        );
        BoundedCall.tryCall(reputation, FEEDBACK_GAS, feedback);
    }
}
