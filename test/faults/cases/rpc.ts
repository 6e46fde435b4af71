import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import type { InjectedRule, RpcRule } from '../inject/rpc-faults.ts'
import { expectAll, performThrough, type Scope, scopes } from '../inject/steps.ts'

const sends = ['eth_sendRawTransaction', 'eth_sendRawTransactionSync']
const fault = { kind: 'drop-request' } as const

/** A node that is gone when the transaction of a write is sent, for every class of writes. */
export const faultCases: readonly FaultCase[] = scopes().map((scope) => ({
  name: `rpc: the node is down from the send on, ${scope.label}`,
  topology: scope.topology,
  // What follows from an answer of a node that is down: test/api/relayer/calls.test.ts.
  short: false,
  isOutage: true,
  run: (context: FaultCaseContext) => downFromSend(context, scope),
}))

/** The write is signed; its send and every later call find no node for a while. */
async function downFromSend(context: FaultCaseContext, { name }: Scope): Promise<void> {
  const writes = await context.prepare(name, 2)
  const injectAll = (rule: RpcRule): InjectedRule[] => context.replicas.map(({ rpc }) => rpc.inject(rule))
  let rules: InjectedRule[] = []
  const outcomes = await performThrough(context, writes, {
    inject: () => {
      rules = injectAll({ methods: sends, fault })
    },
    untilBroken: async () => {
      await Promise.race(rules.map(({ firstHit }) => firstHit))
      const down = injectAll({ fault })
      // The receipt loop has found no node several times.
      await context.until('the service to ask a node that is down', () => down.some((rule) => rule.hits() > 10))
    },
    repair: () => {
      for (const { rpc } of context.replicas) rpc.clear()
    },
  })
  expectAll(outcomes, 'completed')
}
