// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @notice The amounts that a vault counts, in base units of the vault's token. The vault must hold the sum of
/// `available`, `reserved`, `owed` and `fees`.
/// @param available The owner's tokens. New charges can use them, and the owner can withdraw them.
/// @param reserved Tokens charged for tasks that have not ended.
/// @param owed Tokens credited to workers and not claimed yet.
/// @param fees Platform fees of credited rewards that were not collected yet.
/// @param feeCredit The platform fees that new charges may still contain. This is a limit that the owner sets, not an
/// amount that the vault holds.
struct VaultTotals {
    uint128 available;
    uint128 reserved;
    uint128 owed;
    uint128 fees;
    uint128 feeCredit;
}

/// @notice An account that may create tasks whose rewards are charged to the vault. Amounts are base units of the
/// vault's token.
/// @param spendCap Maximum of `spent` after a new charge.
/// @param spent Tokens charged for the manager's tasks, with platform fees, less the released tokens.
/// @param active Whether new charges for this manager are allowed.
struct VaultManager {
    uint128 spendCap;
    uint128 spent;
    bool active;
}

/// @notice The state of a task's reward. `None`: the task has no reward in this vault. `Reserved`: the task has not
/// ended. `Credited`: the amounts for workers are fixed. `Settled`: the workers can claim. `Released`: no worker earned
/// tokens, and all tokens are available to the owner again.
enum ChargeState {
    None,
    Reserved,
    Credited,
    Settled,
    Released
}

/// @notice A charge: the reward that a vault reserves for one task. Amounts are base units of the vault's token.
/// @param hook The hook that made the charge. Only this hook may change the charge.
/// @param epoch Epoch of the vault at the charge. The vault's exit ends epoch 0 and all its charges.
/// @param state State of the reward.
/// @param manager The manager that created the task.
/// @param gross Charged tokens: the workers' part plus the platform fee.
/// @param fee Platform fee if the whole reward is awarded; a part of `gross`.
/// @param credited Tokens credited to workers when the task was paid out.
/// @param paid Tokens that workers have claimed.
/// @param root Root of the Merkle tree of the claims; zero until claims are open.
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

/// @notice One claim of a worker, signed by EIP-712. The domain is `SponsoredTasksVault`, version 1, with the vault as
/// the verifying contract.
/// @param vaultId Id of the vault.
/// @param epoch The present epoch of the vault: 0 until the exit, 1 after the exit.
/// @param allocationId Id of the reward. The SponsoredTasksHook uses the task id as this value.
/// @param taskId The task whose award is claimed.
/// @param index Position of the award among the task's awards, counted from 0.
/// @param worker The awarded account, which signs the claim.
/// @param destination Receiver of the tokens.
/// @param amount Claimed amount in base units of the token.
/// @param nonce Must equal `nonceOf(worker)`. Every paid claim of the worker raises this number by one.
/// @param deadline The last second in which the signature is valid, Unix time.
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
/// @notice A vault belongs to one sponsor, the owner, and holds one token. The owner funds the vault, allows hooks to
/// charge it, and names the managers whose tasks may be charged. A charge reserves the reward of a task. Only the hook
/// that made the charge can then credit the winners or release the reward.
///
/// The owner can withdraw available tokens at any time. Seven days after announcing the exit, the owner can take all
/// unclaimed tokens except platform fees. Any account may fund a vault or submit signed claims.
/// @dev The vault counts amounts itself. Tokens that arrive without a call of `fund` go to the owner at the exit.
/// Tokens that charge the sender a fee, or that reduce balances by themselves, are not supported.
interface ISponsoredVault {
    /// @notice Only the owner of the vault may call this function.
    error NotTheOwner(address caller);
    /// @notice Only the factory may make this call.
    error NotTheFactory(address caller);
    /// @notice Only the hook that made the charge may change the charge.
    error NotTheHookOfTheCharge(address caller);
    /// @notice The token called the vault during a token transfer of the vault.
    error Reentered();
    /// @notice The amount must be above zero.
    error ZeroAmount();
    /// @notice The destination must not be zero, the vault or the token, because tokens there would belong to no
    /// account.
    error InvalidDestination(address destination);
    /// @notice The vault does not support the token, for one of three reasons: the token does not return a balance, a
    /// transfer took more than its amount, or an amount exceeds 128 bits.
    error UnsupportedToken();
    /// @notice The token's transfer failed or returned false.
    error TransferFailed();

