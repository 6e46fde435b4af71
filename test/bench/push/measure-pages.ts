import postgres from 'postgres'
import type { Figure } from '../../../scripts/figures/figure.ts'
import { counted } from '../figures/figures.ts'
import { quantileOf } from '../figures/statistics.ts'
import { fetchBytes } from '../reads/http-get.ts'
import type { RowStack } from '../reads/row-stack.ts'
import { NOW } from '../reads/rows.ts'

/** Wallets that entries concern, one each. */
const WALLETS = 10_000
const ROWS_AT_ONCE = 1_000_000
const PAGES = 300
const EPOCH = 'be0c4be0c4be'
const wallet = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

/**
 * Times pages of the log at random places over HTTP, with each filter: the median while it has so many entries, of that while it has
 * so few.
 */
export async function measurePages(
  stack: RowStack,
  { few, many, random }: { few: number; many: number; random: () => number },
): Promise<Figure[]> {
  const databaseUrl = await stack.createRows({ tasks: 1_000 })
  const url = await stack.startService('events', databaseUrl)
  const { tasks } = JSON.parse((await fetchBytes(`${url}/api/tasks?limit=100`)).toString()) as {
    tasks: { id: string }[]
  }
  const taskIds = tasks.map(({ id }) => id)
  const filters = {
    'all entries': '',
    'one kind': '&kind=task.created',
    'two kinds': '&kind=task.created&kind=award.settled',
    'a wallet': `&address=${wallet(1)}`,
    'a task': `&taskId=${taskIds[0]}`,
    'tasks of a mode': '&mode=bounty',
  }
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const fill = async (from: number, to: number) => {
    for (let first = from; first < to; first += ROWS_AT_ONCE) {
      await insertEntries(sql, { first, last: Math.min(first + ROWS_AT_ONCE, to), taskIds })
    }
    await sql`analyze service.events, service.event_parties`
  }
  const time = async (filter: string, size: number) => {
    const times: number[] = []
    for (let page = 0; page < PAGES; page += 1) {
      const after = `${EPOCH}-${Math.floor(random() * (size - 50_000))}`
      const startedAt = performance.now()
      await fetchBytes(`${url}/api/events?limit=100&after=${after}${filter}`)
      times.push(performance.now() - startedAt)
    }
    return quantileOf(times, 0.5)
  }
  try {
    await sql`set session_replication_role = replica`
    await fill(0, few)
    const ofFew = new Map<string, number>()
    for (const [name, filter] of Object.entries(filters)) ofFew.set(name, await time(filter, few))
    await fill(few, many)
    const figures: Figure[] = []
    for (const [name, filter] of Object.entries(filters)) {
      const ratio = (await time(filter, many)) / (ofFew.get(name) ?? Number.NaN)
      figures.push(counted(`page of ${many} entries, of one of ${few}, p50: ${name}`, ratio))
    }
    return figures
  } finally {
    await sql.end()
  }
}

/** Appends entries of public tasks, each of which concerns one wallet. They are final, and so are compared with no row. */
async function insertEntries(
  sql: postgres.Sql,
  { first, last, taskIds }: { first: number; last: number; taskIds: readonly string[] },
): Promise<void> {
  const kinds = ['task.created', 'submission.created', 'award.settled', 'task.completed', 'rating.created']
  await sql`
    insert into service.events (sequence, kind, block_number, block_timestamp, transaction_hash, log_index, task_id, resource,
      addresses, data)
    select n, (${kinds}::text[])[1 + n % ${kinds.length}::int], n, ${NOW}, '0x' || lpad(to_hex(n), 64, '0'), 0,
      (${taskIds}::text[])[1 + n % ${taskIds.length}::int], 'task', '{}', '{}'
    from generate_series(${first + 1}::bigint, ${last}::bigint) as n`
  await sql`
    insert into service.event_parties (address, sequence, is_private)
    select '0x' || lpad(to_hex(n % ${WALLETS}::int), 40, '0'), n, false
    from generate_series(${first + 1}::bigint, ${last}::bigint) as n`
  await sql`delete from service.event_log`
  await sql`
    insert into service.event_log (epoch, origin, head, head_time, final_block, final_time, last_sequence)
    values (${EPOCH}, '', ${last}, 0, ${last}, 0, ${last})`
}
