// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ClaimTo, ISponsoredVault} from "./ISponsoredVault.sol";

/// @title Factory of vaults
/// @notice Creates vaults for sponsors, and passes claims on to the vaults. The payment forwarder therefore calls one
/// target for all vaults.
interface ISponsoredVaultFactory {
    /// @notice The address has no code, so it is not a token.
    error NotAToken(address token);
    /// @notice The caller already has a vault with this token and this salt.
    error VaultExists(bytes32 vaultId);
    /// @notice This factory has not created a vault with this id.
    error UnknownVault(bytes32 vaultId);

    /// @notice A vault was created. The event contains the name, symbol and decimals that the token returned.
    /// @param name The token's name as at most 64 raw bytes; empty if `hasName` is false.
    /// @param hasDecimals Whether the token returned decimals below 256.
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

    /// @notice Creates a vault that the caller owns. The vault's address depends only on the vault id.
    ///
    /// Example: `createVault(token, bytes32(0))`; a second vault with the same token needs another salt.
    /// @return vault Address of the new vault.
    function createVault(address token, bytes32 salt) external returns (ISponsoredVault vault);

    /// @notice Passes a claim on to the vault with this id.
    ///
    /// Example: a relayer submits, by `relayOpen`, a claim that alice signed.
    function claimTo(bytes32 vaultId, ClaimTo calldata claim, bytes32[] calldata proof, bytes calldata signature)
        external;

    /// @notice Returns the id of a vault: keccak256(abi.encode(chain id, this factory, owner, token, salt)).
    ///
    /// Example: the id of the vault that `owner` creates with `createVault(token, salt)`.
    function vaultIdOf(address owner, address token, bytes32 salt) external view returns (bytes32);

    /// @notice Returns the vault with this id; zero if there is none.
    ///
    /// Example: zero before `createVault`.
    function vaultOf(bytes32 vaultId) external view returns (ISponsoredVault);

    /// @notice Returns the hook that created this factory. The function `hook()` of every vault of this factory returns
    /// the same address.
    ///
    /// Example: the `SponsoredTasksHook` of the deployment.
    function hook() external view returns (address);
    /// @notice Returns the market whose fee recipient receives the platform fees of the vaults.
    ///
    /// Example: the `TaskMarket` of the deployment.
    function market() external view returns (address);
}
