// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Vm} from "forge-std/Vm.sol";
import {LocalUsdc} from "../../src/local/LocalUsdc.sol";
import {Authorization} from "../../src/types/RelayTypes.sol";

/// @title Signatures of a wallet: payments and messages
library Relay {
    // forge-lint: disable-next-line(screaming-snake-case-const)
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev An authorization of `value` to the forwarder, valid now and for five minutes.
    function authorizationOf(address from, uint256 value, bytes32 nonce) internal view returns (Authorization memory) {
        return Authorization({
            from: from, value: value, validAfter: block.timestamp - 1, validBefore: block.timestamp + 300, nonce: nonce
        });
    }

    /// @dev EIP-712 signature of an authorization towards `to`.
    function sign(LocalUsdc usdc, uint256 key, address to, Authorization memory a)
        internal
        view
        returns (bytes memory)
    {
        return signDigest(key, transferDigest(usdc, to, a));
    }

    function transferDigest(LocalUsdc usdc, address to, Authorization memory a) internal view returns (bytes32) {
        bytes32 structHash = keccak256(
            abi.encode(
                usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), a.from, to, a.value, a.validAfter, a.validBefore, a.nonce
            )
        );
        return MessageHashUtils.toTypedDataHash(usdc.DOMAIN_SEPARATOR(), structHash);
    }

    /// @dev EIP-712 signature of an authorization that only `to` can submit.
    function signReceipt(LocalUsdc usdc, uint256 key, address to, Authorization memory a)
        internal
        view
        returns (bytes memory)
    {
        return signDigest(key, receiptDigest(usdc, to, a));
    }

    function receiptDigest(LocalUsdc usdc, address to, Authorization memory a) internal view returns (bytes32) {
        bytes32 structHash = keccak256(
            abi.encode(
                usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), a.from, to, a.value, a.validAfter, a.validBefore, a.nonce
            )
        );
        return MessageHashUtils.toTypedDataHash(usdc.DOMAIN_SEPARATOR(), structHash);
    }

    /// @dev EIP-712 signature that cancels the authorization of the key's account with this nonce.
    function signCancellation(LocalUsdc usdc, uint256 key, bytes32 nonce) internal view returns (bytes memory) {
        bytes32 structHash = keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), vm.addr(key), nonce));
        return signDigest(key, MessageHashUtils.toTypedDataHash(usdc.DOMAIN_SEPARATOR(), structHash));
    }

    /// @dev EIP-191 signature of `<head><taskId><suffix>`, for example with head `service:submit:`.
    function signMessage(uint256 key, string memory head, bytes32 taskId, string memory suffix)
        internal
        pure
        returns (bytes memory)
    {
        return signText(key, string.concat(head, Strings.toHexString(uint256(taskId), 32), suffix));
    }

    /// @dev The end of a message that is bound to one call, written apart from the forwarder's own code.
    function callTail(address forwarder, bytes memory data) internal view returns (string memory) {
        string memory place = string.concat(Strings.toString(block.chainid), ":", Strings.toHexString(forwarder));
        return string.concat(":call:", place, ":", Strings.toHexString(uint256(keccak256(data)), 32));
    }

    /// @dev The message of a switch to bound calls alone, under the service name `service`.
    function switchText(address forwarder, address wallet, bool on, uint256 counter, uint256 validBefore)
        internal
        view
        returns (string memory)
    {
        string memory place = string.concat(Strings.toString(block.chainid), ":", Strings.toHexString(forwarder));
        string memory times = string.concat(Strings.toString(counter), ":", Strings.toString(validBefore));
        string memory head = on ? "service:bound-only:on:" : "service:bound-only:off:";
        return string.concat(head, place, ":", Strings.toHexString(wallet), ":", times);
    }

    /// @dev EIP-191 signature of a text.
    function signText(uint256 key, string memory text) internal pure returns (bytes memory) {
        return signDigest(key, MessageHashUtils.toEthSignedMessageHash(bytes(text)));
    }

    function signDigest(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }
}
