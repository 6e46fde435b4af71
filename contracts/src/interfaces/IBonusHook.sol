// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskHook} from "./ITaskHook.sol";

/// @notice The bonus terms: rate, size and split of bonuses.
/// @param tokenPerUsdc Rate in base units of the reward token for one USDC (1e6 base units of USDC); zero if no bonuses
/// are paid.
/// @param bonusBps Value of the bonus, in basis points of the gross payment; at most 10000.
/// @param workerSplitBps Worker's share of the bonus, in basis points; at most 10000. The rest is the requester's
/// share.
struct BonusTerms {
    uint128 tokenPerUsdc;
    uint16 bonusBps;
    uint16 workerSplitBps;
}

/// @notice Limits of a bonus. Because of these limits, a task is unprofitable if its only purpose is to earn a bonus.
/// @param maxBonusPerFeeBps Highest USDC value of an award's bonus, in basis points of the award's platform fee.
/// @param maxRateDriftBps Highest locked rate, in basis points of the present rate. A higher locked rate is reduced to
/// this maximum.
struct BonusBounds {
    uint32 maxBonusPerFeeBps;
    uint32 maxRateDriftBps;
}

/// @notice The caps of the bonuses in one epoch of 7 days. The unit of `globalTokens` is the base unit of the reward
/// token; the unit of all other caps is the base unit of USDC.
/// @param globalUsd Cap of the value for all accounts together.
/// @param workerUsd Cap of the value for one account as a worker.
/// @param requesterUsd Cap of the value for one account as a requester.
/// @param taskUsd Cap of the value for one task.
/// @param globalTokens Cap of the tokens for all accounts together.
struct BonusCaps {
    uint48 globalUsd;
    uint48 workerUsd;
    uint48 requesterUsd;
    uint48 taskUsd;
    uint128 globalTokens;
}

/// @notice Bonus multipliers by the age of a wallet: the time since the wallet's first interaction with the market. New
/// wallets earn less, because new wallets could otherwise be used to avoid the caps.
/// @param afterSeconds Ages in seconds from which the second, third and fourth multiplier apply, in ascending order;
/// equal ages are allowed.
/// @param multiplierBps Four multipliers in basis points, at most 10000 each, in ascending order; equal multipliers are
/// allowed.
struct BonusRamp {
    uint32[3] afterSeconds;
    uint16[4] multiplierBps;
}

/// @notice The bonus terms of a task. They are locked when the worker is assigned.
/// @param tokenPerUsdc Rate at the assignment, in base units of the reward token for one USDC.
/// @param price Gross amount that the worker can be paid, in USDC base units; zero if nothing is locked.
/// @param bonusBps Value of the bonus at the assignment, in basis points of the gross payment.
/// @param workerSplitBps Worker's share of the bonus at the assignment, in basis points.
/// @param round Number of times that the task had been reopened at the assignment. The locked terms do not apply if the
/// task was reopened later.
struct BonusLock {
    uint128 tokenPerUsdc;
    uint72 price;
    uint16 bonusBps;
    uint16 workerSplitBps;
    uint24 round;
}

/// @notice The bonus record of one account.
/// @param firstSeen Unix time of the account's first interaction in seconds; zero before the first interaction.
/// @param epoch Epoch of `workerUsd` and `requesterUsd`. In all later epochs both sums count as zero.
/// @param workerUsd Value credited to the account as a worker in that epoch, in USDC base units.
/// @param requesterUsd Value credited to the account as a requester in that epoch, in USDC base units.
/// @param claimable Tokens that the account can withdraw, in base units of the reward token.
struct BonusAccount {
    uint32 firstSeen;
    uint16 epoch;
    uint48 workerUsd;
    uint48 requesterUsd;
    uint112 claimable;
}

/// @notice The role of an account in a bonus event. `Award`: worker and requester together, used if the whole award
/// earned nothing.
enum BonusRole {
    Award,
    Worker,
    Requester
}

/// @notice The reason why a whole award, or one account of an award (the worker or the requester), earned no bonus.
/// `SelfAward`: the worker is the requester. `NoLock`: the assignment of the worker was not recorded. `NoRate`: the
/// rate is zero. `FeeBound`: the award's platform fee allows no bonus. `TooSmall`: an amount is less than one base
/// unit. `WalletAge`: the wallet is too new for a bonus. `AccountCap`, `TaskCap`, `GlobalCap` (USDC) and `TokenCap`
/// (tokens): too little of this cap is left. `Reserve`: too little of the reserve is left.
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

