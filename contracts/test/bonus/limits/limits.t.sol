// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BonusCaps, BonusRamp, BonusRole, SkipReason} from "../../../src/interfaces/IBonusHook.sol";
import {BonusTest} from "../support/BonusTest.sol";

contract LimitsTest is BonusTest {
    /// @dev Value of each side of REWARD's bonus, USDC base units.
    uint48 private constant WORKER_USD = 600_000;
    uint48 private constant REQUESTER_USD = 150_000;

    /// when the platform fee is smaller than the bonus: it credits as much as the fee
    function test_BoundsByTheFee() external {
        vm.prank(owner);
        bonus.setBonusBps(5000);
        finish(createBounty());
        assertClaimable(WORKER_TOKENS, REQUESTER_TOKENS);
    }

    /// when the task has no platform fee: it credits nothing
    function test_CreditsNothingWithoutAFee() external {
        vm.prank(owner);
        market.setFeeBps(0);
        bytes32 taskId = createBounty();
        // Of the task, not of today.
        vm.prank(owner);
        market.setFeeBps(FEE_BPS);
        submit(taskId, alice, "a1");
        expectSkip(taskId, alice, BonusRole.Award, SkipReason.FeeBound);
        accept(taskId, alice, "a1");
        assertClaimable(0, 0);
    }

    /// when a wallet is younger than a threshold: it credits nothing below the first
    function test_CreditsNoNewWallet() external {
        setRamp(slowRamp());
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        expectSkip(taskId, alice, BonusRole.Worker, SkipReason.WalletAge);
        expectSkip(taskId, requester, BonusRole.Requester, SkipReason.WalletAge);
        accept(taskId, alice, "a1");
        assertClaimable(0, 0);
    }

    /// when a wallet is younger than a threshold: it credits a quarter, a half and all from each
    function test_CreditsByAge() external {
        setRamp(slowRamp());
        finish(createBounty());
        uint256[3] memory ages = [uint256(2 weeks), 4 weeks, 8 weeks];
        uint256[3] memory before = [uint256(0), 2500, 5000];
        uint256[3] memory from = [uint256(2500), 5000, 10_000];
        uint256 sum;
        for (uint256 i; i < 3; i++) {
            vm.warp(start + ages[i] - 1);
            finish(createBounty());
            sum += before[i];
            assertEq(bonus.claimableOf(alice), WORKER_TOKENS * sum / 10_000);
            vm.warp(start + ages[i]);
            finish(createBounty());
            sum += from[i];
            assertClaimable(WORKER_TOKENS * sum / 10_000, REQUESTER_TOKENS * sum / 10_000);
        }
    }

    /// when a wallet is younger than a threshold: it reckons each side by its own wallet
    function test_ReckonsEachSideByItself() external {
        setRamp(slowRamp());
        createBounty();
        skip(8 weeks);
        finish(createBounty());
        assertClaimable(0, REQUESTER_TOKENS);
    }

    /// when a worker's cap is used up: it cuts the bonus to what is left, then skips
    function test_CutsToTheWorkersCap() external {
        BonusCaps memory caps = uncapped();
        caps.workerUsd = WORKER_USD + WORKER_USD / 3;
        setCaps(caps);
        finish(createBounty());
        finish(createBounty());
        assertEq(bonus.claimableOf(alice), WORKER_TOKENS + WORKER_TOKENS / 3);
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        expectSkip(taskId, alice, BonusRole.Worker, SkipReason.AccountCap);
        accept(taskId, alice, "a1");
    }

    /// when a worker's cap is used up: it credits the requester all the same
    function test_CreditsTheRequesterBesideTheWorkersCap() external {
        BonusCaps memory caps = uncapped();
        caps.workerUsd = 0;
        setCaps(caps);
        finish(createBounty());
        assertClaimable(0, REQUESTER_TOKENS);
    }

    /// when a requester's cap is used up: it credits the worker all the same
    function test_CreditsTheWorkerBesideTheRequestersCap() external {
        BonusCaps memory caps = uncapped();
        caps.requesterUsd = REQUESTER_USD / 2;
        setCaps(caps);
        finish(createBounty());
        finish(createBounty());
        assertClaimable(2 * WORKER_TOKENS, REQUESTER_TOKENS / 2);
    }

    /// when the task's cap is reached: it gives the worker's side first
    function test_CutsToTheTasksCap() external {
        BonusCaps memory caps = uncapped();
        caps.taskUsd = WORKER_USD + REQUESTER_USD / 3;
        setCaps(caps);
        finish(createBounty());
        assertClaimable(WORKER_TOKENS, REQUESTER_TOKENS / 3);
        // Each task has its own.
        finish(createBounty());
        assertClaimable(2 * WORKER_TOKENS, 2 * (REQUESTER_TOKENS / 3));
    }

    /// when the global cap in USDC is reached: it skips every account
    function test_CutsToTheGlobalCap() external {
        BonusCaps memory caps = uncapped();
        caps.globalUsd = WORKER_USD;
        setCaps(caps);
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        expectSkip(taskId, requester, BonusRole.Requester, SkipReason.GlobalCap);
        accept(taskId, alice, "a1");
        assertClaimable(WORKER_TOKENS, 0);
        taskId = createBounty();
        submit(taskId, bob, "b1");
        expectSkip(taskId, bob, BonusRole.Worker, SkipReason.GlobalCap);
        accept(taskId, bob, "b1");
    }

    /// when the global cap in tokens is reached: it cuts the USDC in proportion, rounded up
    function test_CutsToTheTokenCap() external {
        BonusCaps memory caps = uncapped();
        caps.globalTokens = uint128(WORKER_TOKENS + 1);
        setCaps(caps);
        finish(createBounty());
        assertClaimable(WORKER_TOKENS, 1);
        assertEq(bonus.accountOf(requester).requesterUsd, 1);
        (uint256 epoch, uint256 usd, uint256 tokens) = bonus.epochNow();
        assertEq(epoch, 0);
        assertEq(usd, WORKER_USD + 1);
        assertEq(tokens, WORKER_TOKENS + 1);
    }

    /// when the reserve is short: it credits what is there
    function test_CutsToTheReserve() external {
        leaveInReserve(WORKER_TOKENS / 2);
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        expectSkip(taskId, requester, BonusRole.Requester, SkipReason.Reserve);
        accept(taskId, alice, "a1");
        assertClaimable(WORKER_TOKENS / 2, 0);
        assertEq(bonus.accountOf(alice).workerUsd, WORKER_USD / 2);
    }

    /// when the reserve is short: it never makes more claimable than the balance
    function test_NeverExceedsTheBalance() external {
        leaveInReserve(WORKER_TOKENS + REQUESTER_TOKENS + 1);
        finish(createBounty());
        finish(createBounty());
        assertClaimable(WORKER_TOKENS + 1, REQUESTER_TOKENS);
        assertEq(bonus.available(), 0);
    }

    /// when several caps are below the bonus: it is cut once, to the least of them
    function test_CutsOnceToTheLeastCap() external {
        setUnevenRate();
        BonusCaps memory caps = uncapped();
        (caps.workerUsd, caps.taskUsd) = (5, 3);
        setCaps(caps);
        finish(createBounty());
        // 1,000,000 * 3 / 600,000; by way of the worker's cap it would be 8 * 3 / 5.
        assertClaimable(5, 0);
        assertEq(bonus.accountOf(alice).workerUsd, 3);
    }

    /// when cap in tokens and reserve are both below the bonus: it is cut once, to the lesser of them
    function test_CutsOnceToTheFewerTokens() external {
        setUnevenRate();
        BonusCaps memory caps = uncapped();
        caps.globalTokens = 4;
        setCaps(caps);
        leaveInReserve(3);
        finish(createBounty());
        assertClaimable(3, 0);
        // 600,000 * 3 / 1,000,000, rounded up; by way of the cap it would be 3 * 3 / 4, rounded up.
        assertEq(bonus.accountOf(alice).workerUsd, 2);
    }

    /// when a new week begins: it has all caps again
    function test_BeginsAnEpochAnew() external {
        BonusCaps memory caps = uncapped();
        (caps.workerUsd, caps.requesterUsd) = (WORKER_USD, REQUESTER_USD);
        (caps.globalUsd, caps.globalTokens) = (WORKER_USD + REQUESTER_USD, uint128(WORKER_TOKENS + REQUESTER_TOKENS));
        setCaps(caps);
        finish(createBounty());
        vm.warp(start + 7 days - 1);
        finish(createBounty());
        assertClaimable(WORKER_TOKENS, REQUESTER_TOKENS);
        vm.warp(start + 7 days);
        finish(createBounty());
        assertClaimable(2 * WORKER_TOKENS, 2 * REQUESTER_TOKENS);
        (uint256 epoch, uint256 usd,) = bonus.epochNow();
        assertEq(epoch, 1);
        assertEq(usd, WORKER_USD + REQUESTER_USD);
    }

    /// when a side is worth less than a base unit of the token: it is too small, whatever its caps
    function test_SkipsASideWithoutTokens() external {
        BonusCaps memory caps = uncapped();
        caps.workerUsd = 1;
        setCaps(caps);
        // One base unit in all, 0.8 of it the worker's.
        setRate(2);
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        expectSkip(taskId, alice, BonusRole.Worker, SkipReason.TooSmall);
        accept(taskId, alice, "a1");
    }

    /// when a side counts one base unit of USDC: it is credited
    function test_CreditsOneBaseUnit() external {
        vm.prank(owner);
        bonus.setBonusBps(1);
        BonusRamp memory ramp = flatRamp();
        // Of 800 base units, and of 200 of the requester.
        ramp.multiplierBps = [uint16(13), 13, 13, 13];
        setRamp(ramp);
        finish(createBounty());
        assertClaimable(8e15 * 13 / uint256(10_000), 0);
    }

    /// when a cap is lowered below what is used: it credits nothing and does not fail
    function test_ToleratesALoweredCap() external {
        finish(createBounty());
        BonusCaps memory caps = uncapped();
        (caps.globalUsd, caps.globalTokens, caps.workerUsd) = (1, 1, 1);
        setCaps(caps);
        bytes32 taskId = createBounty();
        submit(taskId, alice, "a1");
        expectSkip(taskId, alice, BonusRole.Worker, SkipReason.AccountCap);
        expectSkip(taskId, requester, BonusRole.Requester, SkipReason.GlobalCap);
        accept(taskId, alice, "a1");
        assertClaimable(WORKER_TOKENS, REQUESTER_TOKENS);
    }

    /// @dev The worker's side of REWARD's bonus is 1,000,000 base units of the token.
    function setUnevenRate() private {
        setRate(1_666_667);
    }

    function leaveInReserve(uint256 amount) private {
        vm.prank(owner);
        bonus.takeReserve(owner, RESERVE - amount);
    }
}
