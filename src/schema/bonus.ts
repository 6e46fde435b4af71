import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row: the settings of the bonus programme after its latest event. The programme pays bonuses in the reward token.
 * A deployment without a bonus programme has no row. Key: `bonus`. Token amounts are base units of the token.
 */
export const bonusProgramme = onchainTable('bonus_programme', (t) => ({
  /** Key of the only row: always `bonus`. */
  id: t.text().primaryKey(),
  /** Address of the programme's contract, which the market calls as a hook. */
  hook: t.hex().notNull(),
  /** Address of the market whose tasks earn a bonus. */
  market: t.hex().notNull(),
  /** Address of the reward token, in which bonuses are paid. */
  token: t.hex().notNull(),
  /** Number of decimals that the reward token reported when the programme was deployed. */
  tokenDecimals: t.integer().notNull(),
  /** Start of epoch 0, Unix seconds. */
  startedAt: t.int8({ mode: 'bigint' }).notNull(),
  /** Length of an epoch, seconds. */
  epochSeconds: t.int8({ mode: 'bigint' }).notNull(),
  /** Exchange rate of bonuses: base units of the reward token for one whole USDC; zero if no bonus is paid. */
  tokenPerUsdc: t.bigint().notNull(),
  /** Value of a bonus, in basis points of the gross award. */
  bonusBps: t.integer().notNull(),
  /** The worker's share of a bonus, in basis points of the bonus. The requester gets the rest. */
  workerSplitBps: t.integer().notNull(),
  /** Maximum value of an award's bonus, in basis points of the award's platform fee. The value is a uint32. */
  maxBonusPerFeeBps: t.int8({ mode: 'number' }).notNull(),
  /**
   * Maximum of the exchange rate for a locked bonus, in basis points of the rate at the task's completion. A rate is
   * locked when a worker is assigned. If the locked rate is higher, the bonus is computed with the maximum. The
   * contract stores the maximum as a uint32.
   */
  maxRateDriftBps: t.int8({ mode: 'number' }).notNull(),
  /** Maximum value of the credits to all accounts in one epoch, USDC base units. */
  globalUsdCap: t.bigint().notNull(),
  /** Maximum value of the credits to one account as a worker in one epoch, USDC base units. */
  workerUsdCap: t.bigint().notNull(),
  /** Maximum value of the credits to one account as a requester in one epoch, USDC base units. */
  requesterUsdCap: t.bigint().notNull(),
  /** Maximum value of the credits for one task, USDC base units. */
  taskUsdCap: t.bigint().notNull(),
  /** Maximum sum of the credits to all accounts in one epoch, base units of the token. */
  globalTokenCap: t.bigint().notNull(),
  /**
   * Three wallet ages in seconds, each a uint32. Below the first age, the first multiplier in `rampMultiplierBps`
   * applies. When a wallet reaches one of the three ages, the next multiplier applies.
   */
  rampAfterSeconds: t.int8({ mode: 'number' }).array().notNull(),
  /**
   * Four multipliers of a bonus, in basis points. The first multiplier applies from age 0. The second to fourth apply
   * from the ages in `rampAfterSeconds`.
   */
  rampMultiplierBps: t.integer().array().notNull(),
  /**
   * Sum of the amounts that all accounts can withdraw now, base units of the token; equals the contract's
   * totalClaimable.
   */
  totalClaimable: t.bigint().notNull(),
  /** Sum of all credits since the start of the programme, base units of the token. */
  totalCredited: t.bigint().notNull(),
  /** Sum of all withdrawals since the start of the programme, base units of the token. */
  totalWithdrawn: t.bigint().notNull(),
  /**
   * Sum of the tokens that calls of the function fundReserve added to the reserve, in base units. Tokens that arrived
   * by a plain transfer are in `arrival` instead.
   */
  totalFunded: t.bigint().notNull(),
  /** Sum of the tokens that the programme's owner withdrew from the reserve since the start, base units. */
  totalTaken: t.bigint().notNull(),
}))

