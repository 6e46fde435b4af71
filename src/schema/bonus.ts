import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row: the programme of token bonuses, its settings as its events left them. Key: `bonus`. There is none where no
 * programme was deployed. Amounts of the token are its base units; rates are base units for one USDC.
 */
export const bonusProgramme = onchainTable('bonus_programme', (t) => ({
  /** Always `bonus`. */
  id: t.text().primaryKey(),
  /** Address of the contract of the programme, as lists of hooks name it. */
  hook: t.hex().notNull(),
  /** Address of the market that it serves. */
  market: t.hex().notNull(),
  /** Address of the reward token. */
  token: t.hex().notNull(),
  /** Decimals that the token answered when the programme was deployed. */
  tokenDecimals: t.integer().notNull(),
  /** Unix seconds from which epochs count. */
  startedAt: t.int8({ mode: 'bigint' }).notNull(),
  /** Length of an epoch, seconds. */
  epochSeconds: t.int8({ mode: 'bigint' }).notNull(),
  /** Base units of the token for one USDC; zero: no bonus. */
  tokenPerUsdc: t.bigint().notNull(),
  /** Value of a bonus, basis points of the gross award. */
  bonusBps: t.integer().notNull(),
  /** The worker's part of a bonus, basis points; the rest is the requester's. */
  workerSplitBps: t.integer().notNull(),
  /**
   * An award's bonus is worth at most this part of its platform fee, basis points. A uint32 on chain, which no integer
   * column holds.
   */
  maxBonusPerFeeBps: t.int8({ mode: 'number' }).notNull(),
  /** A locked rate counts at most this part of the present rate, basis points. A uint32 too. */
  maxRateDriftBps: t.int8({ mode: 'number' }).notNull(),
  /** Credited at most in an epoch to all accounts, USDC base units. */
  globalUsdCap: t.bigint().notNull(),
  /** Credited at most in an epoch to one account as a worker, USDC base units. */
  workerUsdCap: t.bigint().notNull(),
  /** Credited at most in an epoch to one account as a requester, USDC base units. */
  requesterUsdCap: t.bigint().notNull(),
  /** Credited at most for one task, USDC base units. */
  taskUsdCap: t.bigint().notNull(),
  /** Credited at most in an epoch to all accounts, base units of the token. */
  globalTokenCap: t.bigint().notNull(),
  /** Ages of a wallet, seconds, from which the second, third and fourth multiplier hold. Each a uint32. */
  rampAfterSeconds: t.int8({ mode: 'number' }).array().notNull(),
  /** The four multipliers of a bonus by the age of the wallet, basis points; the first holds from age 0. */
  rampMultiplierBps: t.integer().array().notNull(),
  /** What all accounts can claim, base units of the token: equals the contract's totalClaimable. */
  totalClaimable: t.bigint().notNull(),
  /** Credited to all accounts ever, base units of the token. */
  totalCredited: t.bigint().notNull(),
  /** Withdrawn by all accounts ever, base units of the token. */
  totalWithdrawn: t.bigint().notNull(),
  /**
   * Put into the reserve by calls ever, base units of the token. The programme logs no plain transfer: `arrival` has
   * these.
   */
  totalFunded: t.bigint().notNull(),
  /** Taken out of the reserve by its owner ever, base units of the token. */
  totalTaken: t.bigint().notNull(),
}))

/** One row an account that the programme has seen. Key: the address. */
export const bonusAccount = onchainTable('bonus_account', (t) => ({
  /** The wallet. */
  account: t.hex().primaryKey(),
  /** Unix seconds of its first interaction, from which its age counts. */
  firstSeen: t.int8({ mode: 'bigint' }).notNull(),
  /** The epoch of `workerUsd` and `requesterUsd`, which are zero in any other. */
  epoch: t.integer().notNull(),
  /** Credited to it as a worker in that epoch, USDC base units that count against the caps. */
  workerUsd: t.bigint().notNull(),
  /** Credited to it as a requester in that epoch, USDC base units that count against the caps. */
  requesterUsd: t.bigint().notNull(),
  /** What it can withdraw now, base units of the token. */
  claimable: t.bigint().notNull(),
  /** Credited to it ever, base units of the token. */
  creditedTotal: t.bigint().notNull(),
  /** Withdrawn by it ever, base units of the token. */
  withdrawnTotal: t.bigint().notNull(),
  /** How many withdrawals there are: the next ordinal of `bonus_withdrawal`. */
  withdrawalCount: t.integer().notNull(),
  ...position(t),
}))

/**
 * One row a task whose worker's assignment was recorded. Key: the task id. A later assignment replaces it; one of
 * another round than the task's does not count.
 */
