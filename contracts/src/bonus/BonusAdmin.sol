// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {BonusBounds, BonusCaps, BonusRamp, BonusTerms, IBonusHook} from "../interfaces/IBonusHook.sol";
import {BonusMath} from "./BonusMath.sol";
import {BonusStorage} from "./BonusStorage.sol";

/// @title What the owner of a programme can set
/// @notice Nothing here reaches what is claimable. A lock keeps its rate, value and division; the present rate and the
/// bounds apply to it all the same.
abstract contract BonusAdmin is Ownable2Step, IBonusHook {
    BonusStorage internal _bonus;

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

    function _setRate(uint128 tokenPerUsdc) internal {
        _bonus.terms.tokenPerUsdc = tokenPerUsdc;
        emit RateUpdated(tokenPerUsdc);
    }

    function _setBonusBps(uint16 bonusBps) internal {
        _requirePart(bonusBps);
        _bonus.terms.bonusBps = bonusBps;
        emit BonusBpsUpdated(bonusBps);
    }

    function _setWorkerSplit(uint16 workerSplitBps) internal {
        _requirePart(workerSplitBps);
        _bonus.terms.workerSplitBps = workerSplitBps;
        emit WorkerSplitUpdated(workerSplitBps);
    }

    function _setBounds(BonusBounds memory newBounds) internal {
        _bonus.bounds = newBounds;
        emit BoundsUpdated(newBounds.maxBonusPerFeeBps, newBounds.maxRateDriftBps);
    }

    function _setCaps(BonusCaps memory newCaps) internal {
        _bonus.caps = newCaps;
        emit CapsUpdated(newCaps);
    }

    /// @dev A wallet never earns less because it is older.
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

    function _requirePart(uint256 bps) private pure {
        if (bps > BonusMath.BPS) revert InvalidBps(bps, BonusMath.BPS);
    }
}
