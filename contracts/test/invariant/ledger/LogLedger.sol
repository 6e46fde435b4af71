// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IBoundOnly} from "../../../src/interfaces/IBoundOnly.sol";
import {IPaymentForwarder} from "../../../src/interfaces/IPaymentForwarder.sol";
import {ITaskMarketEvents} from "../../../src/interfaces/ITaskMarketEvents.sol";
import {LocalFiatToken} from "../../../src/local/LocalFiatToken.sol";
import {EndingReader} from "./EndingReader.sol";

/// @title State of the market from its logs alone: a reducer over every event
/// @notice Reads nothing but logs: when it agrees with the market's views, the logs are complete. It refuses impossible
/// sequences of logs, and unknown events. It compares USDC's own transfers with the payments that the market logs. From
/// the forwarder it reads intents, income and switches.
contract LogLedger is EndingReader {
    address private immutable USDC;

    constructor(address usdc) {
        USDC = usdc;
    }

    function read(Vm.Log[] calldata logs, address taskMarket, address forwarder) external {
        for (uint256 i; i < logs.length; i++) {
            address emitter = logs[i].emitter;
            if (emitter == USDC) _readTransfer(logs[i], taskMarket);
            else if (emitter == taskMarket) _read(logs[i]);
            else if (emitter == forwarder) _readForwarder(logs[i]);
        }
    }

    function _read(Vm.Log calldata log) private {
        bytes32 topic = log.topics[0];
        if (_readMoney(topic, log) || _readMarket(topic, log)) return;
        bytes32 taskId = log.topics[1];
        if (_books[taskId].endings > 0) {
            bool mayFollow = topic == ITaskMarketEvents.TaskRated.selector || _isHookFailure(topic);
            require(mayFollow, "something happened to a task after its end");
        }
        if (_readTerms(topic, taskId, log) || _readEntry(topic, taskId, log) || _readEnding(topic, taskId, log)) {
            return;
        }
        require(_isHookFailure(topic), "an unknown event");
    }

    function _readMoney(bytes32 topic, Vm.Log calldata log) private returns (bool) {
        if (topic == ITaskMarketEvents.PayoutDeferred.selector) {
            address account = address(uint160(uint256(log.topics[1])));
            uint96 amount = abi.decode(log.data, (uint96));
            _know(account);
            _credits[account] += amount;
            // It is counted as paid by the log before or after this one.
            _deferred[account] += amount;
            _market.totalEscrow += amount;
        } else if (topic == ITaskMarketEvents.CreditWithdrawn.selector) {
            address to = address(uint160(uint256(log.topics[2])));
            uint256 amount = abi.decode(log.data, (uint256));
            require(amount == _credits[address(uint160(uint256(log.topics[1])))], "a credit is not paid whole");
            _credits[address(uint160(uint256(log.topics[1])))] = 0;
            _know(to);
            _due[to] += amount;
            _market.totalEscrow -= amount;
        } else if (topic == ITaskMarketEvents.ExcessSwept.selector) {
            address to = address(uint160(uint256(log.topics[1])));
            _know(to);
            _due[to] += abi.decode(log.data, (uint256));
        } else {
            return false;
        }
        return true;
    }

    function _readMarket(bytes32 topic, Vm.Log calldata log) private returns (bool) {
        if (topic == ITaskMarketEvents.FeeUpdated.selector) {
            _market.feeBps = abi.decode(log.data, (uint16));
            require(_market.feeBps <= 2000, "the fee is above its bound");
        } else if (topic == ITaskMarketEvents.FeeRecipientUpdated.selector) {
            _market.feeRecipient = address(uint160(uint256(log.topics[1])));
        } else if (topic == ITaskMarketEvents.RegistryUpdated.selector) {
            (_market.identityRegistry, _market.reputationRegistry) = abi.decode(log.data, (address, address));
        } else if (topic == ITaskMarketEvents.DefaultHooksSet.selector) {
            _market.defaultHooks = abi.decode(log.data, (address[]));
        } else if (topic == ITaskMarketEvents.Paused.selector) {
            _market.paused = true;
        } else if (topic == ITaskMarketEvents.Unpaused.selector) {
            _market.paused = false;
        } else {
            return
                topic == Ownable.OwnershipTransferred.selector
                    || topic == Ownable2Step.OwnershipTransferStarted.selector;
        }
        return true;
    }

    function _readTransfer(Vm.Log calldata log, address taskMarket) private {
        if (log.topics[0] != LocalFiatToken.Transfer.selector) return;
        address to = address(uint160(uint256(log.topics[2])));
        uint256 amount = abi.decode(log.data, (uint256));
        if (to == taskMarket) _arrived += amount;
        if (address(uint160(uint256(log.topics[1]))) != taskMarket) return;
        _know(to);
        _sent[to] += amount;
    }

    function _readForwarder(Vm.Log calldata log) private {
        bytes32 topic = log.topics[0];
        if (topic == IPaymentForwarder.IntentRelayed.selector) {
            require(!_acted[log.topics[1]], "an intent acted twice");
            _acted[log.topics[1]] = true;
            (uint256 amount,, uint256 escrowAmount) = abi.decode(log.data, (uint256, bytes32, uint256));
            _fees += amount - escrowAmount;
        } else if (topic == IPaymentForwarder.FeesSwept.selector) {
            _fees -= abi.decode(log.data, (uint256));
        } else if (topic == IBoundOnly.BoundOnlySet.selector) {
            address wallet = address(uint160(uint256(log.topics[1])));
            (_boundOnly[wallet], _counters[wallet]) = abi.decode(log.data, (bool, uint256));
        }
    }

    function _isHookFailure(bytes32 topic) private pure returns (bool) {
        return topic == ITaskMarketEvents.HookCallFailed.selector;
    }
}
