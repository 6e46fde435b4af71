// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {IPrepaidMoney} from "../../src/interfaces/IPrepaidMoney.sol";
import {RelayMode, SuffixRule} from "../../src/types/RelayTypes.sol";
import {ForwarderTest} from "../support/ForwarderTest.sol";
import {Probe} from "../support/Probe.sol";
import {Relay} from "../support/Relay.sol";
import {Wallet1271} from "../support/Wallet1271.sol";

contract RelayPrepaidTest is ForwarderTest {
    /// when another than a relayer calls: it reverts with NotRelayer
    function test_RevertWhen_NotRelayer() external {
        submitAuthorizationAlone();
        vm.prank(requester);
        expectError(IPaymentForwarder.NotRelayer.selector, requester);
        forwarder.relayPrepaid(INTENT, authorization, signature, 0, address(probe), pullData(0));
    }

    /// given the intent acted already: it reverts with IntentAlreadyRelayed
    function test_RevertGiven_IntentActed() external {
        relayPaidToProbe(0, pullData(0));
        vm.expectRevert(abi.encodeWithSelector(IPaymentForwarder.IntentAlreadyRelayed.selector, INTENT));
        relayPrepaidToProbe(0, pullData(0));
    }

    /// when the function has no route: it reverts with RouteNotAllowed
    function test_RevertWhen_NoRoute() external {
        allow(address(probe), Probe.pull.selector, 13, SuffixRule.None, "");
        submitAuthorizationAlone();
        expectRouteRefused(address(probe), Probe.pull.selector, RelayMode.Prepaid);
        relayPrepaidToProbe(0, pullData(0));
    }

    /// given the authorization was not submitted: it reverts with AuthorizationNotUsed
    function test_RevertGiven_NotSubmitted() external {
        usdc.mint(address(forwarder), VALUE);
        expectError(IPrepaidMoney.AuthorizationNotUsed.selector, requester, "nonce");
        relayPrepaidToProbe(0, pullData(0));
    }

    /// given a paid relay spent the authorization: it reverts with AuthorizationSpent
    function test_RevertGiven_SpentByPaid() external {
        relayPaidToProbe(0, pullData(0));
        usdc.mint(address(forwarder), VALUE);
        expectError(IPrepaidMoney.AuthorizationSpent.selector, requester, "nonce");
        vm.prank(relayer);
        forwarder.relayPrepaid("other intent", authorization, signature, 0, address(probe), pullData(0));
    }

    /// given a prepaid relay spent the authorization: it reverts with AuthorizationSpent
    function test_RevertGiven_SpentByPrepaid() external {
        submitAuthorizationAlone();
        relayPrepaidToProbe(0, pullData(0));
        usdc.mint(address(forwarder), VALUE);
        expectError(IPrepaidMoney.AuthorizationSpent.selector, requester, "nonce");
        vm.prank(relayer);
        forwarder.relayPrepaid("other intent", authorization, signature, 0, address(probe), pullData(0));
    }

    /// when the signature does not cover the value: it reverts with InvalidAuthorizationSignature
    function test_RevertWhen_ValueNotSigned() external {
        submitAuthorizationAlone();
        usdc.mint(address(forwarder), 1e6);
        authorization.value = VALUE + 1;
        expectError(IPrepaidMoney.InvalidAuthorizationSignature.selector, requester);
        relayPrepaidToProbe(0, pullData(0));
    }

    /// when the money is not here: it reverts with PrepaidNotCovered
    function test_RevertWhen_MoneyElsewhere() external {
        // Signed towards another receiver under the same nonce, so the state is used but nothing came here.
        bytes memory elsewhere = Relay.sign(usdc, requesterKey, bob, authorization);
        usdc.transferWithAuthorization(
            requester, bob, VALUE, authorization.validAfter, authorization.validBefore, "nonce", elsewhere
        );
        expectError(IPrepaidMoney.PrepaidNotCovered.selector, 0, VALUE);
        relayPrepaidToProbe(0, pullData(0));
    }

    /// when only our own income would cover it: it reverts with PrepaidNotCovered
    function test_RevertWhen_OnlyIncomeCovers() external {
        allowPaid(market.rejectSubmissions.selector);
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        relayPaid(requesterKey, 1e6, 0, abi.encodeCall(market.rejectSubmissions, (taskId, asList(alice))));
        assertEq(forwarder.fees(), 1e6);
        cancelAuthorization();
        expectError(IPrepaidMoney.PrepaidNotCovered.selector, 0, VALUE);
        relayPrepaidToProbe(0, pullData(0));
    }

    /// when the escrow exceeds the payment: it reverts with EscrowExceedsPayment
    function test_RevertWhen_EscrowExceedsPayment() external {
        submitAuthorizationAlone();
        expectError(IPaymentForwarder.EscrowExceedsPayment.selector, VALUE + 1, VALUE);
        relayPrepaidToProbe(VALUE + 1, pullData(VALUE + 1));
    }

    /// when the target takes another amount: it reverts with EscrowMismatch
    function test_RevertWhen_TargetTakesLess() external {
        submitAuthorizationAlone();
        expectMismatch(2, 1);
        relayPrepaidToProbe(2, pullData(1));
    }

    /// when a third party submitted the authorization: it acts in the payer's name with that money
    function test_ActsWithThatMoney() external {
        submitAuthorizationAlone();
        relayPrepaidToProbe(4000, pullData(4000));
        assertEq(probe.lastActor(), requester);
        assertEq(usdc.balanceOf(address(probe)), 4000);
        assertEq(forwarder.fees(), 1000);
        assertEq(usdc.balanceOf(address(forwarder)), 1000);
        assertTrue(forwarder.spent(requester, "nonce"));
        assertEq(forwarder.pgtrSender(), address(0));
    }

    /// when a third party submitted the authorization: it acts after the authorization has expired
    function test_ActsAfterExpiry() external {
        submitAuthorizationAlone();
        vm.warp(authorization.validBefore + 1 days);
        relayPrepaidToProbe(0, pullData(0));
        assertEq(forwarder.fees(), VALUE);
    }

    /// when a third party submitted the authorization: it logs the relay
    function test_Logs() external {
        submitAuthorizationAlone();
        expectRelayLogs(requester, Probe.pull.selector, VALUE, "nonce", 0);
        relayPrepaidToProbe(0, pullData(0));
    }

    /// when the payer is a contract wallet: it accepts the wallet's signature
    function test_AcceptsAContractWallet() external {
        Wallet1271 wallet = new Wallet1271(alice);
        usdc.mint(address(wallet), VALUE);
        authorization.from = address(wallet);
        signature = Relay.sign(usdc, aliceKey, address(forwarder), authorization);
        submitAuthorizationAlone();
        relayPrepaidToProbe(0, pullData(0));
        assertEq(probe.lastActor(), address(wallet));
    }

    /// given the payer cancelled the authorization: it reverts with PrepaidNotCovered while nothing else is held here
    function test_RevertGiven_Cancelled() external {
        cancelAuthorization();
        expectError(IPrepaidMoney.PrepaidNotCovered.selector, 0, VALUE);
        relayPrepaidToProbe(0, pullData(0));
    }

    /// given the payer cancelled the authorization: it acts on money of others so the service must prove arrival first
    function test_CancelledLooksLikeArrivedOnChain() external {
        // USDC keeps one bit for used and cancelled. Only its logs tell them apart, and contracts cannot read logs:
        // the relay has to see AuthorizationUsed and Transfer in one transaction before it relays.
        cancelAuthorization();
        usdc.mint(address(forwarder), VALUE);
        relayPrepaidToProbe(0, pullData(0));
        assertEq(forwarder.fees(), VALUE);
    }

    /// when refunding as another than a relayer: it reverts with NotRelayer
    function test_RevertWhen_RefundingAsStranger() external {
        submitAuthorizationAlone();
        vm.prank(requester);
        expectError(IPaymentForwarder.NotRelayer.selector, requester);
        forwarder.refundPrepaid(authorization, signature);
    }

    /// when refunding what a relay spent: it reverts with AuthorizationSpent
    function test_RevertWhen_RefundingSpent() external {
        relayPaidToProbe(0, pullData(0));
        usdc.mint(address(forwarder), VALUE);
        expectError(IPrepaidMoney.AuthorizationSpent.selector, requester, "nonce");
        refund();
    }

    /// when refunding what never arrived: it reverts with AuthorizationNotUsed
    function test_RevertWhen_RefundingNothing() external {
        usdc.mint(address(forwarder), VALUE);
        expectError(IPrepaidMoney.AuthorizationNotUsed.selector, requester, "nonce");
        refund();
    }

    /// when refunding under another's signature: it reverts with InvalidAuthorizationSignature
    function test_RevertWhen_RefundingWithoutSignature() external {
        submitAuthorizationAlone();
        signature = Relay.sign(usdc, aliceKey, address(forwarder), authorization);
        expectError(IPrepaidMoney.InvalidAuthorizationSignature.selector, requester);
        refund();
    }

    /// when refunding what arrived alone: it gives the whole value back to the payer once
    function test_Refunds() external {
        uint256 before = usdc.balanceOf(requester);
        submitAuthorizationAlone();
        vm.expectEmit(address(forwarder));
        emit IPrepaidMoney.PrepaidRefunded(requester, "nonce", VALUE);
        refund();
        assertEq(usdc.balanceOf(requester), before);
        usdc.mint(address(forwarder), VALUE);
        expectError(IPrepaidMoney.AuthorizationSpent.selector, requester, "nonce");
        refund();
    }

    /// when refunding what arrived alone: it leaves our income alone
    function test_RefundLeavesIncome() external {
        relayPaidToProbe(0, pullData(0));
        authorize(aliceKey, VALUE);
        usdc.mint(alice, VALUE);
        submitAuthorizationAlone();
        refund();
        assertEq(forwarder.fees(), VALUE);
        assertEq(usdc.balanceOf(address(forwarder)), VALUE);
    }

    /// given the payer delegated its account since: it gives the value back on the key's signature
    function test_RefundsADelegatedAccount() external {
        submitAuthorizationAlone();
        uint256 before = usdc.balanceOf(requester);
        // EIP-7702, towards code that knows no signatures.
        vm.etch(requester, abi.encodePacked(hex"ef0100", address(probe)));
        refund();
        assertEq(usdc.balanceOf(requester), before + VALUE);
    }

    /// given the authorization was refunded: it reverts with AuthorizationSpent in a prepaid relay
    function test_RevertGiven_Refunded() external {
        submitAuthorizationAlone();
        refund();
        expectError(IPrepaidMoney.AuthorizationSpent.selector, requester, "nonce");
        relayPrepaidToProbe(0, pullData(0));
    }

    function refund() private {
        vm.prank(relayer);
        forwarder.refundPrepaid(authorization, signature);
    }

    function cancelAuthorization() private {
        bytes32 structHash = keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), requester, bytes32("nonce")));
        bytes32 digest = MessageHashUtils.toTypedDataHash(usdc.DOMAIN_SEPARATOR(), structHash);
        usdc.cancelAuthorization(requester, "nonce", Relay.signDigest(requesterKey, digest));
    }
}
