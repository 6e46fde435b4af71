// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Task} from "../types/MarketStorage.sol";
import {Kind} from "../types/Modes.sol";

/// @title Price of an auction that follows the clock
/// @notice The price moves in a straight line from the creation to the bid deadline, and stays there until the expiry.
library ClockPrice {
    /// @dev Returns the price of this dutch or reverse dutch auction at time `now_`, in base units.
    function priceOf(Task storage task, uint256 now_) internal view returns (uint72) {
        return at(task.kind == Kind.Dutch, task.reward, task.clockPrice, task.createdAt, task.entryDeadline, now_);
    }

    /// @dev Returns the price at a time: dutch falls from `maximum` to `other`, reverse dutch rises from `other` to
    /// `maximum`. The distance moved is rounded down.
    function at(bool isDutch, uint72 maximum, uint72 other, uint256 createdAt, uint256 deadline, uint256 now_)
        internal
        pure
        returns (uint72)
    {
        uint256 elapsed = (now_ < deadline ? now_ : deadline) - createdAt;
        uint72 moved = SafeCast.toUint72((uint256(maximum - other) * elapsed) / (deadline - createdAt));
        return isDutch ? maximum - moved : other + moved;
    }
}
