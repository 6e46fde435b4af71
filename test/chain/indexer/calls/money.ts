import { usdcAbi } from '../../../../abis/usdc.ts'
import { devAccount } from '../../../../scripts/chain/dev-accounts.ts'
import { actorAddresses, asAnyAccount, direct, type Maker, market } from '../market-calls.ts'
import { encodeCall } from '../market-chain.ts'

/** Payouts to a blacklisted account become credits. */
export const toggleBlacklist: Maker = async ({ chain, random }) => {
  const { usdc } = chain.deployment
  const account = random.pick([...actorAddresses, devAccount('feeRecipient').account.address])
  const [from, isBlacklisted] = await Promise.all([
    chain.client.readContract({ address: usdc, abi: usdcAbi, functionName: 'blacklister' }),
    chain.client.readContract({ address: usdc, abi: usdcAbi, functionName: 'isBlacklisted', args: [account] }),
  ])
  // Mostly no account is blacklisted, so that other calls succeed.
  if (!isBlacklisted && random.chance(0.85)) return []
  const name = isBlacklisted ? 'unBlacklist' : 'blacklist'
  return [{ from, to: usdc, data: encodeCall(usdcAbi, name, [account]) }]
}

export const withdrawCredit: Maker = (environment) => {
  const { chain, random, logs } = environment
  const account = random.pick([...logs.credited, null])
  if (account === null) return []
  if (random.chance(0.5)) return [direct(chain, account, market('withdrawCredit', [random.pick(actorAddresses)]))]
  return [asAnyAccount(environment, market('pushCredit', [account]))]
}
