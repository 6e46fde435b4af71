import { type Address, encodeFunctionData, parseAbi } from 'viem'
import type { ChainView } from './conformance-chain.ts'

const abi = parseAbi([
  'function blacklister() view returns (address)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
])

/** Lets the operator of USDC block a wallet, or unblock it. */
export async function setBlocked({ chain }: { chain: ChainView }, account: Address, isBlocked: boolean): Promise<void> {
  const { usdc } = chain.deployment
  const read = encodeFunctionData({ abi, functionName: 'blacklister' })
  const word = String(await chain.request('eth_call', [{ to: usdc, data: read }, 'latest']))
  const functionName = isBlocked ? 'blacklist' : 'unBlacklist'
  await chain.sendAs(`0x${word.slice(-40)}`, {
    to: usdc,
    data: encodeFunctionData({ abi, functionName, args: [account] }),
  })
}
