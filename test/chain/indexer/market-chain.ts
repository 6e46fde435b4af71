import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Abi,
  type Address,
  createPublicClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  maxUint256,
  type PublicClient,
} from 'viem'
import { usdcAbi } from '../../../abis/usdc.ts'
import { type Anvil, startAnvil } from '../../../scripts/chain/anvil.ts'
import { devAccount, devActors } from '../../../scripts/chain/dev-accounts.ts'
import { type Deployment, type DeployOptions, deployAll, mintLocalUsdc } from '../../../scripts/contracts/deploy.ts'
import { rpcTransport } from '../../../scripts/contracts/rpc-transport.ts'
import { restoreChain } from '../../support/test-chain.ts'

/** A local chain with the market, which mines on request only. */
export interface MarketChain {
  url: string
  deployment: Deployment
  /** File from which `startIndexer` reads the deployment. */
  deploymentFile: string
  client: PublicClient
  /** Adds a transaction of an account whose key the node has to the next block. It may revert. */
  send(call: Call): Promise<void>
  /**
   * Mines the sent transactions in one block, the given number of seconds after the previous one; returns its number.
   */
  mine(secondsLater?: number): Promise<bigint>
  /** Replaces the last `depth` blocks by the same number of empty ones. */
  reorganize(depth: number): Promise<void>
  /** Sets the code of an address. */
  setCode(address: Address, code: Hex): Promise<void>
  close(): Promise<void>
}

export interface Call {
  from: Address
  to: Address
  data: Hex
}

type MarketOptions = Pick<DeployOptions, 'bonus' | 'beforeBound'>

/** Gas limit for a split among all actors with hooks that use all theirs; an estimate would require a mined state. */
const gas = '0x989680'
/** Gas limit of a block, above that of all its transactions. */
const blockGas = '0x77359400'

/**
 * Starts the chain, deploys, and gives every actor USDC with an allowance for the market.
 * @param options.bonus deploys a programme of token bonuses, too
 * @param options.beforeBound deploys the forwarder of before bound payments
 */
export async function openMarketChain(options: MarketOptions = {}): Promise<MarketChain> {
  const anvil = await startAnvil()
  const directory = mkdtempSync(join(tmpdir(), 'market-chain-'))
  const deploymentFile = join(directory, 'deployment.json')
  const deployment = await restoreMarket(anvil, options)
  writeFileSync(deploymentFile, JSON.stringify(deployment))
  // A chain that mines on request: a head that is kept for seconds, as by default, is an old one.
  const client = createPublicClient({
    chain: toChain(anvil.url, deployment),
    transport: rpcTransport(anvil.url),
    cacheTime: 0,
    // Views that are asked for at the same time are one request: comparisons read thousands.
    batch: { multicall: { batchSize: 2 ** 18 } },
  })

  const send = async ({ from, to, data }: Call) => {
    await anvil.request('eth_sendTransaction', [{ from, to, data, gas }])
  }
  const mine = async (secondsLater = 1) => {
    const { timestamp, number } = await client.getBlock()
    await anvil.request('evm_mine', [Number(timestamp) + secondsLater])
    return number + 1n
  }
  await anvil.request('evm_setAutomine', [false])
  await anvil.request('evm_setBlockGasLimit', [blockGas])
  const blacklister = await client.readContract({
    address: deployment.usdc,
    abi: usdcAbi,
    functionName: 'blacklister',
  })
  await anvil.request('anvil_impersonateAccount', [blacklister])
  await mine()

  return {
    url: anvil.url,
    deployment,
    deploymentFile,
    client,
    send,
    mine,
    reorganize: async (depth) => {
      await anvil.request('anvil_reorg', [depth, []])
    },
    setCode: async (address, code) => {
      await anvil.request('anvil_setCode', [address, code])
    },
    close: async () => {
      await anvil.stop()
      rmSync(directory, { recursive: true })
    },
  }
}

function toChain(url: string, { chainId, multicall3 }: Deployment) {
  return defineChain({
    id: chainId,
    name: 'market chain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
    contracts: { multicall3: { address: multicall3 } },
  })
}

/** The market as `deploy` leaves it, from a saved chain with the same options, while this file is as it was. */
function restoreMarket(anvil: Anvil, options: MarketOptions): Promise<Deployment> {
  const facts = JSON.stringify(options, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return restoreChain(anvil, {
    name: `market-${fingerprint(facts).slice(0, 16)}`,
    variant: fingerprint(readFileSync(import.meta.filename)),
    deploy: (empty) => deploy(empty, options),
  })
}

function fingerprint(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

async function deploy(anvil: Anvil, options: MarketOptions): Promise<Deployment> {
  const deployment = await deployAll({
    rpcUrl: anvil.url,
    deployer: devAccount('deployer').privateKey,
    local: true,
    relayers: [devAccount('relayer1').account.address],
    owner: devAccount('owner').account.address,
    feeRecipient: devAccount('feeRecipient').account.address,
    publicBaseUrl: 'https://market.example',
    ...options,
  })
  const approval = encodeFunctionData({
    abi: usdcAbi,
    functionName: 'approve',
    args: [deployment.market, maxUint256],
  })
  for (const { account } of devActors()) {
    await mintLocalUsdc(anvil.url, account.address, 1_000_000_000_000n)
    await anvil.request('eth_sendTransaction', [{ from: account.address, to: deployment.usdc, data: approval, gas }])
  }
  return deployment
}

/** The call data of a function, by a name that is only known at run time. */
export function encodeCall(abi: Abi, functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi, functionName, args })
}
