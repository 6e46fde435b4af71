import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row per address that took part in a task or owned an ERC-8004 identity. Key: the address. An evaluator has a row
 * only after a verdict. A resolver has a row only after a decision. A self-award is an award that a requester gives to
 * the requester's own address.
 */
export const agent = onchainTable(
  'agent',
  (t) => ({
    /** Address of the account whose counters are in this row. */
    address: t.hex().primaryKey(),
    /**
     * ERC-8004 id of the address's agent; null if the address has no agent and counts as a human. The agent is the
     * first in a list of identities: the identities that the address owns and has claimed (`identity.claimedBy`). If
     * the address adopts an identity, the identity becomes the first in the list. Any other identity is added at the
     * end.
     */
    agentId: t.bigint(),
    /**
     * Id of the last identity in the list of identities that the address owns and has claimed; null if `agentId` is
     * null. The list begins with `agentId`. `identity.nextOwnedId` is the next identity in the list.
     */
    lastAgentId: t.bigint(),
    // As a worker. An award of a requester to itself counts in none of these.
    /** Number of awards that the address received as a worker, self-awards excluded. */
    completedTasks: t.integer().notNull(),
    /** Number of distinct requesters that awarded the address at least once, the address itself excluded. */
    distinctRequesters: t.integer().notNull(),
    /** Number of the address's awards that a requester has rated. */
    ratedTasks: t.integer().notNull(),
    /** Sum of the gross amounts of the address's rated awards, USDC base units. A self-award cannot be rated. */
    ratedVolume: t.bigint().notNull(),
    /** Sum of the ratings that the address received, each 0..100. */
    totalStars: t.integer().notNull(),
    /**
     * Sum of the awards that the address received, after the platform fee, in USDC base units. The sum excludes
     * self-awards. `market_stats.totalWorkerPayments` includes self-awards.
     */
    totalEarnings: t.bigint().notNull(),
    /**
     * Mean rating as a whole number: floor(10^19 * (`totalStars` + 500) / (`ratedTasks` + 10)). The mean includes ten
     * assumed ratings of 50. The factor is so large that two different means never give the same number.
     */
    reputation: t.bigint().notNull(),
    /**
     * True if the address has an `agentId`, or at least one award that is not a self-award. The leaderboard lists only
     * rows with `ranked`. The number of agents counts only rows with `ranked`.
     */
    ranked: t.boolean().notNull(),
    // As a requester
    /** Number of tasks that the address created as a requester. */
    tasksCreated: t.integer().notNull(),
    /**
     * Number of the requester's tasks that ended with an acceptance or with a decision of the evaluator or resolver.
     * Self-awards are included. A task that settleStale completed is not counted.
     */
    tasksCompleted: t.integer().notNull(),
    /** Number of the requester's tasks that ended with a self-award. */
    selfAwards: t.integer().notNull(),
    /** Number of the requester's tasks that the requester cancelled after a submission. */
    cancelledAfterSubmissions: t.integer().notNull(),
    /**
     * Number of the requester's tasks that were refunded after the expiry with no worker assigned and no submission.
     */
    expiredNoAction: t.integer().notNull(),
    /**
     * Number of the requester's tasks that were refunded after the expiry with no worker assigned and every submission
     * rejected.
     */
    expiredAfterRejections: t.integer().notNull(),
    /**
     * Number of the requester's tasks that the contract's function settleStale ended while a submission or a delivery
     * was still unanswered.
     */
    staleTasks: t.integer().notNull(),
    /** Number of the requester's auctions that had a bid or an accepted price, and expired without a delivery. */
    undeliveredAuctions: t.integer().notNull(),
    /** Number of submissions to the requester's tasks, benchmark proofs included. */
    submissionAttempts: t.integer().notNull(),
    /** Number of distinct workers who submitted to at least one of the requester's tasks. */
    uniqueWorkers: t.integer().notNull(),
  }),
  (table) => {
    // The leaderboard in both orders: of all, of agents and of humans. A filter that keeps few is read along its own
    // index instead.
    // A direction holds for the index that is made next, so each index gets its own. `nullsFirst` is what a plain
    // descending order of a query means.
    const reputation = () => table.reputation.desc().nullsFirst()
    const tasks = () => table.completedTasks.desc().nullsFirst()
    const byReputation = (name: string) => index(name).on(reputation(), tasks(), table.address)
    const byTasks = (name: string) => index(name).on(tasks(), reputation(), table.address)
    const [isRanked, isAgent, isHuman] = [
      sql`ranked`,
      sql`ranked and agent_id is not null`,
      sql`ranked and agent_id is null`,
    ]
    return {
      byAgentId: index().on(table.agentId),
      byReputation: byReputation('agent_reputation_index').where(isRanked),
      byTasks: byTasks('agent_tasks_index').where(isRanked),
      // With the id at the end: a part of it is looked for in them.
      agentByReputation: index('agent_reputation_agent_index')
        .on(reputation(), tasks(), table.address, table.agentId)
        .where(isAgent),
      agentByTasks: index('agent_tasks_agent_index')
        .on(tasks(), reputation(), table.address, table.agentId)
        .where(isAgent),
      humanByReputation: byReputation('agent_reputation_human_index').where(isHuman),
      humanByTasks: byTasks('agent_tasks_human_index').where(isHuman),
    }
  },
)