    /// @notice The owner has closed the vault by `exit`. For a new charge: the owner has announced the exit or has
    /// closed the vault.
    error VaultNotActive();
    /// @notice The owner has not allowed charges for this manager.
    error ManagerNotActive(address manager);
    /// @notice The charge of `gross` would raise the manager's `spent` above `spendCap`.
    error ManagerCapExceeded(address manager, uint256 spent, uint256 gross, uint256 spendCap);
    /// @notice The vault's token balance is below the sum of its available, reserved, owed and fee amounts.
    error VaultInsolvent();
    /// @notice The amount `gross` is above the vault's available tokens.
    error InsufficientAvailable(uint256 gross, uint256 available);
    /// @notice The owner has not allowed this hook to charge the vault.
    error NotACharger(address hook);
    /// @notice The platform fee of the charge is above the vault's fee credit.
    error InsufficientFeeCredit(uint256 fee, uint256 feeCredit);
    /// @notice The task already has a charge in this vault.
    error AlreadyCharged(bytes32 taskId);
    /// @notice The state of the task's reward must be Reserved, but it is `state`.
    error NotReserved(bytes32 taskId, ChargeState state);
    /// @notice The state of the task's reward must be Credited, but it is `state`.
    error NotCredited(bytes32 taskId, ChargeState state);
    /// @notice The hook credits more than the charge allows: `credited` is above the workers' part, or `fee` is above
    /// the platform's part.
    error AboveCharge(uint256 credited, uint256 fee, uint256 gross);
    /// @notice The amounts of the settlement sum to `actual`, but `expected` tokens were credited.
    error TotalMismatch(uint256 expected, uint256 actual);

    /// @notice The owner has already announced the exit for `exitAt`, Unix seconds.
    error ExitAlreadyAnnounced(uint256 exitAt);
    /// @notice The exit is possible from `exitAt` (Unix seconds) on. `exitAt` is zero if no exit is announced.
    error ExitNotDue(uint256 exitAt);
    /// @notice The vault has no platform fees to collect.
    error NothingToCollect();

    /// @notice The signature of the claim was valid until `deadline`, Unix seconds.
    error ClaimExpired(uint256 deadline);
    /// @notice The claim or charge is of the epoch `actual`, but the vault's epoch is `expected`.
    error WrongEpoch(uint256 expected, uint256 actual);
    /// @notice The award with this index was already claimed.
    error ClaimAlreadyPaid(bytes32 taskId, uint256 index);
    /// @notice The claim has the nonce `actual`, but the worker's next nonce is `expected`.
    error WrongNonce(uint256 expected, uint256 actual);
    /// @notice The Merkle proof does not show that the claim is part of the task's settlement.
    error InvalidClaimProof();
    /// @notice The paid claims of the task would sum to `paid`, above the credited tokens. The hook's Merkle tree has
    /// too high amounts.
    error AboveCredit(uint256 paid, uint256 credited);
    /// @notice The worker did not sign this claim.
    error InvalidClaimSignature();

    /// @notice An account funded the vault. `amount` tokens arrived and are available.
    event Funded(address indexed from, uint256 amount, VaultTotals totals);
    /// @notice The owner withdrew available tokens.
    event AvailableWithdrawn(address indexed to, uint256 amount, VaultTotals totals);
    /// @notice The owner set the fee credit: the total of the platform fees that new charges may still contain.
    event FeeCreditSet(VaultTotals totals);
    /// @notice The owner set a manager's spending cap, and whether new charges for the manager are allowed.
    event ManagerSet(address indexed manager, uint256 spendCap, uint256 spent, bool active);
    /// @notice The owner allowed or forbade a hook to make charges.
    event ChargerSet(address indexed hook, bool allowed);
    /// @notice The vault reserved `gross` tokens for a task. `net`: the workers' part. `fee`: the platform's part.
    /// `spent`: the manager's spending after the charge.
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
    /// @notice A task was paid out, and its winners were credited with `credited` tokens. `fee`: the platform fee.
    /// `spent`: the manager's spending after the credit.
    /// @param base Gross amount that the task can pay in all, in USDC base units. If the sum of the awards equals
    /// `base`, the workers together earn the whole charge without its platform fee.
    /// @param released Tokens of the charge that are available to the owner again.
    event RewardCredited(
        bytes32 indexed taskId,
        uint256 credited,
        uint256 fee,
        uint256 released,
        uint256 base,
        uint256 spent,
        VaultTotals totals
    );
    /// @notice The whole reward of a task is available to the vault's owner again, because no worker earned any of it.
    event RewardReleased(bytes32 indexed taskId, uint256 gross, uint256 spent, VaultTotals totals);
    /// @notice Workers can claim their rewards from now on. Entry i of `workers` and of `amounts` belongs to the task's
    /// award i. The Merkle tree omits awards with amount zero.
    event SettlementInstalled(
        bytes32 indexed taskId, uint256 epoch, bytes32 root, uint256 total, address[] workers, uint256[] amounts
    );
    /// @notice A worker's reward was paid to `destination`. `paid` is the sum of the task's paid claims, including this
    /// claim.
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
    /// @notice The owner announced the exit, which is possible from `exitAt` (Unix seconds) on.
    event ExitAnnounced(uint256 exitAt);
    /// @notice The owner closed the vault. All earlier charges and claims are void.
    /// @param epoch The new epoch.
    /// @param defaulted Tokens that were credited to workers and not claimed before the exit.
    /// @param returned Tokens that were sent to `to`.
    event Exited(address indexed to, uint256 epoch, uint256 defaulted, uint256 returned, VaultTotals totals);

