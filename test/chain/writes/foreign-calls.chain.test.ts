import { type Hex, numberToHex, type PrivateKeyAccount, pad } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Chain, ChainUnavailable } from '../../../api/chain/chain.ts'
import type { Config } from '../../../api/config.ts'
import { createTask } from '../../../api/features/tasks/create-task.ts'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { startLoops } from '../../../api/start-loops.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { getPayment, REWARD, type RelayHarness, startRelayHarness } from './relay-harness.ts'
import { submitAlone } from './usdc-calls.ts'

let harness: RelayHarness
beforeAll(async () => {
  harness = await startRelayHarness()
})
afterAll(() => harness?.stop())

/** Takes every signature up to the block in its first slot; from then on it takes all gas. */
const TOGGLING_WALLET = '0x5f544311601557631626ba7e60e01b5f5260205ff35b601556'

async function makeContract(account: PrivateKeyAccount, lastBlock: bigint): Promise<void> {
  const { anvil } = harness.stack
  await anvil.request('anvil_setStorageAt', [account.address, pad('0x0'), pad(numberToHex(lastBlock))])
  await anvil.request('anvil_setCode', [account.address, TOGGLING_WALLET])
}

async function relayWith(answers: Partial<Chain> = {}, settings: Partial<Config> = {}): Promise<void> {
  const { chain, config } = harness.deps
  const deps = { ...harness.deps, chain: { ...chain, ...answers }, config: { ...config, ...settings } }
  const loops = await startLoops(deps, [createTask])
  onTestFinished(() => loops.stop())
}

async function usedWei(): Promise<bigint> {
  const [row] = await harness.deps.sql<{ used: bigint }[]>`select sum(used_wei) as used from service.gas_accounts`
  return row?.used ?? 0n
}

async function costOf(hash: Hex | null): Promise<bigint> {
  const mined = hash === null ? null : await harness.deps.chain.getTransactionReceipt(hash)
  if (mined?.gasWei === undefined || mined.gasWei === null) throw new Error('it was not mined')
  return mined.gasWei
}

describe('given a payer that becomes a contract after bind', () => {
  it('when it takes its signature, then it acts within its ceiling, and its share is what it cost', async () => {
    const before = await usedWei()
    const payer = await harness.wallets.funded(REWARD)
    const intent = await harness.bindCreate(payer)
    await makeContract(payer, 1n << 64n)
    await relayWith()
    const outcome = await harness.outcomeOf(intent.id)
    expect(outcome).toMatchObject({ status: 'completed', relayClass: 'foreign', gasLimit: 600_000n })
    expect((await usedWei()) - before).toBe(await costOf(outcome.txHash))
  })

  it('when it burns all gas once it is sent, then that is its ceiling and no more, and its money stays', async () => {
    const before = await usedWei()
    const payer = await harness.wallets.funded(REWARD)
    const intent = await harness.bindCreate(payer)
    await makeContract(payer, (await harness.deps.chain.latestHead()).number)
    await relayWith()
    const outcome = await harness.outcomeOf(intent.id)
    expect(outcome).toMatchObject({ status: 'failed', refundStatus: null })
    expect(await harness.wallets.balanceOf(payer.address)).toBe(REWARD)
    const attempts = await harness.attemptsOf(intent.id)
    expect(attempts.map(({ gasLimit }) => gasLimit)).toEqual([600_000n])
    expect((await usedWei()) - before).toBe(await costOf(outcome.txHash))
  })
})

