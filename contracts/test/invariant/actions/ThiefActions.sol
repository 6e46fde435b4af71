// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {Authorization} from "../../../src/types/RelayTypes.sol";
import {Status, TaskView} from "../../../src/types/TaskTypes.sol";
import {Relay} from "../../support/Relay.sol";
import {RelayActions} from "./RelayActions.sol";

/// @title A thief with every relayer key, with signatures that the service was handed, and with an account among the
/// actors
/// @notice The laws of the most that it moves: a bound signature acts as signed or not at all; a wallet that takes bound
/// calls alone acts by nothing else; prepaid money moves within the day's limit, or 24 hours after an announcement that
/// was not stopped.
abstract contract ThiefActions is RelayActions {
    bytes4 private constant RECEIVE_ALONE =
        bytes4(keccak256("receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)"));
    bytes4 private constant CANCEL = bytes4(keccak256("cancelAuthorization(address,bytes32,bytes)"));

    /// @dev An announcement, as the thief or the service made it.
    struct Announcement {
        bytes32 id;
        uint256 value;
        uint256 madeAt;
        address relayer;
        uint256 dismissals;
        bool isEnded;
    }

    Announcement[] private _announcements;

    /// @dev The guardian of the moment; never one of the relayers.
    function setGuardian(uint256 seed) external change(seed) {
        _setGuardian();
    }

    /// @dev The thief relays a signature later, under an intent of its own, for the call that it was signed for.
    function obeySignature(uint256 seed) external change(seed) {
        if (_handed.length == 0) return;
        uint256 index = _roll(_handed.length);
        Signed memory signed = _handed[index];
        bool acted = _relayFor(signed, signed, _relayOf(signed, _fresh()));
        if (acted && signed.isPayment) _drop(index);
    }

    /// @dev The thief uses a signature for another call.
    function misuseSignature(uint256 seed) external change(seed) {
        if (_handed.length == 0) return;
        uint256 index = _roll(_handed.length);
        Signed memory signed = _handed[index];
        // Read again: a copy in memory would be the same one.
        Signed memory twisted = _handed[index];
        _twist(twisted);
        if (!_relayFor(signed, twisted, _relayOf(twisted, _fresh()))) return;
        bool isSame = keccak256(_relayOf(signed, 0)) == keccak256(_relayOf(twisted, 0));
        assertTrue(isSame || !signed.isBound, "a bound signature acted for another call");
        if (!isSame) successes[this.misuseSignature.selector]++;
        if (signed.isPayment) _drop(index);
    }

    /// @dev A wallet that takes bound calls alone signs a plain message, as a stock client asks it to.
    function lureWallet(uint256 seed) external change(seed) {
        uint256 actor = _anyAccount();
        (bytes32 taskId,) = _find(_takesSubmissions);
        if (taskId == 0 || !_switch(actor, true)) return;
        bytes memory data = abi.encodeCall(MARKET.submitWork, (taskId, _fresh()));
        Signed memory signed = _signMessage(actor, taskId, data, false);
        _relayFor(signed, signed, _relayOf(signed, _fresh()));
        if (_oneIn(2)) _switch(actor, false);
    }

    /// @dev Any account submits a payment alone. A bound one stays where it is.
    function submitAlone(uint256 seed) external change(seed) {
        if (_handed.length == 0) return;
        uint256 index = _roll(_handed.length);
        Signed memory signed = _handed[index];
        if (!signed.isPayment) return;
        Authorization memory payment = signed.authorization;
        bool arrived = _submit(SETTLE_ALONE, payment, signed.signature);
        assertFalse(_submit(RECEIVE_ALONE, payment, signed.signature), "another account submitted a bound payment");
        assertFalse(arrived && signed.isBound, "a bound payment became prepaid");
        if (!arrived) return;
        waiting += payment.value;
        _lone.push(payment);
        _drop(index);
    }

    /// @dev An authorization that an accomplice signed over money that it need not have, and cancelled: USDC shows it like
    /// one whose money arrived.
    function stealPrepaid(uint256 seed) external change(seed) {
        uint256 accomplice = _anyAccount();
        Authorization memory payment =
            Relay.authorizationOf(actorAt(accomplice), _between(1, waiting < 40e6 ? 1 + waiting : 40e6), _fresh());
        bytes memory cancellation = Relay.signCancellation(USDC, keyOf(accomplice), payment.nonce);
        bytes memory data = abi.encodeWithSelector(CANCEL, payment.from, payment.nonce, cancellation);
        if (!_call(actorAt(accomplice), address(USDC), 0, data)) return;
        if (_oneIn(2)) _refund(payment);
        else _announce(payment);
    }

    /// @dev By any account. Without an announcement one is made, of a payment that arrived.
    function executeRefund(uint256 seed) external change(seed) {
        if (_announcements.length == 0) {
            if (_lone.length == 0) return _settleAlone();
            return _announce(_lone[_roll(_lone.length)]);
        }
        Announcement storage announcement = _announcements[_roll(_announcements.length)];
        uint256 due = announcement.madeAt + 24 hours;
        if (block.timestamp < due && _oneIn(2)) vm.warp(due - _roll(2));
        bytes memory data = abi.encodeCall(FORWARDER.executeRefund, (announcement.id));
        if (!_call(actorAt(_anyAccount()), address(FORWARDER), 0, data)) return;
        waiting -= announcement.value;
        assertGe(block.timestamp, due, "a refund was executed before its notice was over");
        assertFalse(announcement.isEnded, "a refund was executed after a veto, or twice");
        assertEq(
            announcement.dismissals, _dismissals[announcement.relayer], "a dismissed relayer's refund was executed"
        );
        announcement.isEnded = true;
    }

    /// @dev Vetoes as the guardian; now and then as another account, which is refused.
    function vetoRefund(uint256 seed) external change(seed) {
        if (_announcements.length == 0) {
            if (_lone.length == 0) return _settleAlone();
            _announce(_lone[_roll(_lone.length)]);
            if (_announcements.length == 0) return;
        }
        Announcement storage announcement = _announcements[_roll(_announcements.length)];
        if (FORWARDER.guardian() == address(0)) _setGuardian();
        address guardian = FORWARDER.guardian();
        address caller = guardian == address(0) || _oneIn(4) ? actorAt(_anyAccount()) : guardian;
        bool isVetoed = _call(caller, address(FORWARDER), 0, abi.encodeCall(FORWARDER.vetoRefund, (announcement.id)));
        assertFalse(isVetoed && caller != guardian, "another account vetoed");
        if (isVetoed) announcement.isEnded = true;
    }

    // --- Steps ---

    function _switch(uint256 actor, bool on) private returns (bool isSet) {
        isSet = _call(actorAt(actor), address(FORWARDER), 0, abi.encodeCall(FORWARDER.setBoundOnly, (on)));
        if (isSet) _takesBoundOnly[actor] = on;
    }

    function _takesSubmissions(bytes32, TaskView memory task) private view returns (bool) {
        return task.status == Status.Open && task.mode == Modes.BOUNTY && block.timestamp < task.expiryTime;
    }

    function _setGuardian() private {
        if (owner == address(0)) return;
        address guardian = _oneIn(4) ? _anyRelayer() : actorAt(_anyAccount());
        bool isSet = _call(owner, address(FORWARDER), 0, abi.encodeCall(FORWARDER.setGuardian, (guardian)));
        assertFalse(isSet && FORWARDER.relayers(guardian), "a relayer became the guardian");
    }

    /// @dev Relays `attempt` with the keys of the thief. What acts must be something that the signer allowed.
    function _relayFor(Signed memory signed, Signed memory attempt, bytes memory relay) private returns (bool) {
        address actor = actorAt(signed.actor);
        bool isTask = bytes4(attempt.data) == ITaskMarket.createTask.selector;
        bytes32 taskId = isTask ? MARKET.nextTaskId(actor) : _taskIdOf(attempt.data);
        if (!_call(_anyRelayer(), address(FORWARDER), isTask ? bytes32(0) : taskId, relay)) return false;
        successes[bytes4(attempt.data)]++;
        assertTrue(signed.isBound || !_takesBoundOnly[signed.actor], "a wallet acted by more than a bound call");
        if (!isTask) return true;
        _live.push(taskId);
        _checkTask(taskId);
        return true;
    }

    /// @dev Another call, another escrow, another salt, another relay mode, or another form of message.
    function _twist(Signed memory signed) private {
        uint256 choice = _roll(6);
        // A plain payment buys a task of the payer's: the simplest misuse that a plain signature allows.
        if (signed.isPayment && !signed.isBound && _oneIn(2)) choice = 1;
        if (choice == 0) {
            signed.data = _handed[_roll(_handed.length)].data;
        } else if (choice == 1) {
            signed.data = _taskData(uint96(signed.authorization.value));
            signed.escrow = signed.authorization.value;
        } else if (choice == 2) {
            bytes32[] memory live = _live;
            if (live.length == 0) return;
            signed.data = abi.encodeCall(MARKET.cancelTask, (live[_roll(live.length)]));
            signed.escrow = 0;
        } else if (choice == 3) {
            signed.escrow = _roll(2) * signed.authorization.value;
        } else if (choice == 4) {
            signed.salt = _fresh();
            if (!signed.isPayment) signed.data = abi.encodeCall(MARKET.submitWork, (_taskIdOf(signed.data), _fresh()));
        } else {
            signed.isBound = !signed.isBound;
            signed.suffix = bytes(signed.suffix).length == 0 ? ":call" : "";
        }
    }

    /// @dev The first argument, where it names a task.
    function _taskIdOf(bytes memory data) private pure returns (bytes32 taskId) {
        bytes4 selector = bytes4(data);
        if (selector == ITaskMarket.rateTask.selector || selector == ITaskMarket.withdrawCredit.selector) return 0;
        assembly ("memory-safe") {
            taskId := mload(add(data, 0x24))
        }
    }

    function _submit(bytes4 selector, Authorization memory payment, bytes memory signature) private returns (bool) {
        bytes memory data = abi.encodeWithSelector(
            selector,
            payment.from,
            address(FORWARDER),
            payment.value,
            payment.validAfter,
            payment.validBefore,
            payment.nonce,
            signature
        );
        return _call(actorAt(_anyAccount()), address(USDC), 0, data);
    }

    function _announce(Authorization memory payment) private {
        address relayer = _anyRelayer();
        bytes memory data = abi.encodeCall(FORWARDER.announceRefund, (payment, _signatureOf(payment)));
        if (!_call(relayer, address(FORWARDER), 0, data)) return;
        bytes32 id = keccak256(abi.encode(relayer, payment.from, payment.nonce, payment.value));
        for (uint256 i; i < _announcements.length; i++) {
            if (_announcements[i].id != id) continue;
            // The one before is void or vetoed: else it could not be announced again.
            _announcements[i] = _announcements[_announcements.length - 1];
            _announcements.pop();
            break;
        }
        _announcements.push(Announcement(id, payment.value, block.timestamp, relayer, _dismissals[relayer], false));
    }

    function _drop(uint256 index) private {
        _handed[index] = _handed[_handed.length - 1];
        _handed.pop();
    }
}
