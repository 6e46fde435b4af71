import { index, onchainTable } from 'ponder'
import { position } from './position.ts'

/**
 * One row: the programme of token bonuses, with its settings after its last event. Key: `bonus`. A deployment without a
 * programme has no row. Amounts of the token are base units; rates are base units for one USDC.
 */
export const bonusProgramme = onchainTable('bonus_programme', (t) => ({
  /** Always `bonus`. */
  id: t.text().primaryKey(),
  /** Address of the programme's contract, as in lists of hooks. */
  hook: t.hex().notNull(),
  /** Address of the market that it serves. */
  market: t.hex().notNull(),
  /** Address of the reward token. */
  token: t.hex().notNull(),
  /** Decimals that the token reported when the programme was deployed. */
  tokenDecimals: t.integer().notNull(),
  /** Start of epoch 0, Unix seconds. */
  startedAt: t.int8({ mode: 'bigint' }).notNull(),
  /** Length of an epoch, seconds. */
  epochSeconds: t.int8({ mode: 'bigint' }).notNull(),
  /** Base units of the token for one USDC; zero: no bonus. */
  tokenPerUsdc: t.bigint().notNull(),
  /** Value of a bonus, basis points of the gross award. */
  bonusBps: t.integer().notNull(),
  /** The worker's share of a bonus, basis points; the requester gets the other part. */
  workerSplitBps: t.integer().notNull(),
  /**
   * Bound on the value of an award's bonus, basis points of its platform fee. A uint32 on chain, which an integer
   * column cannot hold.
   */
  maxBonusPerFeeBps: t.int8({ mode: 'number' }).notNull(),
  /** Bound on a locked rate, basis points of the current rate. A uint32 on chain. */
  maxRateDriftBps: t.int8({ mode: 'number' }).notNull(),
  /** Cap on the credits of an epoch to all accounts, USDC base units. */
  globalUsdCap: t.bigint().notNull(),
  /** Cap on the credits of an epoch to one account as a worker, USDC base units. */
  workerUsdCap: t.bigint().notNull(),
  /** Cap on the credits of an epoch to one account as a requester, USDC base units. */
  requesterUsdCap: t.bigint().notNull(),
  /** Cap on the credits of one task, USDC base units. */
  taskUsdCap: t.bigint().notNull(),
  /** Cap on the credits of an epoch to all accounts, base units of the token. */
  globalTokenCap: t.bigint().notNull(),
  /** Ages of a wallet from which the second, third and fourth multiplier apply, seconds. Each is a uint32 on chain. */
  rampAfterSeconds: t.int8({ mode: 'number' }).array().notNull(),
  /** The four multipliers of a bonus by the age of the wallet, basis points; the first applies from age 0. */
  rampMultiplierBps: t.integer().array().notNull(),
  /** Sum that all accounts can claim, base units of the token; equals the contract's totalClaimable. */
  totalClaimable: t.bigint().notNull(),
  /** Sum of all credits ever, base units of the token. */
  totalCredited: t.bigint().notNull(),
  /** Sum of all withdrawals ever, base units of the token. */
  totalWithdrawn: t.bigint().notNull(),
  /**
   * Sum that calls added to the reserve ever, base units of the token. Plain transfers to the programme are in
   * `arrival`: it logs no event for them.
   */
  totalFunded: t.bigint().notNull(),
  /** Sum that the owner took out of the reserve ever, base units of the token. */
  totalTaken: t.bigint().notNull(),
}))

/** One row per account that interacted with the programme. Key: the address. */
export const bonusAccount = onchainTable('bonus_account', (t) => ({
  /** Address of the wallet. */
  account: t.hex().primaryKey(),
  /** Time of its first interaction, Unix seconds. The age of the wallet counts from it. */
  firstSeen: t.int8({ mode: 'bigint' }).notNull(),
  /** Epoch of `workerUsd` and `requesterUsd`. In any other epoch both are zero. */
  epoch: t.integer().notNull(),
  /** Credits to it as a worker in that epoch that count against the caps, USDC base units. */
  workerUsd: t.bigint().notNull(),
  /** Credits to it as a requester in that epoch that count against the caps, USDC base units. */
  requesterUsd: t.bigint().notNull(),
  /** Amount that it can withdraw now, base units of the token. */
  claimable: t.bigint().notNull(),
  /** Sum of its credits ever, base units of the token. */
  creditedTotal: t.bigint().notNull(),
  /** Sum of its withdrawals ever, base units of the token. */
  withdrawnTotal: t.bigint().notNull(),
  /** Number of its withdrawals: the next ordinal of `bonus_withdrawal`. */
  withdrawalCount: t.integer().notNull(),
  ...position(t),
}))

