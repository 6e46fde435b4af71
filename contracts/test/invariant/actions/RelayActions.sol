// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Modes} from "../../../src/types/Modes.sol";
import {Authorization} from "../../../src/types/RelayTypes.sol";
import {CreateTaskParams, TaskView} from "../../../src/types/TaskTypes.sol";
import {Relay} from "../../support/Relay.sol";
import {AdminActions} from "./AdminActions.sol";

/// @title The forwarder's own business: prepaid money, its fees, its routes, and intents that already acted
abstract contract RelayActions is AdminActions {
    bytes4 internal constant SETTLE_ALONE =
        bytes4(keccak256("transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)"));

    /// @dev A second relayer: with RELAYER, all keys that the thief has.
    address public constant OTHER_RELAYER = address(0x7417EF);

    /// @dev Number of dismissals of relayers.
    mapping(address relayer => uint256) internal _dismissals;

    Authorization[] internal _lone;

    /// @dev Prepaid money that moved at once on `_day`, the part of it after a payer's first time, and the highest limit.
    uint256 private _day;
    uint256 private _moved;
    uint256 private _movedAgain;
    uint256 private _highestLimit;
    mapping(uint256 day => mapping(address payer => bool)) private _hasMoved;

    /// @dev Any account can submit an authorization that reached it, without the call it was signed for.
    function settleAlone(uint256 seed) external change(seed) {
        _settleAlone();
    }

    /// @dev The call that the payment was meant for, later: a task of its own, or one that costs the fee alone.
    function relayPrepaid(uint256 seed) external change(seed) {
        if (_lone.length == 0) return _settleAlone();
        uint256 index = _roll(_lone.length);
        Authorization memory lone = _lone[index];
        bytes memory relay;
        bytes32 taskId = MARKET.nextTaskId(lone.from);
        bytes memory data = _oneIn(4) ? _pitchData() : _taskData(uint96(lone.value));
        bool isTask = bytes4(data) == MARKET.createTask.selector;
        relay = abi.encodeCall(
            FORWARDER.relayPrepaid, (_fresh(), lone, _signatureOf(lone), isTask ? lone.value : 0, address(MARKET), data)
        );
        if (!_relay(0, bytes4(data), relay)) return;
        _countMoved(lone.from, lone.value);
        assertFalse(_takesBoundOnly[indexOf(lone.from)], "a wallet acted by more than a bound call");
        _use(index);
        if (!isTask) return;
        _live.push(taskId);
        _checkTask(taskId);
    }

    function refundPrepaid(uint256 seed) external change(seed) {
        if (_lone.length == 0) return _settleAlone();
        uint256 index = _roll(_lone.length);
        if (_refund(_lone[index])) _use(index);
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

    /// @dev Relayers are dismissed and named again; without routes nothing is relayed, either.
    function configureForwarder(uint256 seed) external change(seed) {
        if (owner == address(0)) return;
        if (_oneIn(3)) return openRoutes();
        address relayer = _oneIn(2) ? RELAYER : OTHER_RELAYER;
        bool isNamed = FORWARDER.relayers(relayer);
        bytes memory data = abi.encodeCall(FORWARDER.setRelayer, (relayer, !isNamed));
        if (_call(owner, address(FORWARDER), 0, data) && isNamed) _dismissals[relayer]++;
    }

    function setPrepaidPerDay(uint256 seed) external change(seed) {
        if (owner == address(0)) return;
        uint256 limit = _oneIn(8) ? 0 : _between(1e6, 50e6);
        _startDay();
        if (!_call(owner, address(FORWARDER), 0, abi.encodeCall(FORWARDER.setPrepaidPerDay, (limit)))) return;
        if (limit > _highestLimit) _highestLimit = limit;
    }

    /// @dev By the wallet, or by any account with the wallet's signature; not with another's.
    function setBoundOnly(uint256 seed) external change(seed) {
        uint256 index = _anyAccount();
        bool on = _oneIn(2);
        address wallet = actorAt(index);
        bytes memory data = abi.encodeCall(FORWARDER.setBoundOnly, (on));
        address caller = wallet;
        bool isForged = _oneIn(8);
        if (_oneIn(2)) {
            caller = actorAt(_anyAccount());
            data = _signedSwitch(wallet, isForged ? index + 1 : index, on);
        } else {
            isForged = false;
        }
        if (!_call(caller, address(FORWARDER), 0, data)) return;
        assertFalse(isForged, "a forged switch was set");
        _takesBoundOnly[index] = on;
        assertEq(FORWARDER.boundOnly(wallet), on, "a switch is not what was signed");
        if (caller != wallet) assertFalse(_call(caller, address(FORWARDER), 0, data), "a switch was set twice");
    }

    // --- Steps ---

    function _settleAlone() internal {
        uint256 value = _between(1000, 10e6);
        address payer = actorAt(_anyAccount());
        Authorization memory lone = Relay.authorizationOf(payer, value, _fresh());
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
        waiting += value;
        _lone.push(lone);
    }

    /// @dev Calls as either relayer.
    function _refund(Authorization memory authorization) internal returns (bool) {
        bytes memory data = abi.encodeCall(FORWARDER.refundPrepaid, (authorization, _signatureOf(authorization)));
        if (!_call(_anyRelayer(), address(FORWARDER), 0, data)) return false;
        _countMoved(authorization.from, authorization.value);
        return true;
    }

    function _anyRelayer() internal returns (address) {
        return _oneIn(2) ? RELAYER : OTHER_RELAYER;
    }

    /// @dev Counts prepaid money, and asserts that what moves at once stays within the day's limit, and what moves
    /// again for a payer within half of it.
    function _countMoved(address payer, uint256 value) internal {
        _startDay();
        waiting -= value;
        _moved += value;
        if (_hasMoved[_day][payer]) _movedAgain += value;
        _hasMoved[_day][payer] = true;
        assertLe(_moved, _highestLimit, "more prepaid money moved than the day's limit");
        assertLe(_movedAgain, _highestLimit / 2, "more prepaid money moved again than half of the limit");
    }

    function _startDay() private {
        uint256 today = block.timestamp / 1 days;
        if (_day == today) return;
        (_day, _moved, _movedAgain, _highestLimit) = (today, 0, 0, FORWARDER.prepaidPerDay());
    }

    function _signedSwitch(address wallet, uint256 signer, bool on) private view returns (bytes memory) {
        uint256 counter = FORWARDER.boundOnlyCounter(wallet);
        uint256 validBefore = block.timestamp + 60;
        string memory text = Relay.switchText(address(FORWARDER), wallet, on, counter, validBefore);
        bytes memory signature = Relay.signText(keyOf(signer), text);
        return abi.encodeCall(FORWARDER.setBoundOnlyFor, (wallet, on, counter, validBefore, signature));
    }

    /// @dev Its money left, one way or the other. It stays known: a second use must be refused.
    function _use(uint256 index) private {
        bytes memory again = abi.encodeCall(FORWARDER.refundPrepaid, (_lone[index], _signatureOf(_lone[index])));
        assertFalse(_call(RELAYER, address(FORWARDER), 0, again), "an authorization was used twice");
        _lone[index] = _lone[_lone.length - 1];
        _lone.pop();
    }

    function _taskData(uint96 reward) internal returns (bytes memory) {
        CreateTaskParams memory params;
        (params.mode, params.reward, params.duration) = (Modes.BOUNTY, reward, uint40(_between(1 hours, 5 days)));
        return abi.encodeCall(MARKET.createTask, (params));
    }

    function _pitchData() private returns (bytes memory) {
        (bytes32 taskId, TaskView memory task) = _anyTask();
        if (task.mode != Modes.PITCH) return _taskData(1000);
        return abi.encodeCall(MARKET.submitPitch, (taskId, _fresh()));
    }

    function _signatureOf(Authorization memory authorization) internal view returns (bytes memory) {
        return Relay.sign(USDC, keyOf(indexOf(authorization.from)), address(FORWARDER), authorization);
    }
}
