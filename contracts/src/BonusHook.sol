// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {BonusAdmin} from "./bonus/BonusAdmin.sol";
import {BonusLib} from "./bonus/BonusLib.sol";
import {BonusReserve} from "./bonus/BonusReserve.sol";
import {EpochTotals} from "./bonus/BonusStorage.sol";
import {BonusBounds, BonusCaps, BonusLock, BonusRamp, BonusTerms, IBonusHook} from "./interfaces/IBonusHook.sol";
import {HookAward, HookState, HookVerdict, ITaskHook, TaskContext} from "./interfaces/ITaskHook.sol";
import {IPaymentForwarder} from "./interfaces/IPaymentForwarder.sol";
import {ITaskMarket} from "./interfaces/ITaskMarket.sol";
import {Modes} from "./types/Modes.sol";

/// @title Default hook that credits a token bonus
/// @notice Credits workers and requesters of paid tasks with a reward token. `IBonusHook` documents every function. No
/// step of a task depends on the hook: if the recording of a step fails, the failure is logged.
contract BonusHook is BonusReserve {
    /// @dev Settings of a new bonus hook.
    /// @param owner Account that may change the settings.
    /// @param market The market whose tasks earn a bonus.
    /// @param token The reward token.
    /// @param terms Rate, size and split of bonuses.
    /// @param bounds Limits of a bonus and of a locked rate.
    /// @param caps Caps of the bonuses in one epoch.
    /// @param ramp Multipliers by the age of a wallet.
    struct Setup {
        address owner;
        address market;
        address token;
        BonusTerms terms;
        BonusBounds bounds;
        BonusCaps caps;
        BonusRamp ramp;
    }

    /// @dev Gas that remains, after a failed inner call, for logging the failure and returning.
    uint256 private constant LOG_GAS = 10_000;
    /// @dev Length of an epoch in seconds. The caps on bonuses count anew in each epoch.
    uint256 private constant EPOCH_SECONDS = 7 days;

    /// @dev The market. A call of a hook function by any other account has no effect.
    ITaskMarket private immutable MARKET;
    /// @dev Unix time in seconds from which epochs are counted.
    uint256 private immutable STARTED_AT;

    /// @param setup Settings of the bonus hook. The constructor applies the same checks as the owner's later changes of
    /// the settings.
    constructor(Setup memory setup)
        BonusAdmin(setup.owner)
        BonusReserve(IERC20(setup.token), _serviceNameOf(setup.market))
    {
        (MARKET, STARTED_AT) = (ITaskMarket(setup.market), block.timestamp);
        emit ProgrammeStarted(setup.market, setup.token, _tokenDecimals(), block.timestamp, EPOCH_SECONDS);
        _setRate(setup.terms.tokenPerUsdc);
        _setBonusBps(setup.terms.bonusBps);
        _setWorkerSplit(setup.terms.workerSplitBps);
        _setBounds(setup.bounds);
        _setCaps(setup.caps);
        _setRamp(setup.ramp);
    }

    /// @dev Reverts with OnlySelf if the caller is not this contract, or with Reentered if the call comes from the
    /// reward token during a transfer.
    modifier onlySelf() {
        if (msg.sender != address(this)) revert OnlySelf(msg.sender);
        if (_entered) revert Reentered();
        _;
    }

    // --- What the market calls ---

    /// @inheritdoc ITaskHook
    function checkFund(bytes32 taskId, TaskContext calldata context, bytes calldata) external returns (bool) {
        return _attempt(taskId, abi.encodeCall(this.recordEntry, (taskId, context.requester)));
    }

    /// @inheritdoc ITaskHook
    function checkClaim(bytes32 taskId, TaskContext calldata context, address worker) external returns (bool) {
        // A pitch or a bid leaves the task open; a claim or an accepted price assigns it.
        if (context.currentState == HookState.Open) {
            return _attempt(taskId, abi.encodeCall(this.recordEntry, (taskId, worker)));
        }
        return _attempt(taskId, abi.encodeCall(this.recordAssignment, (taskId, worker, context.reward)));
    }

    /// @inheritdoc ITaskHook
    function checkSelectWorker(bytes32 taskId, TaskContext calldata context, address worker) external returns (bool) {
        return _attempt(taskId, abi.encodeCall(this.recordAssignment, (taskId, worker, context.reward)));
    }

    /// @inheritdoc ITaskHook
    function checkSubmit(bytes32 taskId, TaskContext calldata, address worker, bytes32) external returns (bool) {
        return _attempt(taskId, abi.encodeCall(this.recordEntry, (taskId, worker)));
    }

    /// @inheritdoc ITaskHook
    function checkEvaluate(bytes32, TaskContext calldata, address) external pure returns (bool) {
        return true;
    }

    /// @inheritdoc ITaskHook
    function checkComplete(bytes32, TaskContext calldata, HookVerdict calldata) external pure returns (bool) {
        return true;
    }

    /// @inheritdoc ITaskHook
    function onComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict) external {
        bool isContest = context.mode == Modes.BOUNTY || context.mode == Modes.BENCHMARK;
        _attempt(taskId, abi.encodeCall(this.recordCompletion, (taskId, context.requester, isContest, verdict.awards)));
    }

    // These steps credit nothing.
    // solhint-disable no-empty-blocks

    /// @inheritdoc ITaskHook
    function onForfeit(bytes32, TaskContext calldata, address) external {}

    /// @inheritdoc ITaskHook
    function onCancel(bytes32, TaskContext calldata) external {}

    /// @inheritdoc ITaskHook
    function onExpire(bytes32, TaskContext calldata) external {}

    // solhint-enable no-empty-blocks

    // --- Steps: calls to this contract itself ---

    /// @dev Records a wallet's first interaction with the market. Does nothing if this contract is not a default hook
    /// of the task.
    function recordEntry(bytes32 taskId, address account) external onlySelf {
        if (_isDefaultHookOf(taskId)) BonusLib.touch(_bonus, account);
    }

    /// @dev Locks the bonus terms of a task whose worker was assigned. Does nothing if this contract is not a default
    /// hook of the task. `price` is the gross amount that the worker can be paid, in USDC base units.
    function recordAssignment(bytes32 taskId, address worker, uint256 price) external onlySelf {
        if (!_isDefaultHookOf(taskId)) return;
        BonusLib.lock(_bonus, taskId, worker, price, MARKET.roundOf(taskId));
    }

    /// @dev Credits the bonuses for the awards of a task that was paid out. Does nothing if this contract is not a
    /// default hook of the task.
    function recordCompletion(bytes32 taskId, address requester, bool isContest, HookAward[] calldata awards)
        external
        onlySelf
    {
        if (!_isDefaultHookOf(taskId)) return;
        BonusLib.CompletedTask memory task = BonusLib.CompletedTask({
            taskId: taskId,
            requester: requester,
            feeBps: MARKET.getTask(taskId).feeBps,
            isContest: isContest,
            round: isContest ? 0 : MARKET.roundOf(taskId)
        });
        BonusLib.credit(_bonus, task, awards, _epochNow(), available());
    }

    // --- Views ---

    /// @inheritdoc IBonusHook
    function market() external view returns (address) {
        return address(MARKET);
    }

    /// @inheritdoc IBonusHook
    function lockOf(bytes32 taskId) external view returns (BonusLock memory) {
        return _bonus.locks[taskId];
    }

    /// @inheritdoc IBonusHook
    function startedAt() external view returns (uint256) {
        return STARTED_AT;
    }

    /// @inheritdoc IBonusHook
    function epochNow() external view returns (uint256 epoch, uint256 usd, uint256 tokens) {
        epoch = _epochNow();
        EpochTotals memory totals = _bonus.epochTotals;
        if (totals.epoch == epoch) (usd, tokens) = (totals.usd, totals.tokens);
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(ITaskHook).interfaceId || interfaceId == type(IERC165).interfaceId;
    }

    /// @dev Records a step of a task: calls this contract with the call data `step`. If that call fails, logs
    /// BonusFailed. If the caller is not the market, does nothing. Always returns true.
    function _attempt(bytes32 taskId, bytes memory step) private returns (bool) {
        if (msg.sender != address(MARKET)) return true;
        uint256 gasLeft = gasleft();
        uint256 gasLimit = gasLeft > LOG_GAS ? gasLeft - LOG_GAS : 0;
        bool ok;
        assembly ("memory-safe") {
            ok := call(gasLimit, address(), 0, add(step, 0x20), mload(step), 0x00, 0x00)
        }
        if (!ok) emit BonusFailed(taskId, msg.sig);
        return true;
    }

    /// @dev Returns true if this contract is a default hook of the task. Returns false for a hook that only the
    /// requester attached.
    function _isDefaultHookOf(bytes32 taskId) private view returns (bool) {
        (address[] memory hooks, uint256 defaultCount) = MARKET.hooksOf(taskId);
        for (uint256 i; i < defaultCount; i++) {
            if (hooks[i] == address(this)) return true;
        }
        return false;
    }

    /// @dev Returns the number of the present epoch. Epoch 0 began at the start of the programme.
    function _epochNow() private view returns (uint16) {
        return SafeCast.toUint16((block.timestamp - STARTED_AT) / EPOCH_SECONDS);
    }

    /// @dev Returns the service name of the market's forwarder. Every signed message begins with the service name.
    function _serviceNameOf(address taskMarket) private view returns (string memory) {
        return IPaymentForwarder(ITaskMarket(taskMarket).forwarder()).serviceName();
    }
}
