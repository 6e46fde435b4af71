// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITaskHook} from "../../../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {Status} from "../../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {Paths} from "../support/Paths.sol";

contract HookMoneyTest is Paths {
    bytes4[10] private _steps = [
        ITaskHook.checkFund.selector,
        ITaskHook.checkClaim.selector,
        ITaskHook.checkSelectWorker.selector,
        ITaskHook.checkSubmit.selector,
        ITaskHook.checkEvaluate.selector,
        ITaskHook.checkComplete.selector,
        ITaskHook.onComplete.selector,
        ITaskHook.onForfeit.selector,
        ITaskHook.onCancel.selector,
        ITaskHook.onExpire.selector
    ];

    /// given any behaviour of three hooks at every step of a whole life: it leaves every account with what it has without hooks
    function testFuzz_ChangesNoAmount(uint256 pathSeed, uint256 scriptSeed) external {
        assertTwins(Path(bound(pathSeed, 0, uint256(type(Path).max))), scriptSeed);
    }

    /// given any behaviour of three hooks at every step of a whole life: it takes and moves nothing when a step is vetoed
    function test_MovesNothingWhenVetoed() external {
        setDefault(address(standing));
        attached = asList(address(hook), address(second));
        for (uint256 i; i <= uint256(type(Path).max); i++) {
            for (uint256 k; k < _steps.length; k++) {
                second.script(_steps[k], ScriptedHook.Behaviour.Revert);
            }
            walk(Path(i));
            assertEq(market.totalEscrow(), 0);
        }
    }

    /// given hooks that agree: it pays every life of a task like its twin without hooks
    function test_PaysLikeItsTwin() external {
        for (uint256 i; i <= uint256(type(Path).max); i++) {
            uint256 before = vm.snapshotState();
            assertTwins(Path(i), 0);
            vm.revertToState(before);
        }
    }

    /// @param scriptSeed What each hook does at each step; zero: they agree.
    function assertTwins(Path path, uint256 scriptSeed) private {
        uint256 before = vm.snapshotState();
        bytes32 taskId = walk(path);
        uint256[] memory expected = balances();
        Status status = market.getTask(taskId).status;
        vm.revertToState(before);

        setDefault(address(standing));
        attached = asList(address(hook), address(second));
        if (scriptSeed != 0) {
            script(standing, uint256(keccak256(abi.encode(scriptSeed, 0))));
            script(hook, uint256(keccak256(abi.encode(scriptSeed, 1))));
            script(second, uint256(keccak256(abi.encode(scriptSeed, 2))));
        }
        taskId = walk(path);
        assertEq(balances(), expected);
        assertEq(uint8(market.getTask(taskId).status), uint8(status));
        assertEq(market.getTask(taskId).escrow, 0);
        assertEq(market.totalEscrow(), 0);
    }

    function script(ScriptedHook listener, uint256 seed) private {
        bytes32 taskId = market.nextTaskId(requester);
        for (uint256 i; i < _steps.length; i++) {
            uint256 behaviour = (seed >> (8 * i)) % (uint256(type(ScriptedHook.Behaviour).max) + 1);
            listener.script(_steps[i], ScriptedHook.Behaviour(behaviour));
        }
        uint256 callback = (seed >> 128) % 4;
        if (callback == 0) listener.scriptCallback(address(market), abi.encodeCall(market.settleStale, (taskId)));
        if (callback == 1) listener.scriptCallback(address(market), abi.encodeCall(market.submitWork, (taskId, "h1")));
        if (callback == 2) listener.scriptCallback(address(market), abi.encodeCall(market.pushCredit, (requester)));
        if (callback == 3) {
            bytes memory theft = abi.encodeCall(usdc.transferFrom, (address(market), address(listener), 1));
            listener.scriptCallback(address(usdc), theft);
        }
    }

    /// @dev Makes a call. A veto must be allowed and change no balance; the hook agrees to that step from then on.
    function act(address actor, bytes memory data, bool canVeto) internal override {
        uint256[] memory before = balances();
        vm.prank(actor);
        (bool ok, bytes memory answer) = address(market).call(data);
        if (ok) return;
        assertTrue(canVeto, "stopped what cannot be vetoed");
        assertEq(bytes4(answer), ITaskMarket.HookVetoed.selector);
        assertEq(balances(), before);
        bytes4 step;
        assembly ("memory-safe") {
            // Behind the length, the error's selector and the hook.
            step := mload(add(answer, 0x44))
        }
        hook.script(step, ScriptedHook.Behaviour.Agree);
        second.script(step, ScriptedHook.Behaviour.Agree);
        vm.prank(actor);
        (ok,) = address(market).call(data);
        assertTrue(ok, "agreed, and stopped all the same");
    }

    /// @dev Returns the balances of every account that could gain or lose, then the market's liabilities.
    function balances() private view returns (uint256[] memory amounts) {
        address[12] memory accounts = [
            requester,
            alice,
            bob,
            evaluator,
            resolver,
            stranger,
            feeRecipient,
            address(market),
            address(forwarder),
            address(standing),
            address(hook),
            address(second)
        ];
        amounts = new uint256[](accounts.length + 1);
        for (uint256 i; i < accounts.length; i++) {
            amounts[i] = usdc.balanceOf(accounts[i]);
        }
        amounts[accounts.length] = market.totalEscrow();
    }
}
