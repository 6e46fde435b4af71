// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Test} from "forge-std/Test.sol";
import {IdentityRegistry} from "../../src/local/IdentityRegistry.sol";
import {LocalMulticall3} from "../../src/local/LocalMulticall3.sol";
import {ReputationRegistry} from "../../src/local/ReputationRegistry.sol";

contract RegistriesTest is Test {
    IdentityRegistry internal identity = IdentityRegistry(0x8004A169FB4a3325136EB29fA0ceB6D2e539a432);
    ReputationRegistry internal reputation = ReputationRegistry(0x8004BAa17C55a88189AE136b182e5fdA19dE9b63);
    LocalMulticall3 internal multicall = LocalMulticall3(0xcA11bde05977b3631167028862bE2a173976CA11);
    address internal alice = makeAddr("alice");
    address internal bob = makeAddr("bob");

    function setUp() external {
        deployCodeTo("IdentityRegistry.sol:IdentityRegistry", address(identity));
        deployCodeTo("ReputationRegistry.sol:ReputationRegistry", address(reputation));
        deployCodeTo("LocalMulticall3.sol:LocalMulticall3", address(multicall));
    }

    /// when an agent registers: it counts ids from zero and logs the owner
    function test_CountsFromZero() external {
        vm.expectEmit(address(identity));
        emit IdentityRegistry.Registered(0, "", alice);
        assertEq(register(alice), 0);
        assertEq(register(bob), 1);
        assertEq(identity.ownerOf(0), alice);
        assertEq(identity.ownerOf(1), bob);
        assertEq(identity.name(), "AgentIdentity");
        assertEq(identity.symbol(), "AGENT");
    }

    /// when an agent registers: it keeps uri and metadata
    function test_KeepsUriAndMetadata() external {
        IdentityRegistry.MetadataEntry[] memory metadata = new IdentityRegistry.MetadataEntry[](1);
        metadata[0] = IdentityRegistry.MetadataEntry("colour", "green");
        vm.startPrank(alice);
        uint256 first = identity.register("https://example.org/first.json");
        uint256 second = identity.register("https://example.org/second.json", metadata);
        assertEq(identity.tokenURI(first), "https://example.org/first.json");
        assertEq(identity.tokenURI(second), "https://example.org/second.json");
        assertEq(identity.getMetadata(second, "colour"), "green");
        assertEq(identity.getMetadata(first, "colour"), "");
    }

    /// when an agent registers: it sets the wallet to the owner
    function test_SetsTheWallet() external {
        vm.expectEmit(address(identity));
        emit IdentityRegistry.MetadataSet(0, "agentWallet", "agentWallet", abi.encodePacked(alice));
        uint256 id = register(alice);
        assertEq(identity.getAgentWallet(id), alice);
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 9));
        identity.getAgentWallet(9);
    }

    /// when an agent registers: it refuses the reserved key
    function test_RefusesTheReservedKey() external {
        IdentityRegistry.MetadataEntry[] memory metadata = new IdentityRegistry.MetadataEntry[](1);
        metadata[0] = IdentityRegistry.MetadataEntry("agentWallet", abi.encodePacked(bob));
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(IdentityRegistry.ReservedKey.selector, "agentWallet"));
        identity.register("", metadata);
    }

    /// when an agent changes hands: it forgets the wallet
    function test_ForgetsTheWallet() external {
        uint256 id = register(alice);
        vm.expectEmit(address(identity));
        emit IdentityRegistry.MetadataSet(id, "agentWallet", "agentWallet", "");
        vm.prank(alice);
        identity.transferFrom(alice, bob, id);
        assertEq(identity.ownerOf(id), bob);
        assertEq(identity.getAgentWallet(id), address(0));
        assertEq(identity.getMetadata(id, "agentWallet"), "");
    }

    /// when the owner or an operator edits: it changes uri and metadata
    function test_Edits() external {
        uint256 id = register(alice);
        vm.prank(alice);
        identity.approve(bob, id);
        vm.startPrank(bob);
        vm.expectEmit(address(identity));
        emit IdentityRegistry.URIUpdated(id, "https://example.org/new.json", bob);
        identity.setAgentURI(id, "https://example.org/new.json");
        identity.setMetadata(id, "colour", "blue");
        assertEq(identity.tokenURI(id), "https://example.org/new.json");
        assertEq(identity.getMetadata(id, "colour"), "blue");
        assertTrue(identity.isAuthorizedOrOwner(bob, id));
        assertTrue(identity.isAuthorizedOrOwner(alice, id));
    }

    /// when a stranger edits: it reverts with ERC721InsufficientApproval
    function test_RevertWhen_StrangerEdits() external {
        uint256 id = register(alice);
        assertFalse(identity.isAuthorizedOrOwner(bob, id));
        bytes memory refusal = abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, bob, id);
        vm.startPrank(bob);
        vm.expectRevert(refusal);
        identity.setAgentURI(id, "https://example.org/new.json");
        vm.expectRevert(refusal);
        identity.setMetadata(id, "colour", "blue");
    }

    /// when feedback is given: it counts a client's feedbacks from one
    function test_CountsFeedbacks() external {
        uint256 id = register(alice);
        vm.expectEmit(address(reputation));
        emit ReputationRegistry.NewFeedback(id, bob, 1, 90, 0, "starred", "starred", "", "", "uri", "hash");
        give(bob, id, 90, 0);
        give(bob, id, -5, 18);
        assertEq(reputation.getLastIndex(id, bob), 2);
        assertEq(reputation.getClients(id).length, 1);
        assertEq(reputation.getClients(id)[0], bob);
        assertEq(reputation.getIdentityRegistry(), address(identity));
        (int128 value, uint8 decimals, string memory tag1, string memory tag2, bool revoked) =
            reputation.readFeedback(id, bob, 2);
        assertEq(value, -5);
        assertEq(decimals, 18);
        assertEq(tag1, "starred");
        assertEq(tag2, "");
        assertFalse(revoked);
        vm.expectRevert("index must be > 0");
        reputation.readFeedback(id, bob, 0);
        vm.expectRevert("index out of bounds");
        reputation.readFeedback(id, bob, 3);
    }

    /// when feedback is given: it refuses the agent's owner and operators
    function test_RefusesOwnFeedback() external {
        uint256 id = register(alice);
        vm.prank(alice);
        identity.setApprovalForAll(bob, true);
        vm.expectRevert("Self-feedback not allowed");
        give(alice, id, 100, 0);
        vm.expectRevert("Self-feedback not allowed");
        give(bob, id, 100, 0);
    }

    /// when feedback is given: it refuses an unknown agent
    function test_RefusesUnknownAgents() external {
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 9));
        give(bob, 9, 100, 0);
    }

    /// when feedback is given: it refuses values out of range
    function test_RefusesValuesOutOfRange() external {
        uint256 id = register(alice);
        vm.expectRevert("too many decimals");
        give(bob, id, 1, 19);
        vm.expectRevert("value too large");
        give(bob, id, 1e38 + 1, 0);
        vm.expectRevert("value too large");
        give(bob, id, -1e38 - 1, 0);
    }

    /// when feedback is revoked: it is marked once
    function test_Revokes() external {
        uint256 id = register(alice);
        give(bob, id, 90, 0);
        vm.startPrank(bob);
        vm.expectEmit(address(reputation));
        emit ReputationRegistry.FeedbackRevoked(id, bob, 1);
        reputation.revokeFeedback(id, 1);
        (,,,, bool revoked) = reputation.readFeedback(id, bob, 1);
        assertTrue(revoked);
        vm.expectRevert("Already revoked");
        reputation.revokeFeedback(id, 1);
    }

    /// when a response is appended: it is logged
    function test_Responds() external {
        uint256 id = register(alice);
        give(bob, id, 90, 0);
        vm.expectEmit(address(reputation));
        emit ReputationRegistry.ResponseAppended(id, bob, 1, alice, "uri", "hash");
        vm.prank(alice);
        reputation.appendResponse(id, bob, 1, "uri", "hash");
        vm.expectRevert("Empty URI");
        reputation.appendResponse(id, bob, 1, "", "hash");
    }

    /// when many reads are batched: it answers each on its own
    function test_AnswersEach() external {
        register(alice);
        LocalMulticall3.Call3[] memory calls = new LocalMulticall3.Call3[](2);
        calls[0] = LocalMulticall3.Call3(address(identity), true, abi.encodeCall(identity.ownerOf, (0)));
        calls[1] = LocalMulticall3.Call3(address(identity), true, abi.encodeCall(identity.ownerOf, (9)));
        LocalMulticall3.Result[] memory results = multicall.aggregate3(calls);
        assertEq(abi.decode(results[0].returnData, (address)), alice);
        assertFalse(results[1].success);

        LocalMulticall3.Call[] memory plain = new LocalMulticall3.Call[](1);
        plain[0] = LocalMulticall3.Call(address(identity), calls[0].callData);
        (uint256 blockNumber, bytes[] memory answers) = multicall.aggregate(plain);
        assertEq(blockNumber, block.number);
        assertEq(abi.decode(answers[0], (address)), alice);
        assertTrue(multicall.tryAggregate(true, plain)[0].success);

        LocalMulticall3.Call3Value[] memory payable_ = new LocalMulticall3.Call3Value[](1);
        payable_[0] = LocalMulticall3.Call3Value(bob, false, 3, "");
        multicall.aggregate3Value{value: 3}(payable_);
        assertEq(multicall.getEthBalance(bob), 3);
        assertEq(multicall.getChainId(), block.chainid);
        assertEq(multicall.getCurrentBlockTimestamp(), block.timestamp);
        assertEq(multicall.getBlockNumber(), block.number);
        assertEq(multicall.getBlockHash(block.number - 1), blockhash(block.number - 1));
        assertEq(multicall.getLastBlockHash(), blockhash(block.number - 1));
        assertEq(multicall.getCurrentBlockGasLimit(), block.gaslimit);
        assertEq(multicall.getCurrentBlockCoinbase(), block.coinbase);
        assertEq(multicall.getBasefee(), block.basefee);
    }

    /// when many reads are batched: it fails as a whole when asked to
    function test_FailsAsAWhole() external {
        LocalMulticall3.Call3[] memory calls = new LocalMulticall3.Call3[](1);
        calls[0] = LocalMulticall3.Call3(address(identity), false, abi.encodeCall(identity.ownerOf, (9)));
        vm.expectRevert("Multicall3: call failed");
        multicall.aggregate3(calls);
        vm.expectRevert("Multicall3: value mismatch");
        multicall.aggregate3Value{value: 1}(new LocalMulticall3.Call3Value[](0));
    }

    function register(address account) private returns (uint256) {
        vm.prank(account);
        return identity.register();
    }

    function give(address client, uint256 id, int128 value, uint8 decimals) private {
        vm.prank(client);
        reputation.giveFeedback(id, value, decimals, "starred", "", "", "uri", "hash");
    }
}
