import { randomUUID } from 'node:crypto'
import { type Address, type Hex, keccak256, toHex, zeroHash } from 'viem'
import type { Database } from '../../../api/db/client.ts'
import { commitToText } from '../../../protocol/documents/text-commitment.ts'
import { listReferenceCodes } from '../../../protocol/rules/reference-code.ts'
import {
  toBidId,
  toClaimId,
  toPitchId,
  toProofId,
  toSubmissionId,
  toTaskWorkerId,
} from '../../../protocol/rules/row-ids.ts'
import { aHash, anIntent, aPosition, aRelayedIntent, insertRow, START } from './insert-row.ts'
import type { TaskColumns } from './task-rows.ts'

/** What workers bring to tasks: deliverables, pitches, proofs, claims and bids. */
export function entryRows(sql: Database) {
  return {
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
  }
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
