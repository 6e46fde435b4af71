// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {IPrepaidMoney} from "../../src/interfaces/IPrepaidMoney.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Authorization, RelayMode, SuffixRule} from "../../src/types/RelayTypes.sol";
import {ForwarderTest} from "../support/ForwarderTest.sol";
import {Relay} from "../support/Relay.sol";

/// @notice A thief with a relayer key, who saw every payment and signature that was ever broadcast, against a forwarder
/// with fees, prepaid money, and a market with escrow.
contract RelayerThiefTest is ForwarderTest {
    address internal thief;
    uint256 internal thiefKey;
    bytes32 internal taskId;
    bytes internal seenSignature;
    uint256 internal forwarderBefore;

    function setUp() public override {
        super.setUp();
        (thief, thiefKey) = makeAddrAndKey("thief");
        vm.prank(owner);
        forwarder.setRelayer(thief, true);
        allowPaid(ITaskMarket.createTask.selector);
        allowPaid(ITaskMarket.acceptSubmission.selector);
        allow(address(market), ITaskMarket.submitWork.selector, 7, SuffixRule.Content, "submit");
        taskId = createBounty();
        seenSignature = Relay.signMessage(aliceKey, "service:submit:", taskId, "");
        vm.prank(relayer);
        forwarder.relaySigned(
            nextIntent(), alice, seenSignature, "", address(market), abi.encodeCall(market.submitWork, (taskId, "a1"))
        );
        relayPaidToProbe(0, pullData(0));
        usdc.mint(bob, 3000);
        Authorization memory lone = Relay.authorizationOf(bob, 3000, "lone");
        bytes memory loneSignature = Relay.sign(usdc, bobKey, address(forwarder), lone);
        usdc.transferWithAuthorization(
            bob, address(forwarder), 3000, lone.validAfter, lone.validBefore, "lone", loneSignature
        );
        forwarderBefore = usdc.balanceOf(address(forwarder));
        assertEq(forwarderBefore, VALUE + 3000);
    }

    function invariantsHold() private view {
        assertEq(usdc.balanceOf(thief), 0);
        assertEq(usdc.balanceOf(address(forwarder)), forwarderBefore);
        assertEq(usdc.balanceOf(address(market)), REWARD);
        assertEq(forwarder.fees(), VALUE);
        assertEq(usdc.allowance(address(forwarder), address(market)), 0);
        assertEq(usdc.allowance(address(forwarder), address(probe)), 0);
        assertEq(usdc.allowance(address(forwarder), thief), 0);
    }

    /// given a thief holds a relayer key: it gets no fees
    function test_GetsNoFees() external {
        vm.startPrank(thief);
        expectError(Ownable.OwnableUnauthorizedAccount.selector, thief);
        forwarder.sweepFees(thief);
        bytes memory steal = abi.encodeCall(usdc.transfer, (thief, VALUE));
        expectRouteRefused(address(usdc), usdc.transfer.selector, RelayMode.Open);
        forwarder.relayOpen("steal", address(usdc), steal);
        expectRouteRefused(address(usdc), usdc.approve.selector, RelayMode.Open);
        forwarder.relayOpen("steal", address(usdc), abi.encodeCall(usdc.approve, (thief, VALUE)));
        invariantsHold();
    }

    /// given a thief holds a relayer key: it gets no money by a signature of another payer
    function test_GetsNoMoneyByAnothersSignature() external {
        Authorization memory lone = Relay.authorizationOf(bob, 3000, "lone");
        bytes memory loneSignature = Relay.sign(usdc, bobKey, address(forwarder), lone);
        Authorization memory redirected = Relay.authorizationOf(thief, 3000, "lone");
        vm.startPrank(thief);
        expectError(IPrepaidMoney.InvalidAuthorizationSignature.selector, thief);
        forwarder.refundPrepaid(redirected, loneSignature);
        // With that signature it can only give the money back.
        forwarder.refundPrepaid(lone, loneSignature);
        assertEq(usdc.balanceOf(bob), 3000);
        assertEq(usdc.balanceOf(thief), 0);
    }

    /// given a thief holds a relayer key: it can take a payment that it saw before it was settled
    function test_CanTakeASeenPayment() external {
        usdc.mint(bob, REWARD);
        Authorization memory seen = Relay.authorizationOf(bob, REWARD, "seen");
        bytes memory seenPayment = Relay.sign(usdc, bobKey, address(forwarder), seen);
        (Authorization memory own, bytes memory ownSignature) = aCancelledAuthorization(thiefKey, REWARD, "own");
        vm.startPrank(thief);
        usdc.transferWithAuthorization(
            bob, address(forwarder), REWARD, seen.validAfter, seen.validBefore, "seen", seenPayment
        );
        forwarder.refundPrepaid(own, ownSignature);
        assertEq(usdc.balanceOf(thief), REWARD);
        // The payer's own refund is not covered any more. What others prepaid, fees and escrow are where they were.
        expectNotCovered(3000, REWARD);
        forwarder.refundPrepaid(seen, seenPayment);
        assertEq(usdc.balanceOf(address(forwarder)), forwarderBefore);
        assertEq(forwarder.fees(), VALUE);
        assertEq(usdc.balanceOf(address(market)), REWARD);
    }

    /// given a thief holds a relayer key: it can take prepaid money
    function test_CanTakePrepaidMoney() external {
        (Authorization memory own, bytes memory ownSignature) = aCancelledAuthorization(thiefKey, 3000, "own");
        vm.startPrank(thief);
        forwarder.refundPrepaid(own, ownSignature);
        assertEq(usdc.balanceOf(thief), 3000);
        assertEq(usdc.balanceOf(address(forwarder)), VALUE);
        expectError(IPrepaidMoney.AuthorizationSpent.selector, thief, "own");
        forwarder.refundPrepaid(own, ownSignature);
    }

    /// given a thief holds a relayer key: it can act with prepaid money
    function test_CanActWithPrepaidMoney() external {
        (Authorization memory own, bytes memory ownSignature) = aCancelledAuthorization(thiefKey, 3000, "own");
        vm.prank(thief);
        forwarder.relayPrepaid("x", own, ownSignature, 2000, address(probe), pullData(2000));
        assertEq(usdc.balanceOf(address(probe)), 2000);
        assertEq(usdc.balanceOf(address(forwarder)), forwarderBefore - 2000);
        assertEq(forwarder.fees(), VALUE + 1000);
    }

    /// given a thief holds a relayer key: it takes no more than the balance above the fees
    function test_TakesNoMoreThanIsAboveTheFees() external {
        (Authorization memory own, bytes memory ownSignature) = aCancelledAuthorization(thiefKey, 3001, "own");
        vm.startPrank(thief);
        expectNotCovered(3000, 3001);
        forwarder.refundPrepaid(own, ownSignature);
        expectNotCovered(3000, 3001);
        forwarder.relayPrepaid("x", own, ownSignature, 0, address(probe), pullData(0));
        vm.stopPrank();
        invariantsHold();
    }

    /// given a thief holds a relayer key: it cannot act again on a used authorization
    function test_CannotReplayAPayment() external {
        vm.startPrank(thief);
        vm.expectRevert("FiatTokenV2: authorization is used or canceled");
        forwarder.relayPaid("again", authorization, signature, 0, address(probe), pullData(0));
        expectError(IPrepaidMoney.AuthorizationSpent.selector, requester, "nonce");
        forwarder.relayPrepaid("again", authorization, signature, 0, address(probe), pullData(0));
        expectError(IPrepaidMoney.AuthorizationSpent.selector, requester, "nonce");
        forwarder.refundPrepaid(authorization, signature);
        invariantsHold();
    }

    /// given a thief holds a relayer key: it cannot act in a name that did not sign
    function test_CannotSpeakForOthers() external {
        bytes memory data = abi.encodeCall(market.submitWork, (taskId, "evil"));
        vm.startPrank(thief);
        expectError(IPaymentForwarder.InvalidActorSignature.selector, bob);
        forwarder.relaySigned("x", bob, seenSignature, "", address(market), data);
        Authorization memory forged = Relay.authorizationOf(requester, 1000, "forged");
        bytes memory forgedSignature = Relay.sign(usdc, thiefKey, address(forwarder), forged);
        vm.expectRevert("FiatTokenV2: invalid signature");
        forwarder.relayPaid(
            "x",
            forged,
            forgedSignature,
            0,
            address(market),
            abi.encodeCall(market.acceptSubmission, (taskId, alice, "a1"))
        );
        invariantsHold();
    }

    /// given a thief holds a relayer key: it cannot turn a signature to another task
    function test_CannotTurnASignature() external {
        bytes32 other = createBounty();
        vm.prank(thief);
        expectError(IPaymentForwarder.InvalidActorSignature.selector, alice);
        forwarder.relaySigned(
            "x", alice, seenSignature, "", address(market), abi.encodeCall(market.submitWork, (other, "a1"))
        );
    }

    /// given a thief holds a relayer key: it cannot turn a payment into more escrow than it holds
    function test_CannotInflateEscrow() external {
        uint256 accompliceKey = 0xBAD;
        address accomplice = vm.addr(accompliceKey);
        usdc.mint(accomplice, 1000);
        Authorization memory own = Relay.authorizationOf(accomplice, 1000, "own");
        bytes memory ownSignature = Relay.sign(usdc, accompliceKey, address(forwarder), own);
        vm.startPrank(thief);
        expectError(IPaymentForwarder.EscrowExceedsPayment.selector, 8000, 1000);
        forwarder.relayPaid("x", own, ownSignature, 8000, address(probe), pullData(8000));
        vm.expectRevert("ERC20: transfer amount exceeds allowance");
        forwarder.relayPaid("x", own, ownSignature, 1000, address(probe), pullData(8000));
        vm.stopPrank();
        invariantsHold();
    }

    /// given a thief holds a relayer key: it can commit other work to the same task under a submit signature it saw
    function test_CanRepeatASubmitSignature() external {
        // The interface's submit message names task and worker, not the deliverable: what a relay commits under it is
        // the relay's word. No money moves by it, and the requester sees whose artifacts are missing.
        vm.prank(thief);
        forwarder.relaySigned(
            "x", alice, seenSignature, "", address(market), abi.encodeCall(market.submitWork, (taskId, "other"))
        );
        assertEq(market.entryOf(taskId, alice).submissions, 2);
        invariantsHold();
    }

    /// when the owner removes the key: it can do nothing at all
    function test_CanDoNothingWithoutTheKey() external {
        vm.prank(owner);
        forwarder.setRelayer(thief, false);
        vm.startPrank(thief);
        expectError(IPaymentForwarder.NotRelayer.selector, thief);
        forwarder.relayOpen("x", address(probe), pullData(0));
        expectError(IPaymentForwarder.NotRelayer.selector, thief);
        forwarder.refundPrepaid(authorization, signature);
        invariantsHold();
    }

    /// when the owner removes the key: it can take no prepaid money
    function test_CanTakeNothingWithoutTheKey() external {
        (Authorization memory own, bytes memory ownSignature) = aCancelledAuthorization(thiefKey, 3000, "own");
        vm.prank(owner);
        forwarder.setRelayer(thief, false);
        vm.startPrank(thief);
        expectError(IPaymentForwarder.NotRelayer.selector, thief);
        forwarder.refundPrepaid(own, ownSignature);
        vm.stopPrank();
        invariantsHold();
    }
}
