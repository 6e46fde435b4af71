// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPrepaidMoney} from "../../src/interfaces/IPrepaidMoney.sol";
import {RefundTest} from "./RefundTest.sol";

contract VetoRefundTest is RefundTest {
    /// when another than the guardian calls: it reverts with NotGuardian
    function test_RevertWhen_NotGuardian() external {
        announce();
        address[3] memory others = [owner, relayer, alice];
        for (uint256 i; i < others.length; i++) {
            vm.prank(others[i]);
            expectError(IPrepaidMoney.NotGuardian.selector, others[i]);
            forwarder.vetoRefund(refundId);
        }
    }

    /// given it was not announced: it reverts with RefundNotAnnounced
    function test_RevertGiven_NotAnnounced() external {
        expectNotAnnounced();
        veto();
    }

    /// when the guardian vetoes: it logs the veto and nothing can be executed
    function test_Vetoes() external {
        announce();
        vm.warp(block.timestamp + NOTICE);
        vm.expectEmit(address(forwarder));
        emit IPrepaidMoney.RefundVetoed(refundId);
        veto();
        expectNotAnnounced();
        execute();
    }

    /// when the guardian vetoes: it leaves the authorization unspent
    function test_LeavesUnspent() external {
        announce();
        veto();
        assertFalse(forwarder.spent(alice, "large"));
    }

    /// given it was vetoed: it can be announced again and waits again
    function test_CanBeAnnouncedAgain() external {
        announce();
        vm.warp(block.timestamp + NOTICE);
        veto();
        announce();
        vm.expectRevert(abi.encodeWithSelector(IPrepaidMoney.RefundNotDue.selector, block.timestamp + NOTICE));
        execute();
        vm.warp(block.timestamp + NOTICE);
        execute();
        assertTrue(forwarder.spent(alice, "large"));
    }
}
