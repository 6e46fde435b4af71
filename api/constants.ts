/**
 * The quotas and times of the service: rates of clients, limits of the service's costs, durations. Operators do not set
 * them; the setting QUOTAS multiplies the rates and bytes. Tests and local stacks replace some of them
 * (LOCAL_CONSTANTS).
 */
export type Constants = typeof rates & typeof guards & typeof budgets & typeof bounds

/**
 * The rates of one client, and quotas of bytes. The service's capacity decides their values. A higher value endangers
 * no money and no secret.
 */
export const rates = {
  READS_PER_MINUTE: 600,
  /** Writes without a valid payment. */
  WRITES_PER_MINUTE: 60,
  /** Reads of intents by callers without a read identity. */
  INTENT_READS_PER_MINUTE: 120,
  /** Queries of analysts; each process counts separately. */
  SQL_PER_MINUTE: 30,
  DEVICES_PER_HOUR: 10,
  /**
   * Changes that one client IP may make to the consent setting of wallets in an hour. The setting requires a proof of
   * consent for each payment of a wallet (docs/internals/security.md).
   */
  CONSENTS_PER_HOUR: 30,
  /**
   * The largest number of open uploads that one client IP may have for one worker. An upload is open while its URL is
   * valid and no submission has used the upload. For all workers together, one client IP may have five times as many.
   */
  UPLOADS_OPEN: 20,
  /**
   * Bytes that one worker may store in a day. Two other limits are computed from this number (byte-accounts.ts): the
   * bytes of one client in a day, and the bytes of one worker for one task.
   */
  WORKER_BYTES_PER_DAY: 2 * 1024 ** 3,
}

/**
 * The limits that protect secrets. The setting QUOTAS multiplies `rates`, but not these limits, because a higher limit
 * makes guessing easier.
 */
export const guards = {
  /**
   * Passwords of private tasks that one client IP may try. TASK_ACCESS_TRIES_PER_HOUR counts the tries of all clients
   * for one task id.
   */
  ACCESS_TRIES_PER_HOUR: 20,
  TASK_ACCESS_TRIES_PER_HOUR: 10,
  /** Read identities from one client IP that the service verifies and finds to be wrong. */
  WRONG_IDENTITIES_PER_MINUTE: 60,
  /** Requests of one client IP that set or change a withdrawal address, or return a recovery code. */
  WITHDRAWAL_ADDRESSES_PER_HOUR: 30,
  /**
   * Wrong recovery codes for one wallet. Requests with the wallet's read identity have one count, and requests without
   * it have another count. ALL_RECOVERY_TRIES_PER_DAY is the limit for all wallets together.
   */
  RECOVERY_TRIES_PER_DAY: 5,
  ALL_RECOVERY_TRIES_PER_DAY: 200,
  /** Tests of webhooks by one client IP. Each test is a request to a host that the client chooses. */
  WEBHOOK_TESTS_PER_HOUR: 60,
}

/**
 * The limits on costs that the service pays for other accounts. The setting QUOTAS multiplies `rates`, but not these
 * limits, because a higher limit costs money.
 */
