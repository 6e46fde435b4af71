import { describe, expect, test } from 'vitest'
import type { Revert, Simulation } from '../../../api/chain/chain.ts'
import { GAS_ABOVE_LIMIT } from '../../../api/chain/run-call.ts'
import { ServiceError } from '../../../api/errors/service-error.ts'
import type { RateLimitName } from '../../../api/http/client-rate-limits.ts'
import type { Operation } from '../../../api/intents/operations.ts'
import { drawFreeGas } from '../../../api/writes/stages/draw-free-gas.ts'
import { simulateRelay } from '../../../api/writes/stages/simulate-relay.ts'
import { anActor } from '../../support/actors.ts'
import { aStartedApi } from './started-api.ts'

const api = aStartedApi()

const target = anActor().address

describe('A budget of gas', () => {
  /** The limits of one client among others, by units. */
  function limitsOf(quotas: Partial<Record<RateLimitName, number>>) {
    const left = new Map(Object.entries(quotas))
    return {
      left,
      consume: async (name: RateLimitName, _subject?: string, units = 1) => {
        const rest = left.get(name) ?? 0
        if (rest < units)
          throw new ServiceError(429, 'unclassified', 'x', { detail: 'rate_limited', headers: { 'Retry-After': '77' } })
        left.set(name, rest - units)
      },
      refund: async (name: RateLimitName, _subject?: string, units = 1) => {
        left.set(name, (left.get(name) ?? 0) + units)
      },
    }
  }
  const all = {
    exitGas: 1_000_000,
    clientExitGas: 500_000,
    entryGas: 1_000_000,
    clientEntryGas: 500_000,
    newcomerGas: 1_000_000,
    clientNewcomerGas: 500_000,
  }
  const aCall = (operation: Operation, wallet = anActor().address) => ({
    operation,
    actor: wallet,
    gas: 100_000n,
    target,
    intent: {},
  })

  test('given an exit, an entry of a newcomer, and one of a wallet with an award, then each has a budget of its own', async () => {
    const earner = anActor()
    const task = await api.seed.task({ requester: anActor().address })
    const { deliverable } = await api.seed.submission(task.id, earner.address)
    await api.seed.award(task.id, earner.address, { deliverable })
    for (const [call, drawn] of [
      [aCall('wallet.withdraw'), ['exitGas', 'clientExitGas']],
      [aCall('submissions.create'), ['newcomerGas', 'clientNewcomerGas']],
      [aCall('claims.create', earner.address), ['entryGas', 'clientEntryGas']],
      [{ ...aCall('bids.selectWinner'), actor: null }, ['newcomerGas', 'clientNewcomerGas']],
    ] as const) {
      const limits = limitsOf(all)
      const refund = await drawFreeGas(api.deps, limits, call)
      const changed = Object.keys(all).filter((name) => limits.left.get(name) !== all[name as keyof typeof all])
      expect(changed.toSorted()).toEqual([...drawn].toSorted())
      await refund()
      expect(Object.fromEntries(limits.left)).toEqual(all)
    }
  })

  test('given entries that have used everything up, then an exit is still relayed', async () => {
    const limits = limitsOf({ ...all, entryGas: 0, clientEntryGas: 0, newcomerGas: 0, clientNewcomerGas: 0 })
    await expect(drawFreeGas(api.deps, limits, aCall('submissions.create'))).rejects.toMatchObject({ status: 503 })
    await drawFreeGas(api.deps, limits, aCall('tasks.finalizeVerdict'))
  })

  test.each([
    ['this client', { ...all, clientNewcomerGas: 99_999 }],
    ['all clients', { ...all, newcomerGas: 99_999 }],
  ])(
    'given that %s has less left, then it is 503 with the direct call, and nothing stays drawn',
    async (whose, quotas) => {
      const limits = limitsOf(quotas)
      const refusal = await drawFreeGas(api.deps, limits, aCall('submissions.create')).catch((error: unknown) => error)
      expect(refusal).toMatchObject({
        status: 503,
        message: expect.stringContaining(whose),
        options: { detail: 'gas_budget', headers: { 'Retry-After': '77' }, isRefusal: true },
      })
      expect((refusal as Error).message).toContain(target)
      expect(Object.fromEntries(limits.left)).toEqual(quotas)
    },
  )
})

describe('The ceiling of a call', () => {
  const call = {
    target,
    kind: 'market',
    relay: { mode: 'open' },
    chainIntentId: `0x${'11'.repeat(32)}`,
    calldata: '0x',
    escrowAmount: 0n,
  } as never
  const simulate = (answer: bigint | Revert, terms: object) => {
    const simulation: Simulation =
      typeof answer === 'bigint' ? { outcome: 'ok', gas: answer } : { outcome: 'reverted', revert: answer }
    const chain = { ...api.deps.chain, simulate: async () => simulation }
    return simulateRelay({ ...api.deps, chain }, { ...(call as object), terms } as never, { intent: {} })
  }
  const terms = { relayClass: 'plain', gasLimit: null, gasCeiling: 350_000n }

  test('is the most that is relayed: one more is 409 with the direct call', async () => {
    const { simulations } = api.deps.relayer
    const simulated = { chainIntentId: `0x${'11'.repeat(32)}`, mode: 'open' } as const
    expect(await simulate(350_000n, terms)).toBe(350_000n)
    // The relayer signs with what was found here.
    expect(simulations.take(simulated)).toBe(350_000n)
    await expect(simulate(350_001n, terms)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining(target),
      options: { detail: 'gas_ceiling' },
    })
    expect(await simulate(900_000n, { ...terms, relayClass: 'foreign', gasCeiling: null })).toBe(900_000n)
    expect(simulations.take(simulated)).toBeNull()
  })

  const tooMuch = `The call is not relayed: it says so. Nothing was charged. Send it directly to ${target}.`
  test.each([
    [GAS_ABOVE_LIMIT, tooMuch, 'gas_ceiling'],
    ['NotEnoughGas', tooMuch, 'gas_ceiling'],
    ['EntriesPaused', 'The call would revert: it says so. Nothing was charged.', 'would_revert'],
  ])(
    'given the call reverts with %s, then 409, with the direct call where gas is the reason',
    async (errorName, message, detail) => {
      const revert = { errorName, message: 'it says so', data: null }
      const refusal: ServiceError = await simulate(revert, terms).then(
        () => expect.fail('it is admitted'),
        (error) => error,
      )
      expect(refusal).toMatchObject({ status: 409, message })
      expect(refusal.options.detail).toBe(detail)
    },
  )
})

describe('A URI of an agent', () => {
  const register = (agentURI: string) =>
    api.post('/api/identity/register', { agentURI }, { 'X-Service-Idempotency-Key': crypto.randomUUID() })

  test('of 256 bytes is priced; one of 257, also in fewer characters, is sent directly', async () => {
    const uri = (bytes: number) => `https://x/${'a'.repeat(bytes - 10)}`
    expect((await register(uri(256))).status).toBe(402)
    for (const long of [uri(257), `https://x/${'é'.repeat(124)}`, `data:${'x'.repeat(8_000)}`]) {
      const { status, body } = await register(long)
      expect([status, body.service.detail]).toEqual([409, 'gas_ceiling'])
      expect(body.issues).toMatchObject([{ path: 'agentURI' }])
    }
  })
})
