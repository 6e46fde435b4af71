// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {IPrepaidMoney} from "../../src/interfaces/IPrepaidMoney.sol";
import {RelayMode, SuffixRule} from "../../src/types/RelayTypes.sol";
import {ForwarderTest} from "../support/ForwarderTest.sol";
import {Probe} from "../support/Probe.sol";
import {Relay} from "../support/Relay.sol";
import {Wallet1271} from "../support/Wallet1271.sol";

contract RelayBoundTest is ForwarderTest {
    function setUp() public override {
        super.setUp();
        bindToProbe(0, pullData(0));
    }

    /// when another than a relayer calls: it reverts with NotRelayer
    function test_RevertWhen_NotRelayer() external {
        vm.prank(requester);
        expectError(IPaymentForwarder.NotRelayer.selector, requester);
        forwarder.relayBound(INTENT, authorization, signature, 0, SALT, address(probe), pullData(0));
    }

    /// given the intent acted already: it reverts with IntentAlreadyRelayed
    function test_RevertGiven_IntentActed() external {
        relayBoundToProbe(0, pullData(0));
        vm.expectRevert(abi.encodeWithSelector(IPaymentForwarder.IntentAlreadyRelayed.selector, INTENT));
        relayBoundToProbe(0, pullData(0));
    }

    /// when the route does not admit paid calls: it reverts with RouteNotAllowed
    function test_RevertWhen_RouteIsNotPaid() external {
        allow(address(probe), Probe.pull.selector, 14, SuffixRule.None, "");
        expectRouteRefused(address(probe), Probe.pull.selector, RelayMode.Bound);
        relayBoundToProbe(0, pullData(0));
    }

    /// when the data is another: it reverts with PaymentNotBound
    function test_RevertWhen_OtherData() external {
        expectNotBound(address(probe), pullData(1), 0, SALT);
        relayBoundToProbe(0, pullData(1));
    }

    /// when the target is another: it reverts with PaymentNotBound
    function test_RevertWhen_OtherTarget() external {
        address other = address(new Probe());
        allow(other, Probe.pull.selector, 1, SuffixRule.None, "");
        expectNotBound(other, pullData(0), 0, SALT);
        vm.prank(relayer);
        forwarder.relayBound(INTENT, authorization, signature, 0, SALT, other, pullData(0));
    }

    /// when the escrow is another: it reverts with PaymentNotBound
    function test_RevertWhen_OtherEscrow() external {
        expectNotBound(address(probe), pullData(0), 1, SALT);
        relayBoundToProbe(1, pullData(0));
    }

    /// when the salt is another: it reverts with PaymentNotBound
    function test_RevertWhen_OtherSalt() external {
        expectNotBound(address(probe), pullData(0), 0, "other");
        vm.prank(relayer);
        forwarder.relayBound(INTENT, authorization, signature, 0, "other", address(probe), pullData(0));
    }

    /// when the chain is another: it reverts with PaymentNotBound
    function test_RevertWhen_OtherChain() external {
        vm.chainId(84532);
        expectNotBound(address(probe), pullData(0), 0, SALT);
        relayBoundToProbe(0, pullData(0));
    }

    /// when the payer signed a plain transfer: it reverts as USDC does
    function test_RevertWhen_SignedPlain() external {
        signature = Relay.sign(usdc, requesterKey, address(forwarder), authorization);
        vm.expectRevert("FiatTokenV2: invalid signature");
        relayBoundToProbe(0, pullData(0));
    }

    /// when the payer signed for another receiver: it reverts as USDC does
    function test_RevertWhen_SignedForAnother() external {
        signature = Relay.signReceipt(usdc, requesterKey, address(market), authorization);
        vm.expectRevert("FiatTokenV2: invalid signature");
        relayBoundToProbe(0, pullData(0));
    }

    /// when the payer signed another amount: it reverts as USDC does
    function test_RevertWhen_OtherAmount() external {
        authorization.value = VALUE - 1;
        vm.expectRevert("FiatTokenV2: invalid signature");
        relayBoundToProbe(0, pullData(0));
    }

    /// when the escrow exceeds the payment: it reverts with EscrowExceedsPayment
    function test_RevertWhen_EscrowExceedsPayment() external {
        bindToProbe(VALUE + 1, pullData(VALUE + 1));
        expectError(IPaymentForwarder.EscrowExceedsPayment.selector, VALUE + 1, VALUE);
        relayBoundToProbe(VALUE + 1, pullData(VALUE + 1));
    }

    /// when more than 1 USDC would become income: it reverts with FeeAboveMaximum
    function test_RevertWhen_FeeAboveMaximum() external {
        authorization.value = 1e6 + 1;
        signature = Relay.signReceipt(usdc, requesterKey, address(forwarder), authorization);
        expectError(IPaymentForwarder.FeeAboveMaximum.selector, 1e6 + 1, 1e6);
        relayBoundToProbe(0, pullData(0));
    }

    /// when the window is over: it reverts as USDC does
    function test_RevertWhen_Expired() external {
        vm.warp(authorization.validBefore);
        vm.expectRevert("FiatTokenV2: authorization is expired");
        relayBoundToProbe(0, pullData(0));
    }

    /// given the payer cancelled the authorization: it reverts as USDC does
    function test_RevertGiven_Cancelled() external {
        usdc.cancelAuthorization(
            requester, authorization.nonce, Relay.signCancellation(usdc, requesterKey, authorization.nonce)
        );
        vm.expectRevert("FiatTokenV2: authorization is used or canceled");
        relayBoundToProbe(0, pullData(0));
    }

    /// when the target reverts: it bubbles the reason and undoes the payment
    function test_RevertWhen_TargetReverts() external {
        bytes memory data = abi.encodeCall(Probe.refuse, (42));
        bindToProbe(0, data);
        uint256 before = usdc.balanceOf(requester);
        expectError(Probe.Refused.selector, 42);
        relayBoundToProbe(0, data);
        assertEq(usdc.balanceOf(requester), before);
        assertFalse(usdc.authorizationState(requester, authorization.nonce));
        assertFalse(forwarder.relayed(INTENT));
    }

    /// when the target takes another amount: it reverts with EscrowMismatch
    function test_RevertWhen_TargetTakesLess() external {
        bindToProbe(2000, pullData(1999));
        expectMismatch(2000, 1999);
        relayBoundToProbe(2000, pullData(1999));
    }

    /// when the target calls back: it answers Reentered
    function test_RefusesToBeReentered() external {
        vm.prank(owner);
        forwarder.setRelayer(address(probe), true);
        bytes memory inner = abi.encodeCall(forwarder.relayOpen, ("other intent", address(probe), pullData(0)));
        bytes memory data = abi.encodeCall(Probe.callBack, (inner));
        bindToProbe(0, data);
        relayBoundToProbe(0, data);
        assertEq(probe.callbackAnswer(), abi.encodeWithSelector(IPaymentForwarder.Reentered.selector));
    }

    /// when another account submits the payment alone: it reverts as USDC does
    function test_RevertWhen_SubmittedAlone() external {
        vm.startPrank(stranger);
        vm.expectRevert("FiatTokenV2: caller must be the payee");
        usdc.receiveWithAuthorization(
            requester,
            address(forwarder),
            VALUE,
            authorization.validAfter,
            authorization.validBefore,
            authorization.nonce,
            signature
        );
        vm.expectRevert("FiatTokenV2: invalid signature");
        usdc.transferWithAuthorization(
            requester,
            address(forwarder),
            VALUE,
            authorization.validAfter,
            authorization.validBefore,
            authorization.nonce,
            signature
        );
    }

    /// when the payment is presented as a plain one: it reverts as USDC does
    function test_RevertWhen_PresentedAsPlain() external {
        vm.expectRevert("FiatTokenV2: invalid signature");
        relayPaidToProbe(0, pullData(0));
    }

    /// when the call is the signed one: it names the payer as actor during the call only
    function test_NamesThePayer() external {
        relayBoundToProbe(0, pullData(0));
        assertEq(probe.lastActor(), requester);
        assertEq(forwarder.pgtrSender(), address(0));
    }

    /// when the call is the signed one: it hands over the escrow and books the rest as fee
    function test_HandsOverTheEscrow() external {
        bindToProbe(4000, pullData(4000));
        uint256 before = usdc.balanceOf(requester);
        relayBoundToProbe(4000, pullData(4000));
        assertEq(usdc.balanceOf(requester), before - VALUE);
        assertEq(usdc.balanceOf(address(probe)), 4000);
        assertEq(forwarder.fees(), 1000);
        assertEq(usdc.allowance(address(forwarder), address(probe)), 0);
    }

    /// when the call is the signed one: it uses up intent and authorization
    function test_UsesUp() external {
        relayBoundToProbe(0, pullData(0));
        assertTrue(forwarder.relayed(INTENT));
        assertTrue(forwarder.spent(requester, authorization.nonce));
        assertTrue(usdc.authorizationState(requester, authorization.nonce));
    }

    /// when the call is the signed one: it logs the relay with its escrow
    function test_Logs() external {
        bindToProbe(4000, pullData(4000));
        expectRelayLogs(requester, Probe.pull.selector, VALUE, authorization.nonce, 4000);
        relayBoundToProbe(4000, pullData(4000));
    }

    /// when the call is the signed one: it returns the target's return data
    function test_Returns() external {
        assertEq(relayBoundToProbe(0, pullData(0)), abi.encode(1));
    }

    /// when the call is the signed one: it acts once under any intent
    function test_ActsOnce() external {
        relayBoundToProbe(0, pullData(0));
        vm.startPrank(relayer);
        vm.expectRevert("FiatTokenV2: authorization is used or canceled");
        forwarder.relayBound("other intent", authorization, signature, 0, SALT, address(probe), pullData(0));
    }

    /// given the payer signed a plain transfer with the same nonce too: it leaves nothing to refund
    function test_LeavesNothingToRefund() external {
        bytes memory plain = Relay.sign(usdc, requesterKey, address(forwarder), authorization);
        relayBoundToProbe(0, pullData(0));
        usdc.mint(address(forwarder), VALUE);
        vm.startPrank(relayer);
        expectError(IPrepaidMoney.AuthorizationSpent.selector, requester, authorization.nonce);
        forwarder.refundPrepaid(authorization, plain);
        expectError(IPrepaidMoney.AuthorizationSpent.selector, requester, authorization.nonce);
        forwarder.announceRefund(authorization, plain);
    }

    /// given the payer takes bound calls alone: it acts
    function test_ActsForBoundOnly() external {
        setBoundOnly(requester, true);
        relayBoundToProbe(0, pullData(0));
        assertEq(probe.lastActor(), requester);
    }

    /// when the payer is a contract wallet: it accepts the wallet's signature
    function test_AcceptsAContractWallet() external {
        Wallet1271 wallet = new Wallet1271(alice);
        usdc.mint(address(wallet), VALUE);
        authorization.from = address(wallet);
        signature = Relay.signReceipt(usdc, aliceKey, address(forwarder), authorization);
        relayBoundToProbe(0, pullData(0));
        assertEq(probe.lastActor(), address(wallet));
    }

    function expectNotBound(address target, bytes memory data, uint256 escrow, bytes32 salt) private {
        bytes32 expected = forwarder.boundNonceOf(target, data, escrow, salt);
        vm.expectRevert(
            abi.encodeWithSelector(IPaymentForwarder.PaymentNotBound.selector, expected, authorization.nonce)
        );
    }
}