export const budgets = {
  /**
   * Free submissions of one worker to one task. SUBMISSION_CEILING is the limit for free and paid submissions together.
   */
  FREE_SUBMISSIONS: 5,
  SUBMISSION_CEILING: 100,
  FREE_RELAYS_PER_DAY: 200,
  /**
   * The gas of free relays in a day, for all clients together.
   * - FREE_EXIT_GAS_PER_DAY: verdicts, credits, withdrawals and claims of rewards
   * - FREE_ENTRY_GAS_PER_DAY: all other calls of wallets that have paid for a write or earned an award
   * - FREE_NEWCOMER_GAS_PER_DAY: all other calls of the remaining wallets
   *
   * One client may use FREE_GAS_CLIENT_PERCENT of each limit.
   */
  FREE_EXIT_GAS_PER_DAY: 1_000_000_000,
  FREE_ENTRY_GAS_PER_DAY: 1_000_000_000,
  FREE_NEWCOMER_GAS_PER_DAY: 400_000_000,
  FREE_GAS_CLIENT_PERCENT: 5,
  /** Paid writes of one client IP that revert on chain. They cost gas, but their payer is not charged. */
  REVERTED_WRITES_PER_HOUR: 60,
  /** The gas estimate above which the service refuses to relay a call and advises a direct call. */
  MAX_RELAY_GAS: 10_000_000,
  /**
   * The gas limit of a call that runs code of other accounts (contract wallets, hooks of the requester).
   * FOREIGN_WEI_PER_DAY is the cost in wei of all these calls in a day. An account that owns such code and has paid
   * platform fees has a separate allowance: FOREIGN_WEI_PER_FEE_USDC wei for each USDC of fees.
   */
  FOREIGN_GAS: 600_000,
  FOREIGN_WEI_PER_DAY: 10n ** 16n,
  FOREIGN_WEI_PER_FEE_USDC: 3n * 10n ** 13n,
  /**
   * The value of one USDC in wei, at 4,000 USDC per ether. The relayer compares a refund's value with the cost of its
   * gas. If the refund goes to a contract, or if the refund reverted before, the relayer sends the refund automatically
   * only if the gas costs no more than the refund. The value need not be precise.
   */
  WEI_PER_USDC: 250_000_000_000_000,
  /**
   * Identities that the service mints in a day for one client IP. MINTS_PER_DAY is the limit for all clients. If one of
   * these limits is reached, wallets that have used the market can still get RESERVED_MINTS_PER_DAY identities in
   * total.
   */
  MINTS_PER_CLIENT_PER_DAY: 5,
  MINTS_PER_DAY: 200,
  RESERVED_MINTS_PER_DAY: 50,
  /**
   * The largest number of calls that the keeper makes in 24 hours for all unapproved vaults together. An unapproved
   * vault is a vault that no curator approved.
   */
  UNAPPROVED_SETTLEMENTS_PER_DAY: 50,
  /**
   * The number of webhooks of one wallet. WEBHOOKS_PER_CLIENT is the limit for one client IP. WEBHOOKS is the limit for
   * all webhooks with a verified URL.
   */
  WEBHOOKS_PER_WALLET: 5,
  WEBHOOKS_PER_CLIENT: 5,
  WEBHOOKS: 1_000,
}

/** Time limits, and the free space that the disk must keep. Times are in milliseconds if the name has no other unit. */
export const bounds = {
  /**
   * The time after which a request without an answer receives an error. It is longer than the time that a client has to
   * send a request's body (BODY_TIMEOUT_MS, main.ts), so a slow body is not cut off.
   */
  ANSWER_LIMIT_MS: 130_000,
  /**
   * The time that a write has in addition to WRITE_ANSWER_MS if the database or a node does not answer. After it the
   * service answers, even if stages of the write are still running.
   */
  WRITE_GRACE_MS: 2_000,
  /** The longest wait for the next 64 KiB of an upload; after it the upload is aborted. */
  UPLOAD_STALL_MS: 30_000,
  /** The longest duration of an upload, which suffices for 500 MB at 140 kB/s. */
  UPLOAD_LIMIT_MS: 3_600_000,
  /** The lifetime of an upload URL in seconds. */
  UPLOAD_URL_SECONDS: 3_600,
  /**
   * The time in which a submission may read its uploads. After this time, the caller must repeat the request. The time
   * is shorter than the time limit of the whole request, because the transaction is sent only after the uploads are
   * read.
   */
  UPLOAD_READ_MS: 27_000,
  /** The time for which unused files are kept, in seconds. It is longer than an upload can take. */
  FILE_RETENTION_SECONDS: 86_400,
  /** The interval between two deletions of unused files. */
  FILE_SWEEP_MS: 60_000,
  /** The bytes on the disk of ARTIFACT_DIR that stored files leave free for logs and other data. */
  STORAGE_RESERVE_BYTES: 268_435_456,
  /** The age at which a relayed transaction without a receipt is sent again: two blocks. */
  RESEND_AFTER_MS: 4_000,
  /**
   * The age at which a relayer's pending transaction with the lowest nonce is replaced with higher fees: ten blocks.
   */
  REPLACE_AFTER_MS: 20_000,
  /** The longest time for which a device's registration waits for the wallet's agent id. */
  MINT_ANSWER_MS: 5_000,
  /** The pause between cycles of the keeper. The keeper calls the vaults so that workers can claim credited rewards. */
  KEEPER_INTERVAL_MS: 30_000,
  /** The time limit of an analyst's query. The database login of the reader has the same limit. */
  SQL_QUERY_MS: 8_000,
  /**
   * The longest time from the end of the drain (SHUTDOWN_DRAIN_MS) to the end of the process. Process managers kill a
   * process after 10 seconds.
   */
  SHUTDOWN_MS: 9_000,
}

/**
 * Returns all constants, with rates and bytes multiplied by a factor. Example: `constantsOf(2).READS_PER_MINUTE` is
 * 1200.
 */
export function constantsOf(factor: number): Constants {
  const scaledRates = Object.entries(rates).map(([name, value]) => [name, Math.max(1, Math.floor(value * factor))])
  return { ...guards, ...budgets, ...bounds, ...(Object.fromEntries(scaledRates) as typeof rates) }
}
