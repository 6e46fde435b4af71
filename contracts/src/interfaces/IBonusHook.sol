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

/// @notice What keeps a bonus from paying for itself.
/// @param maxBonusPerFeeBps The bonus of an award in USDC is at most this part of its platform fee.
/// @param maxRateDriftBps A rate that was locked counts at most this part of the present rate.
struct BonusBounds {
    uint32 maxBonusPerFeeBps;
    uint32 maxRateDriftBps;
}

/// @notice What is credited at most in one epoch. The first four in USDC base units, `globalTokens` in the token's.
/// @param globalUsd Of all accounts together.
/// @param workerUsd Of one account as a worker.
/// @param requesterUsd Of one account as a requester.
/// @param taskUsd Of one task.
/// @param globalTokens Of all accounts together.
struct BonusCaps {
    uint48 globalUsd;
    uint48 workerUsd;
    uint48 requesterUsd;
    uint48 taskUsd;
    uint128 globalTokens;
}

/// @notice How much of its bonus a wallet receives by its age, which begins with its first interaction.
/// @param afterSeconds Ages from which on the second, third and fourth multiplier hold; never descending.
/// @param multiplierBps At most 10000 each, never descending.
struct BonusRamp {
    uint32[3] afterSeconds;
    uint16[4] multiplierBps;
}

/// @notice Values of a task that were locked when its worker was assigned.
/// @param price The payable amount, USDC base units; zero: nothing is locked.
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

/// @notice For whom a bonus is.
enum BonusRole {
    Award,
    Worker,
    Requester
}

/// @notice Why an award, or one side of it, earned nothing. `NoLock`: the worker's assignment was not recorded.
/// `TooSmall`: a part is less than one base unit.
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
/// @notice Credits requester and worker of a paid award with a reward token, claimable here. It vetoes nothing and stops
/// nothing: every step is a call to itself, bounded in gas, whose failure is logged (`BonusFailed`) and answered with
/// consent. It hears the market alone, and only about tasks in whose list it is a default hook.
///
/// The bonus of an award, all divisions rounded down: its USDC value (gross amount * bonusBps / 10000) up to a part of
/// its platform fee; tokens at the rate; divided between worker and requester; each side times the multiplier of its
/// wallet's age; cut to the caps of account, task and epoch; cut to the tokens that are not claimable yet. Tasks with one
/// assigned worker use rate, value and division of the assignment, contests those of the completion.
interface IBonusHook is ITaskHook {
    event ProgrammeStarted(address market, address token, uint8 tokenDecimals, uint256 startedAt, uint256 epochSeconds);
    event RateUpdated(uint256 tokenPerUsdc);
    event BonusBpsUpdated(uint256 bonusBps);
    event WorkerSplitUpdated(uint256 workerSplitBps);
    event RampUpdated(uint32[3] afterSeconds, uint16[4] multiplierBps);
    event CapsUpdated(BonusCaps caps);
    event BoundsUpdated(uint256 maxBonusPerFeeBps, uint256 maxRateDriftBps);

    /// @notice The first interaction of a wallet, from which its age counts.
    event WalletFirstSeen(address indexed account, uint256 firstSeen);

    /// @param usdValue Of the whole price, USDC base units.
    event BonusLocked(
        bytes32 indexed taskId,
        address indexed worker,
        uint256 round,
        uint256 price,
        uint256 usdValue,
        uint256 tokenPerUsdc,
        uint256 workerSplitBps
    );

    /// @param usdBonus Of the award, both sides, after the fee bound; USDC base units.
    /// @param usdCredited What of it counts against the caps.
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

    /// @param account The worker where the whole award earned nothing.
    event BonusSkipped(
        bytes32 indexed taskId, address indexed account, BonusRole indexed role, uint256 rank, SkipReason reason
    );

    /// @notice A step could not be recorded; the task goes on.
    /// @param step Selector of the hook function.
    event BonusFailed(bytes32 indexed taskId, bytes4 indexed step);

    /// @notice The first credit of an epoch.
    event EpochRolled(uint256 indexed epoch);

    /// @param nonce Zero for a direct withdrawal.
    event BonusWithdrawn(address indexed account, address indexed destination, uint256 amount, bytes32 nonce);
    event ReserveFunded(address indexed from, uint256 amount);
    event ReserveTaken(address indexed to, uint256 amount);

    error ZeroAddress();
    error OnlySelf(address caller);
    error Reentered();
    error InvalidBps(uint256 bps, uint256 maximum);
    error InvalidRamp();
    error NothingToWithdraw(address account);
    error InvalidDestination(address destination);
    error AboveAvailable(uint256 amount, uint256 available);
    error SignatureExpired(uint256 validBefore);
    error ValidTooLong(uint256 validBefore, uint256 maximum);
    error NonceUsed(address account, bytes32 nonce);
    error InvalidSignature(address account);

    /// @notice The token took more from this contract than it was told to send, or cannot be read; at the deployment: it
    /// does not answer `decimals` with a uint8.
    error UnsupportedToken();

    // --- Withdrawals ---

    /// @notice Sends all that is claimable by the caller.
    /// @return amount Base units of the reward token.
    function withdraw(address destination) external returns (uint256 amount);

    /// @notice Sends all that is claimable by `account`, by its signature over
    /// `<service>:withdraw-token:<destination>:<nonce>:<validBefore>` (EIP-191; addresses and nonce as lower-case hex).
    /// Any account may call. A nonce is used once for each account; zero, which stands for a direct withdrawal in the log,
    /// counts as used.
    /// @param validBefore Unix seconds, at most 600 ahead; 300 are documented.
    function withdrawFor(
        address account,
        address destination,
        bytes32 nonce,
        uint256 validBefore,
        bytes calldata signature
    ) external returns (uint256 amount);

    // --- Reserve ---

    /// @notice Adds the caller's tokens to the reserve. Any account may call.
    /// @return received What arrived: less than `amount` where the token charges a fee.
    function fundReserve(uint256 amount) external returns (uint256 received);

    /// @notice Takes tokens that no account can claim (owner).
    function takeReserve(address to, uint256 amount) external;

    // --- Settings (owner) ---

    function setRate(uint128 tokenPerUsdc) external;
    function setBonusBps(uint16 bonusBps) external;
    function setWorkerSplit(uint16 workerSplitBps) external;
    function setBounds(BonusBounds calldata bounds) external;
    function setCaps(BonusCaps calldata caps) external;
    function setRamp(BonusRamp calldata ramp) external;

    // --- Views ---

    function market() external view returns (address);
    function token() external view returns (address);
    function terms() external view returns (BonusTerms memory);
    function bounds() external view returns (BonusBounds memory);
    function caps() external view returns (BonusCaps memory);
    function ramp() external view returns (BonusRamp memory);
    function accountOf(address account) external view returns (BonusAccount memory);
    function lockOf(bytes32 taskId) external view returns (BonusLock memory);
    function claimableOf(address account) external view returns (uint256);
    function totalClaimable() external view returns (uint256);

    /// @notice Tokens in reserve that no account can claim yet.
    function available() external view returns (uint256);

    /// @notice Unix seconds from which epochs count.
    function startedAt() external view returns (uint256);

    /// @notice The present epoch, counted from zero, and what it credited so far.
    function epochNow() external view returns (uint256 epoch, uint256 usd, uint256 tokens);

    /// @notice Whether `withdrawFor` refuses the nonce: it was used by the account, or is zero.
    function isNonceUsed(address account, bytes32 nonce) external view returns (bool);
}
