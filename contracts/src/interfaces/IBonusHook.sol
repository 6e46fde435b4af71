// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskHook} from "./ITaskHook.sol";

/// @notice Rate, size and division of bonuses.
/// @param tokenPerUsdc Base units of the reward token for one USDC (1e6 base units of USDC); zero: no bonus.
/// @param bonusBps The part of a task's value that becomes bonus, at most 10000.
/// @param workerSplitBps The worker's part of a bonus, at most 10000; the rest is the requester's.
struct BonusTerms {
    uint128 tokenPerUsdc;
    uint16 bonusBps;
    uint16 workerSplitBps;
}

/// @notice Bounds that keep a bonus from paying for itself.
/// @param maxBonusPerFeeBps The bonus of an award in USDC is at most this part of its platform fee.
/// @param maxRateDriftBps A locked rate counts at most this part of the present rate.
struct BonusBounds {
    uint32 maxBonusPerFeeBps;
    uint32 maxRateDriftBps;
}

/// @notice The most that one epoch credits. The first four are USDC base units, `globalTokens` base units of the token.
/// @param globalUsd Cap of all accounts together.
/// @param workerUsd Cap of one account as a worker.
/// @param requesterUsd Cap of one account as a requester.
/// @param taskUsd Cap of one task.
/// @param globalTokens Cap of all accounts together.
struct BonusCaps {
    uint48 globalUsd;
    uint48 workerUsd;
    uint48 requesterUsd;
    uint48 taskUsd;
    uint128 globalTokens;
}

/// @notice Multipliers by a wallet's age, which counts from its first interaction. Young wallets earn less, so that new
/// ones are no way around the caps.
/// @param afterSeconds Ages from which the second, third and fourth multiplier apply; never descending.
/// @param multiplierBps At most 10000 each, never descending.
struct BonusRamp {
    uint32[3] afterSeconds;
    uint16[4] multiplierBps;
}

/// @notice Values of a task that were locked when its worker was assigned.
/// @param tokenPerUsdc Locked rate.
/// @param price The payable amount, USDC base units; zero: nothing is locked.
/// @param bonusBps Locked part of the value.
/// @param workerSplitBps Locked part of the worker.
/// @param round The round of claims in which they were locked: a later assignment does not earn by them.
struct BonusLock {
    uint128 tokenPerUsdc;
    uint72 price;
    uint16 bonusBps;
    uint16 workerSplitBps;
    uint24 round;
}

/// @notice The record of one account.
/// @param firstSeen Unix seconds of its first interaction; zero: none.
/// @param epoch The epoch of the two sums, which are zero in any other.
/// @param workerUsd Credited as a worker in that epoch, USDC base units.
/// @param requesterUsd Credited as a requester in that epoch, USDC base units.
/// @param claimable Base units of the reward token.
struct BonusAccount {
    uint32 firstSeen;
    uint16 epoch;
    uint48 workerUsd;
    uint48 requesterUsd;
    uint112 claimable;
}

/// @notice The side that an event is about. `Award`: both sides, when the whole award earned nothing.
enum BonusRole {
    Award,
    Worker,
    Requester
}

/// @notice The reason why an award, or one side of it, earned nothing. `NoLock`: the worker's assignment was not
/// recorded. `TooSmall`: a part is less than one base unit.
enum SkipReason {
    SelfAward,
    NoLock,
    NoRate,
    FeeBound,
    TooSmall,
    WalletAge,
    AccountCap,
    TaskCap,
    GlobalCap,
    TokenCap,
    Reserve
}

/// @title Token bonus of a default hook
/// @notice Credits requester and worker of a paid award with a reward token, which they withdraw here. It vetoes
/// nothing and stops nothing: every step is a call to itself, bounded in gas, whose failure is logged (`BonusFailed`)
/// and answered with true. It accepts steps from the market alone, for tasks that have it as a default hook.
///
/// The bonus of an award, all divisions rounded down: its USDC value (gross amount * bonusBps / 10000), at most a part
/// of its platform fee; converted to tokens at the rate; divided between worker and requester; each side times the
/// multiplier of its wallet's age; cut to the caps of account, task and epoch; cut to the tokens that are not claimable
/// yet. Tasks with one assigned worker use rate, value and division of the assignment; contests use those of the
/// completion.
///
/// Example: an award of 2000000 with bonusBps 750 is worth 150000 base units of USDC. At 10e18 tokens for a USDC that
/// is 1.5e18 tokens, 1.2e18 for the worker with workerSplitBps 8000 and 0.3e18 for the requester.
interface IBonusHook is ITaskHook {
    /// @notice The programme was deployed. Epochs of `epochSeconds` count from `startedAt`, Unix seconds.
    event ProgrammeStarted(address market, address token, uint8 tokenDecimals, uint256 startedAt, uint256 epochSeconds);
    /// @notice The owner set the rate: base units of the reward token for one USDC.
    event RateUpdated(uint256 tokenPerUsdc);
    /// @notice The owner set the part of a task's value that becomes bonus.
    event BonusBpsUpdated(uint256 bonusBps);
    /// @notice The owner set the worker's part of a bonus.
    event WorkerSplitUpdated(uint256 workerSplitBps);
    /// @notice The owner set the multipliers by age.
    event RampUpdated(uint32[3] afterSeconds, uint16[4] multiplierBps);
    /// @notice The owner set the caps of an epoch.
    event CapsUpdated(BonusCaps caps);
    /// @notice The owner set the bounds against the platform fee and the present rate.
    event BoundsUpdated(uint256 maxBonusPerFeeBps, uint256 maxRateDriftBps);

