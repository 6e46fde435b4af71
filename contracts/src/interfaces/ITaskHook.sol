// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

/// @notice A task's state, numbered as the hook ABI requires. ERC-8195 defines the first seven states. The last three
/// states belong to the evaluation by an evaluator.
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

/// @notice A task as hooks receive it. The values describe the task after the step.
/// @param taskId Id of the task.
/// @param requester Creator of the task.
/// @param evaluator Evaluator of the task; zero if the task has no evaluator.
/// @param paymentToken Address of USDC.
/// @param reward Gross amount that the task can pay, in USDC base units: the price if an auction has assigned a worker,
/// else the reward.
/// @param evaluatorStake Always zero: evaluators deposit nothing.
/// @param evaluatorFeeBps Fee of the evaluator, in basis points of the payable amount.
/// @param submissionDeadline The task's expiry, Unix seconds.
/// @param evaluationWindow Seconds that the evaluator has for the verdict, counted from the delivery; in a contest
/// (bounty or benchmark), from the expiry.
/// @param appealWindow Seconds in which an appeal is possible, counted from the verdict.
/// @param disputeResolver Account that decides appeals; zero if appeals are not possible.
/// @param currentState State of the task.
/// @param mode ERC-8195 selector of the task's mode.
/// @param tags keccak256 of each tag in calls of `checkFund`; empty in all other calls.
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
/// @param amount Gross amount in USDC base units.
/// @param rank Rank of the award; the first rank is 1.
struct HookAward {
    address worker;
    uint256 amount;
    uint16 rank;
}

/// @notice The decision about a task's work, numbered as the hook ABI requires.
enum HookVerdictType {
    Approve,
    Reject,
    Partial
}

/// @notice The decision that completes a task. If an evaluator's verdict takes effect, the fields have the evaluator's
/// values. If any other decision takes effect, the score is 1000, the confidence is 1000, and the evidence hash is
/// zero. An acceptance or `settleStale` counts as an approval.
/// @param issued Always true, because hooks receive a verdict only when it takes effect.
/// @param verdictType Approve or Partial; a task whose verdict is Reject does not complete.
/// @param score Score of the work, 0 to 1000.
/// @param confidence Confidence of the decision, 0 to 1000.
/// @param criteriaFlags Always empty, because this market has no criteria.
/// @param evidenceHash Hash of the evaluator's evidence; zero if there is none.
/// @param awards The awards, in the order of their payment.
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
/// @notice A hook is a contract that the market calls at the steps of a task. A custom hook is attached by the
/// requester, for example to admit only listed workers. A default hook is set by the market's owner for all tasks.
///
/// A `check...` function decides whether a step may happen. If a custom hook returns false or reverts, the hook vetoes
/// the step. A few steps cannot be vetoed; the comment of the function names each of these steps. An `on...` function
/// reports a completed step, and cannot veto the step. A default hook cannot veto any step. If a call fails and cannot
/// veto, the market only logs `HookCallFailed`.
///
/// Every call has a fixed amount of gas. During the call the hook can read the market's views; all other functions of
/// the market revert.
interface ITaskHook is IERC165 {
    /// @notice Decides whether a task may be created. The reward is already in escrow; a veto undoes the creation.
    ///
    /// Example: a hook that requires a tag returns false if `context.tags` does not contain the tag's hash.
    /// @param hookData Data of the requester. Every hook of the task receives the same data.
    /// @return Whether the task may be created.
    function checkFund(bytes32 taskId, TaskContext calldata context, bytes calldata hookData) external returns (bool);

    /// @notice Decides whether a worker may enter the task. `context.currentState` is Open for a pitch or a bid, and
    /// Claimed for a claim or an accepted auction price.
    ///
    /// Example: an allow list returns false for alice, so that alice's `claimTask` reverts with HookVetoed.
    /// @return Whether the worker may take this step.
    function checkClaim(bytes32 taskId, TaskContext calldata context, address worker) external returns (bool);

    /// @notice Decides whether the requester may select a worker who pitched. The selection of a lowest bidder cannot
    /// be vetoed.
    ///
    /// Example: an allow list returns true for bob, and the task becomes WorkerSelected.
    /// @return Whether the worker may be selected.
    function checkSelectWorker(bytes32 taskId, TaskContext calldata context, address worker) external returns (bool);

    /// @notice Decides whether a worker may submit to a contest. The delivery of an assigned worker cannot be vetoed.
    ///
    /// Example: a hook that allows one submission for each worker returns false at alice's second submission.
    /// @return Whether the submission may be made.
    function checkSubmit(bytes32 taskId, TaskContext calldata context, address worker, bytes32 deliverable)
        external
        returns (bool);

    /// @notice Reports that the evaluator issued a verdict. The hook cannot veto the verdict.
    ///
    /// Example: a hook counts the verdicts of an evaluator and returns true.
    /// @return True. For any other value the market logs `HookCallFailed` and continues.
    function checkEvaluate(bytes32 taskId, TaskContext calldata context, address evaluator) external returns (bool);

    /// @notice Decides whether the requester may accept the work. A payout by a verdict or by `settleStale` cannot be
    /// vetoed.
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
    /// Example: a hook deletes the worker that it stored in `checkClaim`.
    function onForfeit(bytes32 taskId, TaskContext calldata context, address worker) external;

    /// @notice Reports that the task was cancelled, by its requester or by a verdict, and refunded.
    ///
    /// Example: the hook of a sponsored task releases the sponsor's tokens that are reserved for the task.
    function onCancel(bytes32 taskId, TaskContext calldata context) external;

    /// @notice Reports that the task expired and was refunded.
    ///
    /// Example: the hook of a sponsored task releases the sponsor's tokens that are reserved for the task.
    function onExpire(bytes32 taskId, TaskContext calldata context) external;
}
