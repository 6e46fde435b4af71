// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Arrays} from "@openzeppelin/contracts/utils/Arrays.sol";
import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {Hashes} from "@openzeppelin/contracts/utils/cryptography/Hashes.sol";
import {ISponsoredTasksHook} from "../../../src/interfaces/ISponsoredTasksHook.sol";
import {ChargeState, VaultCharge} from "../../../src/interfaces/ISponsoredVault.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {CreateTaskParams, Verdict, Winner} from "../../../src/types/TaskTypes.sol";
import {SponsoredTest} from "../support/SponsoredTest.sol";

contract InstallSettlementTest is SponsoredTest {
    event SettlementInstalled(
        bytes32 indexed taskId, uint256 epoch, bytes32 root, uint256 total, address[] workers, uint256[] amounts
    );

    /// when the awards are those of the task: it installs the root of their tree, whichever account calls
    function test_Installs() external {
        bytes32 taskId = splitBetween(7500, 2500);
        vm.prank(stranger);
        hook.installSettlement(taskId, asList(alice, bob), amountsOf(REWARD * 3 / 4, REWARD / 4));
        VaultCharge memory charge = vault.chargeOf(taskId);
        assertEq(uint256(charge.state), uint256(ChargeState.Settled));
        bytes32[] memory proof = new bytes32[](1);
        proof[0] = leafOf(taskId, 1, bob, NET / 4);
        assertTrue(MerkleProof.verify(proof, charge.root, leafOf(taskId, 0, alice, NET * 3 / 4)));
    }

    /// when the awards are those of the task: it logs workers and amounts
    function test_Logs() external {
        bytes32 taskId = splitBetween(7500, 2500);
        bytes32 root =
            Hashes.commutativeKeccak256(leafOf(taskId, 0, alice, NET * 3 / 4), leafOf(taskId, 1, bob, NET / 4));
        vm.expectEmit(address(vault));
        emit SettlementInstalled(taskId, 0, root, NET, asList(alice, bob), amountsOf(NET * 3 / 4, NET / 4));
        hook.installSettlement(taskId, asList(alice, bob), amountsOf(REWARD * 3 / 4, REWARD / 4));
    }

    /// when the awards are those of the task: it leaves out awards without tokens, whose index stays free
    function test_LeavesOut() external {
        bytes32 taskId = createSponsored();
        submit(taskId, requester, "a1");
        submit(taskId, bob, "b1");
        split(taskId, winnersOf(requester, 7500, bob, 2500));
        hook.installSettlement(taskId, asList(requester, bob), amountsOf(REWARD * 3 / 4, REWARD / 4));
        assertEq(vault.chargeOf(taskId).root, leafOf(taskId, 1, bob, NET / 4));
    }

    /// when the awards are those of the task: it does so in every mode, and for the part that a verdict awards
    function test_EveryMode() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            uint256 start = vm.snapshotState();
            bool isContest = all[i].mode == Modes.BOUNTY || all[i].mode == Modes.BENCHMARK;
            bytes32 taskId = isContest ? create(sponsored(all[i])) : createAssigned(sponsored(all[i]));
            submit(taskId, alice, "a1");
            accept(taskId, alice, "a1");
            hook.installSettlement(taskId, asList(alice), amountsOf(market.contextOf(taskId).reward));
            assertEq(vault.chargeOf(taskId).root, leafOf(taskId, 0, alice, NET));
            vm.revertToState(start);
        }
        bytes32 judged = create(sponsored(evaluated(aBounty())));
        submit(judged, alice, "a1");
        evaluateExpired(judged, Verdict.Partial, oneAward(alice, REWARD / 100));
        vm.warp(block.timestamp + 1 hours);
        market.finalizeVerdict(judged);
        hook.installSettlement(judged, asList(alice), amountsOf(REWARD / 100));
        assertEq(vault.chargeOf(judged).root, leafOf(judged, 0, alice, NET / 100));
    }

    /// when fifty workers share it: it installs the tree of all of them
    function test_Fifty() external {
        bytes32 taskId = createSponsored();
        (address[] memory workers, uint256[] memory amounts) = (new address[](50), new uint256[](50));
        Winner[] memory winners = new Winner[](50);
        for (uint256 i; i < winners.length; i++) {
            (workers[i], amounts[i]) = (address(uint160(0xF000 + i)), REWARD / 50);
            submit(taskId, workers[i], bytes32(i + 1));
            winners[i] = Winner(workers[i], 200, bytes32(i + 1));
        }
        split(taskId, winners);
        hook.installSettlement(taskId, workers, amounts);
        assertState(taskId, ChargeState.Settled);
        bytes32[] memory leaves = new bytes32[](50);
        for (uint256 i; i < leaves.length; i++) {
            leaves[i] = leafOf(taskId, i, workers[i], NET / 50);
        }
        assertEq(vault.chargeOf(taskId).root, rootOf(leaves));
    }

    /// when the awards differ: it reverts with AwardsMismatch
    function test_OtherAwards() external {
        bytes32 taskId = createCredited();
        bytes32 expected = keccak256(abi.encode(asList(alice), amountsOf(REWARD)));
        bytes32 actual = keccak256(abi.encode(asList(bob), amountsOf(REWARD)));
        vm.expectRevert(abi.encodeWithSelector(ISponsoredTasksHook.AwardsMismatch.selector, expected, actual));
        hook.installSettlement(taskId, asList(bob), amountsOf(REWARD));
        actual = keccak256(abi.encode(asList(alice), amountsOf(REWARD - 1)));
        vm.expectRevert(abi.encodeWithSelector(ISponsoredTasksHook.AwardsMismatch.selector, expected, actual));
        hook.installSettlement(taskId, asList(alice), amountsOf(REWARD - 1));
    }

    /// when the reward is not credited, or the claims are open: it reverts with NothingToSettle
    function test_NotCredited() external {
        bytes32 taskId = createSponsored();
        expectNothing(taskId);
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
        hook.installSettlement(taskId, asList(alice), amountsOf(REWARD));
        expectNothing(taskId);
    }

    /// when the vault was exited: it reverts with NothingToSettle
    function test_Exited() external {
        bytes32 taskId = createCredited();
        announceAndExit();
        expectNothing(taskId);
    }

    /// when the task has no reward: it reverts with NoReward
    function test_NoReward() external {
        bytes32 taskId = createCompleted();
        vm.expectRevert(abi.encodeWithSelector(ISponsoredTasksHook.NoReward.selector, taskId));
        hook.installSettlement(taskId, asList(alice), amountsOf(REWARD));
    }

    function splitBetween(uint16 first, uint16 second) private returns (bytes32 taskId) {
        taskId = createSponsored();
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
        split(taskId, winnersOf(alice, first, bob, second));
    }

    /// @dev A queue of the sorted leaves: the first two leave it, and their parent joins it at the end.
    function rootOf(bytes32[] memory leaves) private pure returns (bytes32) {
        uint256 count = leaves.length;
        bytes32[] memory queue = new bytes32[](2 * count - 1);
        Arrays.sort(leaves);
        for (uint256 i; i < queue.length; i++) {
            queue[i] =
                i < count ? leaves[i] : Hashes.commutativeKeccak256(queue[2 * (i - count)], queue[2 * (i - count) + 1]);
        }
        return queue[queue.length - 1];
    }

    function expectNothing(bytes32 taskId) private {
        vm.expectRevert(abi.encodeWithSelector(ISponsoredTasksHook.NothingToSettle.selector, taskId));
        hook.installSettlement(taskId, asList(alice), amountsOf(REWARD));
    }
}
