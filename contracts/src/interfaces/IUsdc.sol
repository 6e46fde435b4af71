// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Part of USDC (FiatToken v2.2) that the payment forwarder calls
/// @notice An ERC-20 token with transfers by signature (ERC-3009).
interface IUsdc is IERC20 {
    /// @notice Returns the EIP-712 domain separator that signatures of authorizations use.
    ///
    /// Example: 0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f on Base.
    // forge-lint: disable-next-line(mixed-case-function)
    function DOMAIN_SEPARATOR() external view returns (bytes32);

    /// @notice Returns true for an ERC-3009 nonce that was used or that the authorizer cancelled. Returns false for an
    /// unused nonce.
    ///
    /// Example: true after `transferWithAuthorization` with this nonce.
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);

    /// @notice Transfers USDC of `from` with an ERC-3009 signature of `from`. Contract wallets can also sign, because
    /// the signature may have any length. Any account may call.
    ///
    /// Example: 5000000 from alice to the forwarder, valid before 1800000000.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external;

    /// @notice Transfers USDC of `from` with an ERC-3009 signature of `from`. Only the receiver `to` may call.
    ///
    /// Example: 5000000 from alice to the forwarder, called by the forwarder.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external;
}
