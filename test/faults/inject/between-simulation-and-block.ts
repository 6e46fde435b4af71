import type { Hex } from 'viem'
import { untilMined } from '../../../scripts/contracts/until-mined.ts'
import type { FaultCaseContext } from '../fault-case.ts'
import type { InjectedRule } from './rpc-faults.ts'

/**
 * Switches a condition on while transactions are sent to the node, which mines each immediately, and off when none is:
 * simulations run with it off, blocks with it on.
 */
export function switchWhileSent(
  { replicas, environment }: FaultCaseContext,
  set: (isOn: boolean) => Promise<void>,
): InjectedRule[] {
  let underway = 0
  // In sequence, so that the last change has the newest count.
  let settled = Promise.resolve()
  const change = async (by: 1 | -1) => {
    underway += by
    settled = settled.then(() => set(underway > 0))
    await settled
  }
  return replicas.map(({ rpc }) =>
    rpc.inject({
      methods: ['eth_sendRawTransaction'],
      fault: {
        kind: 'lie',
        ask: async (call) => {
          await change(1)
          return call
        },
        answer: async (answer) => {
          // The node answers before it mines the block.
          if ('result' in answer) await untilMined(environment.anvil.request, answer.result as Hex)
          await change(-1)
          return answer
        },
      },
    }),
  )
}
