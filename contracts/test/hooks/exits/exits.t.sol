// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {Award, CreateTaskParams, Status, Verdict} from "../../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {HookTest} from "../support/HookTest.sol";

contract ExitsTest is HookTest {
    /// @dev Agree is no failure.
    uint256 private constant FIRST = uint256(ScriptedHook.Behaviour.Refuse);
    uint256 private constant LAST = uint256(ScriptedHook.Behaviour.CallBack);
    /// @dev The most gas a transaction may bring (EIP-7825).
    uint256 private constant TRANSACTION_GAS = 16_777_216;

    function setUp() public override {
        super.setUp();
        setDefault(address(standing));
        bytes memory callback = abi.encodeCall(market.withdrawCredit, (address(hook)));
        hook.scriptCallback(address(market), callback);
        standing.scriptCallback(address(market), callback);
    }

    /// given hooks that refuse, revert, burn their gas, flood, mumble or call back: it selects the lowest bidder
    function test_SelectsTheLowestBidder() external {
        for (uint256 i = FIRST; i <= LAST; i++) {
            bytes32 taskId = create(hooked(anAuction(Modes.ENGLISH)));
            bid(taskId, alice, 6e6);
            skip(DURATION / 2);
            misbehave(i);
            market.selectLowestBidder(taskId);
            assertOverruled(i, ITaskHook.checkSelectWorker.selector);
            assertStatus(taskId, Status.Claimed);
        }
    }

    /// given hooks that refuse, revert, burn their gas, flood, mumble or call back: it takes the assigned worker's delivery
    function test_TakesADelivery() external {
        for (uint256 i = FIRST; i <= LAST; i++) {
            bytes32 taskId = create(hooked(aClaim()));
            claim(taskId, alice);
            misbehave(i);
            submit(taskId, alice, "a1");
            assertOverruled(i, ITaskHook.checkSubmit.selector);
            assertStatus(taskId, Status.PendingApproval);
        }
    }

    /// given hooks that refuse, revert, burn their gas, flood, mumble or call back: it takes a verdict
    function test_TakesAVerdict() external {
        for (uint256 i = FIRST; i <= LAST; i++) {
            bytes32 taskId = createDelivered();
            misbehave(i);
            evaluate(taskId, Verdict.Approve, noAwards());
            assertOverruled(i, ITaskHook.checkEvaluate.selector);
            assertStatus(taskId, Status.Appealing);
        }
    }

    /// given hooks that refuse, revert, burn their gas, flood, mumble or call back: it takes an appeal and lets the evaluator time out
    function test_TakesAnAppealAndATimeout() external {
        for (uint256 i = FIRST; i <= LAST; i++) {
            bytes32 appealed = createDelivered();
            evaluate(appealed, Verdict.Reject, noAwards());
            bytes32 silent = createDelivered();
            misbehave(i);
            vm.prank(alice);
            market.appeal(appealed);
            skip(2 hours);
            vm.prank(requester);
            market.evaluatorTimeout(silent);
            assertStatus(appealed, Status.Disputed);
            assertStatus(silent, Status.PendingApproval);
            behave();
        }
    }

    /// given hooks that refuse, revert, burn their gas, flood, mumble or call back: it pays a final verdict
    function test_PaysAVerdict() external {
        for (uint256 i = FIRST; i <= LAST; i++) {
            bytes32 taskId = createDelivered();
            evaluate(taskId, Verdict.Approve, noAwards());
            skip(1 hours);
            misbehave(i);
            market.finalizeVerdict(taskId);
            assertCompleted(i, taskId);
        }
    }

    /// given hooks that refuse, revert, burn their gas, flood, mumble or call back: it refunds a rejecting verdict
    function test_RefundsARejection() external {
        for (uint256 i = FIRST; i <= LAST; i++) {
            bytes32 taskId = createDelivered();
            evaluate(taskId, Verdict.Reject, noAwards());
            skip(1 hours);
            misbehave(i);
            market.finalizeVerdict(taskId);
            assertEnded(i, taskId, Status.Cancelled, ITaskHook.onCancel.selector);
        }
    }

    /// given hooks that refuse, revert, burn their gas, flood, mumble or call back: it pays a verdict that a silent resolver left standing
    function test_PaysAStandingVerdict() external {
        for (uint256 i = FIRST; i <= LAST; i++) {
            bytes32 taskId = createDelivered();
            evaluate(taskId, Verdict.Partial, oneAward(alice, 1e6));
            vm.prank(alice);
            market.appeal(taskId);
            skip(1 days);
            misbehave(i);
            market.finalizeVerdict(taskId);
            assertCompleted(i, taskId);
        }
    }

    /// given hooks that refuse, revert, burn their gas, flood, mumble or call back: it resolves a dispute
    function test_ResolvesADispute() external {
        for (uint256 i = FIRST; i <= LAST; i++) {
            bytes32 taskId = createDelivered();
            evaluate(taskId, Verdict.Reject, noAwards());
            vm.prank(alice);
            market.appeal(taskId);
            misbehave(i);
            vm.prank(resolver);
            market.resolveDispute(taskId, Verdict.Approve, oneAward(alice, 1e6));
            assertCompleted(i, taskId);
        }
    }

    /// given hooks that refuse, revert, burn their gas, flood, mumble or call back: it forfeits a claim
    function test_ForfeitsAClaim() external {
        for (uint256 i = FIRST; i <= LAST; i++) {
            bytes32 taskId = create(hooked(aClaim()));
            claim(taskId, alice);
            skip(DURATION);
            misbehave(i);
            vm.prank(requester);
            market.forfeitAndReopen(taskId);
            assertNotified(i, ITaskHook.onForfeit.selector);
            assertStatus(taskId, Status.Open);
        }
    }

    /// given hooks that refuse, revert, burn their gas, flood, mumble or call back: it cancels
    function test_Cancels() external {
        for (uint256 i = FIRST; i <= LAST; i++) {
            bytes32 taskId = create(hooked(aBounty()));
            misbehave(i);
            cancel(taskId);
            assertEnded(i, taskId, Status.Cancelled, ITaskHook.onCancel.selector);
        }
    }

    /// given hooks that refuse, revert, burn their gas, flood, mumble or call back: it refunds what expired
    function test_RefundsWhatExpired() external {
        for (uint256 i = FIRST; i <= LAST; i++) {
            bytes32 taskId = create(hooked(aClaim()));
            claim(taskId, alice);
            skip(DURATION);
            misbehave(i);
            market.refundExpired(taskId);
            assertEnded(i, taskId, Status.Expired, ITaskHook.onExpire.selector);
        }
    }

    /// given hooks that refuse, revert, burn their gas, flood, mumble or call back: it pays a settled silence
    function test_PaysASettledSilence() external {
        for (uint256 i = FIRST; i <= LAST; i++) {
            bytes32 taskId = createDelivered();
            skip(DURATION + 90 days);
            misbehave(i);
            market.settleStale(taskId);
            assertCompleted(i, taskId);
        }
    }

    /// given hooks that refuse, revert, burn their gas, flood, mumble or call back: it refunds a settled silence
    function test_RefundsASettledSilence() external {
        for (uint256 i = FIRST; i <= LAST; i++) {
            bytes32 taskId = create(hooked(aBounty()));
            submit(taskId, alice, "a1");
            skip(DURATION + 90 days);
            misbehave(i);
            market.settleStale(taskId);
            assertEnded(i, taskId, Status.Expired, ITaskHook.onExpire.selector);
        }
    }

    /// given hooks that refuse, revert, burn their gas, flood, mumble or call back: it pays credits
    function test_PaysCredits() external {
        for (uint256 i = FIRST; i <= LAST; i++) {
            bytes32 taskId = create(hooked(aBounty()));
            misbehave(i);
            usdc.blacklist(requester);
            cancel(taskId);
            usdc.unBlacklist(requester);
            assertEq(market.creditOf(requester), REWARD);
            market.pushCredit(requester);
            assertEq(market.creditOf(requester), 0);
            behave();
        }
    }

    /// given eight hooks that burn all their gas: it still refunds within what one transaction can hold
    function test_RefundsDespiteEightHooks() external {
        CreateTaskParams memory params = withMore(aBounty(), 7);
        bytes32 taskId = create(params);
        submit(taskId, alice, "a1");
        skip(DURATION + 90 days);
        burn(params.hooks);
        market.settleStale{gas: 3_500_000}(taskId);
        assertStatus(taskId, Status.Expired);
    }

    /// given eight hooks that burn all their gas: it still pays a verdict with fifty awards within what one transaction can hold
    function test_PaysDespiteEightHooks() external {
        CreateTaskParams memory params = withMore(evaluated(aBounty()), 7);
        bytes32 taskId = createJudged(params);
        burn(params.hooks);
        finalizeInOneTransaction(taskId);
    }

    /// given eight hooks that burn all their gas: it still does when three of them are default hooks
    function test_PaysDespiteThreeDefaultHooks() external {
        address[] memory defaults = new address[](3);
        for (uint256 i; i < 3; i++) {
            defaults[i] = address(new ScriptedHook());
        }
        vm.prank(owner);
        market.setDefaultHooks(defaults);
        CreateTaskParams memory params = withMore(evaluated(aBounty()), 5);
        bytes32 taskId = createJudged(params);
        burn(defaults);
        burn(params.hooks);
        finalizeInOneTransaction(taskId);
    }

    /// @dev Fifty awards, and the time to appeal is over.
    function createJudged(CreateTaskParams memory params) private returns (bytes32 taskId) {
        taskId = create(params);
        Award[] memory awards = new Award[](50);
        for (uint256 i; i < 50; i++) {
            awards[i] = Award(address(uint160(0xbeef00 + i)), 100_000, uint16(i + 1));
            submit(taskId, awards[i].worker, "x");
        }
        evaluateExpired(taskId, Verdict.Partial, awards);
        skip(1 hours);
    }

    /// @dev Finalizes with cold storage, as a transaction of its own does; its intrinsic cost is not counted.
    function finalizeInOneTransaction(bytes32 taskId) private {
        vm.cool(address(market));
        vm.cool(address(usdc));
        uint256 before = gasleft();
        market.finalizeVerdict{gas: TRANSACTION_GAS - 100_000}(taskId);
        emit log_named_uint("gas of an exit with every stipend burnt", before - gasleft());
        assertStatus(taskId, Status.Completed);
    }

    /// @dev Adds `count` custom hooks; seven of them and the default hook are the eight of a task.
    function withMore(CreateTaskParams memory params, uint256 count) private returns (CreateTaskParams memory) {
        params.hooks = new address[](count);
        for (uint256 i; i < count; i++) {
            params.hooks[i] = address(new ScriptedHook());
        }
        return params;
    }

    function burn(address[] memory custom) private {
        for (uint256 i; i < custom.length; i++) {
            ScriptedHook(custom[i]).scriptAll(ScriptedHook.Behaviour.Loop);
        }
        standing.scriptAll(ScriptedHook.Behaviour.Loop);
    }

    function createDelivered() private returns (bytes32 taskId) {
        taskId = create(hooked(evaluated(aClaim())));
        claim(taskId, alice);
        submit(taskId, alice, "a1");
    }

    /// @dev Sets the behaviour of both hooks at every step, and records logs.
    function misbehave(uint256 behaviour) private {
        hook.scriptAll(ScriptedHook.Behaviour(behaviour));
        standing.scriptAll(ScriptedHook.Behaviour(behaviour));
        vm.recordLogs();
    }

    function behave() private {
        hook.scriptAll(ScriptedHook.Behaviour.Agree);
        standing.scriptAll(ScriptedHook.Behaviour.Agree);
    }

    /// @dev Asserts that both refusals of a check were overruled and logged; a hook that calls back agrees in the end.
    function assertOverruled(uint256 behaviour, bytes4 selector) private {
        assertFailures(vm.getRecordedLogs(), selector, behaviour == LAST ? 0 : 1);
        behave();
    }

    /// @dev A notification has no answer: only a revert is a failure.
    function assertNotified(uint256 behaviour, bytes4 selector) private {
        assertFailures(vm.getRecordedLogs(), selector, hasReverted(behaviour) ? 1 : 0);
        behave();
    }

    function assertCompleted(uint256 behaviour, bytes32 taskId) private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertFailures(logs, ITaskHook.checkComplete.selector, behaviour == LAST ? 0 : 1);
        assertFailures(logs, ITaskHook.onComplete.selector, hasReverted(behaviour) ? 1 : 0);
        assertPaidOut(taskId, Status.Completed);
    }

    function assertEnded(uint256 behaviour, bytes32 taskId, Status status, bytes4 selector) private {
        assertNotified(behaviour, selector);
        assertPaidOut(taskId, status);
    }

    function assertPaidOut(bytes32 taskId, Status status) private {
        assertStatus(taskId, status);
        assertEq(market.getTask(taskId).escrow, 0);
        assertEq(market.totalEscrow(), 0);
        assertEq(usdc.balanceOf(address(market)), 0);
        behave();
    }

    function assertFailures(Vm.Log[] memory logs, bytes4 selector, uint256 count) private view {
        assertEq(countFailures(logs, address(standing), selector), count);
        assertEq(countFailures(logs, address(hook), selector), count);
    }

    function assertStatus(bytes32 taskId, Status status) private view {
        assertEq(uint8(market.getTask(taskId).status), uint8(status));
    }

    function hasReverted(uint256 behaviour) private pure returns (bool) {
        ScriptedHook.Behaviour value = ScriptedHook.Behaviour(behaviour);
        return value == ScriptedHook.Behaviour.Revert || value == ScriptedHook.Behaviour.Loop
            || value == ScriptedHook.Behaviour.Bomb;
    }
}
