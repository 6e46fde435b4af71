// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {Refusals} from "./Refusals.sol";

/// @title A contract wallet that accepts the signatures that a test names
/// @dev Tests write its storage: slot 0 is `owner`, slot 1 is `refusal`, slot 2 is `burns`.
contract RefusingWallet is IERC1271 {
    /// @notice Whose signatures it takes; zero: every signature.
    address public owner;

    uint256 public refusal;

    /// @notice Not zero: a refusal burns all gas.
    uint256 public burns;

    function isValidSignature(bytes32 hash, bytes memory signature) external view returns (bytes4) {
        if (Refusals.refuses(refusal)) {
            if (burns != 0) Refusals.burn();
            return 0xffffffff;
        }
        if (owner != address(0) && ECDSA.recover(hash, signature) != owner) return 0xffffffff;
        return this.isValidSignature.selector;
    }
}
