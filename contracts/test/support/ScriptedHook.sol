// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskHook} from "../../src/interfaces/ITaskHook.sol";

/// @title A hook that a test scripts step by step, and that records the calls it receives
contract ScriptedHook {
    enum Behaviour {
        Agree,
        Refuse,
        Revert,
        /// @dev Burns all gas.
        Loop,
        /// @dev Reverts with 300,000 bytes, about as much as a custom hook's gas pays for.
        Bomb,
        /// @dev Answers with less than a word.
        Mumble,
        /// @dev Calls `target` with `callback`, then agrees whatever came of it.
        CallBack
    }

    error Scripted(uint256 code);

    Behaviour public fallbackBehaviour;
    mapping(bytes4 selector => Behaviour) public behaviours;
    mapping(bytes4 selector => uint256) public calls;
    /// @dev keccak256 of the last call's data.
    mapping(bytes4 selector => bytes32) public lastHash;
    uint256 public lastGas;
    bool public remembers = true;
    address public target;
    bytes public callback;
    bool public callbackSucceeded;
    bytes public callbackAnswer;

    function script(bytes4 selector, Behaviour behaviour) external {
        behaviours[selector] = behaviour;
    }

    function scriptAll(Behaviour behaviour) external {
        fallbackBehaviour = behaviour;
    }

    /// @dev True while the hook stores the calls that it receives; false in tests of gas, because storage costs gas.
    function setRemembers(bool value) external {
        remembers = value;
    }

    function scriptCallback(address target_, bytes calldata callback_) external {
        (target, callback) = (target_, callback_);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == type(ITaskHook).interfaceId;
    }

    /// @dev Accepts every step of the hook ABI.
    fallback() external {
        lastGas = gasleft();
        Behaviour behaviour = behaviours[msg.sig];
        if (behaviour == Behaviour.Agree) behaviour = fallbackBehaviour;
        if (behaviour == Behaviour.Revert) revert Scripted(7);
        if (behaviour == Behaviour.Loop) {
            while (true) {}
        }
        if (behaviour == Behaviour.Bomb) {
            assembly ("memory-safe") {
                revert(0x00, 300000)
            }
        }
        if (remembers) {
            calls[msg.sig]++;
            lastHash[msg.sig] = keccak256(msg.data);
        }
        if (behaviour == Behaviour.CallBack) (callbackSucceeded, callbackAnswer) = target.call(callback);
        bool agrees = behaviour != Behaviour.Refuse;
        bool mumbles = behaviour == Behaviour.Mumble;
        assembly ("memory-safe") {
            mstore(0x00, agrees)
            return(0x00, sub(0x20, mumbles))
        }
    }
}
