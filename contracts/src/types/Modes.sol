// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title ERC-8195 selectors of the task modes and auction subtypes
library Modes {
    bytes4 internal constant BOUNTY = bytes4(keccak256("TMP.mode.bounty"));
    bytes4 internal constant CLAIM = bytes4(keccak256("TMP.mode.claim"));
    bytes4 internal constant PITCH = bytes4(keccak256("TMP.mode.pitch"));
    bytes4 internal constant BENCHMARK = bytes4(keccak256("TMP.mode.benchmark"));
    bytes4 internal constant AUCTION = bytes4(keccak256("TMP.mode.auction"));

    bytes4 internal constant DUTCH = bytes4(keccak256("TMP.auction.dutch"));
    bytes4 internal constant ENGLISH = bytes4(keccak256("TMP.auction.english"));
    bytes4 internal constant REVERSE_DUTCH = bytes4(keccak256("TMP.auction.reverse-dutch"));
    bytes4 internal constant REVERSE_ENGLISH = bytes4(keccak256("TMP.auction.reverse-english"));
}
