// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ClaimTo, ISponsoredVault} from "../interfaces/ISponsoredVault.sol";
import {ISponsoredVaultFactory} from "../interfaces/ISponsoredVaultFactory.sol";
import {SponsoredVault} from "./SponsoredVault.sol";
import {TokenText} from "./TokenText.sol";
import {VaultBase} from "./VaultBase.sol";

/// @title Factory of vaults
/// @notice Creates vaults and passes claims on to the vaults. `ISponsoredVaultFactory` documents every function. The
/// SponsoredTasksHook deploys this factory. The factory has no owner.
contract SponsoredVaultFactory is ISponsoredVaultFactory {
    /// @dev The hook that deployed this factory. It is the `hook()` of every vault of the factory.
    address private immutable HOOK;
    /// @dev Market whose fee recipient receives the platform fees of the vaults.
    address private immutable MARKET;
    /// @dev Contract whose code all vaults of this factory share.
    address private immutable IMPLEMENTATION;

    /// @dev Vaults by id.
    mapping(bytes32 vaultId => ISponsoredVault) private _vaults;

    /// @param taskMarket Market of the hook that deploys this factory.
    constructor(address taskMarket) {
        (HOOK, MARKET) = (msg.sender, taskMarket);
        IMPLEMENTATION = address(new SponsoredVault(msg.sender, taskMarket));
    }

    /// @inheritdoc ISponsoredVaultFactory
    function createVault(address token, bytes32 salt) external returns (ISponsoredVault vault) {
        // Check:
        if (token.code.length == 0) revert NotAToken(token);
        bytes32 vaultId = vaultIdOf(msg.sender, token, salt);
        if (address(_vaults[vaultId]) != address(0)) revert VaultExists(vaultId);

        // Effect:
        bytes memory setup = abi.encode(VaultBase.Setup({vaultId: vaultId, owner: msg.sender, token: token}));
        vault = ISponsoredVault(Clones.cloneDeterministicWithImmutableArgs(IMPLEMENTATION, setup, vaultId));
        _vaults[vaultId] = vault;

        // Log:
        _logVault(vaultId, vault, token, salt);
    }

    /// @inheritdoc ISponsoredVaultFactory
    function claimTo(bytes32 vaultId, ClaimTo calldata claim, bytes32[] calldata proof, bytes calldata signature)
        external
    {
        ISponsoredVault vault = _vaults[vaultId];
        if (address(vault) == address(0)) revert UnknownVault(vaultId);
        vault.claimTo(claim, proof, signature);
    }

    /// @inheritdoc ISponsoredVaultFactory
    function vaultOf(bytes32 vaultId) external view returns (ISponsoredVault) {
        return _vaults[vaultId];
    }

    /// @inheritdoc ISponsoredVaultFactory
    function hook() external view returns (address) {
        return HOOK;
    }

    /// @inheritdoc ISponsoredVaultFactory
    function market() external view returns (address) {
        return MARKET;
    }

    /// @inheritdoc ISponsoredVaultFactory
    function vaultIdOf(address owner, address token, bytes32 salt) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), owner, token, salt));
    }

    /// @dev Emits VaultCreated with the name, symbol and decimals that the token returns.
    function _logVault(bytes32 vaultId, ISponsoredVault vault, address token, bytes32 salt) private {
        (bool hasName, bytes memory name) = TokenText.nameOf(token);
        (bool hasSymbol, bytes memory symbol) = TokenText.symbolOf(token);
        (bool hasDecimals, uint8 decimals) = TokenText.decimalsOf(token);
        emit VaultCreated(
            vaultId,
            msg.sender,
            token,
            address(vault),
            HOOK,
            salt,
            name,
            hasName,
            symbol,
            hasSymbol,
            decimals,
            hasDecimals
        );
    }
}
