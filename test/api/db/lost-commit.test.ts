import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findIntentOnceSettled, reserveIntent } from '../../../api/intents/intents.queries.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api?.stop())

async function aReservation(): Promise<string> {
  const [id, idempotencyKey] = [randomUUID(), randomUUID()]
  const operation = 'submissions.create'
  await reserveIntent(api.sql, { id, idempotencyKey, operation, fingerprint: Buffer.alloc(32) })
  return id
}

/** Reads while the transaction that binds the intent is neither committed nor rolled back; `end` decides it. */
async function askWhileBinding(end: 'commit' | 'roll back') {
  const id = await aReservation()
  let asked: ReturnType<typeof findIntentOnceSettled> | undefined
  const binding = api.sql.begin(async (tx) => {
    await tx`
      update intents set status = 'recorded', expires_at = null, kind = 'market', relay_mode = 'open', chain_intent_id = ${id}, target = '0x',
        calldata = '0x', escrow_amount = 0, bound_at_block = 1
      where id = ${id}`
    let isAnswered = false
    asked = findIntentOnceSettled(api.sql, id).finally(() => {
      isAnswered = true
    })
    const isWaitedFor = async () => (await tx`select from pg_locks where not granted`).length > 0
    await expect.poll(async () => isAnswered || (await isWaitedFor()), { interval: 5 }).toBe(true)
    if (end === 'roll back') throw new Error('rolled back')
  })
  await binding.catch(() => {})
  return await asked
}

describe('an intent whose COMMIT was not answered', () => {
  it('given the server is still committing, then the read waits, and finds it bound', async () => {
    expect(await askWhileBinding('commit')).toMatchObject({ status: 'recorded' })
  })

  it('given the server rolls it back, then the read finds it unbound', async () => {
    expect(await askWhileBinding('roll back')).toBeNull()
  })
})
