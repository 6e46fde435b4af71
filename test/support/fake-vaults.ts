import { type Address, type Hex, zeroAddress } from 'viem'
import type { Chain } from '../../api/chain/chain.ts'

/** A vault as the views answer it. */
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

const vaultAddress: Address = `0x${'7a'.repeat(20)}`

/** Views of a chain with the contracts of sponsored vaults and one vault; `asked` gets every question. */
export function viewsOfVault(vault: FakeVault, asked: unknown[] = []): Pick<Chain, 'readContract' | 'readContracts'> {
  const answer = ({ functionName, args = [] }: { functionName: string; args?: readonly unknown[] }) => {
    asked.push([functionName, ...args])
    if (functionName === 'epoch') return vault.epoch
    if (functionName === 'feeBps') return vault.feeBps
    if (functionName === 'defaultHooks') return vault.defaultHooks
    const isKnown = args[0] === vault.vaultId
    if (functionName === 'vaultOf') return isKnown ? vaultAddress : zeroAddress
    if (functionName === 'problemsOf') return isKnown ? vault.problems : 1n
    throw new Error(`the fake chain has no view ${functionName}`)
  }
  return {
    readContract: async (call) => answer(call as never) as never,
    readContracts: async (calls) => calls.map((call) => answer(call as never)) as never,
  }
}
