// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {IBonusHook} from "../../../src/interfaces/IBonusHook.sol";
import {SuffixRule} from "../../../src/types/RelayTypes.sol";
import {Wallet1271} from "../../support/Wallet1271.sol";
import {BonusTest} from "../support/BonusTest.sol";

contract WithdrawForTest is BonusTest {
    bytes32 private constant NONCE = 0x00000000000000000000000000000000000000000000000000000000000Aab01;

    address private destination = 0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF;
    uint256 private validBefore;

    event BonusWithdrawn(address indexed account, address indexed destination, uint256 amount, bytes32 nonce);

    function setUp() public override {
        super.setUp();
        finish(createBounty());
        validBefore = block.timestamp + 600;
    }

    /// when a wallet signed the destination: it sends all of it there, whichever account calls
    function test_Withdraws() external {
        bytes memory signature = sign(aliceKey);
        vm.prank(stranger);
        assertEq(bonus.withdrawFor(alice, destination, NONCE, validBefore, signature), WORKER_TOKENS);
        assertEq(token.balanceOf(destination), WORKER_TOKENS);
        assertClaimable(0, REQUESTER_TOKENS);
        assertTrue(bonus.isNonceUsed(alice, NONCE));
    }

    /// when a wallet signed the destination: it logs the nonce
    function test_LogsTheNonce() external {
        bytes memory signature = sign(aliceKey);
        vm.expectEmit(address(bonus));
        emit BonusWithdrawn(alice, destination, WORKER_TOKENS, NONCE);
        bonus.withdrawFor(alice, destination, NONCE, validBefore, signature);
    }

    /// when the forwarder relays it: it pays as a direct call does
    function test_WithdrawsThroughTheForwarder() external {
        allow(address(bonus), bonus.withdrawFor.selector, 8, SuffixRule.None, "");
        bytes memory call = abi.encodeCall(bonus.withdrawFor, (alice, destination, NONCE, validBefore, sign(aliceKey)));
        bytes32 intentId = nextIntent();
        vm.prank(relayer);
        forwarder.relayOpen(intentId, address(bonus), call);
        assertEq(token.balanceOf(destination), WORKER_TOKENS);
    }

    /// when a contract wallet signed: it asks the wallet
    function test_AsksAContractWallet() external {
        Wallet1271 wallet = new Wallet1271(bob);
        bytes32 taskId = createBounty();
        submit(taskId, address(wallet), "w1");
        accept(taskId, address(wallet), "w1");
        bonus.withdrawFor(address(wallet), destination, NONCE, validBefore, sign(bobKey));
        assertEq(token.balanceOf(destination), WORKER_TOKENS);
    }

    /// when another key signed: it reverts with InvalidSignature
    function test_RevertWhen_AnotherKeySigned() external {
        bytes memory signature = sign(bobKey);
        expectError(IBonusHook.InvalidSignature.selector, alice);
        bonus.withdrawFor(alice, destination, NONCE, validBefore, signature);
    }

    /// when any part of the message differs: it reverts with InvalidSignature
    function test_RevertWhen_TheMessageDiffers() external {
        bytes memory signature = sign(aliceKey);
        expectError(IBonusHook.InvalidSignature.selector, alice);
        bonus.withdrawFor(alice, stranger, NONCE, validBefore, signature);
        expectError(IBonusHook.InvalidSignature.selector, alice);
        bonus.withdrawFor(alice, destination, bytes32(uint256(NONCE) + 1), validBefore, signature);
        expectError(IBonusHook.InvalidSignature.selector, alice);
        bonus.withdrawFor(alice, destination, NONCE, validBefore - 1, signature);
        assertClaimable(WORKER_TOKENS, REQUESTER_TOKENS);
    }

    /// when the nonce was used: it reverts with NonceUsed
    function test_RevertWhen_TheNonceWasUsed() external {
        bonus.withdrawFor(alice, destination, NONCE, validBefore, sign(aliceKey));
        finish(createBounty());
        bytes memory signature = sign(aliceKey);
        vm.expectRevert(abi.encodeWithSelector(IBonusHook.NonceUsed.selector, alice, NONCE));
        bonus.withdrawFor(alice, destination, NONCE, validBefore, signature);
    }

    /// when the nonce is zero: it reverts with NonceUsed
    function test_RevertWhen_TheNonceIsZero() external {
        bytes memory signature = sign(aliceKey, 0);
        vm.expectRevert(abi.encodeWithSelector(IBonusHook.NonceUsed.selector, alice, bytes32(0)));
        bonus.withdrawFor(alice, destination, 0, validBefore, signature);
        assertClaimable(WORKER_TOKENS, REQUESTER_TOKENS);
    }

    /// when the nonce is zero: it counts as used by every wallet
    function test_CountsZeroAsUsed() external view {
        assertTrue(bonus.isNonceUsed(alice, 0));
        assertTrue(bonus.isNonceUsed(stranger, 0));
        assertFalse(bonus.isNonceUsed(alice, bytes32(uint256(1))));
    }

    /// when a nonce was used by another wallet: it is good for this one
    function test_CountsNoncesByWallet() external {
        bonus.withdrawFor(requester, destination, NONCE, validBefore, sign(requesterKey));
        bonus.withdrawFor(alice, destination, NONCE, validBefore, sign(aliceKey));
        assertClaimable(0, 0);
    }

    /// when its time is over: it reverts with SignatureExpired
    function test_RevertWhen_Expired() external {
        bytes memory signature = sign(aliceKey);
        vm.warp(validBefore);
        expectError(IBonusHook.SignatureExpired.selector, validBefore);
        bonus.withdrawFor(alice, destination, NONCE, validBefore, signature);
        vm.warp(validBefore - 1);
        bonus.withdrawFor(alice, destination, NONCE, validBefore, signature);
    }

    /// when it is valid for longer than 600 seconds: it reverts with ValidTooLong
    function test_RevertWhen_ValidTooLong() external {
        validBefore += 1;
        bytes memory signature = sign(aliceKey);
        expectError(IBonusHook.ValidTooLong.selector, validBefore, validBefore - 1);
        bonus.withdrawFor(alice, destination, NONCE, validBefore, signature);
    }

    /// when nothing is claimable: it reverts and the nonce is unused
    function test_RevertWhen_NothingIsClaimable() external {
        bytes memory signature = sign(bobKey);
        expectError(IBonusHook.NothingToWithdraw.selector, bob);
        bonus.withdrawFor(bob, destination, NONCE, validBefore, signature);
        assertFalse(bonus.isNonceUsed(bob, NONCE));
    }

    function sign(uint256 key) private view returns (bytes memory) {
        return sign(key, NONCE);
    }

    /// @dev The text is written out here: lower-case hex, no checksum.
    function sign(uint256 key, bytes32 nonce) private view returns (bytes memory) {
        string memory nonceText = nonce == 0
            ? "0x0000000000000000000000000000000000000000000000000000000000000000:"
            : "0x00000000000000000000000000000000000000000000000000000000000aab01:";
        string memory message = string.concat(
            "service:withdraw-token:0xdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef:",
            nonceText,
            Strings.toString(validBefore)
        );
        string memory length = Strings.toString(bytes(message).length);
        bytes32 digest = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n", length, message));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }
}
