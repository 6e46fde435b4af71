// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title Signature checks of USDC, with the revert messages of USDC
/// @notice Signatures are EIP-712 signatures with the token's name and version "2". A signer without code is checked by
/// ecrecover, a signer with code by ERC-1271.
abstract contract FiatTokenSignatures {
    /// @notice Returns the hash of the ERC-3009 type of a transfer that any account may submit.
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    /// @notice Returns the hash of the ERC-3009 type of a transfer that only the receiver may submit.
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    /// @notice Returns the hash of the ERC-3009 type of a cancellation.
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    /// @notice Returns the hash of the EIP-2612 type of a permit.
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    /// @dev Hash of the type of the EIP-712 domain.
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    /// @dev Half of the curve order, the maximum of `s` in a signature. A signature with a larger `s` is a second form
    /// of a valid signature.
    uint256 private constant MAX_S = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    /// @notice Returns the EIP-712 domain separator for the present chain id.
    // forge-lint: disable-next-line(mixed-case-function)
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, _nameHash(), keccak256("2"), block.chainid, address(this)));
    }

    /// @dev Returns the hash of the token's name.
    function _nameHash() internal view virtual returns (bytes32);

    /// @dev Reverts with `message` if `signer` did not make the signature. Reverts with an "ECRecover"
    /// message if a signer without code gives a malformed signature.
    function _requireSignature(address signer, bytes32 structHash, bytes memory signature, string memory message)
        internal
        view
    {
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), structHash));
        bool valid = signer.code.length == 0
            ? _recover(digest, signature) == signer
            : _acceptedByContract(signer, digest, signature);
        require(valid, message);
    }

    /// @dev Returns the address whose key made the signature. Reverts if the signature is not well formed.
    function _recover(bytes32 digest, bytes memory signature) private pure returns (address recovered) {
        require(signature.length == 65, "ECRecover: invalid signature length");
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
        require(uint256(s) <= MAX_S, "ECRecover: invalid signature 's' value");
        require(v == 27 || v == 28, "ECRecover: invalid signature 'v' value");
        recovered = ecrecover(digest, v, r, s);
        require(recovered != address(0), "ECRecover: invalid signature");
    }

    /// @dev Returns whether a contract wallet accepts the signature (ERC-1271).
    function _acceptedByContract(address signer, bytes32 digest, bytes memory signature) private view returns (bool) {
        (bool success, bytes memory answer) =
            signer.staticcall(abi.encodeCall(IERC1271.isValidSignature, (digest, signature)));
        return
            success && answer.length >= 32
                && abi.decode(answer, (bytes32)) == bytes32(IERC1271.isValidSignature.selector);
    }
}
