// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {HookVerdict, ITaskHook, TaskContext} from "../src/interfaces/ITaskHook.sol";
import {ITaskMarket} from "../src/interfaces/ITaskMarket.sol";

/// @title Base contract of a hook, which agrees to every step unless a function is overridden
/// @notice Only calls from the market reach the functions that you override. Example: a hook that refuses alice
/// overrides `_checkClaim` and returns `worker != alice`. Before you write a hook, note:
///
/// - Checks (`_check...`) return true to agree; false or a revert is a veto. A veto has an effect on creations, on
///   entries (claims, pitches, bids, accepted auction prices, contest submissions), on the requester's selection of a
///   pitch, and on the requester's own acceptance. At all other steps the market ignores a veto, so that no hook can
///   prevent a delivery, a verdict, an ending or a payment.
/// - Notifications (`_on...`) report a step that has happened. If a notification fails, the step still takes effect and
///   the market logs `HookCallFailed`. The hook can later read the missed data from the market's views.
/// - Each call has 300,000 gas, of which this base contract uses less than 1,000. A task may have 50 awards, so do not
///   write a storage slot for each award.
/// - During a call the market's views can be called; all other functions of the market revert.
/// - Any account can attach your hook to a task. If your hook spends or promises something, check `context.requester`
///   in `_checkFund`. After the creation the requester can update the task or assign an evaluator, and the hook is not
///   called for this.
abstract contract BaseTaskHook is ITaskHook {
    /// @notice Only the market may call the functions of the hook ABI.
    error NotTheMarket(address caller);

    /// @dev The market, the only account that may call the functions of the hook ABI.
    ITaskMarket internal immutable MARKET;

    /// @param taskMarket The market, the only account that may call the functions of the hook ABI.
    constructor(ITaskMarket taskMarket) {
        MARKET = taskMarket;
    }

    /// @dev Reverts with NotTheMarket if the caller is not the market.
    modifier onlyMarket() {
        if (msg.sender != address(MARKET)) revert NotTheMarket(msg.sender);
        _;
    }

    /// @notice Returns the market, the only account that may call the functions of the hook ABI. Example: the
    /// `TaskMarket` of the deployment.
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

    /// @dev Decides whether a task may be created. The default is true.
    function _checkFund(bytes32, TaskContext calldata, bytes calldata) internal virtual returns (bool) {
        return true;
    }

    /// @dev Decides whether a worker may pitch or bid (state Open), or may claim the task or accept its auction price
    /// (state Claimed). The default is true.
    function _checkClaim(bytes32, TaskContext calldata, address) internal virtual returns (bool) {
        return true;
    }

    /// @dev Decides whether the requester may select a worker who pitched. The default is true.
    function _checkSelectWorker(bytes32, TaskContext calldata, address) internal virtual returns (bool) {
        return true;
    }

    /// @dev Decides whether a worker may submit to a contest (bounty or benchmark). The default is true.
    function _checkSubmit(bytes32, TaskContext calldata, address, bytes32) internal virtual returns (bool) {
        return true;
    }

    /// @dev Handles a verdict that the evaluator has issued. The hook cannot veto the verdict. The default is true.
    function _checkEvaluate(bytes32, TaskContext calldata, address) internal virtual returns (bool) {
        return true;
    }

    /// @dev Decides whether the requester may accept the work. The default is true.
    function _checkComplete(bytes32, TaskContext calldata, HookVerdict calldata) internal virtual returns (bool) {
        return true;
    }

    /// @dev Handles the completion of a task; `verdict` contains the awards. Does nothing by default.
    function _onComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict) internal virtual {}

    /// @dev Handles the reopening of a task whose worker forfeited the claim. Does nothing by default.
    function _onForfeit(bytes32 taskId, TaskContext calldata context, address worker) internal virtual {}

    /// @dev Handles the cancellation of a task. Does nothing by default.
    function _onCancel(bytes32 taskId, TaskContext calldata context) internal virtual {}

    /// @dev Handles the expiry of a task. Does nothing by default.
    function _onExpire(bytes32 taskId, TaskContext calldata context) internal virtual {}
}