/** One row per account that the bonus programme has recorded as a participant of a task. Key: the address. */
export const bonusAccount = onchainTable('bonus_account', (t) => ({
  /** Address of the account. */
  account: t.hex().primaryKey(),
  /** Time at which the programme first recorded the account, Unix seconds. The account's age counts from this time. */
  firstSeen: t.int8({ mode: 'bigint' }).notNull(),
  /**
   * Number of the epoch that `workerUsd` and `requesterUsd` belong to. If another epoch is current, both sums count as
   * 0.
   */
  epoch: t.integer().notNull(),
  /**
   * Value of the account's credits as a worker in the epoch `epoch`, USDC base units. A new credit cannot raise the
   * value above `bonus_programme.workerUsdCap`.
   */
  workerUsd: t.bigint().notNull(),
  /**
   * Value of the account's credits as a requester in the epoch `epoch`, USDC base units. A new credit cannot raise the
   * value above `bonus_programme.requesterUsdCap`.
   */
  requesterUsd: t.bigint().notNull(),
  /** Amount that the account can withdraw now, base units of the token. */
  claimable: t.bigint().notNull(),
  /** Sum of all credits to the account, base units of the token. */
  creditedTotal: t.bigint().notNull(),
  /** Sum of all withdrawals of the account, base units of the token. */
  withdrawnTotal: t.bigint().notNull(),
  /** Number of withdrawals of the account. The next row in `bonus_withdrawal` gets this number as its ordinal. */
  withdrawalCount: t.integer().notNull(),
  ...position(t),
}))

/**
 * One row per task: the bonus rates that were locked at the latest assignment of a worker. Key: the task id. A later
 * assignment replaces the row. The rates apply only if `round` equals `task.claimRound`.
 */
export const bonusLock = onchainTable('bonus_lock', (t) => ({
  /** Id of the task to which the worker was assigned. */
  taskId: t.hex().primaryKey(),
  /** Worker who was assigned. */
  worker: t.hex().notNull(),
  /** Claim round of the assignment: the number of the task's claims that were forfeited before the assignment. */
  round: t.integer().notNull(),
  /** Payable amount of the task before fees, USDC base units. */
  price: t.bigint().notNull(),
  /** Value of the bonus if an award pays the whole `price`, USDC base units. */
  usdValue: t.bigint().notNull(),
  /** Exchange rate at the time of the assignment: base units of the reward token for one whole USDC. */
  tokenPerUsdc: t.bigint().notNull(),
  /**
   * Value of a bonus, in basis points of the gross award. The number is the programme's setting at the time of the
   * assignment.
   */
  bonusBps: t.integer().notNull(),
  /**
   * The worker's share of a bonus, in basis points of the bonus. The number is the programme's setting at the time of
   * the assignment.
   */
  workerSplitBps: t.integer().notNull(),
  ...position(t),
}))

/**
 * One row per completed task whose bonuses were computed: the programme's settings at the completion. Key: the task id.
 * In a contest, bonuses use the exchange rate, `bonusBps` and `workerSplitBps` of this row. In any other mode, bonuses
 * use these three values of the task's row in `bonus_lock`.
 */
export const bonusCompletion = onchainTable('bonus_completion', (t) => ({
  /** Id of the completed task. */
  taskId: t.hex().primaryKey(),
  /** Exchange rate at the time of the task's completion: base units of the reward token for one whole USDC. */
  tokenPerUsdc: t.bigint().notNull(),
  /**
   * Value of a bonus, in basis points of the gross award. The number is the programme's setting at the time of the
   * completion.
   */
  bonusBps: t.integer().notNull(),
  /**
   * The worker's share of a bonus, in basis points of the bonus. The number is the programme's setting at the time of
   * the completion.
   */
  workerSplitBps: t.integer().notNull(),
  /**
   * Maximum value of an award's bonus, in basis points of the award's platform fee. The contract stores it as a uint32.
   */
  maxBonusPerFeeBps: t.int8({ mode: 'number' }).notNull(),
  /**
   * Maximum of the exchange rate for a locked bonus, in basis points of this row's `tokenPerUsdc`. If the rate in
   * `bonus_lock` is higher, the bonus is computed with the maximum. The contract stores the maximum as a uint32.
   */
  maxRateDriftBps: t.int8({ mode: 'number' }).notNull(),
  ...position(t),
}))

