import {
  type Address,
  createPublicClient,
  custom,
  decodeAbiParameters,
  encodeFunctionData,
  type Hex,
  type PublicClient,
  parseAbi,
} from 'viem'
import { z } from 'zod'
import type { Anvil } from '../chain/anvil.ts'
import { untilMined } from '../contracts/until-mined.ts'

const blockSchema = z.object({ timestamp: z.string() })

/** Direct access to the local chain, for the recording of examples. */
export interface ChainControl {
  /** Client for reads from the node. */
  client: PublicClient
  /** Returns the time of the newest block, in Unix seconds. */
  now(): Promise<bigint>
  /** Mines a block whose time is later than that of the newest block by this number of seconds. */
  passTime(seconds: number): Promise<void>
  /** Sends a transaction in the name of any account. Resolves when the transaction is mined. @throws if it reverts */
  sendAs(call: { from: Address; to: Address; data: Hex }): Promise<void>
  /** Adds a wallet to USDC's blacklist, or removes it. USDC refuses transfers to a blacklisted wallet. */
  setBlocked(account: Address, isBlocked: boolean): Promise<void>
}

const blacklistAbi = parseAbi([
  'function blacklister() view returns (address)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
])

export function controlChain({ request }: Pick<Anvil, 'request'>, usdc: Address): ChainControl {
  const sendAs: ChainControl['sendAs'] = async ({ from, to, data }) => {
    await request('anvil_setBalance', [from, '0xde0b6b3a7640000'])
    await request('anvil_impersonateAccount', [from])
    const hash = (await request('eth_sendTransaction', [{ from, to, data }])) as Hex
    const { status } = await untilMined(request, hash)
    if (status !== '0x1') throw new Error(`the call ${data.slice(0, 10)} reverted in ${hash}`)
  }
  return {
    client: createPublicClient({
      transport: custom({ request: ({ method, params }) => request(method, params as unknown[]) }),
    }),
    sendAs,
    now: async () => {
      const { timestamp } = blockSchema.parse(await request('eth_getBlockByNumber', ['latest', false]))
      return BigInt(timestamp)
    },
    passTime: async (seconds) => {
      await request('evm_increaseTime', [seconds])
      await request('evm_mine')
    },
    setBlocked: async (account, isBlocked) => {
      const question = encodeFunctionData({ abi: blacklistAbi, functionName: 'blacklister' })
      const word = (await request('eth_call', [{ to: usdc, data: question }, 'latest'])) as Hex
      const [from] = decodeAbiParameters([{ type: 'address' }], word)
      const functionName = isBlocked ? 'blacklist' : 'unBlacklist'
      const data = encodeFunctionData({ abi: blacklistAbi, functionName, args: [account] })
      await sendAs({ from, to: usdc, data })
    },
  }
}
