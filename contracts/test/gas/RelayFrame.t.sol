// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SuffixRule} from "../../src/types/RelayTypes.sol";
import {ForwarderTest} from "../support/ForwarderTest.sol";
import {Probe} from "../support/Probe.sol";
import {Relay} from "../support/Relay.sol";

/// @title Gas of the relay frame: whole transactions to a target that does nothing
/// @notice Run with the `gas` profile. `frame.direct` is the same call without a relay: the difference is the cost of
/// the relay. Forwarder, payer and target have held USDC and acted before.
contract RelayFrameTest is ForwarderTest {
    bytes32 private constant ID = keccak256("task");

    function setUp() public override {
        super.setUp();
        allow(address(probe), Probe.idle.selector, 15, SuffixRule.Content, "submit");
        allow(address(probe), Probe.act.selector, 4, SuffixRule.Round, "claim");
        usdc.mint(address(probe), 1);
        relayPaidToProbe(1, pullData(1));
        authorization = Relay.authorizationOf(requester, VALUE, keccak256("nonce"));
        signature = Relay.sign(usdc, requesterKey, address(forwarder), authorization);
    }

    function test_direct() external {
        vm.prank(alice);
        probe.idle(ID);
        vm.snapshotGasLastCall("frame.direct");
    }

    function test_open() external {
        vm.prank(relayer);
        forwarder.relayOpen(keccak256("open"), address(probe), idle());
        vm.snapshotGasLastCall("frame.open");
    }

    function test_signed() external {
        relaySigned(keccak256("plain"), "");
        vm.snapshotGasLastCall("frame.signed");
        relaySigned(keccak256("bound"), ":0xkey1,0xkey2");
        vm.snapshotGasLastCall("frame.signed with content");
        relaySigned(keccak256("plain") ^ bytes32(uint256(1)), "");
        vm.snapshotGasLastCall("frame.signed beside another intent");
    }

    function test_signedForTheCall() external {
        bytes memory message =
            Relay.signMessage(aliceKey, "service:submit:", ID, Relay.callTail(address(forwarder), idle()));
        vm.prank(relayer);
        forwarder.relaySigned(keccak256("call"), alice, message, ":call", address(probe), idle());
        vm.snapshotGasLastCall("frame.signed for the call");
    }

    function test_paid() external {
        vm.prank(relayer);
        forwarder.relayPaid(keccak256("paid"), authorization, signature, 0, address(probe), idle());
        vm.snapshotGasLastCall("frame.paid");
    }

    function test_paidWithEscrow() external {
        vm.prank(relayer);
        forwarder.relayPaid(keccak256("paid"), authorization, signature, VALUE, address(probe), pullData(VALUE));
        vm.snapshotGasLastCall("frame.paid with escrow");
    }

    function test_bound() external {
        bindToProbe(0, idle());
        vm.prank(relayer);
        forwarder.relayBound(keccak256("bound"), authorization, signature, 0, SALT, address(probe), idle());
        vm.snapshotGasLastCall("frame.bound");
    }

    function test_boundWithEscrow() external {
        bindToProbe(VALUE, pullData(VALUE));
        vm.prank(relayer);
        forwarder.relayBound(keccak256("bound"), authorization, signature, VALUE, SALT, address(probe), pullData(VALUE));
        vm.snapshotGasLastCall("frame.bound with escrow");
    }

    function test_announcedRefund() external {
        submitAuthorizationAlone();
        vm.prank(relayer);
        bytes32 refundId = forwarder.announceRefund(authorization, signature);
        vm.snapshotGasLastCall("frame.announceRefund");
        vm.warp(block.timestamp + 24 hours);
        vm.prank(stranger);
        forwarder.executeRefund(refundId);
        vm.snapshotGasLastCall("frame.executeRefund");
    }

    function test_setBoundOnly() external {
        vm.prank(alice);
        forwarder.setBoundOnly(true);
        vm.snapshotGasLastCall("frame.setBoundOnly");
        bytes memory off =
            Relay.signText(aliceKey, Relay.switchText(address(forwarder), alice, false, 1, block.timestamp + 60));
        uint256 validBefore = block.timestamp + 60;
        vm.prank(stranger);
        forwarder.setBoundOnlyFor(alice, false, 1, validBefore, off);
        vm.snapshotGasLastCall("frame.setBoundOnlyFor");
    }

    function test_prepaid() external {
        submitAuthorizationAlone();
        vm.prank(relayer);
        forwarder.relayPrepaid(keccak256("prepaid"), authorization, signature, 0, address(probe), idle());
        vm.snapshotGasLastCall("frame.prepaid");
    }

    function test_refundPrepaid() external {
        submitAuthorizationAlone();
        vm.prank(relayer);
        forwarder.refundPrepaid(authorization, signature);
        vm.snapshotGasLastCall("frame.refundPrepaid");
    }

    function relaySigned(bytes32 intentId, string memory suffix) private {
        bytes memory message = Relay.signMessage(aliceKey, "service:submit:", ID, suffix);
        vm.prank(relayer);
        forwarder.relaySigned(intentId, alice, message, suffix, address(probe), idle());
    }

    function idle() private pure returns (bytes memory) {
        return abi.encodeCall(Probe.idle, (ID));
    }
}
