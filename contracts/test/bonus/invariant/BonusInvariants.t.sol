// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {StdInvariant} from "forge-std/StdInvariant.sol";
import {SkipReason} from "../../../src/interfaces/IBonusHook.sol";
import {Status} from "../../../src/types/TaskTypes.sol";
import {BonusTest} from "../support/BonusTest.sol";
import {HostileToken} from "../../support/HostileToken.sol";
import {BonusHandler} from "./BonusHandler.sol";
import {BonusLedger} from "./BonusLedger.sol";
import {STARVED_PROGRAMME, StarvedHook} from "./StarvedHook.sol";

/// @notice The laws of a programme, over random sequences of tasks, settings, withdrawals and hostile tokens. Caps, the
/// bound on fees and single credits are checked by the ledger, log by log.
contract BonusInvariantsTest is BonusTest {
    /// @dev Faults of a programme. Burning: every call burns all its gas. Gone: there is no code.
    enum Harm {
        None,
        Broken,
        Starved,
        Empty,
        Paused,
        Burning,
        Gone
    }

    HostileToken private hostile;
    BonusLedger private ledger;
    BonusHandler private handler;

    function setUp() public override {
        super.setUp();
        hostile = new HostileToken();
        ledger = new BonusLedger();
        vm.recordLogs();
        bonus = deployBonus(address(hostile));
        ledger.read(vm.getRecordedLogs(), address(market), address(bonus));
        hostile.mint(address(bonus), 1000e18);
        setDefault(address(bonus));
        handler = new BonusHandler(market, bonus, hostile, ledger, owner);
        for (uint256 i; i < handler.ACTORS(); i++) {
            fund(handler.actorAt(i));
        }
        targetContract(address(handler));
        targetSelector(StdInvariant.FuzzSelector(address(handler), handler.steps()));
    }

    /// @notice After each step: what is claimable is what the logs say, and never more than there is; and no colluding
    /// accounts earn more, at the rates of their credits, than the platform fees they paid.
    function invariant_LawsHold() external view {
        uint256 claimable = bonus.totalClaimable();
        assertEq(claimable, ledger.totalClaimable(), "the total is not what logs say");
        uint256 balance = hostile.heldBy(address(bonus));
        assertGe(balance, claimable, "more is claimable than there is");
        uint256 given = 1000e18 + handler.minted();
        assertEq(balance, given - ledger.withdrawn() - ledger.taken(), "tokens left without a log");
        assertLe(ledger.valueCredited(), ledger.feesPaid(), "bonuses are worth more than their fees");
    }

    /// @notice After each run: the claim of each account is what the logs say, and the total is their sum. A withdrawal
    /// of anything but that claim is refused by the ledger when it happens.
    function afterInvariant() external view {
        uint256 sum;
        for (uint256 i; i < handler.ACTORS(); i++) {
            address account = handler.actorAt(i);
            uint256 claim = bonus.claimableOf(account);
            assertEq(claim, ledger.claimable(account), "a claim is not what logs say");
            sum += claim;
        }
        assertEq(bonus.totalClaimable(), sum, "the total is not the sum");
    }

    /// @notice With a programme that works, is broken, starved, empty, paused, gone or was never there: every status and
    /// every amount of USDC is the same, to the base unit. In each the token is hostile by the way, as the steps have it.
    /// forge-config: tests.fuzz.runs = 8
    /// forge-config: default.fuzz.runs = 64
    function testFuzz_ChangesNothingOfTheMarket(uint256 seed) external {
        uint256 snapshot = vm.snapshotState();
        setDefault(address(0));
        bytes32 without = walk(seed);
        for (uint256 i; i <= uint256(type(Harm).max); i++) {
            vm.revertToState(snapshot);
            vm.clearMockedCalls();
            harm(Harm(i));
            assertEq(walk(seed), without, vm.toString(i));
        }
    }

    function harm(Harm what) private {
        if (what == Harm.Broken) {
            vm.mockCallRevert(address(market), abi.encodeWithSelector(market.hooksOf.selector), "broken");
        } else if (what == Harm.Starved) {
            vm.etch(STARVED_PROGRAMME, address(bonus).code);
            vm.etch(address(bonus), type(StarvedHook).runtimeCode);
        } else if (what == Harm.Empty) {
            vm.mockCall(address(hostile), balanceOfProgramme(), abi.encode(0));
        } else if (what == Harm.Paused) {
            vm.mockCallRevert(address(hostile), balanceOfProgramme(), "paused");
            vm.mockCallRevert(address(hostile), abi.encodeWithSelector(hostile.transfer.selector), "paused");
        } else if (what == Harm.Burning) {
            // Its settings and withdrawals fail as well.
            vm.etch(address(bonus), hex"fe");
        } else if (what == Harm.Gone) {
            vm.etch(address(bonus), "");
        }
    }

    function balanceOfProgramme() private view returns (bytes memory) {
        return abi.encodeCall(hostile.balanceOf, (address(bonus)));
    }

    function walk(uint256 seed) private returns (bytes32) {
        bytes4[] memory steps = handler.steps();
        for (uint256 i; i < 48; i++) {
            uint256 next = uint256(keccak256(abi.encode(seed, i)));
            (bool ok,) = address(handler).call(abi.encodeWithSelector(steps[next % steps.length], next));
            assertTrue(ok, "a step failed");
        }
        return handler.hashOfMarket();
    }

    /// @notice The laws do not hold by nothing happening: runs like the campaign's credit, skip for each reason, fail, and
    /// end tasks in every way.
    function test_EverythingIsReached() external {
        Status[5] memory statuses =
            [Status.Appealing, Status.Disputed, Status.Completed, Status.Expired, Status.Cancelled];
        uint256[6] memory tasks;
        bytes4[] memory steps = handler.steps();
        uint256[11] memory skips;
        uint256[3] memory others;
        for (uint256 run; run < 24; run++) {
            uint256 snapshot = vm.snapshotState();
            for (uint256 i; i < 128; i++) {
                uint256 seed = uint256(keccak256(abi.encode(run, i)));
                (bool ok,) = address(handler).call(abi.encodeWithSelector(steps[seed % steps.length], seed));
                assertTrue(ok, "a step failed");
            }
            for (uint256 i; i < skips.length; i++) {
                skips[i] += ledger.skips(SkipReason(i));
            }
            others[0] += ledger.credits();
            others[1] += ledger.withdrawn();
            others[2] += ledger.failures();
            for (uint256 i; i < statuses.length; i++) {
                (uint256 count, uint256 reopened) = handler.countOf(statuses[i]);
                tasks[i] += count;
                tasks[5] += reopened;
            }
            vm.revertToStateAndDelete(snapshot);
        }
        for (uint256 i; i < skips.length; i++) {
            // Every assignment is recorded here; `assignment.t.sol` shows one that is not.
            if (SkipReason(i) != SkipReason.NoLock) assertGt(skips[i], 0, vm.toString(i));
        }
        for (uint256 i; i < others.length; i++) {
            assertGt(others[i], 0, vm.toString(i));
        }
        for (uint256 i; i < tasks.length; i++) {
            assertGt(tasks[i], 0, vm.toString(i));
        }
    }
}
