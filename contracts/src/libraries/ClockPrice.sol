// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Task} from "../types/MarketStorage.sol";
import {Kind} from "../types/Modes.sol";

/// @title Price of a dutch or reverse dutch auction
/// @notice The price changes linearly from the task's creation to the bid deadline. From the bid deadline to the expiry
/// it is constant.
library ClockPrice {
    /// @dev Returns the price of this dutch or reverse dutch auction at Unix time `now_`, in USDC base units.
    function priceOf(Task storage task, uint256 now_) internal view returns (uint72) {
        return at(task.kind == Kind.Dutch, task.reward, task.clockPrice, task.createdAt, task.entryDeadline, now_);
    }

    /// @dev Returns the price at Unix time `now_`. `maximum` is the highest price of the auction, and `other` the
    /// lowest. A dutch price falls from `maximum` to `other`. A reverse dutch price rises from `other` to `maximum`.
    /// The change since the creation is rounded down.
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
