// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IBoundOnly} from "../../src/interfaces/IBoundOnly.sol";
import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {IPrepaidMoney} from "../../src/interfaces/IPrepaidMoney.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Authorization, SuffixRule} from "../../src/types/RelayTypes.sol";
import {ForwarderTest} from "../support/ForwarderTest.sol";
import {Relay} from "../support/Relay.sol";

/// @notice A thief with every relayer key against payments and messages that name their call.
contract BoundThiefTest is ForwarderTest {
    address private thief;
    uint256 private thiefKey;
    bytes32 private taskId;

    function setUp() public override {
        super.setUp();
        (thief, thiefKey) = makeAddrAndKey("thief");
        vm.startPrank(owner);
        forwarder.setRelayer(thief, true);
        forwarder.setRelayer(relayer, false);
        vm.stopPrank();
        allowPaid(ITaskMarket.createTask.selector);
        allowPaid(ITaskMarket.cancelTask.selector);
        allowPaid(ITaskMarket.acceptSubmission.selector);
        allow(address(market), ITaskMarket.submitWork.selector, 7, SuffixRule.Content, "submit");
        taskId = createBounty();
        submit(taskId, bob, "b1");
    }

    /// given a plain payment reached the thief: it can pay for another act of the payer
    function test_PlainPaysForAnotherAct() external {
        authorize(requesterKey, 1000);
        vm.prank(thief);
        forwarder.relayPaid("x", authorization, signature, 0, address(market), acceptBob());
        assertEq(usdc.balanceOf(bob), REWARD - REWARD * FEE_BPS / 10_000);
    }

    /// given a plain payment of a bound-only wallet reached the thief: it pays for no act of the wallet
    function test_PlainOfBoundOnlyPaysForNoAct() external {
        authorize(requesterKey, 1000);
        setBoundOnly(requester, true);
        vm.startPrank(thief);
        expectError(IBoundOnly.PayerTakesBoundOnly.selector, requester);
        forwarder.relayPaid("x", authorization, signature, 0, address(market), acceptBob());
        vm.stopPrank();
        submitAuthorizationAlone();
        vm.prank(thief);
        expectError(IBoundOnly.PayerTakesBoundOnly.selector, requester);
        forwarder.relayPrepaid("x", authorization, signature, 0, address(market), acceptBob());
    }

    /// given a plain payment of a bound-only wallet reached the thief: it is taken as any prepaid money
    function test_PlainOfBoundOnlyIsTaken() external {
        authorize(requesterKey, 1000);
        setBoundOnly(requester, true);
        submitAuthorizationAlone();
        (Authorization memory own, bytes memory ownSignature) = aCancelledAuthorization(thiefKey, 1000, "own");
        vm.startPrank(thief);
        forwarder.refundPrepaid(own, ownSignature);
        assertEq(usdc.balanceOf(thief), 1000);
        expectNotCovered(0, 1000);
        forwarder.refundPrepaid(authorization, signature);
    }

    /// given a bound payment reached the thief: it pays for no other act
    function test_BoundPaysForNoOtherAct() external {
        bytes memory data = abi.encodeCall(market.cancelTask, (taskId));
        bind(data, 0, 1000);
        bytes32 other = forwarder.boundNonceOf(address(market), acceptBob(), 0, SALT);
        vm.startPrank(thief);
        vm.expectRevert(abi.encodeWithSelector(IPaymentForwarder.PaymentNotBound.selector, other, authorization.nonce));
        forwarder.relayBound("x", authorization, signature, 0, SALT, address(market), acceptBob());
        vm.expectRevert("FiatTokenV2: invalid signature");
        forwarder.relayPaid("x", authorization, signature, 0, address(market), acceptBob());
    }

    /// given a bound payment reached the thief: it never becomes prepaid money
    function test_BoundNeverBecomesPrepaid() external {
        bytes memory data = abi.encodeCall(market.cancelTask, (taskId));
        bind(data, 0, 1000);
        vm.startPrank(thief);
        vm.expectRevert("FiatTokenV2: caller must be the payee");
        usdc.receiveWithAuthorization(
            requester,
            address(forwarder),
            1000,
            authorization.validAfter,
            authorization.validBefore,
            authorization.nonce,
            signature
        );
        expectError(IPrepaidMoney.InvalidAuthorizationSignature.selector, requester);
        forwarder.refundPrepaid(authorization, signature);
        expectError(IPrepaidMoney.InvalidAuthorizationSignature.selector, requester);
        forwarder.announceRefund(authorization, signature);
        assertEq(usdc.balanceOf(address(forwarder)), 0);
    }

    /// given a bound payment reached the thief: it covers no refund of a cancelled payment
    function test_BoundCoversNoRefund() external {
        bytes memory data = abi.encodeCall(market.cancelTask, (taskId));
        bind(data, 0, 1000);
        (Authorization memory own, bytes memory ownSignature) = aCancelledAuthorization(thiefKey, 1000, "own");
        vm.startPrank(thief);
        vm.expectRevert("FiatTokenV2: invalid signature");
        usdc.transferWithAuthorization(
            requester,
            address(forwarder),
            1000,
            authorization.validAfter,
            authorization.validBefore,
            authorization.nonce,
            signature
        );
        expectNotCovered(0, 1000);
        forwarder.refundPrepaid(own, ownSignature);
        expectNotCovered(0, 1000);
        forwarder.relayPrepaid("x", own, ownSignature, 0, address(market), acceptBob());
    }

    /// given a bound payment reached the thief: it acts as signed
    function test_BoundActsAsSigned() external {
        bytes memory data = abi.encodeCall(market.acceptSubmission, (taskId, bob, "b1"));
        bind(data, 0, 1000);
        vm.prank(thief);
        forwarder.relayBound("any", authorization, signature, 0, SALT, address(market), data);
        assertEq(usdc.balanceOf(bob), REWARD - REWARD * FEE_BPS / 10_000);
    }

    /// given a submission bound to its call reached the thief: it commits no other delivery
    function test_CommitsNoOtherDelivery() external {
        bytes memory data = abi.encodeCall(market.submitWork, (taskId, "a1"));
        bytes memory message =
            Relay.signMessage(aliceKey, "service:submit:", taskId, Relay.callTail(address(forwarder), data));
        vm.startPrank(thief);
        expectError(IPaymentForwarder.InvalidActorSignature.selector, alice);
        forwarder.relaySigned(
            "x", alice, message, ":call", address(market), abi.encodeCall(market.submitWork, (taskId, "other"))
        );
        forwarder.relaySigned("x", alice, message, ":call", address(market), data);
        assertEq(market.entryOf(taskId, alice).submissions, 1);
    }

    /// given a plain submission of a bound-only wallet reached the thief: it commits nothing
    function test_PlainSubmissionCommitsNothing() external {
        setBoundOnly(alice, true);
        bytes memory message = Relay.signMessage(aliceKey, "service:submit:", taskId, "");
        vm.prank(thief);
        expectError(IBoundOnly.PayerTakesBoundOnly.selector, alice);
        forwarder.relaySigned(
            "x", alice, message, "", address(market), abi.encodeCall(market.submitWork, (taskId, "other"))
        );
    }

    /// given the message of an upload reached the thief: it commits nothing
    function test_UploadCommitsNothing() external {
        string memory text = string.concat(
            "service:upload:8453:",
            vm.toLowercase(vm.toString(address(forwarder))),
            ":",
            vm.toString(taskId),
            ":",
            vm.toLowercase(vm.toString(alice))
        );
        bytes memory message = Relay.signText(aliceKey, text);
        bytes memory data = abi.encodeCall(market.submitWork, (taskId, "other"));
        string[3] memory suffixes = ["", ":call", string.concat(":", vm.toLowercase(vm.toString(alice)))];
        for (uint256 i; i < suffixes.length; i++) {
            vm.prank(thief);
            expectError(IPaymentForwarder.InvalidActorSignature.selector, alice);
            forwarder.relaySigned("x", alice, message, suffixes[i], address(market), data);
        }
    }

    /// given the owner gives another function the word of a message: it allows that function by a plain message
    function test_PlainMessageAllowsAnyFunction() external {
        // The requester agreed to take a task back, and the owner makes an acceptance of it.
        bytes memory message = Relay.signMessage(requesterKey, "service:forfeit:", taskId, "");
        allow(address(market), ITaskMarket.acceptSubmission.selector, 4, SuffixRule.Content, "forfeit");
        vm.prank(thief);
        forwarder.relaySigned("x", requester, message, "", address(market), acceptBob());
        assertEq(usdc.balanceOf(bob), REWARD - REWARD * FEE_BPS / 10_000);
    }

    /// given the owner gives another function the word of a message: it allows nothing by a message that is bound to its call
    function test_BoundMessageAllowsNoOtherFunction() external {
        bytes memory data = abi.encodeCall(market.forfeitAndReopen, (taskId));
        bytes memory message =
            Relay.signMessage(requesterKey, "service:forfeit:", taskId, Relay.callTail(address(forwarder), data));
        allow(address(market), ITaskMarket.acceptSubmission.selector, 4, SuffixRule.Content, "forfeit");
        vm.prank(thief);
        expectError(IPaymentForwarder.InvalidActorSignature.selector, requester);
        forwarder.relaySigned("x", requester, message, ":call", address(market), acceptBob());
    }

    /// given 100 USDC are prepaid: it takes the daily limit at once and the rest after an unseen announcement alone
    function test_TakesTheDailyLimit() external {
        prepayAs(bobKey, 100e6, "lone");
        (Authorization memory first, bytes memory firstSignature) = aCancelledAuthorization(thiefKey, 25e6, "first");
        (Authorization memory second, bytes memory secondSignature) = aCancelledAuthorization(thiefKey, 75e6, "second");
        vm.startPrank(thief);
        forwarder.refundPrepaid(first, firstSignature);
        vm.expectRevert(abi.encodeWithSelector(IPrepaidMoney.PrepaidLimitReached.selector, 0, 75e6));
        forwarder.refundPrepaid(second, secondSignature);
        bytes32 refundId = forwarder.announceRefund(second, secondSignature);
        vm.stopPrank();
        assertEq(usdc.balanceOf(thief), 25e6);
        vm.prank(owner);
        forwarder.setRelayer(thief, false);
        vm.warp(block.timestamp + 24 hours);
        vm.expectRevert(abi.encodeWithSelector(IPrepaidMoney.RefundVoid.selector, refundId));
        forwarder.executeRefund(refundId);
        assertEq(usdc.balanceOf(address(forwarder)), 75e6);
    }

    /// given the thief announced a refund: it cannot set the guardian or veto in its place
    function test_CannotReplaceTheGuardian() external {
        prepayAs(bobKey, 100e6, "lone");
        (Authorization memory own, bytes memory ownSignature) = aCancelledAuthorization(thiefKey, 100e6, "own");
        vm.prank(owner);
        forwarder.setGuardian(alice);
        vm.prank(thief);
        bytes32 refundId = forwarder.announceRefund(own, ownSignature);
        vm.prank(thief);
        expectError(IPrepaidMoney.NotGuardian.selector, thief);
        forwarder.vetoRefund(refundId);
        vm.prank(alice);
        forwarder.vetoRefund(refundId);
        vm.warp(block.timestamp + 24 hours);
        vm.expectRevert(abi.encodeWithSelector(IPrepaidMoney.RefundNotAnnounced.selector, refundId));
        forwarder.executeRefund(refundId);
    }

    function acceptBob() private view returns (bytes memory) {
        return abi.encodeCall(market.acceptSubmission, (taskId, bob, "b1"));
    }

    function bind(bytes memory data, uint256 escrow, uint256 value) private {
        bytes32 nonce = forwarder.boundNonceOf(address(market), data, escrow, SALT);
        authorization = Relay.authorizationOf(requester, value, nonce);
        signature = Relay.signReceipt(usdc, requesterKey, address(forwarder), authorization);
    }
}
