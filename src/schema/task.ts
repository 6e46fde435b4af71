import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row a task. Key: the task id of `TaskCreated`. Written by every handler of the market.
 * Amounts are USDC base units, times Unix seconds, addresses and hashes lower-case hex. Texts, tags and visibility are
 * not here: they never go on chain, and the service joins them by (requester, contentHash).
 */
export const task = onchainTable(
  'task',
  (t) => ({
    /** 32-byte task id. */
    id: t.hex().primaryKey(),
    /** Short human code, `TSK-` and 8 or more Crockford base32 characters of the id; unique. */
    referenceCode: t.text().notNull(),
    /** Creator of the task, who pays. */
    requester: t.hex().notNull(),
    /** bounty, claim, pitch, benchmark, auction; `unknown` for a selector this version does not know. */
    mode: t.text().notNull(),
    /**
     * open, claimed (also an auction with a worker), worker_selected (by a pitch), pending_approval, review, appealing,
     * disputed, completed, expired, cancelled. A deadline that passes changes no status: the next event does.
     */
    status: t.text().notNull(),
    /** Gross escrow as last set by creation or update, USDC base units; in auctions the maximum price. */
    reward: t.bigint().notNull(),
    /** What the contract still holds for this task, without the stake, USDC base units; zero once terminal. */
    escrow: t.bigint().notNull(),
    /** What the assigned worker has put in and neither lost nor got back, USDC base units; zero outside claims. */
    stake: t.bigint().notNull(),
    /** Platform fee stamped at creation, basis points. */
    platformFeeBps: t.integer().notNull(),
    /** The worker's stake in claim mode, basis points of the reward; zero: none. */
    stakeBps: t.integer().notNull(),
    /** Commitment to the off-chain text, as last updated; zero hash: none. */
    contentHash: t.hex().notNull(),
    /** Commitment at creation: what the creating write stored its content under. */
    createdContentHash: t.hex().notNull(),
    /** keccak256 of each tag at creation, in order. */
    tagHashes: t.hex().array().notNull(),
    /** Whether the requester asked, on chain, for the task to be listed. */
    listed: t.boolean().notNull(),
    /** The requester's nonce the id was made from. */
    nonce: t.bigint().notNull(),
    /** Milliseconds, strictly increasing over all tasks: max(block time, previous task's + 1). The order of lists. */
    createdAtMs: t.int8({ mode: 'bigint' }).notNull(),
    /** Block time of creation, seconds: what prices and deadlines are computed from. */
    createdAt: t.int8({ mode: 'bigint' }).notNull(),
    /** Unix seconds; as last moved by an update, a delivery or a verdict. */
    expiryTime: t.int8({ mode: 'bigint' }).notNull(),
    /** Unix seconds; null outside pitch mode. */
    pitchDeadline: t.int8({ mode: 'bigint' }),
    /** Unix seconds; null outside auction mode. */
    bidDeadline: t.int8({ mode: 'bigint' }),
    /** dutch, english, reverse_dutch, reverse_english; null outside auctions. */
    auctionType: t.text(),
    /** Floor (dutch) or start (reverse_dutch) price, USDC base units; null otherwise. */
    clockPrice: t.bigint(),
    /**
     * Who is assigned: by claim, pitch selection or auction; in contests the rank-1 award of the verdict, as a dispute
     * left it. Null before, after a forfeit, and where a verdict has no rank 1.
     */
    worker: t.hex(),
    /** Unix seconds of the assignment; null: no worker is assigned. */
    workerAssignedAt: t.int8({ mode: 'bigint' }),
    /** Payable amount once a worker is assigned, gross, USDC base units; null before and in contests. */
    price: t.bigint(),
    /** What the assigned worker delivered; null before and in contests, which hold many. */
    deliverable: t.hex(),
    /** The requester refused the delivery on record. */
    objected: t.boolean().notNull(),
    /** The lowest bid, USDC base units; null before the first bid. */
    lowestBid: t.bigint(),
    /** Who placed the lowest bid first; null before the first bid. */
    lowestBidder: t.hex(),
    /** Who decides instead of the requester; null: none, or timed out. */
    evaluator: t.hex(),
    /** Who settles appeals; null: none, or the evaluator timed out. */
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
    /** The list of hooks it runs with, a key of `hook_set`; null: none. */
    hookSet: t.hex(),
    /** keccak256 of what its hooks were told at creation; null without hooks. */
    hookDataHash: t.hex(),
    /** Deliverables committed in all, rejected ones too. */
    submissionCount: t.integer().notNull(),
    /** Deliverables that are not rejected. */
    activeSubmissionCount: t.integer().notNull(),
    /** Distinct workers who submitted. */
    submitterCount: t.integer().notNull(),
    /** Pitches in all, repeated ones too. */
    pitchCount: t.integer().notNull(),
    /** Bids in all, replaced ones too. */
    bidCount: t.integer().notNull(),
    /** Distinct workers who bid: the bids that stand. */
    bidderCount: t.integer().notNull(),
    /** Benchmark proofs in all. */
    proofCount: t.integer().notNull(),
    /** Awards that were settled: rows of `award`. */
    awardCount: t.integer().notNull(),
    /** The rank-1 award's worker; null before completion. */
    primaryWorker: t.hex(),
    /** Awards that the requester has not rated; its award to itself, which it cannot rate, is none of them. */
    unratedAwards: t.integer().notNull(),
    /** Whether an award went to the requester; null before completion. */
    selfAward: t.boolean(),
    /** Number of reopens after forfeits. */
    claimRound: t.integer().notNull(),
    /** Unix seconds of the block that ended the task; null while it lives. */
    endedAt: t.int8({ mode: 'bigint' }),
    /** The newest of its entries: the head of the chain of `task_entry.previousEntryId`; null: none. */
    lastEntryId: t.text(),
    /** How many events this task has had: the next `task_event` ordinal. */
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