/** One row per worker or requester who was credited with a part of an award's bonus. Key: `<taskId>:<rank>:<role>`. */
export const bonusCredit = onchainTable(
  'bonus_credit',
  (t) => ({
    /** Key of the row: `<taskId>:<rank>:<role>`. */
    id: t.text().primaryKey(),
    /** Id of the task whose award earned the credit. */
    taskId: t.hex().notNull(),
    /** Rank of the award in its task; 1 is the primary award. */
    rank: t.integer().notNull(),
    /** Side of the award that was credited: worker or requester. */
    role: t.text().notNull(),
    /** Account that was credited with reward tokens. */
    account: t.hex().notNull(),
    /**
     * Value of the award's whole bonus in USDC base units, limited by the platform fee. The value includes the worker's
     * part and the requester's part. Both rows of an award have the same value.
     */
    usdBonus: t.bigint().notNull(),
    /** Value of this credit in USDC base units. The value counts against the caps. */
    usdCredited: t.bigint().notNull(),
    /** Exchange rate of this credit: base units of the reward token for one whole USDC. */
    tokenPerUsdc: t.bigint().notNull(),
    /**
     * The account's part of the bonus before the multiplier, the caps and the reserve apply, in base units of the
     * token.
     */
    share: t.bigint().notNull(),
    /** Multiplier for the age of the account's wallet, basis points. */
    multiplierBps: t.integer().notNull(),
    /** Tokens that this credit added to the account's claimable tokens, base units. */
    credited: t.bigint().notNull(),
    /** Number of the epoch of the credit, from 0. */
    epoch: t.integer().notNull(),
    ...position(t),
  }),
  (table) => ({
    byTask: index().on(table.taskId),
    byAccount: index().on(table.account, table.blockNumber),
    byEpoch: index().on(table.epoch),
    byBlock: index().on(table.blockNumber),
  }),
)

/**
 * One row per award without a bonus, and one row per worker or requester who got no part of a bonus. Key:
 * `<taskId>:<rank>:<role>`.
 */
export const bonusSkip = onchainTable(
  'bonus_skip',
  (t) => ({
    /** Key of the row: `<taskId>:<rank>:<role>`. */
    id: t.text().primaryKey(),
    /** Id of the task whose award earned no bonus. */
    taskId: t.hex().notNull(),
    /** Rank of the award in its task; 1 is the primary award. */
    rank: t.integer().notNull(),
    /** Side that earned nothing: worker or requester; `award` if the whole award earned nothing. */
    role: t.text().notNull(),
    /** Account that earned nothing; the worker if the whole award earned nothing. */
    account: t.hex().notNull(),
    /**
     * Reason why nothing was credited: self_award, no_lock, no_rate, fee_bound, too_small, wallet_age, account_cap,
     * task_cap, global_cap, token_cap or reserve.
     */
    reason: t.text().notNull(),
    ...position(t),
  }),
  (table) => ({ byTask: index().on(table.taskId), byReason: index().on(table.reason, table.blockTimestamp) }),
)

/**
 * One row per withdrawal of bonus tokens. Key: `<account>:<ordinal>`; the ordinal counts the account's withdrawals from
 * 0.
 */
export const bonusWithdrawal = onchainTable(
  'bonus_withdrawal',
  (t) => ({
    /** Key: `<account>:<ordinal>`. The ordinal counts the account's withdrawals from 0. */
    id: t.text().primaryKey(),
    /** Account whose bonus was withdrawn. */
    account: t.hex().notNull(),
    /** Account that received the tokens. */
    destination: t.hex().notNull(),
    /** Withdrawn amount, base units of the reward token. */
    amount: t.bigint().notNull(),
    /** Nonce of the signed message that authorized the withdrawal; null if the account called the contract itself. */
    nonce: t.hex(),
    ...position(t),
  }),
  (table) => ({
    byAccount: index().on(table.account, table.blockNumber),
    byDestination: index().on(table.destination, table.blockNumber),
    byNonce: index().on(table.nonce),
    byBlock: index().on(table.blockNumber),
  }),
)

/** One row per epoch of the bonus programme that has at least one credit. Key: the number of the epoch, from 0. */
export const bonusEpoch = onchainTable('bonus_epoch', (t) => ({
  /** Number of the epoch, from 0. */
  epoch: t.integer().primaryKey(),
  /** Value of the epoch's credits that counts against the caps, USDC base units. */
  usd: t.bigint().notNull(),
  /** Sum of the epoch's credits, base units of the token. */
  tokens: t.bigint().notNull(),
  /** Number of the epoch's credits, which are rows of `bonus_credit`. */
  creditCount: t.integer().notNull(),
}))