/// @title Default hook that credits a token bonus
/// @notice Credits the worker and the requester of a paid award with a reward token. Both withdraw their tokens from
/// this contract. The hook never stops a step of a task: if the recording of a step fails, the hook logs `BonusFailed`
/// and returns true. Only calls from the market have an effect, and only for tasks with this contract as a default
/// hook.
///
/// The bonus of an award is computed in five steps; tokens are rounded down. (1) The USDC value is gross amount *
/// bonusBps / 10000, at most `maxBonusPerFeeBps` basis points of the award's platform fee. (2) The rate converts the
/// value into tokens. (3) The tokens are split between worker and requester. (4) The multiplier for the age of each
/// wallet is applied. (5) The caps and the reserve limit each share. A task with an assigned worker uses the bonus
/// terms at the assignment. A contest (bounty or benchmark) uses the bonus terms at the completion.
///
/// Example: with bonusBps 750, the bonus of an award of 2000000 is worth 150000 base units of USDC. At a rate of 10e18
/// this is 1.5e18 base units of the token. With workerSplitBps 8000, the worker gets 1.2e18 and the requester 0.3e18.
interface IBonusHook is ITaskHook {
    /// @notice The bonus hook was deployed. Epochs are `epochSeconds` seconds long and are counted from `startedAt`, a
    /// time in Unix seconds.
    event ProgrammeStarted(address market, address token, uint8 tokenDecimals, uint256 startedAt, uint256 epochSeconds);
    /// @notice The owner set the exchange rate of bonuses: base units of the reward token for one USDC.
    event RateUpdated(uint256 tokenPerUsdc);
    /// @notice The owner set the value of a bonus, in basis points of the gross payment.
    event BonusBpsUpdated(uint256 bonusBps);
    /// @notice The owner set the worker's share of a bonus, in basis points.
    event WorkerSplitUpdated(uint256 workerSplitBps);
    /// @notice The owner set the multipliers by the age of a wallet.
    event RampUpdated(uint32[3] afterSeconds, uint16[4] multiplierBps);
    /// @notice The owner set the caps on the bonuses of an epoch, an account and a task.
    event CapsUpdated(BonusCaps caps);
    /// @notice The owner set the limits of bonuses. `maxBonusPerFeeBps`: highest value of a bonus, in basis points of
    /// the platform fee. `maxRateDriftBps`: highest locked rate, in basis points of the present rate.
    event BoundsUpdated(uint256 maxBonusPerFeeBps, uint256 maxRateDriftBps);

    /// @notice A wallet took part in a task for the first time, at `firstSeen` (Unix seconds). The wallet's age starts
    /// at this time.
    event WalletFirstSeen(address indexed account, uint256 firstSeen);

    /// @notice The bonus terms of a task were locked when its worker was assigned.
    /// @param usdValue Value of the bonus if the whole price is paid, in USDC base units.
    event BonusLocked(
        bytes32 indexed taskId,
        address indexed worker,
        uint256 round,
        uint256 price,
        uint256 usdValue,
        uint256 tokenPerUsdc,
        uint256 workerSplitBps
    );

    /// @notice The worker or the requester of an award was credited with a bonus.
    /// @param usdBonus Value of the award's whole bonus in USDC base units, limited by the platform fee.
    /// @param usdCredited Value of this credit, which counts against the caps, in USDC base units.
    /// @param tokenPerUsdc Rate that was used, in base units of the token for one USDC.
    /// @param share Tokens of this account before the multiplier, the caps and the reserve are applied.
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

    /// @notice One account of an award earned no bonus, or the whole award earned no bonus.
    /// @param account The worker or the requester that earned no bonus. If the whole award earned no bonus, `account`
    /// is the worker and `role` is Award.
    event BonusSkipped(
        bytes32 indexed taskId, address indexed account, BonusRole indexed role, uint256 rank, SkipReason reason
    );

    /// @notice The hook could not record a step of a task. The step itself took effect.
    /// @param step Selector of the hook function.
    event BonusFailed(bytes32 indexed taskId, bytes4 indexed step);

    /// @notice The first bonus of an epoch was credited.
    event EpochRolled(uint256 indexed epoch);

    /// @notice The claimable tokens of an account were withdrawn.
    /// @param nonce Nonce of the signed withdrawal; zero if the account itself called `withdraw`.
    event BonusWithdrawn(address indexed account, address indexed destination, uint256 amount, bytes32 nonce);
    /// @notice An account added tokens to the reserve. `amount` is the amount that arrived in the reserve. If the token
    /// takes a transfer fee, `amount` is the sent amount minus this fee.
    event ReserveFunded(address indexed from, uint256 amount);
    /// @notice The owner took tokens from the reserve. No account can claim these tokens.
    event ReserveTaken(address indexed to, uint256 amount);

