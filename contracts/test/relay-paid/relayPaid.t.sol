// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {RelayMode, SuffixRule} from "../../src/types/RelayTypes.sol";
import {ForwarderTest} from "../support/ForwarderTest.sol";
import {Probe} from "../support/Probe.sol";
import {Relay} from "../support/Relay.sol";
import {Wallet1271} from "../support/Wallet1271.sol";

contract RelayPaidTest is ForwarderTest {
    /// when another than a relayer calls: it reverts with NotRelayer
    function test_RevertWhen_NotRelayer() external {
        vm.prank(requester);
        expectError(IPaymentForwarder.NotRelayer.selector, requester);
        forwarder.relayPaid(INTENT, authorization, signature, 0, address(probe), pullData(0));
    }

    /// given the intent acted already: it reverts with IntentAlreadyRelayed
    function test_RevertGiven_IntentActed() external {
        relayPaidToProbe(0, pullData(0));
        vm.expectRevert(abi.encodeWithSelector(IPaymentForwarder.IntentAlreadyRelayed.selector, INTENT));
        relayPaidToProbe(0, pullData(0));
    }

    /// when the target or function has no route: it reverts with RouteNotAllowed
    function test_RevertWhen_NoRoute() external {
        expectRouteRefused(address(probe), Probe.act.selector, RelayMode.Paid);
        relayPaidToProbe(0, abi.encodeCall(Probe.act, ("id")));
        expectRouteRefused(address(usdc), usdc.transfer.selector, RelayMode.Paid);
        vm.prank(relayer);
        forwarder.relayPaid(
            INTENT, authorization, signature, 0, address(usdc), abi.encodeCall(usdc.transfer, (relayer, VALUE))
        );
    }

    /// when the route is for other relay modes: it reverts with RouteNotAllowed
    function test_RevertWhen_OtherModes() external {
        allow(address(probe), Probe.pull.selector, 14, SuffixRule.None, "");
        expectRouteRefused(address(probe), Probe.pull.selector, RelayMode.Paid);
        relayPaidToProbe(0, pullData(0));
    }

    /// when the data is shorter than a selector: it reverts with RouteNotAllowed
    function test_RevertWhen_NoSelector() external {
        expectRouteRefused(address(probe), bytes4(0), RelayMode.Paid);
        relayPaidToProbe(0, "");
    }

    /// when the escrow exceeds the payment: it reverts with EscrowExceedsPayment
    function test_RevertWhen_EscrowExceedsPayment() external {
        usdc.mint(address(forwarder), VALUE);
        expectError(IPaymentForwarder.EscrowExceedsPayment.selector, VALUE + 1, VALUE);
        relayPaidToProbe(VALUE + 1, pullData(VALUE + 1));
    }

    /// when more than 1 USDC would become income: it reverts with FeeAboveMaximum
    function test_RevertWhen_FeeAboveMaximum() external {
        authorize(requesterKey, 1e6 + 1001);
        expectError(IPaymentForwarder.FeeAboveMaximum.selector, 1e6 + 1, 1e6);
        relayPaidToProbe(1000, pullData(1000));
        relayPaidToProbe(1001, pullData(1001));
        assertEq(forwarder.fees(), 1e6);
    }

    /// when the authorization was used before: it reverts as USDC does
    function test_RevertWhen_AuthorizationUsed() external {
        submitAuthorizationAlone();
        vm.expectRevert("FiatTokenV2: authorization is used or canceled");
        relayPaidToProbe(0, pullData(0));
    }

    /// when the signature is another's: it reverts as USDC does
    function test_RevertWhen_SignatureOfAnother() external {
        signature = Relay.sign(usdc, aliceKey, address(forwarder), authorization);
        vm.expectRevert("FiatTokenV2: invalid signature");
        relayPaidToProbe(0, pullData(0));
    }

    /// when the target takes less than the escrow: it reverts with EscrowMismatch
    function test_RevertWhen_TargetTakesLess() external {
        expectMismatch(2000, 1999);
        relayPaidToProbe(2000, pullData(1999));
    }

    /// when the target tries to take more than the escrow: it reverts as USDC does
    function test_RevertWhen_TargetTakesMore() external {
        usdc.mint(address(forwarder), 1e6);
        vm.expectRevert("ERC20: transfer amount exceeds allowance");
        relayPaidToProbe(2000, pullData(2001));
    }

    /// when the target takes what it was not given: it reverts as USDC does
    function test_RevertWhen_TargetTakesUninvited() external {
        vm.expectRevert("ERC20: transfer amount exceeds allowance");
        relayPaidToProbe(0, pullData(1));
    }

    /// when the target gives back some of the escrow: it reverts with EscrowMismatch
    function test_RevertWhen_TargetGivesBack() external {
        expectMismatch(2000, 1993);
        relayPaidToProbe(2000, abi.encodeCall(Probe.borrow, (usdc, 2000, 7)));
    }

    /// when the target sends money without an escrow: it books none of it
    function test_BooksNothingSent() external {
        usdc.mint(address(probe), 7);
        relayPaidToProbe(0, abi.encodeCall(Probe.push, (usdc, 7)));
        assertSentIsUnowned(7, VALUE);
    }

    /// when the target reverts: it bubbles the reason and undoes the payment
    function test_RevertWhen_TargetReverts() external {
        uint256 before = usdc.balanceOf(requester);
        expectError(Probe.Refused.selector, 42);
        relayPaidToProbe(0, abi.encodeCall(Probe.refuse, (42)));
        assertEq(usdc.balanceOf(requester), before);
        assertFalse(usdc.authorizationState(requester, "nonce"));
        assertFalse(forwarder.relayed(INTENT));
        assertFalse(forwarder.spent(requester, "nonce"));
        assertEq(forwarder.fees(), 0);
    }

    /// when the target reverts: it reverts without a reason when there is none
    function test_RevertWhen_TargetRevertsSilently() external {
        vm.expectRevert(bytes(""));
        relayPaidToProbe(0, abi.encodeCall(Probe.refuseSilently, ()));
    }

    /// when the target calls back: it answers Reentered
    function test_RefusesToBeReentered() external {
        vm.prank(owner);
        forwarder.setRelayer(address(probe), true);
        bytes memory inner = abi.encodeCall(forwarder.relayOpen, ("other intent", address(probe), pullData(0)));
        relayPaidToProbe(0, abi.encodeCall(Probe.callBack, (inner)));
        assertEq(probe.callbackAnswer(), abi.encodeWithSelector(IPaymentForwarder.Reentered.selector));
    }

    /// when the target owns the forwarder and calls back: it sweeps no fees
    function test_SweepsNothingWhileRelaying() external {
        vm.prank(owner);
        forwarder.transferOwnership(address(probe));
        vm.prank(address(probe));
        forwarder.acceptOwnership();
        relayPaidToProbe(0, abi.encodeCall(Probe.callBack, (abi.encodeCall(forwarder.sweepFees, (bob)))));
        assertEq(probe.callbackAnswer(), abi.encodeWithSelector(IPaymentForwarder.Reentered.selector));
    }

    /// when all is right: it names the payer as actor during the call only
    function test_NamesThePayer() external {
        assertTrue(forwarder.isPGTRForwarder());
        relayPaidToProbe(0, pullData(0));
        assertEq(probe.lastActor(), requester);
        assertEq(forwarder.pgtrSender(), address(0));
    }

    /// when all is right: it hands over the escrow and books the rest as fee
    function test_HandsOverTheEscrow() external {
        uint256 before = usdc.balanceOf(requester);
        relayPaidToProbe(4000, pullData(4000));
        assertEq(usdc.balanceOf(requester), before - VALUE);
        assertEq(usdc.balanceOf(address(probe)), 4000);
        assertEq(usdc.balanceOf(address(forwarder)), 1000);
        assertEq(forwarder.fees(), 1000);
    }

    /// when all is right: it uses up intent and authorization
    function test_UsesUp() external {
        relayPaidToProbe(0, pullData(0));
        assertTrue(forwarder.relayed(INTENT));
        assertTrue(forwarder.spent(requester, "nonce"));
        assertTrue(usdc.authorizationState(requester, "nonce"));
    }

    /// when all is right: it logs the relay
    function test_Logs() external {
        expectRelayLogs(requester, Probe.pull.selector, VALUE, "nonce", 0);
        relayPaidToProbe(0, pullData(0));
    }

    /// when all is right: it returns what the target returned
    function test_Returns() external {
        assertEq(relayPaidToProbe(0, pullData(0)), abi.encode(1));
    }

    /// when all is right: it leaves no allowance behind
    function test_LeavesNoAllowance() external {
        relayPaidToProbe(4000, pullData(4000));
        assertEq(usdc.allowance(address(forwarder), address(probe)), 0);
    }

    /// given another intent of the same word acted: it uses up each once
    function test_UsesUpEachIntentOnce() external {
        for (uint256 last; last < 256; last += 85) {
            bytes32 intentId = bytes32(last);
            assertFalse(forwarder.relayed(intentId));
            vm.startPrank(relayer);
            forwarder.relayOpen(intentId, address(probe), pullData(0));
            assertTrue(forwarder.relayed(intentId));
            vm.expectRevert(abi.encodeWithSelector(IPaymentForwarder.IntentAlreadyRelayed.selector, intentId));
            forwarder.relayOpen(intentId, address(probe), pullData(0));
            vm.stopPrank();
        }
        assertEq(probe.calls(), 4);
        assertFalse(forwarder.relayed(bytes32(uint256(1))));
        assertFalse(forwarder.relayed(bytes32(uint256(256))));
    }

    /// when the payment is all escrow: it books no fee
    function test_BooksNoFee() external {
        relayPaidToProbe(VALUE, pullData(VALUE));
        assertEq(forwarder.fees(), 0);
        assertEq(usdc.balanceOf(address(forwarder)), 0);
    }

    /// when the payer is a contract wallet: it accepts the wallet's signature
    function test_AcceptsAContractWallet() external {
        Wallet1271 wallet = new Wallet1271(alice);
        usdc.mint(address(wallet), VALUE);
        authorization.from = address(wallet);
        signature = Relay.sign(usdc, aliceKey, address(forwarder), authorization);
        relayPaidToProbe(1000, pullData(1000));
        assertEq(probe.lastActor(), address(wallet));
        assertEq(usdc.balanceOf(address(wallet)), 0);
    }
}
