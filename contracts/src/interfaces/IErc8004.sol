// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice What the market asks an ERC-8004 identity registry.
interface IIdentityRegistry {
    function ownerOf(uint256 agentId) external view returns (address);
}

/// @notice What the market tells an ERC-8004 reputation registry.
interface IReputationRegistry {
    function giveFeedback(
        uint256 agentId,
        int128 value,
        uint8 valueDecimals,
        string calldata tag1,
        string calldata tag2,
        string calldata endpoint,
        string calldata feedbackURI,
        bytes32 feedbackHash
    ) external;
}
