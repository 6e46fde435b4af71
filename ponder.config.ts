import { readFileSync } from 'node:fs'
import { createConfig, factory } from 'ponder'
import { getAbiItem, zeroAddress } from 'viem'
import { z } from 'zod'
import { bonusHookAbi } from './abis/bonus-hook.ts'
import { identityRegistrarAbi } from './abis/identity-registrar.ts'
import { identityRegistryAbi } from './abis/identity-registry.ts'
import { paymentForwarderAbi } from './abis/payment-forwarder.ts'
import { paymentForwarderBeforeBoundAbi } from './abis/payment-forwarder-before-bound.ts'
import { sponsoredVaultAbi } from './abis/sponsored-vault.ts'
import { sponsoredVaultFactoryAbi } from './abis/sponsored-vault-factory.ts'
import { taskMarketAbi } from './abis/task-market.ts'
import { usdcAbi } from './abis/usdc.ts'
import { flattenDeploymentFile } from './protocol/rules/deployment-file.ts'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'is no address')
  .transform((value) => value.toLowerCase() as `0x${string}`)

/** The fields of a deployment file (deployments/<chainId>.json) that the indexer reads. */
const deploymentSchema = z.object({
  chainId: z.int().min(1),
  name: z.string().regex(/^[a-z0-9:-]{1,64}$/),
  market: address,
  forwarder: address,
  usdc: address,
  identityRegistrar: address,
  identityRegistry: address,
  /** Absent in a deployment before bound payments, whose forwarder logs another event for a relayed call. */
  bound: z.literal(true).optional(),
  /** Absent: no programme of token bonuses is deployed. */
  bonusHook: address.optional(),
  /** Reward token of the programme; absent without a programme. */
  rewardToken: address.optional(),
  /** Absent: the deployment has no sponsored vaults. */
  sponsoredVaultFactory: address.optional(),
  /** Block of the first contract of the deployment. No contract of the deployment logs before it. */
  startBlock: z.int().min(0),
  /** First block to read from the identity registry, which is older than our contracts; absent: `startBlock`. */
  identityStartBlock: z.int().min(0).optional(),
})

/** Endpoint lists may repeat one URL: Ponder paces each entry by itself, from 20 requests a second on. */
const environmentSchema = z
  .object({
    RPC_URL: z.url({ protocol: /^https?$/ }),
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
    DEPLOYMENT_FILE: z.string().min(1).default('deployments/8453.json'),
    /** 1: a chain of this machine, which may have other blocks after a restart. */
    LOCAL_CHAIN: z.enum(['0', '1']).default('0'),
    RPC_PARALLEL: z.coerce.number().int().min(1).max(64).optional(),
    /** WebSocket URL that announces new heads (ops/indexer/heads); absent: Ponder polls for them. */
    HEADS_URL: z.url({ protocol: /^wss?$/ }).optional(),
    POLLING_INTERVAL_MS: z.coerce.number().int().min(100).max(60_000).optional(),
  })
  .transform((environment) => {
    const isLocal = environment.LOCAL_CHAIN === '1'
    return {
      rpcUrl: environment.RPC_URL,
      databaseUrl: environment.DATABASE_URL,
      deploymentFile: environment.DEPLOYMENT_FILE,
      headsUrl: environment.HEADS_URL,
      isLocal,
      rpcParallel: environment.RPC_PARALLEL ?? (isLocal ? 8 : 1),
      pollingInterval: environment.POLLING_INTERVAL_MS ?? (isLocal ? 100 : 1000),
    }
  })

const settings = parse('the environment', environmentSchema, process.env)
const deployment = parse(
  settings.deploymentFile,
  deploymentSchema,
  flattenDeploymentFile(JSON.parse(readFileSync(settings.deploymentFile, 'utf8'))),
)

/** Without vaults: an address that logs nothing. */
const vaultFactory = deployment.sponsoredVaultFactory ?? zeroAddress

/** Transfers of tokens to our contracts. The filter by recipient makes a busy token cost nothing. */
const arrivals = {
  event: 'Transfer',
  args: { to: [deployment.market, deployment.forwarder, ...(deployment.bonusHook ? [deployment.bonusHook] : [])] },
} as const
/**
 * The reward token, or an address that logs nothing: without a programme, and where USDC is the reward token and is
 * read already.
 */
const rewardToken = deployment.rewardToken === deployment.usdc ? zeroAddress : (deployment.rewardToken ?? zeroAddress)

export default createConfig({
  // There is one chain, so events have one order. It also keeps the finalised and the safe checkpoint the same.
  ordering: 'omnichain',
  database: { kind: 'postgres', connectionString: settings.databaseUrl },
  chains: {
    [deployment.name]: {
      id: deployment.chainId,
      rpc: Array.from({ length: settings.rpcParallel }, () => settings.rpcUrl),
      pollingInterval: settings.pollingInterval,
      ...(settings.headsUrl !== undefined && { ws: settings.headsUrl }),
      disableCache: settings.isLocal,
    },
  },
  contracts: {
    TaskMarket: {
      abi: taskMarketAbi,
      chain: deployment.name,
      address: deployment.market,
      startBlock: deployment.startBlock,
    },
    PaymentForwarder: {
      abi: paymentForwarderAbi,
      chain: deployment.name,
      address: deployment.forwarder,
      startBlock: deployment.startBlock,
    },
    PaymentForwarderBeforeBound: {
      abi: [getAbiItem({ abi: paymentForwarderBeforeBoundAbi, name: 'IntentRelayed' })],
      chain: deployment.name,
      // With bound payments: an address that logs nothing.
      address: deployment.bound ? zeroAddress : deployment.forwarder,
      startBlock: deployment.startBlock,
    },
    Usdc: {
      abi: usdcAbi,
      chain: deployment.name,
      address: deployment.usdc,
      filter: arrivals,
      startBlock: deployment.startBlock,
    },
    RewardToken: {
      abi: usdcAbi,
      chain: deployment.name,
      address: rewardToken,
      filter: arrivals,
      startBlock: deployment.startBlock,
    },
    IdentityRegistrar: {
      abi: identityRegistrarAbi,
      chain: deployment.name,
      address: deployment.identityRegistrar,
      startBlock: deployment.startBlock,
    },
    BonusHook: {
      abi: bonusHookAbi,
      chain: deployment.name,
      // Without a programme: an address that logs nothing.
      address: deployment.bonusHook ?? zeroAddress,
      startBlock: deployment.startBlock,
    },
    SponsoredVaultFactory: {
      abi: sponsoredVaultFactoryAbi,
      chain: deployment.name,
      address: vaultFactory,
      startBlock: deployment.startBlock,
    },
    SponsoredVault: {
      abi: sponsoredVaultAbi,
      chain: deployment.name,
      address: factory({
        address: vaultFactory,
        event: getAbiItem({ abi: sponsoredVaultFactoryAbi, name: 'VaultCreated' }),
        parameter: 'vault',
      }),
      startBlock: deployment.startBlock,
    },
    IdentityRegistry: {
      abi: identityRegistryAbi,
      chain: deployment.name,
      address: deployment.identityRegistry,
      startBlock: deployment.identityStartBlock ?? deployment.startBlock,
    },
  },
})

/** Validates `value`. @throws one error that lists every problem */
function parse<T>(name: string, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error([`The indexer cannot start; wrong or missing in ${name}:`, ...problems].join('\n'))
}
