// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {stdError} from "forge-std/StdError.sol";
import {IdentityRegistrar} from "../../src/IdentityRegistrar.sol";
import {IIdentityRegistrar} from "../../src/interfaces/IIdentityRegistrar.sol";
import {Authorization, SuffixRule} from "../../src/types/RelayTypes.sol";
import {MarketTest} from "../support/MarketTest.sol";
import {Relay} from "../support/Relay.sol";
import {Wallet1271} from "../support/Wallet1271.sol";
import {MisbehavingRegistry} from "./MisbehavingRegistry.sol";

contract IdentityRegistrarTest is MarketTest {
    string private constant URI = "https://example.org/agent.json";
    string private constant BASE = "https://example.org/api/agents/";

    IdentityRegistrar private registrar;
    MisbehavingRegistry private hostile;
    /// @dev A registrar over a registry that misbehaves.
    IdentityRegistrar private misled;

    function setUp() public override {
        super.setUp();
        registrar = IdentityRegistrar(deploy("IdentityRegistrar", abi.encode(identity, forwarder, BASE)));
        hostile = new MisbehavingRegistry();
        misled = IdentityRegistrar(deploy("IdentityRegistrar", abi.encode(hostile, forwarder, BASE)));
        allow(address(registrar), registrar.register.selector, 11, SuffixRule.None, "");
        allow(address(registrar), registrar.registerFor.selector, 8, SuffixRule.None, "");
    }

    /// when constructed without a registry or forwarder: it reverts with ZeroAddress
    function test_RevertWhen_Incomplete() external {
        expectError(IIdentityRegistrar.ZeroAddress.selector);
        this.deployApart("IdentityRegistrar", abi.encode(address(0), forwarder, BASE));
        expectError(IIdentityRegistrar.ZeroAddress.selector);
        this.deployApart("IdentityRegistrar", abi.encode(identity, address(0), BASE));
    }

    /// when constructed: it shows both
    function test_ShowsBoth() external view {
        assertEq(registrar.registry(), address(identity));
        assertEq(registrar.forwarder(), address(forwarder));
    }

    /// when constructed: it derives default URIs from its base
    function test_DerivesDefaultURIs() external view {
        assertEq(
            registrar.defaultURIOf(0xABcdEFABcdEFabcdEfAbCdefabcdeFABcDEFabCD),
            "https://example.org/api/agents/0xabcdefabcdefabcdefabcdefabcdefabcdefabcd/registration"
        );
        assertEq(
            registrar.defaultURIOf(address(0)),
            "https://example.org/api/agents/0x0000000000000000000000000000000000000000/registration"
        );
    }

    /// when an account registers itself: it mints the agent and hands it over
    function test_HandsOver() external {
        vm.prank(bob);
        identity.register();
        (uint256 agentId, bool already) = register(alice);
        assertEq(agentId, 1);
        assertFalse(already);
        assertEq(identity.ownerOf(1), alice);
        assertEq(identity.tokenURI(1), URI);
        assertRegistered(alice, 1);
    }

    /// when an account registers itself: it logs the registration
    function test_Logs() external {
        vm.expectEmit(address(registrar));
        emit IIdentityRegistrar.AgentRegistered(alice, 0, URI);
        register(alice);
    }

    /// when an account registers itself: it knows agent 0 from none
    function test_KnowsAgentZero() external {
        assertNotRegistered(alice);
        (uint256 agentId,) = register(alice);
        assertEq(agentId, 0);
        assertRegistered(alice, 0);
        assertNotRegistered(bob);
    }

    /// when an account registers itself without a URI: it uses the default URI of the account
    function test_UsesTheDefaultURI() external {
        string memory expected = registrar.defaultURIOf(alice);
        vm.expectEmit(address(registrar));
        emit IIdentityRegistrar.AgentRegistered(alice, 0, expected);
        vm.prank(alice);
        registrar.register("");
        assertEq(identity.tokenURI(0), expected);
    }

    /// when the forwarder registers for a payer: it registers the payer
    function test_RegistersThePayer() external {
        relayRegistration();
        assertEq(identity.ownerOf(0), requester);
        assertRegistered(requester, 0);
        assertNotRegistered(address(forwarder));
        assertEq(forwarder.fees(), 1000);
    }

    /// when the forwarder registers for a payer: it returns id and novelty through the forwarder
    function test_ReturnsThroughTheForwarder() external {
        assertEq(relayRegistration(), abi.encode(0, false));
        assertEq(relayRegistration(), abi.encode(0, true));
    }

    /// when the forwarder names the zero address: it reverts with ActorRequired
    function test_RevertWhen_ActorIsZeroAddress() external {
        vm.prank(relayer);
        expectError(IIdentityRegistrar.ActorRequired.selector);
        forwarder.relayOpen("open", address(registrar), abi.encodeCall(registrar.register, (URI)));
    }

    /// given the account is registered: it returns the same id and mints nothing
    function test_RegistersOnce() external {
        register(alice);
        vm.recordLogs();
        vm.prank(alice);
        (uint256 agentId, bool already) = registrar.register("https://example.org/other.json");
        assertEq(agentId, 0);
        assertTrue(already);
        assertEq(vm.getRecordedLogs().length, 1);
        assertEq(identity.balanceOf(alice), 1);
        assertEq(identity.tokenURI(0), URI);
    }

    /// given the account is registered: it logs the id that it found
    function test_LogsWhatItFound() external {
        register(alice);
        expectFound(alice, 0);
        register(alice);
    }

    /// given the account is registered: it finds it registered directly and relayed alike
    function test_OneRegistrationEitherWay() external {
        register(requester);
        assertEq(relayRegistration(), abi.encode(0, true));
        assertEq(identity.balanceOf(requester), 1);
    }

    /// when the forwarder registers an account that did not ask: it mints the agent under the default URI
    function test_RegistersAnother() external {
        string memory expected = registrar.defaultURIOf(alice);
        vm.expectEmit(address(registrar));
        emit IIdentityRegistrar.AgentRegistered(alice, 0, expected);
        relayFor(alice);
        assertEq(identity.ownerOf(0), alice);
        assertEq(identity.tokenURI(0), expected);
        assertRegistered(alice, 0);
        assertFalse(identity.isAuthorizedOrOwner(address(registrar), 0));
    }

    /// when the forwarder registers an account that did not ask: it records that the account was registered
    function test_RecordsTheAccount() external {
        assertFalse(registrar.wasRegisteredFor(alice));
        relayFor(alice);
        assertTrue(registrar.wasRegisteredFor(alice));
        assertFalse(registrar.wasRegisteredFor(bob));
    }

    /// when the forwarder registers an account that did not ask: it returns through the forwarder
    function test_ReturnsAnotherThroughTheForwarder() external {
        assertEq(relayFor(alice), abi.encode(0, false));
        assertEq(relayFor(alice), abi.encode(0, true));
    }

    /// when another than the forwarder registers an account that did not ask: it reverts with NotForwarder
    function test_RevertWhen_NotForwarder() external {
        vm.prank(relayer);
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistrar.NotForwarder.selector, relayer));
        registrar.registerFor(alice);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistrar.NotForwarder.selector, alice));
        registrar.registerFor(alice);
    }

    /// when the forwarder registers the zero address: it reverts with ZeroAddress
    function test_RevertWhen_ZeroAccount() external {
        vm.expectRevert(IIdentityRegistrar.ZeroAddress.selector);
        relayFor(address(0));
    }

    /// given the forwarder registered the account before: it finds the agent and mints nothing
    function test_RegistersAnotherOnce() external {
        relayFor(alice);
        expectFound(alice, 0);
        relayFor(alice);
        assertEq(identity.balanceOf(alice), 1);
    }

    /// given the forwarder registered the account before: it reverts with RegisteredBefore after a transfer
    function test_RevertGiven_RegisteredBefore() external {
        relayFor(alice);
        giveAway(alice, bob, 0);
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistrar.RegisteredBefore.selector, alice));
        relayFor(alice);
        assertNotRegistered(alice);
    }

    /// given the forwarder registered the account before: it lets the account register itself
    function test_RegistersItselfAfterwards() external {
        relayFor(alice);
        giveAway(alice, bob, 0);
        (uint256 agentId, bool already) = register(alice);
        assertEq(agentId, 1);
        assertFalse(already);
    }

    /// given the account registered itself before: it finds the agent and mints nothing
    function test_FindsItsOwnRegistration() external {
        register(alice);
        expectFound(alice, 0);
        assertEq(relayFor(alice), abi.encode(0, true));
        assertFalse(registrar.wasRegisteredFor(alice));
        assertEq(identity.balanceOf(alice), 1);
    }

    /// given the account registered itself before: it mints once when the account gave the agent away
    function test_MintsOnceAfterItsOwn() external {
        register(alice);
        giveAway(alice, bob, 0);
        assertEq(relayFor(alice), abi.encode(1, false));
        giveAway(alice, bob, 1);
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistrar.RegisteredBefore.selector, alice));
        relayFor(alice);
    }

    /// given the account gave its agent away: it is not registered and neither is the new owner
    function test_NotRegisteredWithoutTheAgent() external {
        register(alice);
        giveAway(alice, bob, 0);
        assertNotRegistered(alice);
        assertNotRegistered(bob);
    }

    /// given the account gave its agent away: it gets a new agent
    function test_GetsANewAgent() external {
        register(alice);
        giveAway(alice, bob, 0);
        (uint256 agentId, bool already) = register(alice);
        assertEq(agentId, 1);
        assertFalse(already);
        assertRegistered(alice, 1);
        assertEq(identity.ownerOf(0), bob);
    }

    /// given the account gave its agent away: it is registered again when the agent comes back
    function test_RegisteredWhenItComesBack() external {
        register(alice);
        giveAway(alice, bob, 0);
        giveAway(bob, alice, 0);
        assertRegistered(alice, 0);
        (, bool already) = register(alice);
        assertTrue(already);
    }

    /// given the account has an agent from elsewhere: it gets another one
    function test_DoesNotKnowAgentsFromElsewhere() external {
        vm.prank(alice);
        identity.register();
        assertNotRegistered(alice);
        register(alice);
        assertRegistered(alice, 1);
        assertEq(identity.balanceOf(alice), 2);
    }

    /// given the account was sent an agent: it is not registered until it adopts the agent
    function test_AdoptsAnAgent() external {
        vm.prank(bob);
        identity.register();
        vm.prank(bob);
        uint256 agentId = identity.register();
        giveAway(bob, alice, agentId);
        assertNotRegistered(alice);
        vm.expectEmit(address(registrar));
        emit IIdentityRegistrar.AgentAdopted(alice, agentId);
        vm.prank(alice);
        registrar.adopt(agentId);
        assertRegistered(alice, agentId);
        assertNotRegistered(bob);
        (uint256 present, bool already) = register(alice);
        assertEq(present, agentId);
        assertTrue(already);
    }

    /// given the account was sent an agent: it takes the adopted agent in place of the one before
    function test_AdoptsInPlaceOfAnother() external {
        register(alice);
        register(bob);
        giveAway(bob, alice, 1);
        vm.startPrank(alice);
        registrar.adopt(1);
        assertRegistered(alice, 1);
        registrar.adopt(0);
        assertRegistered(alice, 0);
    }

    /// when another than the owner adopts an agent: it reverts with NotAgentOwner
    function test_RevertWhen_AnotherAdopts() external {
        register(alice);
        vm.prank(alice);
        identity.approve(bob, 0);
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistrar.NotAgentOwner.selector, 0, bob));
        registrar.adopt(0);
        assertRegistered(alice, 0);
    }

    /// when there is no such agent: it reverts with the registry's error
    function test_RevertWhen_NoSuchAgent() external {
        vm.prank(alice);
        vm.expectRevert();
        registrar.adopt(7);
        assertNotRegistered(alice);
    }

    /// when the forwarder adopts for a payer: it takes the payer for the owner
    function test_AdoptsForThePayer() external {
        allow(address(registrar), registrar.adopt.selector, 3, SuffixRule.None, "");
        register(alice);
        giveAway(alice, requester, 0);
        relay(abi.encodeCall(registrar.adopt, (0)));
        assertRegistered(requester, 0);
        assertEq(forwarder.fees(), 1000);
    }

    /// when the account is a contract that takes no tokens: it owns its agent all the same
    function test_ContractsOwnAgents() external {
        Wallet1271 wallet = new Wallet1271(alice);
        register(address(wallet));
        assertEq(identity.ownerOf(0), address(wallet));
        assertRegistered(address(wallet), 0);
    }

    /// when the agent has been handed over: it leaves no wallet and no approval behind
    function test_LeavesNothingBehind() external {
        register(alice);
        assertEq(identity.getAgentWallet(0), address(0));
        assertEq(identity.getApproved(0), address(0));
        assertFalse(identity.isAuthorizedOrOwner(address(registrar), 0));
        assertEq(identity.balanceOf(address(registrar)), 0);
    }

    /// when a token is sent to the registrar: it reverts with UnexpectedToken for an agent of the registry
    function test_RevertWhen_AnAgentIsSent() external {
        register(alice);
        vm.prank(alice);
        expectUnexpected(address(identity), 0);
        identity.safeTransferFrom(alice, address(registrar), 0);
    }

    /// when a token is sent to the registrar: it reverts with UnexpectedToken for a mint outside a registration
    function test_RevertWhen_MintedOutsideARegistration() external {
        expectUnexpected(address(hostile), 5);
        hostile.offer(misled, address(0), 5);
    }

    /// when a token is sent to the registrar: it reverts with UnexpectedToken for tokens of others during a registration
    function test_RevertWhen_AnotherTokenArrives() external {
        MisbehavingRegistry other = new MisbehavingRegistry();
        hostile.setCall(address(other), abi.encodeCall(other.offer, (misled, address(0), 5)));
        registerMisled(alice);
        assertEq(
            hostile.answer(), abi.encodeWithSelector(IIdentityRegistrar.UnexpectedToken.selector, address(other), 5)
        );
    }

    /// when a token is sent to the registrar: it reverts with UnexpectedToken for a transfer during a registration
    function test_RevertWhen_AnAgentIsSentDuringARegistration() external {
        hostile.setCall(address(hostile), abi.encodeCall(hostile.offer, (misled, bob, 5)));
        registerMisled(alice);
        assertEq(
            hostile.answer(), abi.encodeWithSelector(IIdentityRegistrar.UnexpectedToken.selector, address(hostile), 5)
        );
    }

    /// given the registry calls back: it answers Reentered
    function test_RefusesToBeReentered() external {
        hostile.setCall(address(misled), abi.encodeCall(misled.register, (URI)));
        registerMisled(alice);
        assertEq(hostile.answer(), abi.encodeWithSelector(IIdentityRegistrar.Reentered.selector));
        (bool registered,) = misled.agentIdOf(address(hostile));
        assertFalse(registered);
        (registered,) = misled.agentIdOf(alice);
        assertTrue(registered);
    }

    /// given the registry calls back: it answers Reentered to a registration of another account
    function test_RefusesToBeReenteredForAnother() external {
        hostile.setCall(address(misled), abi.encodeCall(misled.registerFor, (bob)));
        registerMisled(alice);
        assertEq(hostile.answer(), abi.encodeWithSelector(IIdentityRegistrar.Reentered.selector));
    }

    /// given the registry mints to another account: it reverts with AgentNotDelivered
    function test_RevertGiven_MintedToAnother() external {
        hostile.setThief(bob);
        expectNotDelivered(0, bob);
        registerMisled(alice);
    }

    /// given the registry keeps the agent: it reverts with AgentNotDelivered
    function test_RevertGiven_NotTransferred() external {
        hostile.setKeeps(true);
        expectNotDelivered(0, address(misled));
        registerMisled(alice);
    }

    /// given the registry has forgotten the agent: it is not registered
    function test_NotRegisteredWhenForgotten() external {
        registerMisled(alice);
        hostile.burn(0);
        (bool registered, uint256 agentId) = misled.agentIdOf(alice);
        assertFalse(registered);
        assertEq(agentId, 0);
    }

    /// given the registry has run out of ids: it reverts instead of forgetting
    function test_RevertGiven_LastId() external {
        hostile.setNextId(type(uint256).max);
        vm.expectRevert(stdError.arithmeticError);
        registerMisled(alice);
        hostile.setNextId(type(uint256).max - 1);
        registerMisled(alice);
        (bool registered, uint256 agentId) = misled.agentIdOf(alice);
        assertTrue(registered);
        assertEq(agentId, type(uint256).max - 1);
    }

    function register(address account) private returns (uint256 agentId, bool already) {
        vm.prank(account);
        return registrar.register(URI);
    }

    function registerMisled(address account) private {
        vm.prank(account);
        misled.register(URI);
    }

    function relayRegistration() private returns (bytes memory) {
        return relay(abi.encodeCall(registrar.register, (URI)));
    }

    /// @dev Paid by the requester.
    function relay(bytes memory data) private returns (bytes memory) {
        bytes32 intentId = nextIntent();
        Authorization memory payment = Relay.authorizationOf(requester, 1000, intentId);
        bytes memory signature = Relay.sign(usdc, requesterKey, address(forwarder), payment);
        vm.prank(relayer);
        return forwarder.relayPaid(intentId, payment, signature, 0, address(registrar), data);
    }

    /// @dev Calls by relayOpen, which has no actor.
    function relayFor(address account) private returns (bytes memory) {
        bytes32 intentId = nextIntent();
        bytes memory data = abi.encodeCall(registrar.registerFor, (account));
        vm.prank(relayer);
        return forwarder.relayOpen(intentId, address(registrar), data);
    }

    function expectFound(address account, uint256 agentId) private {
        vm.expectEmit(address(registrar));
        emit IIdentityRegistrar.AgentFound(account, agentId);
    }

    function giveAway(address from, address to, uint256 agentId) private {
        vm.prank(from);
        identity.transferFrom(from, to, agentId);
    }

    function assertRegistered(address account, uint256 expected) private view {
        (bool registered, uint256 agentId) = registrar.agentIdOf(account);
        assertTrue(registered);
        assertEq(agentId, expected);
    }

    function assertNotRegistered(address account) private view {
        (bool registered, uint256 agentId) = registrar.agentIdOf(account);
        assertFalse(registered);
        assertEq(agentId, 0);
    }

    function expectUnexpected(address token, uint256 tokenId) private {
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistrar.UnexpectedToken.selector, token, tokenId));
    }

    function expectNotDelivered(uint256 agentId, address holder) private {
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistrar.AgentNotDelivered.selector, agentId, holder));
    }
}
