import { randomUUID } from 'node:crypto'
import { type Address, type Hex, keccak256, toHex, zeroHash } from 'viem'
import type { Database } from '../../api/db/client.ts'
import { commitToText } from '../../api/domain/documents/text-commitment.ts'
import type * as tables from '../../ponder.schema.ts'
import { isRanked, listIdGrams, toReputation } from '../../src/rules/agent-rank.ts'
import { listReferenceCodes } from '../../src/rules/reference-code.ts'
import {
  toAgentSkillId,
  toBidId,
  toClaimId,
  toPitchId,
  toProofId,
  toRatingId,
  toSubmissionId,
  toTaskWorkerId,
} from '../../src/rules/row-ids.ts'
import { isTerminal, parseTaskStatus } from '../../src/rules/task-status.ts'

/** The time at which tests of reads begin: 2030-01-01T00:00:00Z, Unix seconds. */
export const START = 1_893_456_000n

let made = 0

/** 32 random bytes. */
export function aHash(): Hex {
  made += 1
  return keccak256(toHex(`made for a test: ${made}`))
}

/** A `task` row, as the schema has it: a new column is one line of `aTask`, or it does not compile. */
export type TaskColumns = typeof tables.task.$inferSelect

/** A row as it is inserted: the driver sends a bigint as a number of 64 bits, and a larger one as text. */
type Row<Table extends { $inferInsert: object }> = {
  [Column in keyof Table['$inferInsert']]:
    | Table['$inferInsert'][Column]
    | (bigint extends Table['$inferInsert'][Column] ? string : never)
}

/** Inserts a row of one of the indexer's tables. One that lacks a column does not compile. */
async function insertRow<Name extends keyof typeof tables>(
  sql: Database,
  table: Name,
  row: (typeof tables)[Name] extends { $inferInsert: object } ? Row<(typeof tables)[Name]> : never,
): Promise<void> {
  const name = table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  // The driver's own types know no row of a table that is a parameter.
  const columns: object = row
  await sql`insert into ${sql(name)} ${sql(columns as Record<string, string>)}`
}

/** Fields of an award; the others are derived. */
interface AwardColumns {
  rank?: number
  rating?: number
  gross?: bigint
  deliverable?: Hex
  settledAt?: bigint
}

/** What an agent is known for; the other columns are zero or derived. */
interface AgentColumns {
  agentId?: bigint
  completedTasks?: number
  ratings?: number[]
  totalEarnings?: bigint
  distinctRequesters?: number
  ratedVolume?: bigint
  /** Tags, with the number of public tasks that it was awarded. */
  skills?: Record<string, number>
}

/** What the service stores of a task. Null: the task was created by a direct chain call. */
export interface TaskTexts {
  description: string
  tags: string[]
  taskVisibility: 'public' | 'unlisted' | 'private'
  submissionVisibility: 'public' | 'reveal_all' | 'winner_only' | 'never'
  metricDescription: string | null
  metricTarget: string | null
}

/** Who may open a private task: by the stored hash of a password, and by invitation. */
export interface TaskAccess {
  passwordHash: string | null
  viewers: Address[]
}

/** A bounty of 5 USDC that expires in a day, created one millisecond after the one before. */
function aTask(columns: Partial<TaskColumns> & { requester: Address }): TaskColumns {
  const { id = aHash(), contentHash = aHash(), reward = 5_000_000n, status = 'open', hookSet = null } = columns
  const { createdAtMs = START * 1000n + BigInt(made) } = columns
  const [referenceCode = ''] = listReferenceCodes('task', id)
  return {
    id,
    referenceCode,
    mode: 'bounty',
    status,
    reward,
    escrow: reward,
    contentHash,
    createdContentHash: contentHash,
    tagHashes: [],
    nonce: 0n,
    listed: true,
    createdAt: createdAtMs / 1000n,
    createdAtMs,
    expiryTime: START + 86_400n,
    platformFeeBps: 750,
    stakeBps: 0,
    pitchDeadline: null,
    bidDeadline: null,
    auctionType: null,
    clockPrice: null,
    worker: null,
    workerAssignedAt: null,
    primaryWorker: null,
    price: null,
    stake: 0n,
    deliverable: null,
    objected: false,
    lowestBid: null,
    lowestBidder: null,
    evaluator: null,
    disputeResolver: null,
    evaluatorDeadline: null,
    appealDeadline: null,
    resolutionDeadline: null,
    hookSet,
    hookDataHash: hookSet === null ? null : keccak256('0x'),
    pitchCount: 0,
    bidCount: 0,
    bidderCount: 0,
    proofCount: 0,
    submissionCount: 0,
    activeSubmissionCount: 0,
    submitterCount: 0,
    awardCount: 0,
    unratedAwards: 0,
    selfAward: null,
    claimRound: 0,
    endedAt: isTerminal(parseTaskStatus(status)) ? START : null,
    lastEntryId: null,
    eventCount: 1,
    ...aPosition(),
    ...columns,
  }
}

