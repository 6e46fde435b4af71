// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IPrepaidMoney} from "../interfaces/IPrepaidMoney.sol";
import {IUsdc} from "../interfaces/IUsdc.sol";
import {Authorization} from "../types/RelayTypes.sol";
import {SignedMessage} from "./SignedMessage.sol";

/// @title ERC-3009 authorizations of payments to this contract
/// @notice Submits an authorization to USDC, or checks an authorization that was submitted earlier.
library UsdcAuthorization {
    /// @dev Hash of the ERC-3009 type of a transfer that any account may submit.
    bytes32 private constant TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    /// @dev Submits an authorization to USDC. USDC then transfers the payment to this contract, or the call reverts
    /// with USDC's error.
    function settle(IUsdc usdc, Authorization calldata authorization, bytes calldata signature) internal {
        usdc.transferWithAuthorization(
            authorization.from,
            address(this),
            authorization.value,
            authorization.validAfter,
            authorization.validBefore,
            authorization.nonce,
            signature
        );
    }

    /// @dev Submits an authorization that only this contract can submit. USDC then transfers the payment to this
    /// contract, or the call reverts with USDC's error.
    function settleBound(IUsdc usdc, Authorization calldata authorization, bytes calldata signature) internal {
        usdc.receiveWithAuthorization(
            authorization.from,
            address(this),
            authorization.value,
            authorization.validAfter,
            authorization.validBefore,
            authorization.nonce,
            signature
        );
    }

    /// @dev Requires that the payer signed this authorization, and that USDC records its nonce as used or cancelled. A
    /// used nonce alone proves neither the amount nor the receiver.
    function checkUsed(IUsdc usdc, Authorization calldata authorization, bytes calldata signature) internal view {
        bytes32 structHash = keccak256(
            abi.encode(
                TYPEHASH,
                authorization.from,
                address(this),
                authorization.value,
                authorization.validAfter,
                authorization.validBefore,
                authorization.nonce
            )
        );
        bytes32 digest = MessageHashUtils.toTypedDataHash(usdc.DOMAIN_SEPARATOR(), structHash);
        if (!SignedMessage.isSignedBy(authorization.from, digest, signature)) {
            revert IPrepaidMoney.InvalidAuthorizationSignature(authorization.from);
        }
        if (!usdc.authorizationState(authorization.from, authorization.nonce)) {
            revert IPrepaidMoney.AuthorizationNotUsed(authorization.from, authorization.nonce);
        }
    }
}
