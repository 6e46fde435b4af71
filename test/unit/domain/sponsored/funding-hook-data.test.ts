import fc from 'fast-check'
import { type Address, decodeFunctionData, type Hex, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { taskMarketAbi } from '../../../../abis/task-market.ts'
import type { Deps } from '../../../../api/deps.ts'
import { buildFundingHookData } from '../../../../api/features/sponsored-task-vaults/build-funding-hook-data.ts'
import { createTask } from '../../../../api/features/tasks/create-task.ts'
import { aTermsBody, kindsOfTask, toBuildBody, toCreationBody } from '../../../support/creation-bodies.ts'
import { byDepth } from '../../../support/depth.ts'
import { aVault, type FakeVault, vaultContracts, viewsOfVault } from '../../../support/fake-vaults.ts'
import { decodeFundingTerms } from '../../../support/funding-terms.ts'
import { parsedRequest } from '../../../support/parsed-request.ts'
import { contractTermsHash } from './contract-terms-hash.ts'

const anAddress = (digit: number): Address => `0x${digit.toString(16).padStart(2, '0').repeat(20)}`
const manager = anAddress(1)
const hooks = [anAddress(0x21), anAddress(0x22), anAddress(0x23), anAddress(0x24), anAddress(0x25)]
const judges = [anAddress(0x31), anAddress(0x32), anAddress(0x33)]
const vault = { ...aVault, epoch: 3n, feeBps: 750 }

test.each(kindsOfTask)(
  'given any valid creation of $mode $auctionType, then the hook data has the terms hash that the contract computes of it',
  async (kind) => {
    const lists = fc.constantFrom<Address[]>([], [anAddress(0x41)], [anAddress(0x41), anAddress(0x42)])
    await fc.assert(
      fc.asyncProperty(aTermsBody(kind, { hooks, judges }), lists, async (terms, defaultHooks) => {
        const funding = { managerAddress: manager, grossAmount: 10n ** 18n }
        const built = await build(toBuildBody(terms, funding), { ...vault, defaultHooks })
        const params = await creationOf(toCreationBody(terms, built), defaultHooks)
        expect(params.hookData).toBe(built.hookData)
        expect(decodeFundingTerms(built.hookData)).toEqual({
          version: 1n,
          vaultId: vault.vaultId,
          manager,
          gross: funding.grossAmount,
          epoch: vault.epoch,
          feeBps: 750n,
          termsHash: contractTermsHash(params, defaultHooks),
        })
        expect(params.hooks.at(-1)?.toLowerCase()).toBe(vaultContracts.sponsoredTasksHook)
      }),
      { numRuns: byDepth(12, 400) },
    )
  },
)

async function build(body: Record<string, unknown>, on: FakeVault): Promise<{ hookAddress: string; hookData: Hex }> {
  const deployment = { market: anAddress(2), ...vaultContracts }
  const deps = { deployment, chain: viewsOfVault(on) } as unknown as Deps
  const request = {
    params: { vaultId: on.vaultId },
    query: undefined,
    body: buildFundingHookData.body?.parse(body) ?? expect.fail('it takes a body'),
  }
  return (await buildFundingHookData.handler(deps, request, undefined as never)) as never
}

/** The parameters of the contract call that the creation with this body makes. */
async function creationOf(request: Record<string, unknown>, defaultHooks: Address[]) {
  const input = parsedRequest(createTask, { body: request })
  const market = { entriesPaused: false, platformFeeBps: vault.feeBps, defaultHooks, drop: null }
  expect(createTask.preflight(market, input, { actor: manager, now: 0n, clocks: { head: 0n, current: 0n } })).toBeNull()
  const deps = {
    deployment: { market: anAddress(2) },
    chain: { head: async () => ({ timestamp: 0n }) },
    passwords: { hash: async () => zeroHash },
  } as unknown as Deps
  const call = await createTask.prepare(deps, market, input, manager)
  if ('failure' in call) throw new Error(call.message)
  const { functionName, args } = decodeFunctionData({ abi: taskMarketAbi, data: call.data })
  if (functionName !== 'createTask') throw new Error(`a creation calls ${functionName}`)
  return args[0]
}
