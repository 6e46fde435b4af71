// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {ReputationRegistry} from "../../src/local/ReputationRegistry.sol";
import {RateParams, Status} from "../../src/types/TaskTypes.sol";
import {HostileRegistry} from "../support/HostileRegistry.sol";
import {MarketTest} from "../support/MarketTest.sol";

contract RateTaskTest is MarketTest {
    bytes32 internal taskId;
    RateParams internal params;

    function setUp() public override {
        super.setUp();
        taskId = createCompleted();
        params = RateParams(taskId, alice, 90, 7, 0, false, "https://example.org/feedback/1", "hash");
    }

    /// when the task does not exist: it reverts with TaskNotFound
    function test_RevertWhen_NoTask() external {
        params.taskId = "none";
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.TaskNotFound.selector, params.taskId));
        rate();
    }

    /// when another than the requester calls: it reverts with NotRequester
    function test_RevertWhen_NotRequester() external {
        vm.prank(alice);
        expectError(ITaskMarket.NotRequester.selector, alice);
        market.rateTask(params);
    }

    /// given the task is not completed: it reverts with WrongStatus
    function test_RevertGiven_NotCompleted() external {
        params.taskId = createBounty();
        expectError(ITaskMarket.WrongStatus.selector, uint256(Status.Open));
        rate();
    }

    /// when the rating exceeds 100: it reverts with InvalidRating
    function test_RevertWhen_RatingTooHigh() external {
        params.rating = 101;
        expectError(ITaskMarket.InvalidRating.selector, 101);
        rate();
    }

    /// when the worker was not awarded: it reverts with NotAwarded
    function test_RevertWhen_NotAwarded() external {
        params.worker = bob;
        expectError(ITaskMarket.NotAwarded.selector, bob);
        rate();
    }

    /// when the requester rates itself: it reverts with SelfRating
    function test_RevertWhen_SelfRating() external {
        bytes32 own = createBounty();
        submit(own, requester, "r1");
        accept(own, requester, "r1");
        (params.taskId, params.worker) = (own, requester);
        expectError(ITaskMarket.SelfRating.selector, requester);
        rate();
        vm.prank(requester);
        params.workerAgentId = identity.register();
        params.hasAgent = true;
        expectError(ITaskMarket.SelfRating.selector, requester);
        rate();
        assertEq(reputation.getLastIndex(params.workerAgentId, address(market)), 0);
        assertFalse(market.entryOf(own, requester).rated);
    }

    /// given the worker is rated already: it reverts with AlreadyRated
    function test_RevertGiven_Rated() external {
        rate();
        expectError(ITaskMarket.AlreadyRated.selector, alice);
        rate();
    }

    /// when the worker has no agent: it records the rating
    function test_Records() external {
        assertFalse(market.entryOf(taskId, alice).rated);
        params.rating = 100;
        rate();
        assertTrue(market.entryOf(taskId, alice).rated);
    }

    /// when the worker has no agent: it logs the rating
    function test_Logs() external {
        expectLog();
        emit TaskRated(taskId, alice, 90, 7, 0, false, params.feedbackURI, params.feedbackHash);
        rate();
    }

    /// when the worker has no agent: it leaves the registry alone
    function test_LeavesTheRegistryAlone() external {
        registerAlice();
        rate();
        assertEq(reputation.getLastIndex(0, address(market)), 0);
    }

    /// when the worker owns the agent: it gives the rating as feedback
    function test_GivesFeedback() external {
        vm.prank(bob);
        identity.register();
        params.workerAgentId = registerAlice();
        assertEq(params.workerAgentId, 1);
        params.hasAgent = true;
        vm.expectEmit(address(reputation));
        emit ReputationRegistry.NewFeedback(
            1, address(market), 1, 90, 0, "starred", "starred", "", "", params.feedbackURI, params.feedbackHash
        );
        expectLog();
        emit TaskRated(taskId, alice, 90, 7, 1, true, params.feedbackURI, params.feedbackHash);
        rate();
    }

    /// when the worker owns the agent: it takes agent id zero as an agent
    function test_TakesAgentZero() external {
        assertEq(registerAlice(), 0);
        params.hasAgent = true;
        rate();
        (int128 value, uint8 decimals, string memory tag,, bool revoked) =
            reputation.readFeedback(0, address(market), 1);
        assertEq(value, 90);
        assertEq(decimals, 0);
        assertEq(tag, "starred");
        assertFalse(revoked);
    }

    /// when the worker does not own the agent: it records the rating without feedback
    function test_NoFeedbackOnAnothersAgent() external {
        vm.prank(bob);
        identity.register();
        params.hasAgent = true;
        rate();
        assertEq(reputation.getLastIndex(0, address(market)), 0);
        assertTrue(market.entryOf(taskId, alice).rated);
    }

    /// when the agent does not exist: it records the rating without feedback
    function test_NoFeedbackOnNoAgent() external {
        params.hasAgent = true;
        params.workerAgentId = 99;
        rate();
        assertTrue(market.entryOf(taskId, alice).rated);
    }

    /// given no registry is set: it records the rating without feedback
    function test_NoFeedbackWithoutRegistries() external {
        registerAlice();
        params.hasAgent = true;
        setRegistries(address(0), address(reputation));
        rate();
        assertTrue(market.entryOf(taskId, alice).rated);
        setRegistries(address(identity), address(0));
        params.taskId = createCompleted();
        rate();
        assertTrue(market.entryOf(params.taskId, alice).rated);
        assertEq(reputation.getLastIndex(0, address(market)), 0);
    }

    /// given the registries are not contracts: it records the rating without feedback
    function test_NoFeedbackToNoContract() external {
        params.hasAgent = true;
        setRegistries(makeAddr("no registry"), makeAddr("no other registry"));
        rate();
        assertTrue(market.entryOf(taskId, alice).rated);
    }

    /// given the identity registry does harm: it records the rating without feedback for each harm
    function test_SurvivesAHostileIdentityRegistry() external {
        HostileRegistry hostile = new HostileRegistry();
        params.hasAgent = true;
        setRegistries(address(hostile), address(hostile));
        for (uint8 harm = 1; harm <= 3; harm++) {
            hostile.behave(alice, HostileRegistry.Harm(harm), HostileRegistry.Harm.None);
            params.taskId = createCompleted();
            rate();
            assertTrue(market.entryOf(params.taskId, alice).rated);
            assertEq(hostile.feedbacks(), 0);
        }
    }

    /// given the reputation registry does harm: it records the rating for each harm
    function test_SurvivesAHostileReputationRegistry() external {
        HostileRegistry hostile = new HostileRegistry();
        params.hasAgent = true;
        setRegistries(address(hostile), address(hostile));
        for (uint8 harm = 1; harm <= 3; harm++) {
            hostile.behave(alice, HostileRegistry.Harm.None, HostileRegistry.Harm(harm));
            params.taskId = createCompleted();
            uint256 gasBefore = gasleft();
            rate();
            assertLt(gasBefore - gasleft(), 600_000);
            assertTrue(market.entryOf(params.taskId, alice).rated);
            assertEq(hostile.feedbacks(), 0);
        }
    }

    /// when too little gas is given for the feedback: it reverts with NotEnoughGas
    function test_RevertWhen_NotEnoughGas() external {
        registerAlice();
        params.hasAgent = true;
        vm.prank(requester);
        expectError(ITaskMarket.NotEnoughGas.selector, 400_000 * uint256(64) / 63 + 40_000);
        market.rateTask{gas: 430_000}(params);
    }

    /// when two winners are rated: it rates each on its own
    function test_RatesEach() external {
        bytes32 second = createBounty();
        submit(second, alice, "a1");
        submit(second, bob, "b1");
        split(second, winnersOf(alice, 5000, bob, 5000));
        params.taskId = second;
        rate();
        assertFalse(market.entryOf(second, bob).rated);
        params.worker = bob;
        params.rating = 0;
        rate();
        assertTrue(market.entryOf(second, bob).rated);
    }

    /// given entries are paused: it records the rating
    function test_RecordsWhilePaused() external {
        vm.prank(owner);
        market.pause();
        rate();
        assertTrue(market.entryOf(taskId, alice).rated);
    }

    function registerAlice() private returns (uint256) {
        vm.prank(alice);
        return identity.register();
    }

    function setRegistries(address identityRegistry, address reputationRegistry) private {
        vm.prank(owner);
        market.setRegistries(identityRegistry, reputationRegistry);
    }

    function rate() private {
        vm.prank(requester);
        market.rateTask(params);
    }
}
