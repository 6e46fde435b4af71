// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {IAgentRegistry} from "../../src/interfaces/IAgentRegistry.sol";

/// @title A registry that keeps to the letter of its interface and does what a test asks of it
contract MisbehavingRegistry is IAgentRegistry {
    mapping(uint256 agentId => address) private _owners;
    uint256 private _nextId;
    address private _thief;
    bool private _keeps;

    /// @dev Called in the middle of a registration, with this data.
    address public accomplice;
    bytes public call;
    bytes public answer;

    error NoSuchAgent(uint256 agentId);

    function setNextId(uint256 id) external {
        _nextId = id;
    }

    /// @dev Sends agents to another account from now on.
    function setThief(address thief) external {
        _thief = thief;
    }

    /// @dev Makes transfers without effect from now on.
    function setKeeps(bool keeps) external {
        _keeps = keeps;
    }

    function setCall(address target, bytes calldata data) external {
        (accomplice, call) = (target, data);
    }

    function burn(uint256 agentId) external {
        delete _owners[agentId];
    }

    /// @dev Asks a receiver as a mint does, outside any registration.
    function offer(IERC721Receiver receiver, address from, uint256 agentId) external returns (bytes4) {
        return receiver.onERC721Received(address(this), from, agentId, "");
    }

    function register(string calldata) external returns (uint256 agentId) {
        agentId = _nextId;
        _owners[agentId] = _thief == address(0) ? msg.sender : _thief;
        if (accomplice != address(0)) (, answer) = accomplice.call(call);
    }

    function transferFrom(address, address to, uint256 agentId) external {
        if (!_keeps && _thief == address(0)) _owners[agentId] = to;
    }

    function ownerOf(uint256 agentId) external view returns (address owner) {
        owner = _owners[agentId];
        if (owner == address(0)) revert NoSuchAgent(agentId);
    }
}
