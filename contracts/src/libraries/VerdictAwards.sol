// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {Limits} from "../types/Limits.sol";
import {MarketStorage, Task} from "../types/MarketStorage.sol";
import {Modes} from "../types/Modes.sol";
import {Award, Verdict} from "../types/TaskTypes.sol";
import {SettlementFlow} from "./SettlementFlow.sol";

/// @title Awards in the verdict of an evaluator or a resolver
/// @notice Checks the awards of a verdict and converts the awards into payments.
library VerdictAwards {
    /// @dev Checks the number of awards. A rejection must have none. A partial verdict must have at least one. An
    /// approval in a contest must also have at least one. An approval of an assigned worker may have none.
    function checkCount(Verdict verdict, uint256 count, bool isContest) internal pure {
        if (verdict == Verdict.Reject) {
            if (count > 0) revert ITaskMarket.AwardsNotAllowed();
        } else if (count == 0 && (verdict == Verdict.Partial || isContest)) {
            revert ITaskMarket.NoWinners();
        }
    }

    /// @dev Reverts if there are more than 50 awards, if an award is zero, or if two awards have the same worker or the
    /// same rank. The sum must be at most `available`, in USDC base units.
    /// @return sum Sum of the awards, in USDC base units.
    function check(
        MarketStorage storage market,
        Task storage task,
        bytes32 taskId,
        Award[] calldata awards,
        uint256 available
    ) internal view returns (uint256 sum) {
        if (awards.length > Limits.MAX_WINNERS) {
            revert ITaskMarket.TooManyWinners(awards.length, Limits.MAX_WINNERS);
        }
        uint256 ranks;
        for (uint256 i; i < awards.length; i++) {
            Award calldata award = awards[i];
            if (award.amount == 0) revert ITaskMarket.ZeroAward(award.worker);
            if (award.rank == 0 || award.rank > Limits.MAX_RANK || (ranks >> award.rank) & 1 == 1) {
                revert ITaskMarket.InvalidRank(award.rank);
            }
            ranks |= uint256(1) << award.rank;
            _checkRecipient(market, task, taskId, award.worker);
            for (uint256 k; k < i; k++) {
                if (awards[k].worker == award.worker) revert ITaskMarket.DuplicateWinner(award.worker);
            }
            sum += award.amount;
        }
        if (sum > available) revert ITaskMarket.AwardsExceedEscrow(sum, available);
    }

    /// @dev Converts awards into payments. Returns the payments and their sum. If there are no awards, the result is
    /// one payment: the whole escrow to the assigned worker.
    function toPayments(Task storage task, Award[] memory awards)
        internal
        view
        returns (SettlementFlow.Payment[] memory payments, uint72 sum)
    {
        if (awards.length == 0) {
            payments = new SettlementFlow.Payment[](1);
            sum = task.escrow;
            payments[0] =
                SettlementFlow.Payment({worker: task.worker, gross: sum, rank: 1, deliverable: task.deliverable});
            return (payments, sum);
        }
        payments = new SettlementFlow.Payment[](awards.length);
        for (uint256 i; i < awards.length; i++) {
            Award memory award = awards[i];
            uint72 gross = SafeCast.toUint72(award.amount);
            sum += gross;
            // No deliverable in a contest: a verdict names the worker, not a file.
            payments[i] = SettlementFlow.Payment({
                worker: award.worker, gross: gross, rank: award.rank, deliverable: task.deliverable
            });
        }
    }

    /// @dev Requires that the worker can be awarded. In a contest the worker needs an active submission. In any other
    /// mode only the assigned worker can be awarded.
    function _checkRecipient(MarketStorage storage market, Task storage task, bytes32 taskId, address worker)
        private
        view
    {
        if (!Modes.isContest(task.kind)) {
            if (worker != task.worker) revert ITaskMarket.NotSelectedWorker(worker);
        } else if (market.entries[taskId][worker].active == 0) {
            revert ITaskMarket.NoActiveSubmission(worker);
        }
    }
}
