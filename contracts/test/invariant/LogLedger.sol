// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {ITaskMarketEvents} from "../../src/interfaces/ITaskMarketEvents.sol";
import {CancelReason, ReputationKind, ReturnReason, Status, Terms} from "../../src/types/TaskTypes.sol";

/// @title What the market's logs say about each task's money and state
/// @notice Knows nothing but logs: that it agrees with the market's views shows that the logs are complete.
contract LogLedger {
    struct Account {
        uint256 paidIn;
        uint256 paidOut;
        uint256 reward;
        uint256 expiryTime;
        uint256 submissions;
        uint256 active;
        uint256 awards;
        uint256 endings;
        Status status;
    }

    mapping(bytes32 taskId => Account) private _accounts;
    mapping(address account => uint256) public credits;
    bytes32[] public taskIds;

    function accountOf(bytes32 taskId) external view returns (Account memory) {
        return _accounts[taskId];
    }

    function countTasks() external view returns (uint256) {
        return taskIds.length;
    }

    function read(Vm.Log[] calldata logs, address market) external {
        for (uint256 i; i < logs.length; i++) {
            if (logs[i].emitter == market) _read(logs[i]);
        }
    }

    function _read(Vm.Log calldata log) private {
        bytes32 topic = log.topics[0];
        if (topic == ITaskMarketEvents.PayoutDeferred.selector) {
            credits[address(uint160(uint256(log.topics[1])))] += abi.decode(log.data, (uint96));
            return;
        }
        if (topic == ITaskMarketEvents.CreditWithdrawn.selector) {
            credits[address(uint160(uint256(log.topics[1])))] -= abi.decode(log.data, (uint256));
            return;
        }
        if (log.topics.length < 2) return;
        _readTask(topic, log.topics[1], log.data);
    }

    function _readTask(bytes32 topic, bytes32 taskId, bytes calldata data) private {
        Account storage account = _accounts[taskId];
        if (topic == ITaskMarketEvents.TaskCreated.selector) {
            Terms memory terms = abi.decode(data, (Terms));
            taskIds.push(taskId);
            (account.paidIn, account.reward) = (terms.reward, terms.reward);
            (account.expiryTime, account.status) = (terms.expiryTime, Status.Open);
        } else if (topic == ITaskMarketEvents.TaskUpdated.selector) {
            (uint96 reward, uint40 expiryTime) = abi.decode(data, (uint96, uint40));
            if (reward > account.reward) account.paidIn += reward - account.reward;
            (account.reward, account.expiryTime) = (reward, expiryTime);
        } else if (topic == ITaskMarketEvents.EscrowReturned.selector) {
            (uint96 amount,) = abi.decode(data, (uint96, ReturnReason));
            account.paidOut += amount;
        } else if (topic == ITaskMarketEvents.TaskSubmitted.selector) {
            (uint32 index,,,, uint32 active) = abi.decode(data, (uint32, Status, uint40, uint40, uint32));
            (account.submissions, account.active) = (index + 1, active);
        } else if (topic == ITaskMarketEvents.SubmissionRejected.selector) {
            account.active = abi.decode(data, (uint32));
        } else if (topic == ITaskMarketEvents.TaskCompleted.selector) {
            (, uint96 gross, uint96 net, uint96 fee,,) =
                abi.decode(data, (uint16, uint96, uint96, uint96, bytes32, bool));
            require(gross == net + fee, "gross is not net plus fee");
            account.paidOut += gross;
            account.awards++;
            account.status = Status.Completed;
        } else if (topic == ITaskMarketEvents.TaskCancelled.selector) {
            (uint96 refund,) = abi.decode(data, (uint96, CancelReason));
            account.paidOut += refund;
            account.status = Status.Cancelled;
        } else if (topic == ITaskMarketEvents.TaskExpired.selector) {
            account.paidOut += abi.decode(data, (uint96));
            account.status = Status.Expired;
        } else if (topic == ITaskMarketEvents.RequesterReputation.selector) {
            abi.decode(data, (ReputationKind, uint96, uint32, bool));
            account.endings++;
        }
    }
}
