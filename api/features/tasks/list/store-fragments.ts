import type { Hex } from 'viem'
import type { Deps } from '../../../deps.ts'
import { listTaskRows } from '../tasks.queries.ts'
import { deleteUselessFragments, storeFragments } from './stored-fragments.queries.ts'
import { isStorable, makeFragment } from './task-fragments.ts'

/** Tasks of one transaction: some 40 ms. */
const BATCH_SIZE = 250
/** Pause between two batches, milliseconds: storing takes no more than a tenth of a processor. */
const PAUSE_MS = 500
/** Pause between two parts of the search for useless fragments, milliseconds. */
const SWEEP_EVERY_MS = 60_000
/** Fragments of one part. */
const SWEPT = 1_000

export interface StoreDeps extends Pick<Deps, 'sql' | 'taskFragments'> {
  config: Pick<Deps['config'], 'SERVICE_NAME'>
  chain: Pick<Deps['chain'], 'head'>
}

/**
 * Stores the tasks whose fragments were made for pages, so that no process makes them again while their rows stay. Each is made
 * once more, of rows of the primary: see `storeFragments`. And deletes those that no page will use, and texts that were removed.
 * @returns one run of the loop, which returns its pause in milliseconds
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

/** Makes the fragments of tasks of their rows, and stores those that are good for a while. */
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
