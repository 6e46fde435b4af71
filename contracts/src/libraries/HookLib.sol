// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {HookVerdict, ITaskHook, TaskContext} from "../interfaces/ITaskHook.sol";
import {ITaskMarket} from "../interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../interfaces/ITaskMarketEvents.sol";
import {Limits} from "../types/Limits.sol";
import {Flags, MarketStorage, StoredHook, Task} from "../types/MarketStorage.sol";
import {BoundedCall} from "./BoundedCall.sol";
import {Contexts} from "./Contexts.sol";

/// @title Hook lists, and calls to hooks
/// @notice Limits the harm that a hook can do. Only hooks that the requester attached (custom hooks) can veto a step.
/// Each call has a fixed amount of gas, and the market is locked during the call. A limited part of the answer is
/// copied. The largest payout (eight hooks, fifty awards) fits into the 2^24 gas of one transaction (EIP-7825).
library HookLib {
    /// @dev Gas of one call to a custom hook. A custom hook is a hook that the requester attached.
    uint256 private constant CUSTOM_GAS = 300_000;
    /// @dev Gas of one call to a default hook, without the gas for awards.
    uint256 private constant DEFAULT_GAS = 500_000;
    /// @dev Additional gas of a call to a default hook for each award that the call reports.
    uint256 private constant DEFAULT_GAS_PER_AWARD = 100_000;
    /// @dev The most gas that all default hooks of a task together get for awards. Because of this limit, even a payout
    /// to fifty workers fits into one transaction.
    uint256 private constant DEFAULT_GAS_OF_ALL_AWARDS = 7_500_000;
    /// @dev Gas of a call to `supportsInterface`, as ERC-165 sets it.
    uint256 private constant SUPPORTS_GAS = 30_000;

    /// @dev One call that is made to every hook of a task.
    /// @param taskId The task.
    /// @param selector Selector of the hook function.
    /// @param awards Number of awards that the call reports. Default hooks get additional gas for each award.
    /// @param canVeto Whether a custom hook may refuse the step. A default hook can never refuse a step.
    /// @param data The encoded call.
    struct Step {
        bytes32 taskId;
        bytes4 selector;
        uint256 awards;
        bool canVeto;
        bytes data;
    }

    /// @dev Stores the task's hook list: the default hooks that the market has now, then the hooks in `custom`. Tasks
    /// with equal lists share one stored list. Reverts with TooManyHooks, InvalidHook or DuplicateHook. Default hooks
    /// are not checked, because a broken default hook must not block the creation of tasks.
    function attach(MarketStorage storage market, bytes32 taskId, address[] calldata custom, bytes32 hookDataHash)
        external
    {
        address[] memory hooks = _concat(market.defaultHooks, custom);
        uint8 defaultCount = SafeCast.toUint8(hooks.length - custom.length);
        bytes32 hookSet = keccak256(abi.encode(defaultCount, hooks));
        mapping(uint256 => StoredHook) storage list = market.hookSets[hookSet];
        if (list[0].count == 0) {
            _validate(hooks, defaultCount);
            uint8 count = SafeCast.toUint8(hooks.length);
            for (uint256 i; i < hooks.length; i++) {
                list[i] = StoredHook({hook: hooks[i], count: count, defaultCount: defaultCount});
            }
        }
        Task storage task = market.tasks[taskId];
        uint8 flags = custom.length > 0 ? Flags.HOOKS | Flags.CUSTOM_HOOKS : Flags.HOOKS;
        (task.hookSet, task.flags) = (hookSet, task.flags | flags);
        emit ITaskMarketEvents.HooksAttached(taskId, hookSet, hooks, defaultCount, hookDataHash);
    }

    /// @dev Checks a list of default hooks. Reverts with TooManyHooks, InvalidHook or DuplicateHook.
    function validateDefaults(address[] calldata hooks) external view {
        if (hooks.length > Limits.MAX_DEFAULT_HOOKS) {
            revert ITaskMarket.TooManyHooks(hooks.length, Limits.MAX_DEFAULT_HOOKS);
        }
        _validate(hooks, 0);
    }

    /// @dev Asks every hook, by `checkFund`, whether the task may be created. Reverts with HookVetoed if a custom hook
    /// refuses.
    function checkFund(
        MarketStorage storage market,
        IERC20 usdc,
        bytes32 taskId,
        bytes32[] calldata tags,
        bytes calldata hookData
    ) external {
        TaskContext memory context = Contexts.contextOf(market, usdc, taskId);
        context.tags = tags;
        bytes memory data = abi.encodeCall(ITaskHook.checkFund, (taskId, context, hookData));
        _run(
            market, Step({taskId: taskId, selector: ITaskHook.checkFund.selector, awards: 0, canVeto: true, data: data})
        );
    }

    /// @dev Asks every hook whether an account may take a step. `selector` chooses the check function of the hooks:
    /// `checkClaim`, `checkSelectWorker` or `checkEvaluate`. Reverts with HookVetoed if a custom hook refuses and
    /// `canVeto` is true.
    function checkAccount(
        MarketStorage storage market,
        IERC20 usdc,
        bytes32 taskId,
        bytes4 selector,
        address account,
        bool canVeto
    ) external {
        bytes memory data = abi.encodeWithSelector(selector, taskId, Contexts.contextOf(market, usdc, taskId), account);
        _run(market, Step({taskId: taskId, selector: selector, awards: 0, canVeto: canVeto, data: data}));
    }

    /// @dev Asks every hook, by `checkSubmit`, whether a worker may submit. Reverts with HookVetoed if a custom hook
    /// refuses and `canVeto` is true.
    function checkSubmit(
        MarketStorage storage market,
        IERC20 usdc,
        bytes32 taskId,
        address worker,
        bytes32 deliverable,
        bool canVeto
    ) external {
        TaskContext memory context = Contexts.contextOf(market, usdc, taskId);
        bytes memory data = abi.encodeCall(ITaskHook.checkSubmit, (taskId, context, worker, deliverable));
        _run(
            market,
            Step({taskId: taskId, selector: ITaskHook.checkSubmit.selector, awards: 0, canVeto: canVeto, data: data})
        );
    }

    /// @dev Asks every hook, by `checkComplete`, whether the task may be paid out. Reverts with HookVetoed if a custom
    /// hook refuses and `canVeto` is true.
    function checkComplete(
        MarketStorage storage market,
        IERC20 usdc,
        bytes32 taskId,
        HookVerdict calldata verdict,
        bool canVeto
    ) external {
        TaskContext memory context = Contexts.contextOf(market, usdc, taskId);
        bytes memory data = abi.encodeCall(ITaskHook.checkComplete, (taskId, context, verdict));
        _run(
            market,
            Step({taskId: taskId, selector: ITaskHook.checkComplete.selector, awards: 0, canVeto: canVeto, data: data})
        );
    }

    /// @dev Tells every hook, by `onComplete`, that the task was paid out.
    function onComplete(MarketStorage storage market, IERC20 usdc, bytes32 taskId, HookVerdict calldata verdict)
        external
    {
        TaskContext memory context = Contexts.contextOf(market, usdc, taskId);
        bytes memory data = abi.encodeCall(ITaskHook.onComplete, (taskId, context, verdict));
        _tell(
            market,
            Step({
                taskId: taskId,
                selector: ITaskHook.onComplete.selector,
                awards: verdict.awards.length,
                canVeto: false,
                data: data
            })
        );
    }

    /// @dev Tells every hook, by `onForfeit`, that a claim was forfeited and the task is open again.
    function onForfeit(MarketStorage storage market, IERC20 usdc, bytes32 taskId, address worker) external {
        TaskContext memory context = Contexts.contextOf(market, usdc, taskId);
        bytes memory data = abi.encodeCall(ITaskHook.onForfeit, (taskId, context, worker));
        _tell(
            market,
            Step({taskId: taskId, selector: ITaskHook.onForfeit.selector, awards: 0, canVeto: false, data: data})
        );
    }

    /// @dev Calls, on every hook, the notification with the given selector: `onCancel` or `onExpire`.
    function notify(MarketStorage storage market, IERC20 usdc, bytes32 taskId, bytes4 selector) external {
        bytes memory data = abi.encodeWithSelector(selector, taskId, Contexts.contextOf(market, usdc, taskId));
        _tell(market, Step({taskId: taskId, selector: selector, awards: 0, canVeto: false, data: data}));
    }

    /// @dev Requires that every hook from index `first` on implements the hook ABI and is listed only once.
    function _validate(address[] memory hooks, uint256 first) private view {
        if (hooks.length > Limits.MAX_HOOKS) revert ITaskMarket.TooManyHooks(hooks.length, Limits.MAX_HOOKS);
        bytes memory question = abi.encodeCall(IERC165.supportsInterface, (type(ITaskHook).interfaceId));
        for (uint256 i = first; i < hooks.length; i++) {
            (bool ok, uint256 answer) = BoundedCall.readWord(hooks[i], SUPPORTS_GAS, question);
            if (!ok || answer != 1) revert ITaskMarket.InvalidHook(hooks[i]);
            for (uint256 k; k < i; k++) {
                if (hooks[k] == hooks[i]) revert ITaskMarket.DuplicateHook(hooks[i]);
            }
        }
    }

    /// @dev Calls a `check...` function of every hook, in order. Reverts with HookVetoed if a custom hook refuses and
    /// the step allows a veto. Logs all other refusals.
    function _run(MarketStorage storage market, Step memory step) private {
        mapping(uint256 => StoredHook) storage list = market.hookSets[market.tasks[step.taskId].hookSet];
        uint256 count = list[0].count;
        for (uint256 i; i < count; i++) {
            StoredHook storage stored = list[i];
            address hook = stored.hook;
            (bool agrees, bytes memory reason) = BoundedCall.ask(hook, _gasFor(stored, i, step.awards), step.data);
            if (agrees) continue;
            if (step.canVeto && i >= stored.defaultCount) {
                revert ITaskMarket.HookVetoed(hook, step.selector, reason);
            }
            emit ITaskMarketEvents.HookCallFailed(step.taskId, hook, step.selector);
        }
    }

    /// @dev Calls a notification function (`on...`) of every hook, in order, and logs each call that fails.
    function _tell(MarketStorage storage market, Step memory step) private {
        mapping(uint256 => StoredHook) storage list = market.hookSets[market.tasks[step.taskId].hookSet];
        uint256 count = list[0].count;
        for (uint256 i; i < count; i++) {
            StoredHook storage stored = list[i];
            address hook = stored.hook;
            if (BoundedCall.tryCall(hook, _gasFor(stored, i, step.awards), step.data)) continue;
            emit ITaskMarketEvents.HookCallFailed(step.taskId, hook, step.selector);
        }
    }

    /// @dev Returns the gas of a call to one hook. A custom hook gets CUSTOM_GAS. A default hook gets DEFAULT_GAS, and
    /// additionally DEFAULT_GAS_PER_AWARD for each award. The additional gas is at most DEFAULT_GAS_OF_ALL_AWARDS
    /// divided by the number of default hooks.
    function _gasFor(StoredHook storage stored, uint256 index, uint256 awards) private view returns (uint256) {
        uint256 defaultCount = stored.defaultCount;
        if (index >= defaultCount) return CUSTOM_GAS;
        uint256 maximum = DEFAULT_GAS_OF_ALL_AWARDS / defaultCount;
        uint256 gasForAwards = DEFAULT_GAS_PER_AWARD * awards;
        return DEFAULT_GAS + (gasForAwards < maximum ? gasForAwards : maximum);
    }

    /// @dev Returns one list: the entries of `first`, then the entries of `second`.
    function _concat(address[] storage first, address[] calldata second) private view returns (address[] memory all) {
        uint256 count = first.length;
        all = new address[](count + second.length);
        for (uint256 i; i < all.length; i++) {
            all[i] = i < count ? first[i] : second[i - count];
        }
    }
}
