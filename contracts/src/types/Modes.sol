// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskMarket} from "../interfaces/ITaskMarket.sol";

/// @notice Mode and auction subtype in one byte. The order is part of the storage layout; auctions come last.
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
/// @notice Translates between the selectors of calls and logs and the one byte that a task stores for both.
library Modes {
    /// @dev Many workers submit, the requester awards some of them.
    bytes4 internal constant BOUNTY = bytes4(keccak256("TMP.mode.bounty"));
    /// @dev The first worker to claim is assigned.
    bytes4 internal constant CLAIM = bytes4(keccak256("TMP.mode.claim"));
    /// @dev Workers pitch, the requester selects one.
    bytes4 internal constant PITCH = bytes4(keccak256("TMP.mode.pitch"));
    /// @dev Workers submit proofs of a measured value.
    bytes4 internal constant BENCHMARK = bytes4(keccak256("TMP.mode.benchmark"));
    /// @dev A price assigns the worker, by one of the four subtypes.
    bytes4 internal constant AUCTION = bytes4(keccak256("TMP.mode.auction"));

    /// @dev The price falls from the reward to the floor; the first to accept it is assigned.
    bytes4 internal constant DUTCH = bytes4(keccak256("TMP.auction.dutch"));
    /// @dev Each bid is below the lowest one; the lowest is assigned.
    bytes4 internal constant ENGLISH = bytes4(keccak256("TMP.auction.english"));
    /// @dev The price rises from the start price to the reward; the first to accept it is assigned.
    bytes4 internal constant REVERSE_DUTCH = bytes4(keccak256("TMP.auction.reverse-dutch"));
    /// @dev Each bid is below the worker's own last one; the lowest is assigned.
    bytes4 internal constant REVERSE_ENGLISH = bytes4(keccak256("TMP.auction.reverse-english"));

    /// @dev Returns the byte of two selectors. Reverts with WrongMode for an unknown one, or a subtype without an
    /// auction.
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

    /// @dev Returns the mode's selector.
    function modeOf(Kind kind) internal pure returns (bytes4) {
        if (kind == Kind.Bounty) return BOUNTY;
        if (kind == Kind.Claim) return CLAIM;
        if (kind == Kind.Pitch) return PITCH;
        if (kind == Kind.Benchmark) return BENCHMARK;
        return AUCTION;
    }

    /// @dev Returns the subtype's selector; zero outside auctions.
    function auctionTypeOf(Kind kind) internal pure returns (bytes4) {
        if (kind == Kind.Dutch) return DUTCH;
        if (kind == Kind.English) return ENGLISH;
        if (kind == Kind.ReverseDutch) return REVERSE_DUTCH;
        if (kind == Kind.ReverseEnglish) return REVERSE_ENGLISH;
        return 0;
    }

    /// @dev Returns whether many workers deliver and several can be awarded. In every other mode one worker is
    /// assigned.
    function isContest(Kind kind) internal pure returns (bool) {
        return kind == Kind.Bounty || kind == Kind.Benchmark;
    }

    /// @dev Returns whether a price assigns the worker.
    function isAuction(Kind kind) internal pure returns (bool) {
        return kind >= Kind.Dutch;
    }

    /// @dev Returns whether the auction's price follows the clock; the other auctions are won by bids.
    function isClock(Kind kind) internal pure returns (bool) {
        return kind == Kind.Dutch || kind == Kind.ReverseDutch;
    }

    /// @dev Returns whether the lowest bid wins the auction.
    function isBidding(Kind kind) internal pure returns (bool) {
        return kind == Kind.English || kind == Kind.ReverseEnglish;
    }
}
