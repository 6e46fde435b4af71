// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPGTRForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {LocalUsdc} from "../../src/local/LocalUsdc.sol";

/// @title A target of the forwarder that a test controls
contract Probe {
    error Refused(uint256 code);

    address public lastActor;
    uint256 public calls;
    uint32 public round;
    bytes public callbackAnswer;

    /// @dev Remembers the actor and pulls `amount` of the token from the caller.
    function pull(LocalUsdc token, uint256 amount) external returns (uint256) {
        _remember();
        if (amount > 0) token.transferFrom(msg.sender, address(this), amount);
        return calls;
    }

    /// @dev Sends `amount` of the token to the caller.
    function push(LocalUsdc token, uint256 amount) external {
        _remember();
        token.transfer(msg.sender, amount);
    }

    /// @dev Pulls, and sends some of it back.
    function borrow(LocalUsdc token, uint256 amount, uint256 returned) external {
        token.transferFrom(msg.sender, address(this), amount);
        token.transfer(msg.sender, returned);
    }

    /// @dev What is left of a relayed call's gas with this target is the relay's own.
    function idle(bytes32) external {}

    function act(bytes32) external {
        _remember();
    }

    function refuse(uint256 code) external pure {
        revert Refused(code);
    }

    function refuseSilently() external pure {
        assembly ("memory-safe") {
            revert(0, 0)
        }
    }

    /// @dev Calls the forwarder back, in the name of its caller.
    function callBack(bytes calldata data) external {
        (, callbackAnswer) = msg.sender.call(data);
    }

    function setRound(uint32 value) external {
        round = value;
    }

    function roundOf(bytes32) external view returns (uint32) {
        return round;
    }

    function _remember() private {
        lastActor = IPGTRForwarder(msg.sender).pgtrSender();
        calls++;
    }
}