    // --- The owner ---

    /// @notice Sets a manager's spending cap, and whether new charges for the manager are allowed. A cap below the
    /// manager's `spent` stops new charges. Only the owner may call.
    ///
    /// Example: `setManager(alice, 500e18, true)`.
    function setManager(address manager, uint128 spendCap, bool active) external;

    /// @notice Allows or forbids a hook to make new charges. A forbidden hook still controls its earlier charges. Only
    /// the owner may call.
    ///
    /// Example: `vault.setCharger(vault.hook(), true)` allows the hook of the deployment.
    function setCharger(address hook, bool allowed) external;

    /// @notice Sets the fee credit: the sum of platform fees that new charges may cause, in base units of the token.
    /// Only the owner may call.
    ///
    /// Example: 75e18 allows charges of 1000e18 in all at a fee of 7.5 %.
    function setFeeCredit(uint128 amount) external;

    /// @notice Sends available tokens to an address. Reverts with VaultInsolvent if the vault would then hold less than
    /// the sum of its available, reserved, owed and fee tokens. Only the owner may call.
    ///
    /// Example: with 300e18 available, `withdrawAvailable(owner, 100e18)` leaves 200e18.
    function withdrawAvailable(address to, uint128 amount) external;

    /// @notice Stops new charges permanently and starts the notice period of seven days. Claims remain possible until
    /// the exit. Only the owner may call.
    ///
    /// Example: after a call at 1800000000, `exit` is possible from 1800604800 on.
    function announceExit() external;

    /// @notice Closes the vault after the notice period. All charges end, and all tokens except platform fees are sent
    /// to `to`. Only the owner may call.
    ///
    /// Example: with a balance of 250e18 and fees of 5e18, the call sends 245e18, unclaimed rewards included.
    function exit(address to) external;

    // --- Any account ---

    /// @notice Transfers tokens from the caller to the vault's available tokens. The caller must first give the vault
    /// an allowance. Any account may call.
    ///
    /// Example: `fund(1000e18)` returns 990e18 for a token with a transfer fee of 1 %.
    /// @return received Base units that arrived.
    function fund(uint256 amount) external returns (uint256 received);

    /// @notice Sends the platform fees of credited rewards to the market's fee recipient. Any account may call.
    ///
    /// Example: 7.5e18 after a charge of 100e18 with a fee of 7.5 % was fully awarded.
    /// @return amount Base units of the token.
    function collectFees() external returns (uint256 amount);

    /// @notice Pays a claim that the worker signed. Any account may call. Order of the checks: deadline, exit, epoch,
    /// earlier payment, nonce, proof, signature.
    ///
    /// Example: alice claims 46.25e18 for the award with index 0, with nonce 0 and the Merkle proof of her claim.
    function claimTo(ClaimTo calldata claim, bytes32[] calldata proof, bytes calldata signature) external;

    // --- The hook of a charge ---

    /// @notice Reserves a reward for a task, on behalf of the calling hook. Reverts with AlreadyCharged if the task
    /// already has a charge in this vault. If `problemsOf` returns a problem, reverts with the error of the problem,
    /// such as ManagerNotActive.
    ///
    /// Example: `charge(taskId, alice, 100e18, 7.5e18)` moves 100e18 from available to reserved.
    function charge(bytes32 taskId, address manager, uint128 gross, uint128 fee) external;

