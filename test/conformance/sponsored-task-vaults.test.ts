import { type Address, createPublicClient, type Hex } from 'viem'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { sponsoredVaultAbi } from '../../abis/sponsored-vault.ts'
import { devAccount } from '../../scripts/chain/dev-accounts.ts'
import { rpcTransport } from '../../scripts/contracts/rpc-transport.ts'
import { type OpenedVault, openVault } from '../../scripts/examples/open-vault.ts'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'

const environment = openEnvironment()
const { deployment } = environment.chain
const client = createPublicClient({ transport: rpcTransport(inject('conformanceStack').rpcUrl), cacheTime: 0 })

/** Base units of the vault's token. */
const FUNDED = 1_000_000n
const GROSS = '100000'

let manager: Actor
let vaultId: Hex
let vault: Address
let vaultPath: string
beforeAll(async () => {
  manager = await environment.aWallet()
  ;({ vaultId, vault } = await aVaultOf(anActor(), [manager.address]))
  vaultPath = `/sponsored-task-vaults/${vaultId}`
})

/** A vault with `FUNDED` tokens, which each manager may charge. */
async function aVaultOf(sponsor: Actor, managers: readonly Address[]): Promise<OpenedVault> {
  const { rewardToken } = deployment
  if (rewardToken === undefined) throw new Error('the stack has no token to fund a vault with')
  const send = async ({ from, ...call }: { from: Address; to: Address; data: Hex }) => {
    await environment.chain.sendAs(from, call)
  }
  const minter = devAccount('owner').account.address
  const setup = { sponsor: sponsor.address, token: rewardToken, minter, salt: `0x${'00'.repeat(32)}` } as const
  return await openVault({ client, deployment, send }, { ...setup, amount: FUNDED, managers })
}

const preview = (query: Record<string, string>, path = vaultPath) =>
  environment.get(`${path}/preview-funding?${new URLSearchParams(query)}`)

/** The terms of a creation, as the hook data is built for them. */
const build = (body: Record<string, unknown>, path = vaultPath) => {
  const { description: _text, ...terms } = body
  const charge = { managerAddress: manager.address, grossAmount: GROSS }
  return environment.post(`${path}/build-funding-hook-data`, { body: { ...charge, ...terms } })
}

const createSponsored = async (terms: Record<string, unknown>, built: { hookAddress: string; hookData: string }) =>
  await environment.pay(manager, '/tasks', {
    ...terms,
    hookContracts: [...((terms.hookContracts as string[]) ?? []), built.hookAddress],
    hookData: built.hookData,
  })

describe('GET .../preview-funding', () => {
  test('a vault that can fund has no failures', async () => {
    const { status, body } = await preview({ managerAddress: manager.address, grossAmount: GROSS })
    expect({ status, body }).toEqual({ status: 200, body: { ok: true, failures: [] } })
  })

  test('all failures are listed, in the order of the interface', async () => {
    const grossAmount = String(FUNDED + 1n)
    expect((await preview({ managerAddress: manager.address, grossAmount })).body).toEqual({
      ok: false,
      failures: ['MANAGER_CAP_EXCEEDED', 'VAULT_INSUFFICIENT_AVAILABLE'],
    })
    expect((await preview({ managerAddress: anActor().address, grossAmount })).body).toEqual({
      ok: false,
      failures: ['MANAGER_NOT_ACTIVE', 'MANAGER_CAP_EXCEEDED', 'VAULT_INSUFFICIENT_AVAILABLE'],
    })
  })
})

describe('POST .../build-funding-hook-data', () => {
  test('a task is created with what it answers, and charges the vault', async () => {
    const built = await build(aTaskBody())
    expect(built.status).toBe(200)
    const before = await availableOf()
    const created = await createSponsored(aTaskBody(), built.body)
    expect(created.status, JSON.stringify(created.body)).toBe(200)
    expect(built.body.hookAddress).toBe(deployment.sponsoredTasksHook)
    expect(await availableOf()).toBe(before - BigInt(GROSS))
  })

  test('a creation with other terms reverts with TaskTermsMismatch before anything is charged', async () => {
    const built = await build(aTaskBody())
    const money = await environment.chain.watch({ manager: manager.address })
    const changed = await createSponsored(aTaskBody({ duration: 25 }), built.body)
    expect(changed.status).toBeGreaterThanOrEqual(400)
    expect(changed.body.error).toContain('TaskTermsMismatch')
    expect(await money.changes()).toEqual({ manager: 0n })
  })
})

/** What the vault has for new charges, base units of its token. */
async function availableOf(): Promise<bigint> {
  const { available } = await client.readContract({
    address: vault,
    abi: sponsoredVaultAbi,
    functionName: 'totals',
  })
  return available
}
