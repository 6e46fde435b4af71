// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Test} from "forge-std/Test.sol";
import {ClockPrice} from "../../src/libraries/ClockPrice.sol";
import {Limits} from "../../src/types/Limits.sol";

/// @title Properties of the line a clock price moves along, for any terms a task can have
contract ClockPriceTest is Test {
    /// @dev An auction with a clock, and a moment within its life.
    struct Clock {
        uint256 maximum;
        uint256 other;
        uint256 createdAt;
        uint256 deadline;
        uint256 now_;
    }

    /// when at creation: it is the maximum of a dutch auction and the start price of a reverse dutch one
    function testFuzz_AtCreation(Clock memory clock) external pure {
        clock = bounded(clock);
        clock.now_ = clock.createdAt;
        assertEq(dutch(clock), clock.maximum);
        assertEq(reverseDutch(clock), clock.other);
    }

    /// when at the deadline or after it: it rests at the floor of a dutch auction, the maximum of a reverse dutch one
    function testFuzz_FromTheDeadline(Clock memory clock, uint256 after_) external pure {
        clock = bounded(clock);
        clock.now_ = clock.deadline + bound(after_, 0, Limits.MAX_DURATION);
        assertEq(dutch(clock), clock.other);
        assertEq(reverseDutch(clock), clock.maximum);
    }

    /// when at any time: it stays between the two prices
    function testFuzz_StaysBetween(Clock memory clock) external pure {
        clock = bounded(clock);
        assertLe(dutch(clock), clock.maximum);
        assertGe(dutch(clock), clock.other);
        assertLe(reverseDutch(clock), clock.maximum);
        assertGe(reverseDutch(clock), clock.other);
    }

    /// when at any time: it lies on the line, its way rounded down
    function testFuzz_LiesOnTheLine(Clock memory clock) external pure {
        clock = bounded(clock);
        uint256 elapsed = (clock.now_ < clock.deadline ? clock.now_ : clock.deadline) - clock.createdAt;
        uint256 window = clock.deadline - clock.createdAt;
        uint256 way = (clock.maximum - clock.other) * elapsed;
        uint256 moved = reverseDutch(clock) - clock.other;
        assertLe(moved * window, way);
        assertGt((moved + 1) * window, way);
        assertEq(clock.maximum - dutch(clock), moved);
    }

    /// when at any time: it makes dutch and reverse dutch mirror each other
    function testFuzz_Mirrors(Clock memory clock) external pure {
        clock = bounded(clock);
        assertEq(dutch(clock) + reverseDutch(clock), clock.maximum + clock.other);
    }

    /// when time goes on: it never rises in a dutch auction and never falls in a reverse dutch one
    function testFuzz_IsMonotone(Clock memory clock, uint256 later) external pure {
        clock = bounded(clock);
        (uint256 falling, uint256 rising) = (dutch(clock), reverseDutch(clock));
        clock.now_ = bound(later, clock.now_, clock.deadline + Limits.MAX_DURATION);
        assertLe(dutch(clock), falling);
        assertGe(reverseDutch(clock), rising);
    }

    /// when both prices are equal: it does not move
    function testFuzz_DoesNotMove(Clock memory clock) external pure {
        clock = bounded(clock);
        clock.other = clock.maximum;
        assertEq(dutch(clock), clock.maximum);
        assertEq(reverseDutch(clock), clock.maximum);
    }

    /// when the window is one second: it jumps at its end
    function testFuzz_Jumps(Clock memory clock) external pure {
        clock = bounded(clock);
        (clock.deadline, clock.now_) = (clock.createdAt + 1, clock.createdAt);
        assertEq(dutch(clock), clock.maximum);
        assertEq(reverseDutch(clock), clock.other);
        clock.now_ = clock.deadline;
        assertEq(dutch(clock), clock.other);
        assertEq(reverseDutch(clock), clock.maximum);
    }

    /// when prices and window are the largest: it computes without overflow
    function test_Largest() external pure {
        Clock memory clock = Clock(type(uint72).max, 1, 1, 1 + Limits.MAX_DURATION, Limits.MAX_DURATION);
        assertEq(
            reverseDutch(clock), 1 + (uint256(type(uint72).max) - 1) * (Limits.MAX_DURATION - 1) / Limits.MAX_DURATION
        );
        assertGt(dutch(clock), 1);
    }

    /// when a line of ten moves in three seconds: it has moved 3, 6 and 10
    function test_Example() external pure {
        uint256[4] memory moved = [uint256(0), 3, 6, 10];
        for (uint256 i; i < moved.length; i++) {
            Clock memory clock = Clock(25, 15, 1000, 1003, 1000 + i);
            assertEq(dutch(clock), 25 - moved[i]);
            assertEq(reverseDutch(clock), 15 + moved[i]);
        }
    }

    /// @dev Whatever a task can have: a positive other price up to the maximum, a window of a second to ten years.
    function bounded(Clock memory clock) private pure returns (Clock memory) {
        clock.maximum = bound(clock.maximum, Limits.MIN_REWARD, Limits.MAX_TOTAL_ESCROW);
        clock.other = bound(clock.other, 1, clock.maximum);
        clock.createdAt = bound(clock.createdAt, 1, type(uint40).max - 2 * Limits.MAX_DURATION);
        clock.deadline = bound(clock.deadline, clock.createdAt + 1, clock.createdAt + Limits.MAX_DURATION);
        clock.now_ = bound(clock.now_, clock.createdAt, clock.deadline + Limits.MAX_DURATION);
        return clock;
    }

    function dutch(Clock memory clock) private pure returns (uint256) {
        return priceOf(true, clock);
    }

    function reverseDutch(Clock memory clock) private pure returns (uint256) {
        return priceOf(false, clock);
    }

    function priceOf(bool isDutch, Clock memory clock) private pure returns (uint256) {
        (uint72 maximum, uint72 other) = (SafeCast.toUint72(clock.maximum), SafeCast.toUint72(clock.other));
        return ClockPrice.at(isDutch, maximum, other, clock.createdAt, clock.deadline, clock.now_);
    }
}
