import type { Address, Hex } from 'viem'
import type { Chain } from '../../../api/chain/chain.ts'
import { type Deployment, readDeployment } from '../../../api/chain/deployment.ts'
import { createChain } from '../../../api/chain/viem-chain.ts'
import type { Deps } from '../../../api/deps.ts'
import type { RouteContract } from '../../../api/features/define-route.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { defaultBonusSetup } from '../../../scripts/contracts/bonus-setup.ts'
import { type OpenedVault, openVault } from '../../../scripts/examples/open-vault.ts'
import { oneNode } from '../../support/one-node.ts'
import { type Call, type MarketChain, openMarketChain } from '../indexer/market-chain.ts'

/** A chain with a vault, and what the handlers of its routes need of the service. */
export interface VaultChain extends OpenedVault {
  market: MarketChain
  token: Address
  sponsor: Address
  deps: Deps
  /** Sends a call and mines it, some seconds after the block before. */
  perform(call: Call, secondsLater?: number): Promise<void>
  /** What a route answers, parsed by its own schemas. */
  ask(route: RouteContract, request: { vaultId?: Hex; query?: object; body?: object }): Promise<unknown>
}

/** Opens the chain with a vault of `amount` tokens, which each of the managers may charge. */
export async function openVaultChain({
  amount,
  managers,
}: {
  amount: bigint
  managers: readonly Address[]
}): Promise<VaultChain> {
  const market = await openMarketChain({ bonus: { token: 'local', setup: defaultBonusSetup } })
  const { client, deployment } = market
  const { rewardToken: token } = deployment
  if (token === undefined) throw new Error('the chain has no token')
  const perform: VaultChain['perform'] = async (call, secondsLater) => {
    await market.send(call)
    await market.mine(secondsLater)
  }
  const sponsor = devAccount('carol').account.address
  const vault = await openVault(
    { client, deployment, send: perform },
    { sponsor, token, minter: devAccount('owner').account.address, salt: `0x${'5a'.repeat(32)}`, amount, managers },
  )
  const deps = await createDeps(market)
  const ask: VaultChain['ask'] = async (route, { vaultId = vault.vaultId, query, body }) =>
    await route.handler(
      deps,
      { params: { vaultId }, query: query && route.query?.parse(query), body: body && route.body?.parse(body) },
      undefined as never,
    )
  return { ...vault, market, token, sponsor, deps, perform, ask }
}

/** The parts of the service that routes without tables use. */
async function createDeps({ url, deploymentFile }: MarketChain): Promise<Deps> {
  const deployment = await readDeployment(deploymentFile)
  return {
    deployment,
    chain: createChain({ nodes: oneNode(url), deployment, findIndexed: () => null, isStale: () => false }),
  } satisfies {
    deployment: Deployment
    chain: Chain
  } as unknown as Deps
}
