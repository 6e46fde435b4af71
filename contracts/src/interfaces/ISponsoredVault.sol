// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice What a vault holds, in base units of its token. The first four are parts of its balance.
/// @param available The owner's, free for new charges and to withdraw.
/// @param reserved Charged for tasks that have not ended.
/// @param owed Credited to workers and not claimed.
/// @param fees Platform fees of credited rewards, not collected.
/// @param feeCredit Platform fees that new charges may still cause: an allowance, not a balance.
struct VaultTotals {
    uint128 available;
    uint128 reserved;
    uint128 owed;
    uint128 fees;
    uint128 feeCredit;
}

/// @notice An account that may charge the vault for tasks that it creates.
/// @param spendCap Charges never raise `spent` above it.
/// @param spent Gross amounts charged and not released.
struct VaultManager {
    uint128 spendCap;
    uint128 spent;
    bool active;
}

/// @notice How far the reward of a task has come.
enum ChargeState {
    None,
    Reserved,
    Credited,
    Settled,
    Released
}

/// @notice The reward of one task.
/// @param hook Made the charge, and alone decides about it.
/// @param epoch Of the vault at the charge; an exit ends it.
/// @param gross Charged: the part for workers and the platform fee.
/// @param fee The platform fee of a full award, part of `gross`.
/// @param credited Owed to workers at first.
/// @param paid Claimed by them.
/// @param root Of the merkle tree of the claims; zero: none is installed.
struct VaultCharge {
    address hook;
    uint64 epoch;
    ChargeState state;
    address manager;
    uint128 gross;
    uint128 fee;
    uint128 credited;
    uint128 paid;
    bytes32 root;
}

/// @notice One claim, as its worker signs it (EIP-712, domain `SponsoredTasksVault`, version 1, of the vault).
/// @param allocationId Equals `taskId` for tasks on the vault's chain.
/// @param index Position among the awards of the task, from 0.
/// @param amount Base units of the token.
/// @param nonce The worker's next one in this vault.
/// @param deadline Unix seconds; the last one in which the signature counts.
struct ClaimTo {
    bytes32 vaultId;
    uint64 epoch;
    bytes32 allocationId;
    bytes32 taskId;
    uint256 index;
    address worker;
    address destination;
    uint256 amount;
    uint256 nonce;
    uint256 deadline;
}

/// @title A sponsor's tokens for the winners of tasks
/// @notice The owner funds it, allows hooks to charge it and managers to create tasks that do. From a charge on the hook
/// that made it decides alone: it credits winners or releases the reward. The owner takes back what is available at any
/// time, and all that is not claimed seven days after announcing the exit. Any account may fund it and pass on claims.
/// @dev Balances are counted, not measured: tokens that arrive past `fund` are the owner's at the exit. A token that
/// charges the sender or shrinks balances is not supported.
interface ISponsoredVault {
    error NotTheOwner(address caller);
    error NotTheFactory(address caller);
    error NotTheHookOfTheCharge(address caller);
    error Reentered();
    error ZeroAmount();
    error InvalidDestination(address destination);
    error UnsupportedToken();
    error TransferFailed();

    /// @notice Its exit is done or, for a new charge, announced.
    error VaultNotActive();
    error ManagerNotActive(address manager);
    error ManagerCapExceeded(address manager, uint256 spent, uint256 gross, uint256 spendCap);
    /// @notice Fewer tokens are there than the vault counts.
    error VaultInsolvent();
    error InsufficientAvailable(uint256 gross, uint256 available);
    error NotACharger(address hook);
    error InsufficientFeeCredit(uint256 fee, uint256 feeCredit);
    error AlreadyCharged(bytes32 taskId);
    error NotReserved(bytes32 taskId, ChargeState state);
    error NotCredited(bytes32 taskId, ChargeState state);
    error AboveCharge(uint256 credited, uint256 fee, uint256 gross);
    error TotalMismatch(uint256 expected, uint256 actual);

    error ExitAlreadyAnnounced(uint256 exitAt);
    error ExitNotDue(uint256 exitAt);
    error NothingToCollect();

    error ClaimExpired(uint256 deadline);
    error WrongEpoch(uint256 expected, uint256 actual);
    error ClaimAlreadyPaid(bytes32 taskId, uint256 index);
    error WrongNonce(uint256 expected, uint256 actual);
    error InvalidClaimProof();
    /// @notice The charge would pay more than it credited: its hook settled a root that promises too much.
    error AboveCredit(uint256 paid, uint256 credited);
    error InvalidClaimSignature();

