// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BonusHook} from "../../../src/BonusHook.sol";
import {
    BonusBounds,
    BonusCaps,
    BonusRamp,
    BonusRole,
    BonusTerms,
    SkipReason
} from "../../../src/interfaces/IBonusHook.sol";
import {LocalRewardToken} from "../../../src/local/LocalRewardToken.sol";
import {CreateTaskParams} from "../../../src/types/TaskTypes.sol";
import {MarketTest} from "../../support/MarketTest.sol";

/// @title A market whose default hook credits bonuses: 10 tokens for a USDC, 7.5 %, 80 % of it to the worker
abstract contract BonusTest is MarketTest {
    uint128 internal constant RATE = 10e18;
    uint16 internal constant BONUS_BPS = 750;
    uint16 internal constant SPLIT_BPS = 8000;
    uint48 internal constant UNCAPPED = type(uint48).max;
    uint256 internal constant RESERVE = 1_000_000e18;

    /// @dev Bonus of REWARD: 0.75 USDC, 7.5 tokens, 6 of them the worker's.
    uint256 internal constant USD = 750_000;
    uint256 internal constant WORKER_TOKENS = 6e18;
    uint256 internal constant REQUESTER_TOKENS = 1.5e18;

    LocalRewardToken internal token;
    BonusHook internal bonus;
    uint256 internal start;

    event WalletFirstSeen(address indexed account, uint256 firstSeen);
    event BonusSkipped(
        bytes32 indexed taskId, address indexed account, BonusRole indexed role, uint256 rank, SkipReason reason
    );
    event BonusFailed(bytes32 indexed taskId, bytes4 indexed step);

    function setUp() public virtual override {
        super.setUp();
        token = LocalRewardToken(deploy("LocalRewardToken", abi.encode(address(this))));
        bonus = deployBonus(address(token));
        token.mint(address(bonus), RESERVE);
        setDefault(address(bonus));
        fund(alice);
        fund(bob);
        start = block.timestamp;
    }

    function deployBonus(address rewardToken) internal returns (BonusHook) {
        BonusHook.Setup memory setup = BonusHook.Setup({
            owner: owner,
            market: address(market),
            token: rewardToken,
            terms: BonusTerms({tokenPerUsdc: RATE, bonusBps: BONUS_BPS, workerSplitBps: SPLIT_BPS}),
            bounds: BonusBounds({maxBonusPerFeeBps: 10_000, maxRateDriftBps: 20_000}),
            caps: uncapped(),
            ramp: flatRamp()
        });
        return BonusHook(deploy("BonusHook", abi.encode(setup)));
    }

    function uncapped() internal pure returns (BonusCaps memory) {
        return BonusCaps({
            globalUsd: UNCAPPED,
            workerUsd: UNCAPPED,
            requesterUsd: UNCAPPED,
            taskUsd: UNCAPPED,
            globalTokens: type(uint128).max
        });
    }

    /// @dev Returns a ramp of full bonuses for every wallet.
    function flatRamp() internal pure returns (BonusRamp memory ramp) {
        ramp.multiplierBps = [uint16(10_000), 10_000, 10_000, 10_000];
    }

    /// @dev Returns a ramp: nothing below two weeks, a quarter from then, half from four weeks, all from eight.
    function slowRamp() internal pure returns (BonusRamp memory ramp) {
        ramp.afterSeconds = [uint32(2 weeks), 4 weeks, 8 weeks];
        ramp.multiplierBps = [uint16(0), 2500, 5000, 10_000];
    }

    /// @dev Zero: none.
    function setDefault(address hook) internal {
        vm.prank(owner);
        market.setDefaultHooks(hook == address(0) ? new address[](0) : asList(hook));
    }

    function setCaps(BonusCaps memory caps) internal {
        vm.prank(owner);
        bonus.setCaps(caps);
    }

    function setRate(uint128 rate) internal {
        vm.prank(owner);
        bonus.setRate(rate);
    }

    function setRamp(BonusRamp memory ramp) internal {
        vm.prank(owner);
        bonus.setRamp(ramp);
    }

    /// @dev A task of one assigned worker, delivered and accepted.
    function finish(bytes32 taskId) internal {
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
    }

    function createFinished(CreateTaskParams memory params) internal returns (bytes32 taskId) {
        taskId = createAssigned(params);
        finish(taskId);
    }

    function expectSkip(bytes32 taskId, address account, BonusRole role, SkipReason reason) internal {
        vm.expectEmit(address(bonus));
        emit BonusSkipped(taskId, account, role, 1, reason);
    }

    function assertClaimable(uint256 worker, uint256 ofRequester) internal view {
        assertEq(bonus.claimableOf(alice), worker, "claimable by the worker");
        assertEq(bonus.claimableOf(requester), ofRequester, "claimable by the requester");
        assertEq(bonus.totalClaimable(), worker + ofRequester, "claimable in all");
    }
}
