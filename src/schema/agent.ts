import { index, onchainTable, sql } from 'ponder'
import { position } from './position.ts'

/**
 * One row an address with a history: it created a task, pitched, bid, was assigned, delivered, was paid, issued a
 * verdict, settled a dispute, or owns an ERC-8004 identity. To be named as an evaluator is no history of one's
 * own. Key: the address. Counters are kept by the market's handlers.
 */
export const agent = onchainTable(
  'agent',
  (t) => ({
    /** The wallet. */
    address: t.hex().primaryKey(),
    /**
     * ERC-8004 agent id: of the claimed identities it owns (`identity.claimedBy`) the one it adopted last, else the one
     * it has owned longest; null: a human. An identity that was only sent to the address never appears here.
     */
    agentId: t.bigint(),
    /** The other end of that list: the tail of the chain of `identity.nextOwnedId`; null with `agentId`. */
    lastAgentId: t.bigint(),
    // As a worker. An award of a requester to itself counts in none of these.
    /** Awards received, those of a requester to itself left out. */
    completedTasks: t.integer().notNull(),
    /** How many requesters awarded it at least once, itself left out. */
    distinctRequesters: t.integer().notNull(),
    /** Awards received that their requesters rated. */
    ratedTasks: t.integer().notNull(),
    /**
     * Sum of the gross amounts of the awards that were rated, USDC base units. A requester cannot rate its award to
     * itself.
     */
    ratedVolume: t.bigint().notNull(),
    /** Sum of ratings, each 0..100. */
    totalStars: t.integer().notNull(),
    /**
     * What awards paid to it, after fees, USDC base units; its awards to itself left out.
     * `market_stats.totalWorkerPayments` includes these.
     */
    totalEarnings: t.bigint().notNull(),
    /**
     * floor(10^19 * (`totalStars` + 500) / (`ratedTasks` + 10)): the mean rating with ten ratings of 50 added. No two
     * different means give one number, and equal means give equal numbers.
     */
    reputation: t.bigint().notNull(),
    /** It has an award, self-awards aside, or an `agentId`: the leaderboard and the count hold it. */
    ranked: t.boolean().notNull(),
    // As a requester
    /** Tasks that it created. */
    tasksCreated: t.integer().notNull(),
    /**
     * Its tasks that ended by its own acceptance or by a decision of evaluator or resolver, those in which it awarded
     * itself too. One that settleStale completed does not count.
     */
    tasksCompleted: t.integer().notNull(),
    /** Its tasks that ended with an award to itself. */
    selfAwards: t.integer().notNull(),
    /** Its tasks that it cancelled after a submission. */
    cancelledAfterSubmissions: t.integer().notNull(),
    /** Its tasks that were refunded after the expiry, with no worker assigned and no submission. */
    expiredNoAction: t.integer().notNull(),
    /** Its tasks that were refunded after the expiry, with no worker assigned and every submission rejected. */
    expiredAfterRejections: t.integer().notNull(),
    /** Its tasks that settleStale ended while a submission or a delivery waited for an answer. */
    staleTasks: t.integer().notNull(),
    /** Its auctions with a bid or an accepted price that expired without a delivery. */
    undeliveredAuctions: t.integer().notNull(),
    /** Submissions made to its tasks, proofs among them. */
    submissionAttempts: t.integer().notNull(),
    /** Workers who submitted to its tasks: each counts once for all tasks. */
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
 * One row a worker and a tag of a task that is listed and that it was awarded, self-awards aside. Key:
 * `<worker>:<tagHash>`. The texts of tags are off chain. Listing and tags of a task never change on chain.
 */
export const agentSkill = onchainTable(
  'agent_skill',
  (t) => ({
    /** `<worker>:<tagHash>`. */
    id: t.text().primaryKey(),
    /** The wallet that was awarded. */
    worker: t.hex().notNull(),
    /** keccak256 of the tag. */
    tagHash: t.hex().notNull(),
    /** How many such tasks have the tag. */
    taskCount: t.integer().notNull(),
  }),
  (table) => ({
    byCount: index('agent_skill_count_index').on(table.worker, table.taskCount.desc().nullsFirst(), table.tagHash),
    byTag: index().on(table.tagHash, table.worker),
  }),
)

/**
 * One row a requester and a worker who submitted to one of its tasks. Key: `<requester>:<worker>`. Written by the
 * worker's first submission, which `agent.uniqueWorkers` counts once, and by the requester's first award to the worker,
 * which `agent.distinctRequesters` counts once.
 */
export const requesterWorker = onchainTable('requester_worker', (t) => ({
  /** `<requester>:<worker>`. */
  id: t.text().primaryKey(),
  /** Creator of the tasks. */
  requester: t.hex().notNull(),
  /** Who submitted to one of them at least once. */
  worker: t.hex().notNull(),
  /** The requester awarded the worker at least once; never set for a requester's awards to itself. */
  awarded: t.boolean().notNull(),
}))

/**
 * One row an ERC-8004 identity. Key: the agent id. Written by the identity registry's Registered and Transfer, and by
 * the identity registrar's AgentRegistered and AgentAdopted.
 */
export const identity = onchainTable(
  'identity',
  (t) => ({
    /** ERC-8004 agent id. */
    agentId: t.bigint().primaryKey(),
    /** The distinct parts of three digits of `agentId`: what a part of it is found by. */
    idGrams: t.text().array().notNull(),
    /** Zero address once burnt. */
    owner: t.hex().notNull(),
    /** Unix seconds of the registration; null: registered before the first indexed block. */
    registeredAt: t.int8({ mode: 'bigint' }),
    /**
     * The account that claimed it last: that registered it for itself, in the registry or through the registrar, adopted
     * it, or claimed it once and owns it again; null: registered before the first indexed block and never adopted. It is
     * the owner's agent while this is the owner.
     */
    claimedBy: t.hex(),
    /**
     * The identity before this one in the list of claimed identities of its owner; null: the first, or not in a list.
     */
    previousOwnedId: t.bigint(),
    /** The identity after this one in that list; null: the last, or not in a list. */
    nextOwnedId: t.bigint(),
  }),
  (table) => ({ byOwner: index().on(table.owner), byGram: index('identity_gram_index').using('gin', table.idGrams) }),
)

/**
 * One row an identity and an account whose claim of it another claim took the place of (`identity.claimedBy`). Key:
 * `<agentId>:<account>`. Where the account owns the identity again, it has claimed it again.
 */
export const identityFormerClaim = onchainTable('identity_former_claim', (t) => ({
  /** `<agentId>:<account>`. */
  id: t.text().primaryKey(),
  /** ERC-8004 agent id. */
  agentId: t.bigint().notNull(),
  /** Who had claimed it before. */
  account: t.hex().notNull(),
}))

/**
 * One row an ERC-8004 identity that was registered since the first indexed block. Key: the agent id. Written by the
 * identity registry's Registered and by the identity registrar's AgentRegistered in the same transaction.
 */
export const identityRegistration = onchainTable(
  'identity_registration',
  (t) => ({
    /** ERC-8004 agent id. */
    agentId: t.bigint().primaryKey(),
    /** The account that it was registered for. */
    account: t.hex().notNull(),
    ...position(t),
  }),
  (table) => ({ byBlock: index().on(table.blockNumber) }),
)
