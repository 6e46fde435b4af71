// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPGTRForwarder} from "../interfaces/IPaymentForwarder.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {MarketStorage} from "../types/MarketStorage.sol";

/// @title What every part of the market stands on: storage, lock, actor
abstract contract MarketBase is ITaskMarket, Ownable2Step {
    IERC20 internal immutable USDC;
    address internal immutable FORWARDER;

    MarketStorage internal _market;

    bool private transient _entered;

    constructor(address owner, address usdcToken, address paymentForwarder) Ownable(owner) {
        if (usdcToken == address(0) || paymentForwarder == address(0)) revert ZeroAddress();
        USDC = IERC20(usdcToken);
        FORWARDER = paymentForwarder;
    }

    /// @dev Refuses calls from inside a call. Views stay callable: what hooks read is settled before they run.
    modifier locked() {
        if (_entered) revert Reentered();
        _entered = true;
        _;
        _entered = false;
    }

    /// @dev Who acts: the payer or signer when the forwarder calls, else the caller. Never zero.
    function _actor() internal view returns (address actor) {
        if (msg.sender != FORWARDER) return msg.sender;
        actor = IPGTRForwarder(FORWARDER).pgtrSender();
        if (actor == address(0)) revert ActorRequired();
    }
}
