import type { Address } from 'viem'
import type { Database, Transaction } from '../../../api/db/client.ts'

/**
 * Gives a wallet so many tasks, as copies of one that is there: as requester, running and completed without ratings;
 * assigned; entered, running and ended; and to evaluate. One in ten is unlisted. `now`: Unix seconds.
 */
export async function loadWalletTasks(sql: Database, wallet: WalletTasks): Promise<void> {
  // The view has a column that the table has not.
  const [table] = await sql<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.view_table_usage
    where view_schema = 'market' and view_name = 'task'`
  if (table === undefined) throw new Error('market.task is a view of a table')
  for (let first = 1; first <= wallet.tasks; first += STEP) {
    await sql.begin(async (transaction) => {
      // Without triggers, which take most of the time: the rows have an intent that exists, and no tags.
      await transaction`set local session_replication_role = replica`
      await loadStep(transaction, wallet, { table: table.name, first, last: Math.min(first + STEP - 1, wallet.tasks) })
    })
  }
}

interface WalletTasks {
  address: Address
  tasks: number
  now: number
}

/** A statement has a bound of time. */
const STEP = 2_500

async function loadStep(
  sql: Transaction,
  { address, tasks, now }: WalletTasks,
  { table, first, last }: { table: string; first: number; last: number },
): Promise<void> {
  const id = sql`('0x' || encode(sha256(convert_to(${address}::text || i, 'UTF8')), 'hex'))`
  const kind = sql`i % 5`
  const hasEnded = sql`(${kind} = 1 or i % 10 = 8)`
  const isListed = sql`i % 10 <> 0 and i % 10 <> 6`
  const task = sql.unsafe(table)
  const other = `0x${'0b'.repeat(20)}`
  const series = sql`generate_series(${first}::int, ${last}::int) as i`
  await sql`
    insert into ${task}
    select made.* from (select to_jsonb(task) as template from task limit 1) as one, ${series},
      lateral jsonb_populate_record(null::${task}, template || jsonb_build_object(
        'id', ${id}, 'reference_code', 'TSK-' || upper(substr(${id}, 3, 20)),
        'requester', case when ${kind} < 2 then ${address}::text else ${other} end,
        'mode', case when ${kind} in (2, 4) then 'claim' else 'bounty' end,
        'status', case when ${hasEnded} then 'completed' when ${kind} = 2 then 'claimed' when ${kind} = 4 then 'review' else 'open' end,
        'content_hash', ${id}, 'created_content_hash', ${id}, 'listed', ${isListed}, 'auction_type', null,
        'created_at', ${now}::int8 - i, 'created_at_ms', (${now}::int8 - i) * 1000 + 999 - ${tasks % 997},
        'expiry_time', ${now}::int8 + 1000 + i, 'worker', case when ${kind} = 2 then ${address}::text when ${kind} = 4 then ${other} end,
        'evaluator', case when ${kind} = 4 then ${address}::text end, 'dispute_resolver', null,
        'evaluator_deadline', case when ${kind} = 4 then ${now}::int8 + 1000 + i end,
        'submission_count', case when ${kind} in (1, 3, 4) then 1 else 0 end,
        'active_submission_count', case when ${kind} in (1, 3, 4) then 1 else 0 end, 'pitch_count', 0, 'bid_count', 0,
        'award_count', case when ${hasEnded} then 1 else 0 end, 'unrated_awards', case when ${kind} = 1 then 1 else 0 end,
        'ended_at', case when ${hasEnded} then ${now}::int8 end)) as made`
  await sql`
    insert into service.task_content (requester, content_hash, intent_id, document, description, tags, task_visibility,
      submission_visibility)
    select requester, content_hash, (select id from service.intents limit 1), '{}', 'Work number ' || id, '{}',
      case when listed then 'public' else 'unlisted' end, 'public'
    from (select ${id} as id, case when ${kind} < 2 then ${address}::text else ${other} end as requester,
      ${id} as content_hash, ${isListed} as listed from ${series}) as made`
  await sql`
    insert into award (id, task_id, worker, task_created_at_ms, rank, gross_amount, worker_payment, platform_fee,
      deliverable, self_award, settled_at, block_number, block_timestamp, transaction_hash, transaction_index, log_index)
    select ${id} || ':' || ${other}, ${id}, ${other}, (${now}::int8 - i) * 1000, 1, 1000, 900, 100, ${id}, false, ${now}, 1, ${now}, ${id}, 0, 0
    from ${series} where ${kind} = 1`
  await sql`
    insert into evaluation (task_id, evaluator, fee_bps, evaluation_window, appeal_window, assigned_at, block_number,
      block_timestamp, transaction_hash, transaction_index, log_index)
    select ${id}, ${address}, 500, 86400, 86400, ${now}, 1, ${now}, ${id}, 0, 0 from ${series} where ${kind} = 4`
  await sql`
    insert into task_entry (id, task_id, worker, submission_count, active_submission_count, rejected, awarded, rated,
      pitched, task_created_at_ms, running, listed)
    select ${id} || ':' || worker, ${id}, worker, 1, 1, false, ${hasEnded}, false, false,
      (${now}::int8 - i) * 1000 + 999 - ${tasks % 997}, not ${hasEnded}, ${isListed}
    from (select i, case when ${kind} = 3 then ${address}::text else ${other} end as worker from ${series}
      where ${kind} in (1, 3, 4)) as entered`
}
