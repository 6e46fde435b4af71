// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

/// @notice A task's state as the hook ABI numbers it: the seven states of ERC-8195, then those of the evaluator flow.
enum HookState {
    Open,
    Claimed,
    WorkerSelected,
    PendingApproval,
    Accepted,
    Expired,
    Cancelled,
    Review,
    Appealing,
    Disputed
}

/// @notice A task as its hooks receive it: the values after the step in progress.
/// @param taskId Id of the task.
/// @param requester Creator of the task.
/// @param evaluator Evaluator; zero: none.
/// @param paymentToken USDC.
/// @param reward Payable gross amount in USDC base units: the reward, in auctions the price once a worker is assigned.
/// @param evaluatorStake Always zero: evaluators deposit nothing.
/// @param evaluatorFeeBps The evaluator's part of the payable amount, basis points.
/// @param submissionDeadline The task's expiry, Unix seconds.
/// @param evaluationWindow Seconds from the delivery to the verdict.
/// @param appealWindow Seconds from the verdict to its finality.
/// @param disputeResolver Resolver of appeals; zero: none.
/// @param currentState State of the task.
/// @param mode ERC-8195 selector.
/// @param tags keccak256 of each tag in `checkFund`; empty in every other call.
struct TaskContext {
    bytes32 taskId;
    address requester;
    address evaluator;
    address paymentToken;
    uint256 reward;
    uint256 evaluatorStake;
    uint256 evaluatorFeeBps;
    uint256 submissionDeadline;
    uint256 evaluationWindow;
    uint256 appealWindow;
    address disputeResolver;
    HookState currentState;
    bytes4 mode;
    bytes32[] tags;
}

/// @notice One award of a completed task.
/// @param worker The awarded account.
/// @param amount Gross, USDC base units.
/// @param rank Place of the award, from 1.
struct HookAward {
    address worker;
    uint256 amount;
    uint16 rank;
}

/// @notice A decision as the hook ABI numbers it.
enum HookVerdictType {
    Approve,
    Reject,
    Partial
}

/// @notice The decision that completes a task. An acceptance by the requester reads as a full approval. A resolver's
/// decision has full scores and no evidence, because the evaluator's belong to the verdict that it replaced.
/// @param issued Always true: hooks receive a verdict when it takes effect.
/// @param verdictType Approve or Partial.
/// @param score 0 to 1000.
/// @param confidence 0 to 1000.
/// @param criteriaFlags Always empty: this market has no criteria.
/// @param evidenceHash Hash of the evaluator's evidence; zero: none.
/// @param awards The awards in the order of their payment.
struct HookVerdict {
    bool issued;
    HookVerdictType verdictType;
    uint16 score;
    uint16 confidence;
    bytes32[] criteriaFlags;
    bytes32 evidenceHash;
    HookAward[] awards;
}

/// @title The hook ABI of ERC-8195 (ERC-165 id 0x2187b4de)
/// @notice A hook is a contract that a requester attaches to a task, for example to let only listed workers enter.
/// Checks decide whether a step may happen: false or a revert of a hook that the requester named vetoes it; the same of
/// a default hook is logged and ignored. Notifications report a step that happened; a failure is logged and changes
/// nothing. Every call comes from the market with a fixed amount of gas. Meanwhile the market's views can be called,
/// its other functions revert.
interface ITaskHook is IERC165 {
    /// @notice Decides whether a task may be created; its reward is in escrow already. A veto undoes the creation.
    ///
    /// Example: a hook that requires a tag returns false for a `context.tags` without it.
    /// @param hookData The requester's data, the same for every hook of the task.
    /// @return Whether the task may be created.
    function checkFund(bytes32 taskId, TaskContext calldata context, bytes calldata hookData) external returns (bool);

    /// @notice Decides whether a worker may enter (state Open: a pitch or a bid) or take the task (state Claimed).
    ///
    /// Example: an allow list returns false for alice, whose `claimTask` reverts with HookVetoed.
    /// @return Whether the worker may enter.
    function checkClaim(bytes32 taskId, TaskContext calldata context, address worker) external returns (bool);

    /// @notice Decides whether the requester may select a worker who pitched. The selection of a lowest bidder cannot
    /// be vetoed.
    ///
    /// Example: an allow list returns true for bob, and the task becomes WorkerSelected.
    /// @return Whether the worker may be selected.
    function checkSelectWorker(bytes32 taskId, TaskContext calldata context, address worker) external returns (bool);

    /// @notice Decides whether a worker may submit to a contest. The delivery of an assigned worker cannot be vetoed.
    ///
    /// Example: a hook that admits one submission for each worker returns false at alice's second.
    /// @return Whether the submission may be made.
    function checkSubmit(bytes32 taskId, TaskContext calldata context, address worker, bytes32 deliverable)
        external
        returns (bool);

    /// @notice Reports that the evaluator issued a verdict. It cannot be vetoed: false is logged.
    ///
    /// Example: a hook counts the verdicts of an evaluator and returns true.
    /// @return Ignored, except that anything but true is logged as `HookCallFailed`.
    function checkEvaluate(bytes32 taskId, TaskContext calldata context, address evaluator) external returns (bool);

    /// @notice Decides whether the requester may accept. A payout by a verdict or by `settleStale` cannot be vetoed.
    ///
    /// Example: a hook returns false until a second account has approved the delivery.
    /// @return Whether the task may be paid out.
    function checkComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict)
        external
        returns (bool);

    /// @notice Reports that the task was paid out.
    ///
    /// Example: a receipt hook emits one event for each of `verdict.awards`, 50 at most.
    function onComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict) external;

    /// @notice Reports that a claim was forfeited and the task is open again.
    ///
    /// Example: a hook forgets the worker that it recorded in `checkClaim`.
    function onForfeit(bytes32 taskId, TaskContext calldata context, address worker) external;

    /// @notice Reports that the task was cancelled, by its requester or by a verdict, and refunded.
    ///
    /// Example: a sponsored task releases its reservation.
    function onCancel(bytes32 taskId, TaskContext calldata context) external;

    /// @notice Reports that the task expired and was refunded.
    ///
    /// Example: a sponsored task releases its reservation.
    function onExpire(bytes32 taskId, TaskContext calldata context) external;
}