/** Fills the tables of a test's database with consistent rows. */
export function createSeeder(sql: Database) {
  return {
    /** A task with its texts; `texts: null` for one without. */
    async task(
      columns: Partial<TaskColumns> & { requester: Address },
      texts: Partial<TaskTexts> | null = {},
      access: Partial<TaskAccess> = {},
    ): Promise<TaskColumns> {
      const row = aTask({ listed: (texts?.taskVisibility ?? 'public') === 'public', ...columns })
      await insertRow(sql, 'task', row)
      await insertRow(sql, 'referenceCode', { code: row.referenceCode, kind: 'task', targetId: row.id })
      if (texts !== null) await storeTexts(sql, row, texts)
      if (texts?.taskVisibility === 'private') await storeAccess(sql, row, access)
      return row
    },

    /** A worker's deliverable, with the files the service stored; `files: null` for a direct chain call. */
    async submission(
      taskId: Hex,
      worker: Address,
      {
        files = ['work.txt'],
        rejectedAt = null,
        submittedAt = START,
      }: { files?: string[] | null; rejectedAt?: bigint | null; submittedAt?: bigint } = {},
    ): Promise<{ id: Hex; deliverable: Hex; manifest: string; artifactIds: string[] }> {
      const manifest = JSON.stringify({ salt: aHash(), schema: 'service-artifacts-v1' })
      const deliverable = keccak256(toHex(manifest))
      const id = toSubmissionId(taskId, { worker, deliverable })
      const counts = await sql<{ count: number }[]>`
        update task set submission_count = submission_count + 1,
          active_submission_count = active_submission_count + ${rejectedAt === null ? 1 : 0}
        where id = ${taskId} returning submission_count as count`
      const submissionIndex = (counts[0]?.count ?? 0) - 1
      const [referenceCode = ''] = listReferenceCodes('submission', id)
      await insertRow(sql, 'submission', {
        id,
        referenceCode,
        taskId,
        worker,
        deliverable,
        submissionIndex,
        submittedAt,
        rejectedAt,
        previousId: null,
        ...aPosition(),
      })
      await countEntry(sql, { taskId, worker, submissionId: id, rejected: rejectedAt !== null })
      const artifactIds =
        files === null ? [] : await storeSubmission(sql, { taskId, worker, deliverable, manifest, files })
      return { id, deliverable, manifest, artifactIds }
    },

    /**
     * A pitch, with the text of the write that anchored it; `pitchText: null` for a direct chain call, with the text
     * `direct` then.
     */
    async pitch(taskId: Hex, worker: Address, fields: { pitchText?: string | null; estimatedDuration?: bigint } = {}) {
      const pitchText = fields.pitchText === undefined ? `I will do it: ${aHash()}` : fields.pitchText
      const { preimage, hash: pitchHash } = commitToText({ taskId, worker, text: pitchText ?? 'direct' })
      const id = toPitchId(taskId, { worker, pitchHash })
      const counts = await sql<{ count: number }[]>`
        update task set pitch_count = pitch_count + 1 where id = ${taskId} returning pitch_count as count`
      const position = aPosition()
      const pitch = { pitchHash, pitchIndex: (counts[0]?.count ?? 0) - 1, anchorCount: 1, submittedAt: START }
      await insertRow(sql, 'pitch', { id, taskId, worker, ...pitch, ...position })
      await ensureEntry(sql, taskId, worker)
      await sql`
        update task_entry e set pitched = true, listed = t.listed from task t
        where t.id = e.task_id and e.id = ${toTaskWorkerId(taskId, worker)}`
      if (pitchText !== null) {
        const intentId = await aRelayedIntent(sql, 'pitches.create', { actor: worker, position })
        const { estimatedDuration = null } = fields
        await sql`insert into service.pitch_content ${sql({
          intentId,
          pitchId: id,
          taskId,
          worker,
          pitchText,
          estimatedDuration,
        })}`
      }
      return { id, pitchHash, preimage, pitchText, transactionHash: position.transactionHash }
    },

    /** A proof with its submission, and its data; `proofData: null` for a direct chain call. */
    async proof(
      taskId: Hex,
      worker: Address,
      fields: { proofData?: string | null; proofType?: string; metricValue?: bigint; rejectedAt?: bigint | null } = {},
    ) {
      const { proofType = 'url', metricValue = 0n, rejectedAt = null } = fields
      const proofData = fields.proofData === undefined ? `https://example.com/${aHash()}` : fields.proofData
      const text = proofData ?? `direct ${aHash()}`
      const { preimage, hash: proofHash } = commitToText({ taskId, worker, text })
      const id = toProofId(taskId, { worker, proofHash })
      const counts = await sql<{ proofs: number; submissions: number }[]>`
        update task set proof_count = proof_count + 1, submission_count = submission_count + 1,
          active_submission_count = active_submission_count + ${rejectedAt === null ? 1 : 0}
        where id = ${taskId} returning proof_count as proofs, submission_count as submissions`
      const { proofs = 1, submissions = 1 } = counts[0] ?? {}
      const position = aPosition()
      const anchored = { taskId, worker, submittedAt: START, ...position }
      // The driver sends a bigint as a number of 64 bits.
      const metric = { proofType, metricValue: String(metricValue), proofIndex: proofs - 1 }
      await insertRow(sql, 'proof', { id, proofHash, ...metric, ...anchored })
      const [referenceCode = ''] = listReferenceCodes('submission', id)
      const submission = { submissionIndex: submissions - 1, rejectedAt, previousId: null, referenceCode }
      await insertRow(sql, 'submission', { id, deliverable: proofHash, ...submission, ...anchored })
      await countEntry(sql, { taskId, worker, submissionId: id, rejected: rejectedAt !== null })
      if (proofData !== null) {
        const intentId = await aRelayedIntent(sql, 'proofs.create', { actor: worker, position })
        await sql`insert into service.proof_content ${sql({ intentId, proofId: id, taskId, worker, proofData })}`
      }
      return { id, proofHash, preimage, proofData, transactionHash: position.transactionHash }
    },

    /** A claim of the task, of a worker who has not delivered yet. */
    async claim(taskId: Hex, worker: Address, columns: { round?: number; stakeAmount?: bigint; status?: string } = {}) {
      const round = columns.round ?? 0
      const id = toClaimId(taskId, { worker, round })
      const claim = { round, stakeAmount: 0n, status: 'active', ...columns, claimedAt: START + BigInt(round) }
      const position = aPosition()
      await insertRow(sql, 'claim', { id, taskId, worker, ...claim, ...position })
      return { id, transactionHash: position.transactionHash }
    },

    /**
     * A worker's current bid in an auction, and the task's columns about its bids: of equal ones the earlier is lowest.
     */
    async bid(task: Pick<TaskColumns, 'id' | 'bidDeadline'>, worker: Address, price: bigint, placedAt = START) {
      const id = toBidId(task.id, worker)
      const [before] = await sql<{ bidCount: number; present: bigint | null }[]>`
        select bid_count, (select price from bid where id = ${id}) as present from task where id = ${task.id}`
      const bidNumber = (before?.bidCount ?? 0) + 1
      const { bidDeadline } = task
      if (bidDeadline === null) throw new Error('a bid on a task without a bid deadline')
      const position = aPosition()
      await sql`delete from bid where id = ${id}`
      await insertRow(sql, 'bid', {
        id,
        taskId: task.id,
        worker,
        price,
        bidNumber,
        placedCount: 1,
        placedAt,
        bidDeadline,
        ...position,
      })
      await ensureEntry(sql, task.id, worker)
      await sql`update task_entry set bid = ${price} where id = ${toTaskWorkerId(task.id, worker)}`
      await sql`
        update task set bid_count = ${bidNumber}, bidder_count = bidder_count + ${before?.present == null ? 1 : 0},
          lowest_bidder = case when lowest_bid is null or ${price} < lowest_bid then ${worker} else lowest_bidder end,
          lowest_bid = least(lowest_bid, ${price})
        where id = ${task.id}`
      return { id, transactionHash: position.transactionHash }
    },

    /** An evaluator of the task, with a fee of a tenth and without a verdict. */
    async evaluation(taskId: Hex, evaluator: Address, columns: Record<string, unknown> = {}): Promise<void> {
      await insertRow(sql, 'evaluation', {
        taskId,
        evaluator,
        disputeResolver: null,
        feeBps: 1000,
        evaluationWindow: 7200n,
        appealWindow: 3600n,
        assignedAt: START,
        verdict: null,
        score: null,
        confidence: null,
        evidenceHash: null,
        fee: null,
        verdictAt: null,
        appellant: null,
        appealedAt: null,
        resolution: null,
        resolvedAt: null,
        finalizedAt: null,
        timedOutAt: null,
        ...aPosition(),
        ...columns,
      })
      await sql`update task set evaluator = ${columns.timedOutAt === undefined ? evaluator : null} where id = ${taskId}`
    },

    /** A deferred payout of an account, base units. */
    async credit(account: Address, amount: bigint): Promise<void> {
      await insertRow(sql, 'credit', { account, amount, deferredTotal: amount, ...aPosition() })
    },

    /** A list of hooks; returns its id. */
    async hookSet(hooks: Address[], defaultCount: number): Promise<Hex> {
      const id = aHash()
      await insertRow(sql, 'hookSet', { id, hooks, defaultCount, ...aPosition() })
      return id
    },

    /** The row for a call of a wallet that this service relayed in a transaction. */
    async relayed(actor: Address, transactionHash: Hex, operation = 'claims.create'): Promise<void> {
      const id = await anIntent(sql, operation)
      const [intent] = await sql<{ chainIntentId: Hex }[]>`
        update service.intents set initiator = ${actor} where id = ${id} returning chain_intent_id`
      await insertRow(sql, 'relayedIntent', {
        intentId: intent?.chainIntentId ?? zeroHash,
        actor,
        selector: '0x00000000',
        amount: 0n,
        paymentNonce: zeroHash,
        ...aPosition(),
        transactionHash,
      })
    },

    /** A settled award; the first of a task completes it. */
    async award(taskId: Hex, worker: Address, columns: AwardColumns = {}) {
      const rank = columns.rank ?? 1
      const grossAmount = columns.gross ?? 5_000_000n
      const platformFee = (grossAmount * 750n) / 10_000n
      const rating = columns.rating ?? null
      const [task] = await sql<{ createdAtMs: bigint }[]>`select created_at_ms from task where id = ${taskId}`
      const { settledAt = START } = columns
      const position = aPosition()
      await insertRow(sql, 'award', {
        id: toTaskWorkerId(taskId, worker),
        taskId,
        worker,
        taskCreatedAtMs: task?.createdAtMs ?? 0n,
        rank,
        grossAmount,
        workerPayment: grossAmount - platformFee,
        platformFee,
        deliverable: columns.deliverable ?? aHash(),
        selfAward: false,
        settledAt,
        rating,
        ratedAt: rating === null ? null : START,
        ...position,
      })
      await sql`
        update task set status = 'completed', escrow = 0, award_count = award_count + 1, self_award = false,
          unrated_awards = unrated_awards + ${rating === null ? 1 : 0},
          ended_at = ${START}, primary_worker = case when ${rank} = 1 then ${worker} else primary_worker end
        where id = ${taskId}`
      await sql`update task_entry set awarded = true, rated = ${rating !== null}
        where id = ${toTaskWorkerId(taskId, worker)}`
      await sql`update task_entry set running = false where task_id = ${taskId}`
      return { transactionHash: position.transactionHash }
    },

    /** A rating with the file behind it; `text: null` for a direct chain call. */
    async rating(task: Pick<TaskColumns, 'id' | 'requester'>, worker: Address, rating: number, text: string | null) {
      const id = toRatingId(task.id, worker)
      const body = JSON.stringify({ rating, text })
      const feedbackHash = keccak256(toHex(body))
      await insertRow(sql, 'rating', {
        id,
        taskId: task.id,
        worker,
        requester: task.requester,
        rating,
        raterAgentId: 0n,
        workerAgentId: null,
        feedbackUri: '',
        feedbackHash,
        ratedAt: START,
        ...aPosition(),
      })
      if (text !== null) {
        const intentId = await anIntent(sql, 'tasks.rate')
        await sql`insert into service.feedback_content ${sql({
          taskId: task.id,
          worker,
          feedbackHash,
          intentId,
          body,
          feedbackText: text,
        })}`
      }
      return { id, body, feedbackHash }
    },

    /** The record of an address; `agentId` makes it an agent. */
    async agent(address: Address, columns: AgentColumns = {}) {
      const ratings = columns.ratings ?? []
      const counted = {
        agentId: columns.agentId ?? null,
        completedTasks: columns.completedTasks ?? 0,
        ratedTasks: ratings.length,
        totalStars: ratings.reduce((sum, rating) => sum + rating, 0),
      }
      await insertRow(sql, 'agent', {
        address,
        ...counted,
        reputation: String(toReputation(counted)),
        ranked: isRanked(counted),
        lastAgentId: counted.agentId,
        distinctRequesters: columns.distinctRequesters ?? 0,
        ratedVolume: columns.ratedVolume ?? 0n,
        totalEarnings: columns.totalEarnings ?? 0n,
        tasksCreated: 0,
        tasksCompleted: 0,
        selfAwards: 0,
        cancelledAfterSubmissions: 0,
        expiredNoAction: 0,
        expiredAfterRejections: 0,
        staleTasks: 0,
        undeliveredAuctions: 0,
        submissionAttempts: 0,
        uniqueWorkers: 0,
      })
      for (const [tag, taskCount] of Object.entries(columns.skills ?? {})) {
        const tagHash = keccak256(toHex(tag))
        const id = toAgentSkillId(address, tagHash)
        await insertRow(sql, 'agentSkill', { id, worker: address, tagHash, taskCount })
      }
    },

    /** An ERC-8004 identity that its owner registered. */
    async identity(agentId: bigint, owner: Address, claimedBy: Address | null = owner) {
      await sql`
        insert into identity (agent_id, id_grams, owner, registered_at, claimed_by)
        values (${agentId}, ${listIdGrams(String(agentId))}::text[], ${owner}, ${START}, ${claimedBy})`
    },

    /** The texts of tags, as the content of public tasks leaves them. */
    async tags(...texts: string[]) {
      const rows = texts.map((text) => ({ text, hash: keccak256(toHex(text)) }))
      await sql`insert into service.tag_texts ${sql(rows)} on conflict (text) do update set hash = excluded.hash`
    },

    /** A drop without tasks. */
    async drop(owner: Address, columns: { id?: string; name?: string; description?: string | null } = {}) {
      const drop = { id: randomUUID() as string, name: 'Summer', description: null, ...columns }
      const intentId = await anIntent(sql, 'tasks.create')
      const createdAt = new Date(Number(START) * 1000)
      await sql`insert into service.task_drops ${sql({ ...drop, owner, intentId, createdAt })}`
      return drop.id
    },

    /** The place of a task, on chain or not, in a drop. */
    async dropMember(
      dropId: string,
      task: Pick<TaskColumns, 'requester' | 'createdContentHash'>,
      taskVisibility: TaskTexts['taskVisibility'] = 'public',
    ): Promise<void> {
      const { requester, createdContentHash } = task
      const intentId = await anIntent(sql, 'tasks.create')
      await sql`insert into service.task_drop_members
        ${sql({ dropId, requester, createdContentHash, intentId, taskVisibility })}`
    },

    /** A bound write without an outcome, last changed some minutes ago. */
    async pendingIntent(minutesAgo: number) {
      const id = await anIntent(sql, 'tasks.create', 'recorded')
      await sql`update service.intents set updated_at = now() - make_interval(mins => ${minutesAgo}) where id = ${id}`
    },
  }
}

