// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Task} from "../types/MarketStorage.sol";
import {Kind} from "../types/Modes.sol";

/// @title The price of an auction that follows the clock
library ClockPrice {
    /// @dev The price of this dutch or reverse dutch auction at time `now_`, in base units.
    function priceOf(Task storage task, uint256 now_) internal view returns (uint72) {
        return at(task.kind == Kind.Dutch, task.reward, task.clockPrice, task.createdAt, task.entryDeadline, now_);
    }

    /// @dev Moves in a straight line from creation to the deadline, then rests: dutch from `maximum` down to `other`,
    /// reverse dutch from `other` up to `maximum`. What the line moved is rounded down.
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
