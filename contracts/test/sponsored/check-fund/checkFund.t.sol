// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {FundingTerms, ISponsoredTasksHook} from "../../../src/interfaces/ISponsoredTasksHook.sol";
import {ChargeState, ISponsoredVault, VaultCharge, VaultTotals} from "../../../src/interfaces/ISponsoredVault.sol";
import {HookVerdict, ITaskHook, TaskContext} from "../../../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {CreateTaskParams} from "../../../src/types/TaskTypes.sol";
import {HostileToken} from "../../support/HostileToken.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {SponsoredTest} from "../support/SponsoredTest.sol";

contract SponsoredCheckFundTest is SponsoredTest {
    event RewardCharged(
        bytes32 indexed taskId,
        address indexed manager,
        address hook,
        uint256 gross,
        uint256 net,
        uint256 fee,
        uint256 spent,
        VaultTotals totals
    );

    /// when the vault can pay and the terms are those of the task: it reserves the reward in every mode
    function test_ReservesInEveryMode() external {
        fundVault(FUNDS);
        vm.startPrank(sponsor);
        vault.setManager(requester, 8 * GROSS, true);
        vault.setFeeCredit(8 * FEE);
        vm.stopPrank();
        CreateTaskParams[8] memory all = oneOfEach();
        for (uint256 i; i < all.length; i++) {
            bytes32 taskId = create(sponsored(all[i]));
            VaultCharge memory charge = vault.chargeOf(taskId);
            assertEq(charge.hook, address(hook));
            assertEq(charge.manager, requester);
            assertEq(charge.gross, GROSS);
            assertEq(charge.fee, FEE);
            assertState(taskId, ChargeState.Reserved);
            assertEq(address(hook.vaultOfTask(taskId)), address(vault));
        }
        assertTotals(2 * FUNDS - 8 * GROSS, 8 * GROSS, 0, 0);
        assertEq(vault.totals().feeCredit, 0);
        assertEq(spentBy(requester), 8 * GROSS);
    }

    /// when the vault can pay and the terms are those of the task: it logs gross, net, fee and what the manager spent
    function test_LogsTheCharge() external {
        CreateTaskParams memory params = sponsored(aBounty());
        bytes32 taskId = market.nextTaskId(requester);
        VaultTotals memory totals = VaultTotals(FUNDS - GROSS, GROSS, 0, 0, FEE_CREDIT - FEE);
        vm.expectEmit(address(vault));
        emit RewardCharged(taskId, requester, address(hook), GROSS, NET, FEE, GROSS, totals);
        create(params);
    }

    /// when the vault can pay and the terms are those of the task: it covers evaluator, tags and other hooks
    function test_CoversEverything() external {
        CreateTaskParams memory params = evaluated(aClaim());
        params.tags = new bytes32[](1);
        params.tags[0] = keccak256("solidity");
        params.hooks = asList(address(new ScriptedHook()));
        assertState(create(sponsored(params)), ChargeState.Reserved);
    }

    /// when a field of the task differs from what was agreed: it reverts with TaskTermsMismatch and both hashes
    function test_OtherTerms() external {
        CreateTaskParams memory agreed = sponsored(aBounty());
        bytes32 expected = fundingTermsOf(agreed).termsHash;
        CreateTaskParams memory params = sponsored(aBounty());
        params.reward += 1;
        expectMismatch(params, expected);
        params = sponsored(aBounty());
        params.duration += 1;
        expectMismatch(params, expected);
        params = sponsored(aBounty());
        params.tags = new bytes32[](1);
        expectMismatch(params, expected);
        params = evaluated(sponsored(aBounty()));
        expectMismatch(params, expected);
        params = sponsored(aBounty());
        params.hooks = asList(address(new ScriptedHook()), address(hook));
        expectMismatch(params, expected);
        assertTotals(FUNDS, 0, 0, 0);
    }

    /// when the hook data is not its encoding: it reverts with InvalidHookData
    function test_OtherData() external {
        bytes memory invalid = abi.encodeWithSelector(ISponsoredTasksHook.InvalidHookData.selector);
        CreateTaskParams memory params = sponsored(aBounty());
        FundingTerms memory terms = fundingTermsOf(params);
        params.hookData = "";
        expectVeto(params, invalid);
        params.hookData = bytes.concat(abi.encode(terms), hex"00");
        expectVeto(params, invalid);
        terms.version = 2;
        params.hookData = abi.encode(terms);
        expectVeto(params, invalid);
    }

    /// when the requester is not the manager: it reverts with NotTheManager
    function test_OtherRequester() external {
        CreateTaskParams memory params = sponsored(aBounty());
        FundingTerms memory terms = fundingTermsOf(params);
        terms.manager = bob;
        params.hookData = abi.encode(terms);
        expectVeto(params, abi.encodeWithSelector(ISponsoredTasksHook.NotTheManager.selector, requester, bob));
    }

    /// when no vault has the id: it reverts with UnknownVault
    function test_UnknownVault() external {
        CreateTaskParams memory params = sponsored(aBounty());
        FundingTerms memory terms = fundingTermsOf(params);
        terms.vaultId = keccak256("none");
        params.hookData = abi.encode(terms);
        expectVeto(params, abi.encodeWithSelector(ISponsoredTasksHook.UnknownVault.selector, terms.vaultId));
    }

    /// when the platform fee has changed: it reverts with WrongFeeBps
    function test_OtherFee() external {
        CreateTaskParams memory params = sponsored(aBounty());
        vm.prank(owner);
        market.setFeeBps(500);
        expectVeto(params, abi.encodeWithSelector(ISponsoredTasksHook.WrongFeeBps.selector, 500, FEE_BPS));
    }

    /// when the epoch is another one: it reverts with WrongEpoch
    function test_OtherEpoch() external {
        CreateTaskParams memory params = sponsored(aBounty());
        FundingTerms memory terms = fundingTermsOf(params);
        terms.epoch = 1;
        params.hookData = abi.encode(terms);
        expectVeto(params, abi.encodeWithSelector(ISponsoredTasksHook.WrongEpoch.selector, 0, 1));
    }

    /// when the amount is zero or above 128 bits: it reverts with InvalidGross
    function test_OtherAmounts() external {
        CreateTaskParams memory params = sponsored(aBounty());
        FundingTerms memory terms = fundingTermsOf(params);
        terms.gross = 0;
        params.hookData = abi.encode(terms);
        expectVeto(params, abi.encodeWithSelector(ISponsoredTasksHook.InvalidGross.selector, 0));
        terms.gross = 1 << 128;
        params.hookData = abi.encode(terms);
        expectVeto(params, abi.encodeWithSelector(ISponsoredTasksHook.InvalidGross.selector, uint256(1) << 128));
    }

    /// when the vault cannot pay: it reverts with the error of each problem
    function test_EveryProblem() external {
        CreateTaskParams memory params = sponsored(aBounty());
        uint256 before = vm.snapshotState();
        vm.startPrank(sponsor);
        vault.announceExit();
        expectVetoAndRevert(before, params, abi.encodeWithSelector(ISponsoredVault.VaultNotActive.selector));
        vm.startPrank(sponsor);
        vault.setCharger(address(hook), false);
        expectVetoAndRevert(before, params, abi.encodeWithSelector(ISponsoredVault.NotACharger.selector, hook));
        vm.startPrank(sponsor);
        vault.setManager(requester, CAP, false);
        expectVetoAndRevert(
            before, params, abi.encodeWithSelector(ISponsoredVault.ManagerNotActive.selector, requester)
        );
        vm.startPrank(sponsor);
        vault.setManager(requester, GROSS - 1, true);
        expectVetoAndRevert(
            before,
            params,
            abi.encodeWithSelector(ISponsoredVault.ManagerCapExceeded.selector, requester, 0, GROSS, GROSS - 1)
        );
        vm.startPrank(sponsor);
        vault.setFeeCredit(FEE - 1);
        expectVetoAndRevert(
            before, params, abi.encodeWithSelector(ISponsoredVault.InsufficientFeeCredit.selector, FEE, FEE - 1)
        );
        vm.startPrank(sponsor);
        vault.withdrawAvailable(sponsor, FUNDS - GROSS + 1);
        expectVetoAndRevert(
            before, params, abi.encodeWithSelector(ISponsoredVault.InsufficientAvailable.selector, GROSS, GROSS - 1)
        );
        token.script(HostileToken.Behaviour.RevertBalances);
        expectVetoAndRevert(before, params, abi.encodeWithSelector(ISponsoredVault.VaultInsolvent.selector));
        token.script(HostileToken.Behaviour.BurnBalances);
        expectVetoAndRevert(before, params, abi.encodeWithSelector(ISponsoredVault.VaultInsolvent.selector));
        token.burn(address(vault), 1);
        expectVetoAndRevert(before, params, abi.encodeWithSelector(ISponsoredVault.VaultInsolvent.selector));
    }

    /// when the manager charged up to its cap: it charges that, and no more
    function test_Cap() external {
        vm.prank(sponsor);
        vault.setManager(requester, 2 * GROSS, true);
        createSponsored();
        createSponsored();
        expectVeto(
            sponsored(aBounty()),
            abi.encodeWithSelector(ISponsoredVault.ManagerCapExceeded.selector, requester, 2 * GROSS, GROSS, 2 * GROSS)
        );
        assertEq(spentBy(requester), 2 * GROSS);
    }

    /// when the caller is not the market: it reverts with NotTheMarket
    function test_OtherCaller() external {
        TaskContext memory context;
        HookVerdict memory verdict;
        bytes32 taskId = createSponsored();
        bytes[4] memory calls = [
            abi.encodeCall(hook.checkFund, (taskId, context, "")),
            abi.encodeCall(hook.onComplete, (taskId, context, verdict)),
            abi.encodeCall(hook.onCancel, (taskId, context)),
            abi.encodeCall(hook.onExpire, (taskId, context))
        ];
        for (uint256 i; i < calls.length; i++) {
            (bool success, bytes memory reason) = address(hook).call(calls[i]);
            assertFalse(success);
            assertEq(reason, abi.encodeWithSelector(ISponsoredTasksHook.NotTheMarket.selector, address(this)));
        }
        assertState(taskId, ChargeState.Reserved);
    }

    function fundingTermsOf(CreateTaskParams memory params) private pure returns (FundingTerms memory) {
        return abi.decode(params.hookData, (FundingTerms));
    }

    /// @dev The hash of what the task is with no hook data to look at.
    function expectMismatch(CreateTaskParams memory params, bytes32 expected) private {
        expectVeto(
            params,
            abi.encodeWithSelector(ISponsoredTasksHook.TaskTermsMismatch.selector, expected, termsHashOf(params))
        );
    }

    function expectVeto(CreateTaskParams memory params, bytes memory reason) private {
        vm.expectRevert(
            abi.encodeWithSelector(ITaskMarket.HookVetoed.selector, address(hook), ITaskHook.checkFund.selector, reason)
        );
        create(params);
    }

    function expectVetoAndRevert(uint256 snapshot, CreateTaskParams memory params, bytes memory reason) private {
        vm.stopPrank();
        expectVeto(params, reason);
        vm.revertToState(snapshot);
    }
}
