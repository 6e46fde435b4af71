// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title A contract wallet that takes the signatures a test tells it to
/// @dev Tests write its storage: slot 0 is `owner`, slot 1 is `refusal`.
contract RefusingWallet is IERC1271 {
    /// @dev `Priced`: refuses in a transaction that pays for gas, and accepts in a simulation that does not.
    enum Refusal {
        Never,
        Always,
        Priced
    }

    /// @notice Whose signatures it takes; zero: every signature.
    address public owner;

    uint256 public refusal;

    function isValidSignature(bytes32 hash, bytes memory signature) external view returns (bytes4) {
        if (refusal == uint256(Refusal.Always)) return 0xffffffff;
        if (refusal == uint256(Refusal.Priced) && tx.gasprice != 0) return 0xffffffff;
        if (owner != address(0) && ECDSA.recover(hash, signature) != owner) return 0xffffffff;
        return this.isValidSignature.selector;
    }
}