/**
 * One row per worker and tag: the number of listed tasks with this tag in which the worker was awarded. Self-awards are
 * excluded. Key: `<worker>:<tagHash>`. The texts of tags are off chain.
 */
export const agentSkill = onchainTable(
  'agent_skill',
  (t) => ({
    /** Key: the worker's address and the hash of the tag, `<worker>:<tagHash>`. */
    id: t.text().primaryKey(),
    /** Wallet of the awarded worker. */
    worker: t.hex().notNull(),
    /** keccak256 of the tag. */
    tagHash: t.hex().notNull(),
    /** Number of listed tasks that have the tag and paid the worker an award. Self-awards are not counted. */
    taskCount: t.integer().notNull(),
  }),
  (table) => ({
    byCount: index('agent_skill_count_index').on(table.worker, table.taskCount.desc().nullsFirst(), table.tagHash),
    byTag: index().on(table.tagHash, table.worker),
  }),
)

/**
 * One row per requester and worker who submitted to at least one of the requester's tasks. Key: `<requester>:<worker>`.
 * The first submission inserts the row. The first award sets `awarded`.
 */
export const requesterWorker = onchainTable('requester_worker', (t) => ({
  /** Key: the addresses of the requester and the worker, `<requester>:<worker>`. */
  id: t.text().primaryKey(),
  /** Requester to whose tasks the worker submitted. */
  requester: t.hex().notNull(),
  /** Worker who submitted to at least one of the requester's tasks. */
  worker: t.hex().notNull(),
  /** True if the requester awarded the worker at least once. A self-award does not set this column. */
  awarded: t.boolean().notNull(),
}))

/**
 * One row per ERC-8004 identity. Key: the agent id. The row changes with events of the identity registry (Registered,
 * Transfer) and of the identity registrar (AgentRegistered, AgentAdopted).
 */
export const identity = onchainTable(
  'identity',
  (t) => ({
    /** ERC-8004 agent id of the identity. */
    agentId: t.bigint().primaryKey(),
    /**
     * Distinct three-digit substrings of `agentId`. An index over this column serves the search for a part of an id.
     */
    idGrams: t.text().array().notNull(),
    /** Owner of the identity; the zero address if the identity was burnt. */
    owner: t.hex().notNull(),
    /** Time of the registration, Unix seconds; null if the identity was registered before the first indexed block. */
    registeredAt: t.int8({ mode: 'bigint' }),
    /**
     * Account whose claim of the identity counts now; null if no claim is indexed. An account claims an identity by
     * registration or adoption. A new claim replaces the claim of an earlier account. If the earlier account becomes
     * the owner again, the earlier claim counts again. The identity can be the owner's agent only while `claimedBy`
     * equals `owner`.
     */
    claimedBy: t.hex(),
    /**
     * Id of the previous identity in the list of the owner's claimed identities. Null if this identity is the first in
     * the list, or is in no list.
     */
    previousOwnedId: t.bigint(),
    /**
     * Id of the next identity in the list of the owner's claimed identities. Null if this identity is the last in the
     * list, or is in no list.
     */
    nextOwnedId: t.bigint(),
  }),
  (table) => ({ byOwner: index().on(table.owner), byGram: index('identity_gram_index').using('gin', table.idGrams) }),
)

/**
 * One row per replaced claim of an identity. A claim is replaced when another account claims the identity. Key:
 * `<agentId>:<account>`. The indexer restores the claim if the account becomes the owner again.
 */
export const identityFormerClaim = onchainTable('identity_former_claim', (t) => ({
  /** Key: `<agentId>:<account>`, the identity and the account whose claim was replaced. */
  id: t.text().primaryKey(),
  /** ERC-8004 agent id of the claimed identity. */
  agentId: t.bigint().notNull(),
  /** Account whose claim was replaced. */
  account: t.hex().notNull(),
}))

/**
 * One row per ERC-8004 identity that was registered since the first indexed block. Key: the agent id. The identity
 * registry's event Registered inserts the row. For a registration by the registrar, the registrar's event
 * AgentRegistered sets the account.
 */
export const identityRegistration = onchainTable(
  'identity_registration',
  (t) => ({
    /** ERC-8004 agent id of the registered identity. */
    agentId: t.bigint().primaryKey(),
    /** Account that the identity was registered for. */
    account: t.hex().notNull(),
    ...position(t),
  }),
  (table) => ({ byBlock: index().on(table.blockNumber) }),
)
