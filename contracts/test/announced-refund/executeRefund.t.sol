// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPrepaidMoney} from "../../src/interfaces/IPrepaidMoney.sol";
import {AnnouncedRefund} from "../../src/types/RelayTypes.sol";
import {RefundTest} from "./RefundTest.sol";

contract ExecuteRefundTest is RefundTest {
    /// given it was not announced: it reverts with RefundNotAnnounced
    function test_RevertGiven_NotAnnounced() external {
        expectNotAnnounced();
        execute();
    }

    /// when 24 hours are not over: it reverts with RefundNotDue
    function test_RevertWhen_NotDue() external {
        announce();
        uint256 executableFrom = block.timestamp + NOTICE;
        vm.warp(executableFrom - 1);
        vm.expectRevert(abi.encodeWithSelector(IPrepaidMoney.RefundNotDue.selector, executableFrom));
        execute();
    }

    /// when 24 hours are over: it pays the payer for any caller and logs it
    function test_PaysThePayer() external {
        announce();
        vm.warp(block.timestamp + NOTICE);
        uint256 before = usdc.balanceOf(alice);
        vm.expectEmit(address(forwarder));
        emit IPrepaidMoney.PrepaidRefunded(alice, "large", LARGE);
        execute();
        assertEq(usdc.balanceOf(alice), before + LARGE);
        assertTrue(forwarder.spent(alice, "large"));
    }

    /// when 24 hours are over: it leaves the daily limit as it was
    function test_LeavesTheDailyLimit() external {
        announce();
        vm.warp(block.timestamp + NOTICE);
        execute();
        assertEq(forwarder.prepaidLeft(alice), forwarder.prepaidPerDay());
    }

    /// when 24 hours are over: it pays a payer that takes bound calls alone
    function test_PaysBoundOnly() external {
        announce();
        setBoundOnly(alice, true);
        vm.warp(block.timestamp + NOTICE);
        uint256 before = usdc.balanceOf(alice);
        execute();
        assertEq(usdc.balanceOf(alice), before + LARGE);
    }

    /// given it was executed: it reverts with RefundNotAnnounced
    function test_RevertGiven_Executed() external {
        announce();
        vm.warp(block.timestamp + NOTICE);
        execute();
        AnnouncedRefund memory none;
        assertEq(abi.encode(forwarder.announcedRefund(refundId)), abi.encode(none));
        usdc.mint(address(forwarder), LARGE);
        expectNotAnnounced();
        execute();
    }

    /// given two relayers announced it: it pays once
    function test_PaysOnce() external {
        setRelayer(bob, true);
        announce();
        vm.prank(bob);
        bytes32 other = forwarder.announceRefund(large, largeSignature);
        vm.warp(block.timestamp + NOTICE);
        execute();
        usdc.mint(address(forwarder), LARGE);
        expectError(IPrepaidMoney.AuthorizationSpent.selector, alice, "large");
        forwarder.executeRefund(other);
    }

    /// given the authorization was spent since: it reverts with AuthorizationSpent
    function test_RevertGiven_Spent() external {
        announce();
        vm.prank(owner);
        forwarder.setPrepaidPerDay(LARGE);
        vm.prank(relayer);
        forwarder.refundPrepaid(large, largeSignature);
        usdc.mint(address(forwarder), LARGE);
        vm.warp(block.timestamp + NOTICE);
        expectError(IPrepaidMoney.AuthorizationSpent.selector, alice, "large");
        execute();
    }

    /// given the money went to others since: it reverts with PrepaidNotCovered
    function test_RevertGiven_NotCovered() external {
        announce();
        vm.prank(address(forwarder));
        usdc.transfer(stranger, 1);
        vm.warp(block.timestamp + NOTICE);
        expectError(IPrepaidMoney.PrepaidNotCovered.selector, LARGE - 1, LARGE);
        execute();
    }

    /// given its relayer lost the right: it reverts with RefundVoid
    function test_RevertGiven_RelayerDismissed() external {
        announce();
        setRelayer(relayer, false);
        vm.warp(block.timestamp + NOTICE);
        expectVoid();
        execute();
    }

    /// given its relayer lost the right and has it again: it reverts with RefundVoid
    function test_RevertGiven_RelayerIsBack() external {
        announce();
        setRelayer(relayer, false);
        setRelayer(relayer, true);
        vm.warp(block.timestamp + NOTICE);
        expectVoid();
        execute();
        assertFalse(forwarder.spent(alice, "large"));
    }

    /// given the owner allowed its relayer once more: it pays
    function test_PaysWhenAllowedTwice() external {
        announce();
        setRelayer(relayer, true);
        vm.warp(block.timestamp + NOTICE);
        execute();
        assertTrue(forwarder.spent(alice, "large"));
    }
}
