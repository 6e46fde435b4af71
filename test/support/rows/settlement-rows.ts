import { type Address, type Hex, keccak256, toHex, zeroHash } from 'viem'
import type { Database } from '../../../api/db/client.ts'
import { toRatingId, toTaskWorkerId } from '../../../protocol/rules/row-ids.ts'
import { aHash, anIntent, aPosition, insertRow, START } from './insert-row.ts'
import type { TaskColumns } from './task-rows.ts'

/** Fields of an award; the others are derived. */
interface AwardColumns {
  rank?: number
  rating?: number
  gross?: bigint
  deliverable?: Hex
  settledAt?: bigint
}

/** What tasks come to: awards, ratings, deferred payouts, and the calls behind them. */
export function settlementRows(sql: Database) {
  return {
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
        escrowAmount: 0n,
        prepaid: false,
        paymentNonce: zeroHash,
        ...aPosition(),
        transactionHash,
      })
    },

    /** A bound write without an outcome, last changed some minutes ago. */
    async pendingIntent(minutesAgo: number) {
      const id = await anIntent(sql, 'tasks.create', 'recorded')
      await sql`update service.intents set updated_at = now() - make_interval(mins => ${minutesAgo}) where id = ${id}`
    },
  }
}
