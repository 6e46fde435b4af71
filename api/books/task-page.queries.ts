import type { Address, Hex } from 'viem'
import type { Queryable, Transaction } from '../db/client.ts'

/** The largest number of tasks that one round compares. */
const MAX_TASKS = 50
/**
 * The largest number of running tasks that one round compares. The rest of the `MAX_TASKS` tasks of a round are ended
 * tasks. At one round per second, 47 × 86,400 = 4,060,800 running tasks are compared in a day.
 */
const MAX_RUNNING = 47
/** The largest number of task rows that are read to find one page. */
const MAX_WALKED = 2_000
/** The largest number of rows of one task that are counted. If a task has more rows, the count is not compared. */
const MAX_COUNTED = 1_000

export interface TaskPage {
  ids: Hex[]
  /**
   * The `createdAtMs` of the last task that was read for the page. The next page starts after this time. Null if no
   * task was created after the cursor of the previous page.
   */
  cursor: bigint | null
}

/**
 * Returns the next tasks after the cursor `after`, in order of creation. The page contains every running task between
 * `after` and the returned cursor. Ended tasks of the same range, selected at random, fill the remaining places.
 * @param again the ids of tasks that differed in the previous round; the page always contains them
 */
export async function findTaskPage(
  tx: Transaction,
  { after, again }: { after: bigint; again: readonly string[] },
): Promise<TaskPage> {
  const room = MAX_TASKS - again.length
  const [page] = await tx<{ ids: Hex[] | null; cursor: bigint | null }[]>`
    with walked as (
      select id, created_at_ms, ended_at is null as running,
        count(*) filter (where ended_at is null) over (order by created_at_ms, id) as runs
      from (
        select id, created_at_ms, ended_at from task where created_at_ms > ${after}
        order by created_at_ms limit ${MAX_WALKED}
      ) as next
    ),
    reached as (
      select * from walked
      where runs < ${Math.min(room, MAX_RUNNING)} or (runs = ${Math.min(room, MAX_RUNNING)} and running)
    ),
    chosen as (
      (select id, running from reached where running)
      union all
      (select id, running from reached where not running order by random() limit ${MAX_TASKS})
      order by running desc limit ${room}
    )
    select (select array_agg(id) from chosen) as ids, (select max(created_at_ms) from reached) as cursor`
  return { ids: [...new Set([...(again as Hex[]), ...(page?.ids ?? [])])], cursor: page?.cursor ?? null }
}

/** A task with all facts that the market's view functions return. */
export interface AuditedTask {
  id: Hex
  requester: Address
  mode: string
  auctionType: string | null
  status: string
  reward: bigint
  escrow: bigint
  stake: bigint
  platformFeeBps: number
  stakeBps: number
  contentHash: Hex
  tagHashes: Hex[]
  createdAt: bigint
  expiryTime: bigint
  pitchDeadline: bigint | null
  bidDeadline: bigint | null
  clockPrice: bigint | null
  worker: Address | null
  price: bigint | null
  deliverable: Hex | null
  objected: boolean
  lowestBid: bigint | null
  lowestBidder: Address | null
  evaluator: Address | null
  disputeResolver: Address | null
  evaluatorDeadline: bigint | null
  appealDeadline: bigint | null
  resolutionDeadline: bigint | null
  submissionCount: number
  activeSubmissionCount: number
  pitchCount: number
  bidCount: number
  proofCount: number
  awardCount: number
  claimRound: number
  hookSet: Hex | null
  hooks: Address[]
  defaultHooks: number
  /** The task's evaluator, even after the evaluator was removed. Null if the task never had an evaluator. */
  judge: Address | null
  timedOut: boolean
  evaluatorFeeBps: number | null
  evaluationWindow: bigint | null
  appealWindow: bigint | null
  verdict: string | null
  score: number | null
  confidence: number | null
  evidenceHash: Hex | null
  /** The awards of the verdict. Amounts are decimal strings, in USDC base units. */
  verdictAwards: { worker: Address; amount: string; rank: number }[]
  awards: { worker: Address; amount: string }[]
  /** The number of submission rows of the task; null if there are more than `MAX_COUNTED`. */
  submissionRows: number | null
  /**
   * The number of submission rows of workers who are not rejected. Null if the task has more than `MAX_COUNTED`
   * submissions.
   */
  activeSubmissionRows: number | null
  /**
   * The number of pitches to the task that were anchored on chain. A pitch that was anchored several times counts
   * several times. Null if the task has more than `MAX_COUNTED` pitch rows.
   */
  anchoredPitches: number | null
  /** The number of bids placed, including replaced ones; null if there are more than `MAX_COUNTED` bid rows. */
  placedBids: number | null
  /** The number of proof rows of the task; null if there are more than `MAX_COUNTED`. */
  proofRows: number | null
  /** The number of award rows of the task; null if there are more than `MAX_COUNTED`. */
  awardRows: number | null
}

