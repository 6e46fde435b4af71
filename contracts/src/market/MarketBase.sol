// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPGTRForwarder} from "../interfaces/IPaymentForwarder.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {MarketStorage} from "../types/MarketStorage.sol";

/// @title Storage, lock and actor of the market
/// @notice Shared by every part of the market.
abstract contract MarketBase is ITaskMarket, Ownable2Step {
    /// @dev Token of all payments.
    IERC20 internal immutable USDC;
    /// @dev The only contract whose `pgtrSender` is accepted as the actor. Immutable, so that no owner can act for
    /// others.
    address internal immutable FORWARDER;

    /// @dev All storage, passed to the libraries.
    MarketStorage internal _market;

    /// @dev True while a call is in progress; cleared at the end of the transaction.
    bool private transient _entered;

    /// @param owner Account that administrates the market.
    /// @param usdcToken Token of all payments.
    /// @param paymentForwarder Forwarder of relayed calls.
    constructor(address owner, address usdcToken, address paymentForwarder) Ownable(owner) {
        if (usdcToken == address(0) || paymentForwarder == address(0)) revert ZeroAddress();
        USDC = IERC20(usdcToken);
        FORWARDER = paymentForwarder;
    }

    /// @dev Refuses a call from inside a call. Views remain callable: a step is stored before its hooks run.
    modifier locked() {
        if (_entered) revert Reentered();
        _entered = true;
        _;
        _entered = false;
    }

    /// @dev Returns the payer or signer when the forwarder calls, else the caller. Never zero.
    function _actor() internal view returns (address actor) {
        if (msg.sender != FORWARDER) return msg.sender;
        actor = IPGTRForwarder(FORWARDER).pgtrSender();
        if (actor == address(0)) revert ActorRequired();
    }
}
