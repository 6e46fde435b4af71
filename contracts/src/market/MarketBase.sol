// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPGTRForwarder} from "../interfaces/IPaymentForwarder.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {MarketStorage} from "../types/MarketStorage.sol";

/// @title Storage, lock and actor of the market
/// @notice Base contract that all parts of the market inherit.
abstract contract MarketBase is ITaskMarket, Ownable2Step {
    /// @dev USDC, the token of all payments.
    IERC20 internal immutable USDC;
    /// @dev The only contract whose `pgtrSender` is accepted as the actor. The address is immutable: an owner who could
    /// replace the forwarder could act for any account.
    address internal immutable FORWARDER;

    /// @dev All state of the market. The market passes this storage to its libraries.
    MarketStorage internal _market;

    /// @dev True while a function with the modifier `locked` runs. The value is reset at the end of the transaction at
    /// the latest.
    bool private transient _entered;

    /// @param owner Account that may change the market's settings.
    /// @param usdcToken Address of USDC, the token of all payments.
    /// @param paymentForwarder Forwarder of relayed calls.
    constructor(address owner, address usdcToken, address paymentForwarder) Ownable(owner) {
        if (usdcToken == address(0) || paymentForwarder == address(0)) revert ZeroAddress();
        USDC = IERC20(usdcToken);
        FORWARDER = paymentForwarder;
    }

    /// @dev Reverts with Reentered if a locked function is already running. Views need no lock, because the market
    /// stores all changes of a step before it calls the step's hooks.
    modifier locked() {
        if (_entered) revert Reentered();
        _entered = true;
        _;
        _entered = false;
    }

    /// @dev Returns the actor of the call. If the forwarder makes the call, the actor is the account that
    /// `pgtrSender()` returns. Otherwise the actor is the caller. Reverts with ActorRequired if the forwarder makes the
    /// call and `pgtrSender()` is zero.
    function _actor() internal view returns (address actor) {
        if (msg.sender != FORWARDER) return msg.sender;
        actor = IPGTRForwarder(FORWARDER).pgtrSender();
        if (actor == address(0)) revert ActorRequired();
    }
}
