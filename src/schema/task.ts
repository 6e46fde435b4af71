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
    requester: t.hex().notNull(),
    /** bounty, claim, pitch, benchmark, auction; `unknown` for a selector this version does not know. */
    mode: t.text().notNull(),
    /** open, claimed, worker_selected, pending_approval, review, appealing, disputed, completed, expired, cancelled. */
    status: t.text().notNull(),
    /** Gross escrow as last set by creation or update; in auctions the maximum price. */
    reward: t.bigint().notNull(),
    /** What the contract still holds for this task, without the stake, base units; zero once terminal. */
    escrow: t.bigint().notNull(),
    /** What the assigned worker has put in and neither lost nor got back, base units; zero outside claims. */
    stake: t.bigint().notNull(),
    /** Platform fee stamped at creation, basis points. */
    platformFeeBps: t.integer().notNull(),
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
    /** Milliseconds, strictly increasing over all tasks: max(block time, previous task's + 1). The paging key. */
    createdAtMs: t.int8({ mode: 'bigint' }).notNull(),
    /** Block time of creation, seconds: what prices and deadlines are computed from. */
    createdAt: t.int8({ mode: 'bigint' }).notNull(),
    expiryTime: t.int8({ mode: 'bigint' }).notNull(),
    /** Null outside pitch mode. */
    pitchDeadline: t.int8({ mode: 'bigint' }),
    /** Null outside auction mode. */
    bidDeadline: t.int8({ mode: 'bigint' }),
    /** dutch, english, reverse_dutch, reverse_english; null outside auctions. */
    auctionType: t.text(),
    /** Floor (dutch) or start (reverse_dutch) price; null otherwise. */
    clockPrice: t.bigint(),
    /**
     * Who is assigned: by claim, pitch selection or auction; in contests the rank-1 award of the verdict, as a dispute
     * left it. Null before, after a forfeit, and where a verdict has no rank 1.
     */
    worker: t.hex(),
    workerAssignedAt: t.int8({ mode: 'bigint' }),
    /** Payable amount once a worker is assigned; null before and in contests. */
    price: t.bigint(),
    /** What the assigned worker delivered; null before and in contests, which hold many. */
    deliverable: t.hex(),
    /** The requester refused the delivery on record. */
    objected: t.boolean().notNull(),
    /** The lowest bid and who placed it first; null before the first bid. */
    lowestBid: t.bigint(),
    lowestBidder: t.hex(),
    /** Who decides instead of the requester, and who settles appeals; null: none, or timed out. */
    evaluator: t.hex(),
    disputeResolver: t.hex(),
    /** End of review; null before the delivery, and in contests, where it is the expiry plus the evaluation window. */
    evaluatorDeadline: t.int8({ mode: 'bigint' }),
    /** End of appealing; null before the verdict. */
    appealDeadline: t.int8({ mode: 'bigint' }),
    /** End of the resolver's time; null before an appeal. */
    resolutionDeadline: t.int8({ mode: 'bigint' }),
    /** The list of hooks it runs with, a key of `hook_set`; null: none. */
    hookSet: t.hex(),
    /** keccak256 of what its hooks were told at creation; null without hooks. */
    hookDataHash: t.hex(),
    /** Deliverables committed in all, and those that stand. */
    submissionCount: t.integer().notNull(),
    activeSubmissionCount: t.integer().notNull(),
    /** Distinct workers who submitted. */
    submitterCount: t.integer().notNull(),
    /** Pitches and bids in all, repeated and replaced ones too. */
    pitchCount: t.integer().notNull(),
    bidCount: t.integer().notNull(),
    /** Distinct workers who bid: the bids that stand. */
    bidderCount: t.integer().notNull(),
    proofCount: t.integer().notNull(),
    awardCount: t.integer().notNull(),
    /** The rank-1 award's worker; null before completion. */
    primaryWorker: t.hex(),
    /** Awards that the requester has not rated; its award to itself, which it cannot rate, is none of them. */
    unratedAwards: t.integer().notNull(),
    /** Whether an award went to the requester; null before completion. */
    selfAward: t.boolean(),
    /** Number of reopens after forfeits. */
    claimRound: t.integer().notNull(),
    /** Block time of the terminal transition; null while the task lives. */
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