/**
 * One row per task whose assignment the programme recorded, with the rates at that time. Key: the task id. A later
 * assignment replaces the row. A row of another round than the task's does not count.
 */
export const bonusLock = onchainTable('bonus_lock', (t) => ({
  /** The task. */
  taskId: t.hex().primaryKey(),
  /** Worker who was assigned. */
  worker: t.hex().notNull(),
  /** Round of claims of the assignment: the number of claims forfeited before it. */
  round: t.integer().notNull(),
  /** Payable amount of the task, USDC base units. */
  price: t.bigint().notNull(),
  /** Value of the bonus of the whole price, USDC base units. */
  usdValue: t.bigint().notNull(),
  /** Base units of the token for one USDC at the assignment. */
  tokenPerUsdc: t.bigint().notNull(),
  /** Value of the bonus at the assignment, basis points of the gross award. */
  bonusBps: t.integer().notNull(),
  /** The worker's share of the bonus at the assignment, basis points. */
  workerSplitBps: t.integer().notNull(),
  ...position(t),
}))

/**
 * One row per completed task whose awards reached the programme, with the programme's settings at the completion. The
 * rates apply to the awards of a contest, the bounds to every award. Key: the task id.
 */
export const bonusCompletion = onchainTable('bonus_completion', (t) => ({
  /** The task. */
  taskId: t.hex().primaryKey(),
  /** Base units of the token for one USDC at the completion. */
  tokenPerUsdc: t.bigint().notNull(),
  /** Value of a bonus at the completion, basis points of the gross award. */
  bonusBps: t.integer().notNull(),
  /** The worker's share of a bonus at the completion, basis points. */
  workerSplitBps: t.integer().notNull(),
  /** Bound on the value of an award's bonus, basis points of its platform fee. A uint32 on chain. */
  maxBonusPerFeeBps: t.int8({ mode: 'number' }).notNull(),
  /** Bound on a locked rate, basis points of the rate at the completion. A uint32 on chain. */
  maxRateDriftBps: t.int8({ mode: 'number' }).notNull(),
  ...position(t),
}))

/** One row per credited side of an award. Key: `<taskId>:<rank>:<role>`. */
export const bonusCredit = onchainTable(
  'bonus_credit',
  (t) => ({
    /** `<taskId>:<rank>:<role>`. */
    id: t.text().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Rank of the award in its task; 1 is the primary award. */
    rank: t.integer().notNull(),
    /** Side of the award: worker or requester. */
    role: t.text().notNull(),
    /** Account that was credited. */
    account: t.hex().notNull(),
    /**
     * Value of the bonus of the whole award, both sides, after the bound on the fee, USDC base units. Both rows of an
     * award repeat it.
     */
    usdBonus: t.bigint().notNull(),
    /** Value of this side that counts against the caps, USDC base units. */
    usdCredited: t.bigint().notNull(),
    /** Rate of the credit: base units of the token for one USDC. */
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

/** One row per award, or side of an award, that earned nothing. Key: `<taskId>:<rank>:<role>`. */
export const bonusSkip = onchainTable(
  'bonus_skip',
  (t) => ({
    /** `<taskId>:<rank>:<role>`. */
    id: t.text().primaryKey(),
    /** The task. */
    taskId: t.hex().notNull(),
    /** Rank of the award in its task; 1 is the primary award. */
    rank: t.integer().notNull(),
    /** Side of the award: worker, requester, or award where the whole award earned nothing. */
    role: t.text().notNull(),
    /** Account that earned nothing; the worker where the whole award earned nothing. */
    account: t.hex().notNull(),
    /**
     * Reason: self_award, no_lock, no_rate, fee_bound, too_small, wallet_age, account_cap, task_cap, global_cap,
     * token_cap or reserve.
     */
    reason: t.text().notNull(),
    ...position(t),
  }),
  (table) => ({ byTask: index().on(table.taskId), byReason: index().on(table.reason, table.blockTimestamp) }),
)

/** One row per withdrawal. Key: `<account>:<ordinal>`, ordinal from 0 within the account. */
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
    /** Nonce of the signed message; null: the account called itself. */
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

/** One row per epoch with a credit. Key: its number, from 0. */
export const bonusEpoch = onchainTable('bonus_epoch', (t) => ({
  /** Number of the epoch, from 0. */
  epoch: t.integer().primaryKey(),
  /** Credits of the epoch that count against the caps, USDC base units. */
  usd: t.bigint().notNull(),
  /** Credits of the epoch, base units of the token. */
  tokens: t.bigint().notNull(),
  /** Number of credits: rows of `bonus_credit`. */
  creditCount: t.integer().notNull(),
}))
