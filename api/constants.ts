/**
 * The quotas and times of the service in one table: clients' rates, costs of the service, durations. No operator sets
 * them; the setting QUOTAS multiplies rates and bytes. Tests and local stacks replace some (LOCAL_CONSTANTS).
 */
export type Constants = typeof rates & typeof guards & typeof budgets & typeof bounds

/** The rates of one client, and bytes. They follow the service's capacity; no money or secret depends on them. */
export const rates = {
  READS_PER_MINUTE: 600,
  /** Writes that carry no valid payment. */
  WRITES_PER_MINUTE: 60,
  /** Reads of intents without an identity. */
  INTENT_READS_PER_MINUTE: 120,
  /** Analysts' queries, in each process. */
  SQL_PER_MINUTE: 30,
  DEVICES_PER_HOUR: 10,
  /** Switches of wallets' consent (docs/internals/security.md). */
  CONSENTS_PER_HOUR: 30,
  /** Open uploads of one worker from one client IP; the IP alone may have five times that. */
  UPLOADS_OPEN: 20,
  /** Bytes that a worker may store a day; the other accounts of bytes are multiples of it (byte-accounts.ts). */
  WORKER_BYTES_PER_DAY: 2 * 1024 ** 3,
}

/** The limits that protect a secret: a higher one makes it easier to guess, so no factor applies. */
export const guards = {
  /** Passwords of private tasks that one client IP may try, and that all clients may try on one task id. */
  ACCESS_TRIES_PER_HOUR: 20,
  TASK_ACCESS_TRIES_PER_HOUR: 10,
  /** Wrong read identities of one client IP that are verified. */
  WRONG_IDENTITIES_PER_MINUTE: 60,
  /** Requests of one client IP that set or change a withdrawal address, or reveal a recovery code. */
  WITHDRAWAL_ADDRESSES_PER_HOUR: 30,
  /** Wrong recovery codes: for one wallet (twice: by its own read identity, and by all others), and for all wallets. */
  RECOVERY_TRIES_PER_DAY: 5,
  ALL_RECOVERY_TRIES_PER_DAY: 200,
  /** Tests of webhooks that one client IP requests: each is a request to a host of its choice. */
  WEBHOOK_TESTS_PER_HOUR: 60,
}

/** The limits on the service's costs for others: a higher one costs money, so no factor applies. */
export const budgets = {
  /** Submissions of one worker to one task: the free ones, and the most. */
  FREE_SUBMISSIONS: 5,
  SUBMISSION_CEILING: 100,
  FREE_RELAYS_PER_DAY: 200,
  /**
   * Gas of free relays in a day, of all clients together: exits (verdicts, credits, withdrawals, claims of rewards),
   * entries of wallets that have paid for a write or earned an award, entries of others. One client has
   * FREE_GAS_CLIENT_PERCENT of each.
   */
  FREE_EXIT_GAS_PER_DAY: 1_000_000_000,
  FREE_ENTRY_GAS_PER_DAY: 1_000_000_000,
  FREE_NEWCOMER_GAS_PER_DAY: 400_000_000,
  FREE_GAS_CLIENT_PERCENT: 5,
  /** Paid writes of one client IP that may revert on chain: they cost gas, and their payer is charged nothing. */
  REVERTED_WRITES_PER_HOUR: 60,
  /** The gas estimate above which a call is refused with the advice to send it directly. */
  MAX_RELAY_GAS: 10_000_000,
  /**
   * Gas of a call that runs code of other accounts (contract wallets, hooks of the requester), and the cost of all such
   * calls in a day, wei. An account that owns this code and has paid platform fees may use an allowance instead: this
   * many wei for each USDC of fees.
   */
  FOREIGN_GAS: 600_000,
  FOREIGN_WEI_PER_DAY: 10n ** 16n,
  FOREIGN_WEI_PER_FEE_USDC: 3n * 10n ** 13n,
  /**
   * The value of one USDC in wei, at 4,000 USDC per ether. A refund to a contract, or one that reverted before, is
   * automatic only while its gas is worth less than the refund; a price that is wrong by a few times changes little.
   */
  WEI_PER_USDC: 250_000_000_000_000,
  /**
   * Identities that the service mints in a day: for one client IP, for all, and more for wallets that use the market.
   */
  MINTS_PER_CLIENT_PER_DAY: 5,
  MINTS_PER_DAY: 200,
  RESERVED_MINTS_PER_DAY: 50,
  /** Calls of the keeper for all vaults without a curator's approval, in 24 hours. */
  UNAPPROVED_SETTLEMENTS_PER_DAY: 50,
  /** Webhooks of one wallet, of one client IP, and of all with a verified URL. */
  WEBHOOKS_PER_WALLET: 5,
  WEBHOOKS_PER_CLIENT: 5,
  WEBHOOKS: 1_000,
}

/** The times, in milliseconds unless the name has another unit, and the reserve of the disk. */
export const bounds = {
  /** The time after which a request without an answer gets an error; longer than a slow body takes. */
  ANSWER_LIMIT_MS: 130_000,
  /** The wait for the next 64 KiB after which an upload ends. */
  UPLOAD_STALL_MS: 30_000,
  /** The longest upload: 500 MB at 140 kB/s. */
  UPLOAD_LIMIT_MS: 3_600_000,
  /** The lifetime of an upload URL, seconds. */
  UPLOAD_URL_SECONDS: 3_600,
  /**
   * The time for which a submission reads its uploads before its caller must repeat it; the chain needs the remaining
   * time of the answer.
   */
  UPLOAD_READ_MS: 27_000,
  /** The lifetime of files that no write needs, longer than an upload can last, seconds. */
  FILE_RETENTION_SECONDS: 86_400,
  /** The interval of their deletion. */
  FILE_SWEEP_MS: 60_000,
  /** Bytes of ARTIFACT_DIR's disk that files leave free, for logs and other data on it. */
  STORAGE_RESERVE_BYTES: 268_435_456,
  /** The age of a relayed transaction without a receipt at which it is sent again: two blocks. */
  RESEND_AFTER_MS: 4_000,
  /**
   * The age of a transaction at the head of its nonce sequence at which it is replaced with higher fees: ten blocks.
   */
  REPLACE_AFTER_MS: 20_000,
  /** The wait of a device's registration for its wallet's agent id. */
  MINT_ANSWER_MS: 5_000,
  /** The pause between cycles of the keeper, which opens the claims of credited vault rewards. */
  KEEPER_INTERVAL_MS: 30_000,
  /** The longest analysts' query; the reader's login has the same limit. */
  SQL_QUERY_MS: 8_000,
  /** The longest end of a process after its drain: process managers kill after 10 s. */
  SHUTDOWN_MS: 9_000,
}

/**
 * Returns the table with rates and bytes multiplied by a factor. Example: `constantsOf(2).READS_PER_MINUTE` is 1200.
 */
export function constantsOf(factor: number): Constants {
  const scaled = Object.entries(rates).map(([name, value]) => [name, Math.max(1, Math.floor(value * factor))])
  return { ...guards, ...budgets, ...bounds, ...(Object.fromEntries(scaled) as typeof rates) }
}