    /// @notice A wallet interacted for the first time; its age counts from `firstSeen`, Unix seconds.
    event WalletFirstSeen(address indexed account, uint256 firstSeen);

    /// @notice Rate, value and division of a task were locked at the assignment of its worker.
    /// @param usdValue Bonus of the whole price, USDC base units.
    event BonusLocked(
        bytes32 indexed taskId,
        address indexed worker,
        uint256 round,
        uint256 price,
        uint256 usdValue,
        uint256 tokenPerUsdc,
        uint256 workerSplitBps
    );

    /// @notice One side of an award was credited.
    /// @param usdBonus Bonus of the award, both sides, after the fee bound; USDC base units.
    /// @param usdCredited The part of it that counts against the caps.
    /// @param tokenPerUsdc The rate that was used.
    /// @param share Tokens of this side before the multiplier, the caps and the reserve.
    /// @param credited Tokens that became claimable.
    event BonusCredited(
        bytes32 indexed taskId,
        address indexed account,
        BonusRole indexed role,
        uint256 rank,
        uint256 usdBonus,
        uint256 usdCredited,
        uint256 tokenPerUsdc,
        uint256 share,
        uint256 multiplierBps,
        uint256 credited,
        uint256 epoch
    );

    /// @notice An award, or one side of it, earned nothing.
    /// @param account The account of the side; the worker where the whole award earned nothing.
    event BonusSkipped(
        bytes32 indexed taskId, address indexed account, BonusRole indexed role, uint256 rank, SkipReason reason
    );

    /// @notice A step could not be recorded; the task went on.
    /// @param step Selector of the hook function.
    event BonusFailed(bytes32 indexed taskId, bytes4 indexed step);

    /// @notice An epoch has its first credit.
    event EpochRolled(uint256 indexed epoch);

    /// @notice An account's tokens were withdrawn.
    /// @param nonce Nonce of the signed withdrawal; zero for a direct one.
    event BonusWithdrawn(address indexed account, address indexed destination, uint256 amount, bytes32 nonce);
    /// @notice Tokens arrived in the reserve. `amount` is what arrived, which is less where the token charges a fee.
    event ReserveFunded(address indexed from, uint256 amount);
    /// @notice The owner took tokens that no account can claim.
    event ReserveTaken(address indexed to, uint256 amount);

    /// @notice The address must not be zero.
    error ZeroAddress();
    /// @notice Only this contract calls its own steps.
    error OnlySelf(address caller);
    /// @notice The reward token called back while tokens moved.
    error Reentered();
    /// @notice The part is above its maximum, in basis points.
    error InvalidBps(uint256 bps, uint256 maximum);
    /// @notice Ages and multipliers must not descend.
    error InvalidRamp();
    /// @notice The account has no claimable tokens.
    error NothingToWithdraw(address account);
    /// @notice Tokens sent to zero, to this contract or to the token itself would belong to no account.
    error InvalidDestination(address destination);
    /// @notice The reserve has fewer tokens than the amount.
    error AboveAvailable(uint256 amount, uint256 available);
    /// @notice The signature was valid before `validBefore`, Unix seconds.
    error SignatureExpired(uint256 validBefore);
    /// @notice A signature is valid for 600 seconds at most.
    error ValidTooLong(uint256 validBefore, uint256 maximum);
    /// @notice The account used this nonce, or it is zero.
    error NonceUsed(address account, bytes32 nonce);
    /// @notice The account did not sign this withdrawal.
    error InvalidSignature(address account);

    /// @notice The token took more from this contract than the transfer named, or its balance cannot be read; at the
    /// deployment: it returns no uint8 for `decimals`.
    error UnsupportedToken();

    // --- Withdrawals ---

    /// @notice Sends everything that the caller can claim.
    ///
    /// Example: with `claimableOf(alice)` 1.2e18, `withdraw(alice)` by alice returns 1.2e18.
    /// @return amount Base units of the reward token.
    function withdraw(address destination) external returns (uint256 amount);

    /// @notice Sends everything that `account` can claim, by its signature over
    /// `<service>:withdraw-token:<destination>:<nonce>:<validBefore>` (EIP-191; addresses and nonce as lower-case hex).
    /// Any account may call, so the owner of the tokens needs no ether. A nonce is used once for each account; zero,
    /// which stands for a direct withdrawal in the log, counts as used.
    ///
    /// Example: at time 1800000000 a validBefore of 1800000300 passes and one of 1800000601 reverts with ValidTooLong.
    /// @param validBefore Unix seconds, at most 600 ahead; clients use 300.
    /// @return amount Base units of the reward token.
    function withdrawFor(
        address account,
        address destination,
        bytes32 nonce,
        uint256 validBefore,
        bytes calldata signature
    ) external returns (uint256 amount);

