// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ClaimTo} from "../../src/interfaces/ISponsoredVault.sol";
import {LocalRewardToken} from "../../src/local/LocalRewardToken.sol";
import {SuffixRule} from "../../src/types/RelayTypes.sol";
import {Winner} from "../../src/types/TaskTypes.sol";
import {SponsoredTest} from "../sponsored/support/SponsoredTest.sol";
import {GasTest} from "./GasTest.sol";

/// @title Tasks that charge a vault, and claims
/// @notice Every account has held the vault's token before, and alice has claimed.
contract SponsoredGasTest is GasTest, SponsoredTest {
    function setUp() public override(GasTest, SponsoredTest) {
        super.setUp();
        LocalRewardToken reward = LocalRewardToken(deploy("LocalRewardToken", abi.encode(address(this))));
        reward.mint(sponsor, FUNDS);
        reward.mint(destination, 1);
        vault = openVault(address(reward), "gas");
        vm.startPrank(sponsor);
        reward.approve(address(vault), FUNDS);
        vault.fund(FUNDS);
        vm.stopPrank();
        allow(address(factory), factory.claimTo.selector, 8, SuffixRule.None, "");
        allow(address(hook), hook.installSettlement.selector, 8, SuffixRule.None, "");
        allow(address(hook), hook.reconcile.selector, 8, SuffixRule.None, "");
        payClaim(aClaimOf(createSettled()));
    }

    function test_createTask() external {
        paid("createTask sponsored", requesterKey, REWARD, abi.encodeCall(market.createTask, sponsored(aBounty())));
    }

    function test_acceptSubmission() external {
        bytes32 taskId = createSponsored();
        submit(taskId, alice, "a1");
        both(
            "acceptSubmission sponsored",
            requesterKey,
            abi.encodeCall(market.acceptSubmission, (taskId, alice, bytes32("a1")))
        );
    }

    function test_settleAndClaim() external {
        bytes32 taskId = createCredited();
        opened(
            "installSettlement",
            address(hook),
            abi.encodeCall(hook.installSettlement, (taskId, asList(alice), amountsOf(REWARD)))
        );
        ClaimTo memory claim_ = aClaimOf(taskId);
        bytes memory data =
            abi.encodeCall(factory.claimTo, (claim_.vaultId, claim_, new bytes32[](0), signClaim(aliceKey, claim_)));
        opened("claimTo", address(factory), data);
    }

    /// The transaction in which the service sends a claim.
    function test_claimAtTheVault() external {
        ClaimTo memory claim_ = aClaimOf(createSettled());
        bytes memory signature = signClaim(aliceKey, claim_);
        vm.prank(relayer);
        vault.claimTo(claim_, new bytes32[](0), signature);
        vm.snapshotGasLastCall("direct.claimTo");
    }

    function test_settleFifty() external {
        bytes32 taskId = createSponsored();
        (address[] memory workers, uint256[] memory amounts) = (new address[](50), new uint256[](50));
        Winner[] memory winners = new Winner[](50);
        for (uint256 i; i < winners.length; i++) {
            (workers[i], amounts[i]) = (address(uint160(0xF000 + i)), REWARD / 50);
            submit(taskId, workers[i], bytes32(i + 1));
            winners[i] = Winner(workers[i], 200, bytes32(i + 1));
        }
        split(taskId, winners);
        opened(
            "installSettlement of fifty",
            address(hook),
            abi.encodeCall(hook.installSettlement, (taskId, workers, amounts))
        );
    }
}
