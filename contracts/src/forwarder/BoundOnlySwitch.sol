// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IBoundOnly} from "../interfaces/IBoundOnly.sol";
import {BoundCall} from "./BoundCall.sol";
import {ForwarderBase} from "./ForwarderBase.sol";
import {Hex} from "./Hex.sol";
import {SignedMessage} from "./SignedMessage.sol";

/// @title Switch of wallets that accept only bound calls
/// @notice A wallet sets the wallet's switch by a direct call or by a signature. `IBoundOnly` documents every function.
abstract contract BoundOnlySwitch is ForwarderBase {
    /// @inheritdoc IBoundOnly
    function setBoundOnly(bool on) external {
        _set(msg.sender, on);
    }

    /// @inheritdoc IBoundOnly
    function setBoundOnlyFor(address wallet, bool on, uint256 counter, uint256 validBefore, bytes calldata signature)
        external
    {
        // Check:
        uint256 expected = _wallets[wallet].counter;
        if (counter != expected) revert WrongCounter(expected, counter);
        if (block.timestamp >= validBefore) revert SwitchExpired(validBefore);
        bytes32 digest = MessageHashUtils.toEthSignedMessageHash(_switchText(wallet, on, counter, validBefore));
        if (!SignedMessage.isSignedBy(wallet, digest, signature)) revert InvalidSwitchSignature(wallet);

        // Effect, log:
        _set(wallet, on);
    }

    /// @inheritdoc IBoundOnly
    function boundOnly(address wallet) external view returns (bool) {
        return _wallets[wallet].boundOnly;
    }

    /// @inheritdoc IBoundOnly
    function boundOnlyCounter(address wallet) external view returns (uint256) {
        return _wallets[wallet].counter;
    }

    /// @dev Sets the switch of an account and raises the account's counter by one. All earlier switch signatures are
    /// then void.
    function _set(address account, bool on) private {
        Wallet storage wallet = _wallets[account];
        uint64 next = wallet.counter + 1;
        (wallet.boundOnly, wallet.counter) = (on, next);
        emit BoundOnlySet(account, on, next);
    }

    /// @dev Returns the message by which a wallet sets the wallet's switch, for example
    /// `service:bound-only:on:8453:0x3063...86b6:0x976e...0aa9:0:1800000000`.
    function _switchText(address wallet, bool on, uint256 counter, uint256 validBefore)
        private
        view
        returns (bytes memory)
    {
        return abi.encodePacked(
            ShortStrings.toString(SERVICE_NAME),
            on ? ":bound-only:on" : ":bound-only:off",
            BoundCall.placeText(),
            Hex.textOf(wallet),
            ":",
            Strings.toString(counter),
            ":",
            Strings.toString(validBefore)
        );
    }
}
