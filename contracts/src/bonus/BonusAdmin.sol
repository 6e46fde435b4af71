// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {BonusBounds, BonusCaps, BonusRamp, BonusTerms, IBonusHook} from "../interfaces/IBonusHook.sol";
import {BonusMath} from "./BonusMath.sol";
import {BonusStorage} from "./BonusStorage.sol";

/// @title Settings that the owner of the bonus hook can change
/// @notice A change has no effect on tokens that are already claimable. If a task has an assigned worker, a change has
/// no effect on the task's locked bonus terms. Limits, caps and multipliers are read when a task is completed.
abstract contract BonusAdmin is Ownable2Step, IBonusHook {
    /// @dev All state of the bonus hook.
    BonusStorage internal _bonus;

    /// @param owner Account that may change the settings.
    constructor(address owner) Ownable(owner) {}

    /// @inheritdoc IBonusHook
    function setRate(uint128 tokenPerUsdc) external onlyOwner {
        _setRate(tokenPerUsdc);
    }

    /// @inheritdoc IBonusHook
    function setBonusBps(uint16 bonusBps) external onlyOwner {
        _setBonusBps(bonusBps);
    }

    /// @inheritdoc IBonusHook
    function setWorkerSplit(uint16 workerSplitBps) external onlyOwner {
        _setWorkerSplit(workerSplitBps);
    }

    /// @inheritdoc IBonusHook
    function setBounds(BonusBounds calldata newBounds) external onlyOwner {
        _setBounds(newBounds);
    }

    /// @inheritdoc IBonusHook
    function setCaps(BonusCaps calldata newCaps) external onlyOwner {
        _setCaps(newCaps);
    }

    /// @inheritdoc IBonusHook
    function setRamp(BonusRamp calldata newRamp) external onlyOwner {
        _setRamp(newRamp);
    }

    /// @inheritdoc IBonusHook
    function terms() external view returns (BonusTerms memory) {
        return _bonus.terms;
    }

    /// @inheritdoc IBonusHook
    function bounds() external view returns (BonusBounds memory) {
        return _bonus.bounds;
    }

    /// @inheritdoc IBonusHook
    function caps() external view returns (BonusCaps memory) {
        return _bonus.caps;
    }

    /// @inheritdoc IBonusHook
    function ramp() external view returns (BonusRamp memory) {
        return _bonus.ramp;
    }

    /// @dev Stores and logs the exchange rate of bonuses: tokens for one USDC.
    function _setRate(uint128 tokenPerUsdc) internal {
        _bonus.terms.tokenPerUsdc = tokenPerUsdc;
        emit RateUpdated(tokenPerUsdc);
    }

    /// @dev Stores and logs the value of a bonus in basis points of the gross payment. Reverts with InvalidBps if this
    /// value is above 10000.
    function _setBonusBps(uint16 bonusBps) internal {
        _requirePart(bonusBps);
        _bonus.terms.bonusBps = bonusBps;
        emit BonusBpsUpdated(bonusBps);
    }

    /// @dev Stores and logs the worker's share of a bonus in basis points. Reverts with InvalidBps if this share is
    /// above 10000.
    function _setWorkerSplit(uint16 workerSplitBps) internal {
        _requirePart(workerSplitBps);
        _bonus.terms.workerSplitBps = workerSplitBps;
        emit WorkerSplitUpdated(workerSplitBps);
    }

    /// @dev Stores and logs the limits that apply to each bonus.
    function _setBounds(BonusBounds memory newBounds) internal {
        _bonus.bounds = newBounds;
        emit BoundsUpdated(newBounds.maxBonusPerFeeBps, newBounds.maxRateDriftBps);
    }

    /// @dev Stores and logs the caps on the bonuses of an epoch, an account and a task.
    function _setCaps(BonusCaps memory newCaps) internal {
        _bonus.caps = newCaps;
        emit CapsUpdated(newCaps);
    }

    /// @dev Stores and logs the multipliers by the age of a wallet. Reverts with InvalidRamp if the ages or the
    /// multipliers descend.
    function _setRamp(BonusRamp memory newRamp) internal {
        (uint32[3] memory ages, uint16[4] memory multipliers) = (newRamp.afterSeconds, newRamp.multiplierBps);
        if (ages[0] > ages[1] || ages[1] > ages[2]) revert InvalidRamp();
        for (uint256 i; i < 3; i++) {
            if (multipliers[i] > multipliers[i + 1]) revert InvalidRamp();
        }
        _requirePart(multipliers[3]);
        _bonus.ramp = newRamp;
        emit RampUpdated(ages, multipliers);
    }

    /// @dev Reverts with InvalidBps if a part, in basis points, is above the whole (10000).
    function _requirePart(uint256 bps) private pure {
        if (bps > BonusMath.BPS) revert InvalidBps(bps, BonusMath.BPS);
    }
}
