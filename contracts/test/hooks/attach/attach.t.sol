// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HookState, ITaskHook, TaskContext} from "../../../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../../../src/interfaces/ITaskMarket.sol";
import {HookLib} from "../../../src/libraries/HookLib.sol";
import {CreateTaskParams} from "../../../src/types/TaskTypes.sol";
import {ScriptedHook} from "../../support/ScriptedHook.sol";
import {HookTest} from "../support/HookTest.sol";
import {Pretender} from "../support/Pretender.sol";

contract AttachTest is HookTest {
    /// given no hooks at all: it attaches nothing
    function test_AttachesNothing() external {
        bytes32 taskId = createCompleted();
        (address[] memory hooks, uint256 defaultCount) = market.hooksOf(taskId);
        assertEq(hooks.length, 0);
        assertEq(defaultCount, 0);
        assertEq(market.getTask(taskId).hookSet, 0);
        assertEq(market.awardsHash(taskId), 0);
    }

    /// given no hooks at all: it never enters the code for hooks
    function test_EntersNoHookCode() external {
        vm.expectCall(address(HookLib), "", 0);
        createCompleted();
        bytes32 taskId = create(aClaim());
        claim(taskId, alice);
        submit(taskId, alice, "a1");
        accept(taskId, alice, "a1");
        cancel(createBounty());
        taskId = createBounty();
        skip(DURATION);
        market.refundExpired(taskId);
    }

    /// given default hooks: it lists them first and the custom hooks after them in their order
    function test_ListsDefaultsFirst() external {
        setDefault(address(standing));
        bytes32 taskId = createWith(asList(address(second), address(hook)));
        (address[] memory hooks, uint256 defaultCount) = market.hooksOf(taskId);
        assertEq(hooks.length, 3);
        assertEq(hooks[0], address(standing));
        assertEq(hooks[1], address(second));
        assertEq(hooks[2], address(hook));
        assertEq(defaultCount, 1);
    }

    /// given default hooks: it attaches them to tasks without custom hooks
    function test_AttachesDefaultsAlone() external {
        setDefault(address(standing));
        bytes32 taskId = createBounty();
        (address[] memory hooks, uint256 defaultCount) = market.hooksOf(taskId);
        assertEq(hooks, asList(address(standing)));
        assertEq(defaultCount, 1);
        assertEq(standing.calls(ITaskHook.checkFund.selector), 1);
    }

    /// given default hooks: it asks all of them in the order of the list
    function test_AsksInOrder() external {
        setDefault(address(standing));
        bytes32 taskId = createWith(asList(address(second), address(hook)));
        ScriptedHook[3] memory order = [standing, second, hook];
        for (uint256 i; i < order.length; i++) {
            order[i].scriptAll(ScriptedHook.Behaviour.Revert);
        }
        for (uint256 i; i < order.length; i++) {
            expectOverruled(taskId, address(order[i]), ITaskHook.onCancel.selector);
        }
        cancel(taskId);
    }

    /// when hooks are attached: it logs the list and the hash of the hook data
    function test_LogsTheList() external {
        setDefault(address(standing));
        CreateTaskParams memory params = hooked(aBounty());
        params.hookData = "data";
        address[] memory list = asList(address(standing), address(hook));
        bytes32 hookSet = keccak256(abi.encode(uint8(1), list));
        bytes32 taskId = market.nextTaskId(requester);
        expectLog();
        emit HooksAttached(taskId, hookSet, list, 1, keccak256("data"));
        create(params);
    }

    /// when hooks are attached: it names the list by its default count and its hooks
    function test_NamesTheList() external {
        bytes32 taskId = createWith(asList(address(hook), address(second)));
        bytes32 expected = keccak256(abi.encode(0, asList(address(hook), address(second))));
        assertEq(market.getTask(taskId).hookSet, expected);
    }

    /// when the default hooks change later: it keeps the list of a task that exists
    function test_KeepsTheList() external {
        setDefault(address(standing));
        bytes32 taskId = createBounty();
        setDefault(address(second));
        (address[] memory hooks,) = market.hooksOf(taskId);
        assertEq(hooks, asList(address(standing)));
        cancel(taskId);
        assertEq(standing.calls(ITaskHook.onCancel.selector), 1);
        assertEq(second.calls(ITaskHook.onCancel.selector), 0);
    }

    /// when the default hooks change later: it gives the new list to the next task
    function test_GivesTheNewList() external {
        setDefault(address(standing));
        createBounty();
        setDefault(address(second));
        (address[] memory hooks,) = market.hooksOf(createBounty());
        assertEq(hooks, asList(address(second)));
    }

    /// when a second task has the same list: it shares the stored list
    function test_SharesTheList() external {
        address[] memory list = asList(address(hook), address(second));
        bytes32 first = createWith(list);
        (, bytes32[] memory writes) = writesOfCreating(list);
        bytes32 next = createWith(list);
        assertEq(market.getTask(first).hookSet, market.getTask(next).hookSet);
        (address[] memory hooks,) = market.hooksOf(next);
        assertEq(hooks, list);
        // With another list as long as this one, the two hooks are stored again.
        (, bytes32[] memory others) = writesOfCreating(asList(address(second), address(hook)));
        assertEq(countDistinct(others), countDistinct(writes) + 2);
    }

    /// when a second task has the same list: it costs far less than the first
    function test_CostsLessTheSecondTime() external {
        createBounty();
        uint256 none = gasOfCreating(new address[](0));
        address[] memory list = eight();
        uint256 first = gasOfCreating(list);
        uint256 next = gasOfCreating(list);
        emit log_named_uint("a task without hooks", none);
        emit log_named_uint("the first task with these eight hooks", first);
        emit log_named_uint("the next task with these eight hooks", next);
        // A slot for each hook, and asking each whether it is one.
        assertGt(first, next + 8 * 22_100);
        assertLt(next, (first * 2) / 3);
    }

    /// when a default hook of one list is a custom hook of another: it is another list
    function test_TellsListsApart() external {
        bytes32 custom = createWith(asList(address(hook)));
        setDefault(address(hook));
        bytes32 standingTask = createBounty();
        assertNotEq(market.getTask(custom).hookSet, market.getTask(standingTask).hookSet);
        (, uint256 defaultCount) = market.hooksOf(custom);
        assertEq(defaultCount, 0);
        (, defaultCount) = market.hooksOf(standingTask);
        assertEq(defaultCount, 1);
    }

    /// when there are eight hooks in all: it attaches them
    function test_AttachesEight() external {
        setDefault(address(standing));
        address[] memory seven = new address[](7);
        for (uint256 i; i < 7; i++) {
            seven[i] = address(new ScriptedHook());
        }
        bytes32 taskId = createWith(seven);
        (address[] memory hooks,) = market.hooksOf(taskId);
        assertEq(hooks.length, 8);
        for (uint256 i; i < 8; i++) {
            assertEq(ScriptedHook(hooks[i]).calls(ITaskHook.checkFund.selector), 1);
        }
    }

    /// when there is a ninth: it reverts with TooManyHooks
    function test_RevertWhen_ThereIsANinth() external {
        address[] memory list = eight();
        createWith(list);
        setDefault(address(standing));
        CreateTaskParams memory params = aBounty();
        params.hooks = list;
        vm.prank(requester);
        expectError(ITaskMarket.TooManyHooks.selector, 9, 8);
        market.createTask(params);
    }

    /// when a hook is named twice: it reverts with DuplicateHook
    function test_RevertWhen_NamedTwice() external {
        address[] memory list = new address[](3);
        (list[0], list[1], list[2]) = (address(hook), address(second), address(hook));
        expectRefused(list, ITaskMarket.DuplicateHook.selector, address(hook));
    }

    /// when a custom hook is a default hook as well: it reverts with DuplicateHook
    function test_RevertWhen_CustomIsDefault() external {
        setDefault(address(standing));
        createWith(asList(address(hook)));
        expectRefused(asList(address(hook), address(standing)), ITaskMarket.DuplicateHook.selector, address(standing));
    }

    /// when a hook is no contract: it reverts with InvalidHook
    function test_RevertWhen_NoContract() external {
        address[5] memory accounts = [stranger, address(0), address(1), address(2), address(4)];
        for (uint256 i; i < accounts.length; i++) {
            expectRefused(asList(address(hook), accounts[i]), ITaskMarket.InvalidHook.selector, accounts[i]);
        }
    }

    /// when a hook is a contract that does not support the hook ABI: it reverts with InvalidHook whatever it answers
    function test_RevertWhen_NoHook() external {
        for (uint256 i; i <= uint256(Pretender.Answer.Loop); i++) {
            address pretender = address(new Pretender(Pretender.Answer(i)));
            expectRefused(asList(address(hook), pretender), ITaskMarket.InvalidHook.selector, pretender);
        }
        expectRefused(asList(address(market)), ITaskMarket.InvalidHook.selector, address(market));
        expectRefused(asList(address(usdc)), ITaskMarket.InvalidHook.selector, address(usdc));
        expectRefused(asList(address(forwarder)), ITaskMarket.InvalidHook.selector, address(forwarder));
    }

    /// when the hook data has 4096 bytes: it hands them to every hook alike
    function test_HandsOverTheData() external {
        setDefault(address(standing));
        CreateTaskParams memory params = aBounty();
        params.hooks = asList(address(hook), address(second));
        params.hookData = new bytes(4096);
        params.hookData[4095] = 0xff;
        bytes32 taskId = create(params);
        TaskContext memory context = contextFor(taskId, params, HookState.Open);
        bytes memory told = abi.encodeCall(ITaskHook.checkFund, (taskId, context, params.hookData));
        assertTold(standing, told);
        assertTold(hook, told);
        assertTold(second, told);
    }

    /// when the hook data has 4097 bytes: it reverts with HookDataTooLong
    function test_RevertWhen_TooMuchData() external {
        CreateTaskParams memory params = hooked(aBounty());
        params.hookData = new bytes(4097);
        vm.prank(requester);
        expectError(ITaskMarket.HookDataTooLong.selector, 4097, 4096);
        market.createTask(params);
    }

    /// when a default hook loses its code after it was set: it attaches it to a new task all the same
    function test_AttachesABrokenDefaultHook() external {
        setDefault(address(standing));
        vm.etch(address(standing), "");
        bytes32 taskId = createWith(asList(address(hook)));
        (address[] memory hooks, uint256 defaultCount) = market.hooksOf(taskId);
        assertEq(hooks, asList(address(standing), address(hook)));
        assertEq(defaultCount, 1);
    }

    /// when default hooks are set: it refuses a fourth
    function test_RevertWhen_FourDefaults() external {
        vm.prank(owner);
        expectError(ITaskMarket.TooManyHooks.selector, 4, 3);
        market.setDefaultHooks(new address[](4));
    }

    /// when default hooks are set: it refuses one named twice
    function test_RevertWhen_DefaultNamedTwice() external {
        vm.prank(owner);
        expectError(ITaskMarket.DuplicateHook.selector, address(hook));
        market.setDefaultHooks(asList(address(hook), address(hook)));
    }

    /// when default hooks are set: it refuses what is no hook
    function test_RevertWhen_DefaultIsNoHook() external {
        vm.prank(owner);
        expectError(ITaskMarket.InvalidHook.selector, stranger);
        market.setDefaultHooks(asList(stranger));
    }

    function createWith(address[] memory list) private returns (bytes32) {
        CreateTaskParams memory params = aBounty();
        params.hooks = list;
        return create(params);
    }

    function expectRefused(address[] memory list, bytes4 selector, address refused) private {
        CreateTaskParams memory params = aBounty();
        params.hooks = list;
        vm.prank(requester);
        expectError(selector, refused);
        market.createTask(params);
    }

    function eight() private returns (address[] memory list) {
        list = new address[](8);
        for (uint256 i; i < 8; i++) {
            ScriptedHook quiet = new ScriptedHook();
            quiet.setRemembers(false);
            list[i] = address(quiet);
        }
    }

    function writesOfCreating(address[] memory list) private returns (bytes32[] memory reads, bytes32[] memory writes) {
        vm.record();
        createWith(list);
        return vm.accesses(address(market));
    }

    /// @dev Returns the gas of a creation with cold storage, as in a transaction of its own.
    function gasOfCreating(address[] memory list) private returns (uint256) {
        CreateTaskParams memory params = aBounty();
        params.hooks = list;
        vm.cool(address(market));
        vm.cool(address(usdc));
        for (uint256 i; i < list.length; i++) {
            vm.cool(list[i]);
        }
        vm.prank(requester);
        uint256 before = gasleft();
        market.createTask(params);
        return before - gasleft();
    }

    /// @dev Slots, however often each was written: without the optimizer packed fields are written one by one.
    function countDistinct(bytes32[] memory slots) private pure returns (uint256 count) {
        for (uint256 i; i < slots.length; i++) {
            uint256 k;
            while (slots[k] != slots[i]) {
                k++;
            }
            if (k == i) count++;
        }
    }
}
