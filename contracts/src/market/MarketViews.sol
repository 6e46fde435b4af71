// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {Entry, Task} from "../types/MarketStorage.sol";
import {EntryView, TaskView} from "../types/TaskTypes.sol";
import {MarketBase} from "./MarketBase.sol";

/// @title Everything the market knows, readable
abstract contract MarketViews is MarketBase {
    /// @inheritdoc ITaskMarket
    function getTask(bytes32 taskId) external view returns (TaskView memory view_) {
        Task storage task = _market.tasks[taskId];
        view_.requester = task.requester;
        view_.mode = task.mode;
        view_.status = task.status;
        view_.reward = task.reward;
        view_.escrow = task.escrow;
        view_.feeBps = task.feeBps;
        view_.createdAt = task.createdAt;
        view_.expiryTime = task.expiryTime;
        view_.contentHash = task.contentHash;
        view_.tagsHash = task.tagsHash;
        view_.submissionCount = task.submissionCount;
        view_.activeSubmissions = task.activeSubmissions;
        view_.awardCount = task.awardCount;
    }

    /// @inheritdoc ITaskMarket
    function entryOf(bytes32 taskId, address worker) external view returns (EntryView memory) {
        Entry storage entry = _market.entries[taskId][worker];
        return EntryView({
            submissions: entry.submissions,
            active: entry.active,
            rejected: entry.rejected,
            awarded: entry.awarded,
            rated: entry.rated
        });
    }

    /// @inheritdoc ITaskMarket
    function submissionIndexOf(bytes32 taskId, address worker, bytes32 deliverable)
        external
        view
        returns (bool exists, uint32 index)
    {
        uint256 number = _market.submissionNumbers[taskId][worker][deliverable];
        return number == 0 ? (false, 0) : (true, uint32(number - 1));
    }

    /// @inheritdoc ITaskMarket
    function nextTaskId(address requester) external view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), requester, _market.nonces[requester]));
    }

    /// @inheritdoc ITaskMarket
    function roundOf(bytes32) external pure returns (uint32) {
        return 0;
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
    function defaultHooks() external pure returns (address[] memory) {
        return new address[](0);
    }

    /// @inheritdoc ITaskMarket
    function paused() external view returns (bool) {
        return _market.paused;
    }
}
