// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Hashes} from "@openzeppelin/contracts/utils/cryptography/Hashes.sol";

/// @title The merkle tree of a settlement
/// @notice Equal to OpenZeppelin's StandardMerkleTree over the same values, so that any client can build proofs: leaves
/// are hashed twice and sorted, pairs are hashed in order, and the tree is complete.
library SettlementTree {
    /// @dev One award that earns tokens.
    /// @param vaultId Id of the vault.
    /// @param epoch Epoch of the vault.
    /// @param allocationId Equals `taskId` for tasks on the vault's chain.
    /// @param taskId The task.
    /// @param index Position among the awards of the task, from 0.
    /// @param worker The awarded account.
    /// @param amount Base units of the token.
    struct Leaf {
        bytes32 vaultId;
        uint64 epoch;
        bytes32 allocationId;
        bytes32 taskId;
        uint256 index;
        address worker;
        uint256 amount;
    }

    /// @dev Returns the root of the awards that earn anything; at least one does.
    /// @param head Vault, epoch and task of every leaf; its other fields are overwritten.
    /// @param earned Tokens by the award's index.
    function rootOfEarned(Leaf memory head, address[] memory workers, uint256[] memory earned)
        internal
        pure
        returns (bytes32)
    {
        uint256 count;
        for (uint256 i; i < earned.length; i++) {
            if (earned[i] > 0) count++;
        }
        bytes32[] memory leaves = new bytes32[](count);
        for (uint256 i = earned.length; i > 0; i--) {
            if (earned[i - 1] == 0) continue;
            (head.index, head.worker, head.amount) = (i - 1, workers[i - 1], earned[i - 1]);
            leaves[--count] = leafOf(head);
        }
        return rootOf(leaves);
    }

    /// @dev Returns the hash of a leaf.
    function leafOf(Leaf memory leaf) internal pure returns (bytes32) {
        return keccak256(bytes.concat(keccak256(abi.encode(leaf))));
    }

    /// @dev Returns the root.
    /// @param leaves At least one; sorted in place.
    function rootOf(bytes32[] memory leaves) private pure returns (bytes32) {
        _sort(leaves);
        uint256 count = leaves.length;
        bytes32[] memory tree = new bytes32[](2 * count - 1);
        for (uint256 i; i < count; i++) {
            tree[tree.length - 1 - i] = leaves[i];
        }
        for (uint256 i = count - 1; i > 0; i--) {
            tree[i - 1] = Hashes.commutativeKeccak256(tree[2 * i - 1], tree[2 * i]);
        }
        return tree[0];
    }

    /// @dev Sorts by insertion: there are at most fifty.
    function _sort(bytes32[] memory leaves) private pure {
        for (uint256 i = 1; i < leaves.length; i++) {
            bytes32 leaf = leaves[i];
            uint256 place = i;
            while (place > 0 && leaves[place - 1] > leaf) {
                leaves[place] = leaves[place - 1];
                place--;
            }
            leaves[place] = leaf;
        }
    }
}
