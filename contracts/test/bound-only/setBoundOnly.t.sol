// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IBoundOnly} from "../../src/interfaces/IBoundOnly.sol";
import {SuffixRule} from "../../src/types/RelayTypes.sol";
import {ForwarderTest} from "../support/ForwarderTest.sol";
import {Probe} from "../support/Probe.sol";
import {Relay} from "../support/Relay.sol";

contract SetBoundOnlyTest is ForwarderTest {
    bytes32 private constant ID = "task";

    /// when a wallet never set it: it is off
    function test_IsOffAtFirst() external view {
        assertFalse(forwarder.boundOnly(requester));
        assertEq(forwarder.boundOnlyCounter(requester), 0);
    }

    /// when the wallet sets it: it shows and logs the switch with the next counter
    function test_SetsAndLogs() external {
        vm.expectEmit(address(forwarder));
        emit IBoundOnly.BoundOnlySet(requester, true, 1);
        setBoundOnly(requester, true);
        assertTrue(forwarder.boundOnly(requester));
        vm.expectEmit(address(forwarder));
        emit IBoundOnly.BoundOnlySet(requester, false, 2);
        setBoundOnly(requester, false);
        assertFalse(forwarder.boundOnly(requester));
        assertEq(forwarder.boundOnlyCounter(requester), 2);
    }

    /// when the wallet sets it: it sets no other wallet's
    function test_SetsTheCallersAlone() external {
        setBoundOnly(requester, true);
        assertFalse(forwarder.boundOnly(alice));
    }

    /// given it is on: it refuses plain payments with PayerTakesBoundOnly
    function test_RevertGiven_PlainPayment() external {
        setBoundOnly(requester, true);
        expectError(IBoundOnly.PayerTakesBoundOnly.selector, requester);
        relayPaidToProbe(0, pullData(0));
    }

    /// given it is on: it refuses to act with prepaid money with PayerTakesBoundOnly
    function test_RevertGiven_PrepaidPayment() external {
        submitAuthorizationAlone();
        setBoundOnly(requester, true);
        expectError(IBoundOnly.PayerTakesBoundOnly.selector, requester);
        relayPrepaidToProbe(0, pullData(0));
    }

    /// given it is on: it refunds prepaid money
    function test_RefundsPrepaidMoney() external {
        uint256 before = usdc.balanceOf(requester);
        submitAuthorizationAlone();
        setBoundOnly(requester, true);
        vm.prank(relayer);
        forwarder.refundPrepaid(authorization, signature);
        assertEq(usdc.balanceOf(requester), before);
    }

    /// given it is on: it refuses messages without a call with PayerTakesBoundOnly
    function test_RevertGiven_PlainMessage() external {
        allow(address(probe), Probe.act.selector, 4, SuffixRule.Content, "do");
        setBoundOnly(alice, true);
        bytes memory message = Relay.signMessage(aliceKey, "service:do:", ID, "");
        vm.startPrank(relayer);
        expectError(IBoundOnly.PayerTakesBoundOnly.selector, alice);
        forwarder.relaySigned(INTENT, alice, message, "", address(probe), abi.encodeCall(Probe.act, (ID)));
        expectError(IBoundOnly.PayerTakesBoundOnly.selector, alice);
        forwarder.relaySigned(INTENT, alice, message, ":key", address(probe), abi.encodeCall(Probe.act, (ID)));
    }

    /// given it is on: it accepts a message that is bound to the call
    function test_AcceptsACallBoundMessage() external {
        allow(address(probe), Probe.act.selector, 4, SuffixRule.Content, "do");
        setBoundOnly(alice, true);
        bytes memory data = abi.encodeCall(Probe.act, (ID));
        bytes memory message = Relay.signMessage(aliceKey, "service:do:", ID, Relay.callTail(address(forwarder), data));
        vm.prank(relayer);
        forwarder.relaySigned(INTENT, alice, message, ":call", address(probe), data);
        assertEq(probe.lastActor(), alice);
    }

    /// given it was on and is off: it accepts plain payments
    function test_AcceptsPlainPaymentsAgain() external {
        setBoundOnly(requester, true);
        setBoundOnly(requester, false);
        relayPaidToProbe(0, pullData(0));
        assertEq(probe.lastActor(), requester);
    }
}
