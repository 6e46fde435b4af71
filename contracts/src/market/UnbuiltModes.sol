// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {Tasks} from "../libraries/Tasks.sol";
import {Award, EvaluatorTerms, Verdict} from "../types/TaskTypes.sol";
import {MarketBase} from "./MarketBase.sol";

/// @title Operations of modes that this market does not offer
/// @notice No task can be in a state that these act on: createTask refuses their modes and evaluator terms. They
/// answer with the reason instead of an unknown selector.
abstract contract UnbuiltModes is MarketBase {
    /// @inheritdoc ITaskMarket
    function claimTask(bytes32 taskId) external view {
        _refuseMode(taskId);
    }

    /// @inheritdoc ITaskMarket
    function submitPitch(bytes32 taskId, bytes32) external view {
        _refuseMode(taskId);
    }

    /// @inheritdoc ITaskMarket
    function selectWorker(bytes32 taskId, address) external view {
        _refuseMode(taskId);
    }

    /// @inheritdoc ITaskMarket
    function submitBid(bytes32 taskId, uint96) external view {
        _refuseMode(taskId);
    }

    /// @inheritdoc ITaskMarket
    function selectLowestBidder(bytes32 taskId) external view {
        _refuseMode(taskId);
    }

    /// @inheritdoc ITaskMarket
    function acceptAuction(bytes32 taskId, uint96) external view {
        _refuseMode(taskId);
    }

    /// @inheritdoc ITaskMarket
    function submitProof(bytes32 taskId, bytes32, bytes32, uint256) external view {
        _refuseMode(taskId);
    }

    /// @inheritdoc ITaskMarket
    function objectToDelivery(bytes32 taskId) external view {
        _refuseMode(taskId);
    }

    /// @inheritdoc ITaskMarket
    function forfeitAndReopen(bytes32 taskId) external view {
        _refuseMode(taskId);
    }

    /// @inheritdoc ITaskMarket
    function assignEvaluator(bytes32 taskId, EvaluatorTerms calldata) external view {
        _refuseEvaluator(taskId);
    }

    /// @inheritdoc ITaskMarket
    function evaluate(bytes32 taskId, Verdict, uint16, uint16, bytes32, Award[] calldata) external view {
        _refuseEvaluator(taskId);
    }

    /// @inheritdoc ITaskMarket
    function appeal(bytes32 taskId) external view {
        _refuseEvaluator(taskId);
    }

    /// @inheritdoc ITaskMarket
    function finalizeVerdict(bytes32 taskId) external view {
        _refuseEvaluator(taskId);
    }

    /// @inheritdoc ITaskMarket
    function resolveDispute(bytes32 taskId, Verdict, Award[] calldata) external view {
        _refuseEvaluator(taskId);
    }

    /// @inheritdoc ITaskMarket
    function evaluatorTimeout(bytes32 taskId) external view {
        _refuseEvaluator(taskId);
    }

    function _refuseMode(bytes32 taskId) private view {
        revert WrongMode(Tasks.get(_market, taskId).mode);
    }

    function _refuseEvaluator(bytes32 taskId) private view {
        Tasks.get(_market, taskId);
        revert EvaluatorNotAvailable();
    }
}