describe('given a payer that becomes a contract, and no gas is left of the day', () => {
  it('when its authorization has expired unused, then the write fails', async () => {
    const payer = await harness.wallets.funded(REWARD)
    const { timestamp } = await harness.deps.chain.latestHead()
    const intent = await harness.bindCreate(payer, { validBefore: timestamp + 5n })
    await makeContract(payer, 1n << 64n)
    const { anvil } = harness.stack
    await anvil.request('evm_increaseTime', [10])
    await anvil.request('evm_mine')
    await relayWith({}, { FOREIGN_WEI_PER_DAY: 0n })
    expect(await harness.outcomeOf(intent.id)).toMatchObject({ status: 'failed', relayClass: 'plain' })
  })

  async function waiting({ isSettled }: { isSettled: boolean }): Promise<BoundIntent> {
    const payer = await harness.wallets.funded(REWARD)
    const intent = await harness.bindCreate(payer)
    if (isSettled) {
      const stranger = devAccount('resolver').account.address
      await harness.wallets.sendAs(stranger, submitAlone(harness.stack.deployment, getPayment(intent)))
    }
    await makeContract(payer, 1n << 64n)
    await relayWith({}, { FOREIGN_WEI_PER_DAY: 0n })
    const tries = async () =>
      (await harness.deps.sql<{ tries: number }[]>`select relay_tries as tries from intents where id = ${intent.id}`)[0]
    await expect.poll(tries).toMatchObject({ tries: 2 })
    expect(await harness.find(intent.id)).toMatchObject({ status: 'recorded' })
    await harness.deps.sql`update intents set status_at = now() - interval '10 minutes' where id = ${intent.id}`
    return intent
  }

  it('when it has waited for ten minutes, then it fails, and nothing is charged', async () => {
    const { id } = await waiting({ isSettled: false })
    expect(await harness.outcomeOf(id)).toMatchObject({
      status: 'failed',
      refundStatus: null,
      terminalReason: expect.stringContaining('send it directly'),
    })
  })

  it('when its money has arrived meanwhile, then it fails all the same, and its money goes back', async () => {
    const { id } = await waiting({ isSettled: true })
    expect(await harness.outcomeOf(id)).toMatchObject({ status: 'failed', relay: { mode: 'prepaid' } })
    expect(await harness.find(id)).toMatchObject({
      refundStatus: expect.stringMatching(/^(pending|refunding|refunded)$/),
    })
  })
})

describe('given a contract’s transaction that no block takes, and fees that rise', () => {
  const RISE = 20n

  afterEach(() => harness.stack.anvil.request('evm_setAutomine', [true]))

  async function stuckOfContract(settings: (share: bigint) => Partial<Config>) {
    const { maxFeePerGas } = await harness.deps.chain.estimateFeesPerGas()
    const payer = await harness.wallets.funded(REWARD)
    const intent = await harness.bindCreate(payer)
    await makeContract(payer, 1n << 64n)
    await harness.stack.anvil.request('evm_setAutomine', [false])
    const estimateFeesPerGas = async () => {
      const current = await harness.deps.chain.estimateFeesPerGas()
      const isSigned = (await harness.attemptsOf(intent.id)).length > 0
      return isSigned ? { ...current, maxFeePerGas: current.maxFeePerGas * RISE } : current
    }
    await relayWith({ estimateFeesPerGas }, settings(600_000n * maxFeePerGas))
    await expect.poll(async () => (await harness.attemptsOf(intent.id)).length).toBe(2)
    return intent
  }

  async function setAsideFor(intentId: string): Promise<bigint> {
    const [row] = await harness.deps.sql<{ wei: bigint }[]>`
      select coalesce(gas_reserved_wei, 0) as wei from intents where id = ${intentId}`
    return row?.wei ?? 0n
  }

  it('when the day has that much, then it is set aside for the replacement, and its share is what it cost', async () => {
    const before = await usedWei()
    const intent = await stuckOfContract(() => ({ FOREIGN_WEI_PER_DAY: 10n ** 18n }))
    const [replacement] = await harness.attemptsOf(intent.id)
    if (replacement === undefined) throw new Error('it was not replaced')
    expect(replacement).toMatchObject({ purpose: 'call', gasLimit: 600_000n })
    expect(await setAsideFor(intent.id)).toBe(600_000n * replacement.maxFeePerGas)
    expect((await usedWei()) - before).toBe(600_000n * replacement.maxFeePerGas)
    await harness.stack.anvil.request('evm_mine')
    const outcome = await harness.outcomeOf(intent.id)
    expect(outcome).toMatchObject({ status: 'completed' })
    expect((await usedWei()) - before).toBe(await costOf(outcome.txHash))
  })

  it('when the day has less, then it is cancelled, the cancellation is charged, and the write waits', async () => {
    const before = await usedWei()
    const intent = await stuckOfContract((share) => ({ FOREIGN_WEI_PER_DAY: before + share * 2n }))
    const [cancellation, first] = await harness.attemptsOf(intent.id)
    if (cancellation === undefined || first === undefined) throw new Error('it was not replaced')
    expect([cancellation.purpose, first.purpose]).toEqual(['cancellation', 'call'])
    const share = await setAsideFor(intent.id)
    await harness.stack.anvil.request('evm_mine')
    await expect.poll(() => harness.find(intent.id)).toMatchObject({ status: 'recorded' })
    expect(await setAsideFor(intent.id)).toBe(share - (await costOf(cancellation.hash)))
    expect((await usedWei()) - before).toBe(share)
    expect(await harness.attemptsOf(intent.id)).toHaveLength(2)
    await harness.stack.anvil.request('evm_increaseTime', [400])
    await harness.stack.anvil.request('evm_mine')
    expect(await harness.outcomeOf(intent.id)).toMatchObject({ status: 'failed' })
    expect((await usedWei()) - before).toBe(await costOf(cancellation.hash))
  })
})