    event Funded(address indexed from, uint256 amount, VaultTotals totals);
    event AvailableWithdrawn(address indexed to, uint256 amount, VaultTotals totals);
    event FeeCreditSet(VaultTotals totals);
    event ManagerSet(address indexed manager, uint256 spendCap, uint256 spent, bool active);
    event ChargerSet(address indexed hook, bool allowed);
    /// @notice `gross` was reserved for a task; `net` of it is for workers.
    event RewardCharged(
        bytes32 indexed taskId,
        address indexed manager,
        address hook,
        uint256 gross,
        uint256 net,
        uint256 fee,
        uint256 spent,
        VaultTotals totals
    );
    /// @notice The task was paid out.
    /// @param base What the task could pay, USDC base units: an award of as much gets all of `net`.
    /// @param released Back to the owner.
    event RewardCredited(
        bytes32 indexed taskId,
        uint256 credited,
        uint256 fee,
        uint256 released,
        uint256 base,
        uint256 spent,
        VaultTotals totals
    );
    /// @notice No worker earned anything of the reward.
    event RewardReleased(bytes32 indexed taskId, uint256 gross, uint256 spent, VaultTotals totals);
    /// @notice From here on workers can claim. `workers` and `amounts` by their index; no leaf where the amount is zero.
    event SettlementInstalled(
        bytes32 indexed taskId, uint256 epoch, bytes32 root, uint256 total, address[] workers, uint256[] amounts
    );
    event Claimed(
        bytes32 indexed taskId,
        address indexed worker,
        address indexed destination,
        uint256 index,
        uint256 amount,
        uint256 nonce,
        uint256 paid,
        VaultTotals totals
    );
    event FeesCollected(address indexed to, uint256 amount, VaultTotals totals);
    event ExitAnnounced(uint256 exitAt);
    /// @param epoch The new one: charges of earlier ones have ended.
    /// @param defaulted Credited to workers and not claimed.
    /// @param returned Sent to `to`.
    event Exited(address indexed to, uint256 epoch, uint256 defaulted, uint256 returned, VaultTotals totals);

    // --- The owner ---

    /// @notice Allows a manager to charge up to `spendCap`, which may be below what it has spent.
    function setManager(address manager, uint128 spendCap, bool active) external;

    /// @notice Allows a hook to make charges. Charges that it made stay its own.
    function setCharger(address hook, bool allowed) external;

    /// @notice Sets the platform fees that new charges may cause.
    function setFeeCredit(uint128 amount) external;

    /// @notice Where tokens are missing nothing is sent: what is there belongs to workers first.
    function withdrawAvailable(address to, uint128 amount) external;

    /// @notice Stops new charges for good, and starts the notice of seven days. Claims go on.
    function announceExit() external;

    /// @notice After the notice: ends every charge, and sends everything but platform fees to `to`.
    function exit(address to) external;

    // --- Any account ---

    /// @notice Takes tokens of the caller. @return received What arrived.
    function fund(uint256 amount) external returns (uint256 received);

    /// @notice Sends the platform fees to the market's fee recipient.
    function collectFees() external returns (uint256 amount);

    /// @notice Pays a claim that its worker signed.
    function claimTo(ClaimTo calldata claim, bytes32[] calldata proof, bytes calldata signature) external;

    // --- The hook of a charge ---

    /// @notice Reserves a reward. Reverts with the first of `problemsOf`, or AlreadyCharged.
    function charge(bytes32 taskId, address manager, uint128 gross, uint128 fee) external;

    /// @notice Owes `credited` to workers and `fee` to the platform, and releases the rest. Without effect after an exit.
    function credit(bytes32 taskId, uint128 credited, uint128 fee, uint256 base) external;

    /// @notice Gives all of it back. Without effect after an exit.
    function release(bytes32 taskId) external;

    /// @notice Opens the claims of a credited reward; `amounts` sum to what was credited.
    function settle(bytes32 taskId, bytes32 root, address[] calldata workers, uint256[] calldata amounts) external;

    // --- Views ---

    function vaultId() external view returns (bytes32);
    function owner() external view returns (address);
    function token() external view returns (address);
    function hook() external view returns (address);
    function epoch() external view returns (uint64);
    /// @notice Unix seconds from which on the owner may exit; zero: not announced.
    function exitAt() external view returns (uint256);
    function isExited() external view returns (bool);
    function totals() external view returns (VaultTotals memory);
    function managerOf(address manager) external view returns (VaultManager memory);
    function isCharger(address hook) external view returns (bool);
    function chargeOf(bytes32 taskId) external view returns (VaultCharge memory);
    /// @notice Bit i: the leaf of index i is paid.
    function paidOf(bytes32 taskId) external view returns (uint256);
    /// @notice The nonce of the worker's next claim.
    function nonceOf(address worker) external view returns (uint256);

    /// @notice What keeps a hook from charging, one bit each, see `FundingProblems`. Zero: nothing does.
    function problemsOf(address hook, address manager, uint256 gross, uint256 fee) external view returns (uint256);
}
