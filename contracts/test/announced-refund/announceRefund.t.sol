// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {IPrepaidMoney} from "../../src/interfaces/IPrepaidMoney.sol";
import {AnnouncedRefund} from "../../src/types/RelayTypes.sol";
import {Relay} from "../support/Relay.sol";
import {RefundTest} from "./RefundTest.sol";

contract AnnounceRefundTest is RefundTest {
    /// when another than a relayer calls: it reverts with NotRelayer
    function test_RevertWhen_NotRelayer() external {
        vm.prank(alice);
        expectError(IPaymentForwarder.NotRelayer.selector, alice);
        forwarder.announceRefund(large, largeSignature);
    }

    /// given the authorization was not submitted: it reverts with AuthorizationNotUsed
    function test_RevertGiven_NotSubmitted() external {
        vm.prank(relayer);
        expectError(IPrepaidMoney.AuthorizationNotUsed.selector, requester, "nonce");
        forwarder.announceRefund(authorization, signature);
    }

    /// given the authorization was spent: it reverts with AuthorizationSpent
    function test_RevertGiven_Spent() external {
        relayPaidToProbe(0, pullData(0));
        vm.prank(relayer);
        expectError(IPrepaidMoney.AuthorizationSpent.selector, requester, "nonce");
        forwarder.announceRefund(authorization, signature);
    }

    /// when the signature does not cover the value: it reverts with InvalidAuthorizationSignature
    function test_RevertWhen_OtherValue() external {
        large.value--;
        expectError(IPrepaidMoney.InvalidAuthorizationSignature.selector, alice);
        announce();
    }

    /// when the money is not here: it reverts with PrepaidNotCovered
    function test_RevertWhen_NotCovered() external {
        large = Relay.authorizationOf(alice, LARGE + 1, "cancelled");
        largeSignature = Relay.sign(usdc, aliceKey, address(forwarder), large);
        usdc.cancelAuthorization(alice, "cancelled", Relay.signCancellation(usdc, aliceKey, "cancelled"));
        expectError(IPrepaidMoney.PrepaidNotCovered.selector, LARGE, LARGE + 1);
        announce();
    }

    /// given this relayer announced it: it reverts with RefundAlreadyAnnounced
    function test_RevertGiven_Announced() external {
        announce();
        vm.warp(block.timestamp + NOTICE - 1);
        vm.expectRevert(abi.encodeWithSelector(IPrepaidMoney.RefundAlreadyAnnounced.selector, refundId));
        announce();
    }

    /// given another relayer announced it: it announces a refund of its own
    function test_AnnouncesBesideAnother() external {
        setRelayer(bob, true);
        announce();
        vm.prank(bob);
        bytes32 other = forwarder.announceRefund(large, largeSignature);
        assertEq(other, keccak256(abi.encode(bob, alice, bytes32("large"), LARGE)));
        assertEq(forwarder.announcedRefund(refundId).relayer, relayer);
        assertEq(forwarder.announcedRefund(other).relayer, bob);
    }

    /// given the relayer lost its right and has it again: it announces it again
    function test_AnnouncesAgain() external {
        announce();
        setRelayer(relayer, false);
        setRelayer(relayer, true);
        vm.warp(block.timestamp + 1 hours);
        announce();
        assertEq(forwarder.announcedRefund(refundId).executableFrom, block.timestamp + NOTICE);
    }

    /// when the money is here: it stores and logs the refund
    function test_StoresAndLogs() external {
        uint256 executableFrom = block.timestamp + NOTICE;
        vm.expectEmit(address(forwarder));
        emit IPrepaidMoney.RefundAnnounced(refundId, alice, "large", LARGE, relayer, executableFrom);
        assertEq(announce(), refundId);
        AnnouncedRefund memory refund = forwarder.announcedRefund(refundId);
        assertEq(refund.payer, alice);
        assertEq(refund.nonce, "large");
        assertEq(refund.value, LARGE);
        assertEq(refund.relayer, relayer);
        assertEq(refund.executableFrom, executableFrom);
    }

    /// when the money is here: it moves nothing and spends nothing
    function test_MovesNothing() external {
        announce();
        assertEq(usdc.balanceOf(address(forwarder)), LARGE);
        assertFalse(forwarder.spent(alice, "large"));
    }
}
