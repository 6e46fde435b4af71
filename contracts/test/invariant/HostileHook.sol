// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskHook} from "../../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Modes} from "../../src/types/Modes.sol";
import {CreateTaskParams} from "../../src/types/TaskTypes.sol";

/// @title A hook of changing moods
/// @notice Agrees with every step but those it strikes at. It counts its reentries that the market did not refuse.
contract HostileHook {
    enum Mood {
        Agree,
        Refuse,
        Revert,
        /// @dev Burns all gas.
        Loop,
        /// @dev Reverts with as much as its gas allows.
        RevertBomb,
        /// @dev Agrees with as much as its gas allows.
        AnswerBomb,
        /// @dev Answers with less than a word.
        Mumble,
        /// @dev Agrees with another word than true.
        Babble,
        /// @dev Calls everything of the market that it could gain from, then agrees.
        Reenter
    }

    uint256 private constant BOMB = 250_000;

    ITaskMarket private immutable MARKET;

    Mood public mood;
    /// @dev The bits of the steps it strikes at.
    uint256 public targets;
    /// @dev Calls into the market that were let through.
    uint256 public breaches;
    uint256 public strikes;

    constructor(ITaskMarket market) {
        MARKET = market;
    }

    function feel(Mood newMood, uint256 newTargets) external {
        (mood, targets) = (newMood, newTargets);
    }

    /// @dev Where a step stands in `targets`.
    function bitOf(bytes4 selector) public pure returns (uint256) {
        return uint256(1) << (uint32(selector) % 251);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == type(ITaskHook).interfaceId;
    }

    /// @dev Every step of the hook ABI.
    fallback() external {
        Mood present = targets & bitOf(msg.sig) == 0 ? Mood.Agree : mood;
        if (present == Mood.Reenter) _reenter(abi.decode(msg.data[4:36], (bytes32)));
        if (present != Mood.Agree) strikes++;
        if (present == Mood.Loop) {
            while (true) {}
        }
        assembly ("memory-safe") {
            mstore(0x00, 1)
            switch present
            case 1 { mstore(0x00, 0) }
            case 2 { revert(0x00, 0x20) }
            case 4 { revert(0x00, BOMB) }
            case 5 { return(0x00, BOMB) }
            case 6 { return(0x00, 0x1f) }
            case 7 { mstore(0x00, 2) }
            return(0x00, 0x20)
        }
    }

    /// @dev It has money and the market's allowance: an open door would let it through.
    function _reenter(bytes32 taskId) private {
        CreateTaskParams memory params;
        (params.mode, params.reward, params.duration) = (Modes.BOUNTY, 1000, 1 days);
        _try(abi.encodeCall(MARKET.createTask, (params)));
        _try(abi.encodeCall(MARKET.claimTask, (taskId, 0)));
        _try(abi.encodeCall(MARKET.submitPitch, (taskId, "pitch")));
        _try(abi.encodeCall(MARKET.submitBid, (taskId, 1000)));
        _try(abi.encodeCall(MARKET.acceptAuction, (taskId, 0)));
        _try(abi.encodeCall(MARKET.selectLowestBidder, (taskId)));
        _try(abi.encodeCall(MARKET.submitWork, (taskId, "work")));
        _try(abi.encodeCall(MARKET.finalizeVerdict, (taskId)));
        _try(abi.encodeCall(MARKET.refundExpired, (taskId)));
        _try(abi.encodeCall(MARKET.settleStale, (taskId)));
        _try(abi.encodeCall(MARKET.pushCredit, (address(this))));
    }

    function _try(bytes memory data) private {
        (bool success, bytes memory answer) = address(MARKET).call(data);
        bool isRefused = !success && bytes4(answer) == ITaskMarket.Reentered.selector;
        if (!isRefused) breaches++;
    }
}
