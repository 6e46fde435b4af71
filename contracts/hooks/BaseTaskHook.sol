// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {HookVerdict, ITaskHook, TaskContext} from "../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../src/interfaces/ITaskMarket.sol";

/// @title Base of a hook: it agrees to every step that is not overridden
/// @notice Calls of the market alone reach your code, whichever step you override. Example: a hook that refuses alice
/// overrides `_checkClaim` and returns `worker != alice`. Before you write a hook:
///
/// - Checks (`_check...`) return true to agree; false or a revert vetoes. A veto holds for creations, for entries
///   (claims, pitches, bids, contest submissions), for the requester's selection of a pitch and for the requester's own
///   acceptance. Elsewhere the market overrules it: no account is kept from delivering, judging, ending or being paid.
/// - Notifications (`_on...`) report what happened. When one fails the task goes on and the market logs
///   `HookCallFailed`; read what you missed from the market's views.
/// - Each call has 300,000 gas, of which the base takes less than 1,000. A task may have 50 awards: do not write a slot
///   for each.
/// - The market's views can be called meanwhile, its other functions revert.
/// - Any account can attach your hook to a task. If it spends or promises something, check `context.requester` in
///   `_checkFund`. A task can be updated, and get an evaluator, after that without a call to you.
abstract contract BaseTaskHook is ITaskHook {
    /// @notice Only the market calls a hook's steps.
    error NotTheMarket(address caller);

    /// @dev The only caller.
    ITaskMarket internal immutable MARKET;

    /// @param taskMarket The only caller of the hook's steps.
    constructor(ITaskMarket taskMarket) {
        MARKET = taskMarket;
    }

    /// @dev Reverts with NotTheMarket.
    modifier onlyMarket() {
        if (msg.sender != address(MARKET)) revert NotTheMarket(msg.sender);
        _;
    }

    /// @notice Returns the only caller. Example: the `TaskMarket` of the deployment.
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

    /// @dev Decides about a creation.
    function _checkFund(bytes32, TaskContext calldata, bytes calldata) internal virtual returns (bool) {
        return true;
    }

    /// @dev Decides about a pitch or a bid (state Open), or a claim or accepted price (state Claimed).
    function _checkClaim(bytes32, TaskContext calldata, address) internal virtual returns (bool) {
        return true;
    }

    /// @dev Decides about the requester's selection of a pitch.
    function _checkSelectWorker(bytes32, TaskContext calldata, address) internal virtual returns (bool) {
        return true;
    }

    /// @dev Decides about a submission to a contest.
    function _checkSubmit(bytes32, TaskContext calldata, address, bytes32) internal virtual returns (bool) {
        return true;
    }

    /// @dev Receives a verdict when it is issued; cannot veto.
    function _checkEvaluate(bytes32, TaskContext calldata, address) internal virtual returns (bool) {
        return true;
    }

    /// @dev Decides about the requester's own acceptance.
    function _checkComplete(bytes32, TaskContext calldata, HookVerdict calldata) internal virtual returns (bool) {
        return true;
    }

    /// @dev Receives a completed task with its awards.
    function _onComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict) internal virtual {}

    /// @dev Receives a reopened task.
    function _onForfeit(bytes32 taskId, TaskContext calldata context, address worker) internal virtual {}

    /// @dev Receives a cancelled task.
    function _onCancel(bytes32 taskId, TaskContext calldata context) internal virtual {}

    /// @dev Receives an expired task.
    function _onExpire(bytes32 taskId, TaskContext calldata context) internal virtual {}
}