/** Returns the tasks with the given ids. Ids without a row are left out. */
export async function listAuditedTasks(tx: Transaction, ids: readonly Hex[]): Promise<AuditedTask[]> {
  if (ids.length === 0) return []
  return await tx<AuditedTask[]>`
    select t.id, t.requester, t.mode, t.auction_type, t.status, t.reward, t.escrow, t.stake, t.platform_fee_bps,
      t.stake_bps, t.content_hash, t.tag_hashes, t.created_at, t.expiry_time, t.pitch_deadline, t.bid_deadline,
      t.clock_price, t.worker, t.price, t.deliverable, t.objected, t.lowest_bid, t.lowest_bidder, t.evaluator,
      t.dispute_resolver, t.evaluator_deadline, t.appeal_deadline, t.resolution_deadline, t.submission_count,
      t.active_submission_count, t.pitch_count, t.bid_count, t.proof_count, t.award_count, t.claim_round, t.hook_set,
      coalesce(hooked.hooks, '{}') as hooks, coalesce(hooked.default_count, 0) as default_hooks,
      judged.evaluator as judge, judged.timed_out_at is not null as timed_out, judged.fee_bps as evaluator_fee_bps,
      judged.evaluation_window, judged.appeal_window, judged.verdict, judged.score, judged.confidence,
      judged.evidence_hash,
      (select coalesce(json_agg(json_build_object('worker', worker, 'amount', amount::text, 'rank', rank)
          order by award_index), '[]')
        from (select * from verdict_award where task_id = t.id and decided_by = 'evaluator' limit ${MAX_COUNTED}) as one
      ) as verdict_awards,
      (select coalesce(json_agg(json_build_object('worker', worker, 'amount', gross_amount::text)
          order by block_number, log_index), '[]')
        from (select * from award where task_id = t.id limit ${MAX_COUNTED}) as one
      ) as awards,
      ${countOf(tx, 'submission', 'count(*)')} as submission_rows,
      ${countOf(tx, 'submission', 'count(*) filter (where rejected_at is null)')} as active_submission_rows,
      ${countOf(tx, 'pitch', 'coalesce(sum(anchor_count), 0)')} as anchored_pitches,
      ${countOf(tx, 'bid', 'coalesce(sum(placed_count), 0)')} as placed_bids,
      ${countOf(tx, 'proof', 'count(*)')} as proof_rows,
      ${countOf(tx, 'award', 'count(*)')} as award_rows
    from task t
    left join hook_set hooked on hooked.id = t.hook_set
    left join evaluation judged on judged.task_id = t.id
    where t.id = any(${[...ids]}::text[])`
}

/**
 * Returns the SQL that counts rows of task `t` in a table. The count is null if the task has more than `MAX_COUNTED`
 * rows.
 */
function countOf(tx: Queryable, table: string, count: string) {
  return tx`(select case when count(*) <= ${MAX_COUNTED} then (${tx.unsafe(count)})::int end
    from (select * from ${tx(table)} where task_id = t.id limit ${MAX_COUNTED + 1}) as one)`
}
