// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Hashes} from "@openzeppelin/contracts/utils/cryptography/Hashes.sol";

/// @title The Merkle tree of a settlement
/// @notice Builds the same tree as OpenZeppelin's StandardMerkleTree for the same values. Clients can therefore build
/// proofs with that library. Leaves are hashed twice and sorted by hash. Each pair is sorted before it is hashed.
library SettlementTree {
    /// @dev One award that earns tokens, which is a leaf of the tree.
    /// @param vaultId Id of the vault.
    /// @param epoch Epoch of the vault: 0 until the exit, 1 after the exit.
    /// @param allocationId Id of the reward. The SponsoredTasksHook uses the task id as this value.
    /// @param taskId The task.
    /// @param index Position of the award among the task's awards, counted from 0.
    /// @param worker The awarded account.
    /// @param amount Earned tokens in base units.
    struct Leaf {
        bytes32 vaultId;
        uint64 epoch;
        bytes32 allocationId;
        bytes32 taskId;
        uint256 index;
        address worker;
        uint256 amount;
    }

    /// @dev Returns the Merkle root of the awards that earn tokens. At least one award must earn tokens.
    /// @param head Gives the vault, the epoch, the allocation and the task of all leaves. The function overwrites the
    /// index, the worker and the amount.
    /// @param earned Earned tokens by index of the award, in base units.
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

    /// @dev Returns the hash of a leaf of the tree. Each leaf is an award that one worker can claim.
    function leafOf(Leaf memory leaf) internal pure returns (bytes32) {
        return keccak256(bytes.concat(keccak256(abi.encode(leaf))));
    }

    /// @dev Returns the Merkle root for the given hashes of leaves.
    /// @param leaves Hashes of the leaves, at least one. The function sorts the array in place.
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

    /// @dev Sorts the hashes by insertion, because there are at most fifty.
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
