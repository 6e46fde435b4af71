// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ClaimTo, ISponsoredVault} from "./ISponsoredVault.sol";

/// @title Makes vaults, and passes claims on to them
interface ISponsoredVaultFactory {
    error NotAToken(address token);
    error VaultExists(bytes32 vaultId);
    error UnknownVault(bytes32 vaultId);

    /// @param name What the token answered: at most 64 bytes, any bytes. Empty without `hasName`.
    /// @param hasDecimals Whether the token answered a number below 256.
    event VaultCreated(
        bytes32 indexed vaultId,
        address indexed owner,
        address indexed token,
        address vault,
        address hook,
        bytes32 salt,
        bytes name,
        bool hasName,
        bytes symbol,
        bool hasSymbol,
        uint8 decimals,
        bool hasDecimals
    );

    /// @notice Makes a vault of the caller. Its address follows from the vault id.
    function createVault(address token, bytes32 salt) external returns (ISponsoredVault vault);

    /// @notice Passes a claim on to its vault: one address for all of them and any caller.
    function claimTo(bytes32 vaultId, ClaimTo calldata claim, bytes32[] calldata proof, bytes calldata signature)
        external;

    /// @notice keccak256(abi.encode(chain id, this factory, owner, token, salt)).
    function vaultIdOf(address owner, address token, bytes32 salt) external view returns (bytes32);

    /// @notice The vault; zero: there is none.
    function vaultOf(bytes32 vaultId) external view returns (ISponsoredVault);

    function hook() external view returns (address);
    function market() external view returns (address);
}
