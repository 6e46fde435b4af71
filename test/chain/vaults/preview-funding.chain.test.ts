import { type Abi, type Address, erc20Abi, maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { buildFundingHookData } from '../../../api/features/sponsored-task-vaults/build-funding-hook-data.ts'
import { previewFunding } from '../../../api/features/sponsored-task-vaults/preview-funding.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { decodeFundingTerms } from '../../support/funding-terms.ts'
import { encodeCall } from '../indexer/market-chain.ts'
import { openVaultChain, type VaultChain } from './vault-calls.ts'

const AMOUNT = 1_000_000n
const EXIT_NOTICE_SECONDS = 7 * 24 * 3600
const [manager, stranger] = [devAccount('requester').account.address, devAccount('bob').account.address]

let chain: VaultChain

beforeAll(async () => {
  chain = await openVaultChain({ amount: AMOUNT, managers: [manager] })
})

afterAll(async () => {
  await chain?.market.close()
})

test('given a vault that its owner empties, restricts and leaves, then each failure is named, in a fixed order', async () => {
  expect(await preview()).toEqual({ ok: true, failures: [] })
  expect(await preview(AMOUNT)).toEqual({ ok: true, failures: [] })
  expect(await preview(AMOUNT + 1n)).toEqual({
    ok: false,
    failures: ['MANAGER_CAP_EXCEEDED', 'VAULT_INSUFFICIENT_AVAILABLE'],
  })
  const beyond = {
    ok: false,
    failures: ['MANAGER_CAP_EXCEEDED', 'VAULT_INSUFFICIENT_AVAILABLE', 'INSUFFICIENT_FEE_CREDIT'],
  }
  expect(await preview(2n ** 128n)).toEqual(beyond)
  expect(await preview(maxUint256)).toEqual(beyond)
  expect(await preview(1n, stranger)).toEqual({ ok: false, failures: ['MANAGER_NOT_ACTIVE', 'MANAGER_CAP_EXCEEDED'] })

  await asSponsor('setFeeCredit', [74n])
  expect(await preview(1000n)).toEqual({ ok: false, failures: ['INSUFFICIENT_FEE_CREDIT'] })
  await asSponsor('setCharger', [chain.deps.deployment.sponsoredTasksHook, false])
  const unauthorized = ['HOOK_NOT_AUTHORIZED_CHARGER', 'INSUFFICIENT_FEE_CREDIT']
  expect(await preview(1000n)).toEqual({ ok: false, failures: unauthorized })
  await loseTokens()
  expect(await preview(1000n)).toEqual({ ok: false, failures: ['VAULT_INSOLVENT', ...unauthorized] })
  await asSponsor('announceExit', [])
  const inactive = ['VAULT_NOT_ACTIVE', 'VAULT_INSOLVENT', ...unauthorized]
  expect(await preview(1000n)).toEqual({ ok: false, failures: inactive })
})

test('given the exit of the vault, then hook data is built for its next epoch', async () => {
  expect(await builtEpoch()).toBe(await epoch())
  await asSponsor('exit', [chain.sponsor], EXIT_NOTICE_SECONDS)
  expect(await epoch()).toBeGreaterThan(0n)
  expect(await builtEpoch()).toBe(await epoch())
  expect((await preview(1000n)).failures).toContain('VAULT_NOT_ACTIVE')
})

async function preview(gross = 1000n, managerAddress: Address = manager) {
  const query = { managerAddress, grossAmount: String(gross) }
  return (await chain.ask(previewFunding, { query })) as { ok: boolean; failures: string[] }
}

function aBody() {
  return { managerAddress: manager, grossAmount: '1', reward: '2000000', duration: 24 }
}

async function builtEpoch(): Promise<bigint> {
  const { hookData } = (await chain.ask(buildFundingHookData, { body: aBody() })) as { hookData: `0x${string}` }
  return decodeFundingTerms(hookData).epoch
}

function epoch(): Promise<bigint> {
  const { client } = chain.market
  return client.readContract({ address: chain.vault, abi: sponsoredVaultAbi, functionName: 'epoch' })
}

async function asSponsor(name: string, args: readonly unknown[], secondsLater?: number): Promise<void> {
  const data = encodeCall(sponsoredVaultAbi as Abi, name, args)
  await chain.perform({ from: chain.sponsor, to: chain.vault, data }, secondsLater)
}

/** As a token would take them that charges its holders. */
async function loseTokens(): Promise<void> {
  const { client } = chain.market
  for (const [method, params] of [
    ['anvil_impersonateAccount', [chain.vault]],
    ['anvil_setBalance', [chain.vault, '0xde0b6b3a7640000']],
  ]) {
    await client.request({ method, params } as never)
  }
  const data = encodeCall(erc20Abi as Abi, 'transfer', [stranger, 1n])
  await chain.perform({ from: chain.vault, to: chain.token, data })
}
