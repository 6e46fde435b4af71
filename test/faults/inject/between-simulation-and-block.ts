import type { Hex } from 'viem'
import type { FaultContext } from '../fault-case.ts'
import type { InjectedRule } from './rpc-faults.ts'

/**
 * Switches something on while transactions are on their way to the node, which mines each at once, and off when none
 * is: simulations see it off, blocks see it on.
 */
export function switchWhileSent(
  { replicas, environment }: FaultContext,
  set: (isOn: boolean) => Promise<void>,
): InjectedRule[] {
  let underway = 0
  // One after the other, so that the last word is the newest count's.
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
          // The node answers before its block.
          if ('result' in answer) await environment.client.waitForTransactionReceipt({ hash: answer.result as Hex })
          await change(-1)
          return answer
        },
      },
    }),
  )
}
