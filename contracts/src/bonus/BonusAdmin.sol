// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {BonusBounds, BonusCaps, BonusRamp, BonusTerms, IBonusHook} from "../interfaces/IBonusHook.sol";
import {BonusMath} from "./BonusMath.sol";
import {BonusStorage} from "./BonusStorage.sol";

/// @title Settings of a programme's owner
/// @notice No setting reaches claimable tokens. A lock keeps its rate, value and division; the present rate and the
/// bounds apply to it all the same.
abstract contract BonusAdmin is Ownable2Step, IBonusHook {
    /// @dev All storage of the programme.
    BonusStorage internal _bonus;

    /// @param owner Account that administrates the programme.
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

    /// @dev Stores and logs the rate.
    function _setRate(uint128 tokenPerUsdc) internal {
        _bonus.terms.tokenPerUsdc = tokenPerUsdc;
        emit RateUpdated(tokenPerUsdc);
    }

    /// @dev Reverts with InvalidBps.
    function _setBonusBps(uint16 bonusBps) internal {
        _requirePart(bonusBps);
        _bonus.terms.bonusBps = bonusBps;
        emit BonusBpsUpdated(bonusBps);
    }

    /// @dev Reverts with InvalidBps.
    function _setWorkerSplit(uint16 workerSplitBps) internal {
        _requirePart(workerSplitBps);
        _bonus.terms.workerSplitBps = workerSplitBps;
        emit WorkerSplitUpdated(workerSplitBps);
    }

    /// @dev Stores and logs the bounds.
    function _setBounds(BonusBounds memory newBounds) internal {
        _bonus.bounds = newBounds;
        emit BoundsUpdated(newBounds.maxBonusPerFeeBps, newBounds.maxRateDriftBps);
    }

    /// @dev Stores and logs the caps.
    function _setCaps(BonusCaps memory newCaps) internal {
        _bonus.caps = newCaps;
        emit CapsUpdated(newCaps);
    }

    /// @dev Reverts with InvalidRamp: a wallet never earns less because it is older.
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

    /// @dev Requires at most 10000.
    function _requirePart(uint256 bps) private pure {
        if (bps > BonusMath.BPS) revert InvalidBps(bps, BonusMath.BPS);
    }
}
