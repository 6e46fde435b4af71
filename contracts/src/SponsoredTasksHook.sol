// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {ISponsoredTasksHook, FundingTerms} from "./interfaces/ISponsoredTasksHook.sol";
import {ChargeState, ISponsoredVault, VaultCharge} from "./interfaces/ISponsoredVault.sol";
import {ISponsoredVaultFactory} from "./interfaces/ISponsoredVaultFactory.sol";
import {HookAward, HookVerdict, ITaskHook, TaskContext} from "./interfaces/ITaskHook.sol";
import {ITaskMarket} from "./interfaces/ITaskMarket.sol";
import {FundingProblems} from "./sponsored/FundingProblems.sol";
import {RewardMath} from "./sponsored/RewardMath.sol";
import {SettlementTree} from "./sponsored/SettlementTree.sol";
import {SponsoredVaultFactory} from "./sponsored/SponsoredVaultFactory.sol";
import {Status} from "./types/TaskTypes.sol";

/// @title Hook that pays rewards from sponsors' vaults
/// @notice Charges a sponsor's vault for a task and credits the winners. `ISponsoredTasksHook` documents every
/// function. The hook can refuse only the creation of a task. It deploys the factory of its vaults.
contract SponsoredTasksHook is ISponsoredTasksHook {
    /// @dev The only version of `FundingTerms` that is accepted.
    uint256 private constant VERSION = 1;
    /// @dev Length of the hook data (ABI-encoded `FundingTerms`), in bytes.
    uint256 private constant HOOK_DATA_SIZE = 224;

    /// @dev The market, the only account that may call the functions of the hook ABI.
    ITaskMarket private immutable MARKET;
    /// @dev Factory of the vaults that this hook can charge.
    ISponsoredVaultFactory private immutable FACTORY;

    /// @dev The vault that each task charged.
    mapping(bytes32 taskId => ISponsoredVault) private _vaults;

    /// @dev The awards of a task, and the values from which the reward of each award is computed.
    /// @param requester The task's requester. Awards to this account earn nothing.
    /// @param base Gross amount that the task can pay in all, in USDC base units: the price of an auction, or the
    /// reward. An award of this whole amount earns the whole sponsored reward.
    /// @param workers Awarded workers, in the order of the awards.
    /// @param amounts Gross amounts of the awards, in USDC base units.
    struct Awards {
        address requester;
        uint256 base;
        address[] workers;
        uint256[] amounts;
    }

    /// @param taskMarket The market, the only account that may call the functions of the hook ABI.
    constructor(address taskMarket) {
        MARKET = ITaskMarket(taskMarket);
        FACTORY = new SponsoredVaultFactory(taskMarket);
    }

    /// @dev Reverts with NotTheMarket if the caller is not the market.
    modifier onlyMarket() {
        if (msg.sender != address(MARKET)) revert NotTheMarket(msg.sender);
        _;
    }

    // --- What the market calls ---

    /// @inheritdoc ITaskHook
    function checkFund(bytes32 taskId, TaskContext calldata context, bytes calldata hookData)
        external
        onlyMarket
        returns (bool)
    {
        // Check:
        if (hookData.length != HOOK_DATA_SIZE) revert InvalidHookData();
        FundingTerms memory terms = abi.decode(hookData, (FundingTerms));
        if (terms.version != VERSION) revert InvalidHookData();
        if (terms.manager != context.requester) revert NotTheManager(context.requester, terms.manager);
        ISponsoredVault vault = FACTORY.vaultOf(terms.vaultId);
        if (address(vault) == address(0)) revert UnknownVault(terms.vaultId);
        _checkTerms(taskId, terms, vault);

        // Effect:
        _vaults[taskId] = vault;
        uint128 gross = SafeCast.toUint128(terms.gross);
        vault.charge(taskId, terms.manager, gross, RewardMath.feeOf(gross, terms.feeBps));
        return true;
    }

    // This hook agrees to these steps.
    // solhint-disable no-empty-blocks

    /// @inheritdoc ITaskHook
    function checkClaim(bytes32, TaskContext calldata, address) external pure returns (bool) {
        return true;
    }

    /// @inheritdoc ITaskHook
    function checkSelectWorker(bytes32, TaskContext calldata, address) external pure returns (bool) {
        return true;
    }

    /// @inheritdoc ITaskHook
    function checkSubmit(bytes32, TaskContext calldata, address, bytes32) external pure returns (bool) {
        return true;
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
    function onForfeit(bytes32, TaskContext calldata, address) external {}

    // solhint-enable no-empty-blocks

    /// @inheritdoc ITaskHook
    function onComplete(bytes32 taskId, TaskContext calldata context, HookVerdict calldata verdict)
        external
        onlyMarket
    {
        (ISponsoredVault vault, VaultCharge memory charge) = _chargeOf(taskId);
        if (!_isReserved(vault, charge)) return;
        _credit(vault, charge, taskId, _toAwards(context, verdict.awards));
    }

    /// @inheritdoc ITaskHook
    function onCancel(bytes32 taskId, TaskContext calldata) external onlyMarket {
        _releaseReserved(taskId);
    }

    /// @inheritdoc ITaskHook
    function onExpire(bytes32 taskId, TaskContext calldata) external onlyMarket {
        _releaseReserved(taskId);
    }

    // --- Any account ---

    /// @inheritdoc ISponsoredTasksHook
    function reconcile(bytes32 taskId, address[] calldata workers, uint256[] calldata amounts) external {
        // Check:
        (ISponsoredVault vault, VaultCharge memory charge) = _chargeOf(taskId);
        if (address(vault) == address(0)) revert NoReward(taskId);
        if (!_isReserved(vault, charge)) revert NothingToReconcile(taskId);
        Status status = MARKET.getTask(taskId).status;

        // Effect:
        if (status == Status.Completed) {
            _checkAwards(taskId, workers, amounts);
            _credit(vault, charge, taskId, _readAwards(taskId, workers, amounts));
        } else if (status == Status.Cancelled || status == Status.Expired) {
            vault.release(taskId);
        } else {
            revert TaskNotEnded(taskId);
        }
    }

    /// @inheritdoc ISponsoredTasksHook
    function installSettlement(bytes32 taskId, address[] calldata workers, uint256[] calldata amounts) external {
        // Check:
        (ISponsoredVault vault, VaultCharge memory charge) = _chargeOf(taskId);
        if (address(vault) == address(0)) revert NoReward(taskId);
        if (charge.state != ChargeState.Credited || charge.epoch != vault.epoch()) revert NothingToSettle(taskId);
        _checkAwards(taskId, workers, amounts);

        // Effect:
        Awards memory awards = _readAwards(taskId, workers, amounts);
        uint256[] memory earned = _earnedBy(charge, awards);
        SettlementTree.Leaf memory leaf;
        (leaf.vaultId, leaf.epoch, leaf.allocationId, leaf.taskId) = (vault.vaultId(), charge.epoch, taskId, taskId);
        vault.settle(taskId, SettlementTree.rootOfEarned(leaf, awards.workers, earned), workers, earned);
    }

    // --- Views ---

    /// @inheritdoc ISponsoredTasksHook
    function problemsOf(bytes32 vaultId, address manager, uint256 gross) external view returns (uint256) {
        ISponsoredVault vault = FACTORY.vaultOf(vaultId);
        if (address(vault) == address(0)) return FundingProblems.HOOK_NOT_CONFIGURED;
        // No vault has more than 128 bits: above them the fee of the maximum is too high as well.
        uint128 bounded = SafeCast.toUint128(Math.min(gross, type(uint128).max));
        return vault.problemsOf(address(this), manager, gross, RewardMath.feeOf(bounded, MARKET.feeBps()));
    }

    /// @inheritdoc ISponsoredTasksHook
    function vaultOfTask(bytes32 taskId) external view returns (ISponsoredVault) {
        return _vaults[taskId];
    }

    /// @inheritdoc ISponsoredTasksHook
    function factory() external view returns (ISponsoredVaultFactory) {
        return FACTORY;
    }

    /// @inheritdoc ISponsoredTasksHook
    function market() external view returns (address) {
        return address(MARKET);
    }

    /// @inheritdoc IERC165
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(ITaskHook).interfaceId || interfaceId == type(IERC165).interfaceId;
    }

    /// @dev Requires that the task's terms, the platform fee and the vault's epoch equal those in the hook data. The
    /// charge must be above zero and fit into 128 bits.
    function _checkTerms(bytes32 taskId, FundingTerms memory terms, ISponsoredVault vault) private view {
        bytes32 actual = MARKET.taskTermsHash(taskId);
        if (terms.termsHash != actual) revert TaskTermsMismatch(terms.termsHash, actual);
        uint256 feeBps = MARKET.feeBps();
        if (terms.feeBps != feeBps) revert WrongFeeBps(feeBps, terms.feeBps);
        uint256 epoch = vault.epoch();
        if (terms.epoch != epoch) revert WrongEpoch(epoch, terms.epoch);
        if (terms.gross == 0 || terms.gross > type(uint128).max) revert InvalidGross(terms.gross);
    }

    /// @dev Returns the vault that a task charged, and the charge. Both are zero if the task charged no vault.
    function _chargeOf(bytes32 taskId) private view returns (ISponsoredVault vault, VaultCharge memory charge) {
        vault = _vaults[taskId];
        if (address(vault) != address(0)) charge = vault.chargeOf(taskId);
    }

    /// @dev Returns whether the vault still reserves the charge. Returns false after the exit of the vault's owner,
    /// because the exit ends all charges of the vault.
    function _isReserved(ISponsoredVault vault, VaultCharge memory charge) private view returns (bool) {
        return charge.state == ChargeState.Reserved && charge.epoch == vault.epoch();
    }

    /// @dev Releases the charge of a task if the charge is still reserved; else does nothing.
    function _releaseReserved(bytes32 taskId) private {
        (ISponsoredVault vault, VaultCharge memory charge) = _chargeOf(taskId);
        if (_isReserved(vault, charge)) vault.release(taskId);
    }

    /// @dev Credits the winners, or releases the charge if no winner earns anything.
    function _credit(ISponsoredVault vault, VaultCharge memory charge, bytes32 taskId, Awards memory awards) private {
        uint256[] memory earned = _earnedBy(charge, awards);
        (uint128 credited, uint128 fee) = RewardMath.creditOf(charge.fee, awards.base, awards.amounts, earned);
        if (credited == 0) return vault.release(taskId);
        vault.credit(taskId, credited, fee, awards.base);
    }

    /// @dev Returns the vault's tokens that each award earns, in base units and in the order of the awards.
    function _earnedBy(VaultCharge memory charge, Awards memory awards) private pure returns (uint256[] memory) {
        uint128 net = charge.gross - charge.fee;
        return RewardMath.earnedOf(net, awards.base, awards.requester, awards.workers, awards.amounts);
    }

    /// @dev Reverts with AwardsMismatch if the hash of the given awards is not the hash that the market stores for the
    /// task.
    function _checkAwards(bytes32 taskId, address[] calldata workers, uint256[] calldata amounts) private view {
        bytes32 expected = MARKET.awardsHash(taskId);
        bytes32 actual = keccak256(abi.encode(workers, amounts));
        if (expected != actual) revert AwardsMismatch(expected, actual);
    }

    /// @dev Returns the given awards as `Awards`. Reads the task's requester and `base` from the market.
    function _readAwards(bytes32 taskId, address[] calldata workers, uint256[] calldata amounts)
        private
        view
        returns (Awards memory)
    {
        TaskContext memory context = MARKET.contextOf(taskId);
        return Awards({requester: context.requester, base: context.reward, workers: workers, amounts: amounts});
    }

    /// @dev Converts the awards of a verdict to `Awards`. Takes the task's requester and `base` from the context.
    function _toAwards(TaskContext calldata context, HookAward[] calldata awards)
        private
        pure
        returns (Awards memory converted)
    {
        (converted.requester, converted.base) = (context.requester, context.reward);
        (converted.workers, converted.amounts) = (new address[](awards.length), new uint256[](awards.length));
        for (uint256 i; i < awards.length; i++) {
            (converted.workers[i], converted.amounts[i]) = (awards[i].worker, awards[i].amount);
        }
    }
}
