import { type Address, createPublicClient, erc20Abi, http, type PublicClient } from 'viem'
import { expect } from 'vitest'
import { bonusHookAbi } from '../../abis/bonus-hook.ts'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import { sponsoredVaultAbi } from '../../abis/sponsored-vault.ts'
import { sponsoredVaultFactoryAbi } from '../../abis/sponsored-vault-factory.ts'
import { taskMarketAbi } from '../../abis/task-market.ts'
import type { StackDescription } from '../../scripts/stack/stack-file.ts'

/** Money by the contracts alone, base units. */
export interface ChainMoney {
  /** The block of the figures. */
  block: bigint
  market: { balance: bigint; totalEscrow: bigint; received: bigint; sent: bigint }
  forwarder: { balance: bigint; fees: bigint }
  bonus: { balance: bigint; claimable: bigint; sent: bigint }
  /** By address, lower case. */
  vaults: Map<string, { available: bigint; reserved: bigint; owed: bigint; fees: bigint }>
  logs: MarketLogs
}

/** Events of the market that tell of money. */
export type MarketLogs = Awaited<ReturnType<typeof readMarketLogs>>

/** Reads them at the newest block of a stack that is not written to. */
export async function readChainMoney({ urls, addresses }: StackDescription): Promise<ChainMoney> {
  const client = createPublicClient({ transport: http(urls.rpc) })
  const block = await client.getBlockNumber()
  const { market, forwarder, usdc } = addresses
  const hook = addresses.bonusHook ?? expect.fail('the stack has no bonus programme')
  const token = addresses.rewardToken ?? expect.fail('the stack has no reward token')
  const balanceOf = (asset: Address, account: Address) =>
    client.readContract({ address: asset, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  return {
    block,
    market: {
      balance: await balanceOf(usdc, market),
      totalEscrow: await client.readContract({ address: market, abi: taskMarketAbi, functionName: 'totalEscrow' }),
      received: await sumTransfers(client, usdc, { to: market }),
      sent: await sumTransfers(client, usdc, { from: market }),
    },
    forwarder: {
      balance: await balanceOf(usdc, forwarder),
      fees: await client.readContract({ address: forwarder, abi: paymentForwarderAbi, functionName: 'fees' }),
    },
    bonus: {
      balance: await balanceOf(token, hook),
      claimable: await client.readContract({ address: hook, abi: bonusHookAbi, functionName: 'totalClaimable' }),
      sent: await sumTransfers(client, token, { from: hook }),
    },
    vaults: await readVaults(client, addresses.sponsoredVaultFactory ?? expect.fail('the stack has no vaults')),
    logs: await readMarketLogs(client, market),
  }
}

async function sumTransfers(client: PublicClient, asset: Address, args: { from?: Address; to?: Address }) {
  const logs = await client.getContractEvents({
    address: asset,
    abi: erc20Abi,
    eventName: 'Transfer',
    args,
    fromBlock: 0n,
    strict: true,
  })
  return logs.reduce((sum, log) => sum + log.args.value, 0n)
}

async function readVaults(client: PublicClient, factory: Address): Promise<ChainMoney['vaults']> {
  const created = await client.getContractEvents({
    address: factory,
    abi: sponsoredVaultFactoryAbi,
    eventName: 'VaultCreated',
    fromBlock: 0n,
    strict: true,
  })
  const read = async ({ args: { vault } }: (typeof created)[number]) => {
    const totals = await client.readContract({ address: vault, abi: sponsoredVaultAbi, functionName: 'totals' })
    return [vault.toLowerCase(), totals] as const
  }
  return new Map(await Promise.all(created.map(read)))
}

async function readMarketLogs(client: PublicClient, address: Address) {
  const logs = await client.getContractEvents({ address, abi: taskMarketAbi, fromBlock: 0n, strict: true })
  return logs
}
