// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IBoundOnly} from "../../src/interfaces/IBoundOnly.sol";
import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {IPrepaidMoney} from "../../src/interfaces/IPrepaidMoney.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {Status} from "../../src/types/TaskTypes.sol";
import {EnvironmentTest} from "./EnvironmentTest.sol";

/// @notice Shows that the laws do not hold because nothing happens: runs like the campaign's reach every operation and
/// state.
contract ReachTest is EnvironmentTest {
    uint256 private constant RUNS = 24;
    uint256 private constant DEPTH = 64;

    /// @dev Counts of all runs together; each run is undone after it.
    struct Tally {
        uint256[] successes;
        uint256[11] visits;
        uint256 reopened;
        uint256 flooded;
        uint256 credits;
        uint256 strikes;
    }

    /// @notice Every external function that changes state succeeds, by a call or through a relay, and each relay mode does.
    function test_EveryOperationIsReached() external {
        bytes4[] memory operations = everyOperation();
        Tally memory tally = walk(operations);
        for (uint256 i; i < operations.length; i++) {
            assertGt(tally.successes[i], 0, vm.toString(operations[i]));
        }
        for (uint256 status = uint256(Status.Open); status <= uint256(Status.Cancelled); status++) {
            assertGt(tally.visits[status], 0, vm.toString(status));
        }
        assertGt(tally.reopened, 0, "no claim was reopened");
        assertGt(tally.flooded, 0, "no auction was full");
        assertGt(tally.credits, 0, "no account had a credit");
        assertGt(tally.strikes, 0, "no hook was hostile");
    }

    function walk(bytes4[] memory operations) private returns (Tally memory tally) {
        bytes4[] memory steps = handler.steps();
        tally.successes = new uint256[](operations.length);
        for (uint256 run; run < RUNS; run++) {
            uint256 snapshot = vm.snapshotState();
            for (uint256 i; i < DEPTH; i++) {
                uint256 seed = uint256(keccak256(abi.encode(run, i)));
                (bool success,) = address(handler).call(abi.encodeWithSelector(steps[seed % steps.length], seed));
                assertTrue(success, "a step failed");
            }
            checkMoney();
            checkEverything();
            count(tally, operations);
            vm.revertToStateAndDelete(snapshot);
        }
    }

    function count(Tally memory tally, bytes4[] memory operations) private view {
        for (uint256 i; i < operations.length; i++) {
            tally.successes[i] += handler.successes(operations[i]);
        }
        for (uint256 i; i < tally.visits.length; i++) {
            tally.visits[i] += handler.visits(Status(i));
        }
        bytes32[] memory taskIds = ledger.taskIds();
        for (uint256 i; i < taskIds.length; i++) {
            if (market.roundOf(taskIds[i]) > 0) tally.reopened++;
            if (market.getTask(taskIds[i]).bidCount > 500) tally.flooded++;
        }
        for (uint256 i; i < ACTORS; i++) {
            if (market.creditOf(handler.actorAt(i)) > 0) tally.credits++;
            tally.strikes += handler.hooks(i).strikes();
        }
    }

    /// @dev The market's, the forwarder's, and what both inherit from their owner.
    function everyOperation() private view returns (bytes4[] memory all) {
        bytes4[25] memory relayed = handler.marketSelectors();
        bytes4[30] memory others = [
            ITaskMarket.settleStale.selector,
            ITaskMarket.pushCredit.selector,
            ITaskMarket.setFeeBps.selector,
            ITaskMarket.setFeeRecipient.selector,
            ITaskMarket.setRegistries.selector,
            ITaskMarket.setDefaultHooks.selector,
            ITaskMarket.pause.selector,
            ITaskMarket.unpause.selector,
            ITaskMarket.sweepExcess.selector,
            Ownable.transferOwnership.selector,
            Ownable2Step.acceptOwnership.selector,
            Ownable.renounceOwnership.selector,
            IPaymentForwarder.relayPaid.selector,
            IPaymentForwarder.relayBound.selector,
            IPaymentForwarder.relayPrepaid.selector,
            IPrepaidMoney.refundPrepaid.selector,
            IPrepaidMoney.announceRefund.selector,
            IPrepaidMoney.executeRefund.selector,
            IPrepaidMoney.vetoRefund.selector,
            IPrepaidMoney.setPrepaidPerDay.selector,
            IPrepaidMoney.setGuardian.selector,
            IBoundOnly.setBoundOnly.selector,
            IBoundOnly.setBoundOnlyFor.selector,
            handler.misuseSignature.selector,
            IPaymentForwarder.relaySigned.selector,
            IPaymentForwarder.relayOpen.selector,
            IPaymentForwarder.setRelayer.selector,
            IPaymentForwarder.setRoute.selector,
            IPaymentForwarder.sweepFees.selector,
            bytes4(keccak256("transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)"))
        ];
        all = new bytes4[](relayed.length + others.length);
        for (uint256 i; i < all.length; i++) {
            all[i] = i < relayed.length ? relayed[i] : others[i - relayed.length];
        }
    }
}
