// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice The parts of a vault, in base units of its token. The first four sum to its counted balance.
/// @param available Tokens of the owner, free for new charges and to withdraw.
/// @param reserved Tokens charged for tasks that have not ended.
/// @param owed Tokens credited to workers and not claimed.
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
/// @param active Whether new charges are allowed.
struct VaultManager {
    uint128 spendCap;
    uint128 spent;
    bool active;
}

/// @notice The state of a task's reward: reserved at the creation, then credited and settled, or released.
enum ChargeState {
    None,
    Reserved,
    Credited,
    Settled,
    Released
}

/// @notice The reward of one task.
/// @param hook The hook that made the charge and alone decides about it.
/// @param epoch Epoch of the vault at the charge; an exit ends it.
/// @param state Reserved, credited, settled or released.
/// @param manager Manager that created the task.
/// @param gross Charged tokens: the part for workers and the platform fee.
/// @param fee The platform fee of a full award, part of `gross`.
/// @param credited Tokens owed to workers when the task was paid out.
/// @param paid Tokens that workers claimed.
/// @param root Root of the merkle tree of the claims; zero: none is installed.
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
/// @param vaultId Id of the vault.
/// @param epoch Epoch of the vault.
/// @param allocationId Equals `taskId` for tasks on the vault's chain.
/// @param taskId The task whose award is claimed.
/// @param index Position among the awards of the task, from 0.
/// @param worker The awarded account, which signs.
/// @param destination Receiver of the tokens.
/// @param amount Base units of the token.
/// @param nonce The worker's next nonce in this vault.
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
/// @notice The owner funds it, allows hooks to charge it and managers to create tasks that do. From a charge on the
/// hook that made it decides alone: it credits winners or releases the reward. The owner takes back what is available
/// at any time, and everything that is not claimed seven days after announcing the exit. Any account may fund it and
/// pass on claims.
/// @dev Balances are counted, not measured: tokens that arrive past `fund` are the owner's at the exit. A token that
/// charges the sender or shrinks balances is not supported.
interface ISponsoredVault {
    /// @notice Only the owner may do this.
    error NotTheOwner(address caller);
    /// @notice Only the factory may do this.
    error NotTheFactory(address caller);
    /// @notice Only the hook that made the charge decides about it.
    error NotTheHookOfTheCharge(address caller);
    /// @notice The token called the vault back while tokens moved.
    error Reentered();
    /// @notice The amount must be above zero.
    error ZeroAmount();
    /// @notice Tokens sent to zero, to the vault or to the token itself would belong to no account.
    error InvalidDestination(address destination);
    /// @notice The token cannot be read, took more than the transfer named, or exceeds 128 bits.
    error UnsupportedToken();
    /// @notice The token's transfer failed or returned false.
    error TransferFailed();

    /// @notice The vault has exited or, for a new charge, its exit is announced.
    error VaultNotActive();
    /// @notice The owner has not activated this manager.
    error ManagerNotActive(address manager);
    /// @notice The charge would raise `spent` above the manager's cap.
    error ManagerCapExceeded(address manager, uint256 spent, uint256 gross, uint256 spendCap);
    /// @notice The balance is below what the vault counts.
    error VaultInsolvent();
    /// @notice The vault has fewer available tokens than the amount.
    error InsufficientAvailable(uint256 gross, uint256 available);
    /// @notice The owner has not allowed this hook to charge.
    error NotACharger(address hook);
    /// @notice The platform fee of the charge is above the fee credit.
    error InsufficientFeeCredit(uint256 fee, uint256 feeCredit);
    /// @notice The task has a charge already.
    error AlreadyCharged(bytes32 taskId);
    /// @notice The reward is not reserved any more.
    error NotReserved(bytes32 taskId, ChargeState state);
    /// @notice The reward is not credited, or its settlement is installed.
    error NotCredited(bytes32 taskId, ChargeState state);
    /// @notice The parts are above what was charged.
    error AboveCharge(uint256 credited, uint256 fee, uint256 gross);
    /// @notice The amounts of the settlement do not sum to what was credited.
    error TotalMismatch(uint256 expected, uint256 actual);

    /// @notice The exit is announced for `exitAt`.
    error ExitAlreadyAnnounced(uint256 exitAt);
    /// @notice The exit is possible from `exitAt` on; zero: it is not announced.
    error ExitNotDue(uint256 exitAt);
    /// @notice The vault has no platform fees.
    error NothingToCollect();