export type Seeder = ReturnType<typeof createSeeder>

async function storeAccess(
  sql: Database,
  task: TaskColumns,
  { passwordHash = null, viewers = [] }: Partial<TaskAccess>,
) {
  const { requester, contentHash } = task
  const intentId = await anIntent(sql, 'tasks.create')
  await sql`insert into service.task_access ${sql({ requester, contentHash, intentId, passwordHash })}`
  const rows = viewers.map((viewer) => ({ requester, contentHash, viewer, addedBy: requester }))
  if (rows.length > 0) await sql`insert into service.task_viewers ${sql(rows)}`
}

async function storeTexts(sql: Database, task: TaskColumns, texts: Partial<TaskTexts>): Promise<void> {
  await sql`insert into service.task_content ${sql({
    requester: task.requester,
    contentHash: task.contentHash,
    intentId: await anIntent(sql, 'tasks.create'),
    document: '{}',
    description: 'Write a haiku about escrow',
    tags: [],
    taskVisibility: 'public',
    submissionVisibility: 'public',
    metricDescription: null,
    metricTarget: null,
    ...texts,
  })}`
}

async function storeSubmission(
  sql: Database,
  stored: { taskId: Hex; worker: Address; deliverable: Hex; manifest: string; files: string[] },
): Promise<string[]> {
  const { files, ...content } = stored
  const intentId = await anIntent(sql, 'submissions.create')
  await sql`insert into service.submission_content ${sql({ ...content, intentId, signature: '0x5165' })}`
  const artifacts = files.map((fileName, displayOrder) => ({
    id: randomUUID(),
    taskId: stored.taskId,
    worker: stored.worker,
    deliverable: stored.deliverable,
    role: displayOrder === 0 ? 'final' : 'attachment',
    fileName,
    mimeType: fileName.endsWith('.zip') ? 'application/zip' : 'text/plain',
    mediaKind: fileName.endsWith('.zip') ? 'archive' : 'text',
    sizeBytes: 4n,
    sha256Hash: '0'.repeat(64),
    keccak256Hash: zeroHash,
    displayOrder,
    textPreview: fileName.endsWith('.zip') ? null : 'text',
  }))
  if (artifacts.length > 0) await sql`insert into service.artifacts ${sql(artifacts)}`
  return artifacts.map(({ id }) => id)
}

