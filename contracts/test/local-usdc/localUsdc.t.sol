// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {Test} from "forge-std/Test.sol";
import {FiatTokenRoles} from "../../src/local/FiatTokenRoles.sol";
import {LocalUsdc} from "../../src/local/LocalUsdc.sol";
import {Relay} from "../support/Relay.sol";
import {Wallet1271} from "../support/Wallet1271.sol";

contract LocalUsdcTest is Test {
    uint256 private constant ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;

    LocalUsdc internal usdc = LocalUsdc(0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913);
    uint256 internal key = 0xA11CE;
    address internal alice = vm.addr(key);
    address internal bob = makeAddr("bob");
    uint256 internal start;
    uint256 internal end;

    function setUp() external {
        deployCodeTo("LocalUsdc.sol:LocalUsdc", address(usdc));
        usdc.initialize(address(this));
        usdc.configureMinter(address(this), 1e12);
        usdc.mint(alice, 1000);
        (start, end) = (block.timestamp - 1, block.timestamp + 100);
    }

    /// when asked for its identity: it answers as USDC on Base does
    function test_Identity() external view {
        assertEq(usdc.name(), "USD Coin");
        assertEq(usdc.symbol(), "USDC");
        assertEq(usdc.version(), "2");
        assertEq(usdc.currency(), "USD");
        assertEq(usdc.decimals(), 6);
        assertEq(usdc.DOMAIN_SEPARATOR(), 0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f);
        assertEq(
            usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(),
            0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267
        );
        assertEq(
            usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
            0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8
        );
        assertEq(
            usdc.CANCEL_AUTHORIZATION_TYPEHASH(), 0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429
        );
        assertEq(usdc.PERMIT_TYPEHASH(), 0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9);
    }

    /// when initialized: it gives all roles once
    function test_InitializesOnce() external {
        assertEq(usdc.owner(), address(this));
        assertEq(usdc.masterMinter(), address(this));
        assertEq(usdc.pauser(), address(this));
        assertEq(usdc.blacklister(), address(this));
        assertTrue(usdc.isBlacklisted(address(usdc)));
        vm.expectRevert("FiatToken: contract is already initialized");
        usdc.initialize(bob);
    }

    /// when initialized: it refuses nobody as owner
    function test_RefusesNobodyAsOwner() external {
        LocalUsdc fresh = new LocalUsdc();
        vm.expectRevert("FiatToken: new owner is the zero address");
        fresh.initialize(address(0));
    }

    /// when authorizations are transferred: it refuses what USDC refuses with the same words
    function test_RefusesTransfers() external {
        bytes memory good = signTransfer(alice, bob, 10, "n");
        expectTransferRefused("FiatTokenV2: invalid signature", bob, 11, "n", good);
        expectTransferRefused("FiatTokenV2: invalid signature", alice, 10, "n", good);
        expectTransferRefused("FiatTokenV2: invalid signature", bob, 10, "m", good);
        expectTransferRefused("ECRecover: invalid signature length", bob, 10, "n", "");
        expectTransferRefused("ECRecover: invalid signature length", bob, 10, "n", new bytes(64));
        expectTransferRefused("ECRecover: invalid signature length", bob, 10, "n", bytes.concat(good, hex"00"));
        expectTransferRefused("ECRecover: invalid signature 'v' value", bob, 10, "n", new bytes(65));
        expectTransferRefused("ECRecover: invalid signature 's' value", bob, 10, "n", mirrored(good));
        expectTransferRefused(
            "ECRecover: invalid signature", bob, 10, "n", abi.encodePacked(bytes32(0), bytes32(0), uint8(27))
        );
        bytes memory large = signTransfer(alice, bob, 1001, "n");
        expectTransferRefused("ERC20: transfer amount exceeds balance", bob, 1001, "n", large);
        bytes memory toNobody = signTransfer(alice, address(0), 1, "n");
        expectTransferRefused("ERC20: transfer to the zero address", address(0), 1, "n", toNobody);
        bytes memory toToken = signTransfer(alice, address(usdc), 1, "n");
        expectTransferRefused("Blacklistable: account is blacklisted", address(usdc), 1, "n", toToken);
        usdc.transferWithAuthorization(alice, bob, 10, start, end, "n", good);
        expectTransferRefused("FiatTokenV2: authorization is used or canceled", bob, 10, "n", good);
    }

    /// when authorizations are transferred: it moves the money and logs the use
    function test_TransfersByAuthorization() external {
        bytes memory signature = signTransfer(alice, bob, 10, "n");
        vm.expectEmit(address(usdc));
        emit LocalUsdc.AuthorizationUsed(alice, "n");
        vm.expectEmit(address(usdc));
        emit LocalUsdc.Transfer(alice, bob, 10);
        usdc.transferWithAuthorization(alice, bob, 10, start, end, "n", signature);
        assertEq(usdc.balanceOf(bob), 10);
        assertTrue(usdc.authorizationState(alice, "n"));
        assertFalse(usdc.authorizationState(bob, "n"));
    }

    /// when authorizations are transferred: it accepts v r s and bytes alike
    function test_TransfersByVrs() external {
        (uint8 v, bytes32 r, bytes32 s) = parts(signTransfer(alice, bob, 10, "n"));
        usdc.transferWithAuthorization(alice, bob, 10, start, end, "n", v, r, s);
        assertEq(usdc.balanceOf(bob), 10);
    }

    /// when authorizations are transferred: it is valid strictly between its bounds
    function test_ValidStrictlyBetweenBounds() external {
        bytes memory signature = signTransfer(alice, bob, 10, "n");
        vm.warp(start);
        expectTransferRefused("FiatTokenV2: authorization is not yet valid", bob, 10, "n", signature);
        vm.warp(end);
        expectTransferRefused("FiatTokenV2: authorization is expired", bob, 10, "n", signature);
        vm.warp(end - 1);
        usdc.transferWithAuthorization(alice, bob, 10, start, end, "n", signature);
        signature = signTransfer(alice, bob, 10, "m");
        vm.warp(start + 1);
        usdc.transferWithAuthorization(alice, bob, 10, start, end, "m", signature);
        assertEq(usdc.balanceOf(bob), 20);
    }

    /// when authorizations are transferred: it may be submitted by anybody
    function test_AnybodySubmits() external {
        bytes memory signature = signTransfer(alice, bob, 10, "n");
        vm.prank(makeAddr("anybody"));
        usdc.transferWithAuthorization(alice, bob, 10, start, end, "n", signature);
        assertEq(usdc.balanceOf(bob), 10);
    }

    /// when authorizations are transferred: it accepts a contract wallet
    function test_AcceptsAContractWallet() external {
        address wallet = address(new Wallet1271(alice));
        usdc.mint(wallet, 10);
        bytes memory signature = signTransfer(wallet, bob, 10, "n");
        usdc.transferWithAuthorization(wallet, bob, 10, start, end, "n", signature);
        assertEq(usdc.balanceOf(bob), 10);
        usdc.mint(wallet, 10);
        signature = signTransfer(wallet, bob, 9, "m");
        vm.expectRevert("FiatTokenV2: invalid signature");
        usdc.transferWithAuthorization(wallet, bob, 10, start, end, "m", signature);
        address mute = address(usdc);
        vm.expectRevert("Blacklistable: account is blacklisted");
        usdc.transferWithAuthorization(mute, bob, 10, start, end, "m", signature);
        vm.expectRevert("FiatTokenV2: invalid signature");
        usdc.transferWithAuthorization(address(this), bob, 10, start, end, "m", signature);
    }

    /// when authorizations are received: it accepts the payee only
    function test_ReceivesAsPayee() external {
        bytes memory signature = signReceive(alice, bob, 10, "n");
        vm.expectRevert("FiatTokenV2: caller must be the payee");
        usdc.receiveWithAuthorization(alice, bob, 10, start, end, "n", signature);
        vm.prank(bob);
        usdc.receiveWithAuthorization(alice, bob, 10, start, end, "n", signature);
        assertEq(usdc.balanceOf(bob), 10);
        vm.prank(bob);
        vm.expectRevert("FiatTokenV2: authorization is used or canceled");
        usdc.receiveWithAuthorization(alice, bob, 10, start, end, "n", signature);
    }

    /// when authorizations are received: it accepts v r s and bytes alike
    function test_ReceivesByVrs() external {
        (uint8 v, bytes32 r, bytes32 s) = parts(signReceive(alice, bob, 10, "n"));
        vm.prank(bob);
        usdc.receiveWithAuthorization(alice, bob, 10, start, end, "n", v, r, s);
        assertEq(usdc.balanceOf(bob), 10);
    }

    /// when authorizations are received: it does not accept a transfer signature
    function test_ReceivesNoTransferSignature() external {
        bytes memory signature = signTransfer(alice, bob, 10, "n");
        vm.prank(bob);
        vm.expectRevert("FiatTokenV2: invalid signature");
        usdc.receiveWithAuthorization(alice, bob, 10, start, end, "n", signature);
    }

    /// when authorizations are cancelled: it logs and refuses later use
    function test_Cancels() external {
        bytes memory cancellation = signCancel(alice, "n");
        vm.expectEmit(address(usdc));
        emit LocalUsdc.AuthorizationCanceled(alice, "n");
        usdc.cancelAuthorization(alice, "n", cancellation);
        assertTrue(usdc.authorizationState(alice, "n"));
        bytes memory signature = signTransfer(alice, bob, 10, "n");
        expectTransferRefused("FiatTokenV2: authorization is used or canceled", bob, 10, "n", signature);
    }

    /// when authorizations are cancelled: it accepts v r s and bytes alike
    function test_CancelsByVrs() external {
        (uint8 v, bytes32 r, bytes32 s) = parts(signCancel(alice, "n"));
        usdc.cancelAuthorization(alice, "n", v, r, s);
        assertTrue(usdc.authorizationState(alice, "n"));
    }

    /// when authorizations are cancelled: it refuses what is used or not signed
    function test_RefusesCancellations() external {
        bytes memory cancellation = signCancel(alice, "n");
        vm.expectRevert("FiatTokenV2: invalid signature");
        usdc.cancelAuthorization(alice, "m", cancellation);
        vm.expectRevert("FiatTokenV2: invalid signature");
        usdc.cancelAuthorization(bob, "n", cancellation);
        usdc.cancelAuthorization(alice, "n", cancellation);
        vm.expectRevert("FiatTokenV2: authorization is used or canceled");
        usdc.cancelAuthorization(alice, "n", cancellation);
    }

    /// when permits are given: it sets the allowance and counts the nonce
    function test_Permits() external {
        vm.expectEmit(address(usdc));
        emit LocalUsdc.Approval(alice, bob, 77);
        usdc.permit(alice, bob, 77, end, signPermit(77, 0, end));
        assertEq(usdc.allowance(alice, bob), 77);
        assertEq(usdc.nonces(alice), 1);
        usdc.permit(alice, bob, 78, type(uint256).max, signPermit(78, 1, type(uint256).max));
        assertEq(usdc.allowance(alice, bob), 78);
    }

    /// when permits are given: it accepts v r s and bytes alike
    function test_PermitsByVrs() external {
        (uint8 v, bytes32 r, bytes32 s) = parts(signPermit(77, 0, end));
        usdc.permit(alice, bob, 77, end, v, r, s);
        assertEq(usdc.allowance(alice, bob), 77);
    }

    /// when permits are given: it refuses expired and foreign permits
    function test_RefusesPermits() external {
        bytes memory signature = signPermit(77, 0, end);
        vm.expectRevert("EIP2612: invalid signature");
        usdc.permit(alice, bob, 78, end, signature);
        vm.warp(end);
        usdc.permit(alice, bob, 77, end, signature);
        vm.expectRevert("EIP2612: invalid signature");
        usdc.permit(alice, bob, 77, end, signature);
        vm.warp(end + 1);
        vm.expectRevert("FiatTokenV2: permit is expired");
        usdc.permit(alice, bob, 77, end, signature);
    }

    /// when money is transferred: it moves and logs
    function test_Transfers() external {
        vm.expectEmit(address(usdc));
        emit LocalUsdc.Transfer(alice, bob, 10);
        vm.prank(alice);
        assertTrue(usdc.transfer(bob, 10));
        assertEq(usdc.balanceOf(alice), 990);
        assertEq(usdc.balanceOf(bob), 10);
        vm.prank(alice);
        assertTrue(usdc.transfer(alice, 990));
        assertEq(usdc.balanceOf(alice), 990);
    }

    /// when money is transferred: it refuses what USDC refuses with the same words
    function test_RefusesPlainTransfers() external {
        vm.startPrank(alice);
        vm.expectRevert("ERC20: transfer amount exceeds balance");
        usdc.transfer(bob, 1001);
        vm.expectRevert("ERC20: transfer to the zero address");
        usdc.transfer(address(0), 1);
        vm.expectRevert("Blacklistable: account is blacklisted");
        usdc.transfer(address(usdc), 1);
        vm.expectRevert("ERC20: transfer amount exceeds allowance");
        usdc.transferFrom(bob, alice, 1);
        vm.stopPrank();
        vm.prank(address(0));
        vm.expectRevert("ERC20: transfer from the zero address");
        usdc.transfer(bob, 0);
    }

    /// when money is transferred: it lowers every allowance
    function test_LowersAllowances() external {
        vm.prank(alice);
        usdc.approve(bob, type(uint256).max);
        vm.prank(bob);
        assertTrue(usdc.transferFrom(alice, bob, 10));
        assertEq(usdc.allowance(alice, bob), type(uint256).max - 10);
        assertEq(usdc.balanceOf(bob), 10);
    }

    /// when allowances change: it approves increases and decreases
    function test_ChangesAllowances() external {
        vm.startPrank(alice);
        assertTrue(usdc.approve(bob, 10));
        assertTrue(usdc.increaseAllowance(bob, 5));
        assertTrue(usdc.decreaseAllowance(bob, 1));
        assertEq(usdc.allowance(alice, bob), 14);
        vm.expectRevert("ERC20: decreased allowance below zero");
        usdc.decreaseAllowance(bob, 15);
        vm.expectRevert("ERC20: approve to the zero address");
        usdc.approve(address(0), 1);
        vm.stopPrank();
        vm.prank(address(0));
        vm.expectRevert("ERC20: approve from the zero address");
        usdc.approve(bob, 1);
    }

    /// when money is minted and burned: it needs a minter with allowance
    function test_NeedsAMinter() external {
        vm.prank(bob);
        vm.expectRevert("FiatToken: caller is not a minter");
        usdc.mint(bob, 1);
        vm.expectRevert("FiatToken: mint to the zero address");
        usdc.mint(address(0), 1);
        vm.expectRevert("FiatToken: mint amount not greater than 0");
        usdc.mint(bob, 0);
        vm.expectRevert("FiatToken: mint amount exceeds minterAllowance");
        usdc.mint(bob, 1e12);
        vm.expectRevert("FiatToken: burn amount not greater than 0");
        usdc.burn(0);
        vm.expectRevert("FiatToken: burn amount exceeds balance");
        usdc.burn(1);
        assertTrue(usdc.isMinter(address(this)));
        usdc.removeMinter(address(this));
        assertFalse(usdc.isMinter(address(this)));
        assertEq(usdc.minterAllowance(address(this)), 0);
        vm.expectRevert("FiatToken: caller is not a minter");
        usdc.burn(1);
    }

    /// when money is minted and burned: it keeps the supply
    function test_KeepsTheSupply() external {
        assertEq(usdc.totalSupply(), 1000);
        assertTrue(usdc.mint(address(this), 50));
        assertEq(usdc.totalSupply(), 1050);
        usdc.burn(20);
        assertEq(usdc.totalSupply(), 1030);
        assertEq(usdc.balanceOf(address(this)), 30);
        assertEq(usdc.minterAllowance(address(this)), 1e12 - 1050);
        usdc.configureMinter(address(this), type(uint256).max);
        vm.expectRevert("FiatTokenV2_2: Balance exceeds (2^255 - 1)");
        usdc.mint(bob, 1 << 255);
    }

    /// when an account is blacklisted: it keeps its balance and moves nothing
    function test_Blacklists() external {
        bytes memory signature = signTransfer(alice, bob, 10, "n");
        vm.prank(alice);
        usdc.approve(bob, 10);
        vm.expectEmit(address(usdc));
        emit FiatTokenRoles.Blacklisted(alice);
        usdc.blacklist(alice);
        assertEq(usdc.balanceOf(alice), 1000);
        string memory words = "Blacklistable: account is blacklisted";
        vm.prank(alice);
        vm.expectRevert(bytes(words));
        usdc.transfer(bob, 1);
        vm.prank(bob);
        vm.expectRevert(bytes(words));
        usdc.transferFrom(alice, bob, 1);
        vm.prank(bob);
        vm.expectRevert(bytes(words));
        usdc.transfer(alice, 0);
        vm.expectRevert(bytes(words));
        usdc.mint(alice, 1);
        expectTransferRefused(words, bob, 10, "n", signature);
    }

    /// when an account is blacklisted: it moves again when taken off
    function test_UnBlacklists() external {
        usdc.blacklist(alice);
        vm.expectEmit(address(usdc));
        emit FiatTokenRoles.UnBlacklisted(alice);
        usdc.unBlacklist(alice);
        assertFalse(usdc.isBlacklisted(alice));
        assertEq(usdc.balanceOf(alice), 1000);
        vm.prank(alice);
        usdc.transfer(bob, 1000);
        assertEq(usdc.balanceOf(bob), 1000);
    }

    /// when paused: it refuses every movement
    function test_Pauses() external {
        bytes memory signature = signTransfer(alice, bob, 10, "n");
        usdc.pause();
        assertTrue(usdc.paused());
        bytes[] memory calls = new bytes[](7);
        calls[0] = abi.encodeCall(usdc.transfer, (bob, 0));
        calls[1] = abi.encodeCall(usdc.transferFrom, (alice, bob, 0));
        calls[2] = abi.encodeCall(usdc.approve, (bob, 0));
        calls[3] = abi.encodeCall(usdc.mint, (bob, 1));
        calls[4] = abi.encodeCall(usdc.burn, (1));
        calls[5] = abi.encodeWithSignature(
            "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
            alice,
            bob,
            10,
            start,
            end,
            bytes32("n"),
            signature
        );
        calls[6] = abi.encodeCall(usdc.configureMinter, (bob, 1));
        for (uint256 i; i < calls.length; i++) {
            (bool success, bytes memory reason) = address(usdc).call(calls[i]);
            assertFalse(success);
            assertEq(reason, abi.encodeWithSignature("Error(string)", "Pausable: paused"));
        }
        usdc.unpause();
        usdc.transferWithAuthorization(alice, bob, 10, start, end, "n", signature);
        assertEq(usdc.balanceOf(bob), 10);
    }

    /// when roles are missing: it refuses with the words of USDC
    function test_RefusesWithoutRole() external {
        vm.startPrank(bob);
        vm.expectRevert("Pausable: caller is not the pauser");
        usdc.pause();
        vm.expectRevert("Pausable: caller is not the pauser");
        usdc.unpause();
        vm.expectRevert("Blacklistable: caller is not the blacklister");
        usdc.blacklist(alice);
        vm.expectRevert("Blacklistable: caller is not the blacklister");
        usdc.unBlacklist(alice);
        vm.expectRevert("FiatToken: caller is not the masterMinter");
        usdc.configureMinter(bob, 1);
        vm.expectRevert("FiatToken: caller is not the masterMinter");
        usdc.removeMinter(address(this));
    }

    function expectTransferRefused(
        string memory words,
        address to,
        uint256 value,
        bytes32 nonce,
        bytes memory signature
    ) private {
        vm.expectRevert(bytes(words));
        usdc.transferWithAuthorization(alice, to, value, start, end, nonce, signature);
    }

    function signTransfer(address from, address to, uint256 value, bytes32 nonce) private view returns (bytes memory) {
        bytes32 typehash = usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH();
        return sign(keccak256(abi.encode(typehash, from, to, value, start, end, nonce)));
    }

    function signReceive(address from, address to, uint256 value, bytes32 nonce) private view returns (bytes memory) {
        bytes32 typehash = usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH();
        return sign(keccak256(abi.encode(typehash, from, to, value, start, end, nonce)));
    }

    function signCancel(address authorizer, bytes32 nonce) private view returns (bytes memory) {
        return sign(keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), authorizer, nonce)));
    }

    function signPermit(uint256 value, uint256 nonce, uint256 deadline) private view returns (bytes memory) {
        return sign(keccak256(abi.encode(usdc.PERMIT_TYPEHASH(), alice, bob, value, nonce, deadline)));
    }

    function sign(bytes32 structHash) private view returns (bytes memory) {
        return Relay.signDigest(key, MessageHashUtils.toTypedDataHash(usdc.DOMAIN_SEPARATOR(), structHash));
    }

    /// @dev The other signature that recovers to the same key: s in the upper half.
    function mirrored(bytes memory signature) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = parts(signature);
        return abi.encodePacked(r, bytes32(ORDER - uint256(s)), v == 27 ? uint8(28) : uint8(27));
    }

    function parts(bytes memory signature) private pure returns (uint8 v, bytes32 r, bytes32 s) {
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
    }
}