    /// @notice The claim's signature was valid until `deadline`.
    error ClaimExpired(uint256 deadline);
    /// @notice The vault's epoch is `expected`.
    error WrongEpoch(uint256 expected, uint256 actual);
    /// @notice This award was claimed.
    error ClaimAlreadyPaid(bytes32 taskId, uint256 index);
    /// @notice The worker's next nonce is `expected`.
    error WrongNonce(uint256 expected, uint256 actual);
    /// @notice The claim is no leaf of the task's settlement.
    error InvalidClaimProof();
    /// @notice The charge would pay more than it credited: its hook settled a root that promises too much.
    error AboveCredit(uint256 paid, uint256 credited);
    /// @notice The worker did not sign this claim.
    error InvalidClaimSignature();

    /// @notice Tokens arrived and are available.
    event Funded(address indexed from, uint256 amount, VaultTotals totals);
    /// @notice The owner took available tokens.
    event AvailableWithdrawn(address indexed to, uint256 amount, VaultTotals totals);
    /// @notice The owner set the platform fees that new charges may cause.
    event FeeCreditSet(VaultTotals totals);
    /// @notice The owner set a manager's cap and right.
    event ManagerSet(address indexed manager, uint256 spendCap, uint256 spent, bool active);
    /// @notice The owner allowed or forbade a hook to make charges.
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
    /// @notice The task was paid out, and its winners were credited.
    /// @param base Full payment of the task, USDC base units: an award of as much gets all of `net`.
    /// @param released Tokens returned to the owner.
    event RewardCredited(
        bytes32 indexed taskId,
        uint256 credited,
        uint256 fee,
        uint256 released,
        uint256 base,
        uint256 spent,
        VaultTotals totals
    );
    /// @notice The reward was returned to the owner: no worker earned anything of it.
    event RewardReleased(bytes32 indexed taskId, uint256 gross, uint256 spent, VaultTotals totals);
    /// @notice Workers can claim from now on. `workers` and `amounts` are by index; an amount of zero has no leaf.
    event SettlementInstalled(
        bytes32 indexed taskId, uint256 epoch, bytes32 root, uint256 total, address[] workers, uint256[] amounts
    );
    /// @notice A worker's award was paid to its destination. `paid` is the sum of the task's claims.
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
    /// @notice Platform fees were sent to the market's fee recipient.
    event FeesCollected(address indexed to, uint256 amount, VaultTotals totals);
    /// @notice The owner announced the exit, which is possible from `exitAt` on, Unix seconds.
    event ExitAnnounced(uint256 exitAt);
    /// @notice The vault ended: charges of earlier epochs have no effect any more.
    /// @param epoch The new epoch.
    /// @param defaulted Tokens credited to workers and not claimed.
    /// @param returned Tokens sent to `to`.
    event Exited(address indexed to, uint256 epoch, uint256 defaulted, uint256 returned, VaultTotals totals);

    // --- The owner ---

    /// @notice Sets a manager's cap and right to charge (owner). The cap may be below what the manager has spent, which
    /// stops new charges.
    ///
    /// Example: `setManager(alice, 500e18, true)`.
    function setManager(address manager, uint128 spendCap, bool active) external;

    /// @notice Allows or forbids a hook to make charges (owner). Charges that it made stay its own.
    ///
    /// Example: `setCharger(hook, true)` with the hook of `hook()`.
    function setCharger(address hook, bool allowed) external;

    /// @notice Sets the platform fees that new charges may cause (owner).
    ///
    /// Example: 75e18 allows charges of 1000e18 in all at a fee of 7.5 %.
    function setFeeCredit(uint128 amount) external;

    /// @notice Sends available tokens to an address (owner). It reverts where tokens are missing: what is there belongs
    /// to workers first.
    ///
    /// Example: with 300e18 available, `withdrawAvailable(owner, 100e18)` leaves 200e18.
    function withdrawAvailable(address to, uint128 amount) external;

    /// @notice Stops new charges for good and starts the notice of seven days (owner). Claims go on.
    ///
    /// Example: announced at 1800000000, `exit` is possible from 1800604800 on.
    function announceExit() external;

    /// @notice Ends every charge after the notice, and sends everything but platform fees to `to` (owner).
    ///
    /// Example: a balance of 250e18 with fees of 5e18 returns 245e18, unclaimed rewards included.
    function exit(address to) external;

    // --- Any account ---

    /// @notice Takes tokens of the caller, who must have approved the vault; any account may call.
    ///
    /// Example: `fund(1000e18)` returns 990e18 for a token with a transfer fee of 1 %.
    /// @return received Base units that arrived.
    function fund(uint256 amount) external returns (uint256 received);

