// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPrepaidMoney} from "../../src/interfaces/IPrepaidMoney.sol";
import {Authorization} from "../../src/types/RelayTypes.sol";
import {ForwarderTest} from "../support/ForwarderTest.sol";

/// @title 400 USDC of alice that another account submitted, above every daily limit
abstract contract RefundTest is ForwarderTest {
    uint256 internal constant LARGE = 400e6;
    uint256 internal constant NOTICE = 24 hours;

    address internal guardian = makeAddr("guardian");
    Authorization internal large;
    bytes internal largeSignature;
    bytes32 internal refundId;

    function setUp() public virtual override {
        super.setUp();
        (large, largeSignature) = prepayAs(aliceKey, LARGE, "large");
        refundId = keccak256(abi.encode(relayer, alice, bytes32("large"), LARGE));
        vm.prank(owner);
        forwarder.setGuardian(guardian);
    }

    function announce() internal returns (bytes32) {
        vm.prank(relayer);
        return forwarder.announceRefund(large, largeSignature);
    }

    function execute() internal {
        vm.prank(stranger);
        forwarder.executeRefund(refundId);
    }

    function veto() internal {
        vm.prank(guardian);
        forwarder.vetoRefund(refundId);
    }

    function setRelayer(address account, bool allowed) internal {
        vm.prank(owner);
        forwarder.setRelayer(account, allowed);
    }

    function expectNotAnnounced() internal {
        vm.expectRevert(abi.encodeWithSelector(IPrepaidMoney.RefundNotAnnounced.selector, refundId));
    }

    function expectVoid() internal {
        vm.expectRevert(abi.encodeWithSelector(IPrepaidMoney.RefundVoid.selector, refundId));
    }
}
