import { expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'
import { aKey } from '../support/paying-client.ts'

const environment = openEnvironment()

test('given a private task, then it has neither tags nor the listing flag on chain', async () => {
  const [requester, key] = [await environment.aWallet(), aKey()]
  const body = aTaskBody({ taskVisibility: 'private', allowedViewers: [anActor().address], tags: ['secret'] })
  await environment.pay(requester, '/tasks', body, key)
  const { txHash } = (await environment.get(`/intents?idempotencyKey=${key}`, { as: requester })).body
  const created = (await environment.chain.marketLogs(txHash)).find(({ eventName }) => eventName === 'TaskCreated')
  expect(created?.args).toMatchObject({ terms: { tags: [], listed: false } })
})
