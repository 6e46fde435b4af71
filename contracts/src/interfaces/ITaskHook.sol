// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

/// @notice A task's state as the hook ABI numbers it: the seven of ERC-8195, then the evaluator flow's.
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

/// @notice What a hook is told about a task, as it stands after the step in progress.
/// @param reward Payable gross amount in USDC base units: the reward, in auctions the price once there is one.
/// @param evaluatorStake Always zero: evaluators put in nothing.
/// @param submissionDeadline The task's expiry, Unix seconds.
/// @param evaluationWindow Seconds.
/// @param appealWindow Seconds.
/// @param mode ERC-8195 selector.
/// @param tags keccak256 of each tag; told to `checkFund` only, empty elsewhere.
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

/// @notice One award of a completed task; `amount` is gross, in USDC base units.
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

/// @notice How a task is completed. Acceptance by the requester reads as a full approval.
/// Of a resolver's decision scores are full and there is no evidence: the evaluator's were about another one.
/// @param issued Always true here: a hook hears of a verdict when it takes effect.
/// @param score 0..1000.
/// @param confidence 0..1000.
/// @param criteriaFlags Always empty: this market has no criteria.
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
/// @notice A hook is a contract that a requester attaches to a task. Checks answer whether a step may happen: false or
/// a revert of a hook that the requester named vetoes it; of a default hook it is logged and passed over. Notifications
/// tell what happened; their failures are logged and change nothing. Every call comes
/// from the market, with a fixed amount of gas, while the market refuses to be called back (its views answer).
interface ITaskHook is IERC165 {
    /// @notice A task is created and its reward is in escrow. `hookData` is the requester's, the same for every hook.
    function checkFund(bytes32 taskId, TaskContext calldata context, bytes calldata hookData) external returns (bool);

    /// @notice A worker wants to enter (state Open: a pitch or a bid) or takes the task (state Claimed).
    function checkClaim(bytes32 taskId, TaskContext calldata context, address worker) external returns (bool);

    /// @notice The requester selects a worker; or the lowest bidder is selected, which cannot be vetoed.
    function checkSelectWorker(bytes32 taskId, TaskContext calldata context, address worker) external returns (bool);

    /// @notice A worker delivers. The assigned worker cannot be vetoed.
    function checkSubmit(bytes32 taskId, TaskContext calldata context, address worker, bytes32 deliverable)
        external
        returns (bool);

    /// @notice The evaluator issued a verdict. Cannot be vetoed.
    function checkEvaluate(bytes32 taskId, TaskContext calldata context, address evaluator) external returns (bool);

    /// @notice The task is about to be paid out. Only the requester's own acceptance can be vetoed.
    function checkComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict)
        external
        returns (bool);

    /// @notice The task is paid out.
    function onComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict) external;

    /// @notice A claim was forfeited and the task is open again.
    function onForfeit(bytes32 taskId, TaskContext calldata context, address worker) external;

    /// @notice The task was cancelled, by its requester or by a verdict, and refunded.
    function onCancel(bytes32 taskId, TaskContext calldata context) external;

    /// @notice The task expired and was refunded.
    function onExpire(bytes32 taskId, TaskContext calldata context) external;
}
