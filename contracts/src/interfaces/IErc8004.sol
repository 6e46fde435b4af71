// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Part of an ERC-8004 identity registry that the market reads
/// @notice The market gives feedback only on an agent that the rated worker owns.
interface IIdentityRegistry {
    /// @notice Returns the owner of an agent. Reverts if the agent does not exist.
    ///
    /// Example: `ownerOf(7)` returns the rated worker if this worker owns agent 7.
    function ownerOf(uint256 agentId) external view returns (address);
}

/// @title Part of an ERC-8004 reputation registry that the market writes to
/// @notice The market copies ratings to this registry. In the registry the market is the client that gave the feedback.
interface IReputationRegistry {
    /// @notice Records the caller's feedback on an agent.
    ///
    /// Example: a rating of 95 is value 95 with valueDecimals 0 and tag1 "starred".
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
