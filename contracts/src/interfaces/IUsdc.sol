// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @notice The part of USDC (FiatToken v2.2) that a relay needs.
interface IUsdc is IERC20 {
    // forge-lint: disable-next-line(mixed-case-function)
    function DOMAIN_SEPARATOR() external view returns (bytes32);

    /// @notice Whether an ERC-3009 nonce is gone: used, or cancelled by its authorizer.
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);

    /// @notice ERC-3009 with a signature of any length, so that contract wallets can pay.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external;

    /// @notice The same for a transfer that only its receiver can submit.
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
