import { numberToHex, type PrivateKeyAccount, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { REWARD, type RelayHarness, startRelayHarness } from './relay-harness.ts'

let harness: RelayHarness
beforeAll(async () => {
  harness = await startRelayHarness()
})
afterAll(() => harness?.stop())

async function relay(): Promise<void> {
  const loops = await harness.startRelay()
  onTestFinished(() => loops.stop())
}

/** Runs as many rounds as its first slot says, then takes every signature. */
const WALLET = '0x5f545b8015600f57600190036002565b631626ba7e60e01b5f5260205ff3'

async function makeContract(account: PrivateKeyAccount, rounds: bigint, code = WALLET): Promise<void> {
  const { anvil } = harness.stack
  await anvil.request('anvil_setStorageAt', [account.address, pad('0x0'), pad(numberToHex(rounds))])
  await anvil.request('anvil_setCode', [account.address, code])
}

describe('a payer that is a contract', () => {
  it.each([
    ['answers', WALLET, 0n, true],
    ['uses all gas up', WALLET, 1n << 200n, false],
    ['runs into an invalid opcode', '0xfe', 0n, false],
    ['runs out of its stack', '0x01', 0n, false],
    ['jumps nowhere', '0x5f56', 0n, false],
    ['stops without an answer', '0x00', 0n, false],
    ['reverts', '0x5f5ffd', 0n, false],
    ['answers too little', '0x631626ba7e60e01b5f5260045ff3', 0n, false],
    ['answers as no code may begin', '0x60ef60f81b5f5260205ff3', 0n, false],
  ])(
    'given its code %s, then its signature is judged by that, and the node is not blamed',
    async (_name, code, rounds, judgement) => {
      const account = await harness.wallets.funded(1n)
      await makeContract(account, rounds, code)
      const { chain } = harness.deps
      const signed = { address: account.address, message: 'service:read', signature: '0x1234' } as const
      expect(await chain.verifyMessage(signed)).toBe(judgement)
    },
  )

  it('given checking its signature got dear after bind, then nothing is sent and nothing charged', async () => {
    const payer = await harness.wallets.funded(REWARD)
    await makeContract(payer, 0n)
    const intent = await harness.bindCreate(payer)
    await makeContract(payer, 500_000n)
    await relay()
    const outcome = await harness.outcomeOf(intent.id)
    expect(outcome).toMatchObject({ status: 'failed', refundStatus: null })
    expect(await harness.attemptsOf(intent.id)).toEqual([])
  })
})
