// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IdentityRegistry} from "./IdentityRegistry.sol";

/// @title ERC-8004 reputation registry of the local chain
/// @notice Has the same functions, events and revert messages as the deployed registry at
/// 0x8004BAa17C55a88189AE136b182e5fdA19dE9b63. Any account may give feedback on an agent, except the agent's owner and
/// operators. The feedback of a client on an agent is numbered from 1.
contract ReputationRegistry {
    /// @notice One feedback of a client on an agent.
    /// @param value The rating, with `valueDecimals` decimals.
    /// @param valueDecimals Decimals of the value, at most 18.
    /// @param isRevoked Whether the client revoked this feedback.
    /// @param tag1 First tag, such as "starred".
    /// @param tag2 Second tag.
    struct Feedback {
        int128 value;
        uint8 valueDecimals;
        bool isRevoked;
        string tag1;
        string tag2;
    }

    /// @dev The largest absolute value of the number in a feedback.
    int128 private constant MAX_ABSOLUTE_VALUE = 1e38;
    /// @dev The highest number of decimals that the number in a feedback may have.
    uint8 private constant MAX_DECIMALS = 18;

    /// @dev The identity registry. The address is a constant, because no constructor runs when code is placed at an
    /// address.
    IdentityRegistry private constant IDENTITY = IdentityRegistry(0x8004A169FB4a3325136EB29fA0ceB6D2e539a432);

    /// @dev Feedback by agent, client (the account that gave it) and index.
    mapping(uint256 agentId => mapping(address client => mapping(uint64 index => Feedback))) private _feedback;
    /// @dev Number of feedback entries that a client gave on an agent.
    mapping(uint256 agentId => mapping(address client => uint64 index)) private _lastIndex;
    /// @dev Accounts that gave feedback on an agent, sorted by the time of the account's first feedback.
    mapping(uint256 agentId => address[] clients) private _clients;

    /// @notice An account, the client, gave feedback on an agent.
    event NewFeedback(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        int128 value,
        uint8 valueDecimals,
        string indexed indexedTag1,
        string tag1,
        string tag2,
        string endpoint,
        string feedbackURI,
        bytes32 feedbackHash
    );
    /// @notice A client revoked an earlier feedback.
    event FeedbackRevoked(uint256 indexed agentId, address indexed clientAddress, uint64 indexed feedbackIndex);
    /// @notice An account responded to feedback.
    event ResponseAppended(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        address indexed responder,
        string responseURI,
        bytes32 responseHash
    );

    /// @notice Returns the address of the identity registry.
    function getIdentityRegistry() external pure returns (address) {
        return address(IDENTITY);
    }

    /// @notice Records the caller's feedback on an agent.
    function giveFeedback(
        uint256 agentId,
        int128 value,
        uint8 valueDecimals,
        string memory tag1,
        string memory tag2,
        string memory endpoint,
        string memory feedbackURI,
        bytes32 feedbackHash
    ) external {
        require(valueDecimals <= MAX_DECIMALS, "too many decimals");
        require(value >= -MAX_ABSOLUTE_VALUE && value <= MAX_ABSOLUTE_VALUE, "value too large");
        require(!IDENTITY.isAuthorizedOrOwner(msg.sender, agentId), "Self-feedback not allowed");
        Feedback memory feedback =
            Feedback({value: value, valueDecimals: valueDecimals, isRevoked: false, tag1: tag1, tag2: tag2});
        _record(agentId, feedback, endpoint, feedbackURI, feedbackHash);
    }

    /// @notice Revokes an earlier feedback of the caller.
    function revokeFeedback(uint256 agentId, uint64 feedbackIndex) external {
        _requireIndex(agentId, msg.sender, feedbackIndex);
        Feedback storage feedback = _feedback[agentId][msg.sender][feedbackIndex];
        require(!feedback.isRevoked, "Already revoked");
        feedback.isRevoked = true;
        emit FeedbackRevoked(agentId, msg.sender, feedbackIndex);
    }

    /// @notice Logs a response to feedback.
    function appendResponse(
        uint256 agentId,
        address clientAddress,
        uint64 feedbackIndex,
        string calldata responseURI,
        bytes32 responseHash
    ) external {
        require(bytes(responseURI).length > 0, "Empty URI");
        _requireIndex(agentId, clientAddress, feedbackIndex);
        emit ResponseAppended(agentId, clientAddress, feedbackIndex, msg.sender, responseURI, responseHash);
    }

    /// @notice Returns the index of a client's latest feedback on an agent; zero if the client gave none.
    function getLastIndex(uint256 agentId, address clientAddress) external view returns (uint64) {
        return _lastIndex[agentId][clientAddress];
    }

    /// @notice Returns all accounts that gave feedback on an agent, also those that revoked it.
    function getClients(uint256 agentId) external view returns (address[] memory) {
        return _clients[agentId];
    }

    /// @notice Returns one feedback of a client on an agent. The client's feedback on the agent is numbered from 1.
    function readFeedback(uint256 agentId, address clientAddress, uint64 feedbackIndex)
        external
        view
        returns (int128 value, uint8 valueDecimals, string memory tag1, string memory tag2, bool isRevoked)
    {
        _requireIndex(agentId, clientAddress, feedbackIndex);
        Feedback storage feedback = _feedback[agentId][clientAddress][feedbackIndex];
        return (feedback.value, feedback.valueDecimals, feedback.tag1, feedback.tag2, feedback.isRevoked);
    }

    /// @dev Stores and logs feedback.
    function _record(
        uint256 agentId,
        Feedback memory feedback,
        string memory endpoint,
        string memory feedbackURI,
        bytes32 feedbackHash
    ) private {
        uint64 index = ++_lastIndex[agentId][msg.sender];
        if (index == 1) _clients[agentId].push(msg.sender);
        _feedback[agentId][msg.sender][index] = feedback;
        emit NewFeedback(
            agentId,
            msg.sender,
            index,
            feedback.value,
            feedback.valueDecimals,
            feedback.tag1,
            feedback.tag1,
            feedback.tag2,
            endpoint,
            feedbackURI,
            feedbackHash
        );
    }

    /// @dev Reverts if the client has no feedback with this index on the agent.
    function _requireIndex(uint256 agentId, address client, uint64 index) private view {
        require(index > 0, "index must be > 0");
        require(index <= _lastIndex[agentId][client], "index out of bounds");
    }
}