    /// @notice Sends the platform fees to the market's fee recipient; any account may call.
    ///
    /// Example: 7.5e18 after a full award of a charge of 100e18.
    /// @return amount Base units of the token.
    function collectFees() external returns (uint256 amount);

    /// @notice Pays a claim that its worker signed; any account may call. Checks come in this order: deadline, exit,
    /// epoch, paid, nonce, proof, signature.
    ///
    /// Example: alice's claim of index 0 and amount 46.25e18, with nonce 0 and the proof of its leaf.
    function claimTo(ClaimTo calldata claim, bytes32[] calldata proof, bytes calldata signature) external;

    // --- The hook of a charge ---

    /// @notice Reserves a reward for the calling hook. It reverts with the first of `problemsOf`, or AlreadyCharged.
    ///
    /// Example: `charge(taskId, alice, 100e18, 7.5e18)` moves 100e18 from available to reserved.
    function charge(bytes32 taskId, address manager, uint128 gross, uint128 fee) external;

    /// @notice Owes `credited` to workers and `fee` to the platform, and releases the rest (hook of the charge). No
    /// effect after an exit.
    ///
    /// Example: half a charge of 100e18 credits 46.25e18, owes a fee of 3.75e18 and releases 50e18.
    function credit(bytes32 taskId, uint128 credited, uint128 fee, uint256 base) external;

    /// @notice Returns the whole reward to the owner (hook of the charge). No effect after an exit.
    ///
    /// Example: 100e18 of a cancelled task are available again.
    function release(bytes32 taskId) external;

    /// @notice Opens the claims of a credited reward (hook of the charge). The amounts must sum to what was credited.
    ///
    /// Example: `settle(taskId, root, [alice], [46.25e18])`.
    function settle(bytes32 taskId, bytes32 root, address[] calldata workers, uint256[] calldata amounts) external;

    // --- Views ---

    /// @notice Returns the vault's id.
    ///
    /// Example: `vaultIdOf(owner, token, salt)` of its factory.
    function vaultId() external view returns (bytes32);
    /// @notice Returns the sponsor. It never changes.
    ///
    /// Example: the caller of `createVault`.
    function owner() external view returns (address);
    /// @notice Returns the token of all amounts.
    ///
    /// Example: an ERC-20 of the sponsor's project.
    function token() external view returns (address);
    /// @notice Returns the hook of the deployment, which made this vault's factory.
    ///
    /// Example: the hook to name in `setCharger`.
    function hook() external view returns (address);
    /// @notice Returns the present epoch: 0 until the exit, 1 after it.
    ///
    /// Example: 0.
    function epoch() external view returns (uint64);
    /// @notice Returns the time from which the owner may exit, Unix seconds; zero: not announced.
    ///
    /// Example: 1800604800 after an announcement at 1800000000.
    function exitAt() external view returns (uint256);
    /// @notice Returns whether the vault has ended.
    ///
    /// Example: true after `exit`.
    function isExited() external view returns (bool);
    /// @notice Returns the parts of the vault.
    ///
    /// Example: `(900e18, 100e18, 0, 0, 67.5e18)` after a charge of 100e18 with a fee of 7.5e18.
    function totals() external view returns (VaultTotals memory);
    /// @notice Returns a manager's cap, spending and right; zeros for other accounts.
    ///
    /// Example: `(500e18, 100e18, true)`.
    function managerOf(address manager) external view returns (VaultManager memory);
    /// @notice Returns whether a hook may make new charges.
    ///
    /// Example: false until `setCharger(hook, true)`.
    function isCharger(address hook) external view returns (bool);
    /// @notice Returns the reward of a task; zeros when there is none.
    ///
    /// Example: state 1 (Reserved), gross 100e18 and fee 7.5e18 while the task runs.
    function chargeOf(bytes32 taskId) external view returns (VaultCharge memory);
    /// @notice Returns which claims of a task are paid: bit i is the leaf of index i.
    ///
    /// Example: 5 when indexes 0 and 2 are paid.
    function paidOf(bytes32 taskId) external view returns (uint256);
    /// @notice Returns the nonce of the worker's next claim.
    ///
    /// Example: 0 before the first claim.
    function nonceOf(address worker) external view returns (uint256);

    /// @notice Returns what keeps a hook from charging, as bits of `FundingProblems`; zero: nothing.
    ///
    /// Example: 160 for too few available tokens (32) and too little fee credit (128).
    function problemsOf(address hook, address manager, uint256 gross, uint256 fee) external view returns (uint256);
}
