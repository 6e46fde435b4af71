import { type Abi, type AbiEvent, type Address, type Hex, toEventSelector } from 'viem'
import type { Environment } from '../../support/conformance.ts'

/** Events of a contract with these indexed values, in their order; null: any. */
export async function countEvents(
  { chain }: Pick<Environment, 'chain'>,
  { address, abi, name }: { address: Address; abi: Abi; name: string },
  indexed: readonly (Hex | Address | null)[],
): Promise<number> {
  const event = abi.find((item): item is AbiEvent => item.type === 'event' && item.name === name)
  if (event === undefined) throw new Error(`there is no event ${name}`)
  const topics = [
    toEventSelector(event),
    ...indexed.map((value) => value && `0x${value.slice(2).toLowerCase().padStart(64, '0')}`),
  ]
  const fromBlock = `0x${chain.deployment.startBlock.toString(16)}`
  const filter = { address, fromBlock, toBlock: 'latest', topics }
  return ((await chain.request('eth_getLogs', [filter])) as unknown[]).length
}