    /// @notice Credits `credited` tokens to workers and `fee` to the platform, and makes the rest of the charge
    /// available again. The call has no effect after an exit. Only the hook that made the charge may call.
    ///
    /// Example: if half of a charge of 100e18 is awarded and the fee is 7.5 %, the hook credits 46.25e18 and a fee of
    /// 3.75e18, and 50e18 are released.
    function credit(bytes32 taskId, uint128 credited, uint128 fee, uint256 base) external;

    /// @notice Makes the whole reward available to the owner again. The call has no effect after an exit. Only the hook
    /// that made the charge may call.
    ///
    /// Example: after the cancellation of a task with a charge of 100e18, these 100e18 are available again.
    function release(bytes32 taskId) external;

    /// @notice Stores the Merkle root of a credited reward. Workers can then claim. The amounts must sum to the
    /// credited tokens. Only the hook that made the charge may call.
    ///
    /// Example: `settle(taskId, root, [alice], [46.25e18])` lets alice claim 46.25e18.
    function settle(bytes32 taskId, bytes32 root, address[] calldata workers, uint256[] calldata amounts) external;

    // --- Views ---

    /// @notice Returns the vault's id.
    ///
    /// Example: the value of `vaultIdOf(owner, token, salt)` of the vault's factory.
    function vaultId() external view returns (bytes32);
    /// @notice Returns the owner, who is the sponsor and never changes.
    ///
    /// Example: the account that called `createVault`.
    function owner() external view returns (address);
    /// @notice Returns the address of the token that the vault holds.
    ///
    /// Example: an ERC-20 of the sponsor's project.
    function token() external view returns (address);
    /// @notice Returns the SponsoredTasksHook of the deployment, which created the vault's factory.
    ///
    /// Example: the hook that the owner allows with `setCharger`.
    function hook() external view returns (address);
    /// @notice Returns the present epoch: 0 until the exit, 1 after the exit.
    ///
    /// Example: 0 in a new vault.
    function epoch() external view returns (uint64);
    /// @notice Returns the time from which the owner may exit, in Unix seconds; zero if no exit is announced.
    ///
    /// Example: 1800604800 after an announcement at 1800000000.
    function exitAt() external view returns (uint256);
    /// @notice Returns whether the owner has closed the vault by `exit`.
    ///
    /// Example: true after `exit`.
    function isExited() external view returns (bool);
    /// @notice Returns the vault's amounts: available, reserved, owed, fees and fee credit.
    ///
    /// Example: before a charge, 1000e18 tokens are available and the fee credit is 75e18. A charge of 100e18 contains
    /// a fee of 7.5e18. After the charge, the result is `(900e18, 100e18, 0, 0, 67.5e18)`.
    function totals() external view returns (VaultTotals memory);
    /// @notice Returns a manager's spending cap, the spent amount, and whether new charges are allowed. All fields are
    /// zero if the account is not a manager.
    ///
    /// Example: `(500e18, 100e18, true)` after a charge of 100e18 for a manager with a cap of 500e18.
    function managerOf(address manager) external view returns (VaultManager memory);
    /// @notice Returns whether a hook may make new charges.
    ///
    /// Example: false until `setCharger(hook, true)`.
    function isCharger(address hook) external view returns (bool);
    /// @notice Returns the charge for a task. All fields are zero if the task has no charge.
    ///
    /// Example: state 1 (Reserved), gross 100e18 and fee 7.5e18 until the task ends.
    function chargeOf(bytes32 taskId) external view returns (VaultCharge memory);
    /// @notice Returns which claims of a task are paid. Bit i is set if the claim with index i is paid.
    ///
    /// Example: 5 if the claims with indexes 0 and 2 are paid.
    function paidOf(bytes32 taskId) external view returns (uint256);
    /// @notice Returns the nonce of the worker's next claim.
    ///
    /// Example: 0 before the first claim.
    function nonceOf(address worker) external view returns (uint256);

    /// @notice Returns the reasons why a hook cannot make a charge, as bits of `FundingProblems`; zero if the charge is
    /// possible.
    ///
    /// Example: 160 for too few available tokens (32) and too little fee credit (128).
    function problemsOf(address hook, address manager, uint256 gross, uint256 fee) external view returns (uint256);
}
