/**
 * Quotas and times of the service, in one table: what clients may do, what the service pays for, how long things take. No
 * operator sets them; the setting QUOTAS multiplies rates and bytes. Tests and local stacks replace some (LOCAL_CONSTANTS).
 */
export type Constants = typeof rates & typeof guards & typeof budgets & typeof bounds

/** Rates of one client, and bytes: the service has more or less room for them, and no money or secret depends on them. */
export const rates = {
  READS_PER_MINUTE: 600,
  /** Writes that carry no valid payment. */
  WRITES_PER_MINUTE: 60,
  /** Reads of intents without an identity. */
  INTENT_READS_PER_MINUTE: 120,
  /** Analysts' queries, in each process. */
  SQL_PER_MINUTE: 30,
  DEVICES_PER_HOUR: 10,
  /** Switches of wallets' consent (docs/security.md). */
  CONSENTS_PER_HOUR: 30,
  /** Uploads of one worker from one client IP that are open at a time. Of the IP alone, five times that. */
  UPLOADS_OPEN: 20,
  /** Bytes that a worker may store a day; the other accounts of bytes are multiples of it (byte-accounts.ts). */
  WORKER_BYTES_PER_DAY: 2 * 1024 ** 3,
}

/** Counters that guard a secret: a higher one makes it easier to guess, so no factor applies. */
export const guards = {
  /** Passwords of private tasks: how many one client IP may try, and how many all may try on one task id. */
  ACCESS_TRIES_PER_HOUR: 20,
  TASK_ACCESS_TRIES_PER_HOUR: 10,
  /** Wrong read identities of one client IP that are looked at. */
  WRONG_IDENTITIES_PER_MINUTE: 60,
  /** Requests of one client IP that set or change a withdrawal address, or reveal a recovery code. */
  WITHDRAWAL_ADDRESSES_PER_HOUR: 30,
  /** Wrong recovery codes: for one wallet (twice: by its own read identity, and by all others), and for all wallets. */
  RECOVERY_TRIES_PER_DAY: 5,
  ALL_RECOVERY_TRIES_PER_DAY: 200,
  /** Tests of webhooks that one client IP asks for: each is a request to a host that it names. */
  WEBHOOK_TESTS_PER_HOUR: 60,
}

/** What the service pays for others: a higher one costs it money, so no factor applies. */
export const budgets = {
  /** Submissions of one worker to one task: how many are free, and how many there can be at all. */
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
  /** Paid writes of one client IP that may revert on chain: nothing is charged for them, and they cost gas. */
  REVERTED_WRITES_PER_HOUR: 60,
  /** A call estimated above this is refused with the advice to send it directly, gas. */
  MAX_RELAY_GAS: 10_000_000,
  /**
   * Gas of a call that runs code of other accounts (contract wallets, hooks of the requester's own), and what all such
   * calls of a day may cost, wei. An account whose code it is and that has paid platform fees may draw on them instead,
   * by so much wei for each USDC of fees.
   */
  FOREIGN_GAS: 600_000,
  FOREIGN_WEI_PER_DAY: 10n ** 16n,
  FOREIGN_WEI_PER_FEE_USDC: 3n * 10n ** 13n,
  /**
   * What one USDC is worth in wei, ether at 4,000 USDC. A refund to a contract, or one that has reverted before, is made by
   * itself only while its gas is worth less than what it gives back: a price that is wrong by a few times changes little.
   */
  WEI_PER_USDC: 250_000_000_000_000,
  /** Identities that the service mints in a day: for one client IP, for all, and more for wallets that use the market. */
  MINTS_PER_CLIENT_PER_DAY: 5,
  MINTS_PER_DAY: 200,
  RESERVED_MINTS_PER_DAY: 50,
  /** Calls that the keeper makes for vaults which no curator has approved, in 24 hours; for all of them together. */
  UNAPPROVED_SETTLEMENTS_PER_DAY: 50,
  /** Webhooks of one wallet, of one client IP, and of all whose URL has answered a test. */
  WEBHOOKS_PER_WALLET: 5,
  WEBHOOKS_PER_CLIENT: 5,
  WEBHOOKS: 1_000,
}

/** Times, milliseconds unless the name says otherwise, and the reserve of the disk. */
export const bounds = {
  /** A request that still has no answer gets one that says so; longer than a slow body takes. */
  ANSWER_LIMIT_MS: 130_000,
  /** An upload that waits so long for its next 64 KiB is ended. */
  UPLOAD_STALL_MS: 30_000,
  /** How long an upload may take in all: 500 MB at 140 kB/s. */
  UPLOAD_LIMIT_MS: 3_600_000,
  /** How long an upload URL takes bytes, seconds. */
  UPLOAD_URL_SECONDS: 3_600,
  /** How long a submission may read its uploads before its caller has to repeat it: the rest of the answer's time is the chain's. */
  UPLOAD_READ_MS: 27_000,
  /** How long files are kept that no write needs; longer than a client can still upload one, seconds. */
  FILE_RETENTION_SECONDS: 86_400,
  /** How often they are looked for. */
  FILE_SWEEP_MS: 60_000,
  /** Bytes of ARTIFACT_DIR's disk that files leave free, for logs and whatever else is on it. */
  STORAGE_RESERVE_BYTES: 268_435_456,
  /** A relayed transaction without a receipt is sent again after this long: two blocks. */
  RESEND_AFTER_MS: 4_000,
  /** One that its nonce sequence waits for is replaced with higher fees after this long: ten blocks. */
  REPLACE_AFTER_MS: 20_000,
  /** How long the registration of a device waits for its wallet's agent id. */
  MINT_ANSWER_MS: 5_000,
  /** Pause between cycles of the keeper, which opens the claims of credited vault rewards. */
  KEEPER_INTERVAL_MS: 30_000,
  /** How long an analysts' query may take; the reader's login has the same bound. */
  SQL_QUERY_MS: 8_000,
  /** How long the end of a process may take after its drain: process managers kill after 10 s. */
  SHUTDOWN_MS: 9_000,
}

/** The table, with rates and bytes multiplied by a factor. Example: `constantsOf(2).READS_PER_MINUTE` is 1200. */
export function constantsOf(factor: number): Constants {
  const scaled = Object.entries(rates).map(([name, value]) => [name, Math.max(1, Math.floor(value * factor))])
  return { ...guards, ...budgets, ...bounds, ...(Object.fromEntries(scaled) as typeof rates) }
}
