import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row per task. Key: the task id of `TaskCreated`. Amounts are USDC base units, times Unix seconds, addresses and
 * hashes lower-case hex. The texts, the names of tags and the visibility of a task are off chain.
 */
export const task = onchainTable(
  'task',
  (t) => ({
    /** 32-byte task id. */
    id: t.hex().primaryKey(),
    /** Short code for people: `TSK-` and 8 or more Crockford base32 characters of the id; unique. */
    referenceCode: t.text().notNull(),
    /** Account that created and funded the task. */
    requester: t.hex().notNull(),
    /**
     * Mode: bounty, claim, pitch, benchmark or auction; `unknown` if the logged selector belongs to no mode of this
     * version.
     */
    mode: t.text().notNull(),
    /**
     * Status: open, claimed, worker_selected, pending_approval, review, appealing, disputed, completed, expired or
     * cancelled. `claimed`: a worker claimed the task or was assigned by an auction. `worker_selected`: a worker was
     * selected by a pitch. Only events change the status. A passed deadline alone does not.
     */
    status: t.text().notNull(),
    /** Gross reward after the creation or the latest update, USDC base units; in an auction the maximum price. */
    reward: t.bigint().notNull(),
    /**
     * Escrow that the contract holds for the task, USDC base units; zero in a final status. The worker's stake is not
     * included.
     */
    escrow: t.bigint().notNull(),
    /**
     * The assigned worker's stake while the market holds the stake, USDC base units. The value is zero before the
     * assignment, and after the stake was forfeited or returned. Outside claim mode, the value is always zero.
     */
    stake: t.bigint().notNull(),
    /** Platform fee fixed at creation, basis points. */
    platformFeeBps: t.integer().notNull(),
    /** Stake that a claim of the task requires, in basis points of the reward; zero if no stake is required. */
    stakeBps: t.integer().notNull(),
    /** Hash that commits to the off-chain texts after the latest update; the zero hash if the task has no texts. */
    contentHash: t.hex().notNull(),
    /** Value of `contentHash` at creation. The service stored the task's first texts under this hash. */
    createdContentHash: t.hex().notNull(),
    /** keccak256 of each tag at creation, in the order of the tags. */
    tagHashes: t.hex().array().notNull(),
    /** True if the requester listed the task on chain. */
    listed: t.boolean().notNull(),
    /** The requester's nonce, from which the contract computed the task id. */
    nonce: t.bigint().notNull(),
    /**
     * Creation time in milliseconds: max(block time, previous task's value + 1). Every task has a different value.
     * Lists of tasks are sorted by it.
     */
    createdAtMs: t.int8({ mode: 'bigint' }).notNull(),
    /** Block time of creation, Unix seconds. Prices and deadlines are computed from it. */
    createdAt: t.int8({ mode: 'bigint' }).notNull(),
    /** Expiry, Unix seconds. An update, a delivery or a verdict may have moved it. */
    expiryTime: t.int8({ mode: 'bigint' }).notNull(),
    /** End of pitching, Unix seconds; null outside pitch mode. */
    pitchDeadline: t.int8({ mode: 'bigint' }),
    /** End of bidding, Unix seconds; null outside auction mode. */
    bidDeadline: t.int8({ mode: 'bigint' }),
    /** Type of the auction: dutch, english, reverse_dutch or reverse_english; null outside auction mode. */
    auctionType: t.text(),
    /**
     * Floor price of a dutch auction or start price of a reverse_dutch auction, USDC base units. Null for a task of any
     * other type.
     */
    clockPrice: t.bigint(),
    /**
     * Worker that a claim, a pitch selection or an auction assigned. In a contest it is the worker of the rank-1 award
     * that the evaluator or the resolver decided. Null before an assignment, after a forfeited claim, or if no award
     * has rank 1.
     */
    worker: t.hex(),
    /** Time of the assignment of `worker`, Unix seconds; null if `worker` is null. */
    workerAssignedAt: t.int8({ mode: 'bigint' }),
    /**
     * Gross payable amount, fixed when a worker is assigned, USDC base units; null before an assignment and in
     * contests.
     */
    price: t.bigint(),
    /**
     * Hash of the assigned worker's deliverable; null before the delivery, and in contests, where many workers deliver.
     */
    deliverable: t.hex(),
    /** True if the requester objected to the current delivery. */
    objected: t.boolean().notNull(),
    /** The lowest bid, USDC base units; null before the first bid. */
    lowestBid: t.bigint(),
    /** Worker who placed the lowest bid; among equal bids the earliest. Null before the first bid. */
    lowestBidder: t.hex(),
    /**
     * Evaluator: the account that decides instead of the requester. Null if the task has no evaluator, or after the
     * evaluator's timeout.
     */
    evaluator: t.hex(),
    /**
     * Resolver: the account that settles appeals. Null if the task has no resolver, or after the evaluator's timeout.
     */
    disputeResolver: t.hex(),
    /**
     * End of the evaluator's time after the delivery, Unix seconds. Null before the delivery, and in every contest. In
     * a contest the time ends at the expiry plus `evaluation.evaluationWindow`.
     */
    evaluatorDeadline: t.int8({ mode: 'bigint' }),
    /** End of the time in which the verdict can be appealed, Unix seconds; null before the verdict. */
    appealDeadline: t.int8({ mode: 'bigint' }),
    /** End of the time in which the resolver must decide, Unix seconds; null before an appeal. */
    resolutionDeadline: t.int8({ mode: 'bigint' }),
    /** Key of the row in `hook_set` that lists the task's hooks; null if the task has no hooks. */
    hookSet: t.hex(),
    /** keccak256 of the data that the hooks received at creation; null if the task has no hooks. */
    hookDataHash: t.hex(),
    /** Number of submissions to the task, rejected ones included. */
    submissionCount: t.integer().notNull(),
    /** Number of submissions to the task that are not rejected. */
    activeSubmissionCount: t.integer().notNull(),
    /** Number of distinct workers who submitted. */
    submitterCount: t.integer().notNull(),
    /** Number of pitches, repetitions of the same pitch included. */
    pitchCount: t.integer().notNull(),
    /** Number of bids. If a worker replaces a bid, the earlier bid still counts. */
    bidCount: t.integer().notNull(),
    /** Number of distinct workers who bid, which equals the number of current bids. */
    bidderCount: t.integer().notNull(),
    /** Number of benchmark proofs. */
    proofCount: t.integer().notNull(),
    /** Number of paid awards, which are rows of `award`. */
    awardCount: t.integer().notNull(),
    /** Worker of the paid award with rank 1; null before completion. */
    primaryWorker: t.hex(),
    /** Number of awards that the requester can still rate. A self-award cannot be rated and does not count. */
    unratedAwards: t.integer().notNull(),
    /** True if at least one award went to the requester itself; null before completion. */
    selfAward: t.boolean(),
    /** Current claim round: the number of times that the task was reopened after a forfeited claim. */
    claimRound: t.integer().notNull(),
    /** Block time of the event that ended the task, Unix seconds; null while the task runs. */
    endedAt: t.int8({ mode: 'bigint' }),
    /**
     * Key of the task's newest row in `task_entry`; null if the task has no entry. `task_entry.previousEntryId` leads
     * from each entry to the one before.
     */
    lastEntryId: t.text(),
    /** Number of events of the task. The next row in `task_event` gets this number as its ordinal. */
    eventCount: t.integer().notNull(),
    ...position(t),
  }),
  (table) => {
    // What the public list is read along, in each order and by each value that a page may be cut out with. A task that
    // is not listed is none of it, so it is in none of them: a thousand of them on top cost a page nothing.
    const isListed = sql`listed`
    const isRunning = sql`ended_at is null`
    const endedCondition = sql`ended_at is not null`
    // No other index has this order: a plan cannot walk along the tasks of all addresses to find those of one.
    const newestFirst = sql`(-created_at_ms)`
    return {
      newest: index().on(table.createdAtMs),
      listedNewest: index('task_listed_created_at_ms_index').on(table.createdAtMs).where(isListed),
      listedStatus: index('task_listed_status_created_at_ms_index').on(table.status, table.createdAtMs).where(isListed),
      // Those that run and those past their expiry, without a look at the rows.
      listedStatusExpiry: index('task_listed_status_expiry_time_created_at_ms_index')
        .on(table.status, table.expiryTime, table.createdAtMs)
        .where(isListed),
      listedMode: index('task_listed_mode_created_at_ms_index').on(table.mode, table.createdAtMs).where(isListed),
      listedAuctionType: index('task_listed_auction_type_created_at_ms_index')
        .on(table.auctionType, table.createdAtMs)
        .where(sql`${isListed} and auction_type is not null`),
      listedReward: index('task_listed_reward_created_at_ms_index').on(table.reward, table.createdAtMs).where(isListed),
      listedExpiry: index('task_listed_expiry_time_created_at_ms_index')
        .on(table.expiryTime, table.createdAtMs)
        .where(isListed),
      requesterNewest: index().on(table.requester, table.createdAtMs),
      workerNewest: index().on(table.worker, table.createdAtMs),
      evaluatorNewest: index().on(table.evaluator, table.createdAtMs),
      resolverNewest: index().on(table.disputeResolver, table.createdAtMs),
      // The tasks of one address in one role: those that run, and those that ended. `listed` is part of the key, because
      // others than the address itself are shown listed tasks only; the address itself reads both halves.
      requesterRunning: index('task_requester_running_index')
        .on(table.requester, table.listed, newestFirst)
        .where(isRunning),
      requesterEnded: index('task_requester_ended_index')
        .on(table.requester, table.listed, newestFirst)
        .where(endedCondition),
      requesterUnrated: index('task_requester_unrated_index')
        .on(table.requester, table.listed, newestFirst)
        .where(sql`unrated_awards > 0`),
      workerRunning: index('task_worker_running_index')
        .on(table.worker, table.listed, newestFirst)
        .where(sql`worker is not null and ${isRunning}`),
      workerEnded: index('task_worker_ended_index')
        .on(table.worker, table.listed, newestFirst)
        .where(sql`worker is not null and ${endedCondition}`),
      evaluatorRunning: index('task_evaluator_running_index')
        .on(table.evaluator, table.listed, newestFirst)
        .where(sql`evaluator is not null and ${isRunning}`),
      resolverRunning: index('task_resolver_running_index')
        .on(table.disputeResolver, table.listed, newestFirst)
        .where(sql`dispute_resolver is not null and ${isRunning}`),
      content: index().on(table.contentHash, table.requester),
      createdContent: index().on(table.requester, table.createdContentHash),
    }
  },
)
