import { type Address, type Hex, zeroAddress } from 'viem'
import type { Chain } from '../../api/chain/chain.ts'
import type { TestApi } from './api.ts'

/** A vault as the views answer it, with the market’s terms. */
export interface FakeVault {
  vaultId: Hex
  epoch: bigint
  /** What `problemsOf` answers. */
  problems: bigint
  feeBps: number
  defaultHooks: readonly Address[]
}

export const vaultContracts = {
  sponsoredTasksHook: `0x${'5f'.repeat(20)}`,
  sponsoredVaultFactory: `0x${'f5'.repeat(20)}`,
} as const

/** A vault in its first epoch that can fund every task. */
export const aVault: FakeVault = {
  vaultId: `0x${'ab'.repeat(32)}`,
  epoch: 0n,
  problems: 0n,
  feeBps: 0,
  defaultHooks: [],
}

export const vaultAddress: Address = `0x${'7a'.repeat(20)}`

/**
 * Views of a chain with the contracts of sponsored vaults and one vault. `asked` gets every question to them; `others`
 * answers every other view.
 */
export function viewsOfVault(
  vault: FakeVault,
  { asked = [], others }: { asked?: unknown[]; others?: Chain['readContract'] } = {},
): Pick<Chain, 'readContract' | 'readContracts'> {
  const answers: Record<string, (id: unknown) => unknown> = {
    epoch: () => vault.epoch,
    nonceOf: () => 0n,
    paidOf: () => 0n,
    feeBps: () => vault.feeBps,
    defaultHooks: () => vault.defaultHooks,
    vaultOf: (id) => (id === vault.vaultId ? vaultAddress : zeroAddress),
    problemsOf: (id) => (id === vault.vaultId ? vault.problems : 1n),
  }
  const readContract = async (call: { functionName: string; args?: readonly unknown[] }) => {
    const { functionName, args = [] } = call
    const answer = answers[functionName]
    if (answer === undefined && others !== undefined) return await others(call as never)
    if (answer === undefined) throw new Error(`the fake chain has no view ${functionName}`)
    asked.push([functionName, ...args])
    return answer(args[0])
  }
  return {
    readContract: readContract as never,
    readContracts: async (calls) => (await Promise.all(calls.map((call) => readContract(call as never)))) as never,
  }
}

/** A deployment with sponsored vaults and this vault, in a service on rows. */
export function addVault({ deps, chain }: Pick<TestApi, 'deps' | 'chain'>, vault: FakeVault, asked?: unknown[]): void {
  Object.assign(deps.deployment, vaultContracts)
  Object.assign(chain, viewsOfVault(vault, { others: chain.readContract, ...(asked && { asked }) }))
}
