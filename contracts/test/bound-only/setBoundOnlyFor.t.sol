// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IBoundOnly} from "../../src/interfaces/IBoundOnly.sol";
import {ForwarderTest} from "../support/ForwarderTest.sol";
import {Relay} from "../support/Relay.sol";
import {Wallet1271} from "../support/Wallet1271.sol";

contract SetBoundOnlyForTest is ForwarderTest {
    uint256 private validBefore;

    function setUp() public override {
        super.setUp();
        validBefore = block.timestamp + 60;
    }

    /// when the wallet signed the switch: it sets it for any caller and logs the next counter
    function test_SetsForAnyCaller() external {
        vm.expectEmit(address(forwarder));
        emit IBoundOnly.BoundOnlySet(alice, true, 1);
        set(true, 0, sign(true, 0));
        assertTrue(forwarder.boundOnly(alice));
        assertEq(forwarder.boundOnlyCounter(alice), 1);
        set(false, 1, sign(false, 1));
        assertFalse(forwarder.boundOnly(alice));
    }

    /// when the counter was used: it reverts with WrongCounter
    function test_RevertWhen_CounterWasUsed() external {
        bytes memory on = sign(true, 0);
        set(true, 0, on);
        set(false, 1, sign(false, 1));
        expectCounter(2, 0);
        set(true, 0, on);
    }

    /// when the counter is a later one: it reverts with WrongCounter
    function test_RevertWhen_CounterIsLater() external {
        bytes memory later = sign(true, 1);
        expectCounter(0, 1);
        set(true, 1, later);
    }

    /// given the wallet set it by a call since: it reverts with WrongCounter
    function test_RevertGiven_SetByACall() external {
        bytes memory off = sign(false, 0);
        setBoundOnly(alice, true);
        expectCounter(1, 0);
        set(false, 0, off);
        assertTrue(forwarder.boundOnly(alice));
    }

    /// when the window is over: it reverts with SwitchExpired
    function test_RevertWhen_Expired() external {
        bytes memory on = sign(true, 0);
        vm.warp(validBefore);
        vm.expectRevert(abi.encodeWithSelector(IBoundOnly.SwitchExpired.selector, validBefore));
        set(true, 0, on);
    }

    /// when the last second of the window runs: it sets it
    function test_SetsInTheLastSecond() external {
        bytes memory on = sign(true, 0);
        vm.warp(validBefore - 1);
        set(true, 0, on);
        assertTrue(forwarder.boundOnly(alice));
    }

    /// when the wallet signed the opposite: it reverts with InvalidSwitchSignature
    function test_RevertWhen_Opposite() external {
        bytes memory off = sign(false, 0);
        expectError(IBoundOnly.InvalidSwitchSignature.selector, alice);
        set(true, 0, off);
    }

    /// when the wallet signed another time: it reverts with InvalidSwitchSignature
    function test_RevertWhen_OtherTime() external {
        bytes memory on = sign(true, 0);
        validBefore++;
        expectError(IBoundOnly.InvalidSwitchSignature.selector, alice);
        set(true, 0, on);
    }

    /// when another account signed: it reverts with InvalidSwitchSignature
    function test_RevertWhen_AnotherSigned() external {
        bytes memory forged = Relay.signText(bobKey, text(alice, true, 0));
        expectError(IBoundOnly.InvalidSwitchSignature.selector, alice);
        set(true, 0, forged);
    }

    /// when the wallet signed for another chain: it reverts with InvalidSwitchSignature
    function test_RevertWhen_OtherChain() external {
        bytes memory on = sign(true, 0);
        vm.chainId(84532);
        expectError(IBoundOnly.InvalidSwitchSignature.selector, alice);
        set(true, 0, on);
    }

    /// when the wallet signed for another forwarder: it reverts with InvalidSwitchSignature
    function test_RevertWhen_OtherForwarder() external {
        bytes memory on = Relay.signText(aliceKey, Relay.switchText(address(market), alice, true, 0, validBefore));
        expectError(IBoundOnly.InvalidSwitchSignature.selector, alice);
        set(true, 0, on);
    }

    /// when the wallet is a contract: it accepts what the contract accepts
    function test_AcceptsAContractWallet() external {
        address wallet = address(new Wallet1271(alice));
        forwarder.setBoundOnlyFor(wallet, true, 0, validBefore, Relay.signText(aliceKey, text(wallet, true, 0)));
        assertTrue(forwarder.boundOnly(wallet));
    }

    /// when the wallet is a contract: it reverts with InvalidSwitchSignature for what the contract refuses
    function test_RevertWhen_WalletRefuses() external {
        address wallet = address(new Wallet1271(alice));
        bytes memory refused = Relay.signText(bobKey, text(wallet, true, 0));
        expectError(IBoundOnly.InvalidSwitchSignature.selector, wallet);
        forwarder.setBoundOnlyFor(wallet, true, 0, validBefore, refused);
    }

    function set(bool on, uint256 counter, bytes memory signed) private {
        vm.prank(stranger);
        forwarder.setBoundOnlyFor(alice, on, counter, validBefore, signed);
    }

    function sign(bool on, uint256 counter) private view returns (bytes memory) {
        return Relay.signText(aliceKey, text(alice, on, counter));
    }

    function text(address wallet, bool on, uint256 counter) private view returns (string memory) {
        return Relay.switchText(address(forwarder), wallet, on, counter, validBefore);
    }

    function expectCounter(uint256 expected, uint256 given) private {
        vm.expectRevert(abi.encodeWithSelector(IBoundOnly.WrongCounter.selector, expected, given));
    }
}
