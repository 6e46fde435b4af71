// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/// @title Registers agents in the ERC-8004 identity registry for another account
/// @notice The registry mints to its caller, so a relayed registration would belong to the relay. This contract registers
/// and hands the agent over to the actor: the payer of a relayed call, or the caller of a direct one.
///
/// An account is registered here while it owns the agent that was last registered for it or adopted by it. An account
/// that gives that agent away can register again and gets a new one. An agent that an account got elsewhere (from the
/// registry itself, or from another account) is not known here until its owner adopts it: an agent that is only sent to
/// an account never becomes its identity. The registry forgets an agent's wallet when the agent changes hands, so a fresh
/// agent has none: its owner sets one with `setAgentWallet`.
interface IIdentityRegistrar is IERC721Receiver {
    /// @notice `agentId` was minted and belongs to `actor`.
    event AgentRegistered(address indexed actor, uint256 indexed agentId, string agentURI);

    /// @notice A registration was asked for, and `actor` is registered already, as `agentId`: nothing was minted.
    event AgentFound(address indexed actor, uint256 indexed agentId);

    /// @notice `actor` declared an agent that it owns to be its own identity.
    event AgentAdopted(address indexed actor, uint256 indexed agentId);

    /// @notice The forwarder called without an actor.
    error ActorRequired();

    /// @notice Only the forwarder may register another account than its caller.
    error NotForwarder(address caller);

    /// @notice An agent was registered for this account before, and the account does not own it any more.
    error RegisteredBefore(address account);

    /// @notice After the registration the agent belongs to `owner` instead of the actor.
    error AgentNotDelivered(uint256 agentId, address owner);

    /// @notice Tokens come here by a registration in progress only: this one would be lost.
    error UnexpectedToken(address token, uint256 tokenId);

    /// @notice Only the owner of an agent may adopt it.
    error NotAgentOwner(uint256 agentId, address actor);

    error Reentered();
    error ZeroAddress();

    /// @notice Registers the actor, once: a registered one gets its id back and nothing changes.
    /// @param agentURI Where the agent's registration file is; empty: `defaultURIOf` the actor. Ignored when it is
    /// registered already.
    /// @return agentId Its agent in the registry; 0 is a valid id.
    /// @return alreadyRegistered Whether it was registered before.
    function register(string calldata agentURI) external returns (uint256 agentId, bool alreadyRegistered);

    /// @notice Registers an account that did not ask for it on chain, under its default URI, once ever. Only the
    /// forwarder may call: a relayer decides, and all it can do is to give an account an agent that the account may
    /// transfer or burn. No signature and no text of another party is part of the call.
    /// @return agentId The account's agent.
    /// @return alreadyRegistered Whether it was registered before; nothing was minted then.
    function registerFor(address account) external returns (uint256 agentId, bool alreadyRegistered);

    /// @notice Makes an agent that the actor owns the one that is known here for it, in place of any other.
    function adopt(uint256 agentId) external;

    /// @notice The agent that was registered here for an account, or adopted by it, and still belongs to it.
    /// @return registered Whether there is one.
    /// @return agentId Its id, 0 when there is none (and when it is 0).
    function agentIdOf(address account) external view returns (bool registered, uint256 agentId);

    /// @notice Where the registration file of an account is unless the account says otherwise: the base of this contract,
    /// the account in lower-case hex, and `/registration`.
    function defaultURIOf(address account) external view returns (string memory);

    /// @notice Whether `registerFor` has minted an agent for the account, even if another account owns it now.
    function wasRegisteredFor(address account) external view returns (bool);

    /// @notice The ERC-8004 identity registry.
    function registry() external view returns (address);

    /// @notice The contract whose word about the actor is taken.
    function forwarder() external view returns (address);
}
