// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ShortString, ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";
import {IPaymentForwarder} from "../interfaces/IPaymentForwarder.sol";
import {IUsdc} from "../interfaces/IUsdc.sol";

/// @title Token, service name, lock and wallets of the forwarder
/// @notice Base contract that all parts of the forwarder inherit.
abstract contract ForwarderBase is IPaymentForwarder, Ownable2Step {
    /// @dev Bit of `_frame` that is set while a function with the modifier `locked` runs.
    uint256 internal constant ENTERED = 1 << 160;

    /// @dev USDC, the token of all payments.
    IUsdc internal immutable USDC;

    /// @dev Service name, the first word of every signed message.
    ShortString internal immutable SERVICE_NAME;

    /// @notice Settings of a wallet, in one storage slot.
    /// @param boundOnly Whether the wallet accepts only bound calls.
    /// @param counter The counter that the wallet's next signed switch message must contain.
    /// @param prepaidDay UTC day, counted from 1970-01-01, on which prepaid money of the wallet last moved without an
    /// announcement.
    struct Wallet {
        bool boundOnly;
        uint64 counter;
        uint32 prepaidDay;
    }

    /// @dev Each wallet's bound-only setting, counter and most recent prepaid day.
    mapping(address account => Wallet) internal _wallets;

    /// @dev State of the function with the modifier `locked` that is running; zero if none is running. The bit ENTERED
    /// is set while the function runs. When the function calls the target, it also stores the actor in the low 160
    /// bits.
    uint256 internal transient _frame;

    /// @param owner Account that sets the relayers, the routes, the guardian and the daily limit, and withdraws the
    /// fees.
    /// @param usdcToken Address of USDC, the token of all payments.
    /// @param service Service name, the first word of every signed message, at most 31 bytes.
    constructor(address owner, address usdcToken, string memory service) Ownable(owner) {
        if (usdcToken == address(0)) revert ZeroAddress();
        USDC = IUsdc(usdcToken);
        SERVICE_NAME = ShortStrings.toShortString(service);
    }

    /// @dev Reverts with Reentered if a function with this modifier is already running.
    modifier locked() {
        _enter();
        _;
        _frame = 0;
    }

    /// @dev Marks that a function with the modifier `locked` runs. Reverts with Reentered if one is already running.
    function _enter() private {
        if (_frame != 0) revert Reentered();
        _frame = ENTERED;
    }

    /// @inheritdoc IPaymentForwarder
    function usdc() external view returns (address) {
        return address(USDC);
    }

    /// @inheritdoc IPaymentForwarder
    function serviceName() external view returns (string memory) {
        return ShortStrings.toString(SERVICE_NAME);
    }
}
