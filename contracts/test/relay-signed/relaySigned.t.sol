// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {RelayMode, SuffixRule} from "../../src/types/RelayTypes.sol";
import {ForwarderTest} from "../support/ForwarderTest.sol";
import {Probe} from "../support/Probe.sol";
import {Relay} from "../support/Relay.sol";
import {Wallet1271} from "../support/Wallet1271.sol";

contract RelaySignedTest is ForwarderTest {
    bytes32 private constant ID = 0xABCDEF0000000000000000000000000000000000000000000000000000000001;

    function setUp() public override {
        super.setUp();
        route(SuffixRule.None);
        signature = Relay.signMessage(aliceKey, "service:do:", ID, "");
    }

    /// when another than a relayer calls: it reverts with NotRelayer
    function test_RevertWhen_NotRelayer() external {
        vm.prank(alice);
        expectError(IPaymentForwarder.NotRelayer.selector, alice);
        forwarder.relaySigned(INTENT, alice, signature, "", address(probe), data());
    }

    /// given the intent acted already: it reverts with IntentAlreadyRelayed
    function test_RevertGiven_IntentActed() external {
        relay(alice, "");
        vm.expectRevert(abi.encodeWithSelector(IPaymentForwarder.IntentAlreadyRelayed.selector, INTENT));
        relay(alice, "");
    }

    /// when the route is for other relay modes: it reverts with RouteNotAllowed
    function test_RevertWhen_OtherModes() external {
        allow(address(probe), Probe.act.selector, 11, SuffixRule.None, "do");
        expectRouteRefused(address(probe), Probe.act.selector, RelayMode.Signed);
        relay(alice, "");
    }

    /// when the data has no task id: it reverts with NoTaskId
    function test_RevertWhen_NoTaskId() external {
        vm.prank(relayer);
        expectError(IPaymentForwarder.NoTaskId.selector);
        forwarder.relaySigned(
            INTENT, alice, signature, "", address(probe), abi.encodePacked(Probe.act.selector, bytes31(ID))
        );
    }

    /// when another signed: it reverts with InvalidActorSignature
    function test_RevertWhen_AnotherSigned() external {
        expectError(IPaymentForwarder.InvalidActorSignature.selector, bob);
        relay(bob, "");
    }

    /// when the message names another task: it reverts with InvalidActorSignature
    function test_RevertWhen_AnotherTask() external {
        signature = Relay.signMessage(aliceKey, "service:do:", "another", "");
        expectError(IPaymentForwarder.InvalidActorSignature.selector, alice);
        relay(alice, "");
    }

    /// when the message has another verb: it reverts with InvalidActorSignature
    function test_RevertWhen_AnotherVerb() external {
        signature = Relay.signMessage(aliceKey, "service:read:", ID, "");
        expectError(IPaymentForwarder.InvalidActorSignature.selector, alice);
        relay(alice, "");
    }

    /// when the actor is the zero address: it reverts with InvalidActorSignature
    function test_RevertWhen_ActorIsZeroAddress() external {
        // A malformed signature recovers to the zero address.
        signature = new bytes(65);
        expectError(IPaymentForwarder.InvalidActorSignature.selector, address(0));
        relay(address(0), "");
    }

    /// when the rule allows no suffix: it reverts with InvalidSuffix for any
    function test_RevertWhen_SuffixNotAllowed() external {
        signature = Relay.signMessage(aliceKey, "service:do:", ID, ":1");
        expectSuffixRefused(":1");
        relay(alice, ":1");
    }

    /// when the rule allows no suffix: it accepts the plain message
    function test_AcceptsThePlainMessage() external {
        relay(alice, "");
        assertEq(probe.calls(), 1);
    }

    /// when the rule binds the round: it accepts the plain message in round 0 only
    function test_PlainInRoundZeroOnly() external {
        route(SuffixRule.Round);
        relay(alice, "");
        probe.setRound(1);
        expectSuffixRefused("");
        relayAs("other intent", alice, "");
    }

    /// when the rule binds the round: it accepts the message of the present round only
    function test_BoundToThePresentRound() external {
        route(SuffixRule.Round);
        signature = Relay.signMessage(aliceKey, "service:do:", ID, ":12");
        expectSuffixRefused(":12");
        relay(alice, ":12");
        probe.setRound(12);
        relay(alice, ":12");
        assertEq(probe.lastActor(), alice);
        probe.setRound(13);
        expectSuffixRefused(":12");
        relayAs("other intent", alice, ":12");
    }

    /// when the rule binds content: it accepts the plain message
    function test_AcceptsThePlainMessageForContent() external {
        route(SuffixRule.Content);
        relay(alice, "");
        assertEq(probe.calls(), 1);
    }

    /// when the rule binds content: it accepts a suffix that starts with a colon
    function test_AcceptsContent() external {
        route(SuffixRule.Content);
        signature = Relay.signMessage(aliceKey, "service:do:", ID, ":key1,key2");
        relay(alice, ":key1,key2");
        assertEq(probe.lastActor(), alice);
    }

    /// when the rule binds content: it reverts with InvalidSuffix for a suffix without a colon
    function test_RevertWhen_ContentWithoutColon() external {
        route(SuffixRule.Content);
        expectSuffixRefused("00");
        relay(alice, "00");
    }

    /// when the rule binds content: it reverts with InvalidActorSignature for a suffix that was not signed
    function test_RevertWhen_ContentNotSigned() external {
        route(SuffixRule.Content);
        expectError(IPaymentForwarder.InvalidActorSignature.selector, alice);
        relay(alice, ":key1");
    }

    /// when the rule binds content: it reverts with InvalidSuffix for content that looks like a call
    function test_RevertWhen_ContentLooksLikeACall() external {
        route(SuffixRule.Content);
        string memory tail = Relay.callTail(address(forwarder), data());
        signature = Relay.signMessage(aliceKey, "service:do:", ID, tail);
        expectSuffixRefused(tail);
        relay(alice, tail);
        expectSuffixRefused(":call:");
        relay(alice, ":call:");
    }

    /// when the message is bound to the call: it accepts it where the rule binds content
    function test_AcceptsACallOfContent() external {
        route(SuffixRule.Content);
        signature = Relay.signMessage(aliceKey, "service:do:", ID, Relay.callTail(address(forwarder), data()));
        relay(alice, ":call");
        assertEq(probe.lastActor(), alice);
    }

    /// when the message is bound to the call: it accepts it where the rule binds the round with the round unless it is 0
    function test_AcceptsACallOfARound() external {
        route(SuffixRule.Round);
        string memory tail = Relay.callTail(address(forwarder), data());
        signature = Relay.signMessage(aliceKey, "service:do:", ID, tail);
        relay(alice, ":call");
        probe.setRound(12);
        expectError(IPaymentForwarder.InvalidActorSignature.selector, alice);
        relayAs("other intent", alice, ":call");
        signature = Relay.signMessage(aliceKey, "service:do:", ID, string.concat(":12", tail));
        relayAs("other intent", alice, ":call");
        assertEq(probe.calls(), 2);
    }

    /// when the message is bound to the call: it reverts with InvalidSuffix where the rule allows no suffix
    function test_RevertWhen_CallNotAllowed() external {
        signature = Relay.signMessage(aliceKey, "service:do:", ID, Relay.callTail(address(forwarder), data()));
        expectSuffixRefused(":call");
        relay(alice, ":call");
    }

    /// when the message is bound to the call: it reverts with InvalidActorSignature for other data of the same task
    function test_RevertWhen_OtherData() external {
        route(SuffixRule.Content);
        signature = Relay.signMessage(aliceKey, "service:do:", ID, Relay.callTail(address(forwarder), data()));
        vm.prank(relayer);
        expectError(IPaymentForwarder.InvalidActorSignature.selector, alice);
        forwarder.relaySigned(INTENT, alice, signature, ":call", address(probe), bytes.concat(data(), bytes32("more")));
    }

    /// when the message is bound to the call: it reverts with InvalidActorSignature on another chain
    function test_RevertWhen_OtherChain() external {
        route(SuffixRule.Content);
        signature = Relay.signMessage(aliceKey, "service:do:", ID, Relay.callTail(address(forwarder), data()));
        vm.chainId(84532);
        expectError(IPaymentForwarder.InvalidActorSignature.selector, alice);
        relay(alice, ":call");
    }

    /// when the message is bound to the call: it reverts with InvalidActorSignature for another forwarder
    function test_RevertWhen_OtherForwarder() external {
        route(SuffixRule.Content);
        signature = Relay.signMessage(aliceKey, "service:do:", ID, Relay.callTail(address(market), data()));
        expectError(IPaymentForwarder.InvalidActorSignature.selector, alice);
        relay(alice, ":call");
    }

    /// when the message is bound to the call: it accepts no plain message in its place
    function test_RevertWhen_PlainInPlaceOfTheCall() external {
        route(SuffixRule.Content);
        expectError(IPaymentForwarder.InvalidActorSignature.selector, alice);
        relay(alice, ":call");
    }

    /// when the actor signed: it names the signer as actor during the call only
    function test_NamesTheSigner() external {
        relay(alice, "");
        assertEq(probe.lastActor(), alice);
        assertEq(forwarder.pgtrSender(), address(0));
        assertTrue(forwarder.relayed(INTENT));
    }

    /// when the actor signed: it logs the relay
    function test_Logs() external {
        expectRelayLogs(alice, Probe.act.selector, 0, 0, 0);
        relay(alice, "");
    }

    /// when the actor signed: it writes the task id in lower case
    function test_WritesLowerCase() external {
        bytes memory message = "service:do:0xabcdef0000000000000000000000000000000000000000000000000000000001";
        signature = Relay.signDigest(aliceKey, MessageHashUtils.toEthSignedMessageHash(message));
        relay(alice, "");
        assertEq(probe.calls(), 1);
    }

    /// when the target tries to take money: it reverts as USDC does
    function test_RevertWhen_TargetTakes() external {
        usdc.mint(address(forwarder), 1e6);
        allow(address(probe), Probe.pull.selector, 4, SuffixRule.None, "do");
        signature = Relay.signMessage(aliceKey, "service:do:", wordOf(address(usdc)), "");
        vm.prank(relayer);
        vm.expectRevert("ERC20: transfer amount exceeds allowance");
        forwarder.relaySigned(INTENT, alice, signature, "", address(probe), pullData(1));
    }

    /// when the target sends money: it books none of it
    function test_BooksNothingSent() external {
        allow(address(probe), Probe.push.selector, 4, SuffixRule.None, "do");
        usdc.mint(address(probe), 7);
        signature = Relay.signMessage(aliceKey, "service:do:", wordOf(address(usdc)), "");
        vm.prank(relayer);
        forwarder.relaySigned(INTENT, alice, signature, "", address(probe), abi.encodeCall(Probe.push, (usdc, 7)));
        assertSentIsUnowned(7, 0);
    }

    /// when the actor is a contract wallet: it accepts the wallet's signature
    function test_AcceptsAContractWallet() external {
        address wallet = address(new Wallet1271(alice));
        relay(wallet, "");
        assertEq(probe.lastActor(), wallet);
    }

    /// when the actor is a contract wallet: it reverts with InvalidActorSignature for what the wallet refuses
    function test_RevertWhen_WalletRefuses() external {
        address wallet = address(new Wallet1271(bob));
        expectError(IPaymentForwarder.InvalidActorSignature.selector, wallet);
        relay(wallet, "");
    }

    /// when the actor has a key and code: it accepts the key's signature
    function test_AcceptsTheKey() external {
        vm.etch(alice, address(new Wallet1271(bob)).code);
        relay(alice, "");
        assertEq(probe.lastActor(), alice);
    }

    /// when the actor has a key and code: it accepts what only the code accepts
    function test_AcceptsTheCode() external {
        vm.etch(alice, address(new Wallet1271(bob)).code);
        signature = Relay.signMessage(bobKey, "service:do:", ID, "");
        relay(alice, "");
        assertEq(probe.lastActor(), alice);
    }

    function wordOf(address account) private pure returns (bytes32) {
        return bytes32(uint256(uint160(account)));
    }

    function route(SuffixRule rule) private {
        allow(address(probe), Probe.act.selector, 4, rule, "do");
    }

    function data() private pure returns (bytes memory) {
        return abi.encodeCall(Probe.act, (ID));
    }

    function relay(address actor, string memory suffix) private {
        relayAs(INTENT, actor, suffix);
    }

    function relayAs(bytes32 intentId, address actor, string memory suffix) private {
        vm.prank(relayer);
        forwarder.relaySigned(intentId, actor, signature, suffix, address(probe), data());
    }

    function expectSuffixRefused(string memory suffix) private {
        vm.expectRevert(abi.encodeWithSelector(IPaymentForwarder.InvalidSuffix.selector, suffix));
    }
}
