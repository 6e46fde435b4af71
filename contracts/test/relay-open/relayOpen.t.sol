// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {RelayMode, SuffixRule} from "../../src/types/RelayTypes.sol";
import {ForwarderTest} from "../support/ForwarderTest.sol";
import {Probe} from "../support/Probe.sol";

contract RelayOpenTest is ForwarderTest {
    /// when another than a relayer calls: it reverts with NotRelayer
    function test_RevertWhen_NotRelayer() external {
        vm.prank(alice);
        expectError(IPaymentForwarder.NotRelayer.selector, alice);
        forwarder.relayOpen(INTENT, address(probe), pullData(0));
    }

    /// given the intent acted already: it reverts with IntentAlreadyRelayed
    function test_RevertGiven_IntentActed() external {
        relay(address(probe), pullData(0));
        vm.expectRevert(abi.encodeWithSelector(IPaymentForwarder.IntentAlreadyRelayed.selector, INTENT));
        relay(address(probe), pullData(0));
    }

    /// when the route is for other relay modes: it reverts with RouteNotAllowed
    function test_RevertWhen_OtherModes() external {
        allow(address(probe), Probe.pull.selector, 7, SuffixRule.None, "");
        expectRouteRefused(address(probe), Probe.pull.selector, RelayMode.Open);
        relay(address(probe), pullData(0));
    }

    /// when the target tries to take money: it reverts as USDC does
    function test_RevertWhen_TargetTakes() external {
        usdc.mint(address(forwarder), 1e6);
        vm.expectRevert("ERC20: transfer amount exceeds allowance");
        relay(address(probe), pullData(1));
    }

    /// when the target sends money: it books none of it
    function test_BooksNothingSent() external {
        usdc.mint(address(probe), 7);
        relay(address(probe), abi.encodeCall(Probe.push, (usdc, 7)));
        assertSentIsUnowned(7, 0);
    }

    /// when the route allows it: it names no actor
    function test_NamesNoActor() external {
        relayPaidToProbe(0, pullData(0));
        vm.prank(relayer);
        forwarder.relayOpen("other intent", address(probe), pullData(0));
        assertEq(probe.lastActor(), address(0));
        assertEq(probe.calls(), 2);
    }

    /// when the route allows it: it logs the relay
    function test_Logs() external {
        expectRelayLogs(address(0), Probe.pull.selector, 0, 0, 0);
        relay(address(probe), pullData(0));
    }

    /// when the market needs an actor: it reverts with ActorRequired
    function test_RevertWhen_MarketNeedsAnActor() external {
        allow(address(market), ITaskMarket.cancelTask.selector, 8, SuffixRule.None, "");
        bytes32 taskId = createBounty();
        expectError(ITaskMarket.ActorRequired.selector);
        relay(address(market), abi.encodeCall(market.cancelTask, (taskId)));
    }

    function relay(address target, bytes memory data) private {
        vm.prank(relayer);
        forwarder.relayOpen(INTENT, target, data);
    }
}
