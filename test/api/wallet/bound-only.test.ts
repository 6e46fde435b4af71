import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BoundOnlySwitch, boundOnlyText } from '../../../protocol/bound-call.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import { START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

const api = aStartedApi({ WRITE_ANSWER_MS: '100' })
beforeAll(async () => {
  Object.assign(api.chain, {
    readContract: async ({ functionName }: { functionName: string }) =>
      functionName === 'boundOnlyCounter' ? 7n : functionName === 'boundOnly',
    simulate: async () => ({ outcome: 'ok', gas: 60_000n }),
  })
})
beforeEach(() => {
  api.deps.deployment.bound = true
})

interface Sent {
  wallet?: Actor
  signer?: Actor
  changes?: Partial<BoundOnlySwitch>
  /** Changes after the signature. */
  body?: Record<string, unknown>
}

async function setBoundOnly({ wallet = anActor(), signer = wallet, changes = {}, body = {} }: Sent = {}) {
  const terms = { wallet: wallet.address, isOn: true, counter: 7n, validBefore: START + 120n, ...changes }
  const signature = await signer.account.signMessage({
    message: `service:${boundOnlyText(api.deps.deployment, terms)}`,
  })
  const sent = {
    walletAddress: wallet.account.address,
    boundOnly: terms.isOn,
    counter: String(terms.counter),
    validBefore: Number(terms.validBefore),
    signature,
    ...body,
  }
  const key = randomUUID()
  return { key, ...(await api.post('/api/wallet/bound-only', sent, { 'X-Service-Idempotency-Key': key })) }
}

describe('POST /wallet/bound-only', () => {
  it('given a switch that the wallet signed, then it is bound as a call that any account may submit', async () => {
    const { status, body, key } = await setBoundOnly()
    expect([status, body.service.reason]).toEqual([409, 'intent_in_flight'])
    const [row] = await api.sql`
      select operation, kind, relay_mode, target, payment_valid_before from intents where idempotency_key = ${key}`
    expect(row).toEqual({
      operation: 'wallet.boundOnly',
      kind: 'switch',
      relayMode: null,
      target: api.deps.deployment.forwarder,
      paymentValidBefore: START + 120n,
    })
  })

  it.each<[string, Sent, unknown[]]>([
    ['signed by another wallet', { signer: anActor() }, [403, 'signature_invalid']],
    ['of another state than was signed', { body: { boundOnly: false } }, [403, 'signature_invalid']],
    ['with a counter that was used', { changes: { counter: 6n } }, [409, 'nonce_not_next']],
    ['that ends too soon', { changes: { validBefore: START - 60n } }, [400, 'window_too_short']],
    ['that is valid for a day', { changes: { validBefore: START + 86_400n } }, [400, 'window_too_long']],
  ])('given a switch %s, then it is refused', async (_, sent, outcome) => {
    const { status, body } = await setBoundOnly(sent)
    expect([status, body.service.detail]).toEqual(outcome)
  })

  it('given a deployment from before bound payments, then there is no switch', async () => {
    delete api.deps.deployment.bound
    const { status, body } = await setBoundOnly()
    expect([status, body.service.detail]).toEqual([409, 'no_bound_calls'])
  })
})

describe('GET /wallet/bound-only', () => {
  it('given a wallet, then the forwarder answers', async () => {
    const { status, body } = await api.get(`/api/wallet/bound-only?address=${anActor().address}`)
    expect({ status, body }).toEqual({ status: 200, body: { boundOnly: true, counter: '7' } })
  })

  it('given a deployment from before bound payments, then every wallet takes plain ones', async () => {
    delete api.deps.deployment.bound
    const { body } = await api.get(`/api/wallet/bound-only?address=${anActor().address}`)
    expect(body).toEqual({ boundOnly: false, counter: '0' })
  })
})
