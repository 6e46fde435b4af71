// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Part of an ERC-8004 identity registry that the registrar calls
/// @notice An agent is an ERC-721 token of the registry.
interface IAgentRegistry {
    /// @notice Mints an agent to the caller. 0 is a valid id.
    ///
    /// Example: `register("https://host/agent.json")` returns 0 as the first call to a local registry.
    function register(string calldata agentURI) external returns (uint256 agentId);

    /// @notice Transfers an agent. The registry then forgets the agent's wallet.
    ///
    /// Example: `transferFrom(registrar, alice, 7)`.
    function transferFrom(address from, address to, uint256 agentId) external;

    /// @notice Returns the owner of an agent. It reverts when there is no such agent.
    ///
    /// Example: `ownerOf(7)` is alice after the transfer.
    function ownerOf(uint256 agentId) external view returns (address);
}