describe('given a contract’s call, and fees that rise after wei were set aside for it', () => {
  const RISE = 20n

  /** Fees as they are until something is set aside, then so many times as high. */
  function risingFees(intentId: string): Chain['estimateFeesPerGas'] {
    return async () => {
      const fees = await harness.deps.chain.estimateFeesPerGas()
      const { isSetAside } = await sharesOf(intentId)
      return isSetAside ? { ...fees, maxFeePerGas: fees.maxFeePerGas * RISE } : fees
    }
  }

  async function sharesOf(intentId: string) {
    const [row] = await harness.deps.sql<{ isSetAside: boolean; tries: number }[]>`
      select gas_account is not null as is_set_aside, relay_tries as tries from intents where id = ${intentId}`
    return row ?? { isSetAside: false, tries: 0 }
  }

  async function bindOfContract() {
    const payer = await harness.wallets.funded(REWARD)
    const intent = await harness.bindCreate(payer)
    await makeContract(payer, 1n << 64n)
    return intent
  }

  it('when the day has that much, then it acts, and its share is what it cost', async () => {
    const before = await usedWei()
    const intent = await bindOfContract()
    await relayWith({ estimateFeesPerGas: risingFees(intent.id) }, { FOREIGN_WEI_PER_DAY: 10n ** 18n })
    const outcome = await harness.outcomeOf(intent.id)
    expect(outcome).toMatchObject({ status: 'completed' })
    expect((await usedWei()) - before).toBe(await costOf(outcome.txHash))
  })

  it('when the day has less, then it is not signed, and waits', async () => {
    const { maxFeePerGas } = await harness.deps.chain.estimateFeesPerGas()
    const share = 600_000n * maxFeePerGas
    const before = await usedWei()
    const intent = await bindOfContract()
    await relayWith(
      { estimateFeesPerGas: risingFees(intent.id) },
      { FOREIGN_WEI_PER_DAY: before + (share * RISE) / 2n },
    )
    await expect.poll(() => sharesOf(intent.id)).toMatchObject({ isSetAside: true, tries: 1 })
    expect(await harness.attemptsOf(intent.id)).toEqual([])
    expect((await usedWei()) - before).toBeLessThanOrEqual(share * 2n)
  })
})

describe('given calls of contracts that give no answer', () => {
  it('when writes of others come, then these are done meanwhile', async () => {
    const slow: BoundIntent[] = []
    for (let count = 0; count < 8; count += 1) {
      const payer = await harness.wallets.funded(REWARD)
      slow.push(await harness.bindCreate(payer))
      await makeContract(payer, 1n << 64n)
    }
    const isSlow = ({ data }: { data: Hex }) => slow.some(({ chainIntentId }) => data.includes(chainIntentId.slice(2)))
    let release: (error: Error) => void = () => {}
    const silence = new Promise<never>((_, reject) => {
      release = reject
    })
    silence.catch(() => {})
    const { chain } = harness.deps
    await relayWith({ simulate: (call) => (isSlow(call) ? silence : chain.simulate(call)) })
    const plain = await harness.bindCreate(await harness.wallets.funded(REWARD))
    expect(await harness.outcomeOf(plain.id)).toMatchObject({ status: 'completed' })
    for (const { id } of slow) expect(await harness.find(id)).toMatchObject({ status: 'recorded' })
    release(new ChainUnavailable('no answer'))
  })

  it('when the node fails for one of them, then its pauses grow, and the next one has its turn', async () => {
    const [failing, next] = [
      await harness.bindCreate(await harness.wallets.funded(REWARD)),
      await harness.bindCreate(await harness.wallets.funded(REWARD)),
    ]
    const { chain } = harness.deps
    await relayWith({
      simulate: async (call) => {
        if (call.data.includes(failing.chainIntentId.slice(2))) throw new ChainUnavailable('no answer')
        return await chain.simulate(call)
      },
    })
    expect(await harness.outcomeOf(next.id)).toMatchObject({ status: 'completed' })
    const pauses = async () => {
      const [row] = await harness.deps.sql<{ tries: number; pause: number }[]>`
        select relay_tries as tries, extract(epoch from relay_after - now())::float8 as pause from intents
        where id = ${failing.id}`
      return row
    }
    const hasGrown = async () => {
      const { tries = 0, pause = 0 } = (await pauses()) ?? {}
      return tries >= 3 && pause > 2
    }
    await expect.poll(hasGrown).toBe(true)
  })
})
