import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row: the bonus programme, which pays workers and requesters a bonus in the reward token, with its settings after
 * its latest event. Key: `bonus`. A deployment without a programme has no row. Token amounts are base units of the
 * token; `tokenPerUsdc` is token base units for one whole USDC.
 */
export const bonusProgramme = onchainTable('bonus_programme', (t) => ({
  /** Always `bonus`. */
  id: t.text().primaryKey(),
  /** Address of the programme's contract, which the market calls as a hook. */
  hook: t.hex().notNull(),
  /** Address of the market whose tasks earn a bonus. */
  market: t.hex().notNull(),
  /** Address of the reward token. */
  token: t.hex().notNull(),
  /** Decimals that the token reported when the programme was deployed. */
  tokenDecimals: t.integer().notNull(),
  /** Start of epoch 0, Unix seconds. */
  startedAt: t.int8({ mode: 'bigint' }).notNull(),
  /** Length of an epoch, seconds. */
  epochSeconds: t.int8({ mode: 'bigint' }).notNull(),
  /** Base units of the token for one whole USDC. Zero means that no bonus is paid. */
  tokenPerUsdc: t.bigint().notNull(),
  /** Value of a bonus, in basis points of the gross award. */
  bonusBps: t.integer().notNull(),
  /** The worker's share of a bonus, in basis points of the bonus. The requester gets the rest. */
  workerSplitBps: t.integer().notNull(),
  /**
   * Maximum value of an award's bonus, in basis points of the award's platform fee. The contract stores it as a uint32,
   * which an integer column cannot hold.
   */
  maxBonusPerFeeBps: t.int8({ mode: 'number' }).notNull(),
  /**
   * Maximum of a rate that was locked at an assignment, in basis points of the rate at the completion. The contract
   * stores it as a uint32, which an integer column cannot hold.
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
  /** Maximum of the credits to all accounts in one epoch, base units of the token. */
  globalTokenCap: t.bigint().notNull(),
  /**
   * Three wallet ages in seconds: from these ages on, the second, third and fourth value of `rampMultiplierBps` apply.
   * The contract stores each as a uint32.
   */
  rampAfterSeconds: t.int8({ mode: 'number' }).array().notNull(),
  /**
   * Four multipliers of a bonus, in basis points, for wallets of increasing age. The first applies from age 0, the
   * others from the ages in `rampAfterSeconds`.
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
   * Sum of the tokens that calls of the contract's function fundReserve added to the reserve since the start, base
   * units. The contract logs no event for a plain transfer of tokens, which is a row of `arrival` instead.
   */
  totalFunded: t.bigint().notNull(),
  /** Sum of the tokens that the programme's owner withdrew from the reserve since the start, base units. */
  totalTaken: t.bigint().notNull(),
}))

/** One row per account that the bonus programme has recorded as a participant of a task. Key: the address. */
export const bonusAccount = onchainTable('bonus_account', (t) => ({
  /** Address of the wallet. */
  account: t.hex().primaryKey(),
  /** Time of the account's first recorded interaction, Unix seconds. The age of the wallet counts from this time. */
  firstSeen: t.int8({ mode: 'bigint' }).notNull(),
  /** Number of the epoch to which `workerUsd` and `requesterUsd` belong. In any other epoch both sums count as zero. */
  epoch: t.integer().notNull(),
  /** Value of the account's credits as a worker in `epoch` that counts against the caps, USDC base units. */
  workerUsd: t.bigint().notNull(),
  /** Value of the account's credits as a requester in `epoch` that counts against the caps, USDC base units. */
  requesterUsd: t.bigint().notNull(),
  /** Amount that the account can withdraw now, base units of the token. */
  claimable: t.bigint().notNull(),
  /** Sum of all credits to the account, base units of the token. */
  creditedTotal: t.bigint().notNull(),
  /** Sum of all withdrawals of the account, base units of the token. */
  withdrawnTotal: t.bigint().notNull(),
  /** Number of withdrawals of the account, which is also the ordinal of its next row in `bonus_withdrawal`. */
  withdrawalCount: t.integer().notNull(),
  ...position(t),
}))

/**
 * One row per task: the bonus rates that the programme locked when a worker was last assigned to the task. Key: the
 * task id. A later assignment replaces the row. The row has no effect if `round` differs from `task.claimRound`.
 */
