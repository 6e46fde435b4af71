// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskMarket} from "../interfaces/ITaskMarket.sol";

/// @notice The kind of a task: the mode and, for an auction, the subtype. The numbers are part of the storage layout.
/// Auctions must be last, because `Modes.isAuction` compares numbers.
enum Kind {
    Bounty,
    Claim,
    Pitch,
    Benchmark,
    Dutch,
    English,
    ReverseDutch,
    ReverseEnglish
}

/// @title ERC-8195 selectors of the task modes and auction subtypes
/// @notice Converts between the two selectors in calls and logs (mode and subtype) and the stored `Kind`.
library Modes {
    /// @dev Mode bounty: many workers submit deliverables, and the requester awards some of them.
    bytes4 internal constant BOUNTY = bytes4(keccak256("TMP.mode.bounty"));
    /// @dev Mode claim: the first worker who claims the task is assigned.
    bytes4 internal constant CLAIM = bytes4(keccak256("TMP.mode.claim"));
    /// @dev Mode pitch: workers pitch, and the requester selects one of them.
    bytes4 internal constant PITCH = bytes4(keccak256("TMP.mode.pitch"));
    /// @dev Mode benchmark: workers submit proofs of a measured value, and the requester awards some of them.
    bytes4 internal constant BENCHMARK = bytes4(keccak256("TMP.mode.benchmark"));
    /// @dev Mode auction: a price decides which worker is assigned. The four subtypes below differ in the rule for the
    /// price.
    bytes4 internal constant AUCTION = bytes4(keccak256("TMP.mode.auction"));

    /// @dev Auction subtype dutch: the price falls from the reward to the floor price. The first worker who accepts the
    /// current price is assigned.
    bytes4 internal constant DUTCH = bytes4(keccak256("TMP.auction.dutch"));
    /// @dev Auction subtype english: each bid must be below the task's lowest bid. The lowest bidder is assigned.
    bytes4 internal constant ENGLISH = bytes4(keccak256("TMP.auction.english"));
    /// @dev Auction subtype reverse dutch: the price rises from the start price to the reward. The first worker who
    /// accepts the current price is assigned.
    bytes4 internal constant REVERSE_DUTCH = bytes4(keccak256("TMP.auction.reverse-dutch"));
    /// @dev Auction subtype reverse english: each bid must be below the previous bid of the same worker. The lowest
    /// bidder is assigned.
    bytes4 internal constant REVERSE_ENGLISH = bytes4(keccak256("TMP.auction.reverse-english"));

    /// @dev Returns the kind for a mode and an auction subtype. Reverts with WrongMode for an unknown selector, or for
    /// a subtype with a mode that is not auction.
    function kindOf(bytes4 mode, bytes4 auctionType) internal pure returns (Kind) {
        if (mode == AUCTION) return _auctionKindOf(auctionType);
        if (auctionType != 0) revert ITaskMarket.WrongMode(auctionType);
        if (mode == BOUNTY) return Kind.Bounty;
        if (mode == CLAIM) return Kind.Claim;
        if (mode == PITCH) return Kind.Pitch;
        if (mode == BENCHMARK) return Kind.Benchmark;
        revert ITaskMarket.WrongMode(mode);
    }

    function _auctionKindOf(bytes4 auctionType) private pure returns (Kind) {
        if (auctionType == DUTCH) return Kind.Dutch;
        if (auctionType == ENGLISH) return Kind.English;
        if (auctionType == REVERSE_DUTCH) return Kind.ReverseDutch;
        if (auctionType == REVERSE_ENGLISH) return Kind.ReverseEnglish;
        revert ITaskMarket.WrongMode(auctionType);
    }

    /// @dev Returns the selector of the mode.
    function modeOf(Kind kind) internal pure returns (bytes4) {
        if (kind == Kind.Bounty) return BOUNTY;
        if (kind == Kind.Claim) return CLAIM;
        if (kind == Kind.Pitch) return PITCH;
        if (kind == Kind.Benchmark) return BENCHMARK;
        return AUCTION;
    }

    /// @dev Returns the selector of the auction subtype; zero if the kind is not an auction.
    function auctionTypeOf(Kind kind) internal pure returns (bytes4) {
        if (kind == Kind.Dutch) return DUTCH;
        if (kind == Kind.English) return ENGLISH;
        if (kind == Kind.ReverseDutch) return REVERSE_DUTCH;
        if (kind == Kind.ReverseEnglish) return REVERSE_ENGLISH;
        return 0;
    }

    /// @dev Returns whether the kind is a contest (bounty or benchmark). In a contest many workers deliver, and several
    /// can be awarded.
    function isContest(Kind kind) internal pure returns (bool) {
        return kind == Kind.Bounty || kind == Kind.Benchmark;
    }

    /// @dev Returns whether the kind is an auction.
    function isAuction(Kind kind) internal pure returns (bool) {
        return kind >= Kind.Dutch;
    }

    /// @dev Returns whether the kind is a dutch or reverse dutch auction. In these auctions the price changes with
    /// time.
    function isClock(Kind kind) internal pure returns (bool) {
        return kind == Kind.Dutch || kind == Kind.ReverseDutch;
    }

    /// @dev Returns whether the kind is an auction that the lowest bid wins (english, reverse english).
    function isBidding(Kind kind) internal pure returns (bool) {
        return kind == Kind.English || kind == Kind.ReverseEnglish;
    }
}
