import type { Hex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { setCurationStatus } from '../../../api/read-model/vault-curation.queries.ts'
import { localNetwork } from '../../../scripts/contracts/network.ts'
import { anActor } from '../../support/actors.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { createSeeder } from '../../support/rows/seeder.ts'
import { insertCharge, insertSettledVault, insertSettlement, insertVault } from '../../support/vault-rows.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** Reads of vaults, from rows alone. Spec, "Sponsored-task vaults". */

const path = '/api/sponsored-task-vaults'
const unknownId = `0x${'cd'.repeat(32)}` as const

const api = aStartedApi()
beforeEach(async () => {
  await api.sql`
    truncate sponsored_vault, vault_address, vault_manager, vault_charge, vault_settlement, vault_leaf,
      service.vault_curation`
})

let decisions = 0n
async function curate(vaultId: Hex, status: 'approved' | 'rejected' | 'unverified'): Promise<void> {
  decisions += 1n
  await setCurationStatus(api.sql, { vaultId, status, curator: anActor().address, timestamp: decisions })
}
const ask = async (procedure: string, input: object) => {
  const url = `/trpc/sponsoredTaskVaults.${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`
  return (await api.get(url)).body.result.data
}

/** Vaults by id, one of each curation in turn. */
async function someVaults(count: number): Promise<Record<'approved' | 'rejected' | 'unverified' | 'none', Hex[]>> {
  const made = { approved: [] as Hex[], rejected: [] as Hex[], unverified: [] as Hex[], none: [] as Hex[] }
  const names = ['approved', 'rejected', 'unverified', 'none'] as const
  for (let index = 0; index < count; index += 1) {
    const [vaultId, name] = [aHash(), names[index % 4] ?? 'none']
    await insertVault(api.sql, { vaultId })
    if (name !== 'none') await curate(vaultId, name)
    made[name].push(vaultId)
  }
  for (const ids of Object.values(made)) ids.sort()
  return made
}

describe('the list of vaults', () => {
  test('has the approved ones by id, with all of them on request', async () => {
    const made = await someVaults(12)
    const idsOf = (body: { vaults: { vaultId: Hex }[] }) => body.vaults.map(({ vaultId }) => vaultId)
    const { status, body } = await api.get(path)
    expect([status, idsOf(body), body.nextCursor]).toEqual([200, made.approved, null])
    const all = Object.values(made).flat().sort()
    expect(idsOf((await api.get(`${path}?includeUnverified=true`)).body)).toEqual(all)
    expect(idsOf(await ask('list', { includeUnverified: true }))).toEqual(all)
    expect(idsOf((await api.get(`${path}?includeUnverified=false`)).body)).toEqual(made.approved)
  })

  test.each([5, 12])('given pages of %s, then each vault is on one of them', async (limit) => {
    const all = Object.values(await someVaults(12))
      .flat()
      .sort()
    const seen: Hex[] = []
    let cursor: Hex | null = null
    do {
      const query = new URLSearchParams({ includeUnverified: 'true', limit: String(limit), ...(cursor && { cursor }) })
      const { body } = await api.get(`${path}?${query}`)
      expect(body.vaults.length).toBeLessThanOrEqual(limit)
      seen.push(...body.vaults.map(({ vaultId }: { vaultId: Hex }) => vaultId))
      cursor = body.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(all)
  })

  test.each(['limit=101', 'cursor=0x12'])('refuses %s', async (query) => {
    const { status, body } = await api.get(`${path}?${query}`)
    expect([status, body.issues[0].path]).toEqual([400, query.split('=')[0]])
  })
})

describe('a vault', () => {
  test('is answered in full, whatever its curation', async () => {
    const [vaultId, token] = [aHash(), anActor().address]
    const most = String(2n ** 128n - 1n)
    const totals = { available: '7', reserved: most, owed: '5', fees: '3', fundedTotal: most }
    const names = { tokenName: '<b>"USDC"</b>\u202e', tokenSymbol: '', tokenDecimals: null }
    await insertVault(api.sql, { vaultId, token, totals, names })
    await curate(vaultId, 'rejected')
    const { status, body } = await api.get(`${path}/${vaultId}`)
    const balance = { fundedTotal: most, availableBalance: '7', reservedBalance: String(2n ** 128n + 7n) }
    expect([status, body]).toEqual([
      200,
      {
        vaultId,
        chainId: localNetwork.chainId,
        hookAddress: `0x${'40'.repeat(20)}`,
        vaultAddress: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
        tokenAddress: expect.stringMatching(new RegExp(`^${token}$`, 'i')),
        owner: `0x${'50'.repeat(20)}`,
        ...names,
        ...balance,
        epoch: 0,
        status: 'active',
        curationStatus: 'rejected',
        createdAt: '2030-01-01T00:00:00.000Z',
      },
    ])
    expect((await api.get(`${path}/${vaultId}/balance`)).body).toEqual(balance)
    expect(await ask('get', { vaultId })).toEqual(body)
    expect(await ask('balance', { vaultId })).toEqual(balance)
    await api.sql`update sponsored_vault set epoch = 1, exited_at = 5 where vault_id = ${vaultId}`
    expect((await api.get(`${path}/${vaultId}`)).body).toMatchObject({ status: 'exited', epoch: 1 })
  })

  test.each(['', '/balance', '/managers', '/settlement?epoch=0'])('given an unknown id, then 404: %s', async (rest) => {
    expect(await api.get(`${path}/${unknownId}${rest}`)).toMatchObject({ status: 404 })
  })
})

describe('its managers', () => {
  test('are paged by address, those without a right included', async () => {
    const vaultId = aHash()
    await insertVault(api.sql, { vaultId })
    const managers = Array.from({ length: 5 }, () => anActor().address).sort()
    for (const [index, manager] of managers.entries()) {
      const row = { id: `${vaultId}:${manager}`, vaultId, manager, spendCap: '100', spent: '7', active: index !== 2 }
      const position = { blockNumber: 1, blockTimestamp: 1, transactionHash: aHash(), transactionIndex: 0, logIndex: 0 }
      await api.sql`insert into vault_manager ${api.sql({ ...row, ...position })}`
    }
    const seen: object[] = []
    let next: string | null = `${path}/${vaultId}/managers?limit=2`
    while (next !== null) {
      const { body, headers }: { body: object[]; headers: Headers } = await api.get(next)
      seen.push(...body)
      const url = headers.get('Link')?.match(/<([^>]+)>/)?.[1]
      next = url === undefined ? null : new URL(url).pathname + new URL(url).search
    }
    expect(seen).toEqual(
      managers.map((manager, index) => ({
        vaultId,
        managerAddress: expect.stringMatching(new RegExp(`^${manager}$`, 'i')),
        spendCap: '100',
        spent: '7',
        active: index !== 2,
      })),
    )
  })
})

describe('the vaults of a token', () => {
  test('are the approved ones of this chain', async () => {
    const [token, vaultId, other] = [anActor().address, aHash(), aHash()]
    await insertVault(api.sql, { vaultId, token })
    await insertVault(api.sql, { vaultId: other, token })
    await insertVault(api.sql, { vaultId: aHash() })
    await curate(vaultId, 'approved')
    const idsOf = (vaults: { vaultId: Hex }[]) => vaults.map((vault) => vault.vaultId)
    expect(idsOf(await ask('byToken', { tokenAddress: token, chainId: localNetwork.chainId }))).toEqual([vaultId])
    expect(await ask('byToken', { tokenAddress: token, chainId: 1 })).toEqual([])
    const query = `tokenAddress=${token}&chainId=${localNetwork.chainId}`
    expect(idsOf((await api.get(`${path}/by-token?${query}`)).body)).toEqual([vaultId])
    await curate(vaultId, 'rejected')
    expect((await api.get(`${path}/by-token?${query}`)).body).toEqual([])
  })
})

describe('the newest settlement', () => {
  test('is the one that was installed last, of a task where it is named, and by the vault’s own hook', async () => {
    const [vaultId, first, second, foreign] = [aHash(), aHash(), aHash(), aHash()]
    const worker = anActor().address
    await insertVault(api.sql, { vaultId })
    const roots: Hex[] = []
    for (const [index, taskId] of [first, second, foreign].entries()) {
      await insertCharge(api.sql, { vaultId, taskId, state: 'settled', paid: String(index), isOwnHook: index < 2 })
      roots.push(await insertSettlement(api.sql, { vaultId, taskId, worker, amount: 10n }))
      await api.sql`update vault_settlement set block_number = ${index + 5} where task_id = ${taskId}`
    }
    const expected = (index: number, taskId: Hex) => ({
      vaultId,
      taskId,
      epoch: 0,
      merkleRoot: roots[index],
      totalAmount: '10',
      releasedAmount: String(index),
    })
    expect(await ask('settlement.get', { vaultId, epoch: 0 })).toEqual(expected(1, second))
    expect(await ask('settlement.get', { vaultId, epoch: 0, taskId: first })).toEqual(expected(0, first))
    for (const none of [{ epoch: 1 }, { epoch: 0, taskId: foreign }, { epoch: 0, taskId: unknownId }]) {
      expect(await ask('settlement.get', { vaultId, ...none })).toBeNull()
    }
    expect((await api.get(`${path}/${vaultId}/settlement?epoch=0`)).body).toEqual(expected(1, second))
  })
})

describe('the reward of a task', () => {
  const aTaskId = async () => (await createSeeder(api.sql).task({ requester: anActor().address })).id
  const rewardsOf = async (taskId: Hex) => {
    const [detail, list] = [await api.get(`/api/tasks/${taskId}`), await api.get('/api/tasks?limit=100')]
    const listed = list.body.tasks.find(({ id }: { id: Hex }) => id === taskId)
    expect(listed.sponsoredTaskRewards).toEqual(detail.body.sponsoredTaskRewards)
    expect('sponsoredTaskRewards' in listed).toBe('sponsoredTaskRewards' in detail.body)
    return detail.body.sponsoredTaskRewards
  }

  test('is absent without one, and where another hook than the vault’s own named the task', async () => {
    const [taskId, vaultId] = [await aTaskId(), aHash()]
    await insertVault(api.sql, { vaultId })
    expect(await rewardsOf(taskId)).toBeUndefined()
    await insertCharge(api.sql, { vaultId, taskId, isOwnHook: false, gross: '99' })
    expect(await rewardsOf(await aTaskId())).toBeUndefined()
    expect((await api.get(`/api/tasks/${taskId}`)).body).not.toHaveProperty('sponsoredTaskRewards')
  })

  test('has amounts, token, state and curation, in lists as in the detail', async () => {
    const [taskId, vaultId, token] = [await aTaskId(), aHash(), anActor().address]
    const gross = String(2n ** 128n - 1n)
    await insertVault(api.sql, { vaultId, token })
    await insertCharge(api.sql, { vaultId, taskId, gross, fee: '75' })
    const reward = {
      vaultId,
      tokenAddress: expect.stringMatching(new RegExp(`^${token}$`, 'i')),
      tokenSymbol: 'GLD',
      tokenDecimals: 18,
      grossAmount: gross,
      netAmount: String(BigInt(gross) - 75n),
      state: 'reserved',
      curationStatus: 'unverified',
    }
    expect((await api.get(`/api/tasks/${taskId}`)).body.sponsoredTaskRewards).toEqual([reward])
    await curate(vaultId, 'approved')
    expect((await api.get(`/api/tasks/${taskId}`)).body.sponsoredTaskRewards).toEqual([
      { ...reward, curationStatus: 'approved' },
    ])
  })

  test('given it is settled, paid, and its vault exited, then its state follows', async () => {
    const [taskId, vaultId] = [await aTaskId(), aHash()]
    const [vault, hook, worker] = [anActor().address, anActor().address, anActor().address]
    await insertSettledVault(api.sql, { vaultId, vault, hook, taskId, worker, amount: 10n })
    const stateNow = async () => (await api.get(`/api/tasks/${taskId}`)).body.sponsoredTaskRewards[0].state
    expect(await stateNow()).toBe('credited')
    await api.sql`update sponsored_vault set epoch = 1 where vault_id = ${vaultId}`
    expect(await stateNow()).toBe('defaulted')
    await api.sql`update vault_charge set paid = 10 where task_id = ${taskId}`
    expect(await stateNow()).toBe('claimed')
  })
})