export const bonusLock = onchainTable('bonus_lock', (t) => ({
  /** The task. */
  taskId: t.hex().primaryKey(),
  /** Worker who was assigned. */
  worker: t.hex().notNull(),
  /** Claim round of the assignment: the number of the task's claims that were forfeited before the assignment. */
  round: t.integer().notNull(),
  /** Payable amount of the task before fees, USDC base units. */
  price: t.bigint().notNull(),
  /** Value of the bonus if an award pays the whole `price`, USDC base units. */
  usdValue: t.bigint().notNull(),
  /** Rate at the assignment: base units of the token for one whole USDC. */
  tokenPerUsdc: t.bigint().notNull(),
  /** Value of a bonus at the assignment, in basis points of the gross award. */
  bonusBps: t.integer().notNull(),
  /** The worker's share of the bonus at the assignment, in basis points of the bonus. */
  workerSplitBps: t.integer().notNull(),
  ...position(t),
}))

/**
 * One row per completed task whose awards the programme processed, with the programme's settings at the completion. A
 * contest's awards use `tokenPerUsdc`, `bonusBps` and `workerSplitBps` of this row. The awards of other tasks use the
 * rates in `bonus_lock`. Key: the task id.
 */
export const bonusCompletion = onchainTable('bonus_completion', (t) => ({
  /** The task. */
  taskId: t.hex().primaryKey(),
  /** Rate at the completion: base units of the token for one whole USDC. */
  tokenPerUsdc: t.bigint().notNull(),
  /** Value of a bonus at the completion, in basis points of the gross award. */
  bonusBps: t.integer().notNull(),
  /** The worker's share of a bonus at the completion, in basis points of the bonus. */
  workerSplitBps: t.integer().notNull(),
  /**
   * Maximum value of an award's bonus, in basis points of the award's platform fee. The contract stores it as a uint32.
   */
  maxBonusPerFeeBps: t.int8({ mode: 'number' }).notNull(),
  /**
   * Maximum of the rate in `bonus_lock`, in basis points of `tokenPerUsdc` of this row. The contract stores it as a
   * uint32.
   */
  maxRateDriftBps: t.int8({ mode: 'number' }).notNull(),
  ...position(t),
}))

/**
 * One row per credited side of an award. The sides are the worker and the requester, who each get a part of the award's
 * bonus. Key: `<taskId>:<rank>:<role>`.
 */
export const bonusCredit = onchainTable(
  'bonus_credit',
  (t) => ({
    /** `<taskId>:<rank>:<role>`. */
    id: t.text().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Rank of the award in its task; 1 is the primary award. */
    rank: t.integer().notNull(),
    /** Side of the award that was credited: worker or requester. */
    role: t.text().notNull(),
    /** Account that was credited. */
    account: t.hex().notNull(),
    /**
     * Value of the whole award's bonus, USDC base units: the worker's and the requester's part together, after the
     * bound by the platform fee. The rows of both sides repeat the value.
     */
    usdBonus: t.bigint().notNull(),
    /** Value of this credit, which counts against the caps, USDC base units. */
    usdCredited: t.bigint().notNull(),
    /** Rate of the credit: base units of the token for one whole USDC. */
    tokenPerUsdc: t.bigint().notNull(),
    /** Tokens of this side before the multiplier, the caps and the reserve limit them, base units. */
    share: t.bigint().notNull(),
    /** Multiplier for the age of the account's wallet, basis points. */
    multiplierBps: t.integer().notNull(),
    /** Tokens that the account can withdraw because of this credit, base units. */
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
 * One row per award that earned no bonus at all, and one row per side (worker or requester) that earned no part of an
 * award's bonus. Key: `<taskId>:<rank>:<role>`.
 */
export const bonusSkip = onchainTable(
  'bonus_skip',
  (t) => ({
    /** `<taskId>:<rank>:<role>`. */
    id: t.text().primaryKey(),
    /** The task. */
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
    /** `<account>:<ordinal>`. */
    id: t.text().primaryKey(),
    /** Account whose bonus was withdrawn. */
    account: t.hex().notNull(),
    /** Account that received the tokens. */
    destination: t.hex().notNull(),
    /** Amount in base units of the token. */
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
