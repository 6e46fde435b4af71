// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {StdInvariant} from "forge-std/StdInvariant.sol";
import {ISponsoredVault, VaultTotals} from "../../../src/interfaces/ISponsoredVault.sol";
import {HostileToken} from "../../support/HostileToken.sol";
import {SponsoredTest} from "../support/SponsoredTest.sol";
import {VaultHandler} from "./VaultHandler.sol";

/// @notice The laws of a vault, over random sequences of tasks, settlements, claims, settings and hostile tokens.
contract VaultInvariantsTest is SponsoredTest {
    VaultHandler private handler;

    function setUp() public override {
        super.setUp();
        handler = new VaultHandler();
        handler.adopt(market, hook, vault, token, sponsor);
        vm.startPrank(sponsor);
        for (uint256 i; i < handler.ACTORS(); i++) {
            vault.setManager(handler.actorAt(i), CAP, true);
        }
        vault.setFeeCredit(1000e18);
        vm.stopPrank();
        for (uint256 i; i < handler.ACTORS(); i++) {
            fund(handler.actorAt(i));
        }
        targetContract(address(handler));
        targetSelector(StdInvariant.FuzzSelector(address(handler), handler.steps()));
    }

    /// @notice After each step: the balance is what the vault counts, and what came past it; reserved and owed are sums
    /// over its charges; no charge is above its manager's cap, no leaf is paid twice, and the market's money is untouched.
    function invariant_LawsHold() external view {
        VaultTotals memory totals = vault.totals();
        uint256 counted = uint256(totals.available) + totals.reserved + totals.owed + totals.fees;
        assertEq(token.heldBy(address(vault)), counted + handler.donated(), "the balance is not what is counted");
        (uint256 reserved, uint256 owed, bool isOverpaid) = handler.sums();
        assertEq(totals.reserved, reserved, "reserved is not the sum of charges");
        assertEq(totals.owed, owed, "owed is not the sum of credits");
        assertFalse(isOverpaid, "more is paid than was credited");
        assertEq(handler.overCap(), 0, "a charge is above the cap");
        assertLe(handler.mostTimesPaid(), 1, "a leaf is paid twice");
        assertEq(usdc.balanceOf(address(market)), market.totalEscrow(), "the market's balance is not its escrow");
    }

    /// @notice Every credited reward is paid in full until the notice has run, from any state and whatever the owner
    /// does; the exit then returns the rest but fees, once.
    function afterInvariant() external {
        vm.clearMockedCalls();
        token.script(HostileToken.Behaviour.None);
        handler.turnHostile();
        address workers = makeAddr("all workers");
        if (!vault.isExited()) {
            uint256 paid = handler.claimAll(workers);
            assertEq(token.balanceOf(workers), paid, "what is credited is not paid");
            assertEq(vault.totals().owed, handler.owedByOwnHook(), "a credited reward is not claimed");
            expectExitOnce();
        }
        vm.prank(sponsor);
        vm.expectRevert(ISponsoredVault.VaultNotActive.selector);
        vault.exit(sponsor);
    }

    function expectExitOnce() private {
        (uint256 balance, uint256 before, uint256 fees) =
            (token.balanceOf(address(vault)), token.balanceOf(sponsor), vault.totals().fees);
        if (block.timestamp < vault.exitAt()) vm.warp(vault.exitAt());
        vm.prank(sponsor);
        vault.exit(sponsor);
        assertEq(token.balanceOf(sponsor) - before, balance - fees, "the exit does not return everything");
        assertEq(token.balanceOf(address(vault)), fees, "the exit leaves more than fees");
    }

    /// @notice With a vault that works, that burns all gas, or that is exited, and with a token that does: every status and
    /// every amount of USDC is the same, to the base unit.
    /// forge-config: tests.fuzz.runs = 12
    /// forge-config: default.fuzz.runs = 32
    function testFuzz_ChangesNothingOfTheMarket(uint256 seed) external {
        for (uint256 i; handler.taskCount() < 6; i++) {
            handler.create(uint256(keccak256(abi.encode(seed, i))));
        }
        uint256 snapshot = vm.snapshotState();
        bytes32 expected = walk(seed);
        for (uint256 i; i < 3; i++) {
            vm.revertToState(snapshot);
            if (i == 0) vm.etch(address(vault), hex"fe");
            if (i == 1) announceAndExitNow();
            if (i == 2) token.script(HostileToken.Behaviour.BurnBalances);
            assertEq(walk(seed), expected, vm.toString(i));
        }
    }

    /// @dev The steps of tasks alone: what they do does not depend on the vault.
    function walk(uint256 seed) private returns (bytes32) {
        for (uint256 i; i < 40; i++) {
            uint256 next = uint256(keccak256(abi.encode(seed, "walk", i)));
            if (next % 8 == 0) handler.passTime(next);
            else handler.advance(next);
        }
        return handler.hashOfMarket();
    }

    /// @dev Without the notice, so that the time is that of the other walks.
    function announceAndExitNow() private {
        uint256 time = block.timestamp;
        announceAndExit();
        vm.warp(time);
    }

    /// @notice The laws do not hold by nothing happening.
    function test_EverythingIsReached() external {
        bytes4[] memory steps = handler.steps();
        uint256[4] memory seen;
        for (uint256 run; run < 12; run++) {
            uint256 snapshot = vm.snapshotState();
            for (uint256 i; i < 200; i++) {
                uint256 seed = uint256(keccak256(abi.encode(run, i)));
                (bool ok,) = address(handler).call(abi.encodeWithSelector(steps[seed % steps.length], seed));
                assertTrue(ok, "a step failed");
            }
            seen[0] += handler.claims();
            seen[1] += handler.reconciled();
            seen[2] += vault.isExited() ? 1 : 0;
            vm.clearMockedCalls();
            token.script(HostileToken.Behaviour.None);
            handler.turnHostile();
            seen[3] += vault.isExited() ? 0 : handler.claimAll(sponsor);
            vm.revertToStateAndDelete(snapshot);
        }
        for (uint256 i; i < seen.length; i++) {
            assertGt(seen[i], 0, vm.toString(i));
        }
    }
}
