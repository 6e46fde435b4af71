// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";
import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {IPrepaidMoney} from "../../src/interfaces/IPrepaidMoney.sol";
import {RelayMode, Route, SuffixRule} from "../../src/types/RelayTypes.sol";
import {ForwarderTest} from "../support/ForwarderTest.sol";
import {Probe} from "../support/Probe.sol";

contract ForwarderAdministrationTest is ForwarderTest {
    /// when another than the owner calls: it reverts with OwnableUnauthorizedAccount for every setting
    function test_RevertWhen_NotOwner() external {
        bytes[] memory calls = new bytes[](5);
        calls[0] = abi.encodeCall(forwarder.setRelayer, (relayer, true));
        calls[1] = abi.encodeCall(forwarder.setRoute, (aRoute(address(probe), 15)));
        calls[2] = abi.encodeCall(forwarder.sweepFees, (relayer));
        calls[3] = abi.encodeCall(forwarder.transferOwnership, (relayer));
        calls[4] = abi.encodeCall(forwarder.setGuardian, (relayer));
        for (uint256 i; i < calls.length; i++) {
            vm.prank(relayer);
            (bool success, bytes memory reason) = address(forwarder).call(calls[i]);
            assertFalse(success);
            assertEq(reason, abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, relayer));
        }
    }

    /// when a relayer is set: it allows and forbids and logs both
    function test_SetsRelayers() external {
        vm.expectEmit(address(forwarder));
        emit IPaymentForwarder.RelayerSet(alice, true);
        vm.startPrank(owner);
        forwarder.setRelayer(alice, true);
        assertTrue(forwarder.relayers(alice));
        vm.expectEmit(address(forwarder));
        emit IPaymentForwarder.RelayerSet(alice, false);
        forwarder.setRelayer(alice, false);
        assertFalse(forwarder.relayers(alice));
    }

    /// when a relayer is set: it refuses the guardian with GuardianIsRelayer
    function test_RevertWhen_RelayerIsGuardian() external {
        vm.startPrank(owner);
        forwarder.setGuardian(alice);
        expectError(IPrepaidMoney.GuardianIsRelayer.selector, alice);
        forwarder.setRelayer(alice, true);
        forwarder.setRelayer(alice, false);
    }

    /// when a guardian is set: it shows and logs the guardian
    function test_SetsTheGuardian() external {
        assertEq(forwarder.guardian(), address(0));
        vm.expectEmit(address(forwarder));
        emit IPrepaidMoney.GuardianSet(alice);
        vm.startPrank(owner);
        forwarder.setGuardian(alice);
        assertEq(forwarder.guardian(), alice);
        forwarder.setGuardian(address(0));
        assertEq(forwarder.guardian(), address(0));
        forwarder.setRelayer(alice, true);
    }

    /// when a guardian is set: it refuses a relayer with GuardianIsRelayer
    function test_RevertWhen_GuardianIsRelayer() external {
        vm.startPrank(owner);
        expectError(IPrepaidMoney.GuardianIsRelayer.selector, relayer);
        forwarder.setGuardian(relayer);
        forwarder.setRelayer(relayer, false);
        forwarder.setGuardian(relayer);
    }

    /// when a route is set: it shows and logs the route
    function test_SetsRoutes() external {
        Route memory route = aRoute(address(probe), 15);
        vm.expectEmit(address(forwarder));
        emit IPaymentForwarder.RouteSet(address(probe), Probe.act.selector, 15, SuffixRule.Content, "do");
        vm.prank(owner);
        forwarder.setRoute(route);
        (uint8 relayModes, SuffixRule rule, string memory verb) = forwarder.routeOf(address(probe), Probe.act.selector);
        assertEq(relayModes, 15);
        assertEq(uint8(rule), uint8(SuffixRule.Content));
        assertEq(verb, "do");
    }

    /// when a route is set: it closes without relay modes
    function test_ClosesRoutes() external {
        allow(address(probe), Probe.pull.selector, 0, SuffixRule.None, "");
        expectRouteRefused(address(probe), Probe.pull.selector, RelayMode.Paid);
        relayPaidToProbe(0, pullData(0));
    }

    /// when the route's target is USDC: it reverts with UsdcIsNeverATarget
    function test_RevertWhen_TargetIsUsdc() external {
        vm.prank(owner);
        expectError(IPaymentForwarder.UsdcIsNeverATarget.selector);
        forwarder.setRoute(aRoute(address(usdc), 15));
    }

    /// when the route's target has no code: it reverts with TargetHasNoCode
    function test_RevertWhen_TargetHasNoCode() external {
        vm.prank(owner);
        expectError(IPaymentForwarder.TargetHasNoCode.selector, alice);
        forwarder.setRoute(aRoute(alice, 15));
    }

    /// when the route's verb has more than 30 bytes: it reverts with VerbTooLong
    function test_RevertWhen_VerbTooLong() external {
        Route memory route = aRoute(address(probe), 15);
        route.verb = "a verb of thirty-one characters";
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IPaymentForwarder.VerbTooLong.selector, route.verb));
        forwarder.setRoute(route);
    }

    /// when sweeping to the zero address: it reverts with ZeroAddress
    function test_RevertWhen_SweepingToZeroAddress() external {
        vm.prank(owner);
        expectError(IPaymentForwarder.ZeroAddress.selector);
        forwarder.sweepFees(address(0));
        vm.prank(owner);
        expectError(IPaymentForwarder.ZeroAddress.selector);
        forwarder.sweepFees(address(forwarder));
    }

    /// when sweeping without fees: it reverts with NothingToSweep
    function test_RevertWhen_NoFees() external {
        submitAuthorizationAlone();
        vm.prank(owner);
        expectError(IPaymentForwarder.NothingToSweep.selector);
        forwarder.sweepFees(owner);
    }

    /// when sweeping fees: it takes the fees and nothing of what is prepaid
    function test_SweepsFees() external {
        relayPaidToProbe(1000, pullData(1000));
        usdc.mint(alice, 777);
        authorize(aliceKey, 777);
        submitAuthorizationAlone();
        vm.expectEmit(address(forwarder));
        emit IPaymentForwarder.FeesSwept(bob, 4000);
        vm.prank(owner);
        forwarder.sweepFees(bob);
        assertEq(usdc.balanceOf(bob), 4000);
        assertEq(usdc.balanceOf(address(forwarder)), 777);
        assertEq(forwarder.fees(), 0);
    }

    /// given several relayers earned fees: it takes those of all and of dismissed ones
    function test_SweepsFeesOfAll() external {
        relayPaidToProbe(0, pullData(0));
        vm.startPrank(owner);
        forwarder.setRelayer(bob, true);
        forwarder.setRelayer(relayer, false);
        forwarder.setRelayer(relayer, true);
        vm.stopPrank();
        usdc.mint(alice, 777);
        authorize(aliceKey, 777);
        vm.prank(bob);
        forwarder.relayPaid("other intent", authorization, signature, 0, address(probe), pullData(0));
        vm.startPrank(owner);
        forwarder.setRelayer(relayer, false);
        forwarder.setRelayer(bob, false);
        assertEq(forwarder.fees(), VALUE + 777);
        forwarder.sweepFees(owner);
        assertEq(usdc.balanceOf(owner), VALUE + 777);
        assertEq(forwarder.fees(), 0);
        assertEq(usdc.balanceOf(address(forwarder)), 0);
    }

    /// when ownership is transferred: it passes on when the new owner accepts
    function test_TransfersOwnershipInTwoSteps() external {
        vm.prank(owner);
        forwarder.transferOwnership(alice);
        assertEq(forwarder.owner(), owner);
        assertEq(forwarder.pendingOwner(), alice);
        vm.prank(alice);
        forwarder.acceptOwnership();
        assertEq(forwarder.owner(), alice);
    }

    /// when constructed without USDC: it reverts with ZeroAddress
    function test_RevertWhen_NoUsdc() external {
        expectError(IPaymentForwarder.ZeroAddress.selector);
        this.deployApart("PaymentForwarder", abi.encode(owner, address(0), "service"));
    }

    /// when constructed with too long a service name: it reverts with StringTooLong
    function test_RevertWhen_ServiceTooLong() external {
        string memory long = "a service name of more than 31 bytes";
        vm.expectRevert(abi.encodeWithSelector(ShortStrings.StringTooLong.selector, long));
        this.deployApart("PaymentForwarder", abi.encode(owner, usdc, long));
    }

    /// when constructed: it shows its setup
    function test_ShowsItsSetup() external view {
        assertEq(forwarder.owner(), owner);
        assertEq(forwarder.usdc(), address(usdc));
        assertEq(forwarder.serviceName(), "service");
        assertEq(forwarder.fees(), 0);
    }

    function aRoute(address target, uint8 relayModes) private pure returns (Route memory) {
        return Route(target, Probe.act.selector, relayModes, SuffixRule.Content, "do");
    }
}