    // --- Reserve ---

    /// @notice Adds the caller's tokens to the reserve; any account may call.
    ///
    /// Example: `fundReserve(1000e18)` returns 990e18 for a token with a transfer fee of 1 %.
    /// @return received Base units that arrived.
    function fundReserve(uint256 amount) external returns (uint256 received);

    /// @notice Takes tokens that no account can claim (owner).
    ///
    /// Example: with a balance of 1000e18 and a `totalClaimable` of 400e18 the owner can take 600e18.
    function takeReserve(address to, uint256 amount) external;

    // --- Settings (owner) ---

    /// @notice Sets the rate: base units of the reward token for one USDC; zero stops bonuses (owner).
    ///
    /// Example: 10e18 for ten tokens of 18 decimals a USDC.
    function setRate(uint128 tokenPerUsdc) external;
    /// @notice Sets the part of a task's value that becomes bonus, at most 10000 (owner).
    ///
    /// Example: 750 for 7.5 %.
    function setBonusBps(uint16 bonusBps) external;
    /// @notice Sets the worker's part of a bonus, at most 10000 (owner).
    ///
    /// Example: 8000 leaves 20 % to the requester.
    function setWorkerSplit(uint16 workerSplitBps) external;
    /// @notice Sets the bounds against the platform fee and the present rate (owner).
    ///
    /// Example: maxBonusPerFeeBps 10000 lets a bonus be worth its platform fee and no more.
    function setBounds(BonusBounds calldata bounds) external;
    /// @notice Sets the caps of an epoch (owner).
    ///
    /// Example: taskUsd 50000000 credits at most 50 USDC for one task.
    function setCaps(BonusCaps calldata caps) external;
    /// @notice Sets the multipliers by age (owner).
    ///
    /// Example: ages 1209600, 2419200 and 4838400 with multipliers 0, 2500, 5000 and 10000: nothing in the first two
    /// weeks, all of it from the eighth week on.
    function setRamp(BonusRamp calldata ramp) external;

    // --- Views ---

    /// @notice Returns the market whose tasks earn a bonus.
    ///
    /// Example: the `TaskMarket` of the deployment.
    function market() external view returns (address);
    /// @notice Returns the reward token.
    ///
    /// Example: an ERC-20 with 18 decimals.
    function token() external view returns (address);
    /// @notice Returns the present rate, size and division.
    ///
    /// Example: `(10e18, 750, 8000)`.
    function terms() external view returns (BonusTerms memory);
    /// @notice Returns the bounds against the platform fee and the present rate.
    ///
    /// Example: `(10000, 20000)`: at most the fee, at most twice the present rate.
    function bounds() external view returns (BonusBounds memory);
    /// @notice Returns the caps of an epoch.
    ///
    /// Example: `(10000e6, 500e6, 500e6, 50e6, 100000e18)`.
    function caps() external view returns (BonusCaps memory);
    /// @notice Returns the multipliers by age.
    ///
    /// Example: `([1209600, 2419200, 4838400], [0, 2500, 5000, 10000])`.
    function ramp() external view returns (BonusRamp memory);
    /// @notice Returns the record of an account; zeros before its first interaction.
    ///
    /// Example: `(1750000000, 3, 150000, 0, 1.2e18)` after a credit of 150000 base units of USDC in epoch 3.
    function accountOf(address account) external view returns (BonusAccount memory);
    /// @notice Returns the locked values of a task; zeros for contests and before the assignment.
    ///
    /// Example: `(10e18, 2000000, 750, 8000, 0)`.
    function lockOf(bytes32 taskId) external view returns (BonusLock memory);
    /// @notice Returns the tokens that an account can withdraw.
    ///
    /// Example: 1.2e18; 0 after `withdraw`.
    function claimableOf(address account) external view returns (uint256);
    /// @notice Returns the tokens that all accounts together can withdraw. The balance is never below it.
    ///
    /// Example: 1.5e18 after one award credited 1.2e18 and 0.3e18.
    function totalClaimable() external view returns (uint256);

    /// @notice Returns the tokens in reserve that no account can claim yet.
    ///
    /// Example: a balance of 1000e18 with a `totalClaimable` of 400e18 leaves 600e18.
    function available() external view returns (uint256);

    /// @notice Returns the time from which epochs count, Unix seconds.
    ///
    /// Example: 1750000000 puts 1750604800 into epoch 1.
    function startedAt() external view returns (uint256);

    /// @notice Returns the present epoch, counted from zero, and what it credited so far.
    ///
    /// Example: `(1, 150000, 1.5e18)` in the second week.
    function epochNow() external view returns (uint256 epoch, uint256 usd, uint256 tokens);

    /// @notice Returns whether `withdrawFor` refuses the nonce: the account used it, or it is zero.
    ///
    /// Example: `isNonceUsed(alice, 0)` is true.
    function isNonceUsed(address account, bytes32 nonce) external view returns (bool);
}
