import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { mine } from '../inject/chain.ts'
import type { InjectedRule, RpcRule } from '../inject/rpc-faults.ts'
import { receiptOf, receiptsOfNoBlock, successesLookReverted, wrongChainId } from '../inject/rpc-lies.ts'
import { staleHead } from '../inject/stale-head.ts'
import { expectAll, firstOf, performAll, performThrough, type Scope, scopes, untilAnswered } from '../inject/steps.ts'

const sends = ['eth_sendRawTransaction', 'eth_sendRawTransactionSync']
const everything: RpcRule = { fault: { kind: 'drop-request' } }
/** How far a node lags, blocks. */
const lag = 3n

/** Faults of a node for every class of writes, and what the writes must end with. */
const perClass: { name: string; isOutage?: true; deadlineMs?: number; short?: string; run: Step }[] = [
  { name: 'the answer of a send is lost', run: loseSends({ kind: 'drop-answer' }) },
  { name: 'a send never arrives', run: loseSends({ kind: 'drop-request' }) },
  { name: 'a send hangs, and arrived', run: loseSends({ kind: 'hang', reachesNode: true }) },
  { name: 'a send hangs, and never arrives', run: loseSends({ kind: 'hang', reachesNode: false }) },
  { name: '429 in a burst', isOutage: true, run: (context, scope) => burst(context, scope, 429) },
  { name: '502 in a burst', isOutage: true, run: (context, scope) => burst(context, scope, 502) },
  { name: 'the node is down before bind', isOutage: true, run: downBeforeBind },
  { name: 'the node is down from the send on', isOutage: true, short: 'create', run: downFromSend },
  { name: 'the node lags', run: lagging },
  {
    name: 'successes are reported as reverts for a while',
    run: (context, scope) => withFalseReceipts(context, scope, successesLookReverted),
  },
  { name: 'receipts of another transaction', run: (context, scope) => withOtherReceipts(context, scope, false) },
  {
    name: 'receipts of another under the requested hash',
    run: (context, scope) => withOtherReceipts(context, scope, true),
  },
  { name: 'receipts of no block', run: withoutReceiptBlocks },
]

type Step = (context: FaultCaseContext, scope: Scope) => Promise<void>

/** A node that fails, is slow, lags or gives false answers during writes of every class. */
export const faultCases: readonly FaultCase[] = [
  ...perClass.flatMap(({ name, isOutage, short, run }) =>
    scopes().map((scope) => ({
      name: `rpc: ${name}, ${scope.label}`,
      topology: scope.topology,
      short: short === scope.name && scope.topology === 1,
      ...(isOutage && { isOutage }),
      run: (context: FaultCaseContext) => run(context, scope),
    })),
  ),
  { name: 'rpc: another chain at the start is refused', topology: 1, short: false, run: refuseOtherChain },
  { name: 'rpc: another chain id while running changes nothing', topology: 1, short: false, run: ignoreOtherChain },
]

function injectAll({ replicas }: FaultCaseContext, rule: RpcRule): InjectedRule[] {
  return replicas.map(({ rpc }) => rpc.inject(rule))
}

function clearAll({ replicas }: FaultCaseContext): void {
  for (const { rpc } of replicas) rpc.clear()
}

/** The first sends of each process fail, one for each write. */
function loseSends(fault: RpcRule['fault']): Step {
  return async (context, { name }) => {
    const writes = await context.prepare(name, 3)
    const rules = injectAll(context, { methods: sends, times: writes.length, fault })
    expectAll(await performAll(context, writes), 'completed')
    const hits = rules.reduce((sum, rule) => sum + rule.hits(), 0)
    if (hits === 0) throw new Error('no send was hit')
    context.note(`${hits} sends hit`)
  }
}

/** A node that refuses every method for a while, the same number of requests in each process. */
async function burst(context: FaultCaseContext, { name }: Scope, status: number): Promise<void> {
  const writes = await context.prepare(name, 3)
  const rules = injectAll(context, { times: 60, fault: { kind: 'status', status, retryAfterSeconds: 0 } })
  expectAll(await performAll(context, writes), 'completed')
  context.note(`${rules.map((rule) => rule.hits()).join(' + ')} requests answered ${status}`)
}

