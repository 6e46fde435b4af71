// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {IAgentRegistry} from "./interfaces/IAgentRegistry.sol";
import {IIdentityRegistrar} from "./interfaces/IIdentityRegistrar.sol";
import {IPGTRForwarder} from "./interfaces/IPaymentForwarder.sol";

/// @title Registrar of agents in the ERC-8004 identity registry
/// @notice Registers an agent and transfers it to the actor. `IIdentityRegistrar` documents every function. The
/// contract has no owner.
contract IdentityRegistrar is IIdentityRegistrar {
    /// @dev The ERC-8004 identity registry.
    IAgentRegistry private immutable REGISTRY;
    /// @dev The payment forwarder. If it makes the call, the actor is the account that its `pgtrSender()` returns.
    address private immutable FORWARDER;

    /// @dev Id of each account's agent plus one; zero if the account has no agent. Needed because 0 is a valid agent
    /// id.
    mapping(address account => uint256) private _agentIdPlusOne;

    /// @inheritdoc IIdentityRegistrar
    mapping(address account => bool) public wasRegisteredFor;

    /// @dev First part of the default URI of every registration file. Never changes; Solidity has no immutable strings.
    string private _agentUriBase;

    /// @dev True while a registration is in progress.
    bool private transient _entered;

    /// @param identityRegistry ERC-8004 identity registry. This contract trusts the registry's `ownerOf`.
    /// @param paymentForwarder Forwarder of relayed calls. The forwarder's `pgtrSender()` is the actor of such a call.
    /// @param agentURIBase The first part of the default URI of every registration file, such as
    /// `https://host/api/agents/`.
    constructor(address identityRegistry, address paymentForwarder, string memory agentURIBase) {
        if (identityRegistry == address(0) || paymentForwarder == address(0)) revert ZeroAddress();
        REGISTRY = IAgentRegistry(identityRegistry);
        FORWARDER = paymentForwarder;
        _agentUriBase = agentURIBase;
    }

    /// @inheritdoc IIdentityRegistrar
    function register(string calldata agentURI) external returns (uint256 agentId, bool alreadyRegistered) {
        // Check:
        if (_entered) revert Reentered();
        address actor = _actor();
        (alreadyRegistered, agentId) = _find(actor);
        if (alreadyRegistered) return (agentId, true);

        // Interaction and effect:
        if (bytes(agentURI).length == 0) agentId = _mintTo(actor, defaultURIOf(actor));
        else agentId = _mintTo(actor, agentURI);
    }

    /// @inheritdoc IIdentityRegistrar
    function registerFor(address account) external returns (uint256 agentId, bool alreadyRegistered) {
        // Check:
        if (_entered) revert Reentered();
        if (msg.sender != FORWARDER) revert NotForwarder(msg.sender);
        if (account == address(0)) revert ZeroAddress();
        (alreadyRegistered, agentId) = _find(account);
        if (alreadyRegistered) return (agentId, true);
        if (wasRegisteredFor[account]) revert RegisteredBefore(account);

        // Effect:
        wasRegisteredFor[account] = true;

        // Interaction and effect:
        agentId = _mintTo(account, defaultURIOf(account));
    }

    /// @inheritdoc IIdentityRegistrar
    function adopt(uint256 agentId) external {
        // Check:
        if (_entered) revert Reentered();
        address actor = _actor();
        if (REGISTRY.ownerOf(agentId) != actor) revert NotAgentOwner(agentId, actor);

        // Effect:
        _agentIdPlusOne[actor] = agentId + 1;

        // Log:
        emit AgentAdopted(actor, agentId);
    }

    /// @inheritdoc IERC721Receiver
    /// @dev The registry calls this function when it mints an agent to this contract.
    function onERC721Received(address, address from, uint256 tokenId, bytes calldata) external view returns (bytes4) {
        bool isRegistration = _entered && msg.sender == address(REGISTRY) && from == address(0);
        if (!isRegistration) revert UnexpectedToken(msg.sender, tokenId);
        return IERC721Receiver.onERC721Received.selector;
    }

    /// @inheritdoc IIdentityRegistrar
    function agentIdOf(address account) public view returns (bool registered, uint256 agentId) {
        uint256 plusOne = _agentIdPlusOne[account];
        if (plusOne == 0) return (false, 0);
        try REGISTRY.ownerOf(plusOne - 1) returns (address owner) {
            return owner == account ? (true, plusOne - 1) : (false, 0);
        } catch {
            return (false, 0);
        }
    }

    /// @inheritdoc IIdentityRegistrar
    function defaultURIOf(address account) public view returns (string memory) {
        return string.concat(_agentUriBase, Strings.toHexString(account), "/registration");
    }

    /// @inheritdoc IIdentityRegistrar
    function registry() external view returns (address) {
        return address(REGISTRY);
    }

    /// @inheritdoc IIdentityRegistrar
    function forwarder() external view returns (address) {
        return FORWARDER;
    }

    /// @dev Returns whether the account is registered, and the account's agent. Emits AgentFound if the account is
    /// registered. The sender of a relayed registration reads the agent's id from this log.
    function _find(address account) private returns (bool registered, uint256 agentId) {
        (registered, agentId) = agentIdOf(account);
        if (registered) emit AgentFound(account, agentId);
    }

    /// @dev Mints an agent and transfers it to the account. The registry chooses the id, so this contract stores the id
    /// after the external calls. A lock is therefore set during these calls.
    function _mintTo(address account, string memory agentURI) private returns (uint256 agentId) {
        // Interaction:
        _entered = true;
        agentId = REGISTRY.register(agentURI);
        // `safeTransferFrom` would fail for a wallet contract without a receiver function.
        REGISTRY.transferFrom(address(this), account, agentId);
        address owner = REGISTRY.ownerOf(agentId);
        _entered = false;
        if (owner != account) revert AgentNotDelivered(agentId, owner);

        // Effect:
        _agentIdPlusOne[account] = agentId + 1;

        // Log:
        emit AgentRegistered(account, agentId, agentURI);
    }

    /// @dev Returns the actor of the call. If the forwarder makes the call, the actor is the account that
    /// `pgtrSender()` returns. Otherwise the actor is the caller. Reverts with ActorRequired for a call of the
    /// forwarder without an actor.
    function _actor() private view returns (address actor) {
        if (msg.sender != FORWARDER) return msg.sender;
        actor = IPGTRForwarder(FORWARDER).pgtrSender();
        if (actor == address(0)) revert ActorRequired();
    }
}
