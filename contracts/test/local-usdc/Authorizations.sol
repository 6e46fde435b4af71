// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {UsdcTable} from "./UsdcTable.sol";

/// @title Steps with ERC-3009 authorizations, of 10 base units from alice to bob unless told otherwise
abstract contract Authorizations is UsdcTable {
    struct Authorization {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    string private constant FIELDS = "(address,address,uint256,uint256,uint256,bytes32,";

    function usual() internal view returns (Authorization memory) {
        return Authorization(alice, bob, 10, start, end, "n");
    }

    /// @dev The usual one, signed and submitted by any account.
    function transfer() internal view returns (Step memory) {
        return transfer(usual());
    }

    function transfer(Authorization memory a) internal view returns (Step memory) {
        return transfer(a, signTransfer(a));
    }

    function transfer(Authorization memory a, bytes memory signature) internal view returns (Step memory) {
        return by(carol, authorized("transferWithAuthorization", a, signature));
    }

    function transferVrs(Authorization memory a, bytes memory signature) internal view returns (Step memory) {
        return by(carol, authorizedVrs("transferWithAuthorization", a, signature));
    }

    /// @dev The usual one, signed to be received, submitted by bob.
    function receive_() internal view returns (Step memory) {
        return receive_(bob, usual(), signReceive(usual()));
    }

    function receive_(address caller, Authorization memory a, bytes memory signature)
        internal
        pure
        returns (Step memory)
    {
        return by(caller, authorized("receiveWithAuthorization", a, signature));
    }

    function receiveVrs(Authorization memory a, bytes memory signature) internal view returns (Step memory) {
        return by(bob, authorizedVrs("receiveWithAuthorization", a, signature));
    }

    /// @dev Alice takes back the nonce of the usual one; submitted by any account.
    function cancel() internal view returns (Step memory) {
        return cancel(alice, "n", signCancel(alice, "n"));
    }

    function cancel(address authorizer, bytes32 nonce, bytes memory signature) internal view returns (Step memory) {
        return
            by(
                carol,
                abi.encodeWithSignature("cancelAuthorization(address,bytes32,bytes)", authorizer, nonce, signature)
            );
    }

    function cancelVrs(address authorizer, bytes32 nonce, bytes memory signature) internal view returns (Step memory) {
        (uint8 v, bytes32 r, bytes32 s) = parts(signature);
        string memory name = "cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)";
        return by(carol, abi.encodeWithSignature(name, authorizer, nonce, v, r, s));
    }

    function signTransfer(Authorization memory a) internal view returns (bytes memory) {
        return sign(hashOf(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), a));
    }

    function signReceive(Authorization memory a) internal view returns (bytes memory) {
        return sign(hashOf(usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), a));
    }

    function signCancel(address authorizer, bytes32 nonce) internal view returns (bytes memory) {
        return sign(keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), authorizer, nonce)));
    }

    function hashOf(bytes32 typehash, Authorization memory a) internal pure returns (bytes32) {
        return keccak256(abi.encode(typehash, a));
    }

    function authorized(string memory name, Authorization memory a, bytes memory signature)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSignature(
            string.concat(name, FIELDS, "bytes)"),
            a.from,
            a.to,
            a.value,
            a.validAfter,
            a.validBefore,
            a.nonce,
            signature
        );
    }

    function authorizedVrs(string memory name, Authorization memory a, bytes memory signature)
        private
        pure
        returns (bytes memory)
    {
        (uint8 v, bytes32 r, bytes32 s) = parts(signature);
        // A struct of words is encoded as its words.
        bytes memory arguments = abi.encode(a, v, r, s);
        return bytes.concat(bytes4(keccak256(bytes(string.concat(name, FIELDS, "uint8,bytes32,bytes32)")))), arguments);
    }
}
