import { type Hex, parseEther } from 'viem'
import { type FickleHook, putFickleHook } from '../../support/scripted-contracts.ts'
import { createTask, prepareAccept, toClaim } from '../client/classes.ts'
import { type PreparedEntry, prepareEntries, toPreparation } from '../client/entries.ts'
import type { Outcome } from '../client/outcome.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { switchWhileSent } from '../inject/between-simulation-and-block.ts'
import { describe, expectAll, performAll, prepareMixed, topologies } from '../inject/steps.ts'

/** No gas quota is reached. */
const settings = {
  FOREIGN_WEI_PER_DAY: String(parseEther('10')),
  FOREIGN_WEI_PER_FEE_USDC: String(parseEther('1000')),
}

/** How a hook that admitted its task later refuses the workers. */
const rows: {
  name: string
  turn(context: FaultCaseContext, hook: FickleHook): Promise<unknown>
  /** The outcomes an entry may have; unless one may complete, at least one reverts on chain. */
  ends: readonly Outcome['kind'][]
}[] = [
  { name: 'admits in simulations alone', ends: ['failed'], turn: (_, hook) => hook.refuse('mined') },
  { name: 'burns its gas in blocks', ends: ['failed'], turn: (_, hook) => hook.refuse('mined', true) },
  {
    name: 'is switched between simulation and block',
    ends: ['failed', 'refused'],
    turn: async (context, hook) => switchWhileSent(context, (isOn) => hook.refuse(isOn ? 'always' : 'never')),
  },
  {
    name: 'refuses in even blocks',
    ends: ['failed', 'refused', 'completed'],
    turn: (_, hook) => hook.refuse('even blocks'),
  },
]

/** A requester's own hook that refuses honest workers, whose relayed entries then revert on chain. */
export const faultCases: readonly FaultCase[] = rows.flatMap((row) =>
  topologies.map((topology) => ({
    name: `hooks: one that ${row.name}, ${describe(topology)}`,
    topology,
    short: false,
    needsOwnEnvironment: true,
    settings,
    run: (context: FaultCaseContext) => run(context, row),
  })),
)

async function run(context: FaultCaseContext, { turn, ends }: (typeof rows)[number]): Promise<void> {
  const { environment, replicas } = context
  const address = context.random.bytes32().slice(0, 42) as Hex
  const hook = await putFickleHook(environment.anvil, address)
  const credited = await prepareCreditedClaim(context, address)
  const entries = [...(await prepareEntries(context, { hook: address })), credited]
  const plain = await prepareMixed(context, 2)
  const before = await findUsedWei(context, credited)
  await turn(context, hook)
  const attacked = performAll(
    context,
    entries.map(({ write }) => write),
  )
  expectAll(await performAll(context, plain), 'completed')
  const outcomes = await attacked
  expectEnds(outcomes, ends)
  for (const { rpc } of replicas) rpc.clear()
  await hook.refuse('never')
  // The credited claim is the last one: the fees of the hook's owner pay for its revert.
  const isReverted = outcomes.at(-1)?.kind === 'failed'
  if (isReverted && (await findUsedWei(context, credited)) <= before) throw new Error('the owner paid for no revert')
  await expectNothingAgainstWorkers(context, entries)
}

/** No wallet is charged for them: the checker compares every balance. */
function expectEnds(outcomes: readonly Outcome[], ends: readonly Outcome['kind'][]): void {
  const others = outcomes.filter(({ kind }) => !ends.includes(kind))
  if (others.length > 0) throw new Error(`an entry under attack ended as ${JSON.stringify(others)}`)
  const isHit = outcomes.some(({ kind }) => kind === 'failed')
  if (!isHit && !ends.includes('completed')) throw new Error('no entry reverted on chain')
}

/** The same wallets enter tasks without hooks. */
async function expectNothingAgainstWorkers(
  context: FaultCaseContext,
  entries: readonly PreparedEntry[],
): Promise<void> {
  const workers = entries.map(({ write }) => write.account)
  const elsewhere = await prepareEntries(context, { hook: null, workers })
  const writes = elsewhere.map(({ write }) => write)
  expectAll(await performAll(context, writes), 'completed')
}

/** A claim of a task whose requester has gas credit from earlier fees. */
async function prepareCreditedClaim(context: FaultCaseContext, hookContract: Hex): Promise<PreparedEntry> {
  const preparation = toPreparation(context)
  const accept = await prepareAccept(preparation)
  await preparation.perform(accept)
  const requester = accept.account
  const { taskId } = await createTask(preparation, { mode: 'claim', amount: 1_000n, requester, hookContract })
  const claim = await toClaim(context.random, { taskId, account: await context.wallet(0n) }, 0n)
  return { write: context.toWrite({ ...claim, isForeign: true }, 'credited claim'), requester }
}

/** Wei charged to the credit of the entry's requester. The checker proves that no worker pays. */
async function findUsedWei({ environment }: FaultCaseContext, { requester }: PreparedEntry): Promise<bigint> {
  const [row] = await environment.sql<{ used: string }[]>`
    select used_wei as used from service.gas_accounts where name = ${requester.address.toLowerCase()}`
  return BigInt(row?.used ?? 0)
}
