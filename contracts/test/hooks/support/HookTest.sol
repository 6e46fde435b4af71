// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {HookAward, HookState, HookVerdict, HookVerdictType, TaskContext} from "../../../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {CreateTaskParams} from "../../../src/types/TaskTypes.sol";
import {MarketTest} from "../../support/MarketTest.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";

/// @title A market with scripted hooks, and what they should have been told, worked out by hand
abstract contract HookTest is MarketTest {
    /// @dev Custom hooks, in the order they are attached in.
    ScriptedHook internal hook = new ScriptedHook();
    ScriptedHook internal second = new ScriptedHook();
    /// @dev A default hook, once `setDefault` made it one.
    ScriptedHook internal standing = new ScriptedHook();
    uint256 internal start;

    function setUp() public virtual override {
        super.setUp();
        fund(alice);
        fund(bob);
        start = block.timestamp;
    }

    // --- Builders ---

    function hooked(CreateTaskParams memory params) internal view returns (CreateTaskParams memory) {
        params.hooks = asList(address(hook));
        return params;
    }

    function setDefault(address standing_) internal {
        vm.prank(owner);
        market.setDefaultHooks(asList(standing_));
    }

    /// @dev The context of a task made of `params` at the start of the test, without tags.
    function contextFor(bytes32 taskId, CreateTaskParams memory params, HookState state)
        internal
        view
        returns (TaskContext memory context)
    {
        context.taskId = taskId;
        context.requester = requester;
        context.evaluator = params.evaluation.evaluator;
        context.paymentToken = address(usdc);
        context.reward = params.reward;
        context.evaluatorFeeBps = params.evaluation.feeBps;
        context.submissionDeadline = start + params.duration;
        context.evaluationWindow = params.evaluation.evaluationWindow;
        context.appealWindow = params.evaluation.appealWindow;
        context.disputeResolver = params.evaluation.resolver;
        context.currentState = state;
        context.mode = params.mode;
    }

    /// @dev Returns the verdict that hooks receive for a requester's acceptance, or for `settleStale`.
    function fullApproval(address worker, uint256 amount) internal pure returns (HookVerdict memory verdict) {
        verdict.issued = true;
        (verdict.score, verdict.confidence) = (1000, 1000);
        verdict.awards = new HookAward[](1);
        verdict.awards[0] = HookAward(worker, amount, 1);
    }

    /// @dev An evaluator's decision as `MarketTest.evaluate` issues it, with one award.
    function decision(HookVerdictType kind, address worker, uint256 amount)
        internal
        pure
        returns (HookVerdict memory verdict)
    {
        verdict = fullApproval(worker, amount);
        verdict.verdictType = kind;
        (verdict.score, verdict.confidence) = (900, 800);
        verdict.evidenceHash = keccak256("evidence");
    }

    // --- Assertions ---

    /// @dev Asserts the calldata of the last call of this step.
    function assertTold(ScriptedHook listener, bytes memory data) internal view {
        assertEq(listener.lastHash(bytes4(data)), keccak256(data), "told something else");
    }

    /// @dev A veto without a reason.
    function expectVeto(address by, bytes4 selector) internal {
        expectVeto(by, selector, "");
    }

    function expectVeto(address by, bytes4 selector, bytes memory reason) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.HookVetoed.selector, by, selector, reason));
    }

    function expectOverruled(bytes32 taskId, address overruled, bytes4 selector) internal {
        expectLog();
        emit HookCallFailed(taskId, overruled, selector);
    }

    /// @dev Returns how often a call to a hook failed, by the recorded logs.
    function countFailures(Vm.Log[] memory logs, address failed, bytes4 selector)
        internal
        pure
        returns (uint256 count)
    {
        for (uint256 i; i < logs.length; i++) {
            if (logs[i].topics[0] != HookCallFailed.selector) continue;
            bool isHook = logs[i].topics[2] == bytes32(uint256(uint160(failed)));
            if (isHook && logs[i].topics[3] == bytes32(selector)) count++;
        }
    }
}
