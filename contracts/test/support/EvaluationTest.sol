// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Award, Status, Verdict} from "../../src/types/TaskTypes.sol";
import {MarketTest} from "./MarketTest.sol";

/// @title Tasks with an evaluator, and the balances of their parties
abstract contract EvaluationTest is MarketTest {
    uint256 internal constant STAKE = REWARD / 10;
    uint256 internal constant EVALUATOR_FEE = REWARD / 20;
    /// @dev Amount that awards can share after the evaluator's fee.
    uint256 internal constant PAYABLE = REWARD - EVALUATOR_FEE;
    uint40 internal constant EVALUATION_WINDOW = 2 hours;
    uint40 internal constant APPEAL_WINDOW = 1 hours;

    /// @dev Growth of each party's balance since `mark`, in base units.
    struct Gains {
        uint256 requester;
        uint256 alice;
        uint256 bob;
        uint256 evaluator;
        uint256 platform;
    }

    Gains private _marked;
    uint256 private _held;

    function setUp() public virtual override {
        super.setUp();
        fund(alice);
        fund(bob);
    }

    // --- Tasks ---

    /// @dev Creates a staked claim with an evaluator, delivered by alice as "a1".
    function createReview() internal returns (bytes32 taskId) {
        taskId = create(evaluated(aClaim()));
        claim(taskId, alice);
        submit(taskId, alice, "a1");
    }

    /// @dev Creates a staked claim, delivered by alice as "a1": the requester decides.
    function createPending() internal returns (bytes32 taskId) {
        taskId = create(aClaim());
        claim(taskId, alice);
        submit(taskId, alice, "a1");
    }

    /// @dev Creates a bounty with an evaluator, "a1" of alice and "b1" of bob.
    function createContest() internal returns (bytes32 taskId) {
        taskId = create(evaluated(aBounty()));
        submit(taskId, alice, "a1");
        submit(taskId, bob, "b1");
    }

    /// @dev Assigns an auction to alice at `price`, without a delivery.
    function win(bytes32 taskId, uint256 price) internal {
        bid(taskId, alice, price);
        vm.warp(market.getTask(taskId).bidDeadline);
        market.selectLowestBidder(taskId);
    }

    // --- Steps ---

    function appealBy(bytes32 taskId, address worker) internal {
        vm.prank(worker);
        market.appeal(taskId);
    }

    function resolve(bytes32 taskId, Verdict verdict, Award[] memory awards) internal {
        vm.prank(resolver);
        market.resolveDispute(taskId, verdict, awards);
    }

    function timeOut(bytes32 taskId) internal {
        vm.prank(requester);
        market.evaluatorTimeout(taskId);
    }

    function objectTo(bytes32 taskId) internal {
        vm.prank(requester);
        market.objectToDelivery(taskId);
    }

    /// @dev Waits for the end of the present phase, then finalizes the verdict.
    function finalizeLater(bytes32 taskId) internal {
        vm.warp(phaseDeadline(taskId));
        market.finalizeVerdict(taskId);
    }

    function phaseDeadline(bytes32 taskId) internal view returns (uint40) {
        return market.evaluationOf(taskId).phaseDeadline;
    }

    function twoAwards(uint256 toAlice, uint256 toBob) internal view returns (Award[] memory awards) {
        awards = new Award[](2);
        awards[0] = Award(alice, uint80(toAlice), 1);
        awards[1] = Award(bob, uint80(toBob), 2);
    }

    // --- Money ---

    function feeOf(uint256 gross) internal pure returns (uint256) {
        return gross * FEE_BPS / 10_000;
    }

    function netOf(uint256 gross) internal pure returns (uint256) {
        return gross - feeOf(gross);
    }

    /// @dev Starts the count of `assertPaid`.
    function mark() internal {
        _marked = Gains({
            requester: usdc.balanceOf(requester),
            alice: usdc.balanceOf(alice),
            bob: usdc.balanceOf(bob),
            evaluator: usdc.balanceOf(evaluator),
            platform: usdc.balanceOf(feeRecipient)
        });
        _held = usdc.balanceOf(address(market));
    }

    /// @dev Asserts the gain of each party, the market's payments, and that it holds what it owes.
    function assertPaid(Gains memory gains) internal view {
        assertEq(usdc.balanceOf(requester) - _marked.requester, gains.requester, "requester");
        assertEq(usdc.balanceOf(alice) - _marked.alice, gains.alice, "alice");
        assertEq(usdc.balanceOf(bob) - _marked.bob, gains.bob, "bob");
        assertEq(usdc.balanceOf(evaluator) - _marked.evaluator, gains.evaluator, "evaluator");
        assertEq(usdc.balanceOf(feeRecipient) - _marked.platform, gains.platform, "platform");
        uint256 sum = gains.requester + gains.alice + gains.bob + gains.evaluator + gains.platform;
        assertEq(_held - usdc.balanceOf(address(market)), sum, "market");
        assertEq(market.totalEscrow(), usdc.balanceOf(address(market)), "liabilities");
    }

    /// @dev Asserts that no party gained anything since `mark`.
    function assertNothingPaid() internal view {
        assertPaid(Gains({requester: 0, alice: 0, bob: 0, evaluator: 0, platform: 0}));
    }

    function assertStands(bytes32 taskId, Status status) internal view {
        assertEq(uint8(market.getTask(taskId).status), uint8(status), "status");
    }
}
