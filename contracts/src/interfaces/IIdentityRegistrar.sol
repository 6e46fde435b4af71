// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/// @title Registrar of agents in the ERC-8004 identity registry
/// @notice Registers an agent and transfers the agent to the actor. In a direct call, the actor is the caller. In a
/// relayed call, the actor is the account that the forwarder's `pgtrSender()` returns, for example the payer. The
/// registry mints each agent to the registry's caller. If the forwarder called the registry directly, the agent would
/// therefore belong to the forwarder.
///
/// This contract stores one agent for each account: the latest agent that was registered for the account or that the
/// account adopted. The account counts as registered while it owns this agent. An agent from elsewhere counts only
/// after its owner adopts it.
///
/// A newly registered agent has no wallet, because the registry deletes the wallet at each transfer. The owner sets a
/// wallet with `setAgentWallet`.
interface IIdentityRegistrar is IERC721Receiver {
    /// @notice The agent `agentId` was minted and belongs to `actor`.
    event AgentRegistered(address indexed actor, uint256 indexed agentId, string agentURI);

    /// @notice `actor` is already registered with the agent `agentId`, so the registration minted nothing.
    event AgentFound(address indexed actor, uint256 indexed agentId);

    /// @notice `actor` chose the agent `agentId` as its identity in this contract. The actor owns the agent.
    event AgentAdopted(address indexed actor, uint256 indexed agentId);

    /// @notice The called function needs an actor, but the forwarder made a permissionless call, which names no actor.
    error ActorRequired();

    /// @notice Only the forwarder may call `registerFor`.
    error NotForwarder(address caller);

    /// @notice `registerFor` has already minted an agent for this account. The account no longer owns that agent.
    error RegisteredBefore(address account);

    /// @notice After the registration the agent belongs to `owner` instead of the actor.
    error AgentNotDelivered(uint256 agentId, address owner);

    /// @notice This contract accepts only tokens that the registry mints during a registration. No account could
    /// recover any other token.
    error UnexpectedToken(address token, uint256 tokenId);

    /// @notice Only the owner of an agent may adopt it.
    error NotAgentOwner(uint256 agentId, address actor);

    /// @notice The registry called this contract during a registration.
    error Reentered();
    /// @notice The address must not be zero.
    error ZeroAddress();

    /// @notice Registers the actor. If the actor is already registered, the function only returns the id of the actor's
    /// agent.
    ///
    /// Example: `register("")` by 0xab...cd registers an agent with the URI
    /// `https://host/api/agents/0xab...cd/registration`.
    /// @param agentURI URI of the agent's registration file; if empty, `defaultURIOf(actor)` is used. Ignored if the
    /// actor is already registered.
    /// @return agentId The actor's agent in the registry; 0 is a valid id.
    /// @return alreadyRegistered Whether the actor was already registered.
    function register(string calldata agentURI) external returns (uint256 agentId, bool alreadyRegistered);

    /// @notice Registers an account at most once, with the default URI and without a signature of the account. Only the
    /// forwarder may call; it does so in a relayer's transaction. A hostile relayer can give an account an unwanted
    /// agent, but cannot do more harm.
    ///
    /// Example: the first call `registerFor(alice)` returns `(7, false)`, and a second call returns `(7, true)`.
    /// @return agentId The account's agent.
    /// @return alreadyRegistered Whether the account was already registered. If true, no agent was minted.
    function registerFor(address account) external returns (uint256 agentId, bool alreadyRegistered);

    /// @notice Sets the agent as the actor's identity in this contract and replaces an earlier identity. The actor must
    /// own the agent.
    ///
    /// Example: alice, who owns agent 12, calls `adopt(12)`. After this call `agentIdOf(alice)` is `(true, 12)`.
    function adopt(uint256 agentId) external;

    /// @notice Returns the latest agent that was registered for the account or adopted by the account. Returns `(false,
    /// 0)` if the account does not own this agent.
    ///
    /// Example: `(true, 7)`; `(false, 0)` after the account transferred agent 7.
    /// @return registered Whether the account owns this agent.
    /// @return agentId Id of the agent. If `registered` is false, the id is 0. If `registered` is true, 0 is a valid
    /// id.
    function agentIdOf(address account) external view returns (bool registered, uint256 agentId);

    /// @notice Returns the default URI of an account's registration file: the base of this contract, the account in
    /// lower-case hex, and `/registration`.
    ///
    /// Example: `https://host/api/agents/0xab...cd/registration`.
    function defaultURIOf(address account) external view returns (string memory);

    /// @notice Returns whether `registerFor` has minted an agent for the account. The result stays true after a
    /// transfer of the agent.
    ///
    /// Example: false for an account that registered itself.
    function wasRegisteredFor(address account) external view returns (bool);

    /// @notice Returns the ERC-8004 identity registry.
    ///
    /// Example: 0x8004A169FB4a3325136EB29fA0ceB6D2e539a432 on Base.
    function registry() external view returns (address);

    /// @notice Returns the payment forwarder. If it calls this contract, the actor is the account that its
    /// `pgtrSender()` returns.
    ///
    /// Example: the `PaymentForwarder` of the deployment.
    function forwarder() external view returns (address);
}