async function countEntry(
  sql: Database,
  entry: { taskId: Hex; worker: Address; submissionId: Hex; rejected: boolean },
): Promise<void> {
  const active = entry.rejected ? 0 : 1
  await ensureEntry(sql, entry.taskId, entry.worker)
  await sql`
    update task_entry e set submission_count = e.submission_count + 1,
      active_submission_count = e.active_submission_count + ${active}, rejected = e.rejected or ${entry.rejected},
      last_submission_id = ${entry.submissionId}, listed = t.listed
    from task t where t.id = e.task_id and e.id = ${toTaskWorkerId(entry.taskId, entry.worker)}`
}

/** A worker's entry in a task, without anything in it, unless there is one. */
async function ensureEntry(sql: Database, taskId: Hex, worker: Address): Promise<void> {
  await sql`
    insert into task_entry (id, task_id, worker, submission_count, active_submission_count, rejected, awarded, rated,
      pitched, bid, last_submission_id, task_created_at_ms, running, listed, previous_entry_id)
    select ${toTaskWorkerId(taskId, worker)}, id, ${worker}, 0, 0, false, false, false, false, null, null,
      created_at_ms, ended_at is null, false, null
    from task where id = ${taskId}
    on conflict (id) do nothing`
}

/** A completed write, which content rows refer to. */
async function anIntent(sql: Database, operation: string, status = 'completed'): Promise<string> {
  const id = randomUUID()
  await sql`insert into service.intents ${sql({
    id,
    idempotencyKey: randomUUID(),
    operation,
    fingerprint: Buffer.alloc(32),
    status,
    leg: 'paid',
    calldata: '0x',
    chainIntentId: aHash(),
  })}`
  return id
}

/** A write completed in the transaction of this position, as the forwarder logged it. */
async function aRelayedIntent(
  sql: Database,
  operation: string,
  { actor, position }: { actor: Address; position: ReturnType<typeof aPosition> },
): Promise<string> {
  const id = await anIntent(sql, operation)
  const call = { actor, selector: '0x00000000' as const, amount: 1000n, paymentNonce: aHash() }
  const [intent] = await sql<{ chainIntentId: Hex }[]>`select chain_intent_id from service.intents where id = ${id}`
  await insertRow(sql, 'relayedIntent', { intentId: intent?.chainIntentId ?? '0x', ...call, ...position })
  return id
}

function aPosition() {
  return { blockNumber: 1n, blockTimestamp: START, transactionHash: aHash(), transactionIndex: 0, logIndex: 0 }
}
