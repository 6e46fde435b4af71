// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice The part of an ERC-8004 identity registry that a registrar needs. An agent is an ERC-721 token.
interface IAgentRegistry {
    /// @notice Mints an agent to the caller. 0 is a valid id.
    function register(string calldata agentURI) external returns (uint256 agentId);

    function transferFrom(address from, address to, uint256 agentId) external;

    /// @notice Reverts when there is no such agent.
    function ownerOf(uint256 agentId) external view returns (address);
}
