import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDecimals } from '../../../api/features/books/decimals.queries.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { insertVault } from '../../support/vault-rows.ts'

const tokenOf = (byte: string): Hex => `0x${byte.repeat(20)}`
const idOf = (byte: string): Hex => `0x${byte.repeat(32)}`

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

test('given tokens of vaults, then their decimals, and null for one that answers none or is not known', async () => {
  const { usdc } = api.deps.deployment
  const names = { tokenName: null, tokenSymbol: null }
  await insertVault(api.sql, { vaultId: idOf('a1'), token: tokenOf('b1'), names: { ...names, tokenDecimals: 8 } })
  await insertVault(api.sql, { vaultId: idOf('a2'), token: tokenOf('b2'), names: { ...names, tokenDecimals: null } })
  const assets = [usdc, tokenOf('b1'), tokenOf('b2'), tokenOf('b3')]
  const decimals = await findDecimals(api.deps.sql, assets, { usdc })
  expect(assets.map((asset) => decimals.get(asset))).toEqual([6, 8, null, null])
})
