// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Vm} from "forge-std/Vm.sol";
import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {LocalUsdc} from "../../src/local/LocalUsdc.sol";

/// @title What a wallet does: signing payments and messages
library Relay {
    // forge-lint: disable-next-line(screaming-snake-case-const)
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev An authorization of `value` to the forwarder, valid now and for five minutes.
    function authorizationOf(address from, uint256 value, bytes32 nonce)
        internal
        view
        returns (IPaymentForwarder.Authorization memory)
    {
        return IPaymentForwarder.Authorization({
            from: from, value: value, validAfter: block.timestamp - 1, validBefore: block.timestamp + 300, nonce: nonce
        });
    }

    /// @dev EIP-712 signature of an authorization towards `to`.
    function sign(LocalUsdc usdc, uint256 key, address to, IPaymentForwarder.Authorization memory a)
        internal
        view
        returns (bytes memory)
    {
        bytes32 structHash = keccak256(
            abi.encode(
                usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), a.from, to, a.value, a.validAfter, a.validBefore, a.nonce
            )
        );
        return signDigest(key, MessageHashUtils.toTypedDataHash(usdc.DOMAIN_SEPARATOR(), structHash));
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
        string memory message = string.concat(head, Strings.toHexString(uint256(taskId), 32), suffix);
        return signDigest(key, MessageHashUtils.toEthSignedMessageHash(bytes(message)));
    }

    function signDigest(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }
}
