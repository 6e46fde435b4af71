// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/// @title Registrar of agents in the ERC-8004 identity registry
/// @notice Registers an agent and transfers it to the actor, which is the payer of a relayed call or the caller of a
/// direct call. The registry mints an agent to its caller. Without this contract the agent of a relayed registration
/// would therefore belong to the forwarder.
///
/// For each account this contract stores one agent: the latest agent that was registered for the account or that the
/// account adopted. The account counts as registered while it owns this agent. An account that gives its agent away can
/// register again and gets a new agent. An agent that was registered elsewhere (in the registry itself or for another
/// account) counts only after its owner adopts it. So an agent that is merely sent to an account never becomes the
/// account's identity. The registry deletes the wallet of an agent when the agent's owner changes. A newly registered
/// agent therefore has no wallet; its owner sets one with `setAgentWallet`.
interface IIdentityRegistrar is IERC721Receiver {
    /// @notice The agent `agentId` was minted and belongs to `actor`.
    event AgentRegistered(address indexed actor, uint256 indexed agentId, string agentURI);

    /// @notice `actor` is already registered with the agent `agentId`, so the registration minted nothing.
    event AgentFound(address indexed actor, uint256 indexed agentId);

    /// @notice `actor` chose the agent `agentId`, which it owns, as its identity in this contract.
    event AgentAdopted(address indexed actor, uint256 indexed agentId);

    /// @notice The forwarder made a permissionless call, which has no actor.
    error ActorRequired();

    /// @notice Only the forwarder may call `registerFor`.
    error NotForwarder(address caller);

    /// @notice `registerFor` has already minted an agent for this account, and the account no longer owns that agent.
    error RegisteredBefore(address account);

    /// @notice After the registration the agent belongs to `owner` instead of the actor.
    error AgentNotDelivered(uint256 agentId, address owner);

    /// @notice This contract accepts only a token that the registry mints during a registration. Any other token would
    /// be lost here.
    error UnexpectedToken(address token, uint256 tokenId);

    /// @notice Only the owner of an agent may adopt it.
    error NotAgentOwner(uint256 agentId, address actor);

    /// @notice The registry called this contract during a registration.
    error Reentered();
    /// @notice The address must not be zero.
    error ZeroAddress();

    /// @notice Registers the actor. If the actor is already registered, nothing changes, and the id of the actor's
    /// agent is returned.
    ///
    /// Example: `register("")` by 0xab...cd registers an agent with the URI
    /// `https://host/api/agents/0xab...cd/registration`.
    /// @param agentURI URI of the agent's registration file; if empty, `defaultURIOf(actor)` is used. Ignored if the
    /// actor is already registered.
    /// @return agentId The actor's agent in the registry; 0 is a valid id.
    /// @return alreadyRegistered Whether the actor was already registered.
    function register(string calldata agentURI) external returns (uint256 agentId, bool alreadyRegistered);

    /// @notice Registers an account without a call or signature of this account, at most once and always with the
    /// default URI. Only the forwarder may call, for a relayer. So a hostile relayer can only give an account an
    /// unwanted agent, and cannot choose the agent's URI.
    ///
    /// Example: the first call `registerFor(alice)` returns `(7, false)`, and a second call returns `(7, true)`.
    /// @return agentId The account's agent.
    /// @return alreadyRegistered Whether the account was already registered, so that nothing was minted.
    function registerFor(address account) external returns (uint256 agentId, bool alreadyRegistered);

    /// @notice Sets the agent as the actor's identity in this contract and replaces an earlier identity. The actor must
    /// own the agent.
    ///
    /// Example: alice, who owns agent 12, calls `adopt(12)`. After this call `agentIdOf(alice)` is `(true, 12)`.
    function adopt(uint256 agentId) external;

    /// @notice Returns the latest agent that was registered for an account or that the account adopted, if the account
    /// still owns this agent; else `(false, 0)`.
    ///
    /// Example: `(true, 7)`; `(false, 0)` after the account transferred agent 7.
    /// @return registered Whether the account has such an agent.
    /// @return agentId Id of the agent; 0 if `registered` is false. 0 is also a valid id.
    function agentIdOf(address account) external view returns (bool registered, uint256 agentId);

    /// @notice Returns the default URI of an account's registration file: the base of this contract, the account in
    /// lower-case hex, and `/registration`.
    ///
    /// Example: `https://host/api/agents/0xab...cd/registration`.
    function defaultURIOf(address account) external view returns (string memory);

    /// @notice Returns whether `registerFor` has minted an agent for the account, even if another account owns this
    /// agent now.
    ///
    /// Example: false for an account that registered itself.
    function wasRegisteredFor(address account) external view returns (bool);

    /// @notice Returns the ERC-8004 identity registry.
    ///
    /// Example: 0x8004A169FB4a3325136EB29fA0ceB6D2e539a432 on Base.
    function registry() external view returns (address);

    /// @notice Returns the only contract whose `pgtrSender` is accepted as the actor.
    ///
    /// Example: the `PaymentForwarder` of the deployment.
    function forwarder() external view returns (address);
}
