import { randomUUID } from 'node:crypto'
import type { BoundIntent } from '../../api/intents/intent.ts'
import { type Binding, bindReservation, findBoundIntent, reserveIntent } from '../../api/intents/intents.queries.ts'
import type { Operation } from '../../api/intents/operations.ts'
import type { Relay } from '../../protocol/relay.ts'
import type { TestApi } from './api.ts'
import { aHash } from './rows/insert-row.ts'

/** Fields of a binding that a test chooses: of a call that the forwarder makes, or of one that its owner has signed. */
type Chosen = Partial<Extract<Binding, { relay: Relay }>> | Partial<Extract<Binding, { submission: object }>>

/** Reserves a key and makes the binding of its write: an open call of the market, unless `chosen` says otherwise. */
export async function reserveBinding(
  { sql, deps: { deployment } }: Pick<TestApi, 'sql' | 'deps'>,
  chosen: Chosen = {},
): Promise<{ key: string; binding: Binding }> {
  const operation: Operation = 'tasks.refundExpired'
  const id = randomUUID()
  await reserveIntent(sql, { id, idempotencyKey: id, operation, fingerprint: Buffer.alloc(32) })
  const relay = 'relay' in chosen ? chosen.relay : undefined
  const payer = relay !== undefined && 'payment' in relay ? relay.payment.from : null
  const forwarded = { kind: 'market', relay: { mode: 'open' }, escrowAmount: 0n } as const
  const binding = {
    id,
    ...('submission' in chosen ? {} : forwarded),
    chainIntentId: aHash(),
    initiator: payer,
    target: deployment.market,
    calldata: '0x12345678',
    paymentAsset: payer === null ? null : deployment.usdc,
    facts: {},
    boundAtBlock: 0n,
    terms: { relayClass: 'plain', gasLimit: null, gas: null },
    ...chosen,
  } as Binding
  return { key: id, binding }
}

/** Binds such a write, as the pipeline does. */
export async function bindIntent(api: Pick<TestApi, 'sql' | 'deps'>, chosen: Chosen = {}): Promise<BoundIntent> {
  const { binding } = await reserveBinding(api, chosen)
  await bindReservation(api.sql, binding)
  return await getIntent(api, binding.id)
}

/** The intent as it is now. @throws Error when it is not bound */
export async function getIntent({ sql }: Pick<TestApi, 'sql'>, id: string): Promise<BoundIntent> {
  const intent = await findBoundIntent(sql, id)
  if (intent === null) throw new Error(`intent ${id} is not bound`)
  return intent
}
