import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row per address with a history: it created a task, pitched, bid, was assigned, delivered, was paid, issued a
 * verdict, settled a dispute, or owns an ERC-8004 identity. An address that is only named as an evaluator has no row.
 * Key: the address. The market's handlers update the counters. A self-award is an award of a requester to itself.
 */
export const agent = onchainTable(
  'agent',
  (t) => ({
    /** Address of the wallet. */
    address: t.hex().primaryKey(),
    /**
     * ERC-8004 agent id of the owner's current agent: the identity that it adopted last, else the one that it has owned
     * longest, among the identities that it claimed (`identity.claimedBy`). Null: a human. An identity that another
     * account sent to the address does not count.
     */
    agentId: t.bigint(),
    /**
     * The identity at the end of the owner's list of claimed identities (`identity.nextOwnedId`); null with `agentId`.
     */
    lastAgentId: t.bigint(),
    // As a worker. An award of a requester to itself counts in none of these.
    /** Awards received, self-awards left out. */
    completedTasks: t.integer().notNull(),
    /** Number of requesters that awarded it at least once, itself left out. */
    distinctRequesters: t.integer().notNull(),
    /** Awards received that their requesters rated. */
    ratedTasks: t.integer().notNull(),
    /** Sum of the gross amounts of the rated awards, USDC base units. A self-award cannot be rated. */
    ratedVolume: t.bigint().notNull(),
    /** Sum of ratings, each 0..100. */
    totalStars: t.integer().notNull(),
    /**
     * Sum of the payments of awards to it, after fees, USDC base units; self-awards left out.
     * `market_stats.totalWorkerPayments` includes self-awards.
     */
    totalEarnings: t.bigint().notNull(),
    /**
     * Mean rating with ten ratings of 50 added: floor(10^19 * (`totalStars` + 500) / (`ratedTasks` + 10)). Two means
     * are equal exactly where their numbers are equal.
     */
    reputation: t.bigint().notNull(),
    /**
     * True if it has an award that is no self-award, or an `agentId`. The leaderboard and the count of agents include
     * ranked rows only.
     */
    ranked: t.boolean().notNull(),
    // As a requester
    /** Tasks that it created. */
    tasksCreated: t.integer().notNull(),
    /**
     * Its tasks that ended by its own acceptance or by a decision of the evaluator or resolver, self-awards included. A
     * task that settleStale completed does not count.
     */
    tasksCompleted: t.integer().notNull(),
    /** Its tasks that ended with a self-award. */
    selfAwards: t.integer().notNull(),
    /** Its tasks that it cancelled after a submission. */
    cancelledAfterSubmissions: t.integer().notNull(),
    /** Its tasks that were refunded after the expiry with no worker assigned and no submission. */
    expiredNoAction: t.integer().notNull(),
    /** Its tasks that were refunded after the expiry with no worker assigned and every submission rejected. */
    expiredAfterRejections: t.integer().notNull(),
    /** Its tasks that settleStale ended while a submission or a delivery waited for an answer. */
    staleTasks: t.integer().notNull(),
    /** Its auctions with a bid or an accepted price that expired without a delivery. */
    undeliveredAuctions: t.integer().notNull(),
    /** Submissions to its tasks, proofs included. */
    submissionAttempts: t.integer().notNull(),
    /** Workers who submitted to its tasks. Each counts once for all tasks. */
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
 * One row per worker and tag of the listed tasks that it was awarded, self-awards left out. Key: `<worker>:<tagHash>`.
 * The texts of tags are off chain. The listing and the tags of a task never change on chain.
 */
export const agentSkill = onchainTable(
  'agent_skill',
  (t) => ({
    /** `<worker>:<tagHash>`. */
    id: t.text().primaryKey(),
    /** Wallet of the awarded worker. */
    worker: t.hex().notNull(),
    /** keccak256 of the tag. */
    tagHash: t.hex().notNull(),
    /** Number of such tasks with the tag. */
    taskCount: t.integer().notNull(),
  }),
  (table) => ({
    byCount: index('agent_skill_count_index').on(table.worker, table.taskCount.desc().nullsFirst(), table.tagHash),
    byTag: index().on(table.tagHash, table.worker),
  }),
)

/**
 * One row per requester and worker who submitted to one of its tasks. Key: `<requester>:<worker>`. The worker's first
 * submission inserts the row (`agent.uniqueWorkers` counts it). The requester's first award to the worker sets
 * `awarded` (`agent.distinctRequesters` counts it).
 */
export const requesterWorker = onchainTable('requester_worker', (t) => ({
  /** `<requester>:<worker>`. */
  id: t.text().primaryKey(),
  /** Creator of the tasks. */
  requester: t.hex().notNull(),
  /** Worker who submitted to one of them at least once. */
  worker: t.hex().notNull(),
  /** True if the requester awarded the worker at least once; never set for a self-award. */
  awarded: t.boolean().notNull(),
}))

/**
 * One row per ERC-8004 identity. Key: the agent id. Written by Registered and Transfer of the identity registry, and by
 * AgentRegistered and AgentAdopted of the identity registrar.
 */
export const identity = onchainTable(
  'identity',
  (t) => ({
    /** ERC-8004 agent id. */
    agentId: t.bigint().primaryKey(),
    /** Distinct groups of three consecutive digits of `agentId`. The index over them finds an id by a part of it. */
    idGrams: t.text().array().notNull(),
    /** Owner of the identity; the zero address once it is burnt. */
    owner: t.hex().notNull(),
    /** Time of the registration, Unix seconds; null: registered before the first indexed block. */
    registeredAt: t.int8({ mode: 'bigint' }),
    /**
     * Account of the last claim. An account claims an identity by a registration for itself (in the registry or through
     * the registrar), by an adoption, or by owning again an identity that it claimed before. Null: registered before
     * the first indexed block and never adopted. The identity is its owner's agent while `claimedBy` is the owner.
     */
    claimedBy: t.hex(),
    /** Identity before this one in the owner's list of claimed identities; null: it is the first, or in no list. */
    previousOwnedId: t.bigint(),
    /** Identity after this one in that list; null: it is the last, or in no list. */
    nextOwnedId: t.bigint(),
  }),
  (table) => ({ byOwner: index().on(table.owner), byGram: index('identity_gram_index').using('gin', table.idGrams) }),
)

/**
 * One row per identity and account whose claim a later claim replaced (`identity.claimedBy`). Key:
 * `<agentId>:<account>`. An account that owns the identity again claims it again.
 */
export const identityFormerClaim = onchainTable('identity_former_claim', (t) => ({
  /** `<agentId>:<account>`. */
  id: t.text().primaryKey(),
  /** ERC-8004 agent id. */
  agentId: t.bigint().notNull(),
  /** Account of the replaced claim. */
  account: t.hex().notNull(),
}))

/**
 * One row per ERC-8004 identity registered since the first indexed block. Key: the agent id. Written by Registered of
 * the identity registry and, in the same transaction, by AgentRegistered of the identity registrar.
 */
export const identityRegistration = onchainTable(
  'identity_registration',
  (t) => ({
    /** ERC-8004 agent id. */
    agentId: t.bigint().primaryKey(),
    /** Account that the identity was registered for. */
    account: t.hex().notNull(),
    ...position(t),
  }),
  (table) => ({ byBlock: index().on(table.blockNumber) }),
)
