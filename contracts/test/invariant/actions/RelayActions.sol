// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPaymentForwarder} from "../../../src/interfaces/IPaymentForwarder.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {CreateTaskParams, TaskView} from "../../../src/types/TaskTypes.sol";
import {Relay} from "../../support/Relay.sol";
import {AdminActions} from "./AdminActions.sol";

/// @title The forwarder's own business: prepaid money, its fees, its routes, and intents that already acted
abstract contract RelayActions is AdminActions {
    bytes4 private constant SETTLE_ALONE =
        bytes4(keccak256("transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)"));

    /// @dev USDC of lone authorizations that wait at the forwarder.
    uint256 public prepaid;

    IPaymentForwarder.Authorization[] private _lone;

    /// @dev Any account can submit an authorization that reached it, without the call it was signed for.
    function settleAlone(uint256 seed) external change(seed) {
        _settleAlone();
    }

    /// @dev The call that the payment was meant for, later: a task of its own, or one that costs the fee alone.
    function relayPrepaid(uint256 seed) external change(seed) {
        if (_lone.length == 0) return _settleAlone();
        uint256 index = _roll(_lone.length);
        IPaymentForwarder.Authorization memory lone = _lone[index];
        bytes memory relay;
        bytes32 taskId = MARKET.nextTaskId(lone.from);
        bytes memory data = _oneIn(4) ? _pitchData() : _taskData(uint96(lone.value));
        bool isTask = bytes4(data) == MARKET.createTask.selector;
        relay = abi.encodeCall(
            FORWARDER.relayPrepaid, (_fresh(), lone, _signatureOf(lone), isTask ? lone.value : 0, address(MARKET), data)
        );
        if (!_relay(0, bytes4(data), relay)) return;
        _use(index);
        if (!isTask) return;
        _live.push(taskId);
        _checkTask(taskId);
    }

    function refundPrepaid(uint256 seed) external change(seed) {
        if (_lone.length == 0) return _settleAlone();
        uint256 index = _roll(_lone.length);
        IPaymentForwarder.Authorization memory lone = _lone[index];
        bytes memory data = abi.encodeCall(FORWARDER.refundPrepaid, (lone, _signatureOf(lone)));
        if (_call(RELAYER, address(FORWARDER), 0, data)) _use(index);
    }

    function sweepFees(uint256 seed) external change(seed) {
        if (owner == address(0)) return;
        _call(owner, address(FORWARDER), 0, abi.encodeCall(FORWARDER.sweepFees, (actorAt(_anyAccount()))));
    }

    /// @dev The very same relay again, by the relayer or by an account that the owner never named.
    function replayIntent(uint256 seed) external change(seed) {
        if (_lastRelay.length == 0) return;
        bool acted = _call(_oneIn(4) ? actorAt(_anyAccount()) : RELAYER, address(FORWARDER), 0, _lastRelay);
        assertFalse(acted, "an intent acted twice");
    }

    /// @dev The relayer is dismissed and named again; without routes nothing is relayed, either.
    function configureForwarder(uint256 seed) external change(seed) {
        if (owner == address(0)) return;
        if (_oneIn(2)) return openRoutes();
        bool isNamed = FORWARDER.relayers(RELAYER);
        _call(owner, address(FORWARDER), 0, abi.encodeCall(FORWARDER.setRelayer, (RELAYER, !isNamed)));
    }

    // --- Steps ---

    function _settleAlone() private {
        uint256 value = _between(1000, 10e6);
        address payer = actorAt(_anyAccount());
        IPaymentForwarder.Authorization memory lone = Relay.authorizationOf(payer, value, _fresh());
        bytes memory data = abi.encodeWithSelector(
            SETTLE_ALONE,
            lone.from,
            address(FORWARDER),
            lone.value,
            lone.validAfter,
            lone.validBefore,
            lone.nonce,
            _signatureOf(lone)
        );
        if (!_call(actorAt(_anyAccount()), address(USDC), 0, data)) return;
        prepaid += value;
        _lone.push(lone);
    }

    /// @dev Its money left, one way or the other. It stays known: a second use must be refused.
    function _use(uint256 index) private {
        prepaid -= _lone[index].value;
        bytes memory again = abi.encodeCall(FORWARDER.refundPrepaid, (_lone[index], _signatureOf(_lone[index])));
        assertFalse(_call(RELAYER, address(FORWARDER), 0, again), "an authorization was used twice");
        _lone[index] = _lone[_lone.length - 1];
        _lone.pop();
    }

    function _taskData(uint96 reward) private returns (bytes memory) {
        CreateTaskParams memory params;
        (params.mode, params.reward, params.duration) = (Modes.BOUNTY, reward, uint40(_between(1 hours, 5 days)));
        return abi.encodeCall(MARKET.createTask, (params));
    }

    function _pitchData() private returns (bytes memory) {
        (bytes32 taskId, TaskView memory task) = _anyTask();
        if (task.mode != Modes.PITCH) return _taskData(1000);
        return abi.encodeCall(MARKET.submitPitch, (taskId, _fresh()));
    }

    function _signatureOf(IPaymentForwarder.Authorization memory authorization) private view returns (bytes memory) {
        return Relay.sign(USDC, keyOf(indexOf(authorization.from)), address(FORWARDER), authorization);
    }
}