    /// @notice The address must not be zero.
    error ZeroAddress();
    /// @notice Only this contract itself may call the function.
    error OnlySelf(address caller);
    /// @notice The reward token called this contract during a token transfer.
    error Reentered();
    /// @notice The given basis points are above `maximum`.
    error InvalidBps(uint256 bps, uint256 maximum);
    /// @notice An age or a multiplier is below the value before it in the list.
    error InvalidRamp();
    /// @notice The account has no claimable tokens.
    error NothingToWithdraw(address account);
    /// @notice The destination must not be zero, this contract or the token. No account could use tokens there.
    error InvalidDestination(address destination);
    /// @notice The amount is above `available`, the tokens in the reserve.
    error AboveAvailable(uint256 amount, uint256 available);
    /// @notice The signature was valid only before `validBefore`, Unix seconds.
    error SignatureExpired(uint256 validBefore);
    /// @notice The signature would be valid for more than 600 seconds. `maximum` is the latest accepted `validBefore`.
    error ValidTooLong(uint256 validBefore, uint256 maximum);
    /// @notice The account has already used this nonce, or the nonce is zero.
    error NonceUsed(address account, bytes32 nonce);
    /// @notice The account did not sign this withdrawal.
    error InvalidSignature(address account);

    /// @notice The reward token is not supported. A transfer took more tokens than its amount, the balance cannot be
    /// read, or the token has no `decimals` below 256.
    error UnsupportedToken();

    // --- Withdrawals ---

    /// @notice Sends all claimable tokens of the caller to `destination`.
    ///
    /// Example: with `claimableOf(alice)` 1.2e18, `withdraw(alice)` by alice returns 1.2e18.
    /// @return amount Base units of the reward token.
    function withdraw(address destination) external returns (uint256 amount);

    /// @notice Sends all claimable tokens of `account` to `destination`. `account` must have signed
    /// `<service>:withdraw-token:<destination>:<nonce>:<validBefore>` (EIP-191; addresses and nonce in lower-case hex).
    /// Any account may call. Each account can use a nonce once. Nonce zero is refused, because it marks direct
    /// withdrawals in `BonusWithdrawn`.
    ///
    /// Example: at time 1800000000, a validBefore of 1800000300 is accepted, and 1800000601 reverts with ValidTooLong.
    /// @param validBefore Unix time in seconds before which the signature is valid, at most 600 seconds after the
    /// present time. Clients use 300 seconds.
    /// @return amount Base units of the reward token.
    function withdrawFor(
        address account,
        address destination,
        bytes32 nonce,
        uint256 validBefore,
        bytes calldata signature
    ) external returns (uint256 amount);

    // --- Reserve ---

    /// @notice Transfers tokens of the caller to the reserve. The caller must have approved this contract as spender.
    /// Any account may call.
    ///
    /// Example: `fundReserve(1000e18)` returns 990e18 for a token with a transfer fee of 1 %.
    /// @return received Base units that arrived.
    function fundReserve(uint256 amount) external returns (uint256 received);

    /// @notice Sends `amount` tokens of the reserve to `to`. The reserve contains only tokens that no account can
    /// claim. Only the owner may call.
    ///
    /// Example: with a balance of 1000e18 and a `totalClaimable` of 400e18 the owner can take 600e18.
    function takeReserve(address to, uint256 amount) external;

    // --- Settings (owner) ---

