import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aClaimOfReward } from '../../support/sponsor.ts'
import { insertSettledVault } from '../../support/vault-rows.ts'

const [vaultId, taskId] = [aHash(), aHash()]
const [worker, vault] = [anActor(), anActor().address]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  const hook = anActor().address
  await insertSettledVault(api.sql, { vaultId, vault, hook, taskId, worker: worker.address, amount: 5n })
})
afterAll(() => api.stop())

async function claim(path: string, body: object) {
  const headers = { 'X-Service-Idempotency-Key': randomUUID() }
  const answer = await api.post(`/api/sponsored-task-vaults/${path}/claim`, body, headers)
  return { status: answer.status, detail: answer.body.service?.detail, fields: answer.body.issues }
}

const aBody = () =>
  aClaimOfReward(
    {
      vault: { vaultId, address: vault },
      worker,
      entitlement: { vaultId, taskId, epoch: 1, index: 0, amount: '5', proof: [] },
    },
    { destination: anActor().address, nonce: 0n, deadline: START + 300n },
  )

test('given a body that names another vault than the path, then it is refused by its field', async () => {
  const message = 'vaultId must be the vault of the path.'
  expect(await claim(vaultId, { ...(await aBody()), vaultId: aHash() })).toEqual({
    status: 400,
    detail: 'other_vault',
    fields: [{ path: 'vaultId', message }],
  })
})

test('given a body that names the vault of the path in upper case, then it is the same vault', async () => {
  const upperCase = `0x${vaultId.slice(2).toUpperCase()}`
  expect((await claim(vaultId, { ...(await aBody()), vaultId: upperCase })).detail).not.toBe('other_vault')
})

test('given a vault that does not exist, of which no claim can be signed, then it is not found', async () => {
  const unknown = aHash()
  const answer = await claim(unknown, { ...(await aBody()), vaultId: unknown })
  expect(answer).toMatchObject({ status: 404, detail: 'vault_not_found' })
})
