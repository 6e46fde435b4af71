// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title The functions that the registrar calls in an ERC-8004 identity registry
/// @notice An agent is an ERC-721 token of the registry.
interface IAgentRegistry {
    /// @notice Mints an agent to the caller and returns the agent's id; 0 is a valid id.
    ///
    /// Example: on a new local registry, the first call `register("https://host/agent.json")` returns 0.
    function register(string calldata agentURI) external returns (uint256 agentId);

    /// @notice Transfers an agent. The registry then deletes the agent's wallet.
    ///
    /// Example: `transferFrom(registrar, alice, 7)`.
    function transferFrom(address from, address to, uint256 agentId) external;

    /// @notice Returns the owner of an agent. Reverts if the agent does not exist.
    ///
    /// Example: after agent 7 is transferred to alice, `ownerOf(7)` returns alice.
    function ownerOf(uint256 agentId) external view returns (address);
}
