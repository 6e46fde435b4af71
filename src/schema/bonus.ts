import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row: the programme of token bonuses, its settings as its events left them. Key: `bonus`. There is none where no
 * programme was deployed. Amounts of the token are its base units; rates are base units for one USDC.
 */
export const bonusProgramme = onchainTable('bonus_programme', (t) => ({
  id: t.text().primaryKey(),
  /** The programme itself, as lists of hooks name it. */
  hook: t.hex().notNull(),
  market: t.hex().notNull(),
  token: t.hex().notNull(),
  /** What the token answered when the programme was deployed. */
  tokenDecimals: t.integer().notNull(),
  /** Unix seconds from which epochs count. */
  startedAt: t.int8({ mode: 'bigint' }).notNull(),
  epochSeconds: t.int8({ mode: 'bigint' }).notNull(),
  /** Zero: no bonus. */
  tokenPerUsdc: t.bigint().notNull(),
  bonusBps: t.integer().notNull(),
  workerSplitBps: t.integer().notNull(),
  /** An award's bonus is worth at most this part of its platform fee. A uint32 on chain, which no integer column holds. */
  maxBonusPerFeeBps: t.int8({ mode: 'number' }).notNull(),
  /** A locked rate counts at most this part of the present rate. A uint32 too. */
  maxRateDriftBps: t.int8({ mode: 'number' }).notNull(),
  /** Caps of an epoch, USDC base units; of one account in each role, of one task. */
  globalUsdCap: t.bigint().notNull(),
  workerUsdCap: t.bigint().notNull(),
  requesterUsdCap: t.bigint().notNull(),
  taskUsdCap: t.bigint().notNull(),
  globalTokenCap: t.bigint().notNull(),
  /** Ages of a wallet, seconds, from which the second, third and fourth multiplier hold. Each a uint32. */
  rampAfterSeconds: t.int8({ mode: 'number' }).array().notNull(),
  rampMultiplierBps: t.integer().array().notNull(),
  /** What all accounts can claim: equals the contract's totalClaimable. */
  totalClaimable: t.bigint().notNull(),
  totalCredited: t.bigint().notNull(),
  totalWithdrawn: t.bigint().notNull(),
  /** Into the reserve and out of it by calls; transfers without one are not logged by the programme. */
  totalFunded: t.bigint().notNull(),
  totalTaken: t.bigint().notNull(),
}))

/** One row an account that the programme has seen. Key: the address. */
export const bonusAccount = onchainTable('bonus_account', (t) => ({
  account: t.hex().primaryKey(),
  /** Unix seconds of its first interaction, from which its age counts. */
  firstSeen: t.int8({ mode: 'bigint' }).notNull(),
  /** The epoch of the two sums, which are zero in any other. */
  epoch: t.integer().notNull(),
  /** Credited as a worker, and as a requester, in that epoch; USDC base units. */
  workerUsd: t.bigint().notNull(),
  requesterUsd: t.bigint().notNull(),
  claimable: t.bigint().notNull(),
  creditedTotal: t.bigint().notNull(),
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
  taskId: t.hex().primaryKey(),
  worker: t.hex().notNull(),
  round: t.integer().notNull(),
  /** What the task pays, USDC base units, and the bonus of it. */
  price: t.bigint().notNull(),
  usdValue: t.bigint().notNull(),
  tokenPerUsdc: t.bigint().notNull(),
  bonusBps: t.integer().notNull(),
  workerSplitBps: t.integer().notNull(),
  ...position(t),
}))

/**
 * One row a completed task whose awards the programme was told of: its terms at that time, which the awards of a contest
 * earned by, and its bounds, which hold for every award. Key: the task id.
 */
export const bonusCompletion = onchainTable('bonus_completion', (t) => ({
  taskId: t.hex().primaryKey(),
  tokenPerUsdc: t.bigint().notNull(),
  bonusBps: t.integer().notNull(),
  workerSplitBps: t.integer().notNull(),
  /** Each a uint32 on chain. */
  maxBonusPerFeeBps: t.int8({ mode: 'number' }).notNull(),
  maxRateDriftBps: t.int8({ mode: 'number' }).notNull(),
  ...position(t),
}))

/** One row a side of an award that was credited. Key: `<taskId>:<rank>:<role>`. */
export const bonusCredit = onchainTable(
  'bonus_credit',
  (t) => ({
    id: t.text().primaryKey(),
    taskId: t.hex().notNull(),
    rank: t.integer().notNull(),
    /** worker or requester. */
    role: t.text().notNull(),
    account: t.hex().notNull(),
    /** Value of the whole award's bonus after the bound on the fee, and what of it counts against the caps. */
    usdBonus: t.bigint().notNull(),
    usdCredited: t.bigint().notNull(),
    tokenPerUsdc: t.bigint().notNull(),
    /** Tokens of this side before the multiplier, the caps and the reserve; and those that became claimable. */
    share: t.bigint().notNull(),
    multiplierBps: t.integer().notNull(),
    credited: t.bigint().notNull(),
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
    id: t.text().primaryKey(),
    taskId: t.hex().notNull(),
    rank: t.integer().notNull(),
    /** award, worker or requester. */
    role: t.text().notNull(),
    /** The worker where the whole award earned nothing. */
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
    id: t.text().primaryKey(),
    account: t.hex().notNull(),
    destination: t.hex().notNull(),
    amount: t.bigint().notNull(),
    /** Of the signed message; null: the account called itself. */
    nonce: t.hex(),
    ...position(t),
  }),
  (table) => ({
    byAccount: index().on(table.account, table.blockNumber),
    byDestination: index().on(table.destination, table.blockNumber),
    byNonce: index().on(table.nonce),
  }),
)

/** One row an epoch with a credit. Key: its number, from 0. */
export const bonusEpoch = onchainTable('bonus_epoch', (t) => ({
  epoch: t.integer().primaryKey(),
  /** Credited in it: USDC base units that count against the caps, and tokens. */
  usd: t.bigint().notNull(),
  tokens: t.bigint().notNull(),
  creditCount: t.integer().notNull(),
}))
