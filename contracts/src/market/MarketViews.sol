// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {TaskContext} from "../interfaces/ITaskHook.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {Tasks} from "../libraries/Tasks.sol";
import {ViewLib} from "../libraries/ViewLib.sol";
import {MarketFlags} from "../types/MarketFlags.sol";
import {EntryView, EvaluationView, TaskView} from "../types/TaskTypes.sol";
import {MarketBase} from "./MarketBase.sol";

/// @title Views of the market
/// @notice A hook can also call the views. The views then return the values after the step, because the market stores a
/// step before it calls the hooks.
abstract contract MarketViews is MarketBase {
    /// @inheritdoc ITaskMarket
    function getTask(bytes32 taskId) external view returns (TaskView memory) {
        return ViewLib.getTask(_market, taskId);
    }

    /// @inheritdoc ITaskMarket
    function entryOf(bytes32 taskId, address worker) external view returns (EntryView memory) {
        return ViewLib.entryOf(_market, taskId, worker);
    }

    /// @inheritdoc ITaskMarket
    function evaluationOf(bytes32 taskId) external view returns (EvaluationView memory) {
        return ViewLib.evaluationOf(_market, taskId);
    }

    /// @inheritdoc ITaskMarket
    function hooksOf(bytes32 taskId) external view returns (address[] memory hooks, uint256 defaultCount) {
        return ViewLib.hooksOf(_market, taskId);
    }

    /// @inheritdoc ITaskMarket
    function lowestBidOf(bytes32 taskId) external view returns (address worker, uint256 price) {
        return ViewLib.lowestBidOf(_market, taskId);
    }

    /// @inheritdoc ITaskMarket
    function clockPriceOf(bytes32 taskId) external view returns (uint256) {
        return ViewLib.clockPriceOf(_market, taskId);
    }

    /// @inheritdoc ITaskMarket
    function contextOf(bytes32 taskId) external view returns (TaskContext memory) {
        return ViewLib.contextOf(_market, USDC, taskId);
    }

    /// @inheritdoc ITaskMarket
    function taskTermsHash(bytes32 taskId) external view returns (bytes32) {
        return ViewLib.taskTermsHash(_market, taskId);
    }

    /// @inheritdoc ITaskMarket
    function awardsHash(bytes32 taskId) external view returns (bytes32) {
        return _market.tasks[taskId].awardsHash;
    }

    /// @inheritdoc ITaskMarket
    function submissionIndexOf(bytes32 taskId, address worker, bytes32 deliverable)
        external
        view
        returns (bool exists, uint32 index)
    {
        uint256 number = _market.submissionNumbers[taskId][worker][deliverable];
        return number == 0 ? (false, 0) : (true, SafeCast.toUint32(number - 1));
    }

    /// @inheritdoc ITaskMarket
    function nextTaskId(address requester) external view returns (bytes32) {
        return Tasks.idOf(requester, _market.nonces[requester]);
    }

    /// @inheritdoc ITaskMarket
    function roundOf(bytes32 taskId) external view returns (uint32) {
        return _market.tasks[taskId].round;
    }

    /// @inheritdoc ITaskMarket
    function nonceOf(address requester) external view returns (uint256) {
        return _market.nonces[requester];
    }

    /// @inheritdoc ITaskMarket
    function creditOf(address account) external view returns (uint256) {
        return _market.credits[account];
    }

    /// @inheritdoc ITaskMarket
    function totalEscrow() external view returns (uint256) {
        return _market.totalEscrow;
    }

    /// @inheritdoc ITaskMarket
    function usdc() external view returns (address) {
        return address(USDC);
    }

    /// @inheritdoc ITaskMarket
    function forwarder() external view returns (address) {
        return FORWARDER;
    }

    /// @inheritdoc ITaskMarket
    function feeBps() external view returns (uint16) {
        return _market.feeBps;
    }

    /// @inheritdoc ITaskMarket
    function feeRecipient() external view returns (address) {
        return _market.feeRecipient;
    }

    /// @inheritdoc ITaskMarket
    function identityRegistry() external view returns (address) {
        return _market.identityRegistry;
    }

    /// @inheritdoc ITaskMarket
    function reputationRegistry() external view returns (address) {
        return _market.reputationRegistry;
    }

    /// @inheritdoc ITaskMarket
    function defaultHooks() external view returns (address[] memory) {
        return _market.defaultHooks;
    }

    /// @inheritdoc ITaskMarket
    function paused() external view returns (bool) {
        return _market.flags & MarketFlags.PAUSED != 0;
    }
}
