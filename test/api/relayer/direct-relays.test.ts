import { type Hex, keccak256, parseTransaction } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { ChainUnavailable } from '../../../api/chain/chain.ts'
import type { DirectRelay } from '../../../api/intents/direct-relay.ts'
import type { Binding } from '../../../api/intents/intents.queries.ts'
import { SIMULATION_FRESH_MS } from '../../../api/relayer/transactions/recent-simulations.ts'
import { createDirectRelays } from '../../../api/relayer/transactions/relay-directly.ts'
import { createRelayerPort } from '../../../api/relayer/transactions/relayer-services.ts'
import { bind } from '../../../api/writes/stages/bind.ts'
import { reserveBinding } from '../../support/bound-intent.ts'
import { START } from '../../support/rows/insert-row.ts'
import { withoutAnswer } from '../writes/lost-commit.ts'
import { aStartedApi, openSequences } from '../writes/started-api.ts'
import { aScriptedNode } from './scripted-node.ts'

const api = aStartedApi({ RELAYER_KEYS: ['1', '2'].map((digit) => `0x${digit.repeat(64)}`).join(',') }, openSequences)
beforeEach(async () => {
  await api.sql`delete from attempts`
  await api.sql`delete from intents`
  await api.sql`update relayers set next_nonce = 0`
})

const gas = 100_000n
const listAttempts = () => api.sql<{ intentId: string; raw: Hex; hash: Hex; nonce: bigint; isSent: boolean }[]>`
  select intent_id, raw, hash, nonce, gas_limit, sent_at is not null as is_sent from attempts order by id`
const nextNonces = async () =>
  (await api.sql`select next_nonce from relayers order by address`).map((row) => row.nextNonce)
const rowOf = async ({ id }: Binding) =>
  (await api.sql`select status, tx_hash, expires_at from intents where id = ${id}`)[0]

function aRelay(isRelaying = () => true) {
  const node = aScriptedNode(api)
  let sends = 0
  const onSent = () => {
    sends += 1
  }
  const relays = createDirectRelays({ deps: node.deps, results: new Map(), onSent }, isRelaying)
  return { node, relays, sends: () => sends }
}

const callOf = ({ id, target, calldata }: Binding, validBefore: bigint | null = null) => ({
  intentId: id,
  call: { to: target, data: calldata },
  gasLimit: null,
  validBefore,
})

async function bindDirectly(
  relay: DirectRelay | null,
  { key, binding }: { key: string; binding: Binding },
  confirm = async () => {},
) {
  const direct = relay && { relay, gas, simulatedAt: performance.now() }
  return await bind(api.deps, { key, binding, content: {}, direct, guard: async () => null, confirm })
}

