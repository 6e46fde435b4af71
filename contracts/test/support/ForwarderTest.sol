// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IPaymentForwarder, IPGTRForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {IPrepaidMoney} from "../../src/interfaces/IPrepaidMoney.sol";
import {Authorization, RelayMode, SuffixRule} from "../../src/types/RelayTypes.sol";
import {MarketTest} from "./MarketTest.sol";
import {Probe} from "./Probe.sol";
import {Relay} from "./Relay.sol";

/// @title A forwarder with a probe as target, and one signed authorization
abstract contract ForwarderTest is MarketTest {
    uint256 internal constant VALUE = 5000;
    bytes32 internal constant INTENT = "intent";
    bytes32 internal constant SALT = "salt";

    Probe internal probe;
    Authorization internal authorization;
    bytes internal signature;

    function setUp() public virtual override {
        super.setUp();
        probe = new Probe();
        bytes4[6] memory selectors = [
            Probe.pull.selector,
            Probe.push.selector,
            Probe.borrow.selector,
            Probe.refuse.selector,
            Probe.refuseSilently.selector,
            Probe.callBack.selector
        ];
        for (uint256 i; i < selectors.length; i++) {
            allow(address(probe), selectors[i], 11, SuffixRule.None, "");
        }
        authorize(requesterKey, VALUE);
    }

    function authorize(uint256 key, uint256 value) internal {
        authorization = Relay.authorizationOf(vm.addr(key), value, "nonce");
        signature = Relay.sign(usdc, key, address(forwarder), authorization);
    }

    /// @dev Submits the signed authorization alone, as any account that received it can.
    function submitAuthorizationAlone() internal {
        vm.prank(stranger);
        usdc.transferWithAuthorization(
            authorization.from,
            address(forwarder),
            authorization.value,
            authorization.validAfter,
            authorization.validBefore,
            authorization.nonce,
            signature
        );
    }

    function pullData(uint256 amount) internal view returns (bytes memory) {
        return abi.encodeCall(Probe.pull, (usdc, amount));
    }

    /// @dev Asserts that USDC that a target sent is no income, cannot be swept and created no allowance.
    function assertSentIsUnowned(uint256 amount, uint256 fees) internal view {
        assertEq(usdc.balanceOf(address(forwarder)), amount + fees);
        assertEq(forwarder.fees(), fees);
        assertEq(usdc.allowance(address(forwarder), address(probe)), 0);
    }

    function relayPaidToProbe(uint256 escrow, bytes memory data) internal returns (bytes memory) {
        vm.prank(relayer);
        return forwarder.relayPaid(INTENT, authorization, signature, escrow, address(probe), data);
    }

    function relayPrepaidToProbe(uint256 escrow, bytes memory data) internal returns (bytes memory) {
        vm.prank(relayer);
        return forwarder.relayPrepaid(INTENT, authorization, signature, escrow, address(probe), data);
    }

    /// @dev Binds a payment of VALUE of the requester to a call of the probe.
    function bindToProbe(uint256 escrow, bytes memory data) internal {
        authorization =
            Relay.authorizationOf(requester, VALUE, forwarder.boundNonceOf(address(probe), data, escrow, SALT));
        signature = Relay.signReceipt(usdc, requesterKey, address(forwarder), authorization);
    }

    function relayBoundToProbe(uint256 escrow, bytes memory data) internal returns (bytes memory) {
        vm.prank(relayer);
        return forwarder.relayBound(INTENT, authorization, signature, escrow, SALT, address(probe), data);
    }

    function setBoundOnly(address wallet, bool on) internal {
        vm.prank(wallet);
        forwarder.setBoundOnly(on);
    }

    /// @dev Submits an authorization of another payer alone.
    function prepayAs(uint256 key, uint256 value, bytes32 nonce)
        internal
        returns (Authorization memory lone, bytes memory loneSignature)
    {
        lone = Relay.authorizationOf(vm.addr(key), value, nonce);
        loneSignature = Relay.sign(usdc, key, address(forwarder), lone);
        usdc.mint(lone.from, value);
        usdc.transferWithAuthorization(
            lone.from, address(forwarder), value, lone.validAfter, lone.validBefore, nonce, loneSignature
        );
    }

    /// @dev Signs and cancels an authorization over money that its signer never had.
    function aCancelledAuthorization(uint256 key, uint256 value, bytes32 nonce)
        internal
        returns (Authorization memory cancelled, bytes memory cancelledSignature)
    {
        cancelled = Relay.authorizationOf(vm.addr(key), value, nonce);
        cancelledSignature = Relay.sign(usdc, key, address(forwarder), cancelled);
        usdc.cancelAuthorization(cancelled.from, nonce, Relay.signCancellation(usdc, key, nonce));
    }

    function expectRelayLogs(address actor, bytes4 selector, uint256 amount, bytes32 nonce, uint256 escrow) internal {
        vm.expectEmit(address(forwarder));
        emit IPGTRForwarder.PaymentGatedCall(actor, address(probe), selector, amount);
        vm.expectEmit(address(forwarder));
        emit IPaymentForwarder.IntentRelayed(INTENT, actor, selector, amount, nonce, escrow);
    }

    function expectRouteRefused(address target, bytes4 selector, RelayMode relayMode) internal {
        vm.expectRevert(abi.encodeWithSelector(IPaymentForwarder.RouteNotAllowed.selector, target, selector, relayMode));
    }

    function expectError(bytes4 selector, address first, bytes32 second) internal {
        vm.expectRevert(abi.encodeWithSelector(selector, first, second));
    }

    function expectNotCovered(uint256 available, uint256 value) internal {
        vm.expectRevert(abi.encodeWithSelector(IPrepaidMoney.PrepaidNotCovered.selector, available, value));
    }

    function expectMismatch(uint256 sent, int256 taken) internal {
        vm.expectRevert(abi.encodeWithSelector(IPaymentForwarder.EscrowMismatch.selector, sent, taken));
    }
}
