import type { PreparedWrite } from '../client/operations.ts'
import type { Outcome } from '../client/outcome.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { mine } from '../inject/chain.ts'
import { prepareContractPayers } from '../inject/contract-payers.ts'
import { describe, expectAll, performAll, prepareMixed, topologies } from '../inject/steps.ts'

const MANY = 120
const SOME = 24
const ALONE = 3

const rows: { name: string; settings: Record<string, string>; run(context: FaultCaseContext): Promise<void> }[] = [
  // Gas for a few dozen of these calls, at anvil's fees.
  {
    name: 'a hundred new ones use up the daily quota',
    settings: { FOREIGN_WEI_PER_DAY: String(5n * 10n ** 16n) },
    run: useUp,
  },
  { name: 'they refuse in even blocks', settings: { FOREIGN_WEI_PER_DAY: String(10n ** 19n) }, run: byParity },
]

/** Contract wallets that accept their payment in simulations and burn all gas in blocks. */
export const faultCases: readonly FaultCase[] = rows.flatMap(({ name, settings, run }) =>
  topologies.map((topology) => ({
    name: `contract payers: ${name}, ${describe(topology)}`,
    topology,
    short: false,
    needsOwnEnvironment: true,
    settings,
    run,
  })),
)

/**
 * More calls than the daily gas quota pays for; plain writes complete before and after it is used up.
 */
async function useUp(context: FaultCaseContext): Promise<void> {
  const hostile = await prepareContractPayers(context, MANY, 'mined')
  const plain = await prepareMixed(context, 3)
  const attacked = performAll(context, hostile)
  expectAll(await performAll(context, plain), 'completed')
  const counts = countKinds(await attacked)
  const { failed = 0, refused = 0 } = counts
  if (failed === 0 || refused === 0 || failed + refused < MANY) {
    throw new Error(`expected some failed and some refused, got ${JSON.stringify(counts)}`)
  }
  expectAll(await performAll(context, await prepareMixed(context, 1)), 'completed')
  context.note(`${failed} burned gas, ${refused} were refused`)
}

/**
 * Some alone on an odd head, so that each is mined in an even block; the others beside plain writes, in any block.
 */
async function byParity(context: FaultCaseContext): Promise<void> {
  const alone = await prepareContractPayers(context, ALONE, 'even blocks')
  for (const write of alone) {
    if ((await context.environment.client.getBlockNumber()) % 2n === 0n) await mine(context.environment.anvil)
    expectAll([await context.perform(write)], 'failed')
  }
  const missing = ALONE - (await countReverted(context, alone))
  if (missing > 0) throw new Error(`${missing} of ${ALONE} payers by parity were not reverted on chain`)
  const hostile = await prepareContractPayers(context, SOME, 'even blocks')
  const plain = await prepareMixed(context, 2)
  const attacked = performAll(context, hostile)
  expectAll(await performAll(context, plain), 'completed')
  const counts = countKinds(await attacked)
  const { held = 0, undecided = 0 } = counts
  if (held + undecided > 0) throw new Error(`a payer by parity ended as ${JSON.stringify(counts)}`)
  context.note(`${await countReverted(context, hostile)} of ${SOME} reverted on chain, and ${ALONE} alone`)
}

async function countReverted({ environment }: FaultCaseContext, writes: readonly PreparedWrite[]): Promise<number> {
  const keys = writes.map(({ call }) => call.key)
  const [row] = await environment.sql<{ count: number }[]>`
    select count(*)::int as count from service.intents
    where idempotency_key in ${environment.sql(keys)} and status = 'failed' and block_number is not null`
  return row?.count ?? 0
}

function countKinds(outcomes: readonly Outcome[]): Partial<Record<Outcome['kind'], number>> {
  const counts: Partial<Record<Outcome['kind'], number>> = {}
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