export const bonusLock = onchainTable('bonus_lock', (t) => ({
  /** The task. */
  taskId: t.hex().primaryKey(),
  /** Who was assigned. */
  worker: t.hex().notNull(),
  /** The round of claims of the assignment: how many claims had been forfeited before. */
  round: t.integer().notNull(),
  /** What the task pays, USDC base units. */
  price: t.bigint().notNull(),
  /** Value of the bonus of the whole price, USDC base units. */
  usdValue: t.bigint().notNull(),
  /** Base units of the token for one USDC at the assignment. */
  tokenPerUsdc: t.bigint().notNull(),
  /** Value of the bonus at the assignment, basis points of the gross award. */
  bonusBps: t.integer().notNull(),
  /** The worker's part of the bonus at the assignment, basis points. */
  workerSplitBps: t.integer().notNull(),
  ...position(t),
}))

/**
 * One row a completed task whose awards the programme was told of: its terms at that time, which the awards of a contest
 * earned by, and its bounds, which hold for every award. Key: the task id.
 */
export const bonusCompletion = onchainTable('bonus_completion', (t) => ({
  /** The task. */
  taskId: t.hex().primaryKey(),
  /** Base units of the token for one USDC at the completion. */
  tokenPerUsdc: t.bigint().notNull(),
  /** Value of a bonus at the completion, basis points of the gross award. */
  bonusBps: t.integer().notNull(),
  /** The worker's part of a bonus at the completion, basis points. */
  workerSplitBps: t.integer().notNull(),
  /** An award's bonus is worth at most this part of its platform fee, basis points. A uint32 on chain. */
  maxBonusPerFeeBps: t.int8({ mode: 'number' }).notNull(),
  /** A locked rate counts at most this part of the rate at the completion, basis points. A uint32 on chain. */
  maxRateDriftBps: t.int8({ mode: 'number' }).notNull(),
  ...position(t),
}))

/** One row a side of an award that was credited. Key: `<taskId>:<rank>:<role>`. */
export const bonusCredit = onchainTable(
  'bonus_credit',
  (t) => ({
    /** `<taskId>:<rank>:<role>`. */
    id: t.text().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Rank of the award in its task; 1 is the primary award. */
    rank: t.integer().notNull(),
    /** worker or requester. */
    role: t.text().notNull(),
    /** Who was credited. */
    account: t.hex().notNull(),
    /**
     * Value of the whole award's bonus after the bound on the fee, both sides, USDC base units: the rows of two sides
     * of an award repeat it.
     */
    usdBonus: t.bigint().notNull(),
    /** Value of this side that counts against the caps, USDC base units. */
    usdCredited: t.bigint().notNull(),
    /** Base units of the token for one USDC that were used. */
    tokenPerUsdc: t.bigint().notNull(),
    /** Tokens of this side before the multiplier, the caps and the reserve, base units. */
    share: t.bigint().notNull(),
    /** Multiplier by the age of the wallet, basis points. */
    multiplierBps: t.integer().notNull(),
    /** Tokens that became claimable, base units. */
    credited: t.bigint().notNull(),
    /** Epoch of the credit, from 0. */
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

/** One row an award, or a side of one, that earned nothing. Key: `<taskId>:<rank>:<role>`. */
export const bonusSkip = onchainTable(
  'bonus_skip',
  (t) => ({
    /** `<taskId>:<rank>:<role>`. */
    id: t.text().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Rank of the award in its task; 1 is the primary award. */
    rank: t.integer().notNull(),
    /** award (the whole award earned nothing), worker or requester. */
    role: t.text().notNull(),
    /** Who earned nothing; the worker where the whole award earned nothing. */
    account: t.hex().notNull(),
    /**
     * self_award, no_lock, no_rate, fee_bound, too_small, wallet_age, account_cap, task_cap, global_cap, token_cap or
     * reserve.
     */
    reason: t.text().notNull(),
    ...position(t),
  }),
  (table) => ({ byTask: index().on(table.taskId), byReason: index().on(table.reason, table.blockTimestamp) }),
)

/** One row a withdrawal. Key: `<account>:<ordinal>`, ordinal from 0 within the account. */
export const bonusWithdrawal = onchainTable(
  'bonus_withdrawal',
  (t) => ({
    /** `<account>:<ordinal>`. */
    id: t.text().primaryKey(),
    /** Whose bonus was withdrawn. */
    account: t.hex().notNull(),
    /** Who received the tokens. */
    destination: t.hex().notNull(),
    /** Base units of the token. */
    amount: t.bigint().notNull(),
    /** Of the signed message; null: the account called itself. */
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

/** One row an epoch with a credit. Key: its number, from 0. */
export const bonusEpoch = onchainTable('bonus_epoch', (t) => ({
  /** Number of the epoch, from 0. */
  epoch: t.integer().primaryKey(),
  /** Credited in it, USDC base units that count against the caps. */
  usd: t.bigint().notNull(),
  /** Credited in it, base units of the token. */
  tokens: t.bigint().notNull(),
  /** How many credits: rows of `bonus_credit`. */
  creditCount: t.integer().notNull(),
}))
