import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listContracts, readDeployment } from '../../../api/chain/deployment.ts'

const registries = ['identityRegistry', 'identityRegistrar', 'reputationRegistry']
const core = ['market', 'forwarder', 'usdc', 'multicall3', ...registries]
const optional = ['bonusHook', 'rewardToken', 'sponsoredTasksHook', 'sponsoredVaultFactory']
const linked = ['HookLib', 'BonusLib']
const addressOf = (name: string) => `0x${Buffer.from(name).toString('hex').slice(0, 16).padEnd(40, 'A')}`

/** What the service reads of a file with these contracts. */
async function read(names: string[], fields: object = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'deployment-'))
  const file = join(directory, 'deployment.json')
  const contracts = Object.fromEntries(names.map((name) => [name, addressOf(name)]))
  const libraries = Object.fromEntries(linked.map((name) => [name, addressOf(name)]))
  await writeFile(file, JSON.stringify({ chainId: 8453, startBlock: 1, libraries, ...contracts, ...fields }))
  return await readDeployment(file).finally(() => rm(directory, { recursive: true }))
}

test.each([
  ['every contract', [...core, ...optional]],
  ['neither a programme nor vaults', core],
])(
  'given a deployment with %s, when it is read, then all its contracts are listed, linked libraries too',
  async (_, names) => {
    const expected = [...names, ...linked].map((name) => addressOf(name).toLowerCase())
    expect(listContracts(await read(names)).toSorted()).toEqual(expected.toSorted())
  },
)

test('given a file that says so, then the deployment takes bound payments; else it has nothing of them', async () => {
  const bound = await read(core, { bound: true })
  expect(bound.bound).toBe(true)
  expect(listContracts(bound)).toHaveLength(core.length + linked.length)
  expect(await read(core)).not.toHaveProperty('bound')
  await expect(read(core, { bound: false })).rejects.toThrow(/does not say where the contracts are/)
})
