// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Amounts} from "../../src/libraries/Amounts.sol";
import {ClockPrice} from "../../src/libraries/ClockPrice.sol";

/// @title The market's arithmetic, many cases a call
/// @notice Tests compare the read side's results with these, case by case.
contract ArithmeticHarness {
    struct ClockCase {
        bool isDutch;
        uint72 maximum;
        uint72 other;
        uint256 createdAt;
        uint256 deadline;
        uint256 now_;
    }

    struct VerdictCase {
        uint72 base;
        uint256 evaluatorFeeBps;
        uint256 feeBps;
        uint72[] grosses;
    }

    struct Payouts {
        uint72 evaluatorFee;
        uint72[] fees;
        uint72[] nets;
    }

    function clockPrices(ClockCase[] calldata cases) external pure returns (uint72[] memory prices) {
        prices = new uint72[](cases.length);
        for (uint256 i; i < cases.length; i++) {
            ClockCase calldata one = cases[i];
            prices[i] = ClockPrice.at(one.isDutch, one.maximum, one.other, one.createdAt, one.deadline, one.now_);
        }
    }

    function parts(uint72[] calldata amounts, uint256[] calldata bps) external pure returns (uint72[] memory result) {
        result = new uint72[](amounts.length);
        for (uint256 i; i < amounts.length; i++) {
            result[i] = Amounts.partOf(amounts[i], bps[i]);
        }
    }

    function splits(uint72[] calldata amounts, uint256[][] calldata shares)
        external
        pure
        returns (uint72[][] memory result)
    {
        result = new uint72[][](amounts.length);
        for (uint256 i; i < amounts.length; i++) {
            result[i] = Amounts.split(amounts[i], shares[i]);
        }
    }

    function verdicts(VerdictCase[] calldata cases) external pure returns (Payouts[] memory results) {
        results = new Payouts[](cases.length);
        for (uint256 i; i < cases.length; i++) {
            VerdictCase calldata one = cases[i];
            uint256 count = one.grosses.length;
            Payouts memory result =
                Payouts(Amounts.partOf(one.base, one.evaluatorFeeBps), new uint72[](count), new uint72[](count));
            for (uint256 k; k < count; k++) {
                (result.fees[k], result.nets[k]) = Amounts.splitFee(one.grosses[k], one.feeBps);
            }
            results[i] = result;
        }
    }
}
