// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SponsoredTasksHook} from "../../../src/SponsoredTasksHook.sol";
import {FundingTerms} from "../../../src/interfaces/ISponsoredTasksHook.sol";
import {ChargeState, ClaimTo, ISponsoredVault, VaultTotals} from "../../../src/interfaces/ISponsoredVault.sol";
import {ISponsoredVaultFactory} from "../../../src/interfaces/ISponsoredVaultFactory.sol";
import {SettlementTree} from "../../../src/sponsored/SettlementTree.sol";
import {CreateTaskParams, EvaluatorTerms} from "../../../src/types/TaskTypes.sol";
import {HostileToken} from "../../support/HostileToken.sol";
import {MarketTest} from "../../support/MarketTest.sol";

/// @title A market with a funded vault, whose manager is the requester
/// @notice A task charges 100 tokens: 92.5 for workers and 7.5 of platform fee.
abstract contract SponsoredTest is MarketTest {
    uint128 internal constant FUNDS = 1000e18;
    uint128 internal constant GROSS = 100e18;
    uint128 internal constant FEE = 7.5e18;
    uint128 internal constant NET = 92.5e18;
    uint128 internal constant CAP = 500e18;
    uint128 internal constant FEE_CREDIT = 50e18;
    bytes32 internal constant CLAIM_TYPEHASH = keccak256(
        "ClaimTo(bytes32 vaultId,uint64 epoch,bytes32 allocationId,bytes32 taskId,uint256 index,address worker,"
        "address destination,uint256 amount,uint256 nonce,uint256 deadline)"
    );

    address internal sponsor = makeAddr("sponsor");
    address internal destination = makeAddr("destination");
    HostileToken internal token;
    SponsoredTasksHook internal hook;
    ISponsoredVaultFactory internal factory;
    ISponsoredVault internal vault;

    function setUp() public virtual override {
        super.setUp();
        token = new HostileToken();
        hook = SponsoredTasksHook(deploy("SponsoredTasksHook", abi.encode(market)));
        factory = hook.factory();
        vault = openVault(address(token), "main");
        fundVault(FUNDS);
        fund(alice);
        fund(bob);
    }

    // --- The sponsor ---

    /// @dev Its manager is the requester, its charger the hook.
    function openVault(address vaultToken, bytes32 salt) internal returns (ISponsoredVault opened) {
        vm.startPrank(sponsor);
        opened = factory.createVault(vaultToken, salt);
        opened.setCharger(address(hook), true);
        opened.setManager(requester, CAP, true);
        opened.setFeeCredit(FEE_CREDIT);
        vm.stopPrank();
    }

    function fundVault(uint256 amount) internal {
        token.mint(sponsor, amount);
        vm.startPrank(sponsor);
        token.approve(address(vault), type(uint256).max);
        vault.fund(amount);
        vm.stopPrank();
    }

    function announceAndExit() internal {
        vm.prank(sponsor);
        vault.announceExit();
        vm.warp(block.timestamp + 7 days);
        vm.prank(sponsor);
        vault.exit(sponsor);
    }

    /// @dev The owner as a hook of its own: credits `credited` without a task, and settles any root.
    function chargeAndSettle(bytes32 taskId, uint128 credited, bytes32 root) internal {
        vm.startPrank(sponsor);
        vault.setCharger(sponsor, true);
        vault.setManager(sponsor, type(uint128).max, true);
        vault.charge(taskId, sponsor, credited, 0);
        vault.credit(taskId, credited, 0, credited);
        vault.settle(taskId, root, asList(alice), amountsOf(credited));
        vm.stopPrank();
    }

    // --- Sponsored tasks ---

    function fundingTerms(bytes32 termsHash) internal view returns (FundingTerms memory) {
        return FundingTerms({
            version: 1,
            vaultId: vault.vaultId(),
            manager: requester,
            gross: GROSS,
            epoch: vault.epoch(),
            feeBps: FEE_BPS,
            termsHash: termsHash
        });
    }

    /// @dev The task with the sponsored hook last in its list, and the hook data that fits it.
    function sponsored(CreateTaskParams memory params) internal view returns (CreateTaskParams memory) {
        params.hooks = _append(params.hooks, address(hook));
        params.hookData = abi.encode(fundingTerms(termsHashOf(params)));
        return params;
    }

    function createSponsored() internal returns (bytes32) {
        return create(sponsored(aBounty()));
    }

    /// @dev A sponsored bounty accepted from alice.
    function createCredited() internal returns (bytes32 taskId) {
        taskId = createSponsored();
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
    }

    /// @dev Its claims are open.
    function createSettled() internal returns (bytes32 taskId) {
        taskId = createCredited();
        hook.installSettlement(taskId, asList(alice), amountsOf(REWARD));
    }

    /// @dev Returns the hash that ITaskMarket.taskTermsHash documents, without default hooks.
    function termsHashOf(CreateTaskParams memory params) internal pure returns (bytes32) {
        bytes memory first = abi.encode(
            params.mode,
            params.auctionType,
            uint256(params.reward),
            uint256(params.duration),
            uint256(params.pitchDuration),
            uint256(params.bidDuration),
            uint256(params.clockPrice),
            uint256(params.stakeBps)
        );
        EvaluatorTerms memory terms = params.evaluation;
        bytes memory second = abi.encode(
            params.tags.length == 0 ? bytes32(0) : keccak256(abi.encodePacked(params.tags)),
            terms.evaluator,
            terms.resolver,
            uint256(terms.feeBps),
            uint256(terms.evaluationWindow),
            uint256(terms.appealWindow),
            params.hooks.length == 0 ? bytes32(0) : keccak256(abi.encode(uint8(0), params.hooks))
        );
        return keccak256(bytes.concat(first, second));
    }

    // --- Claims ---

    /// @dev Alice's claim to all of a settled task.
    function aClaimOf(bytes32 taskId) internal view returns (ClaimTo memory) {
        return ClaimTo({
            vaultId: vault.vaultId(),
            epoch: vault.epoch(),
            allocationId: taskId,
            taskId: taskId,
            index: 0,
            worker: alice,
            destination: destination,
            amount: NET,
            nonce: vault.nonceOf(alice),
            deadline: block.timestamp + 600
        });
    }

    function signClaim(uint256 key, ClaimTo memory claim) internal view returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, claimDigest(claim));
        return abi.encodePacked(r, s, v);
    }

    function claimDigest(ClaimTo memory claim) internal view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("SponsoredTasksVault"),
                keccak256("1"),
                block.chainid,
                address(vault)
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, keccak256(abi.encode(CLAIM_TYPEHASH, claim))));
    }

    /// @dev The only leaf of a tree needs no proof.
    function payClaim(ClaimTo memory claim) internal {
        vault.claimTo(claim, new bytes32[](0), signClaim(aliceKey, claim));
    }

    function leafOf(bytes32 taskId, uint256 index, address worker, uint256 amount) internal view returns (bytes32) {
        return SettlementTree.leafOf(
            SettlementTree.Leaf({
                vaultId: vault.vaultId(),
                epoch: vault.epoch(),
                allocationId: taskId,
                taskId: taskId,
                index: index,
                worker: worker,
                amount: amount
            })
        );
    }

    // --- Small things ---

    function amountsOf(uint256 first) internal pure returns (uint256[] memory list) {
        list = new uint256[](1);
        list[0] = first;
    }

    function amountsOf(uint256 first, uint256 second) internal pure returns (uint256[] memory list) {
        list = new uint256[](2);
        (list[0], list[1]) = (first, second);
    }

    function noAmounts() internal pure returns (uint256[] memory) {
        return new uint256[](0);
    }

    function noAccounts() internal pure returns (address[] memory) {
        return new address[](0);
    }

    function stateOf(bytes32 taskId) internal view returns (ChargeState) {
        return vault.chargeOf(taskId).state;
    }

    function spentBy(address manager) internal view returns (uint256) {
        return vault.managerOf(manager).spent;
    }

    function assertState(bytes32 taskId, ChargeState state) internal view {
        assertEq(uint256(stateOf(taskId)), uint256(state), "state of the charge");
    }

    /// @dev Asserts the totals of the vault, and that its balance equals what they count.
    function assertTotals(uint256 available, uint256 reserved, uint256 owed, uint256 fees) internal view {
        VaultTotals memory totals = vault.totals();
        assertEq(totals.available, available, "available");
        assertEq(totals.reserved, reserved, "reserved");
        assertEq(totals.owed, owed, "owed");
        assertEq(totals.fees, fees, "fees");
        assertEq(token.balanceOf(address(vault)), available + reserved + owed + fees, "balance");
    }

    function _append(address[] memory list, address last) private pure returns (address[] memory longer) {
        longer = new address[](list.length + 1);
        for (uint256 i; i < list.length; i++) {
            longer[i] = list[i];
        }
        longer[list.length] = last;
    }
}