async function downBeforeBind(context: FaultCaseContext, { name }: Scope): Promise<void> {
  const writes = await context.prepare(name, 2)
  const outcomes = await performThrough(context, writes, {
    inject: () => void injectAll(context, everything),
    untilBroken: () => untilAnswered(context, writes, (status) => status >= 500),
    repair: () => clearAll(context),
  })
  expectAll(outcomes, 'completed')
}

/** The write is signed; its send and every later call find no node for a while. */
async function downFromSend(context: FaultCaseContext, { name }: Scope): Promise<void> {
  const writes = await context.prepare(name, 2)
  let rules: InjectedRule[] = []
  const outcomes = await performThrough(context, writes, {
    inject: () => {
      rules = injectAll(context, { methods: sends, fault: { kind: 'drop-request' } })
    },
    untilBroken: async () => {
      await Promise.race(rules.map(({ firstHit }) => firstHit))
      const down = injectAll(context, everything)
      // The receipt loop has found no node several times.
      await context.until('the service to ask a node that is down', () => down.some((rule) => rule.hits() > 10))
    },
    repair: () => clearAll(context),
  })
  expectAll(outcomes, 'completed')
}

/** One process reads the chain late; blocks are mined until it has read every write. */
async function lagging(context: FaultCaseContext, { name }: Scope): Promise<void> {
  const { environment } = context
  const writes = await context.prepare(name, 3)
  // The tasks of the writes are older than the blocks that the node does not show.
  await mine(environment.anvil, Number(lag))
  firstOf(context).rpc.inject(staleHead({ blocksBehind: lag }))
  const outcomes = performAll(context, writes)
  let isOver = false
  const done = outcomes.finally(() => {
    isOver = true
  })
  await context.until(
    'the lagging node to show every write',
    async () => {
      if (!isOver) await mine(environment.anvil)
      return isOver
    },
    40_000,
  )
  expectAll(await done, 'completed')
}

/** The first receipts of each process are false, later ones true. */
async function withFalseReceipts(context: FaultCaseContext, { name }: Scope, rule: RpcRule): Promise<void> {
  const writes = await context.prepare(name, 3)
  const rules = injectAll(context, { ...rule, times: 4 })
  expectAll(await performAll(context, writes), 'completed')
  const read = rules.reduce((sum, { hits }) => sum + hits(), 0)
  if (read === 0) throw new Error('no false receipt was read')
  context.note(`${read} false receipts read`)
}

async function withOtherReceipts(context: FaultCaseContext, scope: Scope, pretends: boolean): Promise<void> {
  const [other] = await context.prepare('create')
  if (other === undefined) throw new Error('no write was prepared')
  const outcome = await context.perform(other)
  if (outcome.kind !== 'completed' || outcome.txHash === null) throw new Error('the other write was not completed')
  await withFalseReceipts(context, scope, receiptOf(outcome.txHash, { pretends }))
}

/** A block that is not on the chain means a reorg: the write continues until it is in a block of the chain. */
async function withoutReceiptBlocks(context: FaultCaseContext, scope: Scope): Promise<void> {
  const { anvil, sql } = context.environment
  await withFalseReceipts(context, scope, receiptsOfNoBlock)
  await context.until('every write to name a block of the chain', async () => {
    const rows = await sql<{ status: string; hash: string; blockHash: string }[]>`
      select status, tx_hash as hash, block_hash as "blockHash" from service.intents where status <> 'reserved'`
    const receipts = await Promise.all(rows.map(({ hash }) => anvil.request('eth_getTransactionReceipt', [hash])))
    return rows.every(({ status, blockHash }, index) => {
      const receipt = receipts[index] as { blockHash: string } | null | undefined
      return status === 'completed' && receipt?.blockHash === blockHash
    })
  })
}

async function refuseOtherChain(context: FaultCaseContext): Promise<void> {
  const replica = firstOf(context)
  await replica.stop()
  replica.rpc.inject(wrongChainId(1))
  const started = await replica.start().then(
    () => 'it started',
    (error: Error) => error.message,
  )
  replica.rpc.clear()
  if (!/leads to chain 1\b/.test(started)) throw new Error(`a service on another chain said: ${started}`)
  await replica.start()
  expectAll(await performAll(context, await context.prepare('create')), 'completed')
}

async function ignoreOtherChain(context: FaultCaseContext): Promise<void> {
  const writes = await context.prepare('create', 2)
  firstOf(context).rpc.inject(wrongChainId(1))
  expectAll(await performAll(context, writes), 'completed')
}
