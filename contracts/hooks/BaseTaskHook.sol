// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {HookVerdict, ITaskHook, TaskContext} from "../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../src/interfaces/ITaskMarket.sol";

/// @title A hook that agrees with everything: override the steps you care about
/// @notice Only the market gets as far as your code, whichever step you override. What to know before you write one:
///
/// - Checks (`_check...`) answer true to agree; false or a revert vetoes. A veto holds for creations, for entries
///   (claims, pitches, bids, contest submissions), for the requester's selection of a pitch and for the requester's own
///   acceptance. Elsewhere the market overrules it: no account is kept from delivering, judging, ending or being paid.
/// - Notifications (`_on...`) tell what happened. When one fails the task goes on and the market logs `HookCallFailed`;
///   repair what you missed from the market's views.
/// - Each call has 300,000 gas, of which the base takes less than 1,000. A task may have 50 awards: do not write a slot for
///   each.
/// - The market's views answer while you run, its other functions do not.
/// - Any account can attach your hook to a task. If it spends or promises something, check `context.requester` in
///   `_checkFund`. A task can be updated, and given an evaluator, after that without a call to you.
abstract contract BaseTaskHook is ITaskHook {
    error NotTheMarket(address caller);

    ITaskMarket internal immutable MARKET;

    constructor(ITaskMarket taskMarket) {
        MARKET = taskMarket;
    }

    modifier onlyMarket() {
        if (msg.sender != address(MARKET)) revert NotTheMarket(msg.sender);
        _;
    }

    /// @notice The only caller.
    function market() external view returns (ITaskMarket) {
        return MARKET;
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) external view virtual returns (bool) {
        return interfaceId == type(ITaskHook).interfaceId || interfaceId == type(IERC165).interfaceId;
    }

    // --- What the market calls ---

    /// @inheritdoc ITaskHook
    function checkFund(bytes32 taskId, TaskContext calldata context, bytes calldata hookData)
        external
        onlyMarket
        returns (bool)
    {
        return _checkFund(taskId, context, hookData);
    }

    /// @inheritdoc ITaskHook
    function checkClaim(bytes32 taskId, TaskContext calldata context, address worker)
        external
        onlyMarket
        returns (bool)
    {
        return _checkClaim(taskId, context, worker);
    }

    /// @inheritdoc ITaskHook
    function checkSelectWorker(bytes32 taskId, TaskContext calldata context, address worker)
        external
        onlyMarket
        returns (bool)
    {
        return _checkSelectWorker(taskId, context, worker);
    }

    /// @inheritdoc ITaskHook
    function checkSubmit(bytes32 taskId, TaskContext calldata context, address worker, bytes32 deliverable)
        external
        onlyMarket
        returns (bool)
    {
        return _checkSubmit(taskId, context, worker, deliverable);
    }

    /// @inheritdoc ITaskHook
    function checkEvaluate(bytes32 taskId, TaskContext calldata context, address evaluator)
        external
        onlyMarket
        returns (bool)
    {
        return _checkEvaluate(taskId, context, evaluator);
    }

    /// @inheritdoc ITaskHook
    function checkComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict)
        external
        onlyMarket
        returns (bool)
    {
        return _checkComplete(taskId, context, verdict);
    }

    /// @inheritdoc ITaskHook
    function onComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict)
        external
        onlyMarket
    {
        _onComplete(taskId, context, verdict);
    }

    /// @inheritdoc ITaskHook
    function onForfeit(bytes32 taskId, TaskContext calldata context, address worker) external onlyMarket {
        _onForfeit(taskId, context, worker);
    }

    /// @inheritdoc ITaskHook
    function onCancel(bytes32 taskId, TaskContext calldata context) external onlyMarket {
        _onCancel(taskId, context);
    }

    /// @inheritdoc ITaskHook
    function onExpire(bytes32 taskId, TaskContext calldata context) external onlyMarket {
        _onExpire(taskId, context);
    }

    // --- What you override ---

    function _checkFund(bytes32, TaskContext calldata, bytes calldata) internal virtual returns (bool) {
        return true;
    }

    function _checkClaim(bytes32, TaskContext calldata, address) internal virtual returns (bool) {
        return true;
    }

    function _checkSelectWorker(bytes32, TaskContext calldata, address) internal virtual returns (bool) {
        return true;
    }

    function _checkSubmit(bytes32, TaskContext calldata, address, bytes32) internal virtual returns (bool) {
        return true;
    }

    function _checkEvaluate(bytes32, TaskContext calldata, address) internal virtual returns (bool) {
        return true;
    }

    function _checkComplete(bytes32, TaskContext calldata, HookVerdict calldata) internal virtual returns (bool) {
        return true;
    }

    function _onComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict) internal virtual {}

    function _onForfeit(bytes32 taskId, TaskContext calldata context, address worker) internal virtual {}

    function _onCancel(bytes32 taskId, TaskContext calldata context) internal virtual {}

    function _onExpire(bytes32 taskId, TaskContext calldata context) internal virtual {}
}
