// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ShortString, ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";
import {IPaymentForwarder} from "../interfaces/IPaymentForwarder.sol";
import {IUsdc} from "../interfaces/IUsdc.sol";

/// @title The forwarder's token, its name, its lock and what it stores of a wallet
abstract contract ForwarderBase is IPaymentForwarder, Ownable2Step {
    /// @dev Set in `_frame` from the first check of a call to its end.
    uint256 internal constant ENTERED = 1 << 160;

    /// @dev The only money it moves.
    IUsdc internal immutable USDC;

    /// @dev First word of signed messages.
    ShortString internal immutable SERVICE_NAME;

    /// @notice What is stored of a wallet; one slot.
    /// @param boundOnly It takes bound calls alone.
    /// @param counter The counter of its next signed switch.
    /// @param prepaidDay The last UTC day on which prepaid money of it moved at once, in days since 1970.
    struct Wallet {
        bool boundOnly;
        uint64 counter;
        uint32 prepaidDay;
    }

    /// @dev By account.
    mapping(address account => Wallet) internal _wallets;

    /// @dev Zero outside a call; inside one the lock and, once the target is called, the actor below it.
    uint256 internal transient _frame;

    /// @param owner Sets relayers, routes, guardian and daily limit, and takes the fees.
    /// @param usdcToken The only money it moves.
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
