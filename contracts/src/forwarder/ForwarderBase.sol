// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ShortString, ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";
import {IPaymentForwarder} from "../interfaces/IPaymentForwarder.sol";
import {IUsdc} from "../interfaces/IUsdc.sol";

/// @title Token, service name, lock and wallets of the forwarder
/// @notice Shared by every part of the forwarder.
abstract contract ForwarderBase is IPaymentForwarder, Ownable2Step {
    /// @dev Bit of `_frame`, set from the first check of a call to its end.
    uint256 internal constant ENTERED = 1 << 160;

    /// @dev Token of all payments.
    IUsdc internal immutable USDC;

    /// @dev First word of signed messages.
    ShortString internal immutable SERVICE_NAME;

    /// @notice Settings of a wallet; one slot.
    /// @param boundOnly Whether it accepts bound calls alone.
    /// @param counter The counter of its next signed switch.
    /// @param prepaidDay The last UTC day on which its prepaid money moved at once, in days since 1970.
    struct Wallet {
        bool boundOnly;
        uint64 counter;
        uint32 prepaidDay;
    }

    /// @dev Wallets by account.
    mapping(address account => Wallet) internal _wallets;

    /// @dev Zero outside a call; inside one the lock and, once the target is called, the actor below it.
    uint256 internal transient _frame;

    /// @param owner Account that sets relayers, routes, guardian and daily limit, and takes the fees.
    /// @param usdcToken Token of all payments.
    /// @param service First word of signed messages, at most 31 bytes.
    constructor(address owner, address usdcToken, string memory service) Ownable(owner) {
        if (usdcToken == address(0)) revert ZeroAddress();
        USDC = IUsdc(usdcToken);
        SERVICE_NAME = ShortStrings.toShortString(service);
    }

    /// @dev Refuses calls from inside a relayed call.
    modifier locked() {
        _enter();
        _;
        _frame = 0;
    }

    /// @dev Takes the lock. Reverts with Reentered.
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
