// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskMarket} from "../interfaces/ITaskMarket.sol";

/// @notice Mode and auction subtype in one byte; the order is part of the storage layout. Auctions come last.
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

/// @title ERC-8195 selectors of the task modes and auction subtypes, and the one byte a task keeps of both
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

    /// @dev Reverts with WrongMode when either selector is unknown, or a subtype comes without an auction.
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

    function modeOf(Kind kind) internal pure returns (bytes4) {
        if (kind == Kind.Bounty) return BOUNTY;
        if (kind == Kind.Claim) return CLAIM;
        if (kind == Kind.Pitch) return PITCH;
        if (kind == Kind.Benchmark) return BENCHMARK;
        return AUCTION;
    }

    /// @return The subtype's selector; zero outside auctions.
    function auctionTypeOf(Kind kind) internal pure returns (bytes4) {
        if (kind == Kind.Dutch) return DUTCH;
        if (kind == Kind.English) return ENGLISH;
        if (kind == Kind.ReverseDutch) return REVERSE_DUTCH;
        if (kind == Kind.ReverseEnglish) return REVERSE_ENGLISH;
        return 0;
    }

    /// @dev Many workers deliver, the requester awards some of them. Else one worker is assigned and delivers.
    function isContest(Kind kind) internal pure returns (bool) {
        return kind == Kind.Bounty || kind == Kind.Benchmark;
    }

    function isAuction(Kind kind) internal pure returns (bool) {
        return kind >= Kind.Dutch;
    }

    /// @dev An auction whose price follows the clock; the others are won by bids.
    function isClock(Kind kind) internal pure returns (bool) {
        return kind == Kind.Dutch || kind == Kind.ReverseDutch;
    }

    /// @dev An auction that the lowest bid wins.
    function isBidding(Kind kind) internal pure returns (bool) {
        return kind == Kind.English || kind == Kind.ReverseEnglish;
    }
}
