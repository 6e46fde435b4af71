import type { Cell, CellContext } from '../cell.ts'
import { jumpTime } from '../inject/chain.ts'
import { prepareContractPayers } from '../inject/contract-payers.ts'
import { slowSimulations } from '../inject/slow-simulations.ts'
import { describe, expectAll, performAll, prepareMixed, topologies } from '../inject/steps.ts'

const SLOW = 24
const SLOWNESS_MS = 8_000
/** Longer than any authorization of the clients is valid. */
const VALIDITY_SECONDS = 700
const environment = { FOREIGN_WEI_PER_DAY: String(10n ** 19n) }

/** Contract wallets that take long to be simulated, once their writes are bound. */
export const cells: readonly Cell[] = topologies.map((topology) => ({
  name: `slow wallets: ${SLOW} of ${SLOWNESS_MS / 1000} s each, ${describe(topology)}`,
  topology,
  short: false,
  needsOwnWorld: true,
  environment,
  run,
}))

/** Plain writes end while every slow one still waits; these fail once their authorizations have expired. */
async function run(context: CellContext): Promise<void> {
  const slow = await prepareContractPayers(context, SLOW, 'never')
  const accounts = slow.map(({ account }) => account.address)
  // One rule: what one process admits, the other may relay.
  const rule = slowSimulations(accounts, SLOWNESS_MS)
  for (const { rpc } of context.replicas) rpc.inject(rule)
  const attacked = performAll(context, slow)
  await context.until('every slow write to be bound', async () => (await countWaiting(context)) === SLOW)
  for (let round = 0; round < 2; round += 1) {
    expectAll(await performAll(context, await prepareMixed(context, 1)), 'completed')
  }
  const waiting = await countWaiting(context)
  if (waiting < SLOW) throw new Error(`only ${waiting} of ${SLOW} slow writes waited while plain ones were relayed`)
  await jumpTime(context.world.anvil, VALIDITY_SECONDS)
  expectAll(await attacked, 'failed')
}

async function countWaiting({ world }: CellContext): Promise<number> {
  const [row] = await world.sql<{ count: number }[]>`
    select count(*)::int as count from service.intents where status = 'recorded' and relay_class = 'foreign'`
  return row?.count ?? 0
}
