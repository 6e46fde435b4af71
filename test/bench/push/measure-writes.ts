import { setTimeout as pause } from 'node:timers/promises'
import { type Address, encodeFunctionData } from 'viem'
import { identityRegistryAbi } from '../../../abis/identity-registry.ts'
import type { Anvil } from '../../../scripts/chain/anvil.ts'
import { aKey, type PayingClient } from '../../support/paying-client.ts'

/** Entries a second that others make. */
const ENTRIES_A_SECOND = 20

/** Writes that are on their way at the same time: a block holds them all. */
const WRITERS = 5

/** Has the log get entries at a steady rate, each a registration of an identity, until `stop`. */
export async function startEntries(anvil: Anvil, registry: Address): Promise<{ stop(): Promise<number> }> {
  const from: Address = `0x${'e1'.repeat(20)}`
  await anvil.request('anvil_impersonateAccount', [from])
  await anvil.request('anvil_setBalance', [from, '0xffffffffffffffffff'])
  const data = encodeFunctionData({ abi: identityRegistryAbi, functionName: 'register', args: [] })
  let [isStopped, sent] = [false, 0]
  const run = async () => {
    const startedAt = performance.now()
    while (!isStopped) {
      await anvil.request('eth_sendTransaction', [{ from, to: registry, data, gas: '0x7a120' }])
      sent += 1
      await pause(Math.max(0, startedAt + (sent * 1_000) / ENTRIES_A_SECOND - performance.now()))
    }
  }
  const running = run()
  return {
    stop: async () => {
      isStopped = true
      await running
      return sent
    },
  }
}

/** Creates tasks, a few at a time. @returns what each took, milliseconds */
export async function timeWrites(client: PayingClient, count: number, reward: bigint): Promise<number[]> {
  const times: number[] = []
  const write = async () => {
    while (times.length < count) {
      const startedAt = performance.now()
      const body = { description: 'Written beside streams', reward: String(reward), duration: 24, tags: ['push'] }
      const answer = await client.pay({ path: '/tasks', key: aKey(), body })
      if (answer.status !== 200) throw new Error(`no task: ${answer.status} ${JSON.stringify(answer.body)}`)
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  return times
}
