// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {Limits} from "../types/Limits.sol";
import {MarketStorage, Task} from "../types/MarketStorage.sol";
import {Modes} from "../types/Modes.sol";
import {Award, Verdict} from "../types/TaskTypes.sol";
import {SettlementFlow} from "./SettlementFlow.sol";

/// @title Awards of a verdict or a resolution, and their payments
/// @notice Checks which workers a decision may award.
library VerdictAwards {
    /// @dev Requires no award of a rejection, and at least one of a partial verdict. An approval without awards pays
    /// everything to the assigned worker, which a contest does not have.
    function checkCount(Verdict verdict, uint256 count, bool isContest) internal pure {
        if (verdict == Verdict.Reject) {
            if (count > 0) revert ITaskMarket.AwardsNotAllowed();
        } else if (count == 0 && (verdict == Verdict.Partial || isContest)) {
            revert ITaskMarket.NoWinners();
        }
    }

    /// @dev Requires at most 50 awards, each above zero, with a worker and a rank of its own, within what is available.
    /// @return sum Sum of the amounts.
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

    /// @dev Returns the awards as payments; without any, everything to the assigned worker.
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

    /// @dev Requires the assigned worker; in a contest a worker with an active submission.
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
