// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IdentityRegistry} from "../../src/local/IdentityRegistry.sol";
import {LocalMulticall3} from "../../src/local/LocalMulticall3.sol";
import {ReputationRegistry} from "../../src/local/ReputationRegistry.sol";
import {CompiledCode} from "../support/CompiledCode.sol";
import {Relay} from "../support/Relay.sol";
import {Wallet1271} from "../support/Wallet1271.sol";

contract RegistriesTest is CompiledCode {
    /// @dev Domain of {ERC8004IdentityRegistry, 1, 8453, 0x8004A169FB4a3325136EB29fA0ceB6D2e539a432}, computed by viem.
    bytes32 private constant IDENTITY_DOMAIN = 0x3c574eb86858114261f06b40574c0b741b4f10df45c714346723cdaf021f2d45;

    IdentityRegistry internal identity = IdentityRegistry(0x8004A169FB4a3325136EB29fA0ceB6D2e539a432);
    ReputationRegistry internal reputation = ReputationRegistry(0x8004BAa17C55a88189AE136b182e5fdA19dE9b63);
    LocalMulticall3 internal multicall = LocalMulticall3(0xcA11bde05977b3631167028862bE2a173976CA11);
    address internal alice = makeAddr("alice");
    address internal bob = makeAddr("bob");
    uint256 internal walletKey = 0xA11CE3;
    address internal wallet = vm.addr(walletKey);

    function setUp() external {
        deployTo("IdentityRegistry", address(identity));
        deployTo("ReputationRegistry", address(reputation));
        deployTo("LocalMulticall3", address(multicall));
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
        vm.expectRevert("reserved key");
        identity.register("", metadata);
        uint256 id = register(alice);
        vm.prank(alice);
        vm.expectRevert("reserved key");
        identity.setMetadata(id, "agentWallet", abi.encodePacked(bob));
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

    /// when a stranger edits: it reverts with the words of the registry
    function test_RevertWhen_StrangerEdits() external {
        uint256 id = register(alice);
        assertFalse(identity.isAuthorizedOrOwner(bob, id));
        bytes memory signature = signWallet(id, wallet, alice, soon());
        vm.startPrank(bob);
        vm.expectRevert("Not authorized");
        identity.setAgentURI(id, "https://example.org/new.json");
        vm.expectRevert("Not authorized");
        identity.setMetadata(id, "colour", "blue");
        vm.expectRevert("Not authorized");
        identity.setAgentWallet(id, wallet, soon(), signature);
        vm.expectRevert("Not authorized");
        identity.unsetAgentWallet(id);
    }

    /// when the owner sets a wallet: it takes one that signed and logs it
    function test_SetsAWallet() external {
        uint256 id = register(alice);
        bytes memory signature = signWallet(id, wallet, alice, soon());
        vm.expectEmit(address(identity));
        emit IdentityRegistry.MetadataSet(id, "agentWallet", "agentWallet", abi.encodePacked(wallet));
        vm.prank(alice);
        identity.setAgentWallet(id, wallet, soon(), signature);
        assertEq(identity.getAgentWallet(id), wallet);
        assertEq(identity.getMetadata(id, "agentWallet"), abi.encodePacked(wallet));
    }

    /// when the owner sets a wallet: it takes a contract wallet that accepts the signature
    function test_SetsAContractWallet() external {
        uint256 id = register(alice);
        address contractWallet = address(new Wallet1271(wallet));
        bytes memory signature = signWallet(id, contractWallet, alice, soon());
        vm.prank(alice);
        identity.setAgentWallet(id, contractWallet, soon(), signature);
        assertEq(identity.getAgentWallet(id), contractWallet);
        contractWallet = address(new Wallet1271(bob));
        signature = signWallet(id, contractWallet, alice, soon());
        expectWalletRefused("invalid wallet sig", id, contractWallet, soon(), signature);
    }

    /// when the owner sets a wallet: it is valid up to its deadline and at most 5 minutes ahead
    function test_WalletDeadline() external {
        uint256 id = register(alice);
        bytes memory signature = signWallet(id, wallet, alice, soon() + 1);
        expectWalletRefused("deadline too far", id, wallet, soon() + 1, signature);
        uint256 deadline = soon();
        signature = signWallet(id, wallet, alice, deadline);
        vm.warp(deadline + 1);
        expectWalletRefused("expired", id, wallet, deadline, signature);
        vm.warp(deadline);
        vm.prank(alice);
        identity.setAgentWallet(id, wallet, deadline, signature);
        assertEq(identity.getAgentWallet(id), wallet);
    }

    /// when the owner sets a wallet: it refuses what was not signed
    function test_RefusesWallets() external {
        uint256 id = register(alice);
        uint256 other = register(alice);
        bytes memory signature = signWallet(id, wallet, alice, soon());
        expectWalletRefused("bad wallet", id, address(0), soon(), signature);
        expectWalletRefused("invalid wallet sig", id, bob, soon(), signature);
        expectWalletRefused("invalid wallet sig", other, wallet, soon(), signature);
        expectWalletRefused("invalid wallet sig", id, wallet, soon() - 1, signature);
        expectWalletRefused("invalid wallet sig", id, wallet, soon(), "");
        // Signed for the owner of its day: the next owner needs another.
        vm.prank(alice);
        identity.transferFrom(alice, bob, id);
        vm.prank(bob);
        vm.expectRevert("invalid wallet sig");
        identity.setAgentWallet(id, wallet, soon(), signature);
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 9));
        identity.setAgentWallet(9, wallet, soon(), signature);
    }

    /// when the owner unsets the wallet: it forgets and logs it
    function test_UnsetsTheWallet() external {
        uint256 id = register(alice);
        vm.expectEmit(address(identity));
        emit IdentityRegistry.MetadataSet(id, "agentWallet", "agentWallet", "");
        vm.prank(alice);
        identity.unsetAgentWallet(id);
        assertEq(identity.getAgentWallet(id), address(0));
        assertEq(identity.getMetadata(id, "agentWallet"), "");
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 9));
        identity.unsetAgentWallet(9);
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

    /// @dev The latest deadline the registry takes.
    function soon() private view returns (uint256) {
        return block.timestamp + 5 minutes;
    }

    function signWallet(uint256 id, address newWallet, address owner, uint256 deadline)
        private
        view
        returns (bytes memory)
    {
        return Relay.signDigest(walletKey, digestOf(id, newWallet, owner, deadline));
    }

    function digestOf(uint256 id, address newWallet, address owner, uint256 deadline) private pure returns (bytes32) {
        bytes32 typehash = keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");
        return MessageHashUtils.toTypedDataHash(
            IDENTITY_DOMAIN, keccak256(abi.encode(typehash, id, newWallet, owner, deadline))
        );
    }

    function expectWalletRefused(
        string memory words,
        uint256 id,
        address newWallet,
        uint256 deadline,
        bytes memory signature
    ) private {
        vm.prank(alice);
        vm.expectRevert(bytes(words));
        identity.setAgentWallet(id, newWallet, deadline, signature);
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
