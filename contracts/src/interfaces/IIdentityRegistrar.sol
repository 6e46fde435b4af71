// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/// @title Registrar of agents in the ERC-8004 identity registry
/// @notice Registers an agent and hands it to the actor: the payer of a relayed call, or the caller of a direct one.
/// The registry mints to its caller, so without this contract a relayed registration would belong to the relay.
///
/// An account is registered here while it owns the agent that was last registered for it or adopted by it. An account
/// that gives that agent away can register again and gets a new one. An agent from elsewhere (the registry itself, or
/// another account) counts here only after its owner adopts it: an agent that is only sent to an account never becomes
/// its identity. The registry deletes an agent's wallet when the agent changes hands, so a fresh agent has none: its
/// owner sets one with `setAgentWallet`.
interface IIdentityRegistrar is IERC721Receiver {
    /// @notice `agentId` was minted and belongs to `actor`.
    event AgentRegistered(address indexed actor, uint256 indexed agentId, string agentURI);

    /// @notice `actor` was registered before, as `agentId`: the registration minted nothing.
    event AgentFound(address indexed actor, uint256 indexed agentId);

    /// @notice `actor` declared an agent that it owns to be its own identity.
    event AgentAdopted(address indexed actor, uint256 indexed agentId);

    /// @notice The forwarder called without an actor.
    error ActorRequired();

    /// @notice Only the forwarder may register another account than its caller.
    error NotForwarder(address caller);

    /// @notice `registerFor` minted an agent for this account before, and the account does not own it any more.
    error RegisteredBefore(address account);

    /// @notice After the registration the agent belongs to `owner` instead of the actor.
    error AgentNotDelivered(uint256 agentId, address owner);

    /// @notice This contract accepts a token only during a registration: any other would be lost here.
    error UnexpectedToken(address token, uint256 tokenId);

    /// @notice Only the owner of an agent may adopt it.
    error NotAgentOwner(uint256 agentId, address actor);

    /// @notice The registry called back during a registration.
    error Reentered();
    /// @notice The address must not be zero.
    error ZeroAddress();

    /// @notice Registers the actor, once: an account that is registered gets its id back and nothing changes.
    ///
    /// Example: `register("")` by 0xab...cd registers it under `https://host/api/agents/0xab...cd/registration`.
    /// @param agentURI URI of the agent's registration file; empty: `defaultURIOf` the actor. Ignored when the actor is
    /// registered.
    /// @return agentId The actor's agent in the registry; 0 is a valid id.
    /// @return alreadyRegistered Whether the actor was registered before.
    function register(string calldata agentURI) external returns (uint256 agentId, bool alreadyRegistered);

    /// @notice Registers an account that made no call itself, under its default URI, once ever. Only the forwarder may
    /// call. A relayer decides, and all it can do is to give an account an agent that the account may transfer or burn.
    /// The call contains no signature and no text of another party.
    ///
    /// Example: `registerFor(alice)` returns `(7, false)`, and `(7, true)` when it is called again.
    /// @return agentId The account's agent.
    /// @return alreadyRegistered Whether the account was registered before; nothing was minted then.
    function registerFor(address account) external returns (uint256 agentId, bool alreadyRegistered);

    /// @notice Sets the agent as the actor's identity in this contract and replaces an earlier identity. The actor must
    /// own the agent.
    ///
    /// Example: alice, who owns agent 12, calls `adopt(12)`; `agentIdOf(alice)` is `(true, 12)` after it.
    function adopt(uint256 agentId) external;

    /// @notice Returns the agent that was registered here for an account, or adopted by it, and still belongs to it.
    ///
    /// Example: `(true, 7)`; `(false, 0)` after the account transferred agent 7.
    /// @return registered Whether there is one.
    /// @return agentId Its id, 0 when there is none (and when it is 0).
    function agentIdOf(address account) external view returns (bool registered, uint256 agentId);

    /// @notice Returns the default URI of an account's registration file: the base of this contract, the account in
    /// lower-case hex, and `/registration`.
    ///
    /// Example: `https://host/api/agents/0xab...cd/registration`.
    function defaultURIOf(address account) external view returns (string memory);

    /// @notice Returns whether `registerFor` has minted an agent for the account, even if another account owns it now.
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
