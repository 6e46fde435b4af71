// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ClaimTo, ISponsoredVault, VaultTotals} from "../../../src/interfaces/ISponsoredVault.sol";
import {ISponsoredVaultFactory} from "../../../src/interfaces/ISponsoredVaultFactory.sol";
import {SuffixRule} from "../../../src/types/RelayTypes.sol";
import {Wallet1271} from "../../support/Wallet1271.sol";
import {SponsoredTest} from "../support/SponsoredTest.sol";

contract ClaimToTest is SponsoredTest {
    event Claimed(
        bytes32 indexed taskId,
        address indexed worker,
        address indexed destination,
        uint256 index,
        uint256 amount,
        uint256 nonce,
        uint256 paid,
        VaultTotals totals
    );

    bytes32 private taskId;
    ClaimTo private claimed;

    function setUp() public override {
        super.setUp();
        taskId = createSettled();
        claimed = aClaimOf(taskId);
    }

    /// when the worker signed it: it pays the destination, whichever account calls
    function test_Pays() external {
        vm.prank(stranger);
        payClaim(claimed);
        assertEq(token.balanceOf(destination), NET);
        assertEq(vault.paidOf(taskId), 1);
        assertEq(vault.nonceOf(alice), 1);
        assertEq(vault.chargeOf(taskId).paid, NET);
        assertTotals(FUNDS - GROSS, 0, 0, FEE);
    }

    /// when the worker signed it: it logs the claim
    function test_Logs() external {
        vm.expectEmit(address(vault));
        VaultTotals memory totals = VaultTotals(FUNDS - GROSS, 0, 0, FEE, FEE_CREDIT - FEE);
        emit Claimed(taskId, alice, destination, 0, NET, 0, NET, totals);
        payClaim(claimed);
    }

    /// when the worker signed it: it pays during the notice of an exit
    function test_PaysDuringTheNotice() external {
        vm.prank(sponsor);
        vault.announceExit();
        payClaim(claimed);
        assertEq(token.balanceOf(destination), NET);
    }

    /// when the factory passes it on: it pays as a direct call does
    function test_PaysThroughTheFactory() external {
        allow(address(factory), factory.claimTo.selector, 8, SuffixRule.None, "");
        bytes memory call =
            abi.encodeCall(factory.claimTo, (claimed.vaultId, claimed, new bytes32[](0), signClaim(aliceKey, claimed)));
        bytes32 intentId = nextIntent();
        vm.prank(relayer);
        forwarder.relayOpen(intentId, address(factory), call);
        assertEq(token.balanceOf(destination), NET);
    }

    /// when a contract wallet signed: it asks the wallet
    function test_AsksAContractWallet() external {
        Wallet1271 wallet = new Wallet1271(bob);
        bytes32 other = createSponsored();
        submit(other, address(wallet), "w1");
        accept(other, address(wallet), "w1");
        hook.installSettlement(other, asList(address(wallet)), amountsOf(REWARD));
        ClaimTo memory claim_ = aClaimOf(other);
        claim_.worker = address(wallet);
        vault.claimTo(claim_, new bytes32[](0), signClaim(bobKey, claim_));
        assertEq(token.balanceOf(destination), NET);
    }

    /// when the deadline has passed: it reverts with ClaimExpired
    function test_Expired() external {
        vm.warp(claimed.deadline + 1);
        expectClaimError(abi.encodeWithSelector(ISponsoredVault.ClaimExpired.selector, claimed.deadline));
        vm.warp(claimed.deadline);
        payClaim(claimed);
    }

    /// when the vault was exited: it reverts with VaultNotActive
    function test_Exited() external {
        announceAndExit();
        claimed.deadline = block.timestamp;
        expectClaimError(abi.encodeWithSelector(ISponsoredVault.VaultNotActive.selector));
    }

    /// when the epoch is another one: it reverts with WrongEpoch
    function test_OtherEpoch() external {
        claimed.epoch = 1;
        expectClaimError(abi.encodeWithSelector(ISponsoredVault.WrongEpoch.selector, 0, 1));
    }

    /// when it was paid: it reverts with ClaimAlreadyPaid
    function test_Twice() external {
        payClaim(claimed);
        claimed.nonce = 1;
        expectClaimError(abi.encodeWithSelector(ISponsoredVault.ClaimAlreadyPaid.selector, taskId, 0));
    }

    /// when the nonce is not the next one: it reverts with WrongNonce
    function test_OtherNonce() external {
        claimed.nonce = 1;
        expectClaimError(abi.encodeWithSelector(ISponsoredVault.WrongNonce.selector, 0, 1));
    }

    /// when no settlement is installed: it reverts with InvalidClaimProof
    function test_NotInstalled() external {
        claimed = aClaimOf(createCredited());
        expectClaimError(abi.encodeWithSelector(ISponsoredVault.InvalidClaimProof.selector));
    }

    /// when any field of the leaf differs: it reverts with InvalidClaimProof
    function test_OtherLeaf() external {
        bytes memory invalid = abi.encodeWithSelector(ISponsoredVault.InvalidClaimProof.selector);
        claimed.amount += 1;
        expectClaimError(invalid);
        claimed = aClaimOf(taskId);
        claimed.index = 1;
        expectClaimError(invalid);
        claimed = aClaimOf(taskId);
        claimed.index = 256;
        expectClaimError(invalid);
        claimed = aClaimOf(taskId);
        claimed.worker = bob;
        expectClaimError(invalid);
        claimed = aClaimOf(taskId);
        claimed.allocationId = keccak256("other");
        expectClaimError(invalid);
        claimed = aClaimOf(taskId);
        claimed.vaultId = keccak256("other");
        expectClaimError(invalid);
        claimed = aClaimOf(createCompleted());
        expectClaimError(invalid);
    }

    /// when the owner's own hook settled more than it credited: it reverts with AboveCredit and pays none of what others are owed
    function test_SettledAboveTheCredit() external {
        ClaimTo memory promised = aClaimOf(keccak256("promised"));
        chargeAndSettle(promised.taskId, 1, leafOf(promised.taskId, 0, alice, NET));
        bytes memory signature = signClaim(aliceKey, promised);
        vm.expectRevert(abi.encodeWithSelector(ISponsoredVault.AboveCredit.selector, NET, 1));
        vault.claimTo(promised, new bytes32[](0), signature);
        assertTotals(FUNDS - GROSS - 1, 0, NET + 1, FEE);
        payClaim(claimed);
    }

    /// when the owner's own hook settled an index that no award has: it reverts with InvalidClaimProof
    function test_SettledAnIndexOfNoAward() external {
        ClaimTo memory promised = aClaimOf(keccak256("promised"));
        promised.amount = 1;
        uint256[3] memory indexes = [uint256(256), 2 ** 31, type(uint256).max];
        for (uint256 i; i < indexes.length; i++) {
            promised.taskId = keccak256(abi.encode("promised", i));
            (promised.allocationId, promised.index) = (promised.taskId, indexes[i]);
            chargeAndSettle(promised.taskId, 2, leafOf(promised.taskId, indexes[i], alice, 1));
            bytes memory signature = signClaim(aliceKey, promised);
            vm.expectRevert(ISponsoredVault.InvalidClaimProof.selector);
            vault.claimTo(promised, new bytes32[](0), signature);
        }
    }

    /// when another key signed, or something else: it reverts with InvalidClaimSignature
    function test_OtherSignature() external {
        bytes memory invalid = abi.encodeWithSelector(ISponsoredVault.InvalidClaimSignature.selector);
        bytes32[] memory proof = new bytes32[](0);
        bytes memory signature = signClaim(bobKey, claimed);
        vm.expectRevert(invalid);
        vault.claimTo(claimed, proof, signature);
        signature = signClaim(aliceKey, claimed);
        claimed.destination = stranger;
        vm.expectRevert(invalid);
        vault.claimTo(claimed, proof, signature);
        claimed.destination = destination;
        claimed.deadline += 1;
        vm.expectRevert(invalid);
        vault.claimTo(claimed, proof, signature);
    }

    /// when the destination is the vault, the token or zero: it reverts with InvalidDestination
    function test_LostDestination() external {
        address[3] memory lost = [address(vault), address(token), address(0)];
        for (uint256 i; i < lost.length; i++) {
            claimed.destination = lost[i];
            expectClaimError(abi.encodeWithSelector(ISponsoredVault.InvalidDestination.selector, lost[i]));
        }
    }

    /// when no vault has the id: it reverts with UnknownVault
    function test_UnknownVault() external {
        bytes32 none = keccak256("none");
        bytes memory signature = signClaim(aliceKey, claimed);
        vm.expectRevert(abi.encodeWithSelector(ISponsoredVaultFactory.UnknownVault.selector, none));
        factory.claimTo(none, claimed, new bytes32[](0), signature);
    }

    function expectClaimError(bytes memory reason) private {
        bytes memory signature = signClaim(aliceKey, claimed);
        vm.expectRevert(reason);
        vault.claimTo(claimed, new bytes32[](0), signature);
    }
}