    /// @notice Sets the rate: base units of the reward token for one USDC; zero stops bonuses. Only the owner may call.
    ///
    /// Example: 10e18 for ten tokens with 18 decimals for one USDC.
    function setRate(uint128 tokenPerUsdc) external;
    /// @notice Sets the value of a bonus in basis points of the gross payment, at most 10000. Only the owner may call.
    ///
    /// Example: 750 for 7.5 %.
    function setBonusBps(uint16 bonusBps) external;
    /// @notice Sets the worker's share of a bonus in basis points, at most 10000. Only the owner may call.
    ///
    /// Example: 8000 gives 80 % to the worker and 20 % to the requester.
    function setWorkerSplit(uint16 workerSplitBps) external;
    /// @notice Sets two limits of bonuses. A bonus is worth at most a share of the award's platform fee. The token rate
    /// that a task locked at its assignment counts only up to a multiple of the present rate. Only the owner may call.
    ///
    /// Example: with maxBonusPerFeeBps 10000 a bonus is worth at most the award's platform fee.
    function setBounds(BonusBounds calldata bounds) external;
    /// @notice Sets the caps on the bonuses of an epoch, an account and a task. Only the owner may call.
    ///
    /// Example: taskUsd 50000000 credits at most 50 USDC for one task.
    function setCaps(BonusCaps calldata caps) external;
    /// @notice Sets the multipliers by the age of a wallet. Only the owner may call.
    ///
    /// Example: with ages 1209600, 2419200 and 4838400 and multipliers 0, 2500, 5000 and 10000, a wallet earns nothing
    /// in its first two weeks and the full bonus from an age of eight weeks on.
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
    /// @notice Returns the present terms of a bonus: the exchange rate, the bonus as a part of the gross payment, and
    /// the worker's share of the bonus.
    ///
    /// Example: `(10e18, 750, 8000)`. For one USDC of bonus, 10e18 base units of the token are paid. The bonus is 7.5 %
    /// of the gross payment. The worker gets 80 % of the bonus, and the requester gets 20 %.
    function terms() external view returns (BonusTerms memory);
    /// @notice Returns the limits of bonuses: the highest value relative to the platform fee, and the highest locked
    /// rate relative to the present rate.
    ///
    /// Example: `(10000, 20000)` allows a bonus of at most the platform fee, and a locked rate of at most twice the
    /// present rate.
    function bounds() external view returns (BonusBounds memory);
    /// @notice Returns the caps on the bonuses of an epoch, an account and a task.
    ///
    /// Example: `(10000e6, 500e6, 500e6, 50e6, 100000e18)` allows in one epoch 10000 USDC in all, 500 USDC for an
    /// account as a worker, 500 USDC for an account as a requester, 50 USDC for a task, and 100000e18 base units of the
    /// token in all.
    function caps() external view returns (BonusCaps memory);
    /// @notice Returns the multipliers by the age of a wallet.
    ///
    /// Example: `([1209600, 2419200, 4838400], [0, 2500, 5000, 10000])`; a wallet that is three weeks (1814400 seconds)
    /// old has the second multiplier, 2500.
    function ramp() external view returns (BonusRamp memory);
    /// @notice Returns the bonus record of an account. All fields are zero before the account's first interaction.
    ///
    /// Example: `(1750000000, 3, 150000, 0, 1.2e18)`. The fields are firstSeen, epoch, workerUsd, requesterUsd and
    /// claimable. In epoch 3 the account was credited as a worker with a value of 150000 base units of USDC. The
    /// account can withdraw 1.2e18 base units of the token.
    function accountOf(address account) external view returns (BonusAccount memory);
    /// @notice Returns the locked bonus terms of a task. All fields are zero for a contest, and for any other task
    /// before the assignment of a worker.
    ///
    /// Example: `(10e18, 2000000, 750, 8000, 0)` for a task with a price of 2 USDC that was never reopened. The fields
    /// are tokenPerUsdc, price, bonusBps, workerSplitBps and round.
    function lockOf(bytes32 taskId) external view returns (BonusLock memory);
    /// @notice Returns the tokens that an account can withdraw, in base units.
    ///
    /// Example: 1.2e18 after a credit of 1.2e18, and 0 after `withdraw`.
    function claimableOf(address account) external view returns (uint256);
    /// @notice Returns the tokens that all accounts together can withdraw, in base units. This contract's token balance
    /// is never below this sum.
    ///
    /// Example: 1.5e18 after one award credited 1.2e18 and 0.3e18.
    function totalClaimable() external view returns (uint256);

    /// @notice Returns the tokens in the reserve, in base units: the balance less the tokens that accounts can claim.
    ///
    /// Example: 600e18 for a balance of 1000e18 and a `totalClaimable` of 400e18.
    function available() external view returns (uint256);

    /// @notice Returns the time from which epochs are counted, in Unix seconds.
    ///
    /// Example: if `startedAt` is 1750000000, epoch 1 begins one week later, at 1750604800.
    function startedAt() external view returns (uint256);

    /// @notice Returns the number of the present epoch, counted from 0, and the sums credited in this epoch. `usd`:
    /// USDC base units. `tokens`: base units of the reward token.
    ///
    /// Example: `(1, 150000, 1.5e18)` in the second week, after bonuses worth 0.15 USDC.
    function epochNow() external view returns (uint256 epoch, uint256 usd, uint256 tokens);

    /// @notice Returns whether `withdrawFor` refuses the nonce: the account has already used the nonce, or the nonce is
    /// zero.
    ///
    /// Example: `isNonceUsed(alice, 0)` is true.
    function isNonceUsed(address account, bytes32 nonce) external view returns (bool);
}
