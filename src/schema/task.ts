import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row per task. Key: the task id of `TaskCreated`. Written by every handler of the market. Amounts are USDC base
 * units, times Unix seconds, addresses and hashes lower-case hex. Texts, tags and visibility never go on chain. The
 * service joins them by (requester, contentHash).
 */
export const task = onchainTable(
  'task',
  (t) => ({
    /** 32-byte task id. */
    id: t.hex().primaryKey(),
    /** Short code for people: `TSK-` and 8 or more Crockford base32 characters of the id; unique. */
    referenceCode: t.text().notNull(),
    /** Creator of the task, who pays. */
    requester: t.hex().notNull(),
    /** Mode: bounty, claim, pitch, benchmark, auction; `unknown` for a selector that this version does not support. */
    mode: t.text().notNull(),
    /**
     * Status: open, claimed (also an auction with a worker), worker_selected (by a pitch), pending_approval, review,
     * appealing, disputed, completed, expired, cancelled. A passed deadline changes no status until the next event.
     */
    status: t.text().notNull(),
    /** Gross reward as last set by creation or update, USDC base units; in auctions the maximum price. */
    reward: t.bigint().notNull(),
    /** Escrow that the contract holds for this task without the stake, USDC base units; zero in a final status. */
    escrow: t.bigint().notNull(),
    /**
     * Stake of the assigned worker that is neither forfeited nor returned, USDC base units; zero outside claim mode.
     */
    stake: t.bigint().notNull(),
    /** Platform fee fixed at creation, basis points. */
    platformFeeBps: t.integer().notNull(),
    /** The worker's stake in claim mode, basis points of the reward; zero: none. */
    stakeBps: t.integer().notNull(),
    /** Commitment to the off-chain text, as last updated; the zero hash: none. */
    contentHash: t.hex().notNull(),
    /** Commitment at creation, which is the key of the content that the creating write stored. */
    createdContentHash: t.hex().notNull(),
    /** keccak256 of each tag at creation, in order. */
    tagHashes: t.hex().array().notNull(),
    /** True if the requester listed the task on chain. */
    listed: t.boolean().notNull(),
    /** The requester's nonce, from which the id was computed. */
    nonce: t.bigint().notNull(),
    /**
     * Milliseconds, strictly increasing over all tasks: max(block time, previous task's + 1). Lists use it as their
     * order.
     */
    createdAtMs: t.int8({ mode: 'bigint' }).notNull(),
    /** Block time of creation, Unix seconds. Prices and deadlines are computed from it. */
    createdAt: t.int8({ mode: 'bigint' }).notNull(),
    /** Expiry, Unix seconds, as last moved by an update, a delivery or a verdict. */
    expiryTime: t.int8({ mode: 'bigint' }).notNull(),
    /** End of pitching, Unix seconds; null outside pitch mode. */
    pitchDeadline: t.int8({ mode: 'bigint' }),
    /** End of bidding, Unix seconds; null outside auction mode. */
    bidDeadline: t.int8({ mode: 'bigint' }),
    /** Type of auction: dutch, english, reverse_dutch, reverse_english; null outside auctions. */
    auctionType: t.text(),
    /** Floor price (dutch) or start price (reverse_dutch), USDC base units; null otherwise. */
    clockPrice: t.bigint(),
    /**
     * Worker assigned by a claim, a pitch selection or an auction; in contests the worker of the rank-1 award of the
     * verdict or of the dispute's resolution. Null before, after a forfeit, and for a verdict without a rank 1.
     */
    worker: t.hex(),
    /** Unix seconds of the assignment; null: no worker is assigned. */
    workerAssignedAt: t.int8({ mode: 'bigint' }),
    /** Gross payable amount from the assignment of a worker on, USDC base units; null before and in contests. */
    price: t.bigint(),
    /** Deliverable of the assigned worker; null before and in contests, which hold many. */
    deliverable: t.hex(),
    /** True if the requester refused the current delivery. */
    objected: t.boolean().notNull(),
    /** The lowest bid, USDC base units; null before the first bid. */
    lowestBid: t.bigint(),
    /** Worker who placed the lowest bid first; null before the first bid. */
    lowestBidder: t.hex(),
    /** Evaluator, who decides instead of the requester; null: none, or timed out. */
    evaluator: t.hex(),
    /** Resolver, who settles appeals; null: none, or the evaluator timed out. */
    disputeResolver: t.hex(),
    /**
     * End of review, Unix seconds; null before the delivery, and in contests, where it is the expiry plus the
     * evaluation window.
     */
    evaluatorDeadline: t.int8({ mode: 'bigint' }),
    /** End of appealing, Unix seconds; null before the verdict. */
    appealDeadline: t.int8({ mode: 'bigint' }),
    /** End of the resolver's time, Unix seconds; null before an appeal. */
    resolutionDeadline: t.int8({ mode: 'bigint' }),
    /** List of hooks that the task runs with, a key of `hook_set`; null: none. */
    hookSet: t.hex(),
    /** keccak256 of the data that the hooks received at creation; null without hooks. */
    hookDataHash: t.hex(),
    /** Number of deliverables, rejected ones included. */
    submissionCount: t.integer().notNull(),
    /** Number of deliverables that are not rejected. */
    activeSubmissionCount: t.integer().notNull(),
    /** Number of distinct workers who submitted. */
    submitterCount: t.integer().notNull(),
    /** Number of pitches, repeated ones included. */
    pitchCount: t.integer().notNull(),
    /** Number of bids, replaced ones included. */
    bidCount: t.integer().notNull(),
    /** Number of distinct workers who bid, which is the number of current bids. */
    bidderCount: t.integer().notNull(),
    /** Number of benchmark proofs. */
    proofCount: t.integer().notNull(),
    /** Number of settled awards: rows of `award`. */
    awardCount: t.integer().notNull(),
    /** Worker of the rank-1 award; null before completion. */
    primaryWorker: t.hex(),
    /** Number of awards that the requester has not rated. A self-award cannot be rated and does not count. */
    unratedAwards: t.integer().notNull(),
    /** True if an award went to the requester; null before completion. */
    selfAward: t.boolean(),
    /** Number of reopens after forfeits. */
    claimRound: t.integer().notNull(),
    /** Block time of the event that ended the task, Unix seconds; null: it has not ended. */
    endedAt: t.int8({ mode: 'bigint' }),
    /** Newest entry of the task, from which `task_entry.previousEntryId` leads to the older ones; null: none. */
    lastEntryId: t.text(),
    /** Number of events of the task: the next `task_event` ordinal. */
    eventCount: t.integer().notNull(),
    ...position(t),
  }),
  (table) => {
    // What the public list is read along, in each order and by each value that a page may be cut out with. A task that
    // is not listed is none of it, so it is in none of them: a thousand of them on top cost a page nothing.
    const isListed = sql`listed`
    const isRunning = sql`ended_at is null`
    const hasEnded = sql`ended_at is not null`
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
        .where(hasEnded),
      requesterUnrated: index('task_requester_unrated_index')
        .on(table.requester, table.listed, newestFirst)
        .where(sql`unrated_awards > 0`),
      workerRunning: index('task_worker_running_index')
        .on(table.worker, table.listed, newestFirst)
        .where(sql`worker is not null and ${isRunning}`),
      workerEnded: index('task_worker_ended_index')
        .on(table.worker, table.listed, newestFirst)
        .where(sql`worker is not null and ${hasEnded}`),
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
