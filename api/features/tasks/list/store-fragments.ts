import type { Hex } from 'viem'
import type { Deps } from '../../../deps.ts'
import { listTaskRows } from '../tasks.queries.ts'
import { deleteUselessFragments, storeFragments } from './stored-fragments.queries.ts'
import { isStorable, makeFragment } from './task-fragments.ts'

/** The number of tasks in one transaction, which takes about 40 ms. */
const BATCH_SIZE = 250
/** The pause between two batches of fragments, in milliseconds. It keeps the work below a tenth of a processor. */
const PAUSE_MS = 500
/** The pause between two deletions of fragments that no page will use, in milliseconds. */
const SWEEP_EVERY_MS = 60_000
/** The number of fragments that one deletion examines. */
const SWEPT = 1_000

export interface StoreDeps extends Pick<Deps, 'sql' | 'taskFragments'> {
  config: Pick<Deps['config'], 'SERVICE_NAME'>
  chain: Pick<Deps['chain'], 'head'>
}

/**
 * Creates the function that stores fragments. The service calls the function repeatedly. A fragment is the JSON of a
 * listed task. No process needs to build a stored fragment again until the task's rows change. The function also
 * deletes fragments that no page will use, including fragments whose texts were removed.
 * @returns the function; each call stores one batch and returns the pause before the next call in milliseconds
 */
export function createFragmentsRun(
  deps: StoreDeps,
  clock: () => number = () => performance.now(),
): () => Promise<number> {
  let sweptTo = ''
  let nextSweep = clock() + SWEEP_EVERY_MS
  return async () => {
    await makeStored(deps, deps.taskFragments.takeMade(BATCH_SIZE))
    if (clock() >= nextSweep) {
      nextSweep = clock() + SWEEP_EVERY_MS
      const { digest } = deps.taskFragments
      sweptTo = (await deleteUselessFragments(deps.sql, { after: sweptTo, limit: SWEPT, digest })) ?? ''
    }
    return PAUSE_MS
  }
}

/**
 * Builds the fragments of tasks from rows of the primary database. Stores the fragments that remain valid long enough
 * (`isStorable`).
 */
export async function makeStored(
  { sql, taskFragments: { digest }, config, chain }: StoreDeps,
  ids: readonly Hex[],
): Promise<void> {
  if (ids.length === 0) return
  const { timestamp: now } = await chain.head()
  const view = { now, serviceName: config.SERVICE_NAME }
  await sql.byKey.begin(async (tx) => {
    const rows = await listTaskRows(tx, ids)
    const [first] = rows
    if (first === undefined) return
    const fragments = rows
      .map((row) => ({ row, fragment: makeFragment(row, view) }))
      .filter(({ row, fragment }) => isStorable(row, fragment, now))
      .map(({ row: { id, version }, fragment: { bytes, hash, interval } }) => {
        return { id, version, hash, interval, body: bytes.toString() }
      })
    await storeFragments(tx, fragments, { shared: first.shared, digest })
  })
}
