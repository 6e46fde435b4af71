import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { relayModeOfIntent } from '../../../api/intents/relayed-call.ts'
import { SIMULATION_FRESH_MS, type SimulatedCall } from '../../../api/relayer/transactions/recent-simulations.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { getPayment, REWARD, type RelayHarness, startRelayHarness } from './relay-harness.ts'
import { submitAlone } from './usdc-calls.ts'

let harness: RelayHarness
beforeAll(async () => {
  harness = await startRelayHarness()
})
afterAll(() => harness?.stop())

const stranger = devAccount('bob').account.address
/** More than a create takes: a limit that follows from it was not measured again. */
const KEPT_GAS = 2_000_000n
const KEPT_LIMIT = 2_500_000n

/** A recorded create, of which a request kept a simulation so long ago. */
async function recordedCreate(millisecondsAgo: number) {
  const intent = await harness.bindCreate(await harness.wallets.funded(REWARD))
  const simulatedAt = performance.now() - millisecondsAgo
  harness.deps.relayer.simulations.keep(simulatedAs(intent), { gas: KEPT_GAS, simulatedAt })
  return intent
}

/** Relays until the intent is decided; returns the gas limits that were signed. */
async function signedLimits(id: string): Promise<bigint[]> {
  const loops = await harness.startRelay()
  onTestFinished(() => loops.stop())
  expect(await harness.outcomeOf(id)).toMatchObject({ status: 'completed' })
  return (await harness.attemptsOf(id)).map(({ gasLimit }) => gasLimit)
}

describe('a write that was simulated for its caller', () => {
  it('given that was a moment ago and the call is plain, then its gas is what is signed', async () => {
    const { id } = await recordedCreate(0)
    expect(await signedLimits(id)).toEqual([KEPT_LIMIT])
  })

  it('given that was two seconds ago, then it is simulated again', async () => {
    const { id } = await recordedCreate(SIMULATION_FRESH_MS)
    const [limit] = await signedLimits(id)
    expect(limit).toBeLessThan(KEPT_LIMIT)
  })

  it('given the call runs code of another account, then it is simulated again, whatever was kept', async () => {
    const { id } = await recordedCreate(0)
    await harness.deps.sql`update intents set relay_class = 'foreign', gas_limit = 2400000 where id = ${id}`
    expect(await signedLimits(id)).toEqual([2_400_000n])
    expect(harness.deps.relayer.simulations.take(simulatedAs(await harness.find(id)))).toBe(KEPT_GAS)
  })

  it('given its payment was submitted alone meanwhile, then the transaction reverts and the write is relayed in prepaid mode', async () => {
    const payer = await harness.wallets.funded(3n * REWARD)
    const intent = await harness.bindCreate(payer)
    await harness.wallets.sendAs(stranger, submitAlone(harness.stack.deployment, getPayment(intent)))
    harness.deps.relayer.simulations.keep(simulatedAs(intent), { gas: KEPT_GAS, simulatedAt: performance.now() })
    const [reverted, executed] = (await signedLimits(intent.id)).toReversed()
    expect(reverted).toBe(KEPT_LIMIT)
    expect(executed).toBeLessThan(KEPT_LIMIT)
    expect(await harness.effectsOf(intent)).toBe(1)
    expect(await harness.wallets.balanceOf(payer.address)).toBe(2n * REWARD)
  })
})

/** The call of an intent, as simulations are kept by. */
function simulatedAs(intent: BoundIntent): SimulatedCall {
  return { chainIntentId: intent.chainIntentId, mode: relayModeOfIntent(intent) }
}
