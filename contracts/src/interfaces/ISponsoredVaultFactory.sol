// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ClaimTo, ISponsoredVault} from "./ISponsoredVault.sol";

/// @title Factory of vaults
/// @notice Creates a vault for any sponsor and passes claims on to it, so that a relay has one target for all vaults.
interface ISponsoredVaultFactory {
    /// @notice The address has no code.
    error NotAToken(address token);
    /// @notice The caller has a vault of this token and salt.
    error VaultExists(bytes32 vaultId);
    /// @notice This factory made no vault of this id.
    error UnknownVault(bytes32 vaultId);

    /// @notice A vault was created. Name, symbol and decimals are what its token returned, so that a reader of logs
    /// needs no call.
    /// @param name The token's name: at most 64 bytes, any bytes. Empty without `hasName`.
    /// @param hasDecimals Whether the token returned a number below 256.
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

    /// @notice Creates a vault of the caller. Its address follows from the vault id.
    ///
    /// Example: `createVault(token, bytes32(0))`, and another salt for a second vault of the same token.
    /// @return vault The vault.
    function createVault(address token, bytes32 salt) external returns (ISponsoredVault vault);

    /// @notice Passes a claim on to its vault.
    ///
    /// Example: a relayer's open call with a claim that alice signed for a vault.
    function claimTo(bytes32 vaultId, ClaimTo calldata claim, bytes32[] calldata proof, bytes calldata signature)
        external;

    /// @notice Returns the id of a vault: keccak256(abi.encode(chain id, this factory, owner, token, salt)).
    ///
    /// Example: the id that `createVault(token, salt)` by this owner uses.
    function vaultIdOf(address owner, address token, bytes32 salt) external view returns (bytes32);

    /// @notice Returns the vault; zero: there is none.
    ///
    /// Example: zero before `createVault`.
    function vaultOf(bytes32 vaultId) external view returns (ISponsoredVault);

    /// @notice Returns the hook whose vaults this factory makes.
    ///
    /// Example: the `SponsoredTasksHook` of the deployment.
    function hook() external view returns (address);
    /// @notice Returns the market whose fee recipient collects platform fees.
    ///
    /// Example: the `TaskMarket` of the deployment.
    function market() external view returns (address);
}
