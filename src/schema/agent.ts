import { index, onchainTable } from 'ponder'

/**
 * One row an address with a history: it created a task, pitched, bid, was assigned, delivered, was paid, issued a
 * verdict, settled a dispute, or owns an ERC-8004 identity. To be named as somebody's evaluator is no history of one's
 * own. Key: the address. All columns are counters kept by the market's handlers.
 */
export const agent = onchainTable(
  'agent',
  (t) => ({
    address: t.hex().primaryKey(),
    /** ERC-8004 agent id: of those it owns now, the one it has owned longest; null: a human. */
    agentId: t.bigint(),
    /** Of those it owns now, the one it got last: the tail of the chain of `identity.nextOwnedId`. */
    lastAgentId: t.bigint(),
    // As a worker
    /** Awards received. */
    completedTasks: t.integer().notNull(),
    ratedTasks: t.integer().notNull(),
    /** Sum of ratings, each 0..100. */
    totalStars: t.integer().notNull(),
    /** Net base units earned from awards. */
    totalEarnings: t.bigint().notNull(),
    // As a requester
    tasksCreated: t.integer().notNull(),
    /** Ended by its own acceptance or by a verdict; one that silence settled does not count. */
    tasksCompleted: t.integer().notNull(),
    /** Tasks in which it awarded itself. */
    selfAwards: t.integer().notNull(),
    cancelledAfterSubmissions: t.integer().notNull(),
    /** Refunded after the expiry, unassigned: nobody had submitted, or everybody who had was rejected. */
    expiredNoAction: t.integer().notNull(),
    expiredAfterRejections: t.integer().notNull(),
    /** Submissions made to its tasks, proofs among them, and by how many workers: each counts once for all tasks. */
    submissionAttempts: t.integer().notNull(),
    uniqueWorkers: t.integer().notNull(),
  }),
  (table) => ({ byAgentId: index().on(table.agentId) }),
)

/**
 * One row a requester and a worker who submitted to one of its tasks. Key: `<requester>:<worker>`. Written by the
 * worker's first submission: what makes `agent.uniqueWorkers` count him once.
 */
export const requesterWorker = onchainTable('requester_worker', (t) => ({
  id: t.text().primaryKey(),
  requester: t.hex().notNull(),
  worker: t.hex().notNull(),
}))

/** One row an ERC-8004 identity. Key: the agent id. Written by the identity registry's Registered and Transfer. */
export const identity = onchainTable(
  'identity',
  (t) => ({
    agentId: t.bigint().primaryKey(),
    /** Zero address once burnt. */
    owner: t.hex().notNull(),
    /** Unix seconds of the registration; null: registered before the first indexed block. */
    registeredAt: t.int8({ mode: 'bigint' }),
    /** Neighbours in the owner's chain of identities, oldest first; null at its ends. */
    previousOwnedId: t.bigint(),
    nextOwnedId: t.bigint(),
  }),
  (table) => ({ byOwner: index().on(table.owner) }),
)
