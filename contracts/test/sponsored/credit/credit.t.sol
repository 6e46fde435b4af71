// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ChargeState, ISponsoredVault, VaultTotals} from "../../../src/interfaces/ISponsoredVault.sol";
import {CreateTaskParams, Verdict, Winner} from "../../../src/types/TaskTypes.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {SponsoredTest} from "../support/SponsoredTest.sol";

contract SponsoredCreditTest is SponsoredTest {
    /// when one worker is awarded all of it: it owes the net amount to the worker and the fee to the platform
    function test_OwesAll() external {
        bytes32 taskId = createCredited();
        assertState(taskId, ChargeState.Credited);
        assertEq(vault.chargeOf(taskId).credited, NET);
        assertTotals(FUNDS - GROSS, 0, NET, FEE);
        assertEq(spentBy(requester), GROSS);
        assertEq(vault.totals().feeCredit, FEE_CREDIT - FEE);
    }

    /// when one worker is awarded all of it: it logs what is owed, the fee and all totals
    function test_Logs() external {
        bytes32 taskId = createSponsored();
        submit(taskId, alice, "a1");
        vm.expectEmit(address(vault));
        emit ISponsoredVault.RewardCredited(
            taskId, NET, FEE, 0, REWARD, GROSS, VaultTotals(FUNDS - GROSS, 0, NET, FEE, FEE_CREDIT - FEE)
        );
        accept(taskId, alice, "a1");
    }

    /// when one worker is awarded all of it: it does so in every mode
    function test_OwesInEveryMode() external {
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            uint256 start = vm.snapshotState();
            bool isContest = all[i].mode == Modes.BOUNTY || all[i].mode == Modes.BENCHMARK;
            bytes32 taskId = isContest ? create(sponsored(all[i])) : createAssigned(sponsored(all[i]));
            submit(taskId, alice, "a1");
            accept(taskId, alice, "a1");
            assertTotals(FUNDS - GROSS, 0, NET, FEE);
            vm.revertToState(start);
        }
    }

    /// when an auction was won below the reward: it owes all of the net amount
    function test_LowPrice() external {
        bytes32 taskId = createAssigned(sponsored(anAuction(Modes.ENGLISH)));
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
        assertEq(market.getTask(taskId).price, REWARD / 2);
        assertTotals(FUNDS - GROSS, 0, NET, FEE);
    }

    /// when the reward was raised after the charge: it owes the same
    function test_RaisedReward() external {
        bytes32 taskId = createSponsored();
        update(aRaise(taskId, 3 * REWARD));
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
        assertTotals(FUNDS - GROSS, 0, NET, FEE);
    }

    /// when fifty workers share it: it owes each its part within the gas of a hook
    function test_Fifty() external {
        bytes32 taskId = createSponsored();
        Winner[] memory winners = fifty(taskId, 200);
        vm.recordLogs();
        split(taskId, winners);
        assertEq(countLogs(HookCallFailed.selector), 0);
        assertState(taskId, ChargeState.Credited);
        assertTotals(FUNDS - GROSS, 0, NET, FEE);
    }

    /// when fifty workers share it: it gives the rest back to the owner, the manager and the fee credit
    function test_FiftyWithARest() external {
        bytes32 taskId = create(sponsored(evaluated(aBounty())));
        submit(taskId, alice, "a1");
        // A twentieth is the evaluator's, half of the rest is awarded.
        evaluateExpired(taskId, Verdict.Partial, oneAward(alice, REWARD * 19 / 40));
        vm.warp(block.timestamp + 1 hours);
        market.finalizeVerdict(taskId);
        (uint256 credited, uint256 fee) = (uint256(NET) * 19 / 40, uint256(FEE) * 19 / 40);
        assertTotals(FUNDS - credited - fee, 0, credited, fee);
        assertEq(spentBy(requester), credited + fee);
        assertEq(vault.totals().feeCredit, FEE_CREDIT - fee);
    }

    /// when an evaluator awards a part: it owes that part of the net amount and of the fee
    function test_Part() external {
        bytes32 taskId = create(sponsored(evaluated(aBounty())));
        submit(taskId, alice, "a1");
        evaluateExpired(taskId, Verdict.Partial, oneAward(alice, REWARD / 100));
        vm.warp(block.timestamp + 1 hours);
        market.finalizeVerdict(taskId);
        assertTotals(FUNDS - GROSS / 100, 0, NET / 100, FEE / 100);
    }

    /// when the requester awards itself: it releases that part
    function test_SelfAward() external {
        bytes32 taskId = createSponsored();
        submit(taskId, requester, "a1");
        submit(taskId, bob, "b1");
        split(taskId, winnersOf(requester, 7500, bob, 2500));
        assertTotals(FUNDS - GROSS / 4, 0, NET / 4, FEE / 4);
        assertEq(spentBy(requester), GROSS / 4);
    }

    /// when the requester awards itself: it releases everything when there is no other award
    function test_OnlySelfAward() external {
        bytes32 taskId = createSponsored();
        submit(taskId, requester, "a1");
        accept(taskId, requester, "a1");
        assertState(taskId, ChargeState.Released);
        assertTotals(FUNDS, 0, 0, 0);
        assertEq(spentBy(requester), 0);
        assertEq(vault.totals().feeCredit, FEE_CREDIT);
    }

    /// when the part of an award is less than one unit: it is none
    function test_LessThanAUnit() external {
        CreateTaskParams memory params = sponsored(aBounty());
        params.hookData = smallTerms(params, 3);
        bytes32 taskId = create(params);
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
        split(taskId, winnersOf(alice, 9000, bob, 1000));
        // Of three units alice has two, bob a third of one.
        assertTotals(FUNDS - 2, 0, 2, 0);
    }

    /// when the task is cancelled or expires: it releases everything
    function test_Ended() external {
        bytes32 cancelled = createSponsored();
        bytes32 expired = createSponsored();
        cancel(cancelled);
        vm.warp(block.timestamp + DURATION + 1);
        market.refundExpired(expired);
        assertState(cancelled, ChargeState.Released);
        assertState(expired, ChargeState.Released);
        assertTotals(FUNDS, 0, 0, 0);
        assertEq(spentBy(requester), 0);
    }

    /// when the vault was exited: it changes nothing
    function test_Exited() external {
        CreateTaskParams memory params = aBounty();
        params.duration = 30 days;
        params = sponsored(params);
        (bytes32 completed, bytes32 cancelled) = (create(params), create(params));
        announceAndExit();
        submit(completed, alice, "a1");
        vm.recordLogs();
        accept(completed, alice, "a1");
        cancel(cancelled);
        assertEq(countLogs(HookCallFailed.selector), 0);
        assertState(completed, ChargeState.Reserved);
        assertTotals(0, 0, 0, 0);
    }

    /// when another hook than that of the charge decides: it reverts with NotTheHookOfTheCharge
    function test_OtherHook() external {
        bytes32 taskId = createSponsored();
        vm.prank(sponsor);
        vault.setCharger(stranger, true);
        vm.startPrank(stranger);
        expectError(ISponsoredVault.NotTheHookOfTheCharge.selector, stranger);
        vault.release(taskId);
        expectError(ISponsoredVault.NotTheHookOfTheCharge.selector, stranger);
        vault.credit(taskId, NET, FEE, REWARD);
        expectError(ISponsoredVault.NotTheHookOfTheCharge.selector, stranger);
        vault.settle(taskId, 0, noAccounts(), noAmounts());
        vm.expectRevert(abi.encodeWithSelector(ISponsoredVault.AlreadyCharged.selector, taskId));
        vault.charge(taskId, requester, GROSS, FEE);
    }

    function fifty(bytes32 taskId, uint16 share) private returns (Winner[] memory winners) {
        winners = new Winner[](50);
        for (uint256 i; i < winners.length; i++) {
            address worker = address(uint160(0xF000 + i));
            submit(taskId, worker, bytes32(i + 1));
            winners[i] = Winner(worker, share, bytes32(i + 1));
        }
    }

    function smallTerms(CreateTaskParams memory params, uint256 gross) private view returns (bytes memory) {
        return
            abi.encode(
                1, vault.vaultId(), requester, gross, uint256(vault.epoch()), uint256(FEE_BPS), termsHashOf(params)
            );
    }
}
