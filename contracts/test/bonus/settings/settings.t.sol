// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {BonusHook} from "../../../src/BonusHook.sol";
import {BonusBounds, BonusCaps, BonusRamp, IBonusHook} from "../../../src/interfaces/IBonusHook.sol";
import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";
import {BonusTest} from "../support/BonusTest.sol";

contract SettingsTest is BonusTest {
    event ProgrammeStarted(address market, address token, uint8 tokenDecimals, uint256 startedAt, uint256 epochSeconds);
    event RateUpdated(uint256 tokenPerUsdc);
    event BonusBpsUpdated(uint256 bonusBps);
    event WorkerSplitUpdated(uint256 workerSplitBps);
    event RampUpdated(uint32[3] afterSeconds, uint16[4] multiplierBps);
    event CapsUpdated(BonusCaps caps);
    event BoundsUpdated(uint256 maxBonusPerFeeBps, uint256 maxRateDriftBps);

    /// when a programme starts: it logs every setting it starts with
    function test_LogsItsStart() external {
        BonusRamp memory ramp = flatRamp();
        vm.expectEmit();
        emit ProgrammeStarted(address(market), address(token), 18, block.timestamp, 7 days);
        vm.expectEmit();
        emit RateUpdated(RATE);
        vm.expectEmit();
        emit BonusBpsUpdated(BONUS_BPS);
        vm.expectEmit();
        emit WorkerSplitUpdated(SPLIT_BPS);
        vm.expectEmit();
        emit BoundsUpdated(10_000, 20_000);
        vm.expectEmit();
        emit CapsUpdated(uncapped());
        vm.expectEmit();
        emit RampUpdated(ramp.afterSeconds, ramp.multiplierBps);
        BonusHook started = deployBonus(address(token));
        assertEq(started.startedAt(), block.timestamp);
        assertEq(started.market(), address(market));
        assertEq(started.token(), address(token));
        assertEq(started.terms().tokenPerUsdc, RATE);
        assertEq(started.bounds().maxRateDriftBps, 20_000);
    }

    /// when the owner changes a setting: it logs the new value and uses it
    function test_ChangesSettings() external {
        BonusCaps memory caps = uncapped();
        caps.taskUsd = 5;
        BonusRamp memory ramp = slowRamp();
        vm.startPrank(owner);
        vm.expectEmit(address(bonus));
        emit RateUpdated(1);
        bonus.setRate(1);
        vm.expectEmit(address(bonus));
        emit BonusBpsUpdated(2);
        bonus.setBonusBps(2);
        vm.expectEmit(address(bonus));
        emit WorkerSplitUpdated(3);
        bonus.setWorkerSplit(3);
        vm.expectEmit(address(bonus));
        emit BoundsUpdated(4, 5);
        bonus.setBounds(BonusBounds(4, 5));
        vm.expectEmit(address(bonus));
        emit CapsUpdated(caps);
        bonus.setCaps(caps);
        vm.expectEmit(address(bonus));
        emit RampUpdated(ramp.afterSeconds, ramp.multiplierBps);
        bonus.setRamp(ramp);
        assertEq(abi.encode(bonus.terms()), abi.encode(1, 2, 3));
        assertEq(abi.encode(bonus.bounds()), abi.encode(4, 5));
        assertEq(abi.encode(bonus.caps()), abi.encode(caps));
        assertEq(abi.encode(bonus.ramp()), abi.encode(ramp));
    }

    /// when another account changes a setting: it reverts
    function test_RevertWhen_AnotherAccountChanges() external {
        bytes[6] memory calls = [
            abi.encodeCall(bonus.setRate, (1)),
            abi.encodeCall(bonus.setBonusBps, (1)),
            abi.encodeCall(bonus.setWorkerSplit, (1)),
            abi.encodeCall(bonus.setBounds, (BonusBounds(1, 1))),
            abi.encodeCall(bonus.setCaps, (uncapped())),
            abi.encodeCall(bonus.setRamp, (flatRamp()))
        ];
        bytes memory refusal = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, alice);
        for (uint256 i; i < calls.length; i++) {
            vm.prank(alice);
            (bool ok, bytes memory reason) = address(bonus).call(calls[i]);
            assertFalse(ok);
            assertEq(reason, refusal);
        }
    }

    /// when a part is above the whole: it reverts with InvalidBps
    function test_RevertWhen_APartIsAboveTheWhole() external {
        BonusRamp memory ramp = flatRamp();
        ramp.multiplierBps[3] = 10_001;
        vm.startPrank(owner);
        expectError(IBonusHook.InvalidBps.selector, 10_001, 10_000);
        bonus.setBonusBps(10_001);
        expectError(IBonusHook.InvalidBps.selector, 10_001, 10_000);
        bonus.setWorkerSplit(10_001);
        expectError(IBonusHook.InvalidBps.selector, 10_001, 10_000);
        bonus.setRamp(ramp);
    }

    /// when a ramp descends: it reverts with InvalidRamp
    function test_RevertWhen_ARampDescends() external {
        vm.startPrank(owner);
        for (uint256 i; i < 2; i++) {
            BonusRamp memory ramp = slowRamp();
            ramp.afterSeconds[i] = ramp.afterSeconds[i + 1] + 1;
            expectError(IBonusHook.InvalidRamp.selector);
            bonus.setRamp(ramp);
        }
        for (uint256 i; i < 3; i++) {
            BonusRamp memory ramp = slowRamp();
            ramp.multiplierBps[i] = ramp.multiplierBps[i + 1] + 1;
            expectError(IBonusHook.InvalidRamp.selector);
            bonus.setRamp(ramp);
        }
    }

    /// when asked for an interface: it names the hook ABI and ERC-165
    function test_NamesItsInterfaces() external view {
        assertTrue(bonus.supportsInterface(type(ITaskHook).interfaceId));
        assertTrue(bonus.supportsInterface(type(IERC165).interfaceId));
        assertFalse(bonus.supportsInterface(0xffffffff));
    }

    /// when the token is the zero address: it cannot be deployed
    function test_RevertWhen_TheTokenIsZeroAddress() external {
        vm.expectRevert(IBonusHook.ZeroAddress.selector);
        this.deployWith(address(0));
    }

    /// when the token has no decimals: it cannot be deployed
    function test_RevertWhen_TheTokenHasNoDecimals() external {
        vm.mockCallRevert(address(token), abi.encodeCall(token.decimals, ()), "");
        vm.expectRevert(IBonusHook.UnsupportedToken.selector);
        this.deployWith(address(token));
        // An account without code, and a contract that answers nothing.
        vm.expectRevert(IBonusHook.UnsupportedToken.selector);
        this.deployWith(stranger);
        vm.mockCall(address(token), abi.encodeCall(token.decimals, ()), "");
        vm.expectRevert(IBonusHook.UnsupportedToken.selector);
        this.deployWith(address(token));
    }

    /// when the token's decimals are no uint8: it cannot be deployed
    function test_RevertWhen_TheDecimalsAreNoUint8() external {
        uint256[3] memory answers = [uint256(256), type(uint256).max, uint256(18) << 248];
        for (uint256 i; i < answers.length; i++) {
            vm.mockCall(address(token), abi.encodeCall(token.decimals, ()), abi.encode(answers[i]));
            vm.expectRevert(IBonusHook.UnsupportedToken.selector);
            this.deployWith(address(token));
        }
    }

    /// when the token's decimals are any uint8: it is deployed
    function test_AcceptsAnyDecimals() external {
        uint8[3] memory answers = [0, 6, 255];
        for (uint256 i; i < answers.length; i++) {
            vm.mockCall(address(token), abi.encodeCall(token.decimals, ()), abi.encode(answers[i]));
            assertEq(deployBonus(address(token)).token(), address(token));
        }
    }

    function deployWith(address rewardToken) external {
        deployBonus(rewardToken);
    }
}
