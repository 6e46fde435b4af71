// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {IAgentRegistry} from "./interfaces/IAgentRegistry.sol";
import {IIdentityRegistrar} from "./interfaces/IIdentityRegistrar.sol";
import {IPGTRForwarder} from "./interfaces/IPaymentForwarder.sol";

/// @title Registers agents in the ERC-8004 identity registry for somebody else
/// @notice Nobody owns it and it owns nothing: an agent is here only inside the call that registers it.
contract IdentityRegistrar is IIdentityRegistrar {
    IAgentRegistry private immutable REGISTRY;
    address private immutable FORWARDER;

    /// @dev One more than the id, so that nothing is not agent 0.
    mapping(address account => uint256) private _agentIdPlusOne;

    bool private transient _entered;

    /// @param identityRegistry An ERC-8004 identity registry, whose word about owners is taken.
    /// @param paymentForwarder Says who acts when it calls.
    constructor(address identityRegistry, address paymentForwarder) {
        if (identityRegistry == address(0) || paymentForwarder == address(0)) revert ZeroAddress();
        REGISTRY = IAgentRegistry(identityRegistry);
        FORWARDER = paymentForwarder;
    }

    /// @inheritdoc IIdentityRegistrar
    function register(string calldata agentURI) external returns (uint256 agentId, bool alreadyRegistered) {
        // Check:
        if (_entered) revert Reentered();
        address actor = _actor();
        (alreadyRegistered, agentId) = agentIdOf(actor);
        if (alreadyRegistered) return (agentId, true);

        // Interaction: only the registry knows the id, so it comes before the effect, under the lock. The transfer is
        // the plain one: a wallet without a receiver function would refuse the safe one, and with it its own identity,
        // and nothing is lost in such a wallet: an agent is looked up by its owner, not spent.
        _entered = true;
        agentId = REGISTRY.register(agentURI);
        REGISTRY.transferFrom(address(this), actor, agentId);
        address owner = REGISTRY.ownerOf(agentId);
        _entered = false;
        if (owner != actor) revert AgentNotDelivered(agentId, owner);

        // Effect:
        _agentIdPlusOne[actor] = agentId + 1;

        // Log:
        emit AgentRegistered(actor, agentId, agentURI);
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
    /// @dev The registry asks this when it mints.
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
    function registry() external view returns (address) {
        return address(REGISTRY);
    }

    /// @inheritdoc IIdentityRegistrar
    function forwarder() external view returns (address) {
        return FORWARDER;
    }

    /// @dev The payer when the forwarder calls, else the caller. Never nobody.
    function _actor() private view returns (address actor) {
        if (msg.sender != FORWARDER) return msg.sender;
        actor = IPGTRForwarder(FORWARDER).pgtrSender();
        if (actor == address(0)) revert ActorRequired();
    }
}
