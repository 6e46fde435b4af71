import type { Address, Hex } from 'viem'
import { usdcAbi } from '../../../abis/usdc.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { createTask } from './corner-cases.ts'
import { direct, market } from './market-calls.ts'
import { encodeCall, type MarketChain } from './market-chain.ts'

const owner = devAccount('owner').account.address
const [requester, worker, feeRecipient] = [
  devAccount('requester').account.address,
  devAccount('alice').account.address,
  devAccount('feeRecipient').account.address,
]

/** Tasks, and the accounts that their payouts are credited to. */
export type DeferredPayouts = { taskId: Hex; accounts: Address[] }[]

/** A task whose worker and fee recipient cannot receive USDC when it completes, and one whose requester cannot when it is cancelled. */
export async function deferPayouts(chain: MarketChain): Promise<DeferredPayouts> {
  const setBlacklisted = await createBlacklist(chain)
  const send = (from: Address, name: string, args: readonly unknown[]) =>
    chain.send(direct(chain, from, market(name, args)))
  const accounts = [requester, worker, feeRecipient]
  await setBlacklisted(accounts, false)
  // Fails where entries are not paused.
  await send(owner, 'unpause', [])
  await send(owner, 'setFeeBps', [750])
  await send(owner, 'setFeeRecipient', [feeRecipient])
  await chain.mine()
  const [paid, cancelled] = [await createTask(chain, 'bounty', {}), await createTask(chain, 'bounty', {})]
  const deliverable: Hex = `0x${'0d'.repeat(32)}`
  await send(worker, 'submitWork', [paid, deliverable])
  await chain.mine()
  await setBlacklisted(accounts, true)
  await send(requester, 'acceptSubmission', [paid, worker, deliverable])
  await send(requester, 'cancelTask', [cancelled])
  await chain.mine()
  await setBlacklisted(accounts, false)
  await chain.mine()
  return [
    { taskId: paid, accounts: [worker, feeRecipient] },
    { taskId: cancelled, accounts: [requester] },
  ]
}

async function createBlacklist({ client, deployment: { usdc }, send }: MarketChain) {
  const from = await client.readContract({ address: usdc, abi: usdcAbi, functionName: 'blacklister' })
  return async (accounts: readonly Address[], isBlacklisted: boolean) => {
    const name = isBlacklisted ? 'blacklist' : 'unBlacklist'
    for (const account of accounts) await send({ from, to: usdc, data: encodeCall(usdcAbi, name, [account]) })
  }
}
