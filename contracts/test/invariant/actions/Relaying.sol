// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {Authorization} from "../../../src/types/RelayTypes.sol";
import {Relay} from "../../support/Relay.sol";
import {Environment} from "../Environment.sol";

/// @title Relayed calls: what accounts sign for them, and what a thief gets of it
/// @notice Accounts sign plainly or for one call; a wallet that takes bound calls alone mostly does the latter. Some
/// signatures reach the thief instead of the chain. `successes` counts what went through, by selector of the market and of
/// the relay, so that a test can show that everything is reached.
abstract contract Relaying is Environment {
    uint256 private constant ACTION_FEE = 1000;
    uint256 private constant MOST_HANDED = 8;

    /// @dev A payment or a message of an account, and the call that it was signed for.
    struct Signed {
        uint256 actor;
        bool isPayment;
        bool isBound;
        Authorization authorization;
        bytes signature;
        uint256 escrow;
        bytes32 salt;
        string suffix;
        bytes data;
    }

    mapping(bytes4 selector => uint256) public successes;

    /// @dev Wallets that take bound calls alone, as their switches say.
    mapping(uint256 index => bool) internal _takesBoundOnly;

    /// @dev Signatures that the thief received and may still use.
    Signed[] internal _handed;

    /// @dev The last relay that acted, and its intent: no account may make them act again.
    bytes internal _lastRelay;
    bytes32 private _lastIntent;

    // --- What an account does with the service ---

    /// @dev Now and then under an intent that acted before, with a payment of its own: it never acts again.
    function _relayPaid(uint256 actor, bytes32 taskId, bytes memory data, uint256 escrow)
        internal
        returns (bool acted)
    {
        Signed memory signed = _signPayment(actor, data, escrow);
        if (_reachesTheThief(signed)) return false;
        bool isUsed = _lastIntent != 0 && _oneIn(16);
        acted = _relay(taskId, signed, isUsed ? _lastIntent : _fresh());
        assertFalse(acted && isUsed, "an intent acted twice");
    }

    /// @dev Now and then with a signature of another account, which never acts.
    function _relaySigned(uint256 actor, bytes32 taskId, bytes memory data) internal returns (bool acted) {
        bool isForged = _oneIn(16);
        Signed memory signed = _signMessage(actor, taskId, data, _signsBound(actor));
        if (isForged) signed.signature = _signMessage(actor + 1, taskId, data, signed.isBound).signature;
        if (!isForged && _reachesTheThief(signed)) return false;
        acted = _relay(taskId, signed, _fresh());
        assertFalse(acted && isForged, "a forged message acted");
    }

    function _relayOpen(bytes32 taskId, bytes memory data) internal returns (bool) {
        return _relay(taskId, bytes4(data), abi.encodeCall(FORWARDER.relayOpen, (_fresh(), address(MARKET), data)));
    }

    function _relay(bytes32 taskId, Signed memory signed, bytes32 intentId) private returns (bool acted) {
        acted = _relay(taskId, bytes4(signed.data), _relayOf(signed, intentId));
        bool isRefused = !signed.isBound && _takesBoundOnly[signed.actor];
        assertFalse(acted && isRefused, "a wallet acted by more than a bound call");
    }

    function _relay(bytes32 taskId, bytes4 operation, bytes memory relay) internal returns (bool acted) {
        acted = _call(RELAYER, address(FORWARDER), taskId, relay);
        if (!acted) return false;
        successes[operation]++;
        _lastRelay = relay;
        // The first argument of every relay.
        assembly ("memory-safe") {
            sstore(_lastIntent.slot, mload(add(relay, 0x24)))
        }
    }

    // --- Signatures ---

    /// @dev A relay that says another amount than the call takes is refused.
    function _signPayment(uint256 actor, bytes memory data, uint256 escrow) private returns (Signed memory signed) {
        (signed.actor, signed.isPayment, signed.isBound) = (actor % ACTORS, true, _signsBound(actor));
        (signed.data, signed.escrow, signed.salt) = (data, escrow, _fresh());
        uint256 value = bytes4(data) == ITaskMarket.createTask.selector ? escrow : escrow + ACTION_FEE;
        bytes32 nonce = signed.isBound ? FORWARDER.boundNonceOf(address(MARKET), data, escrow, signed.salt) : _fresh();
        signed.authorization = Relay.authorizationOf(actorAt(actor), value, nonce);
        if (!_oneIn(4)) signed.authorization.validBefore += 2 days;
        signed.signature = signed.isBound
            ? Relay.signReceipt(USDC, keyOf(actor), address(FORWARDER), signed.authorization)
            : Relay.sign(USDC, keyOf(actor), address(FORWARDER), signed.authorization);
    }

    function _signMessage(uint256 actor, bytes32 taskId, bytes memory data, bool isBound)
        internal
        view
        returns (Signed memory signed)
    {
        (signed.actor, signed.isBound, signed.data) = (actor % ACTORS, isBound, data);
        string memory tail = _roundTail(bytes4(data), taskId);
        signed.suffix = isBound ? ":call" : tail;
        if (isBound) tail = string.concat(tail, Relay.callTail(address(FORWARDER), data));
        string memory head = string.concat("service:", _verbOf(bytes4(data)), ":");
        signed.signature = Relay.signMessage(keyOf(actor), head, taskId, tail);
    }

    /// @dev The relay that the signature is for.
    function _relayOf(Signed memory signed, bytes32 intentId) internal view returns (bytes memory) {
        (Authorization memory payment, bytes memory signature) = (signed.authorization, signed.signature);
        (uint256 escrow, address target, bytes memory data) = (signed.escrow, address(MARKET), signed.data);
        if (!signed.isPayment) {
            address actor = actorAt(signed.actor);
            return abi.encodeCall(FORWARDER.relaySigned, (intentId, actor, signature, signed.suffix, target, data));
        }
        if (!signed.isBound) {
            return abi.encodeCall(FORWARDER.relayPaid, (intentId, payment, signature, escrow, target, data));
        }
        return abi.encodeCall(FORWARDER.relayBound, (intentId, payment, signature, escrow, signed.salt, target, data));
    }

    function _signsBound(uint256 actor) private returns (bool) {
        return _takesBoundOnly[actor % ACTORS] ? !_oneIn(8) : _oneIn(2);
    }

    /// @dev Claims and forfeits of a reopened task are bound to its round.
    function _roundTail(bytes4 selector, bytes32 taskId) private view returns (string memory) {
        uint32 round = MARKET.roundOf(taskId);
        if (round == 0 || selector == ITaskMarket.submitWork.selector) return "";
        return string.concat(":", Strings.toString(round));
    }

    /// @dev The word of the signed message; empty where nothing is signed.
    function _verbOf(bytes4 selector) internal pure returns (string memory) {
        if (selector == ITaskMarket.submitWork.selector) return "submit";
        if (selector == ITaskMarket.claimTask.selector) return "claim";
        if (selector == ITaskMarket.forfeitAndReopen.selector) return "forfeit";
        return "";
    }

    function _reachesTheThief(Signed memory signed) private returns (bool) {
        if (!_oneIn(8)) return false;
        if (_handed.length < MOST_HANDED) _handed.push(signed);
        else _handed[_roll(MOST_HANDED)] = signed;
        return true;
    }

    // --- Calls ---

    function _call(address from, address to, bytes32 taskId, bytes memory data) internal returns (bool) {
        return _callWith(from, to, taskId, data, gasleft());
    }

    /// @dev Makes a call of the environment, and passes its logs to the ledger.
    function _callWith(address from, address to, bytes32 taskId, bytes memory data, uint256 gasLimit)
        internal
        returns (bool success)
    {
        bytes4 selector = bytes4(data);
        vm.recordLogs();
        vm.prank(from);
        (success,) = to.call{gas: gasLimit}(data);
        if (!success) return false;
        successes[selector]++;
        LEDGER.read(vm.getRecordedLogs(), address(MARKET), address(FORWARDER));
        if (taskId != 0) _checkTask(taskId);
    }

    /// @dev Asserts that the view of a step's task equals its logs, and records a task that ended.
    function _checkTask(bytes32 taskId) internal {
        assertEq(abi.encode(MARKET.getTask(taskId)), abi.encode(LEDGER.taskOf(taskId)), "getTask is not what logs say");
        _noteTask(taskId);
    }
}
