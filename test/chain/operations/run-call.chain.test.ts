import { type Address, createPublicClient, type Hex, numberToHex, type PublicClient } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCall } from '../../../api/chain/run-call.ts'
import { type Anvil, startAnvil } from '../../../scripts/chain/anvil.ts'
import { devActors } from '../../../scripts/chain/dev-accounts.ts'
import { rpcTransport } from '../../../scripts/contracts/rpc-transport.ts'

const target: Address = '0x00000000000000000000000000000000000000a1'
const fees = { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
const gasLimit = 600_000n

/** Code that returns the word pushed by the instruction. */
const returning = (instruction: string): Hex => `0x${instruction}5f5260205ff3`

let anvil: Anvil
let client: PublicClient
const [actor] = devActors()
if (actor === undefined) throw new Error('no development accounts')
const from = actor.account.address

beforeAll(async () => {
  anvil = await startAnvil()
  client = createPublicClient({ transport: rpcTransport(anvil.url) }) as PublicClient
})
afterAll(() => anvil.stop())

async function run(code: Hex, call: { data?: Hex; gasLimit?: bigint } = {}) {
  await anvil.request('anvil_setCode', [target, code])
  return await runCall(client, { from, to: target, data: '0x12345678', gasLimit, fees, ...call })
}

describe('given a call that succeeds', () => {
  it('then its gas is that of the transaction, with a margin', async () => {
    const code = returning('42') // NUMBER
    const simulation = await run(code)
    if (simulation.outcome !== 'ok') throw new Error('it reverted')
    const hash = (await anvil.request('eth_sendTransaction', [{ from, to: target, data: '0x12345678' }])) as Hex
    const { gasUsed } = await client.waitForTransactionReceipt({ hash })
    expect(simulation.gas).toBeGreaterThanOrEqual(gasUsed)
    expect(simulation.gas - gasUsed).toBeLessThan(5_000n)
  })

  it.each<[string, string]>([
    ['a gas price', '3a'],
    ['its sender as the origin', `3273${from.slice(2)}14`],
    ['its sender as the caller', `3373${from.slice(2)}14`],
    ['a base fee', '48'],
  ])('then it has %s, like the transaction', async (_name, instruction) => {
    // Reverts if the value is zero.
    const code: Hex = `0x${instruction}60${numberToHex(instruction.length / 2 + 6, { size: 1 }).slice(2)}575f5ffd5b00`
    expect(await run(code)).toMatchObject({ outcome: 'ok' })
  })
})

describe('given a call that fails', () => {
  it('when it reverts with data, then the result has the data', async () => {
    expect(await run('0x60ff5f5260205ffd')).toMatchObject({
      outcome: 'reverted',
      revert: { data: numberToHex(255, { size: 32 }) },
    })
  })

  it.each<[string, Hex]>([
    ['loops forever', '0x5b5f56'],
    ['ends at an invalid instruction', '0xfe'],
  ])('when it %s, then the result is out of gas, not an error of the node', async (_name, code) => {
    expect(await run(code)).toMatchObject({ outcome: 'reverted', revert: { errorName: 'GasAboveLimit' } })
  })

  it('when its calldata alone costs more than its limit, then the result has the cost', async () => {
    expect(await run('0x00', { data: `0x${'ff'.repeat(1_000)}`, gasLimit: 40_000n })).toMatchObject({
      outcome: 'reverted',
      revert: { errorName: 'GasAboveLimit', message: expect.stringContaining('needs 61000 gas') },
    })
  })
})