describe('a write that is signed as it is bound', () => {
  it('given it commits, then intent and bytes are stored together, and the bytes are sent once', async () => {
    const { node, relays, sends } = aRelay()
    const reserved = await reserveBinding(api)
    await bindDirectly(await relays.plan(callOf(reserved.binding)), reserved)
    await relays.stop()
    const [attempt, ...others] = await listAttempts()
    expect(others).toEqual([])
    expect(attempt).toMatchObject({ intentId: reserved.binding.id, nonce: 0n, gasLimit: 125_000n, isSent: true })
    expect(await rowOf(reserved.binding)).toEqual({ status: 'broadcast', txHash: attempt?.hash, expiresAt: null })
    expect(node.sent).toEqual([attempt?.raw])
    expect(keccak256(attempt?.raw ?? '0x')).toBe(attempt?.hash)
    expect(parseTransaction(attempt?.raw ?? '0x')).toMatchObject({ to: reserved.binding.target, data: '0x12345678' })
    expect(sends()).toBe(1)
  })

  it('given it is refused within the transaction, then nothing is stored, no nonce is used, and nothing is sent', async () => {
    const { node, relays } = aRelay()
    const reserved = await reserveBinding(api)
    const refusal = new Error('refused')
    const refuse = () => Promise.reject(refusal)
    await expect(bindDirectly(await relays.plan(callOf(reserved.binding)), reserved, refuse)).rejects.toBe(refusal)
    await relays.stop()
    expect(await rowOf(reserved.binding)).toMatchObject({ status: 'reserved' })
    expect([await listAttempts(), await nextNonces(), node.sent]).toEqual([[], [0n, 0n], []])
  })

  it('given another request has bound the key, then that one is named, and no nonce is used', async () => {
    const { node, relays } = aRelay()
    const reserved = await reserveBinding(api)
    await bindDirectly(null, reserved)
    await expect(bindDirectly(await relays.plan(callOf(reserved.binding)), reserved)).rejects.toMatchObject({
      reason: 'idempotency_key_reused',
    })
    await relays.stop()
    expect([await listAttempts(), await nextNonces(), node.sent]).toEqual([[], [0n, 0n], []])
  })

  it('given the answer of its COMMIT is lost, then its bytes are stored, and left to the loops', async () => {
    const { node, relays } = aRelay()
    const reserved = await reserveBinding(api)
    const relay = (await relays.plan(callOf(reserved.binding))) ?? expect.fail('not planned')
    const writing = { ...reserved, content: {}, guard: async () => null, confirm: async () => {} }
    await bind(
      { ...api.deps, sql: withoutAnswer(api.sql) },
      { ...writing, direct: { relay, gas, simulatedAt: performance.now() } },
    )
    await relays.stop()
    expect(await rowOf(reserved.binding)).toMatchObject({ status: 'broadcast' })
    expect([await listAttempts(), node.sent]).toMatchObject([[{ isSent: false }], []])
  })

  it('given several, then each is signed by the next relayer', async () => {
    const { relays } = aRelay()
    for (let made = 0; made < 4; made += 1) {
      const reserved = await reserveBinding(api)
      await bindDirectly(await relays.plan(callOf(reserved.binding)), reserved)
    }
    await relays.stop()
    expect((await listAttempts()).map(({ nonce }) => nonce)).toEqual([0n, 0n, 1n, 1n])
  })

  it('given four binds sign already, or its simulation is old, then the next one is left to the outbox', async () => {
    const { relays } = aRelay()
    const { binding } = await reserveBinding(api)
    const relay = (await relays.plan(callOf(binding))) ?? expect.fail('not planned')
    expect([1, 2, 3, 4, 5].map(() => relay.begin(performance.now()))).toEqual([true, true, true, true, false])
    const other = await reserveBinding(api)
    await bindDirectly(await relays.plan(callOf(other.binding)), other)
    expect(await rowOf(other.binding)).toMatchObject({ status: 'recorded' })
    relay.end()
    expect(relay.begin(performance.now() - SIMULATION_FRESH_MS)).toBe(false)
    expect(relay.begin(performance.now())).toBe(true)
    await relays.stop()
  })
})

describe('a write that is left to the outbox', () => {
  const planOf = async (relays: ReturnType<typeof createDirectRelays>, validBefore?: bigint) =>
    await relays.plan(callOf((await reserveBinding(api)).binding, validBefore))

  it('given nothing is relayed yet, or the process ends, then it is', async () => {
    let isRelaying = false
    const { relays } = aRelay(() => isRelaying)
    expect(await planOf(relays)).toBeNull()
    isRelaying = true
    expect(await planOf(relays)).not.toBeNull()
    await relays.stop()
    expect(await planOf(relays)).toBeNull()
  })

  it('given the node gives no answer, its payment has ended, or every signer is remote, then it is', async () => {
    const { node, relays } = aRelay()
    expect(await planOf(relays, START)).toBeNull()
    expect(await planOf(relays, START + 1n)).not.toBeNull()
    const remote = node.deps.relayer.accounts.map((relayer) => ({ ...relayer, isRemote: true }))
    const relayer = { ...node.deps.relayer, accounts: remote as never }
    const context = { deps: { ...node.deps, relayer }, results: new Map(), onSent: () => {} }
    expect(await planOf(createDirectRelays(context, () => true))).toBeNull()
    node.deps.chain.estimateFeesPerGas = () => Promise.reject(new ChainUnavailable('no answer'))
    expect(await planOf(relays)).toBeNull()
    node.deps.chain.estimateFeesPerGas = () => Promise.reject(new Error('a defect'))
    await expect(planOf(relays)).rejects.toThrow('a defect')
  })

  it('given no loops run in this process, then it is', async () => {
    const port = createRelayerPort(api.deps.relayer, api.deps.chain)
    const call = callOf((await reserveBinding(api)).binding)
    expect(await port.plan(call)).toBeNull()
    const { relays } = aRelay()
    port.relayDirectly(relays)
    expect(await port.plan(call)).not.toBeNull()
  })
})
