// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {SignedMessage} from "../forwarder/SignedMessage.sol";
import {ChargeState, ClaimTo, ISponsoredVault, VaultCharge} from "../interfaces/ISponsoredVault.sol";
import {SettlementTree} from "./SettlementTree.sol";
import {VaultBase} from "./VaultBase.sol";

/// @title Claims of workers
/// @notice Pays each award once, to the destination that the worker signed.
abstract contract VaultClaims is VaultBase {
    /// @dev Hash of the EIP-712 type of the claim that a worker signs.
    bytes32 private constant CLAIM_TYPEHASH = keccak256(
        "ClaimTo(bytes32 vaultId,uint64 epoch,bytes32 allocationId,bytes32 taskId,uint256 index,address worker,"
        "address destination,uint256 amount,uint256 nonce,uint256 deadline)"
    );

    /// @dev Number of bits in one word of `_paid`. An award index has a bit only if it is below this number. A claim
    /// with another index is refused: nothing would record the payment, so the claim could be paid repeatedly.
    uint256 private constant MAX_INDEXES = 256;

    /// @dev Paid claims by task. Bit i is set if the claim with index i is paid.
    mapping(bytes32 taskId => uint256) private _paid;
    /// @dev The nonce of each worker's next claim.
    mapping(address worker => uint256) private _nonces;

    /// @inheritdoc ISponsoredVault
    function claimTo(ClaimTo calldata claim, bytes32[] calldata proof, bytes calldata signature) external locked {
        // Check:
        _checkLife(claim);
        VaultCharge storage entry = _charges[claim.taskId];
        uint256 paidBits = _paid[claim.taskId];
        if (paidBits & _bitOf(claim.index) != 0) revert ClaimAlreadyPaid(claim.taskId, claim.index);
        uint256 nonce = _nonces[claim.worker];
        if (claim.nonce != nonce) revert WrongNonce(nonce, claim.nonce);
        _checkProof(claim, entry, proof);
        uint128 amount = SafeCast.toUint128(claim.amount);
        uint256 paid = uint256(entry.paid) + amount;
        if (paid > entry.credited) revert AboveCredit(paid, entry.credited);
        bytes32 digest = _hashTypedDataV4(keccak256(abi.encode(CLAIM_TYPEHASH, claim)));
        if (!SignedMessage.isSignedBy(claim.worker, digest, signature)) revert InvalidClaimSignature();
        _requireDestination(claim.destination);

        // Effect:
        _paid[claim.taskId] = paidBits | _bitOf(claim.index);
        _nonces[claim.worker] = nonce + 1;
        entry.paid += amount;
        _totals.owed -= amount;

        // Interaction:
        _transferOut(claim.destination, amount);

        // Log:
        emit Claimed(claim.taskId, claim.worker, claim.destination, claim.index, amount, nonce, paid, _totals);
    }

    /// @inheritdoc ISponsoredVault
    function paidOf(bytes32 taskId) external view returns (uint256) {
        return _paid[taskId];
    }

    /// @inheritdoc ISponsoredVault
    function nonceOf(address worker) external view returns (uint256) {
        return _nonces[worker];
    }

    /// @dev Checks the time of a claim: before the deadline, before the vault's exit, and in the present epoch.
    function _checkLife(ClaimTo calldata claim) private view {
        if (block.timestamp > claim.deadline) revert ClaimExpired(claim.deadline);
        Life memory life = _life;
        if (life.isExited) revert VaultNotActive();
        if (claim.epoch != life.epoch) revert WrongEpoch(life.epoch, claim.epoch);
    }

    /// @dev Returns the bit of `_paid` that belongs to an index; zero if the index is 256 or more.
    function _bitOf(uint256 index) private pure returns (uint256) {
        return index < MAX_INDEXES ? 2 ** index : 0;
    }

    /// @dev Reverts with InvalidClaimProof if the claim is not a leaf of the task's settled Merkle tree. Also reverts
    /// if the claim names another vault, or if its index is 256 or more. The index is checked because a hook of the
    /// owner's choice can settle a tree with any indexes.
    function _checkProof(ClaimTo calldata claim, VaultCharge storage entry, bytes32[] calldata proof) private view {
        bytes32 leaf = SettlementTree.leafOf(
            SettlementTree.Leaf({
                vaultId: claim.vaultId,
                epoch: claim.epoch,
                allocationId: claim.allocationId,
                taskId: claim.taskId,
                index: claim.index,
                worker: claim.worker,
                amount: claim.amount
            })
        );
        bool isLeaf = claim.index < MAX_INDEXES && claim.vaultId == _setup().vaultId
            && entry.state == ChargeState.Settled && MerkleProof.verifyCalldata(proof, entry.root, leaf);
        if (!isLeaf) revert InvalidClaimProof();
    }
}
