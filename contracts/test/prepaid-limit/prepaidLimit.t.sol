// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IPrepaidMoney} from "../../src/interfaces/IPrepaidMoney.sol";
import {Authorization} from "../../src/types/RelayTypes.sol";
import {ForwarderTest} from "../support/ForwarderTest.sol";

/// @notice The default limit is 25 USDC in a UTC day, 12.5 of them for payers without prepaid money that moved that day.
contract PrepaidLimitTest is ForwarderTest {
    uint256 private constant LIMIT = 25e6;

    /// @dev An hour after midnight.
    function setUp() public override {
        super.setUp();
        vm.warp(20_300 days + 1 hours);
    }

    /// when nothing was set: it is 25 USDC
    function test_StartsWith25Usdc() external view {
        assertEq(forwarder.prepaidPerDay(), LIMIT);
        assertEq(forwarder.prepaidLeft(alice), LIMIT);
    }

    /// when the owner sets it: it shows and logs the limit
    function test_SetsTheLimit() external {
        vm.expectEmit(address(forwarder));
        emit IPrepaidMoney.PrepaidPerDaySet(3e6);
        setLimit(3e6);
        assertEq(forwarder.prepaidPerDay(), 3e6);
        assertEq(forwarder.prepaidLeft(alice), 3e6);
    }

    /// when another than the owner sets it: it reverts with OwnableUnauthorizedAccount
    function test_RevertWhen_NotOwner() external {
        vm.prank(relayer);
        expectError(Ownable.OwnableUnauthorizedAccount.selector, relayer);
        forwarder.setPrepaidPerDay(1e12);
    }

    /// when a refund is above the limit: it reverts with PrepaidLimitReached
    function test_RevertWhen_RefundIsAbove() external {
        expectNoRefund(aliceKey, LIMIT + 1, "a", LIMIT);
    }

    /// when a call is above the limit: it reverts with PrepaidLimitReached
    function test_RevertWhen_CallIsAbove() external {
        (Authorization memory lone, bytes memory signed) = prepayAs(aliceKey, LIMIT + 1, "a");
        expectLimit(LIMIT, LIMIT + 1);
        vm.prank(relayer);
        forwarder.relayPrepaid(INTENT, lone, signed, LIMIT, address(probe), pullData(LIMIT));
    }

    /// when a payer's first money of the day moves: it takes the whole limit
    function test_TakesTheWholeLimit() external {
        refund(aliceKey, LIMIT, "a");
        assertEq(forwarder.prepaidLeft(alice), 0);
        assertEq(forwarder.prepaidLeft(bob), 0);
    }

    /// when calls and refunds move: it counts both
    function test_CountsBoth() external {
        refund(aliceKey, 10e6, "a");
        (Authorization memory lone, bytes memory signed) = prepayAs(bobKey, 10e6, "b");
        vm.prank(relayer);
        forwarder.relayPrepaid(INTENT, lone, signed, 10e6, address(probe), pullData(10e6));
        assertEq(forwarder.prepaidLeft(requester), 5e6);
        expectNoRefund(requesterKey, 5e6 + 1, "c", 5e6);
        refund(requesterKey, 5e6, "d");
    }

    /// when a call reverts: it counts nothing
    function test_CountsNoRevert() external {
        (Authorization memory lone, bytes memory signed) = prepayAs(aliceKey, 10e6, "a");
        expectMismatch(10e6, 0);
        vm.prank(relayer);
        forwarder.relayPrepaid(INTENT, lone, signed, 10e6, address(probe), pullData(0));
        assertEq(forwarder.prepaidLeft(alice), LIMIT);
    }

    /// given money of the payer moved today: it leaves one half to all such payers
    function test_LeavesOneHalf() external {
        refund(aliceKey, 1e6, "a");
        assertEq(forwarder.prepaidLeft(alice), LIMIT / 2);
        refund(aliceKey, 12e6, "b");
        assertEq(forwarder.prepaidLeft(alice), 0.5e6);
        refund(bobKey, 1e6, "c");
        assertEq(forwarder.prepaidLeft(bob), 0.5e6);
        expectNoRefund(bobKey, 0.5e6 + 1, "d", 0.5e6);
    }

    /// given money of the payer moved today: it leaves the other half to other payers
    function test_LeavesTheOtherHalf() external {
        refund(aliceKey, 1, "a");
        refund(aliceKey, LIMIT / 2, "b");
        assertEq(forwarder.prepaidLeft(alice), 0);
        assertEq(forwarder.prepaidLeft(bob), LIMIT / 2 - 1);
        refund(bobKey, LIMIT / 2 - 1, "c");
    }

    /// when the UTC day ends: it counts from zero
    function test_CountsFromZero() external {
        refund(aliceKey, LIMIT, "a");
        vm.warp(20_301 days - 1);
        assertEq(forwarder.prepaidLeft(alice), 0);
        vm.warp(20_301 days);
        assertEq(forwarder.prepaidLeft(alice), LIMIT);
        refund(aliceKey, LIMIT, "b");
        assertEq(forwarder.prepaidLeft(bob), 0);
    }

    /// given the owner lowered it below what moved: it leaves nothing
    function test_LeavesNothing() external {
        refund(aliceKey, 20e6, "a");
        setLimit(1e6);
        assertEq(forwarder.prepaidLeft(bob), 0);
        expectNoRefund(bobKey, 1, "b", 0);
    }

    /// when it is zero: it moves nothing at once
    function test_MovesNothing() external {
        setLimit(0);
        expectNoRefund(aliceKey, 1, "a", 0);
    }

    function setLimit(uint256 limit) private {
        vm.prank(owner);
        forwarder.setPrepaidPerDay(limit);
    }

    function refund(uint256 key, uint256 value, bytes32 nonce) private {
        (Authorization memory lone, bytes memory signed) = prepayAs(key, value, nonce);
        vm.prank(relayer);
        forwarder.refundPrepaid(lone, signed);
    }

    function expectNoRefund(uint256 key, uint256 value, bytes32 nonce, uint256 left) private {
        (Authorization memory lone, bytes memory signed) = prepayAs(key, value, nonce);
        expectLimit(left, value);
        vm.prank(relayer);
        forwarder.refundPrepaid(lone, signed);
    }

    function expectLimit(uint256 left, uint256 value) private {
        vm.expectRevert(abi.encodeWithSelector(IPrepaidMoney.PrepaidLimitReached.selector, left, value));
    }
}
